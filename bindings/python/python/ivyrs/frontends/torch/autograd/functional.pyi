"""The functions of torch.autograd.functional.

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

_Inputs: TypeAlias = Tensor | builtins.tuple[Tensor, ...]

# Any: a tensor, or tuples of tensors, as the inputs and outputs are.
def jacobian(
    func: Callable[..., _Inputs],
    inputs: _Inputs,
    create_graph: builtins.bool = False,
    strict: builtins.bool = False,
    vectorize: builtins.bool = False,
    strategy: builtins.str = "reverse-mode",
) -> Any: ...
def hessian(
    func: Callable[..., Tensor],
    inputs: _Inputs,
    create_graph: builtins.bool = False,
    strict: builtins.bool = False,
    vectorize: builtins.bool = False,
    outer_jacobian_strategy: builtins.str = "reverse-mode",
) -> Any: ...
def vjp(
    func: Callable[..., _Inputs], inputs: _Inputs, v: _Inputs | None = None, create_graph: builtins.bool = False, strict: builtins.bool = False
) -> builtins.tuple[Any, Any]: ...
def jvp(
    func: Callable[..., _Inputs], inputs: _Inputs, v: _Inputs | None = None, create_graph: builtins.bool = False, strict: builtins.bool = False
) -> builtins.tuple[Any, Any]: ...
def vhp(
    func: Callable[..., Tensor], inputs: _Inputs, v: _Inputs | None = None, create_graph: builtins.bool = False, strict: builtins.bool = False
) -> builtins.tuple[Tensor, Any]: ...
def hvp(
    func: Callable[..., Tensor], inputs: _Inputs, v: _Inputs | None = None, create_graph: builtins.bool = False, strict: builtins.bool = False
) -> builtins.tuple[Tensor, Any]: ...

