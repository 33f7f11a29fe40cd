"""The functions of numpy.lib.stride_tricks.

Written by bindings/python/make_stubs.py; a test compares.
"""

import builtins
import ivyrs
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import IO, Any, ClassVar, Literal, NamedTuple, Protocol, TypeAlias, TypeVar, overload

from ivyrs import IvyError
from ivyrs.frontends import dtype as Dtype
from ivyrs.frontends.numpy import ndarray, _Array, _AxisLike, _DtypeLike, _Like, _ShapeLike

def as_strided(x: _Like, shape: _ShapeLike | None = None, strides: _ShapeLike | None = None, subok: builtins.bool = False, writeable: builtins.bool = True) -> _Array: ...
def broadcast_arrays(*args: Any, subok: builtins.bool = False) -> builtins.tuple[_Array, ...]: ...
def broadcast_shapes(*args: Any) -> builtins.tuple[builtins.int, ...]: ...
def broadcast_to(array: _Like, shape: _ShapeLike, subok: builtins.bool = False) -> _Array: ...
def sliding_window_view(x: _Like, window_shape: _ShapeLike, axis: _AxisLike | None = None, *, subok: builtins.bool = False, writeable: builtins.bool = False) -> _Array: ...
