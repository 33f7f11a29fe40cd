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
