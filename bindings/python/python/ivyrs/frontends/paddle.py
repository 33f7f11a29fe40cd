"""PaddlePaddle's functions over ivyrs: names, arguments, dtype rules and errors of Paddle."""

import sys

from .. import _ivyrs, frontends
from . import _limits, _namespace, _printing
from ._paddle import gradients as _gradients
from ._paddle import layer as _layer

_ARRAY = Tensor = _ivyrs.PaddleTensor
dtype = frontends.dtype
_THIS = sys.modules[__name__]

_namespace.fill(_THIS, "paddle", Tensor, submodules=("nn.functional", "linalg", "fft", "autograd"))

Tensor.numpy = Tensor.__array__
Tensor.__format__ = _printing.formatted

finfo, iinfo = _limits.make(
    "paddle",
    floats=(("min", "max", "eps", "resolution", "smallest_normal", "tiny", "bits", "dtype"), _limits.torch_text),
    integers=(("min", "max", "bits", "dtype"), _limits.torch_text),
    dtype=lambda dtype: dtype.name,
)

_gradients.install()
for _scope in _gradients.NAMES:
    vars(_THIS)[_scope.__name__] = _scope
autograd.PyLayer, autograd.PyLayerContext = _layer.PyLayer, _layer.PyLayerContext
