#!/usr/bin/env python3
"""Writes a call of every function of the registry, and of those of dtypes, devices and settings, for type checkers, from the stubs: python3 bindings/python/typed_calls.py

The file is `tests/typed/every_function.py`. Each function is called with what it needs, and with all its keyword arguments; of a
union, each alternative of a parameter is given once. Types of results are asserted.
"""

import ast
import re
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
import make_stubs  # noqa: E402

FILE = HERE / "tests/typed/every_function.py"
HEAD = '''"""Every function of the registry as a type checker sees it: written by bindings/python/typed_calls.py, and never run."""

from typing import Any, assert_type

import ivyrs
from ivyrs import fft, linalg


def calls(x: ivyrs.Array, key: ivyrs.Generator) -> None:
'''
# A value of each type that a parameter may have.
VALUES = {
    "ArrayLike": "x", "Array": "x", "complex": "1.5j", "float": "0.5", "int": "1", "str": '"VALID"', "_bool": "True", "bool": "True", "None": "None",
    "DtypeLike": '"float32"', "Dtype": "ivyrs.float32", "Generator": "key", "Any": "x", "Sequence[int]": "[1, 1]", "Sequence[float]": "[0.5, 1]",
    "Sequence[complex]": "[0, 1j]", "Sequence[_bool]": "[True]", "Sequence[Sequence[int]]": "[[1, 1]]", "Sequence[Sequence[complex]]": "[[0, 1j]]",
    "Sequence[ArrayLike]": "[x, x]", "tuple[int, ...]": "(1, 1)", "tuple[Array, ...]": "(x,)", "Sequence[Any]": "[x]", "Callable[..., Any]": "ivyrs.add",
    "tuple[DtypeLike | str, ...]": '("float32", "integral")', "Callable[[Array, Array], Array]": "ivyrs.add", "Callable[[Any], Any]": "ivyrs.abs",
    "tuple[complex, complex]": "(0, 1j)", "tuple[Sequence[int], Sequence[int]]": "([0], [1])", "DtypesOf": '{"a": [x, 1.5, "int8"]}', "object": "x",
    "Index": "(..., None, x, [0, 1], slice(1, None))", "Namespace": 'ivyrs.namespace("ndarray")', "Callable[..., object]": "ivyrs.add",
}  # fmt: skip


def alternatives(annotation):
    """The members of a union, as texts."""
    if isinstance(annotation, ast.BinOp):
        return alternatives(annotation.left) + alternatives(annotation.right)
    text = ast.unparse(annotation)
    if text.startswith("Literal["):
        words = annotation.slice.elts if isinstance(annotation.slice, ast.Tuple) else [annotation.slice]
        return [ast.unparse(word) for word in words]
    return [VALUES[text]]


def arguments(function):
    """Names, how they are given, whether they are needed, and the values of each parameter."""
    a = function.args
    positional = a.posonlyargs + a.args
    first = len(positional) - len(a.defaults)
    for i, p in enumerate(positional):
        yield None if i < len(a.posonlyargs) or a.vararg else p.arg, i < first, alternatives(p.annotation)
    if a.vararg:
        yield "*", True, alternatives(a.vararg.annotation)
    for p, default in zip(a.kwonlyargs, a.kw_defaults):
        yield p.arg, default is None, alternatives(p.annotation)
    if a.kwarg:
        yield "length", False, alternatives(a.kwarg.annotation)


def call(module, function):
    """The calls of a function, a line each."""
    known = list(arguments(function))
    name = f"{module}.{function.name}"
    given = lambda at, which: [  # noqa: E731
        f"{word}={values[which % len(values)]}" if word and word != "*" else values[which % len(values)]
        for word, needed, values in known
        if at or needed
    ]
    result = ast.unparse(function.returns).replace("_bool", "bool")
    qualified = re.sub(r"\b(Array|Dtype|FInfo|IInfo|Namespace)\b", r"ivyrs.\1", result)
    wanted = f"{module}.{result}" if result.endswith("_result") else qualified
    lines = [f"    assert_type({name}({', '.join(given(False, 0))}), {wanted})\n"]
    for which in range(max([len(values) for _, _, values in known], default=1)):
        lines.append(f"    {name}({', '.join(given(True, which))})\n")
    return "".join(dict.fromkeys(lines))


def text():
    body = []
    for file, module in (("__init__", "ivyrs"), ("linalg", "linalg"), ("fft", "fft")):
        names = {*make_stubs.plain(), *make_stubs.names_of("main")} if module == "ivyrs" else set(make_stubs.names_of(module))
        for node in ast.parse((make_stubs.FOLDER / f"{file}.pyi").read_text()).body:
            if isinstance(node, ast.FunctionDef) and node.name in names:
                body.append(call(module, node))
    return HEAD + "".join(body)


if __name__ == "__main__":
    FILE.write_text(text())
