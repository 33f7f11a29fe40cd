"""NumPy's settings of what happens at an overflow, a division by zero and their like. Here nothing happens at them: results
are infinities and NaN, on every backend."""

import contextlib
import warnings

_KINDS = ("divide", "over", "under", "invalid")
_WORDS = ("ignore", "warn", "raise", "call", "print", "log")
_settings = dict.fromkeys(_KINDS, "ignore")


def seterr(all=None, divide=None, over=None, under=None, invalid=None):
    """Accepts the settings, and warns of those that ask for more than infinities and NaN. Gives the ones before."""
    before = dict(_settings)
    given = {name: word or all for name, word in zip(_KINDS, (divide, over, under, invalid)) if word or all}
    for name, word in given.items():
        if word not in _WORDS:
            raise ValueError(f"{name}: '{word}' is none of {', '.join(_WORDS)}")
    _settings.update(given)
    asked = sorted({word for word in given.values() if word not in ("ignore", "warn")})
    if asked:
        text = f"{', '.join(asked)}: errors of floats give infinities and NaN here; nothing is raised, called or written"
        warnings.warn(text, UserWarning, stacklevel=3)
    return before


def geterr():
    """The settings that were accepted."""
    return dict(_settings)


class errstate(contextlib.ContextDecorator):
    """The settings for a ``with`` block, or for a function."""

    def __init__(self, *, call=None, **kwargs):
        self._given, self._before = kwargs, []

    def __enter__(self):
        self._before.append(seterr(**self._given))
        return self

    def __exit__(self, *error):
        _settings.update(self._before.pop())


FUNCTIONS = {"seterr": seterr, "geterr": geterr, "errstate": errstate}
