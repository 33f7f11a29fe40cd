"""The linear algebra extension of the standard.

Written by bindings/python/make_stubs.py; a test compares.
"""

from builtins import bool as _bool
from collections.abc import Sequence
from typing import Any, NamedTuple

from . import Array, DtypeLike

def matmul(x1: Array | complex, x2: Array | complex, /) -> Array: ...
def matrix_transpose(x: Array, /) -> Array: ...
def tensordot(x1: Array | complex, x2: Array | complex, /, *, axes: int | tuple[int, ...] | tuple[Sequence[int], Sequence[int]] = 2) -> Array: ...
def vecdot(x1: Array | complex, x2: Array | complex, /, *, axis: int | tuple[int, ...] = -1) -> Array: ...
