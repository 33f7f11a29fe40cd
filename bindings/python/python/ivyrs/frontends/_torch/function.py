"""``torch.autograd.Function``: functions with a backward of the program's own."""

import functools

from ... import _ivyrs
from .gradients import no_grad

_Tensor = _ivyrs.TorchTensor


class FunctionCtx:
    """What a function's forward keeps for its backward."""

    def __init__(self, needs_input_grad):
        self.needs_input_grad = needs_input_grad
        self._saved, self._outputs, self._non_differentiable = (), (), ()
        self._materialize, self._node = True, None

    def save_for_backward(self, *tensors):
        """Keeps tensors, of the inputs and the outputs or others, for ``saved_tensors``."""
        for tensor in tensors:
            if tensor is not None and not isinstance(tensor, _Tensor):
                raise TypeError(f"save_for_backward can only save tensors, but got {type(tensor).__name__}")
        self._saved = tensors

    @property
    def saved_tensors(self):
        """The tensors that were kept; outputs come back with their graph."""
        return tuple(self._restored(tensor) for tensor in self._saved)

    def _restored(self, tensor):
        if self._node is not None:
            for at, output in enumerate(self._outputs):
                if tensor is output:
                    return self._node._output(at, tensor)
        return tensor

    def mark_non_differentiable(self, *tensors):
        """Declares outputs that have no gradient."""
        self._non_differentiable = tensors

    def mark_dirty(self, *tensors):
        """Refused: what a forward changes in place has no part in the graph here."""
        raise NotImplementedError("autograd.Function: mark_dirty has no counterpart; return a new tensor")

    def set_materialize_grads(self, value):
        """Whether gradients that nobody asked for are tensors of zeros, as by default, or ``None``."""
        self._materialize = bool(value)


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
        outputs = result if isinstance(result, tuple) else (result,)
        places = [i for i, x in enumerate(outputs) if isinstance(x, _Tensor)]
        ctx._outputs = tuple(outputs[i] for i in places)
        records = [not any(x is other for other in ctx._non_differentiable) for x in ctx._outputs]
        tensors = [i for i, x in enumerate(args) if isinstance(x, _Tensor)]
        made = _ivyrs.graph_custom("torch", cls.__name__, [args[i] for i in tensors], list(ctx._outputs), records, cls._pullback(ctx, args, tensors))
        outputs = list(outputs)
        for i, tensor in zip(places, made, strict=True):
            outputs[i] = tensor
        return tuple(outputs) if isinstance(result, tuple) else outputs[0]

    @classmethod
    def _pullback(cls, ctx, args, tensors):
        backward = cls.backward if cls.backward is not Function.backward else cls.vjp
        shapes, count = [tuple(args[i].shape) for i in tensors], len(args)
        outputs = [(tuple(x.shape), x.dtype) for x in ctx._outputs]

        def pullback(node, gradients):
            ctx._node = node
            if ctx._materialize:
                from .. import torch

                gradients = [torch.zeros(shape, dtype=dtype) if g is None else g for g, (shape, dtype) in zip(gradients, outputs, strict=True)]
            found = backward(ctx, *gradients)
            found = list(found) if isinstance(found, (tuple, list)) else [found]
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

        return pullback


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
