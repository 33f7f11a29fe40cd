"""Runs test files of another framework, and counts how they end: what `taichi_suite.py` and `drjit_suite.py` share."""

import argparse
import collections
import pathlib
import sys

import pytest


class Count:
    """How each file's tests ended."""

    def __init__(self):
        self.files = collections.defaultdict(collections.Counter)

    def pytest_runtest_logreport(self, report):
        if report.when == "call" or report.when == "setup" and report.outcome != "passed":
            self.files[pathlib.Path(report.fspath).stem][report.outcome] += 1

    def pytest_collectreport(self, report):
        if report.failed:
            self.files[pathlib.Path(str(report.fspath)).stem]["not collected"] += 1


def run(description: str, names: list[str], under: str, prepare, *extra: str):
    """Reads the arguments `FOLDER [FILE ...] [-- PYTEST OPTIONS]`, runs the files' tests in the folder `under`, prints the outcomes."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path, help="a checkout of the framework's sources")
    parser.add_argument("files", nargs="*", default=names, help="names of test files, as in `cast` for test_cast.py")
    own, _, options = " ".join(sys.argv[1:]).partition(" -- ")
    given = parser.parse_args(own.split())
    prepare()
    paths = [given.folder / under / f"test_{name}.py" for name in given.files]
    missing = [str(path) for path in paths if not path.exists()]
    if missing:
        parser.error(f"there is no {', '.join(missing)}")
    count = Count()
    pytest.main(
        [*map(str, paths), "-q", "--no-header", "-p", "no:cacheprovider", "--import-mode=importlib", "--tb=line", "-W", "ignore", *extra, *options.split()],
        plugins=[count],
    )
    total = collections.Counter()
    for name, outcomes in sorted(count.files.items()):
        total.update(outcomes)
        print(f"{name:32} " + ", ".join(f"{n} {outcome}" for outcome, n in sorted(outcomes.items())))
    print(f"{'all':32} " + ", ".join(f"{n} {outcome}" for outcome, n in sorted(total.items())))
