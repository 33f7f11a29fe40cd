"""Runs NumPy's own tests against `ivyrs.frontends.numpy`, and counts.

    python tools/numpy_tests.py FOLDER [--failures] [--json] [TEST ...]

FOLDER is NumPy's: of its sources or of the installed package. The test files are read from there, nothing of them is kept
here; `np` and the names that they import from NumPy are the frontend's, `numpy.testing` is NumPy's. TEST is a file, or what
pytest takes for one of its tests; without it those of functions, shapes, indexing and linear algebra are run.

A test that does not pass is not applicable where the statement that failed, its parameters or the error are about what the
frontend leaves out: dtypes of objects, texts, dates, records and extended precision, subclasses of arrays, masked arrays and
matrices, and NumPy's inner functions. What is neither that nor passes, fails. `--page` writes the counts into the frontend's page.
"""

import argparse
import ast
import collections
import json
import re
import sys
import tempfile
import traceback
import types
from pathlib import Path

import pytest

FILES = [
    "lib/tests/test_function_base.py", "lib/tests/test_shape_base.py", "lib/tests/test_twodim_base.py",
    "_core/tests/test_numeric.py", "_core/tests/test_indexing.py", "_core/tests/test_shape_base.py", "linalg/tests/test_linalg.py",
]  # fmt: skip
# What a test says that is about something else, and what that is.
ELSEWHERE = {
    "objects": r"\[None|None\]|<locals>\.\w+ has no meaning here|\bobject\b|['\"]O['\"]|\bDecimal\b|\bFraction\b|object_|'O,|rational",
    "texts": r"\bbytes\b|a (str|bytes) has no meaning|np\.(str_|bytes_|strings|char)\b|dtype=['\"]?[<>|]?[SU]\d|['\"][<>|]?[SU]\d*['\"]|dtype=str|\bunicode|dtype\(str\)|, str\)",
    "dates": r"datetime|timedelta|['\"]<?[mM]8",
    "records": r"metadata|dtype = \[|dtype=\[\(|np\.dtype\(\[|np\.dtype\(\{|recarray|\bvoid\b|np\.rec\b|'[iuf]\d,|\"V\d|'V\d?'|dtype=['\"][a-z]\d?,|structured",
    "extended precision": r"'[gG]'|[\[-][gG][\]-]|longdouble|clongdouble|float128|np\.longfloat|LongDouble",
    "subclasses": r"[sS]ubclass\b|[sS]ubtype\b|\(np\.ndarray\)|\(ndarray\)|\.view\(\w*[A-Z]\w+\)|subok|__array_finalize__|subclass|ndarray\.__new__|np\.matrix|asmatrix|np\.mat\b|MyArray|ComplexLike|__array_wrap__|__array_priority__|SubClass|\bWithWrap",
    "masked arrays": r"\bma\.|np\.ma\b|masked_array",
    "NumPy's insides": r"nfb\.|_core\.|_multiarray|array_indexing|umath|refcount|HAS_REFCOUNT|nditer|sctypes|normalize_axis_tuple|_block_|getbuffer|flags\.(f|c)nc|lapack_lite|_linalg|NOGIL|subprocess|threading|requires_memory|IS_WASM|_multi_dot_matrix_chain|np\.lib\.|inspect\.signature|__array_interface__|obj2sctype|set_typeDict|npy_|einsum_path|newbyteorder|byteswap|byteorder|['\"][<>][iufc]\d",
}  # fmt: skip
BOUND = '''
import types
import ivyrs.frontends.numpy as frontend


class Missing:
    """A name that the frontend lacks: tests of it fail when they use it, and not the file that imports it."""

    def __init__(self, name):
        self._name = name

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return Missing(f"{self._name}.{name}")

    def __call__(self, *args, **kwargs):
        raise NotImplementedError(f"the frontend lacks {self._name}")


class Bound(types.ModuleType):
    """A module of the frontend; what it lacks can be imported."""

    def __init__(self, name, module):
        super().__init__(name)
        self.__path__, self._module = [], module

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        found = vars(self._module).get(name)
        if found is None and name not in ("newaxis",):
            return Missing(name)
        return found
'''


