"""Modules whose number of inputs is that of what they are first called with."""

import inspect

from ..package import torch as _torch
from . import layers
from .module import Module, Parameter, Tensor


class _Uninitialized:
    """What a tensor is until its shape is known."""

    @property
    def shape(self):
        raise RuntimeError(
            "Can't access the shape of an uninitialized parameter or buffer: call the module first, or load its state from one that has one"
        )

    def __repr__(self):
        return f"<{type(self).__name__}>"

    __str__ = __repr__


class UninitializedParameter(_Uninitialized, Parameter):
    """A parameter whose shape is not known yet."""

    def __new__(cls, requires_grad=True, device=None, dtype=None):
        return Parameter.__new__(cls, _torch().empty(0, dtype=dtype), requires_grad)

    def __deepcopy__(self, memo):
        return memo.setdefault(id(self), type(self)(self.requires_grad, dtype=self.dtype))

    def materialize(self, shape, device=None, dtype=None):
        """Makes it a parameter of a shape, whose elements are those of ``torch.empty``."""
        elements = _torch().empty(shape, dtype=self.dtype if dtype is None else dtype)
        self.__class__ = Parameter
        self.data = elements


class UninitializedBuffer(_Uninitialized, Tensor):
    """A buffer whose shape is not known yet."""

    def __new__(cls, requires_grad=False, device=None, dtype=None):
        return Tensor.__new__(cls, _torch().empty(0, dtype=dtype))

    def __deepcopy__(self, memo):
        return memo.setdefault(id(self), type(self)(dtype=self.dtype))


def is_lazy(tensor):
    """Whether a tensor has no shape yet."""
    return isinstance(tensor, _Uninitialized)


class _Lazy(Module):
    """A module of class ``cls_to_become`` but for its number of inputs, the argument ``_count``, which is along the axis
    ``_axis`` of what it is first called with, which has so many axes as ``_ranks`` names."""

    cls_to_become, _count, _axis, _ranks = None, None, 1, ()

    def __init__(self, *args, **kwargs):
        given = inspect.signature(type(self).__init__).bind(self, *args, **kwargs)
        # As many as there have to be at least, until it is known.
        self.cls_to_become.__init__(self, given.arguments.get("groups", 1), *args, **kwargs)
        object.__setattr__(self, "_given", (args, kwargs))
        setattr(self, self._count, 0)
        for name, parameter in self._parameters.items():
            if parameter is not None:
                self._parameters[name] = UninitializedParameter(dtype=parameter.dtype)
        for name, buffer in self._buffers.items():
            if buffer is not None and buffer.ndim:
                self._buffers[name] = UninitializedBuffer(dtype=buffer.dtype)

    def has_uninitialized_params(self):
        """Whether a parameter or a buffer has no shape yet."""
        return any(is_lazy(tensor) for tensor in (*self._parameters.values(), *self._buffers.values()))

    def initialize_parameters(self, input):
        """Gives parameters and buffers their shapes and first values; those that were loaded stay."""
        if not isinstance(input, Tensor):
            raise TypeError(f"{self._get_name()}: input: a Tensor is needed, not {type(input).__name__}")
        if input.ndim not in (self._ranks or range(1, input.ndim + 1)):
            wanted = " or ".join(f"{rank}D" for rank in self._ranks or (1, 2))
            raise RuntimeError(f"Expected {wanted} input to {self._get_name()}, but got input of size: {list(input.shape)}")
        args, kwargs = self._given
        made = self.cls_to_become(input.shape[self._axis], *args, **kwargs)
        with _torch().no_grad():
            for name, parameter in self._parameters.items():
                if is_lazy(parameter):
                    parameter.materialize(made._parameters[name].shape)
                    parameter.copy_(made._parameters[name])
        self._buffers.update({name: made._buffers[name] for name, buffer in self._buffers.items() if is_lazy(buffer)})
        setattr(self, self._count, getattr(made, self._count))

    def _prepare(self, state):
        """Takes shapes over from a state that is to be loaded: values by this module's names."""
        for name, given in state.items():
            if is_lazy(self._parameters.get(name)):
                self._parameters[name].materialize(given.shape)
            elif is_lazy(self._buffers.get(name)):
                self._buffers[name] = _torch().empty(given.shape, dtype=self._buffers[name].dtype)

    def __call__(self, *args, **kwargs):
        self.initialize_parameters(*args, **kwargs)
        self.__class__ = self.cls_to_become
        del self._given
        return self(*args, **kwargs)


def _lazy(cls, count, axis=1, ranks=()):
    doc = f"`{cls.__name__}` whose `{count}` is that of what it is first called with."

    def __init__(self, *args, **kwargs):
        _Lazy.__init__(self, *args, **kwargs)

    own = {"__doc__": doc, "__init__": __init__, "cls_to_become": cls, "_count": count, "_axis": axis, "_ranks": ranks}
    made = type(f"Lazy{cls.__name__}", (_Lazy, cls), own)
    this, *others = inspect.signature(cls.__init__).parameters.values()
    __init__.__signature__ = inspect.Signature([this, *others[1:]])
    return made


_LAYERS = {cls.__name__: cls for cls in layers.CLASSES}
CLASSES = [_lazy(_LAYERS["Linear"], "in_features", -1)]
for _n in (1, 2, 3):
    # The axis of channels counts from the end where one example is taken without an axis of the batch.
    _one_or_many = (_n + 1, _n + 2)
    CLASSES += [_lazy(_LAYERS[f"{kind}{_n}d"], "in_channels", -1 - _n, _one_or_many) for kind in ("Conv", "ConvTranspose")]
    CLASSES.append(_lazy(_LAYERS[f"BatchNorm{_n}d"], "num_features", 1, _LAYERS[f"BatchNorm{_n}d"]._ndims))
    CLASSES.append(_lazy(_LAYERS[f"InstanceNorm{_n}d"], "num_features", -1 - _n, _one_or_many))
