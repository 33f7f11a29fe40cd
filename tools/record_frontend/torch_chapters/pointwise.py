"""Element by element."""

import torch

from .operands import INF, NAN, b, c, d, f, grid, i, t, whole

# Functions of one tensor, with the numbers that they are asked for.
UNARY = {
    "abs": (-2.0, -0.0, 3.5), "acos": (-1.0, 0.25, 1.5), "acosh": (1.0, 2.5, 0.5), "asin": (-1.0, 0.25, 1.5), "asinh": (-2.0, 0.0, 3.0),
    "atan": (-2.0, 0.5, INF), "atanh": (-0.5, 0.25, 1.0), "ceil": (-1.5, 0.5, 2.0), "cos": (-1.0, 0.0, 2.5), "cosh": (-1.0, 0.0, 2.5),
    "deg2rad": (-180.0, 30.0, 90.0), "digamma": (0.5, 1.0, 4.25), "erf": (-1.0, 0.25, 3.0), "erfc": (-1.0, 0.25, 3.0), "erfinv": (-0.5, 0.25, 1.0),
    "exp": (-1.0, 0.0, 2.0), "exp2": (-1.0, 0.5, 3.0), "expm1": (-1.0, 1e-5, 2.0), "floor": (-1.5, 0.5, 2.0), "frac": (-1.25, 0.5, 2.75),
    "i0": (-1.0, 0.5, 3.0), "lgamma": (0.5, 1.0, 6.25), "log": (0.5, 1.0, 0.0), "log10": (0.5, 100.0, -1.0), "log1p": (-0.5, 1e-5, 3.0),
    "log2": (0.5, 8.0, 3.0), "neg": (-1.0, 0.0, 2.5), "positive": (-1.0, 0.0, 2.5), "rad2deg": (-1.0, 0.5, 3.0), "reciprocal": (-2.0, 0.5, 0.0),
    "round": (-1.5, 0.5, 2.5), "rsqrt": (0.25, 4.0, 0.0), "sigmoid": (-2.0, 0.0, 3.0), "sign": (-2.0, 0.0, 3.0), "sgn": (-2.0, 0.0, 3.0),
    "sin": (-1.0, 0.0, 2.5), "sinc": (-1.0, 0.0, 0.25), "sinh": (-1.0, 0.0, 2.5), "sqrt": (0.25, 2.0, -1.0), "square": (-1.5, 0.0, 3.0),
    "tan": (-1.0, 0.0, 0.5), "tanh": (-1.0, 0.0, 0.5), "trunc": (-1.5, 0.5, 2.75), "relu": (-1.5, 0.0, NAN), "selu": (-1.5, 0.0, 2.0),
    "signbit": (-1.5, 0.0, -0.0), "isnan": (-1.0, NAN, INF), "isfinite": (-1.0, NAN, INF), "isinf": (-1.0, NAN, INF),
}
REAL_ONLY = {"ceil", "deg2rad", "digamma", "erf", "erfc", "erfinv", "floor", "frac", "i0", "lgamma", "rad2deg", "round", "sign", "trunc", "relu", "selu", "signbit"}
NAMES = ["absolute", "arccos", "arccosh", "arcsin", "arcsinh", "arctan", "arctanh", "fix", "negative"]

BINARY = [
    "add", "sub", "mul", "div", "atan2", "copysign", "floor_divide", "fmod", "remainder", "hypot", "logaddexp", "logaddexp2", "maximum", "minimum",
    "fmax", "fmin", "pow", "float_power", "nextafter", "xlogy", "heaviside", "eq", "ne", "lt", "le", "gt", "ge", "logical_and", "logical_or", "logical_xor",
]
MORE_NAMES = ["subtract", "multiply", "divide", "true_divide", "arctan2", "not_equal", "less", "less_equal", "greater", "greater_equal"]
BITS = ["bitwise_and", "bitwise_or", "bitwise_xor", "bitwise_left_shift", "bitwise_right_shift", "gcd", "lcm"]


