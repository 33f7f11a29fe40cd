"""PyTorch's functions over ivyrs: names, arguments, dtype rules and errors of PyTorch."""

import sys

from .. import _ivyrs, frontends
from . import _errors, _limits, _namespace, _printing, _shapes, _views
from ._shapes import Size
from ._torch import checkpoint as _checkpoint
from ._torch import device as _device
from ._torch import environment as _environment
from ._torch import function as _function
from ._torch import functional_call as _functional_call
from ._torch import functional_derivatives as _functional_derivatives
from ._torch import gradcheck as _gradcheck
from ._torch import gradients as _gradients
from ._torch import interop as _interop
from ._torch import methods as _methods
from ._torch import random as _random
from ._torch import serialization as _serialization
from ._torch import transformations as _transformations
from ._torch.nn import reparametrized as _reparametrized
from ._torch.nn import rnn_utils as _rnn_utils
from ._torch.nn import utils as _nn_utils
from ._torch.nn.install import install as _install

_ARRAY = Tensor = _ivyrs.TorchTensor
Generator = _ivyrs.TorchGenerator
dtype = frontends.dtype
_THIS = sys.modules[__name__]

_namespace.fill(_THIS, "torch", Tensor, submodules=("nn.functional", "linalg", "fft", "special", "autograd"))
_namespace.aliases(_THIS, "torch", ("float", "double", "half", "long", "int", "short", "cfloat", "cdouble"))

Tensor.numpy = Tensor.__array__
_views.equip_torch(Tensor)
linalg.LinAlgError = _errors.CLASSES["torch"]["LinAlgError"]

finfo, iinfo = _limits.make(
    "torch",
    floats=(("resolution", "min", "max", "eps", "smallest_normal", "tiny", "dtype"), _limits.torch_text),
    integers=(("min", "max", "dtype"), _limits.torch_text),
    dtype=lambda dtype: dtype.name,
    refused=TypeError,
)

_gradients.install()
for _scope in _gradients.NAMES:
    vars(_THIS)[_scope.__name__] = _scope
    setattr(autograd, _scope.__name__, _scope)

_methods.install()
_function.install()
autograd.Function, autograd.gradcheck, autograd.gradgradcheck = _function.Function, _gradcheck.gradcheck, _gradcheck.gradgradcheck
for _name in ("Function", "FunctionCtx", "once_differentiable"):
    setattr(_namespace.submodule(_THIS, "torch", ["autograd", "function"]), _name, getattr(_function, _name))
vars(_namespace.submodule(_THIS, "torch", ["autograd", "graph"])).update(Node=_ivyrs.GraphNode)
vars(_namespace.submodule(_THIS, "torch", ["utils", "hooks"])).update(RemovableHandle=_function.RemovableHandle)
save, load = _serialization.save, _serialization.load
device = _device.device
Tensor.device = property(_device.of, doc="Where the tensor is.")
Tensor.__format__ = _printing.formatted
set_printoptions = _printing.set_printoptions
Tensor.size, _THIS.broadcast_shapes = _shapes.sizes(Tensor.size), _shapes.sizes(_THIS.broadcast_shapes)
from_numpy = _interop.from_numpy
_install(_THIS, _namespace.submodule)
_environment.install(_THIS, _namespace.submodule)

vars(_THIS).update(_random.ALL, vmap=_transformations.vmap)
for _path, _contents in {
    "func": {**_transformations.ALL, **_functional_call.ALL},
    "autograd.functional": _functional_derivatives.ALL,
    "nn.utils": {**_nn_utils.ALL, **_reparametrized.ALL},
    "nn.utils.rnn": _rnn_utils.ALL,
    "utils.checkpoint": _checkpoint.ALL,
    "random": {**_random.ALL, "fork_rng": _random.fork_rng},
}.items():
    vars(_namespace.submodule(_THIS, "torch", _path.split("."))).update(_contents)
    for _value in _contents.values():
        if callable(_value):
            _value.__module__ = f"ivyrs.frontends.torch.{_path}"
