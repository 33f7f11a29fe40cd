"""Asks Dr.Jit for the answers of data/answers.tsv anew: `DRJIT_LIBLLVM_PATH=... python record.py` (drjit 1.5.0)."""

import pathlib

import drjit as dr
import drjit.llvm as L
import drjit.llvm.ad as A
import drjit.scalar as S

PATH = pathlib.Path(__file__).parent / "data" / "answers.tsv"
NAMES = {"dr": dr, "L": L, "A": A, "S": S}


def answer(expression):
    try:
        value = eval(expression, NAMES)
        text = str(value) if isinstance(value, dr.ArrayBase) else repr(value)
    except Exception:
        return "!"
    return text.replace("\n", "\\n")


lines = []
for line in PATH.read_text().splitlines():
    if line.startswith("#") or not line:
        lines.append(line)
        continue
    row, expression = line.split("\t")[:2]
    lines.append(f"{row}\t{expression}\t{answer(expression)}")
PATH.write_text("\n".join(lines) + "\n")
