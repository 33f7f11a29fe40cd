"""Records what PaddlePaddle answers, on the CPU: `python record_paddle.py`. Its `uint16` holds bfloat16, which has rows of
its own."""
import paddle
from common import DTYPES, SCALARS, Record, ask

OWN = [d for d in DTYPES if d not in ("uint16", "uint32", "uint64")]
BINARY = {"add": lambda a, b: a + b, "subtract": lambda a, b: a - b, "multiply": lambda a, b: a * b,
          "divide": lambda a, b: a / b, "floor_divide": lambda a, b: a // b, "remainder": lambda a, b: a % b,
          "pow": lambda a, b: a**b, "bitwise_and": lambda a, b: a & b, "less": lambda a, b: a < b,
          "equal": lambda a, b: a == b, "maximum": paddle.maximum, "atan2": paddle.atan2,
          "where": lambda a, b: paddle.where(paddle.to_tensor([True, False]), a, b),
          "concat": lambda a, b: paddle.concat([a, b]), "logical_and": paddle.logical_and}
UNARY = {"negative": lambda x: -x, "abs": paddle.abs, "sqrt": paddle.sqrt, "exp": paddle.exp, "log": paddle.log,
         "sin": paddle.sin, "tanh": paddle.tanh, "floor": paddle.floor, "round": paddle.round, "sign": paddle.sign,
         "square": paddle.square, "reciprocal": paddle.reciprocal, "isnan": paddle.isnan,
         "logical_not": paddle.logical_not, "bitwise_invert": paddle.bitwise_not, "sum": paddle.sum,
         "prod": paddle.prod, "mean": paddle.mean, "std": paddle.std, "max": paddle.max, "min": paddle.min,
         "argmax": paddle.argmax, "all": paddle.all, "any": paddle.any, "cumulative_sum": paddle.cumsum,
         "cumulative_prod": lambda x: paddle.cumprod(x, 0), "sort": paddle.sort, "argsort": paddle.argsort,
         "median": paddle.median, "count_nonzero": paddle.count_nonzero}


def dtype(x):
    return str(x.dtype).removeprefix("paddle.")


def main():
    record = Record("paddlepaddle", paddle.__version__, "Apache-2.0", "Result dtypes on the CPU.", OWN)
    arrays = {d: paddle.to_tensor([1, 1]).astype(d) for d in OWN}
    zeros = {d: paddle.to_tensor(1).astype(d) for d in OWN}
    for op, f in BINARY.items():
        for a in OWN:
            record.add("binary", op, a, [ask(lambda: dtype(f(arrays[a], arrays[b]))) for b in OWN])
    for a in OWN:
        record.add("zero", "add", a, [ask(lambda: dtype(arrays[a] + zeros[b])) for b in OWN])
        record.add("zeros", "add", a, [ask(lambda: dtype(zeros[a] + zeros[b])) for b in OWN])
    for op, f in UNARY.items():
        record.add("unary", op, "-", [ask(lambda: dtype(f(arrays[a]))) for a in OWN])
    record.scalars(SCALARS)
    for op in ("add", "divide", "pow", "floor_divide", "less"):
        for a in OWN:
            record.add("scalar", op, a, [ask(lambda: dtype(BINARY[op](arrays[a], v))) for v in SCALARS.values()])
    for text in ("True", "1", "2**40", "1.5", "1j"):
        record.add("literal", "asarray", text, [ask(lambda: dtype(paddle.to_tensor(eval(text))))])
    record.write("paddle")


main()
