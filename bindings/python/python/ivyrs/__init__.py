"""The Array API standard 2025.12 on several engines, with the same dtype semantics on each.

``ivyrs`` itself is a namespace on the current backend (``scope(backend=...)``, by default the reference);
``ivyrs.namespace("jit:llvm")`` is one on a given backend.
"""

import sys

from . import _errors, _ivyrs, _libtorch, _methods
from ._errors import *
from ._compile import compile
from ._ivyrs import Array, Dtype, Generator, backends, evaluate, explain, promote, scope, seed, support
from ._namespace import fill, namespace, unknown

_libtorch.guard(_ivyrs.libtorch)
fill(sys.modules[__name__], "main", None)
METHODS = _methods.equip(Array, vars(sys.modules[__name__]))

from . import fft, linalg
from ._scopes import precise_mode as PreciseMode
from ._scopes import (
    cast_data_types,
    crosscast_data_types,
    default_dtypes,
    downcast_data_types,
    precise_mode,
    strict_casts,
    upcast_data_types,
    with_backend,
)

__version__ = "0.1.0"


def __getattr__(name):
    return unknown(sys.modules[__name__], name)


__all__ = sorted(
    [
        *__all__,
        *_errors.__all__,
        "Array",
        "Dtype",
        "Generator",
        "PreciseMode",
        "backends",
        "cast_data_types",
        "compile",
        "crosscast_data_types",
        "default_dtypes",
        "downcast_data_types",
        "evaluate",
        "explain",
        "fft",
        "linalg",
        "namespace",
        "precise_mode",
        "promote",
        "scope",
        "seed",
        "strict_casts",
        "support",
        "upcast_data_types",
        "with_backend",
    ]
)
