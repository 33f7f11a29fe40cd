"""Writes float64_goldens.tsv: elementary functions at float64 points, by arbitrary precision.

    python -m venv /tmp/venv && /tmp/venv/bin/pip install mpmath
    /tmp/venv/bin/python conformance/data/make_float64_goldens.py > conformance/data/float64_goldens.tsv

Every result is written as two float64, the value rounded and what was left, so that the
truth is known to more than 100 bits. Signed zeros are treated as the limit from their side.
"""

import random
import struct
from fractions import Fraction

import mpmath
from mpmath import mp, mpf

TINY = -6000  # exponent of the number that stands for a signed zero
GONE = -4000  # a result below 2**GONE is a signed zero
WORK = 16000  # bits of the complex evaluation
REAL = 2400  # bits of the real evaluation

random.seed(20251120)


def bits(x):
    return struct.pack(">d", x).hex()


def negative_zero(x):
    return x == 0 and struct.pack(">d", x)[0] == 0x80


def exact(m):
    """An mpf as a Fraction."""
    sign, man, exp, _ = m._mpf_
    f = Fraction(int(man)) * (Fraction(2) ** int(exp))
    return -f if sign else f


def nearest(f):
    try:
        return f.numerator / f.denominator
    except OverflowError:
        return float("inf") if f > 0 else float("-inf")


def pair(m):
    """The mpf as float64 (rounded once) and the rest."""
    if m == 0:
        return 0.0, 0.0
    if abs(m) < mpf(2) ** GONE:
        return (0.0 if m > 0 else -0.0), 0.0
    if abs(m) > mpf(2) ** 2000:
        return (float("inf") if m > 0 else float("-inf")), 0.0
    f = exact(m)
    hi = nearest(f)
    if hi in (float("inf"), float("-inf")):
        return hi, 0.0
    return hi, nearest(f - Fraction(hi))


def f32(x):
    return struct.unpack(">f", struct.pack(">f", x))[0]


def f16(x):
    return struct.unpack(">e", struct.pack(">e", x))[0]


def log_uniform(low, high):
    return random.choice((-1, 1)) * 2.0 ** random.uniform(low, high)


BASE = [
    5e-324, 2.2250738585072014e-308, 1e-300, 1e-160, 1e-40, 2.0**-30, 1e-20, 1e-8, 1e-5, 0.001, 0.1, 0.125,
    0.25, 0.5, 0.7, 0.75, 0.9, 0.99, 0.999999, 1 - 2.0**-53, 1.0, 1 + 2.0**-52, 1.000001, 1.1, 1.5, 2.0, 2.5,
    3.0, 3.141592653589793, 1.5707963267948966, 2.718281828459045, 5.0, 7.0, 10.0, 20.0, 36.7, 88.7, 100.0,
    355.0, 700.0, 709.7827128933839, 709.79, 710.4, 744.9, 745.2, 1000.0, 12345.678, 1e5, 1e15, 1e22, 1e100,
    1e154, 1e200, 1.7976931348623157e308,
]
RANDOM = (
    [random.uniform(-1, 1) for _ in range(14)]
    + [random.uniform(-25, 25) for _ in range(14)]
    + [log_uniform(-60, 60) for _ in range(10)]
    + [log_uniform(-1000, 1000) for _ in range(6)]
)
POINTS = BASE + [-x for x in BASE] + RANDOM

UNARY = {
    "acos": (mpmath.acos, lambda x: abs(x) <= 1),
    "acosh": (mpmath.acosh, lambda x: x >= 1),
    "asin": (mpmath.asin, lambda x: abs(x) <= 1),
    "asinh": (mpmath.asinh, lambda x: True),
    "atan": (mpmath.atan, lambda x: True),
    "atanh": (mpmath.atanh, lambda x: abs(x) < 1),
    "cos": (mpmath.cos, lambda x: True),
    "cosh": (mpmath.cosh, lambda x: True),
    "erf": (mpmath.erf, lambda x: True),
    "erfc": (mpmath.erfc, lambda x: True),
    "exp": (mpmath.exp, lambda x: True),
    "expm1": (mpmath.expm1, lambda x: True),
    "log": (mpmath.log, lambda x: x > 0),
    "log1p": (lambda x: mpmath.log(1 + x), lambda x: x > -1),
    "log2": (lambda x: mpmath.log(x) / mpmath.log(2), lambda x: x > 0),
    "log10": (lambda x: mpmath.log(x) / mpmath.log(10), lambda x: x > 0),
    "sin": (mpmath.sin, lambda x: True),
    "sinh": (mpmath.sinh, lambda x: True),
    "tan": (mpmath.tan, lambda x: True),
    "tanh": (mpmath.tanh, lambda x: True),
}


def clamp_exponential(name, x):
    """mpmath cannot hold exp(1e300): beyond +-1e4 the limits are as good."""
    if name in ("erf", "erfc", "exp", "expm1", "sinh", "cosh", "tanh") and abs(x) > 1e4:
        return 1e4 if x > 0 else -1e4
    return x


def real_goldens():
    mp.prec = REAL
    for name, (function, defined) in UNARY.items():
        for x in POINTS:
            if not defined(x):
                continue
            hi, lo = pair(function(mpf(clamp_exponential(name, x))))
            print(name, bits(x), bits(hi), bits(lo), sep="\t")


PAIRS = [0.5, 1.0, 2.0, 3.0, 0.75, 7.0, 100.0, 0.1, 1e-5, 1e5, 1e-30, 1e30, 1e-300, 1e300, 36.0, 709.5]


