"""The functions of torch.utils.checkpoint.

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

def checkpoint(
    function: Callable[..., Any],
    *args: Any,
    use_reentrant: builtins.bool | None = None,
    preserve_rng_state: builtins.bool = True,
    determinism_check: builtins.str = "default",
    debug: builtins.bool = False,
    context_fn: Callable[[], Any] | None = None,
    early_stop: builtins.bool = True,
    **kwargs: Any,
) -> Any: ...
def checkpoint_sequential(
    functions: nn.Module | Sequence[nn.Module], segments: builtins.int, input: Tensor, use_reentrant: builtins.bool | None = None, **kwargs: Any
) -> Any: ...

