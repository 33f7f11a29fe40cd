"""Fourier transforms and spectra of signals."""

import torch

from .operands import c, f, grid, i

LOOSE = (4e-6, "sums of float32 in another order")


def record(r):
    x, z = grid(6), torch.complex(grid(4), grid(4, start=-2.0))
    for name in ("fft", "ifft", "rfft", "ihfft"):
        r.record(f"fft.{name}", (x,), tolerance=LOOSE)
        r.call(f"fft.{name}", x.double(), n=4)
        r.record(f"fft.{name}", (grid(2, 3),), {"dim": 0, "norm": "ortho"}, tolerance=LOOSE)
        r.record(f"fft.{name}", (i(1, 2, 3),), {"n": 5, "norm": "forward"}, tolerance=LOOSE)
        r.call(f"fft.{name}", x, norm="other")
    for name in ("irfft", "hfft"):
        r.record(f"fft.{name}", (z,), tolerance=LOOSE)
        r.call(f"fft.{name}", z.to(torch.complex128), n=5)
        r.record(f"fft.{name}", (z,), {"n": 4, "norm": "ortho"}, tolerance=LOOSE)
    r.record("fft.fft", (z,), tolerance=LOOSE)
    y, w = grid(2, 4), torch.complex(grid(2, 3), grid(2, 3, start=-2.0))
    for name in ("fft2", "ifft2", "fftn", "ifftn", "rfft2", "rfftn"):
        r.record(f"fft.{name}", (y,), tolerance=LOOSE)
        r.call(f"fft.{name}", y.double(), s=(2, 2))
        r.record(f"fft.{name}", (y,), {"dim": (0, 1), "norm": "ortho"}, tolerance=LOOSE)
    for name in ("irfft2", "irfftn"):
        r.record(f"fft.{name}", (w,), tolerance=LOOSE)
        r.call(f"fft.{name}", w.to(torch.complex128), s=(2, 3))
        r.record(f"fft.{name}", (w,), {"norm": "forward"}, tolerance=LOOSE)
    for name in ("fftfreq", "rfftfreq"):
        r.call(f"fft.{name}", 5)
        r.call(f"fft.{name}", 4, 0.5)
        r.call(f"fft.{name}", 3, d=2.0, dtype=torch.float64)
    for name in ("fftshift", "ifftshift"):
        r.call(f"fft.{name}", f(0.0, 1.0, 2.0, 3.0, 4.0))
        r.call(f"fft.{name}", y)
        r.call(f"fft.{name}", y, dim=1)
    s = grid(12, dtype=torch.float64)
    window = torch.hann_window(4, dtype=torch.float64)
    r.call("stft", s, 4, return_complex=True, window=window)
    r.call("stft", s, 4, hop_length=2, center=False, return_complex=True, window=window)
    r.call("stft", s.reshape(2, 6), 4, 2, 3, torch.ones(3, dtype=torch.float64), normalized=True, return_complex=True)
    r.call("stft", s, 4, onesided=False, pad_mode="constant", return_complex=True, window=window)
    spectrum = torch.stft(s, 4, 1, window=window, return_complex=True)
    r.call("istft", spectrum, 4, window=window)
    r.call("istft", spectrum, 4, 1, window=window, length=10)
    spectrum = torch.stft(s, 4, 2, window=window, return_complex=True, normalized=True)
    r.call("istft", spectrum, 4, 2, window=window, normalized=True)
    for name in ("hfft2", "hfftn"):
        r.record(f"fft.{name}", (w,), tolerance=LOOSE)
        r.call(f"fft.{name}", w.to(torch.complex128), s=(2, 3))
        r.record(f"fft.{name}", (w,), {"norm": "forward"}, tolerance=LOOSE)
        r.record(f"fft.{name}", (w,), {"dim": (1, 0), "norm": "ortho"}, tolerance=LOOSE)
    for name in ("ihfft2", "ihfftn"):
        r.record(f"fft.{name}", (y,), tolerance=LOOSE)
        r.call(f"fft.{name}", y.double(), s=(2, 2))
        r.record(f"fft.{name}", (y,), {"dim": (0, 1), "norm": "forward"}, tolerance=LOOSE)
