"""Records the static result types of Taichi's operators, with default_ip=i32 and default_fp=f32: `python
record_taichi.py NAME`, NAME being taichi or taichi-1.7. An operand is an element of a field, as users write it."""
import importlib.util
import pathlib
import sys
import tempfile

import taichi as ti
from common import SHORT, Record, short

TYPES = "u1 i8 i16 i32 i64 u8 u16 u32 u64 f16 f32 f64".split()
FULL = {"u1": "bool", **{v: k for k, v in SHORT.items()}}
LITERALS = ["True", "1", "-1", "2**31", "1.5", "1e300"]
BINARY = {"add": "a + b", "subtract": "a - b", "multiply": "a * b", "divide": "a / b", "floor_divide": "a // b",
          "remainder": "a % b", "pow": "a ** b", "bitwise_left_shift": "a << b", "bitwise_right_shift": "a >> b",
          "bitwise_and": "a & b", "bitwise_or": "a | b", "bitwise_xor": "a ^ b", "less": "a < b", "less_equal": "a <= b",
          "equal": "a == b", "not_equal": "a != b", "atan2": "ti.atan2(a, b)", "maximum": "ti.max(a, b)",
          "logical_and": "ti.lang.ops.logical_and(a, b)"}
UNARY = {"negative": "-a", "bitwise_invert": "~a", "abs": "ti.abs(a)", "sqrt": "ti.sqrt(a)", "exp": "ti.exp(a)",
         "log": "ti.log(a)", "sin": "ti.sin(a)", "cos": "ti.cos(a)", "tanh": "ti.tanh(a)", "floor": "ti.floor(a)",
         "ceil": "ti.ceil(a)", "round": "ti.round(a)", "logical_not": "ti.lang.ops.logical_not(a)",
         "isnan": "ti.math.isnan(a)", "isinf": "ti.math.isinf(a)"}
SCALAR = ("add", "divide", "floor_divide", "pow", "bitwise_left_shift", "bitwise_and", "less", "maximum")


class Known(Exception):
    """The type of an expression; nothing is compiled."""


def kernels(questions):
    """A module with a kernel for each question: `(name, expression, first, second)`."""
    text = ["import taichi as ti", "from __main__ import FIELDS, known"]
    for name, expression, first, second in questions:
        lines = [f"    a = FIELDS['{first}'][None]" if first else "    a = 0"]
        lines += [f"    b = FIELDS['{second}'][None]"] if second in TYPES else []
        expression = expression if second in TYPES or second is None else expression.replace("b", f"({second})", 1) \
            if expression.endswith(" b") else expression.replace(", b)", f", {second})")
        text += ["", "@ti.kernel", f"def {name}():", *lines, f"    c = {expression}", "    known(c)"]
    path = pathlib.Path(tempfile.mkdtemp()) / "questions.py"
    path.write_text("\n".join(text) + "\n")
    spec = importlib.util.spec_from_file_location("questions", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def known(expression):
    pointer = getattr(expression, "ptr", None)
    kind = pointer.get_rvalue_type() if hasattr(pointer, "get_rvalue_type") else pointer.get_ret_type()
    raise Known(str(kind))


def answer(kernel):
    try:
        kernel()
    except Exception as error:  # whatever the compiler raises is its refusal
        while error is not None:
            if isinstance(error, Known):
                return short(FULL.get(str(error), "err"))
            text = str(error)
            error = error.__cause__ or error.__context__
            if error is None and "Known: " in text:
                return short(FULL.get(text.rsplit("Known: ", 1)[1].split()[0], "err"))
    return "-"


def main(name):
    ti.init(arch=ti.cpu, log_level=ti.ERROR, offline_cache=False, default_ip=ti.i32, default_fp=ti.f32)
    for t in TYPES:
        if hasattr(ti, t):
            try:
                FIELDS[t] = ti.field(getattr(ti, t), ())
            except Exception:  # Taichi before 1.7 has no fields of u1
                pass
    types = list(FIELDS)
    own = [FULL[t] for t in types]
    record = Record("taichi", ".".join(map(str, ti.__version__)), "Apache-2.0",
                    "Static result types, default_ip=i32, default_fp=f32.", own)
    questions = {}

    def ask(expression, first, second):
        questions.setdefault((expression, first, second), f"k{len(questions)}")
        return expression, first, second

    rows = [("binary", op, FULL[a], [ask(text, a, b) for b in types]) for op, text in BINARY.items() for a in types]
    rows += [("unary", op, "-", [ask(text, a, None) for a in types]) for op, text in UNARY.items()]
    rows += [("scalars",)]
    rows += [("scalar", op, FULL[a], [ask(BINARY[op], a, x) for x in LITERALS]) for op in SCALAR for a in types]
    rows += [("literal", "asarray", x, [ask(x, None, None)]) for x in LITERALS]
    module = kernels([(key, *question) for question, key in questions.items()])
    for row in rows:
        if row == ("scalars",):
            record.scalars(LITERALS)
            continue
        kind, op, label, cells = row
        record.add(kind, op, label, [answer(getattr(module, questions[cell])) for cell in cells])
    record.write(name)


FIELDS = {}
main(sys.argv[1])
