"""The functions of paddle.autograd.

Written by bindings/python/make_stubs.py; a test compares.
"""

import builtins
import ivyrs
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import IO, Any, ClassVar, Literal, NamedTuple, Protocol, TypeAlias, TypeVar, overload

from ivyrs import IvyError
from ivyrs.frontends import dtype as Dtype
from ivyrs.frontends.paddle import Tensor, _Array, _AxisLike, _DtypeLike, _Like, _ShapeLike

class PyLayerContext:
    def save_for_backward(self, *tensors: Tensor) -> None: ...
    def saved_tensor(self) -> builtins.tuple[Tensor, ...]: ...
    def mark_non_differentiable(self, *tensors: Tensor) -> None: ...
    def mark_not_inplace(self, *args: Tensor) -> None: ...
    def set_materialize_grads(self, value: builtins.bool) -> None: ...
    def __getattr__(self, name: builtins.str) -> Any: ...
    def __setattr__(self, name: builtins.str, value: Any) -> None: ...

class PyLayer:
    # Any signature: those of the program's own functions.
    forward: ClassVar[Callable[..., Any]]
    backward: ClassVar[Callable[..., Any]]
    @builtins.classmethod
    def apply(cls, *args: Any, **kwargs: Any) -> Any: ...

def backward(tensors: _Array | Sequence[_Array], grad_tensors: _Array | Sequence[_Array | None] | None = None, retain_graph: builtins.bool = False) -> None: ...