def record(r):
    for name, numbers in UNARY.items():
        r.call(name, f(*numbers))
        r.call(name, d(*numbers).reshape(1, 3))
        r.call(name, i(-2, 0, 3))
        if name in REAL_ONLY:
            r.call(name, c(1 + 2j, -0.5j))
        else:
            r.call(name, c(0.5 + 0.25j, -0.5j))
    for name in NAMES:
        r.call(name, f(0.25, 0.5))
        r.call(name, t(0.75))
        r.call(name, torch.zeros(0))
    for name in BINARY:
        r.call(name, f(1.5, -2.0, 0.25), f(2.0, 0.5, -1.0))
        r.call(name, grid(2, 3).abs() + 0.5, d(0.5, 1.0, 2.0))
        r.call(name, i(7, 2, 5), i(2, 3, 1))
        r.call(name, t([[1.0], [2.0]]), 2.0)
        r.call(name, i(3, 4, dtype=torch.int8), i(300, 2))
        r.call(name, f(1.0, 2.0), f(1.0, 2.0, 3.0))
    for name in MORE_NAMES:
        r.call(name, f(1.5, -2.0), f(2.0, 0.5))
        r.call(name, f(1.5, -2.0), i(2, 1))
        r.call(name, i(5, 7), 2)
    for name in BITS:
        r.call(name, i(12, 7, 5), i(10, 3, 1))
        r.call(name, i(12, 7, dtype=torch.uint8), i(2, 1, dtype=torch.int16))
        r.call(name, b(True, False), b(True, True))
        r.call(name, f(1.0), f(2.0))
    several(r)
    complex_numbers(r)


