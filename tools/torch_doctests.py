"""Runs the examples of PyTorch's docstrings against `ivyrs.frontends.torch`.

    python tools/torch_doctests.py FOLDER [--least 0.8] [--verbose] [NAME ...]

FOLDER is that of the package's sources (`pip download --no-deps torch`, unpacked): its docstrings are read and nothing of it is
imported or kept here. Taken are the names that the frontend has, less those of `torch_doctests_without.txt`, which has a reason for
each. An example counts as passed when it prints what the docstring has: numbers within half a unit of their last printed digit and a
relative 1e-4; where the docstring draws random numbers, or leaves memory uninitialized, the same text with any numbers. Names of
nodes in `grad_fn` are the core's, and not compared.

The exit status is 1 where a smaller part passes than `--least`.
"""

import argparse
import ast
import doctest
import re
import sys
import warnings
from pathlib import Path

import ivyrs.frontends.torch as torch

HERE = Path(__file__).resolve().parent
# Files of the package, and the namespace of what they define.
FILES = {
    "_torch_docs.py": "", "_tensor_docs.py": "Tensor.", "functional.py": "", "_tensor.py": "", "linalg/__init__.py": "linalg.",
    "special/__init__.py": "special.", "fft/__init__.py": "fft.", "nn/functional.py": "nn.functional.", "autograd/function.py": "autograd.",
    "autograd/grad_mode.py": "", "optim/lr_scheduler.py": "optim.lr_scheduler.",
}  # fmt: skip
# What C++ functions are called in calls that give them their docstrings.
PLACES = {"_linalg": "linalg", "_special": "special", "_fft": "fft", "torch._C._nn": "nn.functional", "torch": ""}
DRAWS = re.compile(r"rand|normal|empty|dropout|bernoulli|multinomial|poisson|exponential|uniform_|new_tensor|nn\.[A-Z]|generator", re.I)
OTHERS = re.compile(r"\b(np|numpy|scipy|plt|matplotlib|cuda|sparse|to_sparse|mkldnn|xla|pickle|distributed|compile|jit)\b|SKIP|quantize")
FREE = re.compile(r"uninitialized|may vary")
NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?|\b(?:True|False|nan|inf)\b")
FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE | doctest.IGNORE_EXCEPTION_DETAIL


class Checker(doctest.OutputChecker):
    """Texts are equal but for spaces, numbers but for roundings, or any where a docstring draws."""

    def __init__(self, draws):
        self.draws = draws

    def check_output(self, want, got, optionflags):
        if super().check_output(want, got, optionflags) or FREE.search(want):
            return True
        want, got = (re.sub(r"grad_fn=<\w+>", "grad_fn", re.sub(r"(?<=\s)# .*", "", text)) for text in (want, got))
        skeletons = [re.sub(r"[\s-]+", "", NUMBER.sub("#", text)) for text in (want, got)]
        if skeletons[0] != skeletons[1]:
            return False
        if self.draws:
            return True
        wanted, found = NUMBER.findall(want), NUMBER.findall(got)
        return len(wanted) == len(found) and all(map(near, wanted, found))


class Runner(doctest.DocTestRunner):
    """Counts the examples with names that nothing before them defines: those of what is left out, and of no example."""

    undefined = 0

    def report_unexpected_exception(self, out, test, example, exc_info):
        if exc_info[0] is NameError:
            self.undefined += 1
        else:
            super().report_unexpected_exception(out, test, example, exc_info)


def near(a, b):
    """Whether two numbers are equal but for the digits that are not printed."""
    if {a, b} & {"True", "False"}:
        return a == b
    digits = len(a.split("e")[0].split("E")[0].partition(".")[2])
    x, y = float(a), float(b)
    unit = 0.501 * 10.0**-digits * 10.0 ** int((re.search(r"[eE]([-+]?\d+)", a) or [0, 0])[1])
    return x == y or (x != x and y != y) or abs(x - y) <= (unit if digits else 0) * 2 + 1e-4 * abs(x)


