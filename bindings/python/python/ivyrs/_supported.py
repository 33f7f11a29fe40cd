"""Decorators that declare which dtypes a function takes in which versions of a framework, as Ivy's functions declare theirs."""

import functools
import importlib
import sys
import types

from . import _errors, _ivyrs
from ._dtype_groups import EVERY
from ._ivyrs import Array


def _version(version):
    """The version that a decorator names: one, a dict of it as Ivy's backends have, or the name of a frontend."""
    if isinstance(version, dict):
        version = version["version"]
    if version.isidentifier() and version in importlib.import_module("ivyrs.frontends").NAMES:
        return importlib.import_module(f"ivyrs.frontends.{version}").ivy_version()
    return version


def _arrays(values):
    """The arrays among arguments, and in lists, tuples and dicts of them."""
    for value in values:
        if isinstance(value, Array):
            yield value
        elif isinstance(value, (list, tuple)):
            yield from _arrays(value)
        elif isinstance(value, dict):
            yield from _arrays(value.values())


def _words(words):
    """Dtypes and classes of them; a lone one stands for itself."""
    return [words] if isinstance(words, str) else [str(word) for word in words]


class _Declaration:
    """A declaration of dtypes by version: a decorator of a function, and a block whose functions are all decorated."""

    def __init__(self, name, dtypes, version, is_supported, by_device, exclusive):
        if not isinstance(dtypes, dict):
            raise TypeError(f"{name}(): version_dict: a dict of version keys is needed, not {dtypes!r}")
        if not isinstance(version, (str, dict)):
            raise TypeError(f"{name}(): version: a version, a dict with one or a frontend's name is needed, not {version!r}")
        self._tables, self._version, self._is_supported, self._by_device = dtypes, version, is_supported, by_device
        self._name, self._exclusive, self._known, self._answers = name, exclusive, [], {}
        self._declared(None)

    def _table(self, device):
        """Version keys and the words of each, of a device."""
        if not self._by_device:
            return [(key, _words(words)) for key, words in self._tables.items()]
        found = []
        for key, devices in self._tables.items():
            words = devices.get(device, devices.get("all", () if not self._is_supported else ("valid",)))
            found.append((key, _words(words)))
        return found

    def _declared(self, device):
        """The dtypes that are supported on a device."""
        version = _version(self._version)
        key = device if self._by_device else None, version
        if key not in self._answers:
            named = _ivyrs.declared_dtypes(self._table(device), version)
            self._answers[key] = tuple(dtype for dtype in EVERY if (dtype in named) == self._is_supported)
        return self._answers[key]

    def _answer(self, wanted):
        """The dtypes that are supported, or that are not, or these by device."""

        def of(device):
            supported = self._declared(device)
            return supported if wanted else tuple(dtype for dtype in EVERY if dtype not in supported)

        if not self._by_device:
            return of(None)
        devices = {device for table in self._tables.values() for device in table}
        return {device: of(device) for device in sorted(devices)}

    def __call__(self, function):
        if not callable(function):
            raise TypeError(f"a function is decorated, not {function!r}")
        name = getattr(function, "__name__", "function")
        other = getattr(function, "_declared_as", self._name)
        if self._exclusive and other != self._name:
            raise TypeError(f"{name} is declared by {other} already, which excludes {self._name}: give one of them, or exclusive=False")

        @functools.wraps(function)
        def checked(*args, **kwargs):
            for x in _arrays((args, kwargs)):
                declared = self._declared(x.device.partition(":")[0])
                if x.dtype not in declared:
                    names = ", ".join(dtype.name for dtype in declared) or "no dtype"
                    raise _errors.UnsupportedDtype(
                        f"{name}: {x.dtype.name} is not supported in version {_version(self._version)}; it takes {names}. Cast"
                        " with `astype` to a dtype that it takes"
                    )
            return function(*args, **kwargs)

        attributes = ("supported_dtypes", "unsupported_dtypes")
        if self._by_device:
            attributes = ("supported_device_and_dtypes", "unsupported_device_and_dtypes")
        setattr(checked, attributes[0], self._answer(True))
        setattr(checked, attributes[1], self._answer(False))
        checked._declared_as = self._name
        return checked

    def __enter__(self):
        names = sys._getframe(1).f_globals
        self._known.append((names, dict(names)))
        return self

    def __exit__(self, *error):
        names, before = self._known.pop()
        if error[0] is not None:
            return
        for name, value in list(names.items()):
            if isinstance(value, types.FunctionType) and before.get(name) is not value:
                names[name] = self(value)


def _named(name, doc, is_supported, by_device):
    def declare(version_dict, version, exclusive=True):
        return _Declaration(name, version_dict, version, is_supported, by_device, exclusive)

    declare.__name__ = declare.__qualname__ = name
    declare.__doc__ = doc
    return declare


_HOW = (
    " ``version_dict`` has a tuple for each range of versions (``\"2.0.1 and below\"``, ``\"1.0 to 1.9\"``), of dtypes and of the"
    ' classes ``"valid"``, ``"numeric"``, ``"float"``, ``"integer"``, ``"unsigned"`` and ``"complex"``; ``version`` is the one at'
    " hand, or a frontend's name. A call with an array of another dtype is an error. A function"
    " has one kind of declaration, unless ``exclusive`` is False. As a ``with`` block it decorates all functions"
    " that the block defines in its module."
)

with_supported_dtypes = _named(
    "with_supported_dtypes", "Declares the dtypes that a function takes; all others are unsupported." + _HOW, True, False
)
with_unsupported_dtypes = _named(
    "with_unsupported_dtypes", "Declares the dtypes that a function does not take; all others are supported." + _HOW, False, False
)
with_supported_device_and_dtypes = _named(
    "with_supported_device_and_dtypes",
    "Declares the dtypes that a function takes by device: for each range of versions a dict of devices." + _HOW,
    True,
    True,
)
with_unsupported_device_and_dtypes = _named(
    "with_unsupported_device_and_dtypes",
    "Declares the dtypes that a function does not take by device: for each range of versions a dict of devices." + _HOW,
    False,
    True,
)

FUNCTIONS = {
    f.__name__: f
    for f in (
        with_supported_dtypes,
        with_unsupported_dtypes,
        with_supported_device_and_dtypes,
        with_unsupported_device_and_dtypes,
    )
}
