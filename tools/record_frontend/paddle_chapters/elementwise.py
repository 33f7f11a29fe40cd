"""Element by element, on several dtypes, shapes and kinds of operands."""

import paddle

from . import b1, c8, c16, f4, f8, i1, i4, i8, inf, nan, u1

ANY = "abs neg exp expm1 sin cos tan sinh cosh tanh asinh atan sigmoid sign square erf ceil floor trunc frac stanh sinc".split()
UNIT = "acos asin atanh erfinv".split()
POSITIVE = "log log2 log10 log1p sqrt rsqrt reciprocal acosh i0".split()
SPECIAL = "lgamma digamma".split()
TESTS = "isfinite isinf isnan isneginf isposinf signbit isreal".split()
BINARY = (
    "add subtract multiply divide floor_divide remainder pow maximum minimum fmax fmin "
    "equal not_equal less_than less_equal greater_than greater_equal"
).split()
FLOAT_BINARY = "atan2 hypot copysign heaviside nextafter logaddexp".split()


def record(r):
    for name in ANY:
        r.call(name, f8([-1.5, 0.0, 0.25, 2.0]))
        r.call(name, f4([[0.5, -1.0], [0.75, 0.125]]))
        r.call(name, i4([1, 0, -2]))
    for name in UNIT:
        r.call(name, f8([-0.75, -0.25, 0.0, 0.5]))
        r.call(name, f4([[0.5], [-0.125]]))
    for name in POSITIVE:
        r.call(name, f8([1.0, 1.25, 2.5, 100.0]))
        r.call(name, f4([[1.5], [3.0]]))
    for name in SPECIAL:
        r.call(name, f8([0.5, 1.0, 3.25, 10.0]))
        r.call(name, f4([[2.5, 0.75]]))
    for name in TESTS:
        r.call(name, f8([-1.5, 0.0, inf, -inf, nan]))
        r.call(name, f4([[-0.0]]))
    for name in BINARY:
        r.call(name, f8([1.5, -2.0, 7.25, 3.0]), f8([2.0, 0.5, -2.0, 3.0]))
        r.call(name, i4([[7], [2]]), i4([2, 3]))
        r.call(name, f4([1.0, 2.0]), f8([1.0, 3.0]))
        r.call(name, i4([1]), i8([1]))
        r.call(name, i8([1]), f4([1.5]))
        r.call(name, f4([1.0, 2.0]), f4([1.0, 2.0, 3.0]))
    for name in FLOAT_BINARY:
        r.call(name, f8([0.5, 1.5, -2.0, 0.0]), f8([2.0, 0.5, 0.25, 0.0]))
        r.call(name, f4([[1.5], [0.0]]), f4([0.5, 4.0]))
    logic(r)
    complex_numbers(r)
    others(r)


def logic(r):
    p, q = b1([True, True, False, False]), b1([True, False, True, False])
    for name in ("logical_and", "logical_or", "logical_xor"):
        r.call(name, p, q)
        r.call(name, f4([1.5, 0.0]), f4([1.0, 1.0]))
        r.call(name, i4([[2], [0]]), i4([1, 0]))
    r.call("logical_not", p)
    r.call("logical_not", i4([2, 0]))
    for name in ("bitwise_and", "bitwise_or", "bitwise_xor"):
        r.call(name, i4([12, 7, -5]), i4([2, 3, 1]))
        r.call(name, u1([200, 15]), u1([3, 1]))
        r.call(name, b1([True]), b1([False]))
        r.call(name, f4([1.0]), f4([1.0]))
    for name in ("bitwise_left_shift", "bitwise_right_shift"):
        r.call(name, i4([12, 7, -5]), i4([2, 3, 1]))
        r.call(name, i8([6]), i8([1]))
    r.call("bitwise_not", i4([0, 5, -3]))
    r.call("bitwise_not", b1([True]))
    r.call("isin", i4([1, 2, 3]), i4([2, 5]))
    r.call("isin", f4([[1.0, 2.0]]), f4([2.0]), invert=True)
    for name in ("allclose", "isclose"):
        r.call(name, f4([1.0, 2.0]), f4([1.0, 2.00001]))
        r.call(name, f8([1.0, nan]), f8([1.0, nan]), equal_nan=True)
        r.call(name, f8([1.0, nan]), f8([1.5, nan]), rtol=0.1, atol=0.0)
    r.call("equal_all", i4([1, 2]), i4([1, 2]))
    r.call("equal_all", f4([1.0, 2.0]), f4([1.0, 3.0]))
    r.call("equal_all", f4([1.0, 2.0]), f4([1.0]))


