"""Writes the tables of the frontends' pages, `docs/frontends/NAME.md`, from the data that they are about.

    python3 tools/frontend_pages.py [--check] [NAME ...]

A page is text by hand, with blocks between `<!-- BLOCK: ... -->` and `<!-- end -->` that are written here: the versions
(`frontends/core/src/versions.tsv`), the dtype rules beside the core's (`dtype-tables/rules/`), the known differences
(`frontends/NAME/tests/data/known.tsv`), the functions (`frontends/NAME/functions/*.tsv`), and those that are missing. With
`--check` nothing is written; the exit status is 1 where a page is not what the data make of it.
"""

import argparse
import ast
import json
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
RULES = ROOT / "dtype-tables/rules"
NAMES = {"numpy": "NumPy", "torch": "PyTorch", "jax": "JAX", "tensorflow": "TensorFlow", "paddle": "Paddle"}
CORE = "precise"
BLOCK = re.compile(r"(<!-- (\w+): [^>]*-->\n).*?(<!-- end -->)", re.S)
# `prod` of an array is the core's function.
BUILTINS = set(re.findall(r'"(\w+)" \d+\.\.=', (ROOT / "frontends/rows/src/expr.rs").read_text())) - {"prod"}


def table(path):
    """The cells of a table's lines, without comments."""
    lines = path.read_text().splitlines() if path.exists() else []
    return [line.split("\t") for line in lines if line and not line.startswith("#")]


def code(text):
    return "`" + text.replace("|", "\\|") + "`"


def codes(texts):
    return ", ".join(code(text) for text in texts)


def columns(heads, rows):
    """A table of Markdown."""
    lines = [heads, ["---"] * len(heads), *rows]
    return "".join("| " + " | ".join(line) + " |\n" for line in lines)


# Dtype rules.


def rule_file(rules, name):
    """A file of a set of rules, or that of the set that it is based on."""
    bases = {row[0]: row[1] for row in table(RULES / "sets.tsv")}
    while not (RULES / rules / name).exists():
        rules = bases[rules]
    return table(RULES / rules / name)


def canonical(rules):
    """The dtypes that stand for others in a set."""
    return {row[0].split()[1]: row[1] for row in rule_file(rules, "defaults.tsv") if row[0].startswith("canonical ")}


def pairs(rules):
    """What two dtypes have in common: the name of the dtype, or `-`."""
    (_, *heads), *rows = rule_file(rules, "pairs.tsv")
    found = {(row[0], head): cell for row in rows for head, cell in zip(heads, row[1:])}
    others = canonical(rules)
    return {(a, b): others.get(cell, cell) for (a, b), cell in found.items() if not {a, b} & others.keys()}


def promotion(rules, name):
    """The pairs in which a set and the core's differ."""
    core, own = pairs(CORE), pairs(rules)
    both = [pair for pair in core if pair in own]
    told = lambda cell: "refused" if cell == "-" else code(cell)
    others = sorted({a for a, _ in core} - {a for a, _ in own} - canonical(rules).keys())
    unlisted = f"\nArrays of {codes(others)} are refused wherever dtypes promote.\n" if others else ""
    if all(own[pair] == "-" for pair in both if pair[0] != pair[1]):
        return "Those of two dtypes are refused, whichever they are; the core promotes them.\n"
    groups = {}
    for a, b in both:
        turned = own[b, a] == own[a, b] and core[b, a] == core[a, b]
        if own[a, b] == core[a, b] or turned and [b, a] < [a, b]:
            continue
        pair = code(f"{a}, {b}") if turned else code(f"{a}, {b}") + " in this order"
        groups.setdefault((core[a, b], own[a, b]), []).append(pair)
    rows = [[told(a), told(b), "; ".join(found)] for (a, b), found in sorted(groups.items())]
    return (columns(["the core's", f"{name}'s", "of"], rows) if rows else "They promote as the core's do.\n") + unlisted


