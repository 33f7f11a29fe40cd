"""The recorded calls of NumPy, a module a chapter, each with `record(recorder)`."""

import numpy as np

CHAPTERS = [
    "ufuncs",
    "promotion",
    "ufunc_keywords",
    "creation",
    "manipulation",
    "reductions",
    "sorting_searching",
    "indexing",
    "sets",
    "statistics",
    "logic",
    "mathematics",
    "linalg",
    "fft",
    "random",
    "dtypes",
    "ndarray",
]


def _maker(dtype):
    return lambda data: np.array(data, dtype)


b1, i1, i2, i4, i8 = map(_maker, ("bool", "int8", "int16", "int32", "int64"))
u1, u2, u4, u8 = map(_maker, ("uint8", "uint16", "uint32", "uint64"))
f2, f4, f8 = map(_maker, ("float16", "float32", "float64"))
c8, c16 = map(_maker, ("complex64", "complex128"))
nan, inf = float("nan"), float("inf")


def counted(*shape, dtype="float64", start=0):
    """An array of the numbers from `start` on."""
    return np.arange(start, start + int(np.prod(shape)), dtype=dtype).reshape(shape)
