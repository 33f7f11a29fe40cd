"""Makes src/lower/math/coefficients.rs: polynomials and constants of the elementary functions.

    python3 tools/coefficients.py > src/lower/math/coefficients.rs

and, of these, what the reference kernels need as well:

    python3 tools/coefficients.py kernels > ../kernels/src/elementwise/math/digamma_fit.rs

Needs mpmath. A polynomial is the Chebyshev interpolation of what its comment says; the two lists
are for float32 and float64, from the constant term on; one that has no use is empty.
"""

import struct
import sys

from mpmath import asin, atan, chebyfit, cos, exp, log, log1p, mp, mpf, pi, sin, sqrt, tan, floor, taylor

mp.prec = 400


def single(x):
    return struct.unpack("f", struct.pack("f", x))[0]


def literal(x):
    text = repr(float(x))
    return text if "e" in text or "." in text else text + ".0"


def ratio(f, series):
    """`f`, but near 0, where it would divide 0 by 0, its Taylor series."""
    return lambda x: mp.polyval(series[::-1], x) if abs(x) < mpf(2) ** -30 else f(x)


def fit(f, low, high, count):
    return chebyfit(f, [low, high], count)[::-1]


def rounded_fit(f, low, high, count, weight):
    """A weighted fit whose coefficients are float32 numbers: each is rounded in its turn, and those
    after it make up for what it has lost."""
    nodes = [low + (high - low) * (1 - mp.cos(pi * (i + mpf(1) / 2) / 120)) / 2 for i in range(120)]
    values = [(x, f(x), weight(x) / sqrt(sqrt((x - low) * (high - x)))) for x in nodes]
    fixed = []
    while len(fixed) < count:
        free = range(len(fixed), count)
        known = lambda x: sum(c * x**i for i, c in enumerate(fixed))
        matrix = mp.matrix([[w * x**i for i in free] for x, _, w in values])
        right = mp.matrix([w * (y - known(x)) for x, y, w in values])
        fixed.append(mpf(single(mp.lu_solve(matrix, right)[0])))
    return fixed


def row(numbers, rounding):
    return ", ".join(literal(rounding(c)) for c in numbers)


KERNELS = sys.argv[1:] == ["kernels"]


def say(text):
    if not KERNELS:
        print(text)


def shared(name, what, numbers):
    """Float64 numbers that the reference kernels have; gives their path."""
    if KERNELS:
        print(f"/// {what}\npub const {name}: [f64; {len(numbers)}] = [{row(numbers, float)}];\n")
    return f"digamma_fit::{name}"


def polynomial(name, what, f, series, low, high, counts, weight=lambda t: mpf(1), own=None):
    """`high` and `counts` are pairs, for float32 and float64, or one `high` for both. `own` is the name
    of the float64 numbers where the reference kernels have them."""
    f = ratio(f, series) if series else f
    highs = high if isinstance(high, tuple) else (high, high)
    low, (single_high, double_high) = mpf(low), map(mpf, highs)
    a = rounded_fit(f, low, single_high, counts[0], weight) if counts[0] else []
    b = fit(f, low, double_high, counts[1]) if counts[1] else []
    double = shared(own, what, b) if own else f"[{row(b, float)}]"
    say(f"/// {what}")
    say(f"pub(super) const {name}: Fit = Fit {{ single: &[{row(a, single)}], double: &{double} }};\n")


def parts(name, what, value, own=None):
    """A constant as the sum of three numbers, each of which has the full precision."""

    def split(rounding):
        rest, list_ = mpf(value), []
        for _ in range(3):
            list_.append(rounding(rest))
            rest -= mpf(list_[-1])
        return list_

    a, b = split(single), split(float)
    double = shared(own, what, b) if own else f"[{row(b, float)}]"
    say(f"/// {what}")
    say(f"pub(super) const {name}: Parts3 = Parts3 {{ single: [{row(a, single)}], double: {double} }};\n")


