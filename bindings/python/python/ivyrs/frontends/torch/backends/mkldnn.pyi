"""The functions of torch.backends.mkldnn.

Written by bindings/python/make_stubs.py; a test compares.
"""

import builtins
import ivyrs
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import IO, Any, ClassVar, Literal, NamedTuple, Protocol, TypeAlias, TypeVar, overload

from ivyrs import IvyError
from ivyrs.frontends import dtype as Dtype
from ivyrs.frontends.torch import Tensor, _Array, _AxisLike, _DtypeLike, _Like, _ShapeLike

def is_available() -> builtins.bool: ...