def text_of(node):
    """The text of a docstring, as it stands or with `.format` behind it."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "format":
        inner = text_of(node.func.value)
        return inner and inner.replace("{{", "{").replace("}}", "}")
    if isinstance(node, ast.BinOp):
        parts = text_of(node.left), text_of(node.right)
        return "".join(part for part in parts if part) or None
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else None


def docstrings(folder):
    """Names below `torch` and their docstrings."""
    for file, place in FILES.items():
        path = folder / "torch" / file
        if path.exists():
            yield from of_tree(ast.parse(path.read_text()), place)
    for path in sorted((folder / "torch/nn/modules").glob("*.py")):
        yield from of_tree(ast.parse(path.read_text()), "nn.")


def of_tree(tree, place):
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") in ("add_docstr", "_add_docstr", "add_docstr_all"):
            text = len(node.args) > 1 and text_of(node.args[1])
            owner, _, name = ast.unparse(node.args[0]).strip("'\"").rpartition(".")
            name = re.sub(r"^(linalg|fft|special)_", "", name)
            below = PLACES.get(owner, owner.removeprefix("torch.")) if owner else place.rstrip(".")
            if text:
                yield f"{below}.{name}".lstrip("."), text
    for node in tree.body:
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)) and not node.name.startswith("_"):
            yield place + node.name, ast.get_docstring(node) or ""
            if isinstance(node, ast.ClassDef) and node.name == "Tensor":
                for inner in node.body:
                    if isinstance(inner, ast.FunctionDef) and not inner.name.startswith("_"):
                        yield f"Tensor.{inner.name}", ast.get_docstring(inner) or ""
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Call) and "docstr" in ast.unparse(node.value.func):
            # `matrix_norm = _add_docstr(...)`, which the walk has found by the function's own name.
            continue


def found(path):
    module = torch
    for part in path.split("."):
        module = getattr(module, part, None)
    return module


def examples(path, text, parser):
    """The examples of a docstring, and whether numbers in it are drawn."""
    # PyTorch begins the lines of a block and of a bracket with the prompt of a new statement.
    text = re.sub(r"^(\s*)>>>\s*$", "", text, flags=re.M)
    text = re.sub(r"^(\s*)>>> (?=\s+\S|[)\]}]|else|elif|except)", r"\1... ", text, flags=re.M)
    # A blank line within a tensor does not end what is printed.
    text = re.sub(r"\n[ \t]*\n(?=[ \t]*(?:\[|tensor\(|values=|indices=))", "\n", text)
    text = re.sub(r"\b(from|import) torch\b", r"\1 ivyrs.frontends.torch", text)
    names = {"torch": torch, "nn": torch.nn, "F": torch.nn.functional, "math": __import__("math"), "LA": torch.linalg, "linalg": torch.linalg}
    names.update(vars(torch.optim.lr_scheduler), itertools=__import__("itertools"), Tensor=torch.Tensor)
    try:
        test = parser.get_doctest(text, names, path, None, 0)
    except ValueError:
        return None, False
    draws = any(DRAWS.search(example.source) for example in test.examples)
    test.examples = [example for example in test.examples if not OTHERS.search(example.source)]
    return test, draws


def main():
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("folder", type=Path)
    arguments.add_argument("names", nargs="*")
    arguments.add_argument("--least", type=float, default=0.8)
    arguments.add_argument("--verbose", action="store_true")
    given = arguments.parse_args()
    without = HERE / "torch_doctests_without.txt"
    left_out = {line.split("\t")[0] for line in without.read_text().splitlines()} if without.exists() else set()
    parser, passed, tried, undefined, seen = doctest.DocTestParser(), 0, 0, 0, set()
    for path, text in docstrings(given.folder):
        if (given.names and path not in given.names) or path in left_out or path in seen or found(path) is None:
            continue
        seen.add(path)
        test, draws = examples(path, text, parser)
        if test is None or not test.examples:
            continue
        torch.manual_seed(0)
        runner = Runner(Checker(draws), verbose=False, optionflags=FLAGS)
        report = []
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            outcome = runner.run(test, out=report.append)
        torch.set_default_dtype(torch.float32)
        torch.set_grad_enabled(True)
        attempted, failed = outcome.attempted - runner.undefined, outcome.failed - runner.undefined
        passed, tried, undefined = passed + attempted - failed, tried + attempted, undefined + runner.undefined
        if failed:
            print(f"{path}: {attempted - failed} of {attempted}")
            if given.verbose:
                print("".join(report))
    share = passed / max(tried, 1)
    print(f"{undefined} examples have names that their docstrings do not define")
    print(f"{passed} of {tried} examples of {len(seen)} names pass: {share:.1%}")
    return 0 if share >= given.least else 1


if __name__ == "__main__":
    sys.exit(main())
