"""Records what Dr.Jit's LLVM arrays answer: `python record_drjit.py`. Needs LLVM's library. Some calls end the process: each
is asked in a fork, and what ends that counts as refused."""
import operator
import os

import drjit as dr
import drjit.llvm as llvm
from common import DTYPES, Record, ask

FULL = {"Bool": "bool", "Int8": "int8", "UInt8": "uint8", "Int": "int32", "UInt": "uint32", "Int64": "int64",
        "UInt64": "uint64", "Float16": "float16", "Float": "float32", "Float64": "float64"}
OWN = list(FULL.values())
BINARY = {"add": operator.add, "subtract": operator.sub, "multiply": operator.mul, "divide": operator.truediv,
          "floor_divide": operator.floordiv, "remainder": operator.mod, "pow": operator.pow,
          "bitwise_left_shift": operator.lshift, "bitwise_right_shift": operator.rshift, "bitwise_and": operator.and_,
          "bitwise_or": operator.or_, "bitwise_xor": operator.xor, "less": operator.lt, "greater_equal": operator.ge,
          "equal": operator.eq, "not_equal": operator.ne, "minimum": dr.minimum, "maximum": dr.maximum,
          "atan2": dr.atan2, "hypot": dr.hypot}
UNARY = {**{name: getattr(dr, name) for name in (
    "abs sqrt square sin cos tan tanh exp log floor ceil trunc round sum prod mean max min isnan isinf isfinite all any"
).split()}, "negative": operator.neg, "bitwise_invert": operator.invert, "reciprocal": dr.rcp}
SCALARS = {"True": True, "1": 1, "-1": -1, "300": 300, "2**40": 2**40, "1.5": 1.5, "1e300": 1e300, "1j": 1j}


def dtype(x):
    return FULL[type(x).__name__]


def asked(questions):
    """The answers of a list of questions, from a fork; one by one where that ends early."""
    reads, writes = os.pipe()
    child = os.fork()
    if child == 0:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
        os.write(writes, " ".join(ask(question) for question in questions).encode())
        os._exit(0)
    os.close(writes)
    with os.fdopen(reads) as pipe:
        answers = pipe.read().split()
    os.waitpid(child, 0)
    if len(answers) == len(questions):
        return answers
    return ["-"] if len(questions) == 1 else [asked([question])[0] for question in questions]


def main():
    record = Record("drjit", dr.__version__, "BSD-3-Clause", "Result types of drjit.llvm arrays.", OWN)
    types = {full: getattr(llvm, name) for name, full in FULL.items()}
    arrays = {d: types[d](1) for d in OWN}
    for a in OWN:
        record.add("binary", "promote_types", a, asked([lambda b=b: FULL[dr.expr_t(types[a], types[b]).__name__] for b in OWN]))
    for op, f in BINARY.items():
        for a in OWN:
            record.add("binary", op, a, asked([lambda b=b: dtype(f(arrays[a], arrays[b])) for b in OWN]))
    for op, f in UNARY.items():
        cells = asked([lambda a=a: dtype(f(arrays[a])) for a in OWN])
        record.add("unary", op, "-", cells)
    record.scalars(SCALARS)
    for op in ("add", "divide", "floor_divide", "pow", "bitwise_left_shift", "bitwise_and", "less", "equal", "maximum"):
        for a in OWN:
            record.add("scalar", op, a, asked([lambda v=v: dtype(BINARY[op](arrays[a], v)) for v in SCALARS.values()]))
    for op in ("add", "divide", "floor_divide", "bitwise_left_shift", "bitwise_and", "less"):
        for a in OWN:
            record.add("scalar-left", op, a, asked([lambda v=v: dtype(BINARY[op](v, arrays[a])) for v in SCALARS.values()]))
    record.write("drjit")


main()
