"""NumPy's functions over ivyrs: names, arguments, dtype rules and errors of NumPy."""

import sys

from .. import _ivyrs, frontends
from . import _errors, _limits, _namespace, _views
from ._numpy import callables, files, float_errors, grids, kinds, methods, poly1d, print_options, protocols, random_state

_ARRAY = ndarray = _ivyrs.ndarray
_THIS = sys.modules[__name__]

_namespace.fill(_THIS, "numpy", ndarray, submodules=("linalg", "fft", "random", "exceptions", "lib.stride_tricks"))
_namespace.aliases(
    _THIS,
    "numpy",
    ("double", "single", "half", "int_", "intp", "intc", "short", "byte", "uint", "uintp", "uintc", "ushort", "ubyte")
    + ("longlong", "ulonglong", "long", "ulong", "bool_", "cdouble", "csingle"),
)

_views.equip_numpy(_THIS, ndarray)
protocols.equip(_THIS, ndarray)
vars(_THIS).update({**print_options.FUNCTIONS, **float_errors.FUNCTIONS, **grids.functions(_THIS), **callables.functions(_THIS)})
methods.equip(_THIS, ndarray)


class _OfDtypes(type):
    def __instancecheck__(cls, value):
        return isinstance(value, frontends.dtype)


class dtype(metaclass=_OfDtypes):
    """The type of an array's elements: made of a name, of one of Python's types, or of an array."""

    def __new__(cls, dtype, align=False, copy=False):
        return array(0, dtype=dtype).dtype if not isinstance(dtype, frontends.dtype) else dtype


vars(_THIS).update(kinds.functions(dtype))
vars(_THIS).update(files.functions(_THIS))
poly1d = poly1d.make(_THIS)
finfo, iinfo = _limits.make(
    "numpy",
    number=lambda name, value: vars(_THIS)[name](value),
    floats=(("resolution", "min", "max", "dtype"), _limits.numpy_text),
    integers=(("min", "max", "dtype"), _limits.numpy_text),
)
euler_gamma = 0.5772156649015329
True_, False_ = vars(_THIS)["bool"](True), vars(_THIS)["bool"](False)
ufunc = frontends.Function

_GENERATOR = _ivyrs.FrontendGenerator
for _name, _function in vars(random.Generator).items():
    if not _name.startswith("_"):
        setattr(_GENERATOR, _name, _function)
random.Generator = _GENERATOR
random.RandomState = random_state.make(random.default_rng)


def _shuffle_by(self, x, axis=0):
    """Puts the parts of an array or of a list along an axis into a random order, in place."""
    x[:] = self.permutation(x, axis)


def _shuffle(x):
    """Puts the parts of an array or of a list into a random order, in place."""
    x[:] = random.permutation(x)


_GENERATOR.shuffle = _shuffle_by
random.shuffle = _shuffle

linalg.LinAlgError = _errors.CLASSES["numpy"]["LinAlgError"]
exceptions.AxisError = _errors.CLASSES["numpy"]["AxisError"]
