"""Methods that change their tensor."""

import torch

from .operands import b, c, d, f, grid, i, t, whole

UNARY = ["abs", "absolute", "ceil", "cos", "erf", "exp", "exp2", "expm1", "floor", "frac", "neg", "negative", "reciprocal", "round", "rsqrt", "sigmoid", "sign", "sin", "sinh", "sqrt", "square", "tan", "tanh", "trunc", "relu", "log1p", "atan", "asinh", "logical_not", "zero"]
BINARY = ["add", "sub", "subtract", "mul", "multiply", "div", "divide", "pow", "fmod", "remainder", "floor_divide", "atan2", "copysign", "hypot", "logical_and", "logical_or", "eq", "ne", "lt", "le", "gt", "ge", "xlogy", "float_power"]


def record(r):
    def call(name, *args, **keywords):
        r.record(f"Tensor.{name}_", args, keywords, inplace=0)

    for name in UNARY:
        call(name, f(0.25, 1.5, -0.5))
        call(name, d(0.25, 1.5))
        call(name, i(4, 1))
    for name in BINARY:
        call(name, f(1.5, 2.0), f(2.0, 0.5))
        call(name, grid(2, 2).abs() + 1, 2.0)
        call(name, i(5, 7), i(2, 3))
        call(name, i(5, 7), 1.5)
        call(name, f(1.0), f(1.0, 2.0))
    for name in ("bitwise_and", "bitwise_or", "bitwise_xor", "bitwise_left_shift", "bitwise_right_shift", "gcd", "lcm"):
        call(name, i(12, 7), i(10, 3))
        call(name, i(12, 7), 1) if name not in ("gcd", "lcm") else call(name, i(12, 8), i(8))
        call(name, b(True, False), b(True, True))
    call("bitwise_not", i(5, -1))
    call("bitwise_not", b(True, False))
    call("bitwise_not", f(1.0))
    x = grid(2, 3)

    def fresh():
        return x.clone()

    call("add", fresh(), f(1.0, 2.0, 3.0), alpha=2)
    call("sub", fresh(), f(1.0, 2.0, 3.0), alpha=2)
    call("add", f(1.0).half(), d(1.0))
    call("add", i(1, dtype=torch.int8), i(300))
    call("addcmul", fresh(), fresh(), fresh(), value=0.5)
    call("addcmul", f(1.0), f(2.0), f(3.0))
    call("addcmul", i(1), i(2), i(3))
    call("addcdiv", fresh(), fresh(), fresh() + 2.25, value=0.5)
    call("addcdiv", f(1.0), f(2.0), f(4.0))
    call("addcdiv", i(1), i(2), i(3))
    for name in ("clamp", "clip"):
        call(name, fresh(), min=-0.5, max=0.5)
        call(name, i(1, 5), max=3)
        call(name, fresh())
    call("clamp_min", fresh(), 0.0)
    call("clamp_min", i(1, 5), 3)
    call("clamp_min", d(1.0), 2.0)
    call("clamp_max", fresh(), 0.0)
    call("clamp_max", i(1, 5), 3)
    call("clamp_max", d(1.0), 0.5)
    call("copy", fresh(), f(1.0, 2.0, 3.0))
    call("copy", fresh(), whole(2, 3))
    call("copy", i(1, 2), f(1.5, 2.5))
    call("copy", f(1.0), f(1.0, 2.0))
    call("fill", fresh(), 2)
    call("fill", i(1, 2), 2.5)
    call("fill", fresh(), t(3.0))
    call("fill_diagonal", fresh(), 9.0)
    call("fill_diagonal", whole(3, 3), 0)
    call("fill_diagonal", grid(4, 2), 9.0, wrap=True)
    call("lerp", f(1.0, 2.0), f(3.0, 4.0), 0.5)
    call("lerp", f(1.0, 2.0), f(3.0, 4.0), f(0.25, 0.75))
    call("lerp", d(1.0), d(3.0), 0.25)
    call("masked_fill", fresh(), x > 0, 0.0)
    call("masked_fill", i(1, 2), b(True, False), 7)
    call("masked_fill", i(1, 2), b(True, False), 7.5)
    call("masked_scatter", fresh(), x > 0, grid(2, 3) + 10)
    call("masked_scatter", f(1.0, 2.0), b(True, False), f(5.0))
    call("masked_scatter", i(1, 2), b(False, True), i(9))
    call("index_add", fresh(), 0, i(0, 0), grid(2, 3))
    call("index_add", fresh(), 1, i(2), grid(2, 1), alpha=2)
    call("index_add", i(1, 2), 0, i(1), i(5))
    call("index_copy", fresh(), 0, i(1), grid(1, 3))
    call("index_copy", f(1.0, 2.0), 0, i(0), f(5.0))
    call("index_copy", i(1, 2), 0, i(1), i(5))
    call("index_fill", fresh(), 1, i(0, 2), 9.0)
    call("index_fill", i(1, 2), 0, i(0), 7)
    call("index_fill", f(1.0), 0, i(0), t(3.0))
    call("index_put", fresh(), (i(0, 1), i(2, 0)), f(7.0, 8.0))
    call("index_put", f(1.0, 2.0), (i(1, 1),), f(7.0, 8.0), accumulate=True)
    call("index_put", f(1.0, 2.0), (b(True, False),), t(9.0))
    call("scatter", fresh(), 1, t([[0], [2]]), t([[10.0], [20.0]]))
    call("scatter", fresh(), 1, t([[0], [2]]), 5.0)
    call("scatter", f(1.0, 2.0), 0, i(0, 0), f(2.0, 3.0), reduce="add")
    call("scatter_add", fresh(), 1, t([[0, 0, 0], [2, 1, 0]]), fresh())
    call("scatter_add", f(1.0, 2.0), 0, i(1), f(5.0))
    call("scatter_add", i(1, 2), 0, i(1), i(5))
    call("scatter_reduce", f(1.0, 2.0), 0, i(1, 1), f(5.0, 6.0), "sum")
    call("scatter_reduce", f(1.0, 2.0), 0, i(1, 1), f(5.0, 6.0), "amax")
    call("scatter_reduce", f(1.0, 2.0), 0, i(1, 1), f(5.0, 6.0), "mean", include_self=False)
    for name in ("cumsum", "cumprod"):
        call(name, fresh(), 1)
        call(name, i(1, 2, 3), 0)
        call(name, d(1.0, 2.0), 0)
    for name in ("tril", "triu"):
        call(name, grid(3, 3))
        call(name, fresh(), 1)
        call(name, whole(3, 3), -1)
    call("addmm", grid(2, 2), fresh(), grid(3, 2))
    call("addmm", grid(2, 2), fresh(), grid(3, 2), beta=0.5, alpha=2)
    call("addmm", grid(2, 2), fresh(), fresh())
    call("addmv", f(1.0, 2.0), fresh(), f(1.0, 2.0, 3.0))
    call("addmv", f(1.0, 2.0), fresh(), f(1.0, 2.0, 3.0), beta=0.5, alpha=2)
    call("addmv", f(1.0, 2.0, 3.0), fresh(), f(1.0, 2.0, 3.0))
    call("nan_to_num", f(float("nan"), 1.0))
    call("nan_to_num", f(float("inf"), 1.0), posinf=3.0)
    call("nan_to_num", i(1, 2))
    call("renorm", fresh(), 2, 0, 1.0)
    call("renorm", fresh(), 1, 1, 0.5)
    call("renorm", d(1.0, 2.0).reshape(1, 2), 2, 0, 1.0)
    for name, args in (("uniform", (0.0, 2.0)), ("normal", (1.0, 2.0)), ("exponential", (1.5,)), ("random", ()), ("bernoulli", (0.25,))):
        for value in (grid(2, 2), d(1.0, 2.0), torch.zeros(0)):
            r.record(f"Tensor.{name}_", (value, *args), inplace=0, compare="shape")
    for name, args in (("log_normal", (0.5, 0.25)), ("cauchy", (1.0, 2.0)), ("geometric", (0.25,))):
        for value in (grid(2, 2), d(1.0, 2.0), torch.zeros(0)):
            r.record(f"Tensor.{name}_", (value, *args), inplace=0, compare="shape")
    call("cauchy", f(1.0), 0.0, -1.0)
    call("geometric", f(1.0), 1.5)
    call("polygamma", f(0.25, -0.5), 1)
    call("polygamma", d(1.5, 2.5), 2)
    call("polygamma", i(1), 1)
    functions(r)


