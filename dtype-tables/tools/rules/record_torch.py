"""Records what PyTorch answers, on the CPU: `python record_torch.py`."""
import warnings

import torch
from common import DTYPES, SCALARS, SHORT, Record, ask

warnings.simplefilter("ignore")
OWN = DTYPES + ["complex32", "float8_e4m3fn", "float8_e5m2", "float8_e4m3fnuz", "float8_e5m2fnuz", "float8_e8m0fnu",
                "float4_e2m1fn_x2"]
BINARY = {"add": torch.add, "subtract": torch.sub, "multiply": torch.mul, "divide": torch.div,
          "floor_divide": torch.floor_divide, "remainder": torch.remainder, "pow": torch.pow,
          "maximum": torch.maximum, "bitwise_and": torch.bitwise_and, "bitwise_left_shift": torch.bitwise_left_shift,
          "bitwise_right_shift": torch.bitwise_right_shift, "equal": torch.eq, "less": torch.lt,
          "logical_and": torch.logical_and, "atan2": torch.atan2, "hypot": torch.hypot, "logaddexp": torch.logaddexp,
          "copysign": torch.copysign, "where": lambda a, b: torch.where(torch.tensor([True, False]), a, b),
          "concat": lambda a, b: torch.cat([a, b])}
UNARY = {"abs": torch.abs, "negative": torch.neg, "positive": torch.positive, "square": torch.square,
         "sign": torch.sign, "reciprocal": torch.reciprocal, "sqrt": torch.sqrt, "exp": torch.exp, "log": torch.log,
         "sin": torch.sin, "tanh": torch.tanh, "floor": torch.floor, "ceil": torch.ceil, "trunc": torch.trunc,
         "round": torch.round, "isnan": torch.isnan, "logical_not": torch.logical_not,
         "bitwise_invert": torch.bitwise_not, "sum": torch.sum, "prod": torch.prod,
         "cumulative_sum": lambda x: torch.cumsum(x, 0), "cumulative_prod": lambda x: torch.cumprod(x, 0),
         "mean": torch.mean, "std": torch.std, "var": torch.var, "median": torch.median, "max": torch.max,
         "argmax": torch.argmax, "argsort": torch.argsort, "all": torch.all, "count_nonzero": torch.count_nonzero,
         "sort": lambda x: torch.sort(x)[0], "trace": lambda x: torch.trace(x.reshape(1, 2)), "inv": lambda x: torch.linalg.inv(x[:1].reshape(1, 1)),
         "vector_norm": torch.linalg.vector_norm, "fft": torch.fft.fft}


def filled(shape, name):
    """An array of ones, or of no meaning where the dtype has no fill."""
    dtype = getattr(torch, name)
    try:
        return torch.ones(shape, dtype=dtype)
    except Exception:
        return torch.empty(shape, dtype=dtype)


def main():
    record = Record("torch", torch.__version__, "BSD-3-Clause", "Result dtypes as the package gives them.", OWN)
    dtypes = {d: getattr(torch, d) for d in OWN}
    arrays, zeros = {d: filled((2,), d) for d in OWN}, {d: filled((), d) for d in OWN}
    for a in OWN:
        record.add("binary", "promote_types", a, [ask(lambda: torch.promote_types(dtypes[a], dtypes[b])) for b in OWN])
        record.add("cast", "can_cast", a, [str(int(torch.can_cast(dtypes[a], dtypes[b]))) for b in OWN])
    for a in DTYPES:
        for op, f in BINARY.items():
            cells = [ask(lambda: f(arrays[a], arrays[b]).dtype) if b in DTYPES else "." for b in OWN]
            record.add("binary", op, a, cells)
    for op, f in UNARY.items():
        record.add("unary", op, "-", [ask(lambda: f(arrays[a]).dtype) if a in DTYPES else "." for a in OWN])
    # result_type is asked for dtypes that have no kernels.
    for a in OWN:
        record.add("zero", "result_type", a, [ask(lambda: torch.result_type(arrays[a], zeros[b])) for b in OWN])
        record.add("zeros", "result_type", a, [ask(lambda: torch.result_type(zeros[a], zeros[b])) for b in OWN])
    record.scalars(SCALARS)
    for a in OWN:
        cells = [ask(lambda: torch.result_type(arrays[a], v)) for v in SCALARS.values()]
        record.add("scalar", "result_type", a, cells)
        record.add("scalar-left", "result_type", a, [ask(lambda: torch.result_type(v, zeros[a])) for v in SCALARS.values()])
    for a in DTYPES:
        for op in ("add", "divide", "pow", "floor_divide", "equal"):
            f = BINARY[op]
            record.add("scalar", op, a, [ask(lambda: f(arrays[a], v).dtype) for v in SCALARS.values()])
    for i, a in enumerate(DTYPES):
        for b in DTYPES[i:]:
            cells = [ask(lambda: torch.cat([arrays[a], arrays[b], arrays[c]]).dtype) if c in DTYPES else "." for c in OWN]
            record.add("several", "concat", f"{SHORT[a]},{SHORT[b]}", cells)
    for text in ("True", "1", "2**40", "2**63", "1.5", "1e300", "1j"):
        record.add("literal", "asarray", text, [ask(lambda: torch.tensor(eval(text)).dtype)])
    record.write("torch")


main()
