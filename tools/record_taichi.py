#!/usr/bin/env python3
"""Records what Taichi answers: record_taichi.py [PACKAGE], where PACKAGE is the module to ask (`taichi`, which has to be installed).

Each row of frontends/taichi/tests/data/kernels.tsv is a kernel's parameters, the type of its result, its arguments (expressions of
Python) and its body (lines divided by `\\n`); the last column is the answer, which this script writes: a number or nested lists, or
`!` and the class of the error. Taichi 1.7.4 has answered, on the processor.
"""

import importlib
import pathlib
import sys
import tempfile

ROWS = pathlib.Path(__file__).resolve().parents[1] / "frontends/taichi/tests/data/kernels.tsv"


def rows():
    """The rows: parameters, result, arguments, body, answer."""
    lines = ROWS.read_text().splitlines()
    return [line.split("\t") for line in lines if not line.startswith("#")]


def answer(ti, package: str, folder: str, number: int, row: list[str]) -> str:
    """What a package answers: the kernel is written to a file, since kernels are made of their source."""
    import numpy as np

    parameters, result, arguments, body = row[:4]
    head = f"@ti.kernel\ndef f({parameters})" + (f" -> {result}:" if result else ":")
    text = "".join(f"    {line}\n" for line in body.split("\\n"))
    path = pathlib.Path(folder) / f"kernel{number}.py"
    path.write_text(f"import {package} as ti\ntm = ti.math\n{head}\n{text}")
    spec = importlib.util.spec_from_file_location(f"kernel{number}", path)
    module = importlib.util.module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
        given = eval(f"({arguments},)" if arguments else "()", {"ti": ti, "np": np})  # noqa: S307 - rows of this repository
        value = module.f(*given)
    except Exception as error:
        return f"!{type(error).__name__}"
    if isinstance(value, ti.Matrix):
        value = value.to_list()
    return repr(plain(value))


def plain(value):
    """Numbers of Python's, rounded to what single precision holds."""
    if isinstance(value, (list, tuple)):
        return [plain(entry) for entry in value]
    if value is None or isinstance(value, (bool, int)):
        return value if value is None else int(value)
    number = float(value)
    return int(number) if number.is_integer() else float(f"{number:.5g}")


if __name__ == "__main__":
    package = sys.argv[1] if len(sys.argv) > 1 else "taichi"
    ti = importlib.import_module(package)
    ti.init(arch=ti.cpu, log_level=ti.ERROR) if package == "taichi" else ti.init(arch=ti.cpu, rules="taichi-1.7")
    with tempfile.TemporaryDirectory() as folder:
        answered = [[*row[:4], answer(ti, package, folder, n, row)] for n, row in enumerate(rows())]
    comments = [line for line in ROWS.read_text().splitlines() if line.startswith("#")]
    ROWS.write_text("\n".join([*comments, *("\t".join(row) for row in answered)]) + "\n")
