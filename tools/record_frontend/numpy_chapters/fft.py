"""Discrete Fourier transforms."""

import numpy as np

from . import b1, c8, c16, counted, f2, f4, f8, i4, i8

ONE = "fft ifft rfft irfft hfft ihfft".split()
SEVERAL = "fft2 ifft2 rfft2 irfft2 fftn ifftn rfftn irfftn".split()


def record(r):
    for name in ONE:
        path = f"fft.{name}"
        x = f8([1, 2, 0, -1, 3]) if name in ("rfft", "ihfft") else c16([1, 2 + 1j, -1j, 0.5, 2])
        r.call(path, x)
        r.call(path, x, 4)
        r.call(path, x, n=6, norm="ortho")
        r.call(path, x, norm="forward")
        r.call(path, counted(2, 4))
        r.call(path, counted(2, 4), axis=0)
        r.call(path, f4([1, 2, 3, 5]))
        r.call(path, f2([1, 2]))
        r.call(path, [1, 0, 2])
        r.call(path, x, norm="sideways")
        r.call(path, x, 0)
        r.call(path, x, axis=1)
        r.call(path, [])
    r.call("fft.fft", f8([1, 2]), out=np.zeros(2, "complex128"))
    r.call("fft.rfft", c8([1, 2]))
    for name in SEVERAL:
        path = f"fft.{name}"
        r.call(path, counted(2, 4))
        r.call(path, counted(2, 3), s=(2, 2), axes=(0, 1))
        r.call(path, counted(2, 2, 2), axes=(0, 2))
        r.call(path, f4([[1, 2], [3, 5]]), norm="ortho")
        if not name.startswith("rfft"):
            r.call(path, c8([[1, 2j], [3, 5]]))
        r.call(path, counted(2, 2), axes=(0, 3))
        r.call(path, [1, 2, 3])
        r.call(path, counted(2, 2), s=(2,), axes=(0, 1))
    for name in ("fftshift", "ifftshift"):
        path = f"fft.{name}"
        r.call(path, f8([0, 1, 2, 3, -2]))
        r.call(path, counted(2, 3, dtype="int32"))
        r.call(path, counted(2, 3), axes=1)
        r.call(path, [[0, 1, 2]], (0, 1))
        r.call(path, counted(2, 3), axes=5)
    for name in ("fftfreq", "rfftfreq"):
        path = f"fft.{name}"
        r.call(path, 4)
        r.call(path, 5, 0.1)
        r.call(path, 1, d=2)
        r.call(path, 8, d=0.1, device="cpu")
        r.call(path, 2.5)
        r.call(path, 0)
