"""Ivy's functions of dtypes: questions, defaults, and what a backend stores."""

from . import _ivyrs
from ._ivyrs import Dtype


def _kind(kind, what):
    def question(dtype_in, /):
        return _ivyrs.is_kind(kind, dtype_in)

    question.__name__ = question.__qualname__ = f"is_{kind}_dtype"
    question.__doc__ = f"Whether a dtype, array or number, or any in lists, tuples and dicts of them, is {what}."
    return question


def dtype_bits(dtype_in, /):
    """The width of an element in bits; 1 for bool."""
    return Dtype(dtype_in).bits


def is_hashable_dtype(dtype_in, /):
    """Whether the argument has or names a dtype; dtypes are hashable, all of them."""
    try:
        return hash(Dtype(dtype_in)) is not None
    except TypeError:
        return False


def check_float(x):
    """Whether the argument is a Python float or integer, and no array."""
    return isinstance(x, (int, float)) and not isinstance(x, bool)


def functions(backend):
    """The functions of a namespace; of ``ivyrs`` itself, which has no backend of its own, they ask the current one."""

    def native(dtype, as_native):
        return as_native_dtype(dtype) if as_native else dtype

    def as_ivy_dtype(dtype_in, /):
        """The dtype of whatever has or names one, the backend's own names among them."""
        return _ivyrs.as_ivy_dtype(dtype_in, backend)

    def as_native_dtype(dtype_in, /):
        """The name under which the backend stores a dtype."""
        return _ivyrs.as_native_dtype(dtype_in, backend)

    def is_native_dtype(dtype_in, /):
        """Whether the argument is a name under which the backend stores a dtype."""
        return isinstance(dtype_in, str) and _ivyrs.is_native_dtype(dtype_in, backend)

    def valid_dtype(dtype_in, /):
        """Whether the backend stores a dtype; None is valid."""
        return dtype_in is None or _ivyrs.valid_dtype(dtype_in, backend)

    def invalid_dtype(dtype_in, /):
        """Whether the backend does not store a dtype; None is valid."""
        return not valid_dtype(dtype_in)

    def closest_valid_dtype(type, /):
        """The dtype itself where the backend stores it, else the next one of its kind; of None the default dtype."""
        return _ivyrs.closest_valid_dtype(default_dtype() if type is None else type, backend)

    def dtype(x, *, as_native=False):
        """The dtype of an array; with ``as_native`` the backend's name for it."""
        return native(x.dtype, as_native)

    def default_dtype(*, dtype=None, item=None, as_native=False):
        """The dtype that is named, else that of ``item`` (arrays, dtypes, numbers or nests of them), else the default dtype."""
        return native(_ivyrs.default_of("any", dtype, item), as_native)

    def default_int_dtype(*, input=None, int_dtype=None, as_native=False):
        """The integer dtype that is named, else that of ``input`` where it has one, else the default one that holds it."""
        return native(_ivyrs.default_of("int", int_dtype, input), as_native)

    def default_uint_dtype(*, input=None, uint_dtype=None, as_native=False):
        """The unsigned dtype that is named, else that of ``input`` where it has one, else the default one that holds it."""
        return native(_ivyrs.default_of("uint", uint_dtype, input), as_native)

    def default_float_dtype(*, input=None, float_dtype=None, as_native=False):
        """The float dtype that is named, else that of ``input`` where it has one, else the default one that holds it."""
        return native(_ivyrs.default_of("float", float_dtype, input), as_native)

    def default_complex_dtype(*, input=None, complex_dtype=None, as_native=False):
        """The complex dtype that is named, else that of ``input`` where it has one, else the default one that holds it."""
        return native(_ivyrs.default_of("complex", complex_dtype, input), as_native)

    def infer_default_dtype(dtype, as_native=False):
        """The default dtype of the kind of a dtype; bool for bool."""
        return native(_ivyrs.infer_default_dtype(dtype), as_native)

    def promote_types(type1, type2, /, *, array_api_promotion=False):
        """The dtype that two dtypes promote to, by the rules in force or by those of the standard."""
        return _ivyrs.promote(type1, type2, rules="array-api" if array_api_promotion else None)

    def function_supported_dtypes(fn, recurse=True):
        """The dtypes that a function, by itself or its name, takes on the backend.

        A function that is composed of others takes what these take; without ``recurse`` they are not looked into, and what
        is left is that for which the backend has a form of the function's own.
        """
        return tuple(_ivyrs.function_supported_dtypes(getattr(fn, "__name__", fn), recurse, backend))

    def function_unsupported_dtypes(fn, recurse=True):
        """The dtypes that a function refuses on the backend: all but those of ``function_supported_dtypes``."""
        supported = function_supported_dtypes(fn, recurse)
        every = (value for value in vars(_ivyrs).values() if isinstance(value, Dtype))
        return tuple(dtype for dtype in every if dtype not in supported)

    kinds = {"bool": "bool", "int": "an integer", "uint": "an unsigned integer", "float": "a float", "complex": "complex"}
    public = (
        *(_kind(kind, what) for kind, what in kinds.items()),
        dtype_bits, is_hashable_dtype, check_float, as_ivy_dtype, as_native_dtype, is_native_dtype, valid_dtype,
        invalid_dtype, closest_valid_dtype, dtype, default_dtype, default_int_dtype, default_uint_dtype, default_float_dtype,
        default_complex_dtype, infer_default_dtype, promote_types, function_supported_dtypes, function_unsupported_dtypes,
    )  # fmt: skip
    return {f.__name__: f for f in public}
