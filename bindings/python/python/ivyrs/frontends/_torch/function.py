"""``torch.autograd.Function``: functions with a backward of the program's own."""

import functools

from ... import _ivyrs
from .._custom_functions import Context, as_list, record
from .._grad_modes import no_grad

_Tensor = _ivyrs.TorchTensor


class FunctionCtx(Context):
    """What a function's forward keeps for its backward."""

    def __init__(self, needs_input_grad):
        super().__init__()
        self.needs_input_grad = needs_input_grad
        self._versions = ()

    def save_for_backward(self, *tensors):
        """Keeps tensors, of the inputs and the outputs or others, for ``saved_tensors``."""
        for tensor in tensors:
            if tensor is not None and not isinstance(tensor, _Tensor):
                raise TypeError(f"save_for_backward can only save tensors, but got {type(tensor).__name__}")
        super().save_for_backward(*tensors)

    def _end_forward(self):
        self._versions = tuple(None if tensor is None else tensor._version for tensor in self._saved)

    @property
    def saved_tensors(self):
        """The tensors that were kept; outputs come back with their graph. One that was changed in place since is refused."""
        for tensor, version in zip(self._saved, self._versions, strict=False):
            if tensor is not None and tensor._version != version:
                raise RuntimeError(
                    "one of the variables needed for gradient computation has been modified by an inplace operation: "
                    f"a saved tensor of shape {tuple(tensor.shape)} is at version {tensor._version}; expected version {version} instead"
                )
        return self._restored()

    def mark_dirty(self, *tensors):
        """Refused: what a forward changes in place has no part in the graph here."""
        raise NotImplementedError("autograd.Function: mark_dirty has no counterpart; return a new tensor")


class Function:
    """A function with a backward of the program's own: static methods ``forward`` and ``backward``, called by ``apply``."""

    def __init__(self):
        raise RuntimeError(f"{type(self).__name__} is not to be instantiated: call {type(self).__name__}.apply")

    @staticmethod
    def forward(*args, **keywords):
        """Computes the outputs: of ``ctx`` and the inputs, or of the inputs alone where there is a ``setup_context``."""
        raise NotImplementedError("You must implement the forward function for custom autograd.Function.")

    @staticmethod
    def setup_context(ctx, inputs, output):
        """Keeps what the backward needs."""
        raise NotImplementedError("setup_context is not implemented")

    @staticmethod
    def backward(ctx, *grad_outputs):
        """The gradients of the inputs, of those of the outputs."""
        raise NotImplementedError(
            "You must implement either the backward or vjp method for your custom autograd.Function to use it with backward mode AD."
        )

    vjp = backward

    @classmethod
    def apply(cls, *args):
        """Calls the function and records it."""
        ctx = FunctionCtx(tuple(isinstance(x, _Tensor) and x.requires_grad for x in args))
        with no_grad():
            if cls.setup_context is Function.setup_context:
                result = cls.forward(ctx, *args)
            else:
                result = cls.forward(*args)
                cls.setup_context(ctx, args, result)
            ctx._end_forward()
        outputs = result if isinstance(result, tuple) else (result,)
        tensors = [i for i, x in enumerate(args) if isinstance(x, _Tensor)]
        from .. import torch

        made = record(torch, cls.__name__, ctx, [args[i] for i in tensors], outputs, cls._gradients(ctx, args, tensors))
        return tuple(made) if isinstance(result, tuple) else made[0]

    @classmethod
    def _gradients(cls, ctx, args, tensors):
        """The gradients of the inputs that are tensors, of those of the outputs."""
        backward = cls.backward if cls.backward is not Function.backward else cls.vjp
        shapes, count = [tuple(args[i].shape) for i in tensors], len(args)

        def gradients(of_outputs):
            found = as_list(backward(ctx, *of_outputs))
            while len(found) > count and found[-1] is None:
                found.pop()
            if len(found) != count:
                raise RuntimeError(f"function {cls.__name__}Backward returned an incorrect number of gradients (expected {count}, got {len(found)})")
            given = []
            for i, shape in zip(tensors, shapes, strict=True):
                gradient = found[i]
                if isinstance(gradient, _Tensor) and tuple(gradient.shape) != shape:
                    gradient = _summed(cls, gradient, i, shape)
                given.append(gradient)
            return given

        return gradients


def _summed(cls, gradient, i, shape):
    """A gradient that has the axes of a broadcast, in the shape of its input."""
    try:
        return gradient.sum_to_size(*shape)
    except (RuntimeError, ValueError, TypeError):
        raise RuntimeError(
            f"Function {cls.__name__}Backward returned an invalid gradient at index {i} - got {list(gradient.shape)} but expected shape compatible with {list(shape)}"
        ) from None


def once_differentiable(backward):
    """A decorator of backward functions whose gradients have no gradients."""

    @functools.wraps(backward)
    def wrapper(ctx, *grad_outputs):
        with no_grad():
            return backward(ctx, *grad_outputs)

    return wrapper


class RemovableHandle:
    """A registered hook: ``remove()``, or the end of a ``with`` block, removes it."""

    def __init__(self, hook):
        self._hook = hook

    def remove(self):
        """Removes the hook."""
        self._hook.remove()

    def __enter__(self):
        return self

    def __exit__(self, *error):
        self.remove()


def register_hook(self, hook):
    """Registers a function of the gradient, called whenever it is computed; what it returns, unless ``None``, replaces it."""
    if not callable(hook):
        raise TypeError(f"register_hook(): hook must be callable, not {type(hook).__name__}")
    return RemovableHandle(_ivyrs.graph_register_hook(self, hook))


def install():
    """Puts ``register_hook`` and ``grad_fn`` into the class of tensors."""
    _Tensor.register_hook = register_hook
    _Tensor.grad_fn = property(_ivyrs.graph_node, doc="The node of the graph that made the tensor; ``None`` for a leaf.")
