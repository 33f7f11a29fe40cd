"""Makes tests/powers.txt: complex powers that are hard to get right, to many digits.

    python3 tools/powers.py > tests/powers.txt

Needs mpmath. A line has the parts of a, of b and of a^b as the bits of float64; the first two are float32
numbers in lines that say so, and the result is rounded once.
"""

import random
import struct

from mpmath import exp, log, mp, mpc

mp.prec = 600
rng = random.Random(7)


def bits(x):
    return f"{struct.unpack('<Q', struct.pack('<d', float(x)))[0]:016x}"


def single(x):
    return struct.unpack("f", struct.pack("f", x))[0]


def point(a, b):
    # float() of a number of mpmath truncates subnormals' bits twice: none come out here.
    value = exp(mpc(*b) * log(mpc(*a)))
    top = max(abs(value.real), abs(value.imag))
    return value if mp.mpf("1e-300") < top < mp.mpf("1e300") else None


def exponent(a, turns, rounding):
    """An exponent that makes about so many radians, and a size within the range."""
    w = mpc(rng.uniform(-80, 80) if rounding is single else rng.uniform(-600, 600), rng.choice([-1, 1]) * turns)
    b = w / log(mpc(*a))
    return rounding(b.real), rounding(b.imag)


print("# Made by tools/powers.py; do not edit.")
for kind, rounding in [("float64", float), ("float32", single)]:
    eps = 2.0**-52 if rounding is float else 2.0**-23
    tiny = 5e-324 if rounding is float else 1e-45
    huge = 1e300 if rounding is float else 1e38
    bases = [(1 + eps, 0.0), (1 - eps, eps), (0.6, 0.8), (-0.6, -0.8), (0.0, 1.0), (-1.0, eps), (-1.0, -eps)]
    bases += [(1.0, eps), (eps, 1.0), (-2.0, 0.0), (3.0, -0.0), (huge, huge), (tiny, 0.0), (-tiny, tiny), (huge, tiny)]
    bases += [(rng.gauss(0, 1), rng.gauss(0, 1)) for _ in range(12)]
    for a in [tuple(map(rounding, a)) for a in bases]:
        for turns in [0.3, 40.0, 3e4, 2e9, 5e12]:
            b = exponent(a, turns, rounding)
            if max(map(abs, b)) > (1e290 if rounding is float else 1e37):
                continue
            value = point(a, b)
            if value is None or not (mp.mpf("1e-35") < abs(value) < mp.mpf("1e37")) and rounding is single:
                continue
            print(kind, *map(bits, [*a, *b, value.real, value.imag]))
