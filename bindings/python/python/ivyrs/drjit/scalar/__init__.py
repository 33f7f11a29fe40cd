"""Single values."""

from .._classes import fill as _fill
from .._random import fill as _fill_generators

_fill("scalar", globals())
_fill_generators("scalar", globals())
