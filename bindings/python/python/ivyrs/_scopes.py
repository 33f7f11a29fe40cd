"""Scopes by name; ``ivyrs.scope`` has all of their settings. Ivy's casting modes, which a call sets."""

from . import _ivyrs
from ._ivyrs import scope
from ._settings import Reading


class _PreciseMode(Reading):
    def __call__(self, precise=True):
        return scope(precise=precise)


precise_mode = _PreciseMode(
    "precise_mode",
    lambda: _ivyrs.setting("rules") == "precise",
    "Precise promotion (int32 and float32 give float64), or non-precise (a float keeps its width). By itself whether it is in force.",
)


def with_backend(name):
    """``ivyrs`` itself creates arrays on this backend."""
    return scope(backend=name)


class CastingMode:
    """Casting modes that are in force: from the call that gave this on, or to the end of the ``with`` block that it opens."""

    def __init__(self, modes):
        _ivyrs.push_setting("cast", modes)
        self._modes, self._is_set, self._scopes = modes, True, []

    def __enter__(self):
        # A scope takes back what is set inside of the block as well; the call that opens it sets nothing beyond it.
        if self._is_set:
            _ivyrs.pop_setting("cast")
            self._is_set = False
        self._scopes.append(scope(cast=self._modes))
        self._scopes[-1].__enter__()
        return self

    def __exit__(self, *error):
        self._scopes.pop().__exit__(*error)


def _with(mode, val):
    """The modes in force with another one, or without it."""
    modes = [known for known in _ivyrs.setting("cast").split(",") if known not in ("none", mode)]
    return CastingMode(",".join([*modes, mode] if val else modes) or "none")


def cast_data_types(val=True):
    """Sets all casting modes, or none; or those of a text such as ``"upcast,downcast"``. As a block, up to its end."""
    return CastingMode(val if isinstance(val, str) else "all" if val else "none")


def upcast_data_types(val=True):
    """Sets that an unsupported dtype goes to the next supported one that holds every value, or that it does not."""
    return _with("upcast", val)


def downcast_data_types(val=True):
    """Sets that an unsupported dtype goes to the next lower supported one of its kind, or that it does not."""
    return _with("downcast", val)


def crosscast_data_types(val=True):
    """Sets that integers become floats, and floats integers, where a function takes only the others, or that they do not."""
    return _with("crosscast", val)


def strict_casts(on=True):
    """Casts that nobody wrote are errors."""
    return scope(strict_casts=on)


def default_dtypes(*, dtype=None, int=None, uint=None, float=None, complex=None):
    """The default dtypes of each kind."""
    return scope(
        default_dtype=dtype, default_int=int, default_uint=uint, default_float=float, default_complex=complex
    )
