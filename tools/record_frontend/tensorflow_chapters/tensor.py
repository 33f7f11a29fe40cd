"""The operators, methods and properties of tensors."""

import tensorflow as tf

from . import b1, bf, c8, f2, f4, f8, i1, i4, i8, u1

ARITHMETIC = "add sub mul truediv floordiv mod pow".split()


def record(r):
    x, y = f4([[1.5, -2.0]]), f4([[2.0], [3.0]])
    for name in ARITHMETIC:
        r.call(f"Tensor.__{name}__", x, y)
        r.call(f"Tensor.__{name}__", x, 2)
        r.call(f"Tensor.__{name}__", i4([7, 2]), 3)
        r.call(f"Tensor.__{name}__", i4([7, 2]), 1.5)
        r.call(f"Tensor.__{name}__", i4([7]), f4([1.0]))
        r.call(f"Tensor.__{name}__", x, [1.0, 2.0])
        r.call(f"Tensor.__r{name}__", f4([4.0, 0.5]), 3.0)
        r.call(f"Tensor.__r{name}__", i8([4, 5]), 7)
        r.call(f"Tensor.__{name}__", f8([1.0]), f4([1.0]))
    r.call("Tensor.__matmul__", f4([[1.0, 2.0]]), f4([[3.0], [4.0]]))
    r.call("Tensor.__matmul__", f4([[1.0, 2.0]]), f8([[3.0], [4.0]]))
    r.call("Tensor.__matmul__", f4([1.0]), f4([1.0]))
    for name in ("lt", "le", "gt", "ge", "eq", "ne"):
        r.call(f"Tensor.__{name}__", x, y)
        r.call(f"Tensor.__{name}__", i4([1, 2]), 2)
        r.call(f"Tensor.__{name}__", i4([1]), i8([1]))
    for name in ("and", "or", "xor"):
        r.call(f"Tensor.__{name}__", b1([True, False]), b1([True, True]))
        r.call(f"Tensor.__{name}__", i4([12, 5]), i4([10, 3]))
        r.call(f"Tensor.__{name}__", i4([12]), 3)
        r.call(f"Tensor.__{name}__", f4([1.0]), f4([1.0]))
    for name in ("neg", "abs"):
        r.call(f"Tensor.__{name}__", x)
        r.call(f"Tensor.__{name}__", i4([-3]))
        r.call(f"Tensor.__{name}__", b1([True]))
    r.call("Tensor.__invert__", b1([True, False]))
    r.call("Tensor.__invert__", i4([5]))
    r.call("Tensor.__invert__", f4([5.0]))
    for name in ("shape", "dtype", "ndim", "get_shape"):
        for value in (x, i8(3), b1([])):
            r.call(f"Tensor.{name}", value)
