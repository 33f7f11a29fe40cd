"""Element by element, on several dtypes, shapes and kinds of operands."""

import tensorflow as tf

from . import b1, bf, c8, c16, f2, f4, f8, i1, i4, i8, inf, nan, u1, u8

# Names by what their arguments may be.
ANY = "abs negative exp expm1 sin cos tan sinh cosh tanh asinh atan sigmoid sign square erf".split()
UNIT = "acos asin atanh".split()
POSITIVE = "log log1p sqrt rsqrt reciprocal acosh".split()
FLOATS = "ceil floor rint round erfc is_finite is_inf is_nan softplus softsign log_sigmoid bessel_i0".split()
SPECIAL = "lgamma digamma".split()

BINARY = (
    "add subtract multiply divide truediv floordiv floormod pow maximum minimum squared_difference "
    "equal not_equal less less_equal greater greater_equal"
).split()
FLOAT_BINARY = "atan2 divide_no_nan multiply_no_nan xdivy xlogy xlog1py nextafter".split()


def record(r):
    for name in ANY:
        r.call(f"math.{name}", f8([-1.5, -0.0, 0.25, 2.0, nan, inf]))
        r.call(f"math.{name}", f4([[0.5, -1.0], [0.75, 0.125]]))
        r.call(f"math.{name}", i4([1, 0, -2]))
        r.call(f"math.{name}", f2([0.5, -0.25]))
    for name in UNIT:
        r.call(f"math.{name}", f8([-0.75, -0.25, 0.0, 0.5, nan]))
        r.call(f"math.{name}", f4([[0.5], [-0.125]]))
        r.call(f"math.{name}", i4([0]))
    for name in POSITIVE:
        r.call(f"math.{name}", f8([1.0, 1.25, 2.5, 100.0, nan, inf]))
        r.call(f"math.{name}", f4([[1.5], [3.0]]))
        r.call(f"math.{name}", i8([1, 2]))
    for name in FLOATS:
        r.call(f"math.{name}", f8([-1.5, -0.5, 0.0, 0.5, 2.5, 3.75]))
        r.call(f"math.{name}", f4([[0.5, -2.25], [7.0, nan]]))
        r.call(f"math.{name}", i4([1, -2]))
    for name in SPECIAL:
        r.call(f"math.{name}", f8([0.5, 1.0, 3.25, 10.0, -1.5]))
        r.call(f"math.{name}", f4([[2.5, 0.75]]))
        r.call(f"math.{name}", i4([1]))
    for name in BINARY:
        binary(r, f"math.{name}")
    for name in FLOAT_BINARY:
        r.call(f"math.{name}", f8([0.0, 1.5, -2.0, 0.0]), f8([2.0, 0.5, 0.25, 0.0]))
        r.call(f"math.{name}", f4([[1.5], [0.0]]), f4([0.5, 4.0]))
        r.call(f"math.{name}", f4([1.0]), f8([1.0]))
    logic(r)
    complex_numbers(r)
    others(r)


def binary(r, name):
    r.call(name, f8([1.5, -2.0, 7.25, 3.0]), f8([2.0, 0.5, -2.0, 3.0]))
    r.call(name, i4([[7], [2]]), i4([2, 3]))
    r.call(name, f4([1.5, -2.5]), 2)
    r.call(name, 3.0, f4([2.0, 4.0]))
    r.call(name, [1, 2], [3, 4])
    r.call(name, u1([200, 15]), u1([100, 3]))
    r.call(name, f4([1.0]), f8([1.0]))
    r.call(name, i4([1]), i8([1]))
    r.call(name, i4([1, 2]), 1.5)
    r.call(name, f4([1.0, 2.0]), f4([1.0, 2.0, 3.0]))
    r.call(name, f4([]), f4([[2.0]]))
    r.call(name, f2([1.5, 0.25]), f2([0.5, 2.0]))
    r.call(name, bf([1.5, 0.25]), bf([0.5, 2.0]))


def logic(r):
    p, q = b1([True, True, False, False]), b1([True, False, True, False])
    for name in ("logical_and", "logical_or", "logical_xor"):
        r.call(f"math.{name}", p, q)
        r.call(f"math.{name}", p, True)
        r.call(f"math.{name}", i4([1, 0]), i4([1, 1]))
    r.call("math.logical_not", p)
    r.call("math.logical_not", False)
    r.call("math.logical_not", i4([1]))
    for name in ("bitwise_and", "bitwise_or", "bitwise_xor", "left_shift", "right_shift"):
        r.call(f"bitwise.{name}", i4([12, 7, -5]), i4([2, 3, 1]))
        r.call(f"bitwise.{name}", u1([200, 15]), u1([3, 1]))
        r.call(f"bitwise.{name}", i8([[6], [9]]), i8([1, 2]))
        r.call(f"bitwise.{name}", f4([1.0]), f4([1.0]))
        r.call(f"bitwise.{name}", i4([1]), i8([1]))
    r.call("bitwise.invert", i4([0, 5, -3]))
    r.call("bitwise.invert", u8([1]))
    r.call("bitwise.invert", f4([1.0]))