#: Functions of the module's own that change their tensor, of one argument, with numbers that they take.
FUNCTIONS = {
    "abs": (-1.5, 0.25), "acos": (0.25, -0.5), "arccos": (0.5, 1.0), "acosh": (1.5, 2.0), "arccosh": (1.0, 3.0), "asin": (0.25, -0.5), "arcsin": (0.5, 1.0),
    "asinh": (0.25, -3.0), "arcsinh": (2.0, 1.0), "atan": (0.25, -3.0), "arctan": (2.0, 1.0), "atanh": (0.25, -0.5), "arctanh": (0.5, 0.75), "ceil": (1.5, -0.5),
    "conj_physical": (1.5, 2.0), "cos": (1.5, -0.5), "cosh": (1.5, -0.5), "deg2rad": (90.0, -45.0), "erf": (0.5, -1.0), "erfc": (0.5, -1.0), "exp": (0.5, -1.0),
    "exp2": (0.5, -1.0), "expm1": (0.5, -1.0), "fix": (1.5, -1.5), "floor": (1.5, -1.5), "frac": (1.75, -1.5), "i0": (0.5, -1.0), "log": (0.5, 2.0), "log10": (0.5, 100.0),
    "log1p": (0.5, 2.0), "log2": (0.5, 8.0), "logit": (0.25, 0.5), "neg": (1.0, -2.0), "negative": (1.0, -2.0), "rad2deg": (0.5, 1.0), "reciprocal": (0.5, 4.0), "relu": (0.5, -4.0),
    "round": (0.5, 1.5), "rsqrt": (0.25, 4.0), "sigmoid": (0.5, -1.0), "sin": (0.5, -1.0), "sinc": (0.5, 0.0), "sinh": (0.5, -1.0), "sqrt": (0.25, 4.0), "square": (0.5, -3.0), "tan": (0.5, -1.0),
    "tanh": (0.5, -1.0), "trunc": (1.5, -1.5), "zero": (1.5, -1.5), "selu": (0.5, -1.0), "celu": (0.5, -1.0),
}  # fmt: skip


