"""The arrays of the machine's best backend: of a GPU that runs, else of the processor. ``dr.set_backend`` chooses another one."""

from .. import _backends as _backends

_backends.fill(globals(), ad=False)

from . import ad  # noqa: E402, F401
