"""TensorFlow's functions over ivyrs: names, arguments, dtype rules and errors of TensorFlow."""

import sys

from .. import _ivyrs
from . import _errors, _namespace
from ._shapes import TensorShape
from ._tensorflow.tape import GradientTape, UnconnectedGradients
from ._tensorflow.variables import Variable

_ARRAY = Tensor = _ivyrs.TensorFlowTensor
_THIS = sys.modules[__name__]

_namespace.fill(_THIS, "tensorflow", Tensor, submodules=("math", "nn", "linalg", "signal", "errors"))
_namespace.aliases(_THIS, "tensorflow", ("half", "double"))

Tensor.numpy = Tensor.__array__
errors.InvalidArgumentError = _errors.CLASSES["tensorflow"]["InvalidArgumentError"]
