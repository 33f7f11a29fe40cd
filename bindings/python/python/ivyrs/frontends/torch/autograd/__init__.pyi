"""The functions of torch.autograd.

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
from . import function as function
from . import functional as functional
from . import graph as graph

from ivyrs.frontends.torch import enable_grad as enable_grad
from ivyrs.frontends.torch import inference_mode as inference_mode
from ivyrs.frontends.torch import no_grad as no_grad
from ivyrs.frontends.torch import set_grad_enabled as set_grad_enabled

from ivyrs.frontends.torch.autograd.function import Function as Function

def gradcheck(
    func: Callable[..., Tensor | Sequence[Tensor]],
    inputs: Tensor | Sequence[Tensor],
    *,
    eps: builtins.float = 1e-6,
    atol: builtins.float = 1e-5,
    rtol: builtins.float = 1e-3,
    raise_exception: builtins.bool = True,
    nondet_tol: builtins.float = 0.0,
    check_undefined_grad: builtins.bool = True,
) -> builtins.bool: ...
def gradgradcheck(
    func: Callable[..., Tensor | Sequence[Tensor]],
    inputs: Tensor | Sequence[Tensor],
    grad_outputs: Tensor | Sequence[Tensor] | None = None,
    *,
    eps: builtins.float = 1e-6,
    atol: builtins.float = 1e-5,
    rtol: builtins.float = 1e-3,
    raise_exception: builtins.bool = True,
    nondet_tol: builtins.float = 0.0,
    check_undefined_grad: builtins.bool = True,
) -> builtins.bool: ...

def backward(tensors: _Array | Sequence[_Array], grad_tensors: _Array | Sequence[_Array | None] | None = None, retain_graph: builtins.bool | None = None, create_graph: builtins.bool = False, grad_variables: _Array | Sequence[_Array | None] | None = None, inputs: _Array | Sequence[_Array] | None = None) -> None: ...
def grad(outputs: _Array | Sequence[_Array], inputs: _Array | Sequence[_Array], grad_outputs: _Array | Sequence[_Array | None] | None = None, retain_graph: builtins.bool | None = None, create_graph: builtins.bool = False, allow_unused: builtins.bool | None = None, is_grads_batched: builtins.bool = False, materialize_grads: builtins.bool = False) -> builtins.list[_Array]: ...
