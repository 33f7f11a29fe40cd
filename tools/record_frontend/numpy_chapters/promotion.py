"""Which dtype comes out, or which error: each ufunc of two operands on each pair of dtypes, and beside each kind of host number;
each reduction on each dtype."""

import numpy as np

from .ufuncs import BINARY, WHOLE_BINARY

DTYPES = "bool int8 int64 uint64 float32 complex64".split()
NUMBERS = (True, 1, -1, 1.5, 1j)
REDUCTIONS = (
    "sum prod cumsum cumprod mean std var max min argmax argmin any all ptp nansum nanprod nanmean nanstd nanmax nanmin sort "
    "argsort unique diff round"
).split()


def record(r):
    aliases = {"true_divide", "mod", "pow", "atan2", "bitwise_left_shift", "bitwise_right_shift"}
    for name in [*BINARY, *WHOLE_BINARY, "ldexp"]:
        if name in aliases:
            continue
        for dtype in DTYPES:
            one = np.ones(1, dtype)
            for other in DTYPES:
                r.call(name, one, np.ones(1, other))
            for number in NUMBERS:
                r.call(name, one, number)
                r.call(name, number, one)
    for name in REDUCTIONS:
        for dtype in [*DTYPES, "uint8", "float16", "float64", "complex128"]:
            r.call(name, np.ones(3, dtype))
