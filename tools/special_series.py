#!/usr/bin/env python3
"""Series and values of special functions:

    python3 tools/special_series.py > frontends/core/src/specials/series.rs
    python3 tools/special_series.py --values > frontends/torch/tests/special_values/values.tsv

Chebyshev series of Bessel and Airy functions, fitted in 40 digits at Chebyshev points and cut where the rest is below 2e-17
of the greatest coefficient; the coefficients of Temme's expansion of the incomplete gamma functions, in fractions. Needs
mpmath (1.4.1 made what is there).
"""

import sys
from fractions import Fraction

from mpmath import airyai, airybi, besseli, besselj, besselk, bessely, chop, cos, exp, gammainc, ln, mp, mpf, pi, sin, sqrt

mp.dps = 40
CUT = mpf("2e-17")
# Of the series, before it is cut.
DEGREE = 80


def series(f, low, high):
    """The coefficients of f on [low, high], the first halved."""
    points = [cos(pi * (k + mpf(1) / 2) / DEGREE) for k in range(DEGREE)]
    values = [f((high - low) / 2 * t + (high + low) / 2) for t in points]
    found = []
    for j in range(DEGREE):
        terms = (v * cos(pi * j * (k + mpf(1) / 2) / DEGREE) for k, v in enumerate(values))
        found.append(2 * sum(terms) / DEGREE)
    found[0] /= 2
    most = max(abs(c) for c in found)
    while abs(found[-1]) < CUT * most:
        found.pop()
    return found


def phase(order, x):
    return x - (2 * order + 1) * pi / 4


def in_phase(order):
    """P of u = (8 / x)^2: sqrt(pi x / 2) J = P cos - Q sin, sqrt(pi x / 2) Y = P sin + Q cos (DLMF 10.17.3)."""

    def p(u):
        x = 8 / sqrt(u)
        angle = phase(order, x)
        return sqrt(pi * x / 2) * (besselj(order, x) * cos(angle) + bessely(order, x) * sin(angle))

    return p


def in_quadrature(order):
    """x Q / 8 of u = (8 / x)^2."""

    def q(u):
        x = 8 / sqrt(u)
        angle = phase(order, x)
        return x / 8 * sqrt(pi * x / 2) * (bessely(order, x) * cos(angle) - besselj(order, x) * sin(angle))

    return q


def zeta(x):
    return 2 * x ** mpf(1.5) / 3


def argument(zeta):
    return (3 * zeta / 2) ** (mpf(2) / 3)


def airy_decaying(v):
    """2 sqrt(pi) x^(1/4) exp(zeta) Ai(x) of v = 1 / zeta (DLMF 9.7.5)."""
    x = argument(1 / v)
    return 2 * sqrt(pi) * x ** mpf(0.25) * exp(1 / v) * airyai(x)


def airy_oscillating(part):
    """sqrt(pi) x^(1/4) Ai(-x) = R cos + S sin, and that of Bi = -R sin + S cos, of zeta - pi/4 (DLMF 9.7.9, 9.7.11):
    R of w = 1 / zeta^2, or zeta S."""

    def of(w):
        z = 1 / sqrt(w)
        x, angle = argument(z), z - pi / 4
        scale = sqrt(pi) * x ** mpf(0.25)
        a, b = scale * airyai(-x), scale * airybi(-x)
        return a * cos(angle) - b * sin(angle) if part == "R" else z * (a * sin(angle) + b * cos(angle))

    return of