def dtypes(name):
    version, rules = next(row[1:] for row in table(ROOT / "frontends/core/src/versions.tsv") if row[0] == name)
    words = {"=": "the array's", "-": "refused", "own": "the number's own", "same": "equal dtypes only", "yes": "all",
             "default float": "the default float dtype", "default complex": "the default complex dtype",
             "default int": "the default integer dtype"}
    stand_for = canonical(rules)

    def cell(text):
        dtype, is_weak = text.rstrip("*"), ", weak" if text.endswith("*") else ""
        return words.get(dtype) or code(stand_for.get(dtype, dtype)) + is_weak

    listed = lambda text: codes(text.split("+"))
    heads, *scalars = rule_file(rules, "scalars.tsv")
    known = {dtype for pair in pairs(CORE) for dtype in pair}
    scalars = [row for row in scalars if set(row[0].split("+")) & known]
    default = lambda rules: dict(row[:2] for row in rule_file(rules, "defaults.tsv"))
    own, core = default(rules), default(CORE)
    keys = [key for key in core if key in ("int", "float", "complex", "index")]
    verbs = {"computes": "computes in", "gives": "gives", "each": "makes of each operand", "pairs": "promotes by the table",
             "strong": "gives strong results", "same": "of equal dtypes"}
    categories = [[row[0].replace(" ", ", ").replace("_", " "), verbs[row[1]], listed(row[2]), cell(row[3])]
                  for row in rule_file(rules, "categories.tsv")[1:]]
    return "\n".join([
        f"{NAMES[name]} {version} has the set of rules {code(rules)}. Two arrays:\n",
        promotion(rules, NAMES[name]),
        "An array beside a host number of a kind:\n",
        columns(["array", *heads[1:]], [[listed(row[0]), *map(cell, row[1:])] for row in scalars]),
        "Default dtypes:\n",
        columns(["kind", "the core's", f"{NAMES[name]}'s"], [[key, code(core[key]), code(own[key])] for key in keys if key in own]),
        "Categories of functions ([rules.md](../rules.md) says what they are); later rows stand above earlier ones:\n",
        columns(["functions", "rule", "operands", "dtype"], categories),
    ])


# Functions.


def rows(name):
    """The rows by chapters: a title, and its rows."""
    for path in sorted((ROOT / "frontends" / name / "functions").glob("*.tsv")):
        yield path.stem.replace("_", " "), table(path)


def called(body):
    """The names of functions in a body, in their order, and all names in it."""
    tree = ast.parse(body, mode="eval")
    calls = [ast.unparse(node.func) for node in ast.walk(tree) if isinstance(node, ast.Call)]
    names = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    return list(dict.fromkeys(calls)), names


def comes_to(body, calls):
    told = [code(call) for call in calls if call not in BUILTINS and "." not in call or call.startswith(("linalg.", "fft."))]
    told += [code(call[3:]) + " of the frontend" for call in calls if call.startswith("fn.")]
    if any(call.startswith("special.") for call in calls):
        told.append("code")
    return ", ".join(told) or code(body)


def default_only(signature, names):
    """The parameters of which only the default is taken."""
    ignored = set(re.findall(r"(\w+)~", signature))
    signature = signature.replace("~", "").replace("@ufunc", "/").replace("<no value>", "None")
    arguments = ast.parse(f"def f({signature}): pass").body[0].args
    either = arguments.posonlyargs + arguments.args
    given = either[len(either) - len(arguments.defaults):]
    given += [one for one, default in zip(arguments.kwonlyargs, arguments.kw_defaults) if default]
    return [one.arg for one in given if one.arg not in names | ignored | {"out"}]


def functions(name):
    chapters = list(rows(name))
    aliases = {}
    for _, chapter in chapters:
        for path, kind, _, body, *_ in chapter:
            if kind == "alias":
                aliases.setdefault(body, []).append(path)
    told = []
    for title, chapter in chapters:
        lines, operators = [], []
        for path, kind, signature, body, *_ in chapter:
            if kind == "alias":
                continue
            if "__" in path:
                operators.append(path)
                continue
            calls, names = called(body)
            others = f" (also {codes(aliases[path])})" if path in aliases else ""
            lines.append([code(path) + others, comes_to(body, calls), codes(default_only(signature, names)) or " "])
        told.append(f"### {title}\n")
        if operators:
            told.append(f"Operators: {codes(operators)}.\n")
        if lines:
            told.append(columns([NAMES[name], "comes to", "taken with their defaults only"], lines))
    return "\n".join(told)


