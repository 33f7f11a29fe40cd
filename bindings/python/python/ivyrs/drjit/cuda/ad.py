"""Differentiable arrays, on a GPU."""

from .._classes import fill as _fill
from .._random import fill as _fill_generators
from .._texture import fill as _fill_textures

_fill("cuda.ad", globals())
_fill_generators("cuda.ad", globals())
_fill_textures("cuda.ad", globals())
