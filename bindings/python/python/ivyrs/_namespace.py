"""Namespaces: what ``ivyrs`` and ``ivyrs.namespace("jit:llvm")`` are made of."""

import difflib
import importlib
import inspect
import types
from collections import namedtuple
from math import e, inf, nan, pi

from . import _control, _dtype_groups, _dtypes, _general, _gradients, _ivyrs, _nested_gradients, _nests, _settings, _supported, _transforms
from ._compile import compile
from ._info import Info

VERSION = "2025.12"
VERSIONS = ("2021.12", "2022.12", "2023.12", "2024.12", "2025.12")
EXTENSIONS = ("linalg", "fft")
CONSTANTS = {"e": e, "inf": inf, "nan": nan, "newaxis": None, "pi": pi}


def signature(text):
    """The signature of a function, from its parameters as Python writes them."""
    return inspect.signature(eval(f"lambda {text}: None", {}))


def results(name):
    """The class of a function's named results."""
    return globals()[f"{name}_result"]


for _name, _fields in _ivyrs.named_results():
    globals()[f"{_name}_result"] = namedtuple(f"{_name}_result", _fields, module=__name__)


class Namespace(types.ModuleType):
    """The Array API standard on one backend: functions, dtypes and constants.

    There is one object for each backend, and pickles keep it so.
    """

    def __init__(self, backend, module="main"):
        place = backend.place
        name = f"ivyrs[{place}]" if module == "main" else f"ivyrs[{place}].{module}"
        super().__init__(name, f"The Array API standard {VERSION} on the backend {place}.")
        self._backend = backend
        self._module = module
        fill(self, module, backend)

    def __getattr__(self, name):
        return unknown(self, name, vars(self).get("_backend"))

    def __call__(self, *args, **kwargs):
        """Of the extension ``fft``: its function of the name."""
        if self._module != "fft":
            raise TypeError(f"{self!r} is a namespace, which is not called")
        return _transforms.fft(self.fft, *args, **kwargs)

    def __reduce__(self):
        if self._module != "main":
            return getattr, (namespace(self._backend.place), self._module)
        return namespace, (self._backend.place,)

    def __copy__(self):
        return self

    def __deepcopy__(self, memo):
        return self

    def __repr__(self):
        return f"<namespace {self.__name__}>"

    def __dir__(self):
        return sorted(self.__all__)


def unknown(module, name, backend=None):
    """A name that a namespace computes when it is asked for: ``native_float32``. Else the error, with the nearest names."""
    if name.startswith("native_") and any(dtype.name == name.removeprefix("native_") for dtype in dtypes(backend)):
        return _ivyrs.as_native_dtype(name.removeprefix("native_"), backend)
    near = [] if name.startswith("_") else difflib.get_close_matches(name, vars(module).get("__all__", ()))
    hint = f"; the nearest are {', '.join(near)}" if near else ""
    raise AttributeError(f"{module!r} has no attribute {name!r}{hint}")


def fill(target, module, backend):
    """Puts the functions of a module into a namespace, and into the main one all else."""
    contents = dict(_ivyrs.functions(module, backend, target))
    if module == "main":
        # Ivy has one namespace: the extensions' functions are here, too.
        for extension in EXTENSIONS:
            own = dict(_ivyrs.functions(extension, backend, target))
            if extension == "fft":
                del own["fft"]
                own.update(_transforms.functions(dict(own)))
            contents.update({name: function for name, function in own.items() if name not in contents})
        contents["array"] = contents["asarray"]
        contents.update((dtype.name, dtype) for dtype in dtypes(backend))
        contents.update(CONSTANTS)
        contents.update(_dtype_groups.groups(backend))
        contents.update(_dtype_groups.CLASSES)
        contents.update(Shape=_dtype_groups.Shape, NativeShape=_dtype_groups.Shape, NativeDtype=str)
        contents.update(Device=_general.Device, NativeDevice=str)
        contents.update(_control.functions(contents["asarray"]))
        contents.update(_gradients.functions(contents["asarray"]))
        contents.update(_nested_gradients.functions(contents["asarray"]))
        contents.update(_nests.functions())
        contents.update(_dtypes.functions(backend))
        contents.update(_general.functions(backend))
        if backend is None:
            contents.update(_settings.FUNCTIONS)
            contents.update(_supported.FUNCTIONS)
        contents["__array_api_version__"] = VERSION
        contents["__array_namespace_info__"] = _info(backend)
        if backend is not None:
            contents.update((name, Namespace(backend, name)) for name in EXTENSIONS)
            contents.update(compile=compile, evaluate=_ivyrs.evaluate)
    vars(target).update(contents)
    public = [name for name in contents if not name.startswith("_")]
    vars(target)["__all__"] = sorted(public)


def dtypes(backend):
    """The dtypes that a backend stores; all of them without one."""
    if backend is not None:
        return backend.dtypes
    return [value for value in vars(_ivyrs).values() if isinstance(value, _ivyrs.Dtype)]


def _info(backend):
    def __array_namespace_info__():
        """What the namespace is: its capabilities, devices and dtypes."""
        return Info(backend)

    return __array_namespace_info__


def find(module, name):
    """A function of ``ivyrs`` itself, from its pickle."""
    return getattr(importlib.import_module(module), name)


_known = {}


def of_backend(backend):
    """The namespace of a backend instance."""
    found = _known.get(backend)
    return found if found is not None else _known.setdefault(backend, Namespace(backend))


def namespace(name):
    """The Array API namespace of a backend, by ``BACKEND[:PLACE]``: ``namespace("jit:llvm")``.

    Its functions create arrays there, and take arrays of it only.
    """
    return of_backend(_ivyrs.Backend(name))


def of_array(backend, api_version):
    """The namespace of an array, for ``Array.__array_namespace__``."""
    if api_version is not None and api_version not in VERSIONS:
        raise ValueError(f"the Array API version {api_version!r} is not known here: one of {', '.join(VERSIONS)}")
    return of_backend(backend)
