"""The functions of torch.random.

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

import contextlib

from ivyrs.frontends.torch import Generator as Generator

default_generator: Generator

def manual_seed(seed: builtins.int) -> Generator: ...
def seed() -> builtins.int: ...
def initial_seed() -> builtins.int: ...
def get_rng_state() -> Tensor: ...
def set_rng_state(new_state: Tensor) -> None: ...
def fork_rng(
    devices: Any = None,
    enabled: builtins.bool = True,
    _caller: builtins.str = "fork_rng",
    _devices_kw: builtins.str = "devices",
    device_type: builtins.str = "cpu",
) -> contextlib.AbstractContextManager[None]: ...

