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
from ivyrs.frontends.torch import default_generator as default_generator
from ivyrs.frontends.torch import get_rng_state as get_rng_state
from ivyrs.frontends.torch import initial_seed as initial_seed
from ivyrs.frontends.torch import manual_seed as manual_seed
from ivyrs.frontends.torch import seed as seed
from ivyrs.frontends.torch import set_rng_state as set_rng_state

def fork_rng(
    devices: Any = None,
    enabled: builtins.bool = True,
    _caller: builtins.str = "fork_rng",
    _devices_kw: builtins.str = "devices",
    device_type: builtins.str = "cpu",
) -> contextlib.AbstractContextManager[None]: ...