def complex_numbers(r):
    z = c16([1 + 2j, -0.5j, 3 + 0j])
    for name in "abs neg exp conj real imag angle square reciprocal sgn".split():
        r.call(name, z)
    for name in ("real", "imag", "conj", "angle", "sgn"):
        r.call(name, c8([[1 - 1j]]))
        r.call(name, f4([1.5, -2.0]))
    r.call("multiply", z, c16([1j, 2 + 0j, 1 - 1j]))
    r.call("add", c8([1j]), f4([1.5]))
    r.call("complex", f4([1.0, -2.0]), f4([0.5, 3.0]))
    r.call("complex", f8([[1.0]]), f8([2.0, 3.0]))
    r.call("polar", f8([1.0, 2.0]), f8([0.0, 0.5]))
    r.call("polar", f4([[1.5]]), f4([-1.0]))
    r.call("as_complex", f4([[1.0, 2.0], [3.0, 4.0]]))
    r.call("as_complex", f4([1.0]))
    r.call("as_real", z)
    r.call("as_real", c8(1j))


def others(r):
    x = f4([[1.5, -2.0]])
    r.call("add", x, f4([1.0, 1.0]), alpha=2)
    r.call("subtract", x, f4([1.0, 1.0]), alpha=0.5)
    r.call("divide", f8([7.0, -7.0]), f8([2.0, 2.0]), rounding_mode="floor")
    r.call("divide", f8([7.0, -7.0]), f8([2.0, 2.0]), rounding_mode="trunc")
    r.call("divide", i8([7]), i8([2]))
    r.call("pow", x, 2)
    r.call("pow", i4([2, 3]), 2)
    r.call("pow", f8([4.0]), 0.5)
    r.call("scale", x, 2.0, 1.0)
    r.call("scale", x, scale=2.0, bias=1.0, bias_after_scale=False)
    r.call("scale", i4([1, 2]), 3)
    r.call("clip", x, -1.0, 1.0)
    r.call("clip", i4([[-5, 0], [3, 9]]), min=-1)
    r.call("clip", f8([0.5, 5.0]), max=2.0)
    r.call("lerp", f4([0.0, 1.0]), f4([10.0, 2.0]), 0.5)
    r.call("lerp", f8([0.0, 1.0]), f8([10.0, 2.0]), f8([0.25, 1.0]))
    r.call("nan_to_num", f4([nan, inf, -inf, 1.0]))
    r.call("nan_to_num", f8([nan, inf]), nan=2.0, posinf=9.0)
    r.call("logit", f8([0.25, 0.5]))
    r.call("logit", f4([0.0, 0.75]), eps=0.1)
    r.call("round", f8([-1.5, 0.5, 2.5, 1.26]))
    r.call("round", f4([1.234, -5.678]), 2)
    r.call("deg2rad", f4([180.0, 45.0]))
    r.call("rad2deg", f8([3.0]))
    r.call("deg2rad", i4([90]))
    r.call("gcd", i4([12, -7, 0]), i4([8, 21, 5]))
    r.call("lcm", i8([4, 6]), i8([6, 0]))
    r.call("ldexp", f4([1.5, -2.0]), i4([2, -1]))
    r.call("ldexp", f8([1.0]), i4([[3]]))
    r.call("polygamma", f8([1.5, 2.0]), 1)
    r.call("polygamma", f4([0.5]), 2)
    r.call("add_n", [x, x])
    r.call("add_n", [f8([1.0]), f8([2.0]), f8([4.0])])
    r.call("true_divide", f4([1.0, 3.0]), f4([2.0, 4.0]))
    r.call("positive", x)
    r.call("gammaln", f8([4.0, 2.5]))
    r.call("maximum", f4([nan, 1.0]), f4([2.0, nan]))
    r.call("fmax", f4([nan, 1.0]), f4([2.0, nan]))
    for name in "i0e i1 i1e".split():
        r.call(name, f8([-3.0, 0.0, 0.5, 12.0]))
        r.call(name, f4([[1.5]]))
        r.call(name, i4([2]))
    for name in "gammainc gammaincc".split():
        r.call(name, f8([0.5, 2.0, 5.0]), f8([1.5, 1.0, 0.25]))
        r.call(name, f4([[0.5, 2.0]]), f4([[1.5, 3.0]]))
        r.call(name, f4([0.5]), f8([1.5]))
    r.call("multigammaln", f8([3.0, 4.5]), 2)
    r.call("multigammaln", f4([3.0]), 1)
    r.call("multigammaln", f4([3.0]), 0)
    r.call("view_as_complex", f4([[1.0, 2.0]]))
    r.call("view_as_real", c8([1 + 2j, -1j]))
    r.call("Tensor.i0e", f4([0.5]))
    r.call("Tensor.gammainc", f4([0.5]), f4([1.5]))
