"""The functions of torch.nn.utils.

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
from . import rnn as rnn

from ivyrs.frontends.torch.nn import Module as _Module

_M = TypeVar("_M", bound=_Module)

def get_total_norm(
    tensors: Tensor | Iterable[Tensor], norm_type: builtins.float = 2.0, error_if_nonfinite: builtins.bool = False, foreach: builtins.bool | None = None
) -> Tensor: ...
def clip_grads_with_norm_(
    parameters: Tensor | Iterable[Tensor], max_norm: builtins.float, total_norm: Tensor, foreach: builtins.bool | None = None
) -> None: ...
def clip_grad_norm_(
    parameters: Tensor | Iterable[Tensor],
    max_norm: builtins.float,
    norm_type: builtins.float = 2.0,
    error_if_nonfinite: builtins.bool = False,
    foreach: builtins.bool | None = None,
) -> Tensor: ...
def clip_grad_value_(parameters: Tensor | Iterable[Tensor], clip_value: builtins.float, foreach: builtins.bool | None = None) -> None: ...
def parameters_to_vector(parameters: Iterable[Tensor]) -> Tensor: ...
def vector_to_parameters(vec: Tensor, parameters: Iterable[Tensor]) -> None: ...
def weight_norm(module: _M, name: builtins.str = "weight", dim: builtins.int | None = 0) -> _M: ...
def remove_weight_norm(module: _M, name: builtins.str = "weight") -> _M: ...
def spectral_norm(
    module: _M, name: builtins.str = "weight", n_power_iterations: builtins.int = 1, eps: builtins.float = 1e-12, dim: builtins.int | None = None
) -> _M: ...
def remove_spectral_norm(module: _M, name: builtins.str = "weight") -> _M: ...

