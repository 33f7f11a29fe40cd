"""Transforms of signals, windows and frames."""

import tensorflow as tf

from . import c8, c16, f4, f8, i4, ramp

Z = [1 + 2j, -0.5j, 3 + 0j, 0.25 - 1j]


def record(r):
    for name in ("fft", "ifft"):
        r.call(f"signal.{name}", c16(Z))
        r.call(f"signal.{name}", c8([[1j, 2 + 0j, 0.5 + 0j]]))
        r.call(f"signal.{name}", f4([1.0, 2.0]))
    for name in ("fft2d", "ifft2d"):
        r.call(f"signal.{name}", c16([Z, Z[::-1]]))
        r.call(f"signal.{name}", c8([[[1j]], [[2 + 0j]]]))
        r.call(f"signal.{name}", c8([1j]))
    for name in ("fft3d", "ifft3d"):
        r.call(f"signal.{name}", c16([[[1 + 0j, 2j], [0.5 + 0j, 1j]]]))
        r.call(f"signal.{name}", c8([[[1j]]]))
        r.call(f"signal.{name}", c8([1j]))
    r.call("signal.rfft", f8([1.0, 2.0, 0.5, -1.0]))
    r.call("signal.rfft", f4([[1.0, 2.0, 3.0]]), [4])
    r.call("signal.rfft", f4([1.0, 2.0, 3.0]), fft_length=[2])
    r.call("signal.irfft", c16([1 + 0j, 2j, 0.5 + 0j]))
    r.call("signal.irfft", c8([1 + 0j, 2j]), [3])
    r.call("signal.irfft", f4([1.0]))
    r.call("signal.rfft2d", ramp((2, 4)))
    r.call("signal.rfft2d", ramp((2, 3), "float64"), [2, 4])
    r.call("signal.rfft2d", f4([1.0]))
    r.call("signal.irfft2d", c16([[1 + 0j, 2j, 0.5 + 0j], [1j, 1 + 0j, 2 + 0j]]))
    r.call("signal.irfft2d", c8([[1 + 0j, 2j]]), fft_length=[1, 3])
    r.call("signal.rfft3d", ramp((2, 1, 4)))
    r.call("signal.irfft3d", c8([[[1 + 0j, 2j, 0.5 + 0j]]]))
    for name in ("fftshift", "ifftshift"):
        r.call(f"signal.{name}", f4([1.0, 2.0, 3.0, 4.0, 5.0]))
        r.call(f"signal.{name}", ramp((2, 3)), axes=[1])
        r.call(f"signal.{name}", i4([[1, 2], [3, 4]]))
    for name in ("dct", "idct"):
        r.call(f"signal.{name}", f8([1.0, 2.0, 0.5, -1.0]))
        r.call(f"signal.{name}", f4([1.0, 2.0, 0.5]), norm="ortho")
        r.call(f"signal.{name}", f8([1.0, 2.0, 0.5]), type=3)
        r.call(f"signal.{name}", f8([1.0, 2.0, 0.5]), type=1)
        r.call(f"signal.{name}", f8([[1.0, 2.0, 0.5]]), type=4, norm="ortho")
        r.call(f"signal.{name}", i4([1, 2]))
    r.call("signal.dct", f8([1.0, 2.0, 0.5]), n=2)
    windows(r)
    frames(r)


def windows(r):
    for name in ("hann_window", "hamming_window"):
        r.call(f"signal.{name}", 5)
        r.call(f"signal.{name}", 4, periodic=False, dtype=tf.float64)
        r.call(f"signal.{name}", 1)
        r.call(f"signal.{name}", 6)
        r.call(f"signal.{name}", 3, periodic=False)
        r.call(f"signal.{name}", 4, dtype=tf.int32)
    r.call("signal.kaiser_window", 5)
    r.call("signal.kaiser_window", 4, beta=8.0, dtype=tf.float64)
    r.call("signal.kaiser_bessel_derived_window", 4)
    r.call("signal.kaiser_bessel_derived_window", 6, 8.0, tf.float64)
    r.call("signal.vorbis_window", 4)
    r.call("signal.vorbis_window", 6, tf.float64)


def frames(r):
    x = ramp((7,))
    r.call("signal.frame", x, 3, 2)
    r.call("signal.frame", x, 3, 2, pad_end=True, pad_value=9)
    r.call("signal.frame", ramp((2, 4)), frame_length=2, frame_step=1)
    r.call("signal.frame", ramp((4, 2)), 2, 2, axis=0)
    r.call("signal.frame", x, 9, 1)
    r.call("signal.overlap_and_add", ramp((3, 2)), 1)
    r.call("signal.overlap_and_add", ramp((2, 2, 3), "float64"), 2)
    r.call("signal.overlap_and_add", ramp((2, 2)), 3)
    r.call("signal.stft", x, 4, 2)
    r.call("signal.stft", ramp((8,), "float64"), frame_length=3, frame_step=2, fft_length=4)
    r.call("signal.stft", x, 4, 2, pad_end=True)
    spectra = tf.signal.stft(x, 4, 2)
    r.call("signal.inverse_stft", spectra, 4, 2)
    r.call("signal.inverse_stft", tf.signal.stft(ramp((8,), "float64"), 3, 2, 4), 3, 2, 4)