TINY = mpf(10) ** -30
I_SCALED = "exp(-x) I{0}(x){1} of x in [0, 8]"
TABLES = [
    ("J0_NEAR", "J0(x) of x^2 in [0, 64]", lambda s: besselj(0, sqrt(s)), 0, 64),
    ("J1_NEAR", "J1(x) / x of x^2 in [0, 64]", lambda s: besselj(1, sqrt(s)) / sqrt(s), 0, 64),
    ("Y0_NEAR", "Y0(x) - 2 ln(x) J0(x) / pi of x^2 in [0, 64]", lambda s: bessely(0, sqrt(s)) - ln(s) / pi * besselj(0, sqrt(s)), 0, 64),
    ("Y1_NEAR", "(Y1(x) - 2 (ln(x) J1(x) - 1 / x) / pi) / x of x^2 in [0, 64]", lambda s: (bessely(1, sqrt(s)) - (ln(s) * besselj(1, sqrt(s)) - 2 / sqrt(s)) / pi) / sqrt(s), 0, 64),
    ("P0_FAR", "P of order 0 of (8 / x)^2 in [0, 1]", in_phase(0), TINY, 1),
    ("Q0_FAR", "x Q / 8 of order 0 of (8 / x)^2 in [0, 1]", in_quadrature(0), TINY, 1),
    ("P1_FAR", "P of order 1 of (8 / x)^2 in [0, 1]", in_phase(1), TINY, 1),
    ("Q1_FAR", "x Q / 8 of order 1 of (8 / x)^2 in [0, 1]", in_quadrature(1), TINY, 1),
    ("I0_NEAR", I_SCALED.format(0, ""), lambda x: exp(-x) * besseli(0, x), 0, 8),
    ("I0_FAR", "sqrt(x) exp(-x) I0(x) of 8 / x in [0, 1]", lambda v: sqrt(8 / v) * exp(-8 / v) * besseli(0, 8 / v), TINY, 1),
    ("I1_NEAR", I_SCALED.format(1, " / x"), lambda x: exp(-x) * besseli(1, x) / x, 0, 8),
    ("I1_FAR", "sqrt(x) exp(-x) I1(x) of 8 / x in [0, 1]", lambda v: sqrt(8 / v) * exp(-8 / v) * besseli(1, 8 / v), TINY, 1),
    ("K0_NEAR", "K0(x) + ln(x / 2) I0(x) of x^2 in [0, 4]", lambda s: besselk(0, sqrt(s)) + ln(sqrt(s) / 2) * besseli(0, sqrt(s)), 0, 4),
    ("K0_FAR", "sqrt(x) exp(x) K0(x) of 2 / x in [0, 1]", lambda v: sqrt(2 / v) * exp(2 / v) * besselk(0, 2 / v), TINY, 1),
    ("K1_NEAR", "x (K1(x) - ln(x / 2) I1(x)) of x^2 in [0, 4]", lambda s: sqrt(s) * (besselk(1, sqrt(s)) - ln(sqrt(s) / 2) * besseli(1, sqrt(s))), 0, 4),
    ("K1_FAR", "sqrt(x) exp(x) K1(x) of 2 / x in [0, 1]", lambda v: sqrt(2 / v) * exp(2 / v) * besselk(1, 2 / v), TINY, 1),
    ("AIRY_LEFT", "Ai(x) of x in [-7, 0]", airyai, -7, 0),
    ("AIRY_RIGHT", "Ai(x) of x in [0, 3]", airyai, 0, 3),
    ("AIRY_DECAYING", "2 sqrt(pi) x^(1/4) exp(z) Ai(x) of 1 / z, z = 2/3 x^(3/2), in [0, 1 / z(3)]", airy_decaying, TINY, 1 / zeta(mpf(3))),
    ("AIRY_R", "R of 1 / z^2 in [0, 1 / z(7)^2]: sqrt(pi) x^(1/4) Ai(-x) = R cos(z - pi/4) + S sin(z - pi/4)", airy_oscillating("R"), TINY, 1 / zeta(mpf(7)) ** 2),
    ("AIRY_S", "z S of 1 / z^2 in [0, 1 / z(7)^2]", airy_oscillating("S"), TINY, 1 / zeta(mpf(7)) ** 2),
]


def stirling(count):
    """g_k of Gamma(z) exp(z) sqrt(z / 2 pi) / z^z ~ sum of g_k / z^k (DLMF 5.11.3), by its logarithm (5.11.1)."""
    row, numbers = [Fraction(0)] * (2 * count + 2), []
    for m in range(2 * count + 2):
        row[m] = Fraction(1, m + 1)
        for j in range(m, 0, -1):
            row[j - 1] = j * (row[j - 1] - row[j])
        numbers.append(row[0])
    logarithm = [Fraction(0)] * (count + 1)
    for k in range(1, count + 1):
        if 2 * k - 1 <= count:
            logarithm[2 * k - 1] = numbers[2 * k] / (2 * k * (2 * k - 1))
    g = [Fraction(1)]
    for n in range(1, count + 1):
        g.append(sum(j * logarithm[j] * g[n - j] for j in range(1, n + 1)) / n)
    return g


