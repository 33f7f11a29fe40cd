"""The functions of tensorflow.bitwise.

Written by bindings/python/make_stubs.py; a test compares.
"""

import builtins
import ivyrs
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import IO, Any, ClassVar, Literal, NamedTuple, Protocol, TypeAlias, TypeVar, overload

from ivyrs import IvyError
from ivyrs.frontends import dtype as Dtype
from ivyrs.frontends.tensorflow import Tensor, _Array, _AxisLike, _DtypeLike, _Like, _ShapeLike

def bitwise_and(x: _Like, y: _Like, name: builtins.str | None = None) -> _Array: ...
def bitwise_or(x: _Like, y: _Like, name: builtins.str | None = None) -> _Array: ...
def bitwise_xor(x: _Like, y: _Like, name: builtins.str | None = None) -> _Array: ...
def invert(x: _Like, name: builtins.str | None = None) -> _Array: ...
def left_shift(x: _Like, y: _Like, name: builtins.str | None = None) -> _Array: ...
def right_shift(x: _Like, y: _Like, name: builtins.str | None = None) -> _Array: ...
