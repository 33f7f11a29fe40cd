"""The functions of torch.nn.utils.rnn.

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

def pad_sequence(
    sequences: Iterable[Tensor], batch_first: builtins.bool = False, padding_value: builtins.float = 0.0, padding_side: builtins.str = "right"
) -> Tensor: ...
def unpad_sequence(padded_sequences: Tensor, lengths: Tensor | Sequence[builtins.int], batch_first: builtins.bool = False) -> builtins.list[Tensor]: ...

