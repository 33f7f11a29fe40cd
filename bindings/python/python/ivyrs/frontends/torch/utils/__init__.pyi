"""The functions of torch.utils.

Written by bindings/python/make_stubs.py; a test compares.
"""

import builtins
import ivyrs
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, ClassVar, Literal, NamedTuple, Protocol, TypeAlias, TypeVar, overload

from ivyrs import IvyError
from ivyrs.frontends import dtype as Dtype
from ivyrs.frontends.torch import Tensor, _Array, _AxisLike, _DtypeLike, _Like, _ShapeLike
from . import data as data
from . import hooks as hooks