if KERNELS:
    print("""//! The polynomials of the digamma function in float64. Made by `backends/jit/tools/coefficients.py`, whose
//! formulas have them as well; do not edit.

#![allow(clippy::excessive_precision, clippy::unreadable_literal)]
""")
say("""// Made by tools/coefficients.py; do not edit.

#![allow(clippy::excessive_precision, clippy::approx_constant, clippy::unreadable_literal)]

use super::expr::{Fit, Parts3};
use ivy_kernels::elementwise::digamma_fit;
""")
r2, half_ln2 = sqrt(mpf(2)), log(mpf(2)) / 2
odd = lambda c: [c[2 * i + 3] / c[1] for i in range(10)]
series = lambda f, n=40: taylor(f, 0, n)
e = series(exp)
polynomial("EXP", "`(exp(r) - 1 - r) / r^2`, `|r| <= ln 2 / 2`.", lambda r: (exp(r) - 1 - r) / r**2, e[2:], -half_ln2 - mpf("0.001"), half_ln2 + mpf("0.001"), (6, 11))
polynomial("EXP_FEW", "The same, with fewer terms.", lambda r: (exp(r) - 1 - r) / r**2, e[2:], -half_ln2 - mpf("0.001"), half_ln2 + mpf("0.001"), (5, 0), lambda r: r * r)
polynomial("EXP2", "`(2^f - 1) / f`, `|f| <= 1 / 2`.", lambda f: (2**f - 1) / f, [log(mpf(2))**(i + 1) / mp.factorial(i + 1) for i in range(12)], mpf("-0.5001"), mpf("0.5001"), (6, 12), abs)
l = series(log1p)
polynomial("LN", "`(ln(1 + f) - f + f^2 / 2) / f^3`, `1 + f` from `sqrt(1/2)` to `sqrt 2`.", lambda f: (log1p(f) - f + f * f / 2) / f**3, l[3:], 1 / r2 - 1 - mpf("1e-6"), r2 - 1 + mpf("1e-6"), (9, 21))
polynomial("ATANH_NEXT", "`((atanh(s) / s - 1) / s^2 - 1 / 3) / s^2` by `t = s^2`, `s` up to `3 - sqrt 8`.", lambda t: ((mp.atanh(sqrt(t)) / sqrt(t) - 1) / t - mpf(1) / 3) / t, [mpf(1) / (2 * i + 5) for i in range(12)], 0, (3 - sqrt(mpf(8)))**2 * mpf("1.001"), (0, 10))
fourth = sqrt(r2)
polynomial("ATANH_2", "`2 (atanh(s) / s - 1) / (s^2 ln 2)` by `t = s^2`, `s` up to `(c - 1) / (c + 1)`, `c = 2^(1/4)`.", lambda t: 2 / log(mpf(2)) * (mp.atanh(sqrt(t)) / sqrt(t) - 1) / t, [2 / log(mpf(2)) / (2 * i + 3) for i in range(12)], 0, ((fourth - 1) / (fourth + 1))**2 * mpf("1.002"), (3, 0), lambda t: t)
top = (pi / 4 + mpf("0.01"))**2
polynomial("SIN", "`(sin(r) / r - 1) / r^2` by `t = r^2`, `r <= pi / 4`.", lambda t: (sin(sqrt(t)) / sqrt(t) - 1) / t, odd(series(sin)), 0, top, (3, 8), lambda t: t)
c = series(cos)
polynomial("COS", "`(cos(r) - 1) / r^2` by `t = r^2`, `r <= pi / 4`.", lambda t: (cos(sqrt(t)) - 1) / t, [c[2 * i + 2] for i in range(10)], 0, top, (4, 8), lambda t: t)
polynomial("TAN", "`(tan(r) / r - 1) / r^2` by `t = r^2`, `r <= pi / 4`.", lambda t: (tan(sqrt(t)) / sqrt(t) - 1) / t, odd(series(tan)), 0, top, (8, 17), lambda t: t)
polynomial("ATAN", "`(atan(z) / z - 1) / z^2` by `t = z^2`, `z <= 1`.", lambda t: (atan(sqrt(t)) / sqrt(t) - 1) / t, odd(series(atan)), 0, 1, (11, 23), lambda t: t)
polynomial("ASIN", "`(asin(z) / z - 1) / z^2` by `t = z^2`, `z <= 1 / 2`.", lambda t: (asin(sqrt(t)) / sqrt(t) - 1) / t, odd(series(asin)), 0, mpf("0.2501"), (7, 15))
top = (half_ln2 + mpf("0.001"))**2
polynomial("SINH", "`(sinh(r) / r - 1) / r^2` by `t = r^2`, `r <= ln 2 / 2`.", lambda t: (mp.sinh(sqrt(t)) / sqrt(t) - 1) / t, odd(series(mp.sinh)), 0, top, (3, 7))
h = series(mp.cosh)
polynomial("COSH", "`(cosh(r) - 1) / r^2` by `t = r^2`, `r <= ln 2 / 2`.", lambda t: (mp.cosh(sqrt(t)) - 1) / t, [h[2 * i + 2] for i in range(10)], 0, top, (3, 7))
tangent = odd(series(mp.tanh))
polynomial("TANH", "`(tanh(a) / a - 1) / a^2` by `t = a^2`, `a` up to 1 in float32, 0.5625 in float64.", lambda t: (mp.tanh(sqrt(t)) / sqrt(t) - 1) / t, tangent, 0, (1, mpf("0.5625")**2), (7, 12), lambda t: t)
polynomial("ERF", "`erf(a) / a - 1` by `t = a^2`, `a` up to 0.92 in float32, 1 in float64.", lambda t: mp.erf(sqrt(t)) / sqrt(t) - 1, [c - (i == 0) for i, c in enumerate(series(mp.erf)[1::2])], 0, (mpf("0.86"), 1), (6, 14))
polynomial("ERFC_LOG2", "`log2(erfc(a))`, `a` from 0.9 to 3.93.", lambda a: log(mp.erfc(a)) / log(mpf(2)), None, mpf("0.9"), mpf("3.93"), (7, 0), mp.erfc)
place = lambda a: (a - 3) / (a + 3)
polynomial("ERFC", "`(1 + 2a) exp(a^2) erfc(a)` by `t = (a - 3) / (a + 3)`, `a` from 1/2.", lambda t: (lambda a: (1 + 2 * a) * exp(a * a) * mp.erfc(a))(3 * (1 + t) / (1 - t)), None, place(mpf("0.499")), (place(mpf("10.6")), place(mpf(28))), (11, 23))
gamma = lambda t: mp.loggamma(2 + t) / t
polynomial("LGAMMA", "`lgamma(2 + t) / t`, `t` from -3/4 to 1/2.", gamma, [1 - mp.euler] + [(-1)**k * (mp.zeta(k) - 1) / k for k in range(2, 12)], mpf("-0.7501"), mpf("0.5001"), (11, 23))
stirling = lambda f, t: f(1 / sqrt(t))
polynomial("STIRLING", "`x (lgamma(x) - (x - 1/2) ln x + x - ln(2 pi) / 2)` by `t = 1 / x^2`, `x` from 8.", lambda t: stirling(lambda x: x * (mp.loggamma(x) - (x - mpf(1) / 2) * log(x) + x - log(2 * pi) / 2), t), [mpf(1) / 12, mpf(-1) / 360], 0, mpf(1) / 64, (3, 8))
root = mp.findroot(lambda x: mp.psi(0, x), mpf("1.46"))
polynomial("DIGAMMA", "`digamma(x) / (x - r)` by `t = x - 3/2`, `|t| <= 1 / 2`, `r` the root.", lambda t: (lambda x: mp.psi(0, x) / (x - root) if abs(x - root) > mpf(2) ** -100 else mp.psi(1, root))(t + mpf(3) / 2), None, mpf("-0.5001"), mpf("0.5001"), (11, 23), own="SLOPE")
polynomial("DIGAMMA_LARGE", "`x^2 (digamma(x) - ln x + 1 / 2x)` by `t = 1 / x^2`, `x` from 5 in float32, 8 in float64.", lambda t: stirling(lambda x: x**2 * (mp.psi(0, x) - log(x) + 1 / (2 * x)), t), [mpf(-1) / 12, mpf(1) / 120], 0, (mpf(1) / 25, mpf(1) / 64), (5, 9), own="LARGE")
parts("DIGAMMA_ROOT", "The root of digamma.", root, own="ROOT")
parts("LN_2", "ln 2.", log(mpf(2)))
parts("LOG2_E", "log2 e.", 1 / log(mpf(2)))
parts("LOG10_E", "log10 e.", 1 / log(mpf(10)))
parts("LOG10_2", "log10 2.", log(mpf(2)) / log(mpf(10)))
parts("FRAC_PI_2", "pi / 2.", pi / 2)
parts("PI", "pi.", pi)
split = lambda x: [float(x), float(x - mpf(float(x)))]
rows = ", ".join(f"[{row(split(1 / mp.factorial(n)), float)}]" for n in range(17))
say(f"/// `1 / n!` as the sum of two numbers.\npub(super) const INVERSE_FACTORIALS: [[f64; 2]; 17] = [{rows}];\n")
mp.prec = 1600
words = [int(floor(2 / pi * mpf(2) ** (32 * i + 32))) & 0xFFFFFFFF for i in range(38)]
say("/// `2 / pi` in words of 32 bits, the first after the point.")
say("pub(super) const TWO_OVER_PI: [u32; 38] = [" + ", ".join(f"0x{w:08x}" for w in words) + "];")