COMPARISONS = [
    "assert_equal", "assert_array_equal", "assert_almost_equal", "assert_array_almost_equal", "assert_allclose",
    "assert_approx_equal", "assert_array_less", "assert_array_max_ulp", "assert_array_almost_equal_nulp",
]  # fmt: skip


def testing(array):
    """`numpy.testing`, whose comparisons take arrays of the frontend as NumPy's."""
    import numpy.testing

    def plain(value):
        if isinstance(value, array):
            value = numpy.asarray(value)
            return value if value.ndim else value[()]
        if type(value) in (list, tuple):
            return type(value)(plain(part) for part in value)
        return {name: plain(part) for name, part in value.items()} if type(value) is dict else value

    def over(compare):
        return lambda *args, **kwargs: compare(*map(plain, args), **{name: plain(value) for name, value in kwargs.items()})

    bound = types.ModuleType("bound_testing")
    vars(bound).update({name: value for name, value in vars(numpy.testing).items() if not name.startswith("__")})
    vars(bound).update({name: over(getattr(numpy.testing, name)) for name in COMPARISONS})
    return bound


def rewritten(text):
    """A test file whose `np` is the frontend."""
    text = re.sub(r"^(\s*)import numpy as np$", r"\1from bound import np", text, flags=re.M)
    text = re.sub(r"^(\s*)from numpy\.testing import", r"\1from bound_testing import", text, flags=re.M)
    return re.sub(r"^(\s*)from numpy(\.linalg|\.random|\.exceptions|\._core|\.fft)? import", r"\1from bound_numpy\2 import", text, flags=re.M)


def importable(text, name):
    """The text without the statements of its module and classes that cannot run, and how many tests those are."""
    lost = 0
    while True:
        try:
            exec(compile(text, name, "exec"), {"__name__": name})
            return text, lost
        except Exception as error:
            lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == name]
            if not lines:
                raise
            # The frames go from the module into class bodies, which are the ones to look into.
            body, found = ast.parse(text).body, None
            for line in lines:
                inside = [node for node in body if first(node) <= line <= node.end_lineno]
                if not inside:
                    break
                found = inside[0]
                body = getattr(found, "body", []) if isinstance(found, ast.ClassDef) else []
            if isinstance(found, (ast.Import, ast.ImportFrom)):
                raise
            lost += sum(isinstance(node, ast.FunctionDef) and node.name.startswith("test") for node in ast.walk(found))
            rows = text.splitlines()
            indent = " " * found.col_offset
            rows[first(found) - 1 : found.end_lineno] = [f"{indent}pass"] + [""] * (found.end_lineno - first(found))
            text = "\n".join(rows) + "\n"


def first(node):
    return min([node.lineno, *(decorator.lineno for decorator in getattr(node, "decorator_list", []))])


def bind():
    """The modules that the rewritten files import from."""
    inner = types.ModuleType("bound")
    exec(BOUND, vars(inner))
    frontend = inner.frontend
    inner.np = inner.Bound("bound_numpy", frontend)
    modules = {"bound": inner, "bound_numpy": inner.np, "bound_numpy._core": inner.np, "bound_testing": testing(frontend.ndarray)}
    for name in ("linalg", "random", "exceptions", "fft"):
        modules[f"bound_numpy.{name}"] = vars(inner.np)[name] = inner.Bound(name, vars(frontend)[name])
    vars(inner.np)["testing"] = modules["bound_testing"]
    sys.modules.update(modules)


def statement(text, line):
    """The innermost statement of a file at a line."""
    at = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.stmt) and first(node) <= line <= node.end_lineno]
    return ast.get_source_segment(text, max(at, key=first)) if at else ""


