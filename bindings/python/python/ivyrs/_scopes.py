"""Scopes by name; ``ivyrs.scope`` has all of their settings."""

from ._ivyrs import scope


def precise_mode(precise=True):
    """Precise promotion (int32 and float32 give float64), or non-precise (a float keeps its width)."""
    return scope(precise=precise)


def with_backend(name):
    """``ivyrs`` itself creates arrays on this backend."""
    return scope(backend=name)


def cast_data_types(modes="all"):
    """Casting modes where a dtype is not supported: ``"upcast,downcast"``, ``"all"`` or ``"none"``."""
    return scope(cast=modes)


def upcast_data_types():
    """An unsupported dtype goes to the next supported one that holds every value."""
    return scope(cast="upcast")


def downcast_data_types():
    """An unsupported dtype goes to the next lower supported one of its kind."""
    return scope(cast="downcast")


def crosscast_data_types():
    """Integers become floats, and floats integers, where a function takes only the others."""
    return scope(cast="crosscast")


def strict_casts(on=True):
    """Casts that nobody wrote are errors."""
    return scope(strict_casts=on)


def default_dtypes(*, dtype=None, int=None, uint=None, float=None, complex=None):
    """The default dtypes of each kind."""
    return scope(
        default_dtype=dtype, default_int=int, default_uint=uint, default_float=float, default_complex=complex
    )
