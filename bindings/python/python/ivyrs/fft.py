"""The Fourier transform extension of the Array API standard, on the current backend; called, it is its function ``fft``."""

import sys
import types

from ._namespace import fill
from . import _transforms


class _Callable(types.ModuleType):
    def __call__(self, *args, **kwargs):
        return _transforms.fft(self.fft, *args, **kwargs)


fill(sys.modules[__name__], "fft", None)
sys.modules[__name__].__class__ = _Callable