class Counter:
    """Notes the outcome of each test, and which failures are about something else."""

    def __init__(self, file, text):
        self.outcomes, self.elsewhere, self.messages = {}, {}, {}
        self._file, self._text = file.name, text

    def pytest_runtest_logreport(self, report):
        if report.when == "call" or report.outcome != "passed":
            self.outcomes[report.nodeid] = report.outcome
            if report.outcome == "failed":
                lines = [line[2:].strip() for line in str(report.longrepr).splitlines() if line.startswith("E ")]
                self.messages[report.nodeid] = message = " | ".join(lines[:3])[:300]
                entries = getattr(getattr(report.longrepr, "reprtraceback", None), "reprentries", [])
                places = [place for entry in entries if (place := getattr(entry, "reprfileloc", None))]
                own = [place.lineno for place in places if Path(place.path).name == self._file]
                about = "\n".join([message, report.nodeid.partition("[")[2], *(statement(self._text, line) for line in own[-1:])])
                reasons = [name for name, pattern in ELSEWHERE.items() if re.search(pattern, about)]
                if reasons:
                    self.elsewhere[report.nodeid] = reasons[0]


MARKS = "<!-- counts of tools/numpy_tests.py --page -->\n", "<!-- end of the counts -->\n"
PAGE = Path(__file__).parent.parent / "docs/frontends/numpy.md"


def write_page(counts, reasons):
    """Puts the counts into the page."""
    rows = ["| file | passed | failed | not applicable |", "| --- | --- | --- | --- |"]
    rows += [f"| `numpy.{path.removesuffix('.py').replace('/', '.')}` | {' | '.join(str(count[kind]) for kind in KINDS)} |" for path, count in counts.items()]
    about = ", ".join(f"{name} {count}" for name, count in reasons.most_common())
    text = PAGE.read_text()
    before, _, rest = text.partition(MARKS[0])
    _, _, after = rest.partition(MARKS[1])
    table = "\n".join(rows)
    PAGE.write_text(f"{before}{MARKS[0]}\n{table}\n\nNot applicable: {about}.\n\n{MARKS[1]}{after}")


KINDS = "passed", "failed", "not applicable"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("tests", nargs="*", default=FILES)
    parser.add_argument("--failures", action="store_true", help="name each test that fails, with the last line of its failure")
    parser.add_argument("--json", action="store_true", help="the counts as JSON")
    parser.add_argument("--page", action="store_true", help="the counts into docs/frontends/numpy.md")
    given = parser.parse_args()
    base = given.folder / "numpy" if (given.folder / "numpy").is_dir() else given.folder
    bind()
    counts, reasons = {}, collections.Counter()
    with tempfile.TemporaryDirectory() as scratch:
        (Path(scratch) / "conftest.py").write_text("")
        for test in given.tests:
            path, _, rest = test.partition("::")
            file = Path(scratch) / f"test_{path.replace('/', '_')}"
            text, lost = importable(rewritten((base / path).read_text()), file.stem)
            file.write_text(text)
            counter = Counter(file, text)
            target = str(file) + (f"::{rest}" if rest else "")
            options = ["-q", "-p", "no:cacheprovider", "-p", "no:xdist", "-W", "ignore", "--rootdir", scratch, "--continue-on-collection-errors"]
            pytest.main([target, *options], plugins=[counter])
            kinds = collections.Counter({"not applicable": lost})
            reasons.update(counter.elsewhere.values())
            skipped = sum(outcome == "skipped" for outcome in counter.outcomes.values())
            reasons.update({"in statements that cannot be run": lost, "skipped by NumPy": skipped})
            for node, outcome in counter.outcomes.items():
                kind = "not applicable" if node in counter.elsewhere and outcome != "passed" or outcome == "skipped" else outcome
                kinds[kind] += 1
                if given.failures and kind == "failed":
                    print(f"{path}::{node.partition('::')[2]}\n    {counter.messages.get(node)}")
            counts[path] = {kind: kinds[kind] for kind in KINDS}
            if not given.json:
                print(f"{path}: {kinds['passed']} passed, {kinds['failed']} failed, {kinds['not applicable']} not applicable", flush=True)
    total = {kind: sum(count[kind] for count in counts.values()) for kind in KINDS}
    if given.page:
        write_page(counts, reasons)
    print(json.dumps({**counts, "total": total}, indent=1) if given.json else f"total: {total}")


if __name__ == "__main__":
    main()