def temme(orders, terms):
    """The coefficients of eta^n in c_k(eta), k below `orders`, n below `terms` (DLMF 8.12.10, 8.12.11)."""
    length = terms + 2 * orders + 2
    # mu of eta^2 / 2 = mu - ln(1 + mu), by mu mu' = eta (1 + mu).
    mu = [Fraction(0), Fraction(1)]
    for n in range(2, length + 1):
        mu.append((2 * mu[n - 1] / Fraction(n + 1) - sum(mu[i] * mu[n + 1 - i] for i in range(2, n))) / 2)
    # eta / mu.
    quotient = [Fraction(1)]
    for n in range(1, length):
        quotient.append(-sum(mu[k + 1] * quotient[n - k] for k in range(1, n + 1)))
    c = [[quotient[n + 1] for n in range(length - 1)]]
    for k, g in enumerate(stirling(orders)[1:orders], 1):
        before = c[-1]
        c.append([(n + 2) * before[n + 2] + (-1) ** k * g * quotient[n + 1] for n in range(len(before) - 2)])
    return [row[:terms] for row in c]


# Points on both sides of where an implementation changes from one series to another.
POSITIVE = ["0.001", "0.3", "1.9", "2.1", "5", "7.9", "8.1", "9.5", "33", "120.5"]
SIGNED = ["-40.25", "-8.1", "-7.9", "-2.5", "-0.3"] + POSITIVE
GAMMA = [("0.01", "0.5"), ("0.5", "0.001"), ("0.5", "1.9"), ("0.5", "2.1"), ("3", "2.5"), ("3", "20"), ("19.5", "19"), ("19.5", "21"), ("20.5", "12"), ("20.5", "13"), ("20.5", "28"), ("20.5", "30"), ("50", "51"), ("300", "290"), ("300", "500"), ("10000", "10100")]
VALUES = {
    "special.i1": (lambda x: besseli(1, x), SIGNED), "special.i0e": (lambda x: exp(-abs(x)) * besseli(0, x), SIGNED), "special.i1e": (lambda x: exp(-abs(x)) * besseli(1, x), SIGNED),
    "special.bessel_j0": (lambda x: besselj(0, x), SIGNED), "special.bessel_j1": (lambda x: besselj(1, x), SIGNED), "special.bessel_y0": (lambda x: bessely(0, x), POSITIVE),
    "special.bessel_y1": (lambda x: bessely(1, x), POSITIVE), "special.modified_bessel_k0": (lambda x: besselk(0, x), POSITIVE), "special.modified_bessel_k1": (lambda x: besselk(1, x), POSITIVE),
    "special.scaled_modified_bessel_k0": (lambda x: exp(x) * besselk(0, x), POSITIVE), "special.scaled_modified_bessel_k1": (lambda x: exp(x) * besselk(1, x), POSITIVE),
    "special.airy_ai": (airyai, SIGNED),
}


def print_series():
    """The Rust module."""
    print("//! Series of special functions, made by `tools/special_series.py`.")
    for name, what, f, low, high in TABLES:
        found = series(f, mpf(low), mpf(high))
        print(f"\n/// `{what}`, by Chebyshev polynomials, of which the first is the constant.")
        print(f"pub(super) const {name}: [f64; {len(found)}] = [")
        for c in found:
            print(f"    {float(chop(c, mpf(10) ** -40))!r},")
        print("];")
    rows = temme(8, 18)
    print("\n/// The coefficients of `eta^n` in `c_k(eta)` (DLMF 8.12.11), a row for each `k`.")
    print(f"pub(super) const TEMME: [[f64; {len(rows[0])}]; {len(rows)}] = [")
    for row in rows:
        print("    [")
        for c in row:
            print(f"        {float(c)!r},")
        print("    ],")
    print("];")


def print_values():
    """Values of the functions, as PyTorch's paths, arguments and numbers."""
    print("# Values of special functions to 17 digits: PyTorch's name, the arguments, the value. Made by tools/special_series.py --values.")
    for name, (f, points) in VALUES.items():
        for x in points:
            print(f"{name}\t{x}\t{float(f(mpf(x)))!r}")
    for a, x in GAMMA:
        print(f"special.gammainc\t{a} {x}\t{float(gammainc(mpf(a), 0, mpf(x), regularized=True))!r}")
        print(f"special.gammaincc\t{a} {x}\t{float(gammainc(mpf(a), mpf(x), regularized=True))!r}")


if __name__ == "__main__":
    print_values() if "--values" in sys.argv[1:] else print_series()
