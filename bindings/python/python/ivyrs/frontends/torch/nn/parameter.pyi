"""The functions of torch.nn.parameter.

Written by bindings/python/make_stubs.py; a test compares.
"""

import builtins
import ivyrs
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, ClassVar, Literal, NamedTuple, Protocol, TypeAlias, TypeVar, overload

from ivyrs import IvyError
from ivyrs.frontends import dtype as Dtype
from ivyrs.frontends.torch import Tensor, _Array, _AxisLike, _DtypeLike, _Like, _ShapeLike

class Parameter(Tensor):
    @builtins.staticmethod
    def __new__(cls, data: Any = None, requires_grad: builtins.bool = True) -> Any: ...
