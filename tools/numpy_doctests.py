"""Runs the examples of NumPy's docstrings against `ivyrs.frontends.numpy`.

    python tools/numpy_doctests.py [--least 0.85] [--part 1/4] [--verbose] [NAME ...]

NumPy has to be installed beside ivyrs: the examples come from its docstrings, nothing of them is kept here. The names are
those of the frontend's tables (`frontends/numpy/functions/*.tsv`), less those of `numpy_doctests_without.txt`, which has a
reason for each, and aliases. An example counts as passed when it prints what the docstring has, numbers within a relative
1e-6; `np.float64(2.0)` is 2.0. What is marked as uninitialized or as one that may vary only has to run. Examples that
draw, or need SciPy, are left out.

The exit status is 1 where a smaller part passes than `--least`.
"""

import argparse
import doctest
import re
import sys
import warnings
from pathlib import Path

import numpy

import ivyrs.frontends.numpy as frontend

HERE = Path(__file__).resolve().parent
TABLES = HERE.parent / "frontends/numpy/functions"
OTHERS = re.compile(r"\b(plt|matplotlib|scipy|fig|ax\d?|axs|cbar|im|pylab)\b")
FREE = re.compile(r"may vary|random|uninitialized|\+SKIP")
SCALAR = re.compile(r"np\.(?:(True|False)_|\w+\(([^()]*|\([^()]*\))\))")
NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?")
FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE | doctest.IGNORE_EXCEPTION_DETAIL


def plain(text):
    """A text without comments, and with Python's numbers for NumPy's."""
    return SCALAR.sub(lambda found: found[1] or found[2], re.sub(r"\s+# ?.*", "", text))


class Checker(doctest.OutputChecker):
    """Texts are equal but for spaces, numbers but for roundings."""

    def check_output(self, want, got, optionflags):
        if super().check_output(want, got, optionflags) or FREE.search(want):
            return True
        want, got = plain(want), plain(got)
        skeleton = [re.sub(r"\s+", "", NUMBER.sub("#", text)) for text in (want, got)]
        if skeleton[0] != skeleton[1]:
            return False
        wanted, found = ([float(number) for number in NUMBER.findall(text)] for text in (want, got))
        # What rounding leaves beside larger numbers counts as 0.
        least = 1e-12 * max(map(abs, wanted), default=0)
        return all(abs(a - b) <= 1e-6 * abs(a) + least for a, b in zip(wanted, found))


def names():
    """The names of the tables, without their aliases' doubles, and without those that have a reason."""
    left_out = {line.split("\t")[0] for line in (HERE / "numpy_doctests_without.txt").read_text().splitlines()}
    for table in sorted(TABLES.glob("*.tsv")):
        for line in table.read_text().splitlines():
            path, kind = line.split("\t")[:2] if "\t" in line else (line, "alias")
            if kind != "alias" and path not in left_out and "__" not in path:
                yield path


def found(module, path):
    for part in path.split("."):
        module = getattr(module, part, None)
    return module


def examples(path, parser):
    """The examples of a function's docstring, with the frontend in the place of NumPy."""
    text = getattr(found(numpy, path), "__doc__", None) or ""
    text = re.sub(r"\b(from|import) numpy\b(?= (?:as|import)|\.)", r"\1 ivyrs.frontends.numpy", text)
    test = parser.get_doctest(text, {"np": frontend, "numpy": frontend}, path, None, 0)
    test.examples = [example for example in test.examples if not OTHERS.search(example.source)]
    return test


def main():
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("names", nargs="*")
    arguments.add_argument("--least", type=float, default=0.85)
    arguments.add_argument("--part", default="1/1", help="of every fourth function, from the second on: 2/4")
    arguments.add_argument("--verbose", action="store_true")
    given = arguments.parse_args()
    parser, passed, tried = doctest.DocTestParser(), 0, 0
    first, step = map(int, given.part.split("/"))
    for path in list(given.names or names())[first - 1 :: step]:
        test = examples(path, parser)
        if not test.examples:
            continue
        runner = doctest.DocTestRunner(Checker(), verbose=False, optionflags=FLAGS)
        report = []
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            outcome = runner.run(test, out=report.append)
        passed += outcome.attempted - outcome.failed
        tried += outcome.attempted
        if outcome.failed:
            print(f"{path}: {outcome.attempted - outcome.failed} of {outcome.attempted}")
            if given.verbose:
                print("".join(report))
    share = passed / max(tried, 1)
    print(f"{passed} of {tried} examples of NumPy {numpy.__version__} pass: {share:.1%}")
    return 0 if share >= given.least else 1


if __name__ == "__main__":
    sys.exit(main())
