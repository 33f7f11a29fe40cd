"""Arrays on a GPU."""

from .._classes import fill as _fill
from .._random import fill as _fill_generators
from .._texture import fill as _fill_textures

_fill("cuda", globals())
_fill_generators("cuda", globals())
_fill_textures("cuda", globals())

from . import ad  # noqa: E402, F401
