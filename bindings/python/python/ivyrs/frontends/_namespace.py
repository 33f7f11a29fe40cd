"""Modules made of a frontend's rows."""

import ast
import contextlib
import importlib
import inspect
import math
import sys
import types
from collections import namedtuple

from .. import METHODS, _ivyrs
from . import _errors

ROOT = "ivyrs.frontends"
CONSTANTS = {"e": math.e, "inf": math.inf, "nan": math.nan, "pi": math.pi, "newaxis": None}


class Module(types.ModuleType):
    """A submodule of a framework: ``torch.nn.functional``."""

    def __init__(self, frontend, path):
        super().__init__(f"{ROOT}.{frontend}.{path}", f"The functions of {frontend}.{path}.")
        self.__path__ = []
        self._frontend, self._path = frontend, path

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return missing(self._frontend, f"{self._path}.{name}")


def missing(frontend, path):
    """Raises the error for a name that is not there, with the nearest ones."""
    _ivyrs.frontend_unknown(frontend, path)


class _Absent:
    """A name that the framework's arrays do not have, though those of ivyrs have it."""

    def __init__(self, frontend, path):
        self._frontend, self._path = frontend, path

    def __get__(self, instance, owner=None):
        missing(self._frontend, self._path)


def fill(module, frontend, array, submodules=(), dtypes_in=()):
    """Puts functions, submodules, dtypes and exceptions of a framework into its module; methods into its array class."""
    contents = {}
    own = set(vars(array))
    for path, kind, function in _ivyrs.frontend_functions(frontend):
        *owners, name = path.split(".")
        if owners == [array.__name__]:
            # Operators are the class's own, and so are shapes and dtypes.
            if not name.startswith("__") and name not in own:
                setattr(array, name, property(function) if kind == "property" else function)
            continue
        if owners and owners[0] == array.__name__:
            # Methods of what a property gives, which the framework's module puts together.
            continue
        target = contents if not owners else vars(submodule(module, frontend, owners))
        target[name] = function
    # Methods of ivyrs' own arrays are none of the framework's.
    for name in METHODS.difference(vars(array)):
        setattr(array, name, _Absent(frontend, f"{array.__name__}.{name}"))
    for path in submodules:
        submodule(module, frontend, path.split("."))
    dtypes = {dtype.name: dtype for dtype in _ivyrs.frontend_dtypes(frontend)}
    contents.update(_errors.CLASSES[frontend])
    for owner in ("", *dtypes_in):
        target = contents if not owner else vars(submodule(module, frontend, owner.split(".")))
        for name, value in {**CONSTANTS, **dtypes}.items():
            target.setdefault(name, value)
    contents[array.__name__] = array
    contents["ivy_version"] = contents["set_version"] = version(frontend)
    contents["from_ivy"] = from_ivy(frontend, array)
    for name, value in contents.items():
        vars(module).setdefault(name, value)
    vars(module)["__getattr__"] = lambda name: _other(frontend, name)


def _other(frontend, name):
    if name.startswith("__"):
        raise AttributeError(name)
    return missing(frontend, name)


def submodule(module, frontend, parts):
    """The module below another one, made where it is not there yet, so that it can be imported by its name."""
    for i, part in enumerate(parts):
        below = vars(module).get(part)
        if not isinstance(below, types.ModuleType):
            below = Module(frontend, ".".join(parts[: i + 1]))
            sys.modules[below.__name__] = below
            vars(module)[part] = below
        module = below
    return module


def aliases(module, frontend, dtypes):
    """The framework's own names of dtypes."""
    for name in dtypes:
        found = _ivyrs.frontend_dtype(frontend, name)
        if found is not None:
            vars(module).setdefault(name, found)


def from_ivy(frontend, array):
    """The function that makes an array of the framework of one of ivyrs, without a copy."""

    def from_ivy(x):
        """The array of the framework over an array of ivyrs, without a copy; ``ivy_array`` goes back."""
        if not isinstance(x, _ivyrs.Array):
            raise TypeError(f"{frontend}: from_ivy: x: an array of ivyrs is needed, not {type(x).__name__}")
        return array(getattr(x, "ivy_array", x))

    return from_ivy


def version(frontend):
    """The function that asks for a version, or puts one in force: for good, or for a ``with`` block."""

    class Scope(contextlib.AbstractContextManager):
        def __init__(self, before):
            self.before = before

        def __exit__(self, *error):
            _ivyrs.frontend_version(frontend, self.before)

    def ivy_version(name=None):
        """The version of the framework whose rules are in force; with a name, that one from here on, or in a block."""
        before = _ivyrs.frontend_version(frontend, name)
        return before if name is None else Scope(before)

    return ivy_version


class Word:
    """A default that is no literal, as the framework's documentation writes it."""

    def __init__(self, text):
        self.text = text

    def __repr__(self):
        return self.text


def signature(parameters):
    """The signature of a function: names, kinds and defaults of its parameters."""

    def default(text):
        if text is None:
            return inspect.Parameter.empty
        try:
            return ast.literal_eval(text)
        except (ValueError, SyntaxError):
            return Word(text)

    of = [
        inspect.Parameter(name, getattr(inspect.Parameter, kind), default=default(text))
        for name, kind, text in parameters
    ]
    return inspect.Signature(of)


_results = {}


def results(frontend, path, fields):
    """The class of the named results of the function of a path."""
    module, _, name = path.rpartition(".")
    if frontend == "torch" and module == "linalg":
        name = f"linalg_{name}"
    key = frontend, name, *fields
    if key not in _results:
        made = namedtuple(name, fields, module=f"{ROOT}.{frontend}")
        if frontend == "torch":
            # PyTorch writes each in a line of its own.
            own = {"__slots__": (), "__module__": f"{ROOT}.torch.return_types", "__repr__": _return_types_text}
            made = type(name, (made,), own)
        _results[key] = made
    return _results[key]


def _return_types_text(self):
    lines = ",\n".join(f"{name}={value!r}" for name, value in zip(self._fields, self))
    return f"torch.return_types.{type(self).__name__}(\n{lines})"


def find(frontend, path):
    """A function, from its pickle."""
    for known, _, function in _ivyrs.frontend_functions(frontend):
        if known == path:
            return function
    return missing(frontend, path)


def rebuild(frontend, array, number):
    """An array, from its pickle."""
    module = importlib.import_module(f"{ROOT}.{frontend}")
    return module._ARRAY._of(array, number)
