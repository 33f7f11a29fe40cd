"""PaddlePaddle's functions over ivyrs: names, arguments, dtype rules and errors of Paddle."""

import sys

from .. import _ivyrs
from . import _namespace

_ARRAY = Tensor = _ivyrs.PaddleTensor
_THIS = sys.modules[__name__]

_namespace.fill(_THIS, "paddle", Tensor, submodules=("nn.functional", "linalg", "fft"))

Tensor.numpy = Tensor.__array__
