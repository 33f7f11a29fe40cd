"""The functions of torch.func.

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

from ivyrs.frontends.torch import nn as nn

# Any: trees of tensors, as the functions that are transformed take and give them.
_Argnums: TypeAlias = builtins.int | builtins.tuple[builtins.int, ...]

def grad(func: Callable[..., Any], argnums: _Argnums = 0, has_aux: builtins.bool = False) -> Callable[..., Any]: ...
def grad_and_value(func: Callable[..., Any], argnums: _Argnums = 0, has_aux: builtins.bool = False) -> Callable[..., builtins.tuple[Any, Any]]: ...
def vjp(func: Callable[..., Any], *primals: Any, has_aux: builtins.bool = False) -> builtins.tuple[Any, ...]: ...
def jvp(
    func: Callable[..., Any], primals: builtins.tuple[Any, ...], tangents: builtins.tuple[Any, ...], *, strict: builtins.bool = False, has_aux: builtins.bool = False
) -> builtins.tuple[Any, ...]: ...
def linearize(func: Callable[..., Any], *primals: Any) -> builtins.tuple[Any, Callable[..., Any]]: ...
def jacrev(
    func: Callable[..., Any],
    argnums: _Argnums = 0,
    *,
    has_aux: builtins.bool = False,
    chunk_size: builtins.int | None = None,
    _preallocate_and_copy: builtins.bool = False,
) -> Callable[..., Any]: ...
def jacfwd(func: Callable[..., Any], argnums: _Argnums = 0, has_aux: builtins.bool = False, *, randomness: builtins.str = "error") -> Callable[..., Any]: ...
def hessian(func: Callable[..., Any], argnums: _Argnums = 0) -> Callable[..., Any]: ...
def functionalize(func: Callable[..., Any], *, remove: builtins.str = "mutations") -> Callable[..., Any]: ...
def vmap(
    func: Callable[..., Any], in_dims: Any = 0, out_dims: Any = 0, randomness: builtins.str = "error", *, chunk_size: builtins.int | None = None
) -> Callable[..., Any]: ...
def functional_call(
    module: nn.Module,
    parameter_and_buffer_dicts: builtins.dict[builtins.str, Tensor] | Sequence[builtins.dict[builtins.str, Tensor]],
    args: Any = None,
    kwargs: builtins.dict[builtins.str, Any] | None = None,
    *,
    tie_weights: builtins.bool = True,
    strict: builtins.bool = False,
) -> Any: ...
def stack_module_state(models: Iterable[nn.Module]) -> builtins.tuple[builtins.dict[builtins.str, Tensor], builtins.dict[builtins.str, Tensor]]: ...

