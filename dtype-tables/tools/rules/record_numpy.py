"""Records what NumPy answers: `python record_numpy.py NAME`, NAME being numpy or numpy-1.26, with the package of that
version installed. bfloat16 is not NumPy's own; its rows are those of ml_dtypes (`record_ml_dtypes.py`)."""
import sys
import warnings

import numpy as np
from common import DTYPES, SHORT, Record, ask

warnings.simplefilter("ignore")
OWN = [d for d in DTYPES if d != "bfloat16"]
BINARY = {"add": np.add, "subtract": np.subtract, "multiply": np.multiply, "divide": np.true_divide,
          "floor_divide": np.floor_divide, "remainder": np.remainder, "pow": np.power, "maximum": np.maximum,
          "bitwise_and": np.bitwise_and, "bitwise_left_shift": np.left_shift, "bitwise_right_shift": np.right_shift,
          "equal": np.equal, "less": np.less, "logical_and": np.logical_and, "atan2": np.arctan2, "hypot": np.hypot,
          "logaddexp": np.logaddexp, "copysign": np.copysign, "matmul": np.matmul,
          "where": lambda a, b: np.where([True, False], a, b), "concat": lambda a, b: np.concatenate([a, b])}
UNARY = {"abs": np.abs, "negative": np.negative, "positive": np.positive, "square": np.square, "sign": np.sign,
         "reciprocal": np.reciprocal, "sqrt": np.sqrt, "exp": np.exp, "log": np.log, "sin": np.sin, "tanh": np.tanh,
         "floor": np.floor, "ceil": np.ceil, "trunc": np.trunc, "round": np.round, "isnan": np.isnan,
         "logical_not": np.logical_not, "bitwise_invert": np.invert, "sum": np.sum, "prod": np.prod,
         "cumulative_sum": np.cumsum, "cumulative_prod": np.cumprod, "mean": np.mean, "std": np.std, "var": np.var,
         "median": np.median, "max": np.max, "argmax": np.argmax, "argsort": np.argsort, "all": np.all,
         "count_nonzero": np.count_nonzero, "sort": np.sort, "trace": lambda x: np.trace(x.reshape(1, 2)),
         "inv": lambda x: np.linalg.inv(x[:1].reshape(1, 1)), "vector_norm": np.linalg.norm, "fft": np.fft.fft}
VALUES = {"True": True, "1": 1, "-1": -1, "100": 100, "200": 200, "300": 300, "-200": -200, "40000": 40000,
          "70000": 70000, "2**31": 2**31, "2**32": 2**32, "2**63": 2**63, "1.5": 1.5, "1e5": 1e5, "1e300": 1e300,
          "inf": float("inf"), "1j": 1j, "1e300j": 1e300j}


def dtype(x):
    return getattr(x, "dtype", None) or np.asarray(x).dtype


def main(name):
    record = Record("numpy", np.__version__, "BSD-3-Clause", "Result dtypes as the package gives them.", OWN)
    arrays = {d: np.ones(2, d) for d in OWN}
    zeros = {d: np.ones((), d) for d in OWN}
    for a in OWN:
        record.add("binary", "promote_types", a, [ask(lambda: np.promote_types(a, b)) for b in OWN])
    for op, f in BINARY.items():
        for a in OWN:
            record.add("binary", op, a, [ask(lambda: dtype(f(arrays[a], arrays[b]))) for b in OWN])
    for op, f in UNARY.items():
        record.add("unary", op, "-", [ask(lambda: dtype(f(arrays[a]))) for a in OWN])
    for kind in ("safe", "no", "equiv", "same_kind", "unsafe"):
        for a in OWN:
            record.add("cast", kind, a, [str(int(np.can_cast(a, b, kind))) for b in OWN])
    for i, a in enumerate(OWN):
        for b in OWN[i:]:
            cells = [ask(lambda: np.result_type(a, b, c)) for c in OWN]
            record.add("several", "result_type", f"{SHORT[a]},{SHORT[b]}", cells)
    record.scalars(VALUES)
    for op in ("add", "divide", "equal", "pow", "floor_divide", "bitwise_and"):
        for a in OWN:
            f = BINARY[op]
            record.add("scalar", op, a, [ask(lambda: dtype(f(arrays[a], v))) for v in VALUES.values()])
    for a in OWN:
        record.add("zero", "add", a, [ask(lambda: dtype(arrays[a] + zeros[b])) for b in OWN])
        record.add("zeros", "add", a, [ask(lambda: dtype(zeros[a] + zeros[b])) for b in OWN])
    # Arrays without axes, of the values that a scalar may have: 100 and -1 in each dtype that holds them.
    for value in ("100", "-1", "70000", "1e300"):
        held = [d for d in OWN if d != "bool" and ask(lambda: np.array(eval(value), d)) != "-"
                and np.array(eval(value), d) == eval(value)]
        for a in OWN:
            cells = [ask(lambda: dtype(arrays[a] + np.array(eval(value), b))) if b in held else "." for b in OWN]
            record.add("zero", f"add {value}", a, cells)
    for text in ("True", "1", "2**40", "2**63", "1.5", "1e300", "1j"):
        record.add("literal", "asarray", text, [ask(lambda: np.asarray(eval(text)).dtype)])
    record.write(name)


main(sys.argv[1])
