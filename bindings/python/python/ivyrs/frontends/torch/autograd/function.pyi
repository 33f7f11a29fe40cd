"""The functions of torch.autograd.function.

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

class FunctionCtx:
    needs_input_grad: builtins.tuple[builtins.bool, ...]
    def save_for_backward(self, *tensors: Tensor | None) -> None: ...
    @builtins.property
    def saved_tensors(self) -> builtins.tuple[Tensor, ...]: ...
    def mark_non_differentiable(self, *tensors: Tensor) -> None: ...
    def set_materialize_grads(self, value: builtins.bool) -> None: ...
    def __getattr__(self, name: builtins.str) -> Any: ...
    def __setattr__(self, name: builtins.str, value: Any) -> None: ...

class Function:
    # Any signature: those of the program's own functions.
    forward: ClassVar[Callable[..., Any]]
    setup_context: ClassVar[Callable[..., Any]]
    backward: ClassVar[Callable[..., Any]]
    vjp: ClassVar[Callable[..., Any]]
    @builtins.classmethod
    def apply(cls, *args: Any) -> Any: ...

def once_differentiable(backward: Callable[..., Any]) -> Callable[..., Any]: ...

