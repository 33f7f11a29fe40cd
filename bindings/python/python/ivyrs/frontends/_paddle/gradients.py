"""``paddle.no_grad`` and its like, and what tensors have of derivatives beside their rows: attributes that are set, and hooks."""

from ... import _ivyrs
from .._grad_modes import enable_grad, no_grad, set_grad_enabled

_Tensor = _ivyrs.PaddleTensor


class TensorHookRemoveHelper:
    """A registered hook."""

    def __init__(self, hook):
        self._hook = hook

    def remove(self):
        """Removes the hook; whether it was there."""
        found, self._hook = self._hook, None
        if found is not None:
            found.remove()
        return found is not None


def register_hook(self, hook):
    """Registers a function of the gradient, called whenever it is computed; what it returns, unless ``None``, replaces it."""
    if self.stop_gradient:
        raise RuntimeError("register_hook(): the tensor stops gradients, so that there is none to see")
    if not callable(hook):
        raise TypeError(f"register_hook(): hook must be callable, not {type(hook).__name__}")
    return TensorHookRemoveHelper(_ivyrs.graph_register_hook(self, hook))


def gradient(self):
    """The gradient as an array of NumPy, or ``None``."""
    found = self.grad
    return None if found is None else found.numpy()


def _set_grad(self, gradient):
    if gradient is not None and not isinstance(gradient, _Tensor):
        raise TypeError(f"Tensor.grad: a Tensor or None is needed, not {type(gradient).__name__}")
    _ivyrs.graph_set_grad(self, None if gradient is None else gradient.detach())


def _truth(required, name):
    if not isinstance(required, bool):
        raise TypeError(f"Tensor.{name}: True or False is needed, not {type(required).__name__}")
    return required


def _set_stop_gradient(self, stop_gradient):
    _ivyrs.graph_require(self, not _truth(stop_gradient, "stop_gradient"))


def _set_requires_grad(self, requires_grad):
    _ivyrs.graph_require(self, _truth(requires_grad, "requires_grad"))


def install():
    """Puts them into the class of tensors, whose rows are there."""
    _Tensor.grad = property(_Tensor.grad.fget, _set_grad, doc="The gradient that ``backward`` has gathered, or ``None``.")
    _Tensor.stop_gradient = property(_Tensor.stop_gradient.fget, _set_stop_gradient, doc="Whether no derivatives are taken to the tensor.")
    _Tensor.requires_grad = property(_Tensor.requires_grad.fget, _set_requires_grad, doc="Whether derivatives are taken to the tensor.")
    _Tensor.grad_fn = property(_ivyrs.graph_node, doc="The node of the graph that made the tensor; ``None`` for a leaf.")
    for method in (register_hook, gradient):
        method.__qualname__ = f"Tensor.{method.__name__}"
        setattr(_Tensor, method.__name__, method)


NAMES = (no_grad, enable_grad, set_grad_enabled)