def versions(name):
    own = [row for row in table(ROOT / "frontends/core/src/versions.tsv") if row[0] == name]
    kinds = {}
    for _, chapter in rows(name):
        for path, kind, *_ in chapter:
            kind = "operators" if "__" in path else kind
            kinds[kind] = kinds.get(kind, 0) + 1
    plural = {"function": "functions", "ufunc": "element-wise functions", "method": "methods", "property": "properties",
              "inplace": "functions that write to an argument", "alias": "other names of these", "operators": "operators"}
    counted = ", ".join(f"{told}: {kinds[kind]}" for kind, told in plural.items() if kind in kinds)
    heads = ["version", "set of rules"]
    return f"{counted[0].upper()}{counted[1:]}.\n\n" + columns(heads, [[code(f"{name}@{row[1]}"), code(row[2])] for row in own])


def differences(name):
    """Recorded calls of the package that end in something else, by their reasons."""
    folder = ROOT / "frontends" / name / "tests/data"
    reasons = {}
    for known in sorted(folder.rglob("known.tsv")):
        for path, _, reason in table(known):
            paths = reasons.setdefault(reason, [])
            if path not in paths:
                paths.append(path)
    rows = [[codes(sorted(paths)), reason.replace("|", "\\|")] for reason, paths in reasons.items()]
    return columns(["function", "what is different"], sorted(rows)) if rows else "None that is recorded.\n"


def missing(name):
    """Functions that Ivy's own frontend declares, or that calls are recorded of, and that no row has."""
    own = {path for _, chapter in rows(name) for path, *_ in chapter}
    declared = table(ROOT / "dtype-tables/support/declared/frontends" / f"{name}.tsv")[1:]
    wanted = {path for row in declared for path in row[0].split(",")}
    for file in (ROOT / "frontends" / name / "tests/data").rglob("*.jsonl"):
        wanted |= {path for path in (json.loads(line).get("f") for line in file.open()) if path}
    methods = lambda path: path.rpartition(".")[0] in own and path.endswith((".reduce", ".accumulate", ".reduceat", ".outer", ".at"))
    absent = [path for path in wanted - own if not path.rpartition(".")[2].startswith("_") and not methods(path)]
    return (codes(sorted(absent)) + ".\n") if absent else "None.\n"


BLOCKS = {block.__name__: block for block in (versions, dtypes, differences, functions, missing)}


def page(name, text):
    """A page with its blocks as the data have them."""
    return BLOCK.sub(lambda found: f"{found[1]}\n{BLOCKS[found[2]](name)}\n{found[3]}", text)


def main():
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("names", nargs="*", metavar="NAME")
    arguments.add_argument("--check", action="store_true")
    given = arguments.parse_args()
    stale = []
    for name in given.names or NAMES:
        path = ROOT / "docs/frontends" / f"{name}.md"
        text = path.read_text()
        blocks = [block for _, block, _ in BLOCK.findall(text)]
        if sorted(blocks) != sorted(BLOCKS):
            sys.exit(f"{path.relative_to(ROOT)}: its blocks are {blocks}, those to write {sorted(BLOCKS)}")
        new = page(name, text)
        if new != text:
            stale.append(str(path.relative_to(ROOT)))
            if not given.check:
                path.write_text(new)
    if given.check and stale:
        print(f"{', '.join(stale)}: not as the data have it; run `python3 tools/frontend_pages.py`")
        return 1
    print(f"{len(stale)} pages written" if stale else "the pages are as the data have them")
    return 0


if __name__ == "__main__":
    sys.exit(main())