def complex_numbers(r):
    z = c16([1 + 2j, -0.5j, 3 + 0j])
    for name in "abs negative exp sqrt conj real imag angle square reciprocal sigmoid sign".split():
        r.call(f"math.{name}", z)
    for name in ("real", "imag", "conj", "angle"):
        r.call(f"math.{name}", c8([[1 - 1j]]))
        r.call(f"math.{name}", f4([1.5, -2.0]))
        r.call(f"math.{name}", i4([1]))
    r.call("math.multiply", z, c16([1j, 2 + 0j, 1 - 1j]))
    r.call("math.add", c8([1j]), 1.5)
    r.call("math.add", c8([1j]), f4([1.0]))
    r.call("complex", f4([1.0, -2.0]), f4([0.5, inf]))
    r.call("complex", f8([[1.0]]), f8([2.0, 3.0]))
    r.call("complex", f4([1.0]), f8([1.0]))
    r.call("complex", 1.5, -0.5)


def others(r):
    r.call("math.add_n", [f4([1.0, 2.0]), f4([3.0, 4.0]), f4([5.0, 6.0])])
    r.call("math.add_n", [i4([1]), i4([2])])
    r.call("math.add_n", [f4([1.0]), f4([1.0, 2.0])])
    for name in ("erfinv", "ndtri"):
        r.call(f"math.{name}", f8([0.125, 0.5, 0.75]))
        r.call(f"math.{name}", f4([[0.25]]))
        r.call(f"math.{name}", i4([0]))
    r.call("math.erfcinv", f8([0.5, 1.0, 1.5]))
    r.call("math.erfcinv", f4([[0.25]]))
    r.call("math.erfcinv", i4([1]))
    r.call("math.lbeta", f8([[1.5, 2.0, 0.5], [3.0, 1.0, 1.0]]))
    r.call("math.lbeta", f4([2.0, 3.0]))
    r.call("math.lbeta", f8([2.5]))
    r.call("math.polygamma", f8([0.0, 1.0, 2.0, 3.0]), f8([1.5, 2.0, 0.5, 4.0]))
    r.call("math.polygamma", f4([1.0]), f4([0.5, 2.0]))
    r.call("math.polygamma", f4([1.0]), f8([1.0]))
    r.call("math.polyval", [f4([2.0]), f4([-1.0]), f4([0.5])], f4([0.0, 1.0, -2.0]))
    r.call("math.polyval", [1, 2, 3], i4([[2], [3]]))
    r.call("math.polyval", [], f4([1.0, 2.0]))
    r.call("math.reciprocal_no_nan", f8([2.0, 0.0, -0.5]))
    r.call("math.reciprocal_no_nan", f4([[0.0]]))
    r.call("math.reciprocal_no_nan", i4([0]))
    r.call("math.scalar_mul", 2.0, f4([1.0, 2.0]))
    r.call("math.scalar_mul", f4(3.0), f4([[1.0], [2.0]]))
    r.call("math.scalar_mul", 3, i4([1, 2]))
    r.call("math.zeta", f8([2.0, 3.5]), f8([1.0, 2.0]))
    r.call("math.zeta", f4([4.0]), f4([0.5, 3.0]))
    r.call("math.zeta", f4([4.0]), f8([1.0]))
    for name in ("truncatediv", "truncatemod"):
        r.call(name, i4([7, -7, 7, -7]), i4([2, 2, -2, -2]))
        r.call(name, i8([[-9]]), i8([4, 5]))
        r.call(name, i4([1]), i8([1]))
    r.call("truncatemod", f8([-7.5, 5.5]), f8([2.0, -2.0]))
    r.call("realdiv", f4([1.0, 3.0]), f4([2.0, 4.0]))
    r.call("realdiv", f8([1.0]), 4.0)
    r.call("realdiv", f4([1.0]), f8([2.0]))
    r.call("clip_by_value", f4([-1.0, 0.5, 3.0]), 0.0, 1.0)
    r.call("clip_by_value", i4([[-5, 0], [3, 9]]), -1, 4)
    r.call("clip_by_value", f4([1.0, 5.0]), f4([2.0, 2.0]), f4([3.0, 3.0]))
    r.call("clip_by_value", i4([1, 2]), 0.5, 1.5)
    r.call("math.rsqrt", f4([4.0, 0.0]))
    r.call("math.pow", i4([2, 3]), i4([3, 0]))
    r.call("math.pow", f8([0.0, -8.0]), f8([0.0, 3.0]))
    r.call("math.floormod", f8([-7.5, 7.5, -0.5]), f8([2.0, -2.0, 4.0]))
    r.call("math.floordiv", i1([-7, 7]), i1([2, -2]))
    r.call("math.divide", u1([7, 200]), u1([2, 3]))
    r.call("math.equal", b1([True]), b1([False]))
    r.call("math.add", b1([True]), b1([False]))
    r.call("math.negative", u1([1]))
    r.call("math.square", i8([-3, 4]))
    r.call("math.sign", i8([-3, 0, 4]))
    r.call("math.abs", i8([-3, 4]))
    r.call("abs", f4([-3.0]))
    r.call("sqrt", f4([9.0]))
    r.call("add", f4([1.0]), f4([2.0]))
    for name in "bessel_i0e bessel_i1 bessel_i1e".split():
        r.call(f"math.{name}", f8([-3.0, 0.0, 0.5, 12.0]))
        r.call(f"math.{name}", f4([[1.5]]))
        r.call(f"math.{name}", i4([2]))
    for name in "igamma igammac".split():
        r.call(f"math.{name}", f8([0.5, 2.0, 5.0]), f8([1.5, 1.0, 0.25]))
        r.call(f"math.{name}", f4([[0.5], [2.0]]), f4([1.5, 3.0]))
        r.call(f"math.{name}", f4([0.5]), f8([1.5]))
    r.call("math.accumulate_n", [f4([1.0, 2.0]), f4([3.0, 4.0])])
    r.call("math.accumulate_n", [i4([1]), i4([3]), i4([5])])
