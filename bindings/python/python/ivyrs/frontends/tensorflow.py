"""TensorFlow's functions over ivyrs: names, arguments, dtype rules and errors of TensorFlow."""

import sys

from .. import _ivyrs
from . import _errors, _namespace
from ._shapes import TensorShape
from ._tensorflow import nest as _nest
from ._tensorflow.control_flow import (
    case, cond, control_dependencies, device, executing_eagerly, foldl, foldr, function, group, init_scope, map_fn, no_op, scan,
    switch_case, vectorized_map, while_loop,
)  # fmt: skip
from ._tensorflow.tape import GradientTape, UnconnectedGradients
from ._tensorflow.variables import Variable

_ARRAY = Tensor = _ivyrs.TensorFlowTensor
_THIS = sys.modules[__name__]

_namespace.fill(_THIS, "tensorflow", Tensor, submodules=("math", "nn", "linalg", "signal", "errors"))
_namespace.aliases(_THIS, "tensorflow", ("half", "double"))

vars(_namespace.submodule(_THIS, "tensorflow", ["nest"])).update(
    assert_same_structure=_nest.assert_same_structure, flatten=_nest.flatten, is_nested=_nest.is_nested,
    map_structure=_nest.map_structure, pack_sequence_as=_nest.pack_sequence_as,
)  # fmt: skip

Tensor.numpy = Tensor.__array__
errors.InvalidArgumentError = _errors.CLASSES["tensorflow"]["InvalidArgumentError"]