def functions(r):
    """``torch.exp_(x)`` and the like."""

    def call(name, *args, **keywords):
        r.record(f"{name}_", args, keywords, inplace=0)

    for name, numbers in FUNCTIONS.items():
        call(name, f(*numbers))
        call(name, d(*numbers))
        call(name, i(4, 1))
    for name in ("gcd", "lcm"):
        call(name, i(12, 7), i(10, 3))
        call(name, i(12, 8), i(8))
        call(name, f(1.0), f(2.0))
    for name in ("xlogy", "ldexp"):
        call(name, f(1.5, 2.0), f(2.0, 1.0))
        call(name, d(1.5, 0.0), d(2.0, 3.0))
        call(name, i(5, 7), f(2.0, 3.0))
    x = grid(2, 3)
    for name in ("clamp", "clip"):
        call(name, x.clone(), min=-0.5, max=0.5)
        call(name, i(1, 5), max=3)
        call(name, f(1.0))
    call("clamp_min", x.clone(), 0.0)
    call("clamp_max", x.clone(), 0.0)
    call("clamp_min", i(1, 5), 3)
    call("clamp_max", i(1, 5), 3)
    call("clamp_min", d(1.0), 2.0)
    call("clamp_max", d(1.0), 0.5)
    call("fill", x.clone(), 2)
    call("fill", i(1, 2), 2.5)
    call("fill", f(1.0), t(3.0))
    call("addmv", f(1.0, 2.0), x.clone(), f(1.0, 2.0, 3.0))
    call("addmv", f(1.0, 2.0), x.clone(), f(1.0, 2.0, 3.0), beta=0.5, alpha=2)
    call("addmv", f(1.0, 2.0, 3.0), x.clone(), f(1.0, 2.0, 3.0))
    call("index_put", x.clone(), (t([0, 1]), t([2, 0])), f(5.0, 6.0))
    call("index_put", x.clone(), (t([0, 0]),), f(1.0), accumulate=True)
    call("index_put", i(1, 2), (t([1]),), i(7))
    call("nan_to_num", f(float("nan"), 1.0))
    call("nan_to_num", f(float("inf"), 1.0), posinf=3.0)
    call("nan_to_num", i(1, 2))
    call("detach", f(1.0, 2.0))
    call("detach", d(1.0))
    call("detach", i(1, 2))
    call("threshold", f(0.5, 2.0), 1.0, 7.0)
    call("threshold", d(0.5, 2.0), 1.0, 7.0)
    call("threshold", i(1, 5), 3, 9)
    call("rrelu", f(0.5, 2.0))
    call("rrelu", f(-0.5, 2.0), 0.25, 0.25)
    call("rrelu", i(1))
    for name in ("dropout", "alpha_dropout"):
        call(name, f(0.5, 2.0), 0.5, False)
        call(name, d(0.5, 2.0), 0.0, True)
        call(name, f(1.0), 1.5, True)
