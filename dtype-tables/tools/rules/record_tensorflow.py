"""Records what TensorFlow answers: `python record_tensorflow.py NAME`, NAME being tensorflow (mode legacy),
tensorflow-plain, tensorflow-safe, tensorflow-all or tensorflow-numpy, since the mode is for a process."""
import operator
import os
import sys

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
import tensorflow as tf
from common import DTYPES, Record, ask

SCALARS = {"True": True, "1": 1, "-1": -1, "300": 300, "2**40": 2**40, "1.5": 1.5, "1e300": 1e300, "1j": 1j}
OPERATORS = {"add": operator.add, "multiply": operator.mul, "divide": operator.truediv,
             "floor_divide": operator.floordiv, "remainder": operator.mod, "pow": operator.pow, "less": operator.lt,
             "equal": operator.eq, "bitwise_and": operator.and_}
BINARY = {**OPERATORS, "maximum": tf.math.maximum, "atan2": tf.math.atan2, "concat": lambda a, b: tf.concat([a, b], 0),
          "where": lambda a, b: tf.where([True, False], a, b), "matmul": lambda a, b: tf.matmul(square(a), square(b)),
          "bitwise_left_shift": tf.bitwise.left_shift, "logical_and": tf.math.logical_and}
UNARY = {"abs": tf.math.abs, "negative": tf.math.negative, "square": tf.math.square, "sign": tf.math.sign,
         "reciprocal": tf.math.reciprocal, "sqrt": tf.math.sqrt, "exp": tf.math.exp, "log": tf.math.log,
         "sin": tf.math.sin, "tanh": tf.math.tanh, "floor": tf.math.floor, "ceil": tf.math.ceil,
         "round": tf.math.round, "isnan": tf.math.is_nan, "logical_not": tf.math.logical_not,
         "bitwise_invert": tf.bitwise.invert, "sum": tf.math.reduce_sum, "prod": tf.math.reduce_prod,
         "cumulative_sum": tf.math.cumsum, "cumulative_prod": tf.math.cumprod, "mean": tf.math.reduce_mean,
         "std": tf.math.reduce_std, "var": tf.math.reduce_variance, "max": tf.math.reduce_max,
         "argmax": tf.math.argmax, "argsort": tf.argsort, "all": tf.math.reduce_all,
         "count_nonzero": tf.math.count_nonzero, "sort": tf.sort,
         "trace": lambda x: tf.linalg.trace(tf.reshape(x, [1, 2]))}
NUMPY_BINARY = {"add": "add", "subtract": "subtract", "multiply": "multiply", "true_divide": "divide",
                "floor_divide": "floor_divide", "mod": "remainder", "power": "pow", "arctan2": "atan2", "hypot": "hypot",
                "maximum": "maximum", "bitwise_and": "bitwise_and", "bitwise_or": "bitwise_or",
                "logical_and": "logical_and", "equal": "equal", "less": "less", "gcd": "gcd", "matmul": "matmul",
                "where": "where", "concatenate": "concat", "logaddexp": "logaddexp"}
NUMPY_UNARY = {name: name for name in (
    "negative abs sign square sqrt exp log log1p sin cos tan tanh floor ceil reciprocal isnan isfinite signbit "
    "logical_not sum prod mean std var max min argmax argmin any all sort argsort count_nonzero").split()}
NUMPY_UNARY.update(around="round", bitwise_not="bitwise_invert", cumsum="cumulative_sum", cumprod="cumulative_prod")


def square(x):
    return tf.reshape(tf.concat([x, x], 0), [2, 2])


def dtype(x):
    return tf.as_dtype(x.dtype).name


def ones():
    return {d: tf.cast(tf.constant([1, 1]), getattr(tf, d)) for d in DTYPES}


def operators(name, mode):
    if mode == "legacy":
        tf.experimental.numpy.experimental_enable_numpy_behavior()
    elif mode != "plain":
        tf.experimental.numpy.experimental_enable_numpy_behavior(dtype_conversion_mode=mode)
    record = Record("tensorflow", tf.__version__, "Apache-2.0", f"Operators and functions of `tf`, mode {mode}.")
    arrays = ones()
    for op, f in BINARY.items():
        for a in DTYPES:
            record.add("binary", op, a, [ask(lambda: dtype(f(arrays[a], arrays[b]))) for b in DTYPES])
    for op, f in UNARY.items():
        record.add("unary", op, "-", [ask(lambda: dtype(f(arrays[a]))) for a in DTYPES])
    record.scalars(SCALARS)
    for op in ("add", "divide", "floor_divide", "pow", "less", "equal"):
        for a in DTYPES:
            record.add("scalar", op, a, [ask(lambda: dtype(BINARY[op](arrays[a], v))) for v in SCALARS.values()])
    for op in ("add", "divide"):
        for a in DTYPES:
            record.add("scalar-left", op, a, [ask(lambda: dtype(BINARY[op](v, arrays[a]))) for v in SCALARS.values()])
    for text in ("True", "1", "2**31", "2**40", "2**63", "1.5", "1e300", "1j"):
        record.add("literal", "asarray", text, [ask(lambda: dtype(tf.convert_to_tensor(eval(text))))])
    record.write(name)


def numpy_functions(name):
    tnp = tf.experimental.numpy
    tnp.experimental_enable_numpy_behavior()
    record = Record("tensorflow", tf.__version__, "Apache-2.0", "tf.experimental.numpy, NumPy behaviour on.")
    arrays = ones()
    special = {"where": lambda a, b: tnp.where([True, False], a, b), "concatenate": lambda a, b: tnp.concatenate([a, b]),
               "matmul": lambda a, b: tnp.matmul(square(a), square(b))}
    for a in DTYPES:
        cells = [ask(lambda: tf.as_dtype(tnp.promote_types(getattr(tf, a).as_numpy_dtype, getattr(tf, b).as_numpy_dtype)).name) for b in DTYPES]
        record.add("binary", "promote_types", a, cells)
    for own, op in NUMPY_BINARY.items():
        f = special.get(own) or getattr(tnp, own)
        for a in DTYPES:
            record.add("binary", op, a, [ask(lambda: dtype(f(arrays[a], arrays[b]))) for b in DTYPES])
    for own, op in NUMPY_UNARY.items():
        record.add("unary", op, "-", [ask(lambda: dtype(getattr(tnp, own)(arrays[a]))) for a in DTYPES])
    record.scalars(SCALARS)
    for a in DTYPES:
        cells = [ask(lambda: tf.as_dtype(tnp.result_type(arrays[a], v)).name) for v in SCALARS.values()]
        record.add("scalar", "result_type", a, cells)
    for text in ("True", "1", "2**40", "2**63", "1.5", "1j"):
        record.add("literal", "asarray", text, [ask(lambda: dtype(tnp.asarray(eval(text))))])
    record.write(name)


MODES = {"tensorflow": "legacy", "tensorflow-plain": "plain", "tensorflow-safe": "safe", "tensorflow-all": "all"}
if sys.argv[1] in MODES:
    operators(sys.argv[1], MODES[sys.argv[1]])
else:
    numpy_functions("tensorflow-numpy")
