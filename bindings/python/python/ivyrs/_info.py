"""What the inspection API and ``finfo`` and ``iinfo`` answer with."""

import math
from typing import NamedTuple

from . import _ivyrs

# Arrays may have more, but the buffer protocol cannot give those to others.
MAX_DIMENSIONS = 64

# The standard's dtypes, and the kinds that it sorts them into.
_KINDS = {
    "bool": ("bool",),
    "signed integer": ("int8", "int16", "int32", "int64"),
    "unsigned integer": ("uint8", "uint16", "uint32", "uint64"),
    "real floating": ("float32", "float64"),
    "complex floating": ("complex64", "complex128"),
}
_KINDS["integral"] = _KINDS["signed integer"] + _KINDS["unsigned integer"]
_KINDS["numeric"] = _KINDS["integral"] + _KINDS["real floating"] + _KINDS["complex floating"]


# The digits that tell the numbers of a float dtype of so many bits apart.
_DIGITS = {16: 5, 32: 8, 64: 17}


class FInfo(NamedTuple):
    """The limits of a float dtype; of the parts of a complex one."""

    bits: int
    eps: float
    max: float
    min: float
    smallest_normal: float
    dtype: _ivyrs.Dtype

    @property
    def resolution(self):
        """The power of ten that the decimal digits of every number of the dtype end with, relative to it."""
        return 10.0 ** -int(-math.log10(self.eps))

    def __repr__(self):
        least, greatest = (f"{x:.{_DIGITS[self.bits]}g}" for x in (self.min, self.max))
        return f"finfo(resolution={self.resolution:g}, min={least}, max={greatest}, dtype={self.dtype.name})"


class IInfo(NamedTuple):
    """The limits of an integer dtype."""

    bits: int
    max: int
    min: int
    dtype: _ivyrs.Dtype

    def __repr__(self):
        return f"iinfo(min={self.min}, max={self.max}, dtype={self.dtype.name})"


class Info:
    """The answer of ``__array_namespace_info__()``."""

    def __init__(self, backend=None):
        self._own = backend

    def _backend(self):
        return self._own if self._own is not None else _ivyrs.Backend.current()

    def _check(self, device):
        if device is not None and device not in self._backend().devices:
            raise ValueError(f"device {device!r} is not one of {self._backend().devices}")

    def capabilities(self):
        """Which optional behaviours there are."""
        return {"boolean indexing": True, "data-dependent shapes": True, "max dimensions": MAX_DIMENSIONS}

    def default_device(self):
        """The device that arrays are created on."""
        return self._backend().devices[0]

    def default_dtypes(self, *, device=None):
        """The default dtypes in force."""
        self._check(device)
        return _ivyrs.default_dtypes()

    def devices(self):
        """The devices of the backend instance: it is bound to one."""
        return (self.default_device(),)

    def dtypes(self, *, device=None, kind=None):
        """The standard's dtypes that the backend stores, all or of some kinds, by name."""
        self._check(device)
        kinds = (kind,) if isinstance(kind, str) else ("bool", "numeric") if kind is None else tuple(kind)
        wanted = []
        for one in kinds:
            if one not in _KINDS:
                raise ValueError(f"unknown kind {one!r}: one of {', '.join(_KINDS)}")
            wanted += [name for name in _KINDS[one] if name not in wanted]
        stored = {dtype.name: dtype for dtype in self._backend().dtypes}
        return {name: stored[name] for name in wanted if name in stored}
