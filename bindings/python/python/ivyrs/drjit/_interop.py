"""Arrays of NumPy, PyTorch, JAX, and functions of theirs in Dr.Jit's graph of derivatives."""

import functools
import importlib

from . import _native
from ._array import ArrayBase
from ._autodiff import CustomOp, custom, grad_enabled
from ._classes import class_of, type_of
from ._traits import is_array_v, is_float_v, tensor_t
from ._trees import leaves, map_tree

__all__ = ["wrap"]


def to_core(x: ArrayBase):
    """One array of ivyrs: that of a flat array or tensor, without a copy; the joined elements of others."""
    ty = type_of(x)
    if ty.kind in ("flat", "tensor"):
        return x._core()
    shape = list(x.shape)
    return _native.reshaped(_native.ravel(x, "C"), shape)._core()


def to_numpy(x: ArrayBase):
    """The elements as an array of NumPy. It is a copy: that of Dr.Jit may change."""
    import numpy

    ty = type_of(x)
    made = numpy.asarray(to_core(x))
    if ty.kind == "complex" and made.dtype in (numpy.float32, numpy.float64):
        return made[0] + 1j * made[1]
    return numpy.array(made)


def to_torch(x: ArrayBase):
    """The elements as a tensor of PyTorch."""
    import torch

    return torch.from_dlpack(to_core(x))


def to_jax(x: ArrayBase):
    """The elements as an array of JAX."""
    import jax

    return jax.dlpack.from_dlpack(to_core(x))


def restored(package: str, name: str, elements, shape):
    """An array of a type by its name, with elements and lengths: what a pickle holds."""
    module = importlib.import_module(f"ivyrs.drjit.{package}")
    class_ = getattr(module, name)
    if type_of(class_).kind == "tensor":
        return class_(elements, shape=shape)
    if type_of(class_).kind == "flat":
        return class_(elements)
    return class_(*[restored_part(class_, part) for part in elements])


def restored_part(class_, part):
    """An entry of a nested array: a list of elements, or of entries."""
    entry = type_of(class_).entry
    entry_class = class_of(entry)
    if entry.kind == "flat":
        return entry_class(part) if entry.is_jit else part
    return entry_class(*[restored_part(entry_class, own) for own in part])


def pickled(x: ArrayBase):
    """What a pickle of an array holds."""
    ty = type_of(x)

    def elements(own):
        if not isinstance(own, ArrayBase):
            return own
        return own._numbers() if type_of(own).kind == "flat" else [elements(part) for part in own]

    if ty.kind == "tensor":
        return restored, (ty.package, ty.short_name, x._numbers(), x.shape)
    return restored, (ty.package, ty.short_name, elements(x), None)


class _Library:
    """How a library takes arrays in, gives them back, and differentiates."""

    def __init__(self, name: str):
        self.name = name

    def taken(self, x):
        """An array of the library."""
        return to_torch(x) if self.name == "torch" else to_jax(x)

    def given(self, like, x):
        """An array of the library as one of Dr.Jit's."""
        if self.name == "torch":
            x = x.detach().cpu().contiguous()
        return tensor_t(like)(x)


def _is_foreign(value, name: str) -> bool:
    module = type(value).__module__.split(".")[0]
    return module == name or (name == "jax" and module == "jaxlib")


def _foreign_map(function, value, name: str):
    """A value whose arrays of a library are what a function makes of them."""
    if _is_foreign(value, name):
        return function(value)
    if isinstance(value, dict):
        return {key: _foreign_map(function, part, name) for key, part in value.items()}
    if isinstance(value, (list, tuple)):
        return type(value)([_foreign_map(function, part, name) for part in value])
    return value


def _foreign_leaves(value, name: str) -> list:
    found: list = []
    _foreign_map(lambda x: found.append(x) or x, value, name)
    return found


def wrap(source: str, target: str):
    """A decorator: a function of another library's tensors is one of Dr.Jit's, and the other way around, with its derivatives.

    ``source`` is the library of the caller, ``target`` that of the function: ``"drjit"``, ``"torch"``, ``"jax"``.
    """
    names = [str(getattr(own, "__name__", own)) for own in (source, target)]
    for name in names:
        if name not in ("drjit", "torch", "jax"):
            raise TypeError(f"wrap(): {name!r}: 'drjit', 'torch' or 'jax' is needed")
    if names[0] == names[1]:
        return lambda f: f
    if names[0] == "drjit":
        return functools.partial(_outwards, names[1])
    if names[1] == "drjit":
        return functools.partial(_inwards, names[0])
    raise TypeError("wrap(): one of the two libraries has to be 'drjit'")


