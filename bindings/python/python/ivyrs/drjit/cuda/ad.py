"""Differentiable arrays, on a GPU."""

from .._classes import fill as _fill
from .._random import fill as _fill_generators

_fill("cuda.ad", globals())
_fill_generators("cuda.ad", globals())
