"""The functions of torch.autograd.graph.

Written by bindings/python/make_stubs.py; a test compares.
"""

import builtins
import ivyrs
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, ClassVar, Literal, NamedTuple, Protocol, TypeAlias, TypeVar, overload

from ivyrs import IvyError
from ivyrs.frontends import dtype as Dtype
from ivyrs.frontends.torch import Tensor, _Array, _AxisLike, _DtypeLike, _Like, _ShapeLike

class Node:
    def name(self) -> builtins.str: ...
    @builtins.property
    def next_functions(self) -> builtins.list[builtins.tuple[Node | None, builtins.int]]: ...

