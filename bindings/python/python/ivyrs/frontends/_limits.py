"""What a framework says of the numbers that a dtype holds: ``finfo`` and ``iinfo``."""

import math

from .. import _ivyrs

# Bits of the significand that are stored, and of the exponent, by dtype: IEEE 754, and bfloat16's definition.
_FORMATS = {"float16": (10, 5), "bfloat16": (7, 8), "float32": (23, 8), "float64": (52, 11)}
_PARTS = {"complex64": "float32", "complex128": "float64"}
_PYTHON = {bool: "bool", int: "int64", float: "float64", complex: "complex128"}


def _dtype(frontend, given):
    """The dtype that is meant: by itself, by its name, by one of Python's types or numbers, or by an array's."""
    if not isinstance(given, str):
        given = getattr(given, "dtype", None) if hasattr(given, "shape") else given
    kind = given if isinstance(given, type) else type(given)
    if kind in _PYTHON:
        given = _PYTHON[kind]
    found = _ivyrs.frontend_dtype(frontend, getattr(given, "name", None) or getattr(given, "__name__", None) or str(given))
    if found is None:
        raise TypeError(f"{given!r} is no dtype of {frontend}")
    return found


class _Limits:
    """Values by name, written in the framework's form."""

    def __init__(self, dtype, values, written):
        vars(self).update(values, dtype=dtype)
        self._written = written

    def __repr__(self):
        names, text = self._written
        return f"{type(self).__name__}({', '.join(f'{name}={text(self, name)}' for name in names)})"

    def __eq__(self, other):
        return type(self) is type(other) and self.dtype == other.dtype

    def __hash__(self):
        return hash((type(self), self.dtype))


def _float_limits(name, number):
    stored, exponent = _FORMATS[name]
    bias = 2 ** (exponent - 1) - 1
    eps, tiny = 2.0**-stored, 2.0 ** (1 - bias)
    largest = (2.0 - eps) * 2.0**bias
    precision = int(stored * math.log10(2))
    floats = {
        "eps": eps, "epsneg": eps / 2, "max": largest, "min": -largest, "smallest_normal": tiny, "tiny": tiny,
        "smallest_subnormal": tiny * eps, "resolution": 10.0**-precision,
    }  # fmt: skip
    integers = {
        "bits": 1 + exponent + stored, "nmant": stored, "nexp": exponent, "iexp": exponent, "maxexp": bias + 1,
        "minexp": 1 - bias, "machep": -stored, "negep": -stored - 1, "precision": precision,
    }  # fmt: skip
    return {**{name: number(value) for name, value in floats.items()}, **integers}


def _integer_limits(dtype):
    bits = 8 * dtype.itemsize
    signed = dtype.is_signed
    return {"bits": bits, "min": -(2 ** (bits - 1)) if signed else 0, "max": 2 ** (bits - signed) - 1}


def make(frontend, *, number=lambda name, value: value, floats, integers, dtype=lambda dtype: dtype, refused=ValueError):
    """The classes ``finfo`` and ``iinfo`` of a framework.

    ``number`` makes a float of a dtype's name and a value, ``floats`` and ``integers`` are the attributes that ``repr`` writes,
    each with a function that gives its text, ``dtype`` makes the attribute of that name, and ``refused`` is raised for a dtype of
    another kind.
    """

    class finfo(_Limits):
        """The limits of a float dtype, of the parts of a complex one."""

        def __init__(self, type):
            given = _dtype(frontend, type)
            name = _PARTS.get(given.name, given.name)
            if name not in _FORMATS:
                raise refused(f"finfo is of float dtypes, not of {given.name}: iinfo has the limits of integers")
            values = _float_limits(name, lambda value: number(name, value))
            super().__init__(dtype(_ivyrs.frontend_dtype(frontend, name)), values, floats)

    class iinfo(_Limits):
        """The limits of an integer dtype."""

        def __init__(self, type):
            found = _dtype(frontend, "int64" if isinstance(type, int) and not isinstance(type, bool) else type)
            if not found.name.startswith(("int", "uint")):
                raise refused(f"iinfo is of integer dtypes, not of {found.name}: finfo has the limits of floats")
            super().__init__(dtype(found), _integer_limits(found), integers)

    for made in (finfo, iinfo):
        made.__module__ = f"ivyrs.frontends.{frontend}"
        made.__qualname__ = made.__name__
    return finfo, iinfo


def numpy_text(limits, name):
    """An attribute as ``repr(numpy.finfo(...))`` writes it."""
    if name == "dtype":
        return limits.dtype.name
    if name == "resolution":
        return f"{10.0**-limits.precision:g}"
    return f"{float(getattr(limits, name)):.5e}" if limits.bits == 16 and hasattr(limits, "eps") else str(getattr(limits, name))


def torch_text(limits, name):
    """An attribute as ``repr(torch.finfo(...))`` writes it."""
    value = getattr(limits, name)
    return f"{value:.6g}" if isinstance(value, float) else str(value)