def several(r):
    x = grid(2, 3)
    for name in ("add", "sub"):
        r.call(name, x, f(1.0, 2.0, 3.0), alpha=2)
        r.call(name, i(1, 2), i(3, 4), alpha=3)
        r.call(name, i(1, 2), 3, alpha=2.5)
        r.call(name, b(True, False), b(True, True))
    r.call("rsub", x, f(1.0, 2.0, 3.0))
    r.call("rsub", x, 2, alpha=0.5)
    r.call("rsub", i(1, 2), 10)
    for name in ("addcmul", "addcdiv"):
        r.call(name, x, f(1.0, 2.0, 4.0), f(0.5, 2.0, 1.0))
        r.call(name, x, f(1.0, 2.0, 4.0), f(0.5, 2.0, 1.0), value=0.5)
        r.call(name, i(1, 2), i(3, 4), i(5, 6), value=2)
    for mode in (None, "trunc", "floor", "up"):
        r.call("div", f(7.0, -7.0, 5.5), f(2.0, 2.0, -2.0), rounding_mode=mode)
        r.call("div", i(7, -7), i(2, 2), rounding_mode=mode)
    r.call("bitwise_not", i(5, -1, 0))
    r.call("bitwise_not", b(True, False))
    r.call("bitwise_not", f(1.0))
    r.call("logical_not", i(5, 0))
    r.call("logical_not", b(True, False))
    r.call("logical_not", f(0.0, 2.5))
    for name in ("clamp", "clip"):
        r.call(name, x, min=-0.5, max=1.0)
        r.call(name, i(1, 5, 9), min=2, max=6.5)
        r.call(name, x, max=f(0.0, 1.0, 2.0))
        r.call(name, x)
        r.call(name, x, 2.0, 1.0)
    r.call("clamp_min", x, 0.5)
    r.call("clamp_min", i(1, 5), 3)
    r.call("clamp_min", x, f(0.0, 1.0, 2.0))
    r.call("clamp_max", x, 0.5)
    r.call("clamp_max", i(1, 5), 3)
    r.call("clamp_max", x, f(0.0, 1.0, 2.0))
    r.call("frexp", f(8.0, 0.375, -3.0))
    r.call("frexp", d(0.0, 1.0))
    r.call("frexp", i(8, 1))
    r.call("gradient", f(1.0, 2.0, 4.0, 8.0))
    r.call("gradient", grid(2, 3), spacing=2.0)
    r.call("gradient", grid(3, 3), dim=1, edge_order=2)
    r.call("ldexp", f(1.0, 1.5), i(2, 3))
    r.call("ldexp", i(3, 5), i(1, -1))
    r.call("ldexp", d(1.5), i(4))
    r.call("lerp", f(1.0, 2.0), f(10.0, 20.0), 0.5)
    r.call("lerp", f(1.0, 2.0), f(10.0, 20.0), f(0.25, 0.75))
    r.call("lerp", d(1.0, 2.0), d(10.0, 20.0), 1.5)
    r.call("logit", f(0.25, 0.5, 0.75))
    r.call("logit", f(0.0, 0.5, 1.0), eps=0.125)
    r.call("logit", d(0.25, 1.0, 2.0))
    r.call("mvlgamma", f(3.0, 4.5), 2)
    r.call("mvlgamma", d(3.0), 3)
    r.call("mvlgamma", i(4, 5), 2)
    r.call("nan_to_num", f(NAN, INF, -INF, 1.0))
    r.call("nan_to_num", f(NAN, INF, -INF, 1.0), nan=2.0, posinf=1.0, neginf=-1.0)
    r.call("nan_to_num", i(1, 2))
    r.call("polygamma", 1, f(0.5, 2.0))
    r.call("polygamma", 2, d(1.0, 3.5))
    r.call("polygamma", 0, f(0.5, 2.0))
    r.call("pow", 2.0, f(1.0, 3.0))
    r.call("pow", 2, i(1, 3))
    r.call("pow", i(2, 3), 2)
    r.call("pow", i(2, 3), -1)
    r.call("pow", i(2, 3), 0.5)
    r.call("pow", f(-8.0), 1 / 3)
    r.call("remainder", 7, i(2, -3))
    r.call("remainder", f(-7.5, 7.5), -2.0)
    r.call("fmod", f(-7.5, 7.5), -2.0)
    r.call("round", f(1.234, -5.678), decimals=1)
    r.call("round", f(1234.0, 5678.0), decimals=-2)
    r.call("round", i(15, 25), decimals=1)
    r.call("sign", b(True, False))
    for name in ("softmax", "log_softmax"):
        r.call(name, x, 1)
        r.call(name, x, dim=0, dtype=torch.float64)
        r.call(name, i(1, 2), 0)
        r.call(name, i(1, 2), 0, dtype=torch.float32)
        r.call(name, t(2.0), 0)
        r.call(name, x, 5)
    r.call("celu", x)
    r.call("celu", x, alpha=2.0)
    r.call("celu", x.double(), 0.5)
    r.call("prelu", x, f(0.25))
    r.call("prelu", x, f(0.25, 0.5, 2.0))
    r.call("prelu", grid(2, 2, 2), f(0.25, 0.5))
    r.call("threshold", x, 0.5, 20.0)
    r.call("threshold", i(1, 5), 2, -1)
    r.call("threshold", x.double(), 0.0, -1.0)
    r.call("heaviside", f(-1.0, 0.0, 2.0), f(0.5))
    r.call("add", whole(2, 2), t(1.5))
    r.call("add", whole(2, 2, dtype=torch.int8), t(1, torch.int64))
    r.call("add", f(1.0, 2.0).half(), t(1.5, torch.float64))
    r.call("mul", f(1.0, 2.0).bfloat16(), f(1.5, 2.5).half())
    r.call("add", i(1, 2, dtype=torch.uint8), 300)
    r.call("add", b(True, False), 1)
    r.call("mul", b(True, False), 2.5)
    r.call("add", 1, f(1.0))
    r.call("sin", 1.0)
    r.call("sqrt", b(True, False))
    r.call("exp", f(1.0, 2.0).half())
    r.call("tanh", f(0.5, 2.0).bfloat16())


def complex_numbers(r):
    z = c(3 + 4j, -1j, 2)
    r.call("angle", z)
    r.call("angle", f(-1.0, 0.0, 2.0, NAN))
    r.call("angle", i(-1, 2))
    for name in ("real", "imag"):
        r.call(name, z)
        r.call(name, z.to(torch.complex128))
        r.call(name, f(1.0, 2.0))
    for name in ("conj", "conj_physical"):
        r.call(name, z)
        r.call(name, f(1.0, 2.0))
        r.call(name, i(1, 2))
    r.call("resolve_conj", z)
    r.call("resolve_conj", f(1.0))
    r.call("resolve_conj", i(1))
    r.call("resolve_neg", z)
    r.call("resolve_neg", f(1.0))
    r.call("resolve_neg", i(1))
    r.call("abs", z)
    r.call("mul", z, c(1j, 2, 1 + 1j))
    r.call("add", z, 1j)
    r.call("add", f(1.0, 2.0), 1j)
    r.call("div", z, c(1j, 2, 1 + 1j))
    r.call("isreal", z)
    r.call("isreal", f(1.0))
    r.call("isreal", i(1))
