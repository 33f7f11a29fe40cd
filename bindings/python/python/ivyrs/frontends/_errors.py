"""The frameworks' exceptions: each is an ``IvyError`` and a class of Python's own, by the framework's name."""

import builtins

from . import NAMES
from .._errors import IvyError

# Those that Python itself has not.
_BASES = {
    "AxisError": (ValueError, IndexError),
    "UFuncTypeError": (TypeError,),
    "LinAlgError": (ValueError, RuntimeError),
    "InvalidArgumentError": (ValueError,),
}

CLASSES = {name: {} for name in NAMES}
_made = {}


def _class(frontend, name):
    key = frontend, name
    if key not in _made:
        bases = _BASES.get(name) or (getattr(builtins, name, RuntimeError),)
        _made[key] = type(name, (IvyError, *bases), {"__module__": f"ivyrs.frontends.{frontend}"})
    return _made[key]


for _frontend, _names in {
    "numpy": ("AxisError", "UFuncTypeError", "LinAlgError"),
    "torch": ("LinAlgError",),
    "tensorflow": ("InvalidArgumentError",),
}.items():
    CLASSES[_frontend].update((name, _class(_frontend, name)) for name in _names)


def make(frontend, name, kind, message, fields):
    """The exception of an error: the framework's class, with ivy's kind and fields."""
    return _class(frontend, name)(message, kind, fields)
