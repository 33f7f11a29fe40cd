"""``no_grad`` and its like, and the attributes ``grad`` and ``requires_grad``, which are set as well as read."""

import weakref

from ... import _ivyrs
from .._grad_modes import GradMode, enable_grad, no_grad, set_grad_enabled

_Tensor = _ivyrs.TorchTensor


def inference_mode(mode=True):
    """A scope, or a decorator, in which nothing is noted."""
    return GradMode(not mode)


# The tensors that programs hold of leaves' gradients, by the numbers of the leaves.
_GRADIENTS = weakref.WeakValueDictionary()


def _grad(method):
    def grad(self):
        """The gradient that ``backward`` has gathered, or ``None``; set it to ``None`` to clear it. What is written to it is the tensor's."""
        gradient, leaf = method(self), _ivyrs.torch_grad_version(self)
        if gradient is None or leaf is None:
            return gradient
        held = _GRADIENTS.setdefault(leaf[0], gradient)
        # Of a pair that is as it was when it was asked last, nothing changes.
        _ivyrs.torch_follow_gradient(held, self, gradient)
        return held

    return grad


def _set_grad(self, gradient):
    leaf = _ivyrs.torch_grad_version(self)
    if leaf is not None:
        _GRADIENTS.pop(leaf[0], None)
    _ivyrs.graph_set_grad(self, gradient)


def _set_requires_grad(self, requires_grad):
    self.requires_grad_(requires_grad)


def _requires_grad_(method):
    def requires_grad_(self, requires_grad=True):
        """Makes the tensor a leaf that requires a gradient, or none; a view has elements of its own from then on."""
        if requires_grad and not _Tensor.requires_grad.fget(self):
            _ivyrs.torch_own(self)
        return method(self, requires_grad)

    return requires_grad_


def install():
    """Puts the attributes into the class of tensors, whose methods are there."""
    own, requires = _Tensor.grad.fget, _Tensor.requires_grad.fget
    _Tensor.requires_grad_ = _requires_grad_(_Tensor.requires_grad_)
    _Tensor.grad = property(_grad(own), _set_grad)
    _Tensor.requires_grad = property(requires, _set_requires_grad)


NAMES = (no_grad, enable_grad, inference_mode, set_grad_enabled)
