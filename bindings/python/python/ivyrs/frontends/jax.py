"""JAX's functions over ivyrs: names, arguments, dtype rules and errors of JAX. ``jax.numpy`` is a module below.

Keys of ``jax.random`` are pairs of 32-bit words whose numbers are Philox's: those of a seed differ from JAX's own.
"""

import sys

from .. import _ivyrs
from . import _limits, _namespace
from . import _trees as trees
from ._jax import control_flow, initializers, transformations, updates

_ARRAY = Array = _ivyrs.JaxArray
_THIS = sys.modules[__name__]

_namespace.fill(
    _THIS, "jax", Array, submodules=("numpy.linalg", "numpy.fft", "lax", "nn.initializers", "random"), dtypes_in=("numpy",)
)
_namespace.aliases(numpy, "jax", ("float_", "int_", "uint", "bool_", "complex_", "double", "single"))

numpy.ndarray = Array
numpy.finfo, numpy.iinfo = _limits.make(
    "jax",
    number=lambda name, value: vars(numpy)[name](value),
    floats=(("resolution", "min", "max", "dtype"), _limits.numpy_text),
    integers=(("min", "max", "dtype"), _limits.numpy_text),
)

_AT = {path.rsplit(".", 1)[1]: function for path, _, function in _ivyrs.frontend_functions("jax") if path.startswith("Array.at.")}
Array.at = property(lambda self: updates.At(_AT, self))

vars(_THIS).update(transformations.ALL)
vars(lax).update(control_flow.ALL)
lax.stop_gradient = transformations.stop_gradient
vars(nn.initializers).update(initializers.ALL)
tree = trees.module("ivyrs.frontends.jax.tree", trees.TREE)
tree_util = trees.module("ivyrs.frontends.jax.tree_util", trees.TREE_UTIL)
sys.modules[tree.__name__], sys.modules[tree_util.__name__] = tree, tree_util
