"""``no_grad`` and its like, and the attributes ``grad`` and ``requires_grad``, which are set as well as read."""

from ... import _ivyrs
from .._grad_modes import GradMode

_Tensor = _ivyrs.TorchTensor


def _scope(enabled, function):
    mode = GradMode(enabled)
    return mode if function is None else mode(function)


def no_grad(function=None):
    """A scope, or a decorator, in which nothing is noted."""
    return _scope(False, function)


def enable_grad(function=None):
    """A scope, or a decorator, in which ops are noted, inside ``no_grad`` too."""
    return _scope(True, function)


def inference_mode(mode=True):
    """A scope, or a decorator, in which nothing is noted."""
    return GradMode(not mode)


class set_grad_enabled(GradMode):
    """Sets whether ops are noted: from here on, or to the end of a ``with`` block."""

    def __init__(self, mode):
        super().__init__(mode)
        self._set = [_ivyrs.set_grad_enabled(mode)]

    def __enter__(self):
        # The block begins where the mode was set, the first time.
        self._before.append(self._set.pop() if self._set else _ivyrs.set_grad_enabled(self._enabled))


class _Gradient(_Tensor):
    """The gradient of a leaf: what is written to it is the leaf's from then on."""

    def __new__(cls, gradient, leaf):
        self = _Tensor.__new__(cls, gradient)
        self._leaf = leaf
        return self


_Gradient.__name__ = _Gradient.__qualname__ = "Tensor"
_Gradient.__module__ = _Tensor.__module__


def _written_back(name):
    method = getattr(_Tensor, name)

    def write(self, *args, **keywords):
        result = method(self, *args, **keywords)
        _ivyrs.torch_set_grad(self._leaf, _Tensor._of(self.ivy_array))
        # Operators that write give nothing or the tensor itself.
        return self if name.startswith("__i") else result

    write.__name__ = name
    return write


def _set_requires_grad(self, requires_grad):
    self.requires_grad_(requires_grad)


def _requires_grad_(method):
    def requires_grad_(self, requires_grad=True):
        """Makes the tensor a leaf that requires a gradient, or none; a view has elements of its own from then on."""
        if requires_grad and not _Tensor.requires_grad.fget(self):
            _ivyrs.torch_own(self)
        return method(self, requires_grad)

    return requires_grad_


def install(functions):
    """Puts the attributes into the class of tensors, whose methods are there: (path, kind, function) of each."""
    own, requires = _Tensor.grad.fget, _Tensor.requires_grad.fget

    def grad(self):
        """The gradient that ``backward`` has gathered, or ``None``; set it to ``None`` to clear it."""
        gradient = own(self)
        return None if gradient is None else _Gradient(gradient, self)

    _Tensor.requires_grad_ = _requires_grad_(_Tensor.requires_grad_)
    _Tensor.grad = property(grad, _ivyrs.torch_set_grad)
    _Tensor.requires_grad = property(requires, _set_requires_grad)
    for path, kind, _ in functions:
        owner, _, name = path.rpartition(".")
        if owner == "Tensor" and kind == "inplace" and hasattr(_Tensor, name):
            setattr(_Gradient, name, _written_back(name))


NAMES = (no_grad, enable_grad, inference_mode, set_grad_enabled)
