"""Whether what is computed of tensors that require gradients is noted: scopes and decorators."""

import contextlib

from .. import _ivyrs


class GradMode(contextlib.ContextDecorator):
    """A scope in which ops are noted, or are not; it decorates functions as well."""

    def __init__(self, enabled):
        self._enabled = enabled
        self._before = []

    def __enter__(self):
        self._before.append(_ivyrs.set_grad_enabled(self._enabled))

    def __exit__(self, *error):
        _ivyrs.set_grad_enabled(self._before.pop())

    def __call__(self, function):
        if not callable(function):
            raise TypeError(f"a function is decorated, not {type(function).__name__}")
        return super().__call__(function)


def _scope(enabled, func):
    mode = GradMode(enabled)
    return mode if func is None else mode(func)


def no_grad(func=None):
    """A scope, or a decorator, in which nothing is noted."""
    return _scope(False, func)


def enable_grad(func=None):
    """A scope, or a decorator, in which ops are noted, inside ``no_grad`` too."""
    return _scope(True, func)


class set_grad_enabled(GradMode):
    """Sets whether ops are noted: from here on, or to the end of a ``with`` block."""

    def __init__(self, mode):
        super().__init__(bool(mode))
        self._set = [_ivyrs.set_grad_enabled(self._enabled)]

    def __enter__(self):
        # The block begins where the mode was set, the first time.
        self._before.append(self._set.pop() if self._set else _ivyrs.set_grad_enabled(self._enabled))