def _outwards(name: str, f):
    """A function of another library as one of Dr.Jit's."""
    library = _Library(name)

    class Wrapped(CustomOp):
        def eval(self, *args, **kwargs):
            self._like = leaves((args, kwargs))[0]
            self._args, self._kwargs = map_tree(library.taken, (args, kwargs))
            with _torch_grad(name, False):
                made = f(*self._args, **self._kwargs)
            return _foreign_map(lambda x: library.given(self._like, x), made, name)

        def _inputs_given(self):
            return [value for value in self._inputs.values()]

        def backward(self):
            cotangents = [library.taken(x) for x in leaves(self.grad_out())]
            names = list(self._inputs)
            gradients = _pullback(name, f, self._args, self._kwargs, cotangents)
            given = iter(gradients)
            for own in names:
                value = self._inputs[own]
                self.set_grad_in(own, map_tree(lambda x: type(x)(library.given(x, g)) if (g := next(given)) is not None else _native.zeros_like(x), value))

        def forward(self):
            tangents = [library.taken(x) for x in leaves(self._grads_in)]
            made = _pushforward(name, f, self._args, self._kwargs, tangents)
            self.set_grad_out(_foreign_map(lambda x: library.given(self._like, x), made, name))

    @functools.wraps(f)
    def called(*args, **kwargs):
        if not leaves((args, kwargs)):
            return f(*args, **kwargs)
        return custom(Wrapped, *args, **kwargs)

    return called


def _torch_grad(name: str, enabled: bool):
    import contextlib

    if name != "torch":
        return contextlib.nullcontext()
    import torch

    return torch.set_grad_enabled(enabled)


def _pullback(name: str, f, args, kwargs, cotangents) -> list:
    if name == "torch":
        import torch

        with torch.enable_grad():
            given = _foreign_map(lambda x: x.detach().requires_grad_(x.is_floating_point()), (args, kwargs), name)
            inputs = _foreign_leaves(given, name)
            made = _foreign_leaves(f(*given[0], **given[1]), name)
            wanted = [x for x in inputs if x.requires_grad]
            pairs = [(y, c.reshape(y.shape)) for y, c in zip(made, cotangents, strict=True) if y.requires_grad]
            found = iter(torch.autograd.grad([y for y, _ in pairs], wanted, [c for _, c in pairs], allow_unused=True))
            return [next(found) if x.requires_grad else None for x in inputs]
    import jax

    inputs = _foreign_leaves((args, kwargs), name)

    def flat(*given):
        own = iter(given)
        new_args, new_kwargs = _foreign_map(lambda _: next(own), (args, kwargs), name)
        return _foreign_leaves(f(*new_args, **new_kwargs), name)

    made, back = jax.vjp(flat, *inputs)
    return list(back([c.reshape(y.shape).astype(y.dtype) for y, c in zip(made, cotangents, strict=True)]))


def _pushforward(name: str, f, args, kwargs, tangents):
    if name == "torch":
        import torch

        own = iter(tangents)
        flat = [x for x in _foreign_leaves((args, kwargs), name)]
        tangents = [next(own).reshape(x.shape) for x in flat]

        def called(*given):
            new = iter(given)
            new_args, new_kwargs = _foreign_map(lambda _: next(new), (args, kwargs), name)
            return f(*new_args, **new_kwargs)

        return torch.func.jvp(called, tuple(flat), tuple(tangents))[1]
    import jax

    flat = _foreign_leaves((args, kwargs), name)

    def called(*given):
        new = iter(given)
        new_args, new_kwargs = _foreign_map(lambda _: next(new), (args, kwargs), name)
        return f(*new_args, **new_kwargs)

    return jax.jvp(called, tuple(flat), tuple(t.reshape(x.shape).astype(x.dtype) for t, x in zip(tangents, flat, strict=True)))[1]


def _inwards(name: str, f):
    """A function of Dr.Jit's as one of PyTorch's."""
    if name != "torch":
        raise TypeError("wrap(): functions of Dr.Jit's are called from PyTorch; from JAX they are not")
    import torch

    from ._autodiff import enable_grad, enqueue, grad, set_grad, traverse
    from ._enums import ADMode
    from .auto import ad as package

    def taken(x):
        letters = {torch.float32: "f", torch.float64: "f64", torch.float16: "f16", torch.int32: "i", torch.int64: "i64", torch.bool: "b"}
        return getattr(package, f"TensorX{letters[x.dtype]}")(x.detach().cpu().contiguous())

    class Function(torch.autograd.Function):
        @staticmethod
        def forward(context, form, *given):
            arrays = [taken(x) for x in given]
            for x, own in zip(arrays, given, strict=True):
                if own.is_floating_point() and own.requires_grad:
                    enable_grad(x)
            own = iter(arrays)
            args, kwargs = _foreign_map(lambda _: next(own), form["arguments"], name)
            made = f(*args, **kwargs)
            form["result"] = made
            context.arrays, context.results = arrays, leaves(made)
            return tuple(to_torch(x) for x in context.results)

        @staticmethod
        def backward(context, *cotangents):
            results = [x for x in context.results if grad_enabled(x)]
            pairs = [(x, c) for x, c in zip(context.results, cotangents, strict=True) if grad_enabled(x) and c is not None]
            for x, c in pairs:
                set_grad(x, tensor_t(x)(c.cpu().contiguous()))

            enqueue(ADMode.Backward, results)
            traverse(ADMode.Backward)
            return (None, *(to_torch(grad(x)) if grad_enabled(x) else None for x in context.arrays))

    @functools.wraps(f)
    def called(*args, **kwargs):
        form = {"arguments": (args, kwargs)}
        given = _foreign_leaves((args, kwargs), name)
        made = iter(Function.apply(form, *given))
        return map_tree(lambda _: next(made), form["result"])

    return called
