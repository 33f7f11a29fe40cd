"""The Fourier transform extension of the Array API standard, on the current backend."""

import sys

from ._namespace import fill

fill(sys.modules[__name__], "fft", None)
