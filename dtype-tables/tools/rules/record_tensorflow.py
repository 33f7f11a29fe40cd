"""Records what TensorFlow's functions of one tensor answer: `python record_tensorflow.py MODE FOLDER`, MODE being plain,
legacy, safe or all. The pairs are in the recorded answers that `from_oracles.py` reads; this makes a small JSON file for
it, since the mode is for a process."""
import json
import sys

import tensorflow as tf
from common import DTYPES, ask

mode, folder = sys.argv[1:]
if mode == "legacy":
    tf.experimental.numpy.experimental_enable_numpy_behavior()
elif mode != "plain":
    tf.experimental.numpy.experimental_enable_numpy_behavior(dtype_conversion_mode=mode)

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
ones = {d: tf.cast(tf.constant([1, 1]), getattr(tf, d)) for d in DTYPES}
answers = {op: [ask(lambda: f(ones[d]).dtype.name) for d in DTYPES] for op, f in UNARY.items()}
with open(f"{folder}/tensorflow_{mode}_functions.json", "w") as file:
    json.dump({"version": tf.__version__, "unary": answers}, file)
