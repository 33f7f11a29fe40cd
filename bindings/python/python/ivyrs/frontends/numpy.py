"""NumPy's functions over ivyrs: names, arguments, dtype rules and errors of NumPy."""

import sys

from .. import _ivyrs
from . import _errors, _float_errors, _namespace, _print_options, _protocols, _views

_ARRAY = ndarray = _ivyrs.ndarray
_THIS = sys.modules[__name__]

_namespace.fill(_THIS, "numpy", ndarray, submodules=("linalg", "fft", "random", "exceptions"))
_namespace.aliases(
    _THIS,
    "numpy",
    ("double", "single", "half", "int_", "intp", "intc", "short", "byte", "uint", "uintp", "uintc", "ushort", "ubyte")
    + ("longlong", "ulonglong", "long", "ulong", "bool_", "cdouble", "csingle"),
)

_views.equip_numpy(_THIS, ndarray)
_protocols.equip(_THIS, ndarray)
vars(_THIS).update({**_print_options.FUNCTIONS, **_float_errors.FUNCTIONS})


def dtype(name, /):
    """The dtype of a name, of one of Python's types, or of an array."""
    return array(0, dtype=name).dtype if not hasattr(name, "itemsize") else name


_GENERATOR = _ivyrs.FrontendGenerator
for _name, _function in vars(random.Generator).items():
    if not _name.startswith("_"):
        setattr(_GENERATOR, _name, _function)
random.Generator = _GENERATOR


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
