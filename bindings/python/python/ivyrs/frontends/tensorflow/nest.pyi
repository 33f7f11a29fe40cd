"""The functions of tensorflow.nest.

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

def assert_same_structure(nest1: Any, nest2: Any, check_types: builtins.bool = True, expand_composites: builtins.bool = False) -> None: ...
def flatten(structure: Any, expand_composites: builtins.bool = False) -> builtins.list[Any]: ...
def is_nested(structure: Any) -> builtins.bool: ...
def map_structure(func: Callable[..., Any], *structures: Any, check_types: builtins.bool = True, expand_composites: builtins.bool = False) -> Any: ...
def pack_sequence_as(structure: Any, flat_sequence: Sequence[Any], expand_composites: builtins.bool = False) -> Any: ...
