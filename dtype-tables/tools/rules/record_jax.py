"""Records what JAX answers: `python record_jax.py`, in four modes: with 64-bit dtypes and without, standard and strict."""
import warnings

import jax
import jax.numpy as jnp
from common import DTYPES, SCALARS, SHORT, Record, ask

warnings.simplefilter("ignore")
OWN = DTYPES + ["int2", "int4", "uint2", "uint4", "float8_e4m3fn", "float8_e5m2", "float8_e4m3b11fnuz",
                "float8_e4m3fnuz", "float8_e5m2fnuz", "float8_e3m4", "float8_e4m3", "float8_e8m0fnu", "float4_e2m1fn"]
BINARY = {"add": jnp.add, "subtract": jnp.subtract, "multiply": jnp.multiply, "divide": jnp.true_divide,
          "floor_divide": jnp.floor_divide, "remainder": jnp.remainder, "pow": jnp.power, "maximum": jnp.maximum,
          "bitwise_and": jnp.bitwise_and, "bitwise_left_shift": jnp.left_shift, "bitwise_right_shift": jnp.right_shift,
          "equal": jnp.equal, "less": jnp.less, "logical_and": jnp.logical_and, "atan2": jnp.arctan2,
          "hypot": jnp.hypot, "logaddexp": jnp.logaddexp, "copysign": jnp.copysign, "matmul": jnp.matmul,
          "where": lambda a, b: jnp.where(jnp.array([True, False]), a, b), "concat": lambda a, b: jnp.concatenate([a, b])}
UNARY = {"abs": jnp.abs, "negative": jnp.negative, "positive": jnp.positive, "square": jnp.square, "sign": jnp.sign,
         "reciprocal": jnp.reciprocal, "sqrt": jnp.sqrt, "exp": jnp.exp, "log": jnp.log, "sin": jnp.sin,
         "tanh": jnp.tanh, "floor": jnp.floor, "ceil": jnp.ceil, "trunc": jnp.trunc, "round": jnp.round,
         "isnan": jnp.isnan, "logical_not": jnp.logical_not, "bitwise_invert": jnp.invert, "sum": jnp.sum,
         "prod": jnp.prod, "cumulative_sum": jnp.cumsum, "cumulative_prod": jnp.cumprod, "mean": jnp.mean,
         "std": jnp.std, "var": jnp.var, "median": jnp.median, "max": jnp.max, "argmax": jnp.argmax,
         "argsort": jnp.argsort, "all": jnp.all, "count_nonzero": jnp.count_nonzero, "sort": jnp.sort,
         "trace": lambda x: jnp.trace(x.reshape(1, 2)), "inv": lambda x: jnp.linalg.inv(x[:1].reshape(1, 1)),
         "vector_norm": jnp.linalg.norm, "fft": jnp.fft.fft}


def answer(f, *operands):
    """The result's dtype, with `*` where it is weakly typed. Nothing is computed."""
    result = jax.eval_shape(f, *operands)
    return str(result.dtype) + ("*" if result.weak_type else "")


def dtype(x):
    return str(x.dtype) + ("*" if x.weak_type else "")


def main(name, x64, mode):
    jax.config.update("jax_enable_x64", x64)
    jax.config.update("jax_numpy_dtype_promotion", mode)
    source = f"Result dtypes as the package gives them; jax_enable_x64={x64}, jax_numpy_dtype_promotion={mode}."
    record = Record("jax", jax.__version__, "Apache-2.0", source, OWN)
    arrays = {d: jnp.ones(2, d) for d in DTYPES}
    for a in OWN:
        record.add("binary", "promote_types", a, [ask(lambda: jnp.promote_types(a, b)) for b in OWN])
    for op, f in BINARY.items():
        for a in DTYPES:
            cells = [ask(lambda: answer(f, arrays[a], arrays[b])) if b in DTYPES else "." for b in OWN]
            record.add("binary", op, a, cells)
    for op, f in UNARY.items():
        record.add("unary", op, "-", [ask(lambda: answer(f, arrays[a])) if a in DTYPES else "." for a in OWN])
    for kind in ("safe", "no", "equiv", "same_kind", "unsafe"):
        for a in OWN:
            record.add("cast", kind, a, [str(int(jnp.can_cast(a, b, kind))) for b in OWN])
    for i, a in enumerate(DTYPES):
        for b in DTYPES[i:]:
            cells = [ask(lambda: jnp.result_type(arrays[a], arrays[b], arrays[c])) if c in DTYPES else "." for c in OWN]
            record.add("several", "result_type", f"{SHORT[a]},{SHORT[b]}", cells)
    record.scalars(SCALARS)
    for op in ("add", "divide", "pow", "floor_divide", "equal", "atan2"):
        for a in DTYPES:
            f = BINARY[op]
            record.add("scalar", op, a, [ask(lambda: answer(lambda x: f(x, v), arrays[a])) for v in SCALARS.values()])
    for a in OWN:
        cells = [ask(lambda: jnp.result_type(a, kind)) for kind in (bool, int, float, complex)]
        record.add("scalar", "result_type", a, cells)
    weak = [jnp.asarray(v) for v in (1, 1.5, 1j)]
    for a in DTYPES:
        record.add("weak", "add", a, [ask(lambda: answer(jnp.add, arrays[a], w)) for w in weak])
    for row, v in zip(("int*", "float*", "complex*"), weak):
        record.add("weak", "add", row, [ask(lambda: answer(jnp.add, v, w)) for w in weak])
        record.add("weak", "divide", row, [ask(lambda: answer(jnp.divide, v, w)) for w in weak])
    for op in ("sqrt", "sum", "mean", "negative", "floor", "abs", "argmax", "cumulative_sum"):
        record.add("weak", op, "-", [ask(lambda: answer(UNARY[op], w if "cum" not in op else w.reshape(1))) for w in weak])
    for text in ("True", "1", "2**40", "2**63", "1.5", "1e300", "1j"):
        record.add("literal", "asarray", text, [ask(lambda: dtype(jnp.asarray(eval(text))))])
    record.write(name)


for suffix, x64 in (("", True), ("-x32", False)):
    main("jax" + suffix, x64, "standard")
    main("jax-strict" + suffix, x64, "strict")
