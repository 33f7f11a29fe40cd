"""Writes the recorded answers of TensorFlow, Paddle, Taichi, Dr.Jit and ml_dtypes in the form of `common.py`:
`python from_oracles.py ORACLES FUNCTIONS`, ORACLES being the folder of the recorded JSON files and FUNCTIONS that of
`record_tensorflow.py`."""
import json
import sys

from common import DTYPES, SHORT, Record, short

oracles, functions = sys.argv[1:]
CORE = {"+": "add", "-": "subtract", "*": "multiply", "/": "divide", "//": "floor_divide", "%": "remainder", "**": "pow",
        "<<": "bitwise_left_shift", ">>": "bitwise_right_shift", "&": "bitwise_and", "|": "bitwise_or",
        "^": "bitwise_xor", "<": "less", "<=": "less_equal", ">=": "greater_equal", "==": "equal", "!=": "not_equal"}


def load(name, folder=oracles):
    with open(f"{folder}/{name}.json") as file:
        return json.load(file)


def tensorflow():
    names = {"tf.math.maximum": "maximum", "tf.math.atan2": "atan2", "tf.concat": "concat", "tf.where": "where",
             "tf.matmul": "matmul", "tf.bitwise.left_shift": "bitwise_left_shift", "tf.math.logical_and": "logical_and"}
    for name, mode in (("tensorflow", "legacy"), ("tensorflow-safe", "safe"), ("tensorflow-all", "all"),
                       ("tensorflow-plain", "plain")):
        data, own = load(f"tensorflow_{mode}"), load(f"tensorflow_{mode}_functions", functions)
        assert data["dtypes"] == DTYPES and data["header"]["version"] == own["version"]
        record = Record("tensorflow", own["version"], "Apache-2.0", f"Operators and functions of `tf`, mode {mode}.")
        for op, matrix in data["binary"].items():
            if op != "tf.add":
                record.matrix("binary", {**CORE, **names}[op], DTYPES, matrix)
        for op, cells in own["unary"].items():
            record.add("unary", op, "-", cells)
        record.scalars(data["python_scalars"])
        for kind, key in (("scalar", "scalar_right"), ("scalar-left", "scalar_left")):
            for op, rows in data[key].items():
                record.matrix(kind, CORE[op], DTYPES, [rows[d] for d in DTYPES])
        for text, answer in data["convert_to_tensor"].items():
            if not text.startswith("["):
                record.add("literal", "asarray", text, [short(answer)])
        record.write(name)
    data = load("tensorflow_legacy")
    record = Record("tensorflow", data["header"]["version"], "Apache-2.0", "tf.experimental.numpy, NumPy behaviour on.")
    binary = {"true_divide": "divide", "mod": "remainder", "power": "pow", "arctan2": "atan2", "concatenate": "concat"}
    keep = ("add subtract multiply floor_divide hypot maximum bitwise_and bitwise_or logical_and equal less gcd matmul "
            "where logaddexp").split()
    record.matrix("binary", "promote_types", DTYPES, data["tnp.promote_types"])
    for op, matrix in data["tnp binary"].items():
        if op in binary or op in keep:
            record.matrix("binary", binary.get(op, op), DTYPES, matrix)
    unary = {"around": "round", "bitwise_not": "bitwise_invert", "cumsum": "cumulative_sum", "cumprod": "cumulative_prod"}
    keep = ("negative abs sign square sqrt exp log log1p sin cos tan tanh floor ceil reciprocal isnan isfinite signbit "
            "logical_not sum prod mean std var max min argmax argmin any all sort argsort count_nonzero").split()
    for op, cells in data["tnp unary"].items():
        if op in unary or op in keep:
            record.add("unary", unary.get(op, op), "-", [short(c) for c in cells])
    record.scalars(data["python_scalars"])
    record.matrix("scalar", "result_type", DTYPES, [data["tnp.result_type(tensor, pyscalar)"][d] for d in DTYPES])
    for text, answer in data["tnp.asarray"].items():
        if not text.startswith("["):
            record.add("literal", "asarray", text, [short(answer)])
    record.write("tensorflow-numpy")


def paddle():
    data = load("paddle")
    # Its `uint16` holds bfloat16, which has rows of its own.
    own = [d for d in data["dtypes"] if d != "uint16"]
    at = [data["dtypes"].index(d) for d in own]
    record = Record("paddlepaddle", data["header"]["version"], "Apache-2.0", "Result dtypes on the CPU.", own)
    names = {"paddle.maximum": "maximum", "paddle.atan2": "atan2", "paddle.where": "where", "paddle.concat": "concat",
             "paddle.logical_and": "logical_and"}

    def square(kind, op, matrix):
        record.matrix(kind, op, own, [[matrix[i][j] for j in at] for i in at])

    for op, matrix in data["binary(nd,nd)"].items():
        square("binary", {**CORE, **names}[op], matrix)
    square("zero", "add", data["add(nd,0d)"])
    square("zeros", "add", data["add(0d,0d)"])
    unary = {"neg": "negative", "bitwise_not": "bitwise_invert", "cumsum": "cumulative_sum", "cumprod": "cumulative_prod"}
    for op, cells in data["unary"].items():
        if op not in ("conj", "real", "angle"):
            record.add("unary", unary.get(op, op), "-", [short(cells[i]) for i in at])
    record.scalars(data["python_scalars"])
    for op, rows in data["scalar"].items():
        record.matrix("scalar", CORE[op], own, [rows[d] for d in own])
    for text, answer in data["to_tensor"].items():
        if not text.startswith("["):
            record.add("literal", "asarray", text, [short(answer)])
    record.write("paddle")


