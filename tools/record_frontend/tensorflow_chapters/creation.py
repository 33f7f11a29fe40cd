"""Tensors from numbers, and of other dtypes."""

import tensorflow as tf

from . import b1, c8, f2, f4, f8, i1, i4, i8, inf, nan, ramp, u1, u8


def record(r):
    for value in (5, 2.5, True, [1, 2], [[1.0, 2.0], [3.0, 4.0]], 1 + 2j, [], [True, False]):
        r.call("constant", value)
        r.call("convert_to_tensor", value)
    r.call("constant", 2**40)
    r.call("constant", [1, 2.5])
    r.call("constant", [1, True])
    r.call("constant", [[1], [2, 3]])
    r.call("constant", [1, 2], dtype=tf.float32)
    r.call("constant", [1.5], dtype=tf.int32)
    r.call("constant", 300, tf.int8)
    r.call("constant", [2**40 + 7, -1], tf.uint8)
    r.call("constant", [[2**31], [-(2**31) - 1]], tf.int32)
    r.call("constant", 200, tf.uint8)
    r.call("constant", 0, tf.float64, (2, 2))
    r.call("constant", [1, 2, 3, 4], shape=(2, 2))
    r.call("constant", [1, 2, 3], shape=(2, 2))
    r.call("convert_to_tensor", f4([1.0]), dtype=tf.float32)
    r.call("convert_to_tensor", f4([1.0]), dtype=tf.float64)
    r.call("convert_to_tensor", [1, 2], dtype=tf.int64)
    r.call("convert_to_tensor", [1, 2], dtype_hint=tf.float32)
    r.call("convert_to_tensor", [1.5], dtype_hint=tf.int32)
    casts(r)
    filled(r)
    ranges(r)
    sizes(r)


def casts(r):
    x = f4([-1.75, 0.0, 2.5])
    for dtype in (tf.int32, tf.float64, tf.bool, tf.complex64, tf.float16, tf.int8):
        r.call("cast", x, dtype)
    r.call("cast", i4([300, -1]), tf.uint8)
    r.call("cast", b1([True, False]), tf.float32)
    r.call("cast", c8([1 + 2j]), tf.float32)
    r.call("cast", [1, 2], tf.float32)
    r.call("cast", 2.7, tf.int32)
    r.call("cast", u8([1]), "int64")
    r.call("saturate_cast", f4([-300.0, 20.5, 300.0]), tf.int8)
    r.call("saturate_cast", i4([-5, 300]), tf.uint8)
    r.call("saturate_cast", f8([1e300, -2.0]), tf.float32)


def filled(r):
    for name in ("zeros", "ones"):
        r.call(name, [2, 3])
        r.call(name, (2,), tf.int32)
        r.call(name, [], dtype=tf.bool)
        r.call(name, [0, 2])
        r.call(name, 3)
        r.call(name, i4([1, 2]))
        r.call(name, [-1])
        r.call(f"{name}_like", f8([[1.0, 2.0]]))
        r.call(f"{name}_like", i4([1, 2]), dtype=tf.float32)
        r.call(f"{name}_like", [1, 2])
    r.call("fill", [2, 2], 7)
    r.call("fill", [3], 1.5)
    r.call("fill", [2], i8(4))
    r.call("eye", 3)
    r.call("eye", 2, 3, dtype=tf.int32)
    r.call("eye", 2, batch_shape=[2])
    r.call("one_hot", i4([0, 2, -1]), 3)
    r.call("one_hot", [[0], [1]], depth=2, on_value=5, off_value=-1)
    r.call("one_hot", i4([1]), 2, on_value=True, off_value=False)
    r.call("one_hot", i4([0, 1]), 3, axis=0, dtype=tf.float64)
    r.call("meshgrid", f4([1.0, 2.0]), f4([3.0, 4.0, 5.0]))
    r.call("meshgrid", i4([1, 2]), i4([3]), indexing="ij")
    r.call("meshgrid", [1, 2], [3.5])
    r.call("meshgrid", [1, 2], [3])
    r.call("sequence_mask", i4([1, 3, 2]))
    r.call("sequence_mask", [1, 3], 4)
    r.call("sequence_mask", i4([[1], [2]]), 3, tf.float32)
    r.call("identity", f4([1.0]))
    r.call("identity", [1, 2])
    r.call("identity", 2.5)
    r.call("identity_n", [f4([1.0]), i4([2])])
    r.call("identity_n", [f4([[1.0]])])
    r.call("stop_gradient", f4([1.0, 2.0]))
    r.call("stop_gradient", i4([1]))


def ranges(r):
    r.call("range", 5)
    r.call("range", 1, 7, 2)
    r.call("range", 5, 0, -2)
    r.call("range", 0.0, 1.0, 0.25)
    r.call("range", 3, dtype=tf.float64)
    r.call("range", i8(4))
    r.call("range", 5, 0)
    r.call("range", 0, 5, 0)
    r.call("linspace", 0.0, 1.0, 5)
    r.call("linspace", f8(1.0), f8(3.0), num=3)
    r.call("linspace", f4([0.0, 10.0]), f4([1.0, 20.0]), 3)
    r.call("linspace", f4([0.0, 10.0]), f4([1.0, 20.0]), 3, axis=-1)
    r.call("linspace", 0, 10, 3)
    r.call("linspace", 2.0, 3.0, 1)
    r.call("linspace", 2.0, 3.0, 0)


def sizes(r):
    x = f4([[1.0, 2.0, 3.0]])
    for name in ("shape", "size"):
        r.call(name, x)
        r.call(name, x, tf.int64)
        r.call(name, 3.5)
    r.call("rank", x)
    r.call("rank", 1)
    r.call("rank", [[1], [2]])
    r.call("is_tensor", x)
    r.call("is_tensor", 3)
    r.call("is_tensor", [1.0])
    r.call("ensure_shape", x, [1, 3])
    r.call("ensure_shape", x, [None, 3])
    r.call("ensure_shape", x, [2, 3])
    r.call("broadcast_dynamic_shape", i4([2, 1]), i4([3]))
    r.call("broadcast_dynamic_shape", i4([1, 2, 3]), i4([5, 1, 3]))
    r.call("broadcast_dynamic_shape", i4([2]), i4([3]))