def binary_goldens():
    mp.prec = REAL
    grid = [(a * s, b * t) for a in PAIRS for b in PAIRS for s in (1, -1) for t in (1, -1)]
    grid = random.sample(grid, 220) + [(random.uniform(-9, 9), random.uniform(-9, 9)) for _ in range(30)]
    for a, b in grid:
        print("atan2", bits(a), bits(b), *map(bits, pair(mpmath.atan2(mpf(a), mpf(b)))), sep="\t")
        top, low = max(mpf(a), mpf(b)), min(mpf(a), mpf(b))
        gap = low - top
        rest = mpmath.log(1 + mpmath.exp(gap)) if gap > -1000 else mpf(0)
        print("logaddexp", bits(a), bits(b), *map(bits, pair(top + rest)), sep="\t")
    for a, b in grid:
        if a < 0 and b != int(b) or abs(b) > 1e6:
            continue
        print("pow", bits(a), bits(b), *map(bits, pair(mpf(a) ** mpf(b))), sep="\t")


def limit(x):
    """A zero as the number on its side of zero that stands for it."""
    if x == 0:
        return (-1 if negative_zero(x) else 1) * mpf(2) ** TINY
    return mpf(x)


def complex_one(name, function, args):
    z = [mpmath.mpc(limit(a), limit(b)) for a, b in args]
    w = mpmath.mpc(function(*z))
    cells = [bits(v) for a in args for v in a]
    cells += [bits(v) for part in (w.real, w.imag) for v in pair(part)]
    print("c_" + name, *cells, sep="\t")


COMPLEX = {name: UNARY[name][0] for name in UNARY if name not in ("erf", "erfc")}
COMPLEX["sqrt"] = mpmath.sqrt
COMPLEX["expm1"] = lambda z: mpmath.exp(z) - 1


def atanh(z):
    return (mpmath.log(1 + z) - mpmath.log(1 - z)) / 2


def acosh(z):
    return mpmath.log(z + mpmath.sqrt(z + 1) * mpmath.sqrt(z - 1))


def asinh(z):
    # The formula's square root has its cut where 1 + z*z is negative, which is asinh's own.
    return mpmath.log(z + mpmath.sqrt(1 + z * z)) if z.real > 0 else -mpmath.log(-z + mpmath.sqrt(1 + z * z))


J = mpmath.mpc(0, 1)


def times_j(z):
    return mpmath.mpc(-z.imag, z.real)


def over_j(z):
    return mpmath.mpc(z.imag, -z.real)


def acos(z):
    # pi/2 - asin(z)
    return mp.pi / 2 - over_j(asinh(times_j(z)))


COMPLEX.update(
    acosh=acosh,
    asinh=asinh,
    atanh=atanh,
    asin=lambda z: over_j(asinh(times_j(z))),
    atan=lambda z: over_j(atanh(times_j(z))),
    acos=acos,
    log=mpmath.log,
    log1p=lambda z: mpmath.log(1 + z),
    tanh=lambda z: mpmath.sinh(z) / mpmath.cosh(z),
    tan=lambda z: mpmath.sin(z) / mpmath.cos(z),
)


def complex_goldens():
    mp.prec = WORK
    axis = [0.0, -0.0, 0.5, -0.5, 1.0, -1.0, 2.0, -3.0, 30.0]
    points = [(a, b) for a in axis for b in axis if a in (0.0, 0.5, -1.0, 2.0) or b in (0.0, 1.0)]
    # acosh-like cuts and the poles of atanh and log are kept: their limits are the truth.
    points += [(f32(random.uniform(-3, 3)), f32(random.uniform(-3, 3))) for _ in range(16)]
    points += [(f32(log_uniform(-20, 6)), f32(log_uniform(-20, 6))) for _ in range(10)]
    points += [(random.uniform(-5, 5), random.uniform(-5, 5)) for _ in range(8)]
    points += [(1 + 2.0**-20, 2.0**-20), (-1 + 2.0**-20, 2.0**-18), (2.0**-20, 1 - 2.0**-20), (1e-20, 1e-25)]
    for name, function in COMPLEX.items():
        for p in points:
            if name in ("atanh", "atan", "log", "log2", "log10", "log1p") and is_pole(name, p):
                continue
            complex_one(name, function, [p])
    bases = [(0.5, 0.0), (2.0, 0.0), (3.0, 0.0), (-2.0, 0.0), (1.0, 1.0), (-0.5, 2.0), (0.25, -0.75), (7.0, -1.0)]
    powers = [(2.0, 0.0), (3.0, 0.0), (0.5, 0.0), (-1.0, 0.0), (1.0, 1.0), (0.0, 2.0), (-0.5, -0.25), (1.0, 0.0)]
    for z in bases:
        for w in powers:
            complex_one("pow", lambda z, w: mpmath.exp(w * mpmath.log(z)), [z, w])
    for _ in range(20):
        z, w = [(f32(random.uniform(-2, 2)), f32(random.uniform(-2, 2))) for _ in range(2)]
        complex_one("pow", lambda z, w: mpmath.exp(w * mpmath.log(z)), [z, w])


def is_pole(name, p):
    a, b = p
    at = {"atanh": (1.0, 0.0), "atan": (0.0, 1.0), "log1p": (-1.0, 0.0)}.get(name, (0.0, 0.0))
    return abs(a) == abs(at[0]) and abs(b) == abs(at[1]) and (name != "log1p" or a == -1.0)


print(f"# Written by conformance/data/make_float64_goldens.py with mpmath {mpmath.__version__} (BSD 3-Clause licence).")
print("# FUNCTION, then float64 as bits: the operands, then each part of the result as nearest value and rest.")
print("# c_ stands before functions of complex operands.")
real_goldens()
binary_goldens()
complex_goldens()
