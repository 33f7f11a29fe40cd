"""The differentiable arrays of the machine's best backend."""

from .. import _backends as _backends

_backends.fill(globals(), ad=True)
