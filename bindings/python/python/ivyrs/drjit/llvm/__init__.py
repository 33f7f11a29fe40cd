"""Arrays on the processor."""

from .._classes import fill as _fill
from .._random import fill as _fill_generators
from .._texture import fill as _fill_textures

_fill("llvm", globals())
_fill_generators("llvm", globals())
_fill_textures("llvm", globals())

from . import ad  # noqa: E402, F401