def taichi():
    full = {"u1": "bool", **{v: k for k, v in SHORT.items()}}
    names = {"ti.atan2": "atan2", "ti.max": "maximum", "ti.lang.ops.logical_and (and)": "logical_and"}
    unary = {"-x": "negative", "~x": "bitwise_invert", "ti.abs": "abs", "ti.sqrt": "sqrt", "ti.exp": "exp",
             "ti.log": "log", "ti.sin": "sin", "ti.cos": "cos", "ti.tanh": "tanh", "ti.floor": "floor",
             "ti.ceil": "ceil", "ti.round": "round", "ti.lang.ops.logical_not (not)": "logical_not",
             "ti.math.isnan": "isnan", "ti.math.isinf": "isinf"}
    for name, file in (("taichi", "taichi_160_types"), ("taichi-1.7", "taichi_types")):
        data = load(file)
        own = [full[t] for t in data["types"]]
        record = Record("taichi", data["header"]["version"], "Apache-2.0", "Static result types, default_ip=i32, "
                        "default_fp=f32.", own)
        rename = lambda cell: cell if cell.startswith("err") else full[cell]
        for op, matrix in data["binary"].items():
            if op in {**CORE, **names}:
                record.matrix("binary", {**CORE, **names}[op], own, [[rename(c) for c in row] for row in matrix])
        for op, cells in data["unary"].items():
            if op in unary:
                record.add("unary", unary[op], "-", [short(rename(c)) for c in cells])
        literals = ["True", "1", "-1", "2**31", "1.5", "1e300"]
        record.scalars(literals)
        for op in data["literal"][data["types"][0]]:
            if op in {**CORE, **names}:
                rows = [[rename(data["literal"][t][op][x]) for x in literals] for t in data["types"]]
                record.matrix("scalar", {**CORE, **names}[op], own, rows)
        for text in literals:
            record.add("literal", "asarray", text, [short(rename(data["literal_alone"][text]))])
        record.write(name)


def drjit():
    data = load("drjit_promotion")
    full = {"Bool": "bool", "Int8": "int8", "UInt8": "uint8", "Int": "int32", "UInt": "uint32", "Int64": "int64",
            "UInt64": "uint64", "Float16": "float16", "Float": "float32", "Float64": "float64"}
    own = [full[t] for t in data["types"]]
    record = Record("drjit", data["header"]["version"], "BSD-3-Clause", "Result types of drjit.llvm arrays.", own)

    def rename(cell):
        return full.get(cell.removeprefix("llvm."), "err")

    names = {"dr.minimum": "minimum", "dr.maximum": "maximum", "dr.atan2": "atan2", "dr.hypot": "hypot"}
    record.matrix("binary", "promote_types", own, [[rename(c) for c in row] for row in data["expr_t"]])
    for op, matrix in data["binary"].items():
        if op in {**CORE, **names}:
            record.matrix("binary", {**CORE, **names}[op], own, [[rename(c) for c in row] for row in matrix])
    unary = {f"dr.{n}": n for n in "abs sqrt square sin cos tan tanh exp log floor ceil trunc round sum prod mean max min "
             "isnan isinf isfinite all any".split()} | {"-x": "negative", "~x": "bitwise_invert", "dr.rcp": "reciprocal"}
    for op, cells in data["unary"].items():
        if op in unary and all(c.startswith("err") or c.removeprefix("llvm.") in full for c in cells):
            record.add("unary", unary[op], "-", [short(rename(c)) for c in cells])
    keep = ["True", "1", "-1", "300", "2**40", "1.5", "1e300", "1j"]
    at = [data["python_scalars"].index(x) for x in keep]
    record.scalars(keep)
    for kind, key in (("scalar", "scalar_right"), ("scalar-left", "scalar_left")):
        for op, rows in data[key].items():
            if op in CORE or op in names:
                record.matrix(kind, {**CORE, **names}[op], own, [[rename(rows[t][i]) for i in at] for t in data["types"]])
    record.write("drjit")


def ml_dtypes():
    data = load("rounding_ml_dtypes")
    own = [d for d in data["promotion"]["dtypes"] if not d.startswith("float6_")]
    at = [data["promotion"]["dtypes"].index(d) for d in own]
    source = "Promotion of NumPy's dtypes with those of ml_dtypes."
    record = Record("ml_dtypes", data["header"]["version"], "Apache-2.0", source, own)
    matrix = data["promotion"]["promote_types"]
    record.matrix("binary", "promote_types", own, [[matrix[i][j] for j in at] for i in at])
    record.write("numpy-ml_dtypes")


tensorflow()
ml_dtypes()
paddle()
taichi()
drjit()
