"""Runs the examples of Ivy's docstrings against `ivyrs`.

    python tools/ivy_doctests.py FOLDER [--least 0.9] [--verbose] [--json] [NAME ...]

FOLDER holds Ivy's sources: `ivy/functional/ivy/*.py` are below it. The examples come from there, nothing of them is kept here.
NAME is a function; without it all public functions that `ivyrs` has are tried. Each statement of an example counts that prints
something or fails; it passes if the numbers are those that the docstring prints, to its digits, in the same brackets, and texts
are the same. Of draws only brackets and kinds are compared. Left out are examples of containers, of other frameworks and of
uninitialized elements, and what needs the result of one that failed.

The exit status is 1 where a smaller part passes than `--least`.
"""

import argparse
import ast
import contextlib
import doctest
import io
import json
import re
import sys
import warnings
from pathlib import Path

import ivyrs
import numpy

ELSEWHERE = re.compile(r"Container|torch|tensorflow|\btf\b|jax|paddle|mxnet|haiku|ivy\.functional|backend_handler|ivy\.with_|Module|\bplt\b")
DRAWN = re.compile(r"random|randint|multinomial|bernoulli|shuffle|poisson|dirichlet|gamma\b|beta\b|dropout|empty|truncated_normal|seed")
TOKEN = re.compile(r"[-+]?(?:inf|nan)\b|[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?|[-+]?\w+|[\[\](){},:]")
NUMBER = re.compile(r"[-+]?(?:inf|nan|(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)$")


def functions(folder):
    """The public functions of Ivy's sources and their docstrings."""
    base = next(path for path in (folder / "ivy/functional/ivy", folder / "functional/ivy", folder) if path.is_dir())
    for file in sorted(base.rglob("*.py")):
        for node in ast.parse(file.read_text()).body:
            if isinstance(node, ast.FunctionDef) and not node.name.startswith("_") and hasattr(ivyrs, node.name):
                yield node.name, ast.get_docstring(node) or ""


def tokens(text):
    """Numbers, words and brackets: the names of array classes, dtypes and spaces say nothing."""
    text = re.sub(r"\bdtype=\w+(\.\w+)?|\bdev=\w+|shape=\([^)]*\)", "", text)
    # Several results are a list there and a tuple here, and go by other class names.
    text = re.sub(r"\[\s*(?=ivy\.array)((?:.|\n)*)\]\s*$", r"(\1)", text)
    text = re.sub(r"\b(?:[\w.]+\.)?\w+\(|\b(?:ivy|ivyrs)\.", "(", text)
    return [token for token in TOKEN.findall(text) if token not in ("(", ")", ",", "{", "}")]


def is_number(token):
    return bool(NUMBER.match(token))


def near(wanted, found):
    """Whether a number is what is printed, to its digits."""
    a, b = float(wanted), float(found)
    if a != a or b != b or a in (float("inf"), float("-inf")):
        return repr(a) == repr(b)
    mantissa, _, exponent = wanted.lower().partition("e")
    digits = len(mantissa.partition(".")[2])
    unit = 10.0 ** (int(exponent or 0) - digits)
    return abs(a - b) <= max(unit * 1.01 if "." in mantissa else 0.0, 2e-3 * abs(a) if "." in mantissa else 1e-9 * abs(a), 1e-7)


def matches(want, got, drawn):
    """Whether printed texts say the same."""
    wanted, found = tokens(want), tokens(got)
    if drawn:
        form = lambda tokens: ["#" if is_number(token) else token for token in tokens]  # noqa: E731
        return [t for t in form(wanted) if t != "..."] == form(found) or "..." in want
    if len(wanted) != len(found):
        return False
    return all(near(a, b) if is_number(a) and is_number(b) else a.lower() == b.lower() for a, b in zip(wanted, found))


def names_of(source):
    """The names that a statement assigns, and those that it reads."""
    try:
        tree = ast.parse(source)
    except SyntaxError:
        return set(re.findall(r"^(\w+)\s*=", source)), set()
    all_names = [node for node in ast.walk(tree) if isinstance(node, ast.Name)]
    return {n.id for n in all_names if isinstance(n.ctx, ast.Store)}, {n.id for n in all_names if isinstance(n.ctx, ast.Load)}


def joined(text):
    """A docstring whose printed arrays have no empty lines inside, which would end them."""
    lines, depth = [], 0
    for line in text.splitlines():
        if line.lstrip().startswith((">>>", "...")):
            depth = 0
        elif depth <= 0 or line.strip():
            depth = max(depth, 0) + sum(line.count(c) for c in "([{") - sum(line.count(c) for c in ")]}")
        if line.strip() or depth <= 0:
            lines.append(line)
    return "\n".join(lines)


def run(name, text, report):
    """The outcomes of a function's examples: how many pass, and how many there are."""
    passed = tried = 0
    names, lost = {"ivy": ivyrs, "np": numpy, "numpy": numpy}, set()
    for example in doctest.DocTestParser().get_examples(joined(text)):
        stored, read = names_of(example.source)
        if ELSEWHERE.search(example.source) or ELSEWHERE.search(example.want) or read & lost:
            lost |= stored
            continue
        out, failure = io.StringIO(), None
        try:
            with contextlib.redirect_stdout(out), warnings.catch_warnings():
                warnings.simplefilter("ignore")
                exec(compile(example.source, name, "single"), names)
        except SyntaxError:
            # A fault of the text.
            lost |= stored
            continue
        except Exception as error:
            failure = f"{type(error).__name__}: {error}".splitlines()[0]
            lost |= stored | set(re.findall(r"\bout\s*=\s*(\w+)", example.source))
        if failure is None and not example.want.strip():
            continue
        expects_error = "Traceback" in example.want or "Error" in example.want
        tried += 1
        good = expects_error if failure else matches(example.want, out.getvalue(), bool(DRAWN.search(text)))
        passed += good
        if not good:
            report.append((name, example.source.strip(), example.want.strip(), failure or out.getvalue().strip()))
    return passed, tried


def main():
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("folder", type=Path)
    arguments.add_argument("names", nargs="*")
    arguments.add_argument("--least", type=float, default=0.9)
    arguments.add_argument("--verbose", action="store_true", help="each example that fails, with what it prints")
    arguments.add_argument("--json", action="store_true", help="the counts of each function as JSON")
    given = arguments.parse_args()
    counts, report = {}, []
    for name, text in functions(given.folder):
        if given.names and name not in given.names:
            continue
        with ivyrs.scope():
            passed, tried = run(name, text, report)
        if tried:
            before = counts.get(name, (0, 0))
            counts[name] = before[0] + passed, before[1] + tried
    passed, tried = (sum(column) for column in zip(*counts.values())) if counts else (0, 0)
    share = passed / max(tried, 1)
    if given.json:
        print(json.dumps({"functions": counts, "passed": passed, "tried": tried}, indent=1))
    else:
        for name, source, want, got in report if given.verbose else ():
            print(f"{name}: {source}\n  wanted {want}\n  got    {got}")
        print(f"{passed} of {tried} examples of Ivy's {len(counts)} functions pass: {share:.1%}")
    return 0 if share >= given.least else 1


if __name__ == "__main__":
    sys.exit(main())
