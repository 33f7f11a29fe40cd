"""The functions of torch.nn.parameter.

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

class Parameter(Tensor):
    @builtins.staticmethod
    def __new__(cls, data: Any = None, requires_grad: builtins.bool = True) -> Any: ...
class UninitializedBuffer(Tensor):
    @builtins.staticmethod
    def __new__(cls, requires_grad: builtins.bool = False, device: builtins.str | None = None, dtype: _DtypeLike | None = None) -> Any: ...
class UninitializedParameter(Parameter):
    @builtins.staticmethod
    def __new__(cls, requires_grad: builtins.bool = True, device: builtins.str | None = None, dtype: _DtypeLike | None = None) -> Any: ...
    def materialize(self, shape: _ShapeLike, device: builtins.str | None = None, dtype: _DtypeLike | None = None) -> None: ...
def is_lazy(tensor: _Like) -> builtins.bool: ...
