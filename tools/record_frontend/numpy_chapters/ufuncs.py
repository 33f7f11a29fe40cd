"""Each ufunc on several dtypes, shapes and kinds of operands."""

import numpy as np

from . import b1, c8, c16, f2, f4, f8, i1, i4, i8, inf, nan, u1, u8

# Names by what their arguments may be; outside of it the results are NaN or infinite, which is recorded as well.
ANY = (
    "abs absolute fabs negative positive conj conjugate exp exp2 expm1 sin cos tan sinh cosh tanh arctan atan arcsinh asinh "
    "cbrt ceil floor trunc rint sign signbit spacing square isfinite isinf isnan logical_not deg2rad radians rad2deg "
    "degrees frexp modf"
).split()
UNIT = "acos arccos asin arcsin atanh arctanh".split()
POSITIVE = "log log2 log10 log1p sqrt reciprocal acosh arccosh".split()
WHOLE = "invert bitwise_not bitwise_invert bitwise_count".split()

BINARY = (
    "add subtract multiply divide true_divide floor_divide mod remainder fmod divmod power pow float_power arctan2 atan2 "
    "hypot logaddexp logaddexp2 maximum minimum fmax fmin copysign nextafter equal not_equal less less_equal greater "
    "greater_equal logical_and logical_or logical_xor heaviside"
).split()
WHOLE_BINARY = (
    "bitwise_and bitwise_or bitwise_xor left_shift right_shift bitwise_left_shift bitwise_right_shift gcd lcm"
).split()


def record(r):
    for name in ANY:
        # What grows beyond a dtype's accuracy stays out of float16 and float32.
        r.call(name, f8([-1.5, -0.0, 0.25, 2.0, nan, inf]))
        unary(r, name)
    for name in UNIT:
        r.call(name, f8([-1.0, -0.25, 0.0, 0.5, 1.0, 2.0, nan]))
        unary(r, name)
    for name in POSITIVE:
        r.call(name, f8([0.125, 1.0, 2.5, 1e10, -3.0, inf, nan]))
        unary(r, name)
    for name in WHOLE:
        for x in (i8([-3, 0, 7]), u1([[0, 255], [1, 8]]), i1([-128, 127]), b1([True, False]), 5, f8([1.0])):
            r.call(name, x)
    for name in BINARY:
        binary(r, name)
    for name in WHOLE_BINARY:
        r.call(name, i8([12, -7, 0, 5]), i8([5, 3, 4, 0]))
        r.call(name, u1([200, 15]), i1([3, 1]))
        r.call(name, i4([[6], [9]]), [4, 3])
        r.call(name, b1([True, True, False]), b1([True, False, False]))
        r.call(name, i1([12, 7]), 2)
        r.call(name, f8([1.0]), i8([1]))
    r.call("ldexp", f8([0.5, 1.0, -1.5]), i4([1, 3, -2]))
    r.call("ldexp", f4([0.5, 1.0]), 4)
    r.call("ldexp", 5, i8([0, 1, 2]))
    r.call("ldexp", f8([1.0]), f8([2.0]))
    products(r)


def unary(r, name):
    r.call(name, f4([[0.5, 1.0], [0.75, 0.125]]))
    r.call(name, f2([0.5, 0.25]))
    r.call(name, i8([1, 0, 2]))
    r.call(name, u1([0, 1, 3]))
    r.call(name, b1([True, False]))
    r.call(name, c8([0.5 + 0.25j, -1.5j]))
    r.call(name, 0.5)
    r.call(name, [[1, 2]])
    r.call(name, np.zeros((0, 2), "float32"))


def binary(r, name):
    r.call(name, f8([1.5, -2.0, 7.0, 0.5]), f8([2.0, 3.0, -2.0, 0.25]))
    r.call(name, f8([nan, inf, 0.0, 1.0]), f8([1.0, inf, -0.0, nan]))
    r.call(name, i8([[7], [-7]]), i4([2, 3, 5]))
    r.call(name, i4([7, -8, 0]), i4([2, 3, 0]))
    r.call(name, u1([7, 250]), i1([2, 5]))
    r.call(name, u8([1, 2]), i8([3, 1]))
    r.call(name, f4([0.5, 2.0]), 3)
    r.call(name, f2([0.5, 2.0]), i4([1, 2]))
    r.call(name, u1([3, 4]), 2.5)
    r.call(name, 2, i1([1, 3]))
    r.call(name, b1([True, True, False]), b1([True, False, False]))
    r.call(name, c8([1 + 2j, 0.5]), f4([2.0, -1.0]))
    r.call(name, 7, 2)
    r.call(name, [1, 2], f4(2.0))
    r.call(name, f8([1.0, 2.0]), f8([1.0, 2.0, 3.0]))


def products(r):
    a, b = f8([[1, 2], [3, 4]]), f8([[0.5, -1], [2, 0]])
    r.call("matmul", a, b)
    r.call("matmul", i4([1, 2, 3]), i4([4, 5, 6]))
    r.call("matmul", np.ones((2, 1, 3), "float32"), np.ones((3, 2), "float64"))
    r.call("matmul", a, 2.0)
    r.call("matmul", a, f8([1, 2, 3]))
    r.call("matmul", b1([[True, False], [True, True]]), b1([[False, True], [True, False]]))
    r.call("vecdot", a, b)
    r.call("vecdot", c16([1 + 1j, 2j]), c16([1j, 1]))
    r.call("vecdot", i4([[1, 2], [3, 4]]), i4([1, -1]), axis=0)
    r.call("matvec", a, f8([1, -1]))
    r.call("matvec", i4([[[1, 2]], [[3, 4]]]), f4([1, 2]))
    r.call("matvec", a, f8([1, 2, 3]))
    r.call("vecmat", f8([1, -1]), a)
    r.call("vecmat", c16([1j, 2]), c16([[1, 2], [3, 1j]]))
    r.call("vecmat", f8([1, 2, 3]), a)
