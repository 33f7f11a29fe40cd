"""Single values."""

from .._classes import fill as _fill
from .._random import fill as _fill_generators
from .._texture import fill as _fill_textures

_fill("scalar", globals())
_fill_generators("scalar", globals())
_fill_textures("scalar", globals())
