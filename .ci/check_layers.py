#!/usr/bin/env python3
"""Checks that the modules of the engine stand in layers: a module uses only those below it.

The order is that of LAYERS, from above to below; a folder of `backends/jit/src`, or a file there, is a module. What tests look into,
`internals`, stands above all. Prints every use that goes up, with its file and line, and exits with 1 if there is one.
"""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent / "backends/jit/src"
# Modules of one line know nothing of each other.
LAYERS = [
    ["internals"],
    ["kernel"],
    ["adapter"],
    ["engine"],
    ["program"],
    ["cache"],
    ["schedule"],
    ["trace"],
    ["runtime"],
    ["codegen"],
    ["lower"],
    ["passes"],
    ["kind"],
    ["ir"],
    ["environment"],
    ["log"],
]
RANK = {module: rank for rank, layer in enumerate(LAYERS) for module in layer}


def modules_used(text):
    """The modules that a file names, each with the line."""
    for found in re.finditer(r"\bcrate::(?:(\w+)|\{)", text):
        line = text.count("\n", 0, found.start()) + 1
        if found.group(1):
            yield found.group(1), line
            continue
        depth, entry = 0, ""
        for character in text[found.end() :]:
            if depth == 0 and character in ",}":
                if first := re.match(r"\s*(\w+)", entry):
                    yield first.group(1), line
                entry = ""
                if character == "}":
                    break
            else:
                depth += (character == "{") - (character == "}")
                entry += character


def main():
    wrong = []
    for path in sorted(ROOT.rglob("*.rs")):
        own = path.relative_to(ROOT).parts[0].removesuffix(".rs")
        if own == "lib":
            continue
        if own not in RANK:
            wrong.append(f"{path}: the module `{own}` stands in no layer of {__file__}")
            continue
        for used, line in modules_used(path.read_text()):
            if used != own and used in RANK and RANK[used] <= RANK[own]:
                wrong.append(f"{path}:{line}: `{own}` uses `{used}`, which does not stand below it")
    print("\n".join(wrong) or f"{len(RANK)} modules of the engine in {len(LAYERS)} layers")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
