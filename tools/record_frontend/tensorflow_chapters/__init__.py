"""The chapters of TensorFlow's recorded calls, and short names for tensors of a dtype."""

import functools
import math

import tensorflow as tf

CHAPTERS = "elementwise reductions creation shapes linalg signal random nn image tensor".split()

nan, inf = math.nan, math.inf


def _of(dtype):
    return functools.partial(tf.constant, dtype=dtype)


b1, i1, i2, i4, i8, u1, u2, u4, u8 = map(_of, "bool int8 int16 int32 int64 uint8 uint16 uint32 uint64".split())
bf, f2, f4, f8, c8, c16 = map(_of, "bfloat16 float16 float32 float64 complex64 complex128".split())


def ramp(shape, dtype="float32", start=-1.0, step=0.25):
    """Numbers from `start` on, `step` apart, of a shape: few digits, both signs, none equal."""
    size = math.prod(shape)
    return tf.constant([start + step * k for k in range(size)], dtype, shape)
