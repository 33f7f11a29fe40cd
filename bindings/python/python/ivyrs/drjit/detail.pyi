"""What Dr.Jit tells of its reductions.

Written by bindings/python/make_stubs.py; a test compares.
"""

from typing import TypeVar

from . import ReduceOp

_T = TypeVar("_T")

def can_scatter_reduce(arg: object, op: ReduceOp) -> bool: ...
def reduce_identity(dtype: type[_T], op: ReduceOp, size: int = 1) -> _T: ...
