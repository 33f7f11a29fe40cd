#!/usr/bin/env python3
"""What Python adds: a one-element add beside NumPy's, a long expression beside the same from Rust, and calls of the
NumPy frontend beside those of ivyrs and of NumPy.

    python3 -m pip install ./bindings/python numpy
    python3 benches/python.py [--rounds 7] [--no-build]

Both sides alternate, and medians of the rounds are compared. Needs `ivyrs` as users install it (a release
build) and NumPy; builds the Rust side itself. Prints Markdown.
"""

import argparse
import json
import os
import statistics
import subprocess
import time
import timeit
from pathlib import Path

import numpy as np

import ivyrs
from ivyrs.frontends import numpy as frontend

ROOT = Path(__file__).resolve().parent.parent
N = 16 << 20
CALLS = 200_000
# Calls of NumPy on `x` and `y`, 4 x 4 of float32, and the same of ivyrs.
CALLED = [
    ("n.add(x, y)", "n.add(x, y)"), ("x + y", "x + y"), ("x + 1", "x + 1"), ("n.sin(x)", "n.sin(x)"), ("n.sum(x)", "n.sum(x)"),
    ("n.sum(x, axis=1)", "n.sum(x, axis=1)"), ("n.max(x, axis=0)", "n.max(x, axis=0)"), ("x @ y", "x @ y"), ("x[0]", "x[0]"),
    ("x[0, 1]", "x[0, 1]"), ("x[1:, :2]", "x[1:, :2]"), ("x.T", "x.T"), ("n.reshape(x, (2, 8))", "n.reshape(x, (2, 8))"),
    ("n.concatenate([x, y])", "n.concat([x, y])"), ("n.zeros((4, 4))", "n.zeros((4, 4))"), ("n.where(m, x, y)", "n.where(m, x, y)"),
]  # fmt: skip
RUNS = 3, 15  # not counted, and counted


def add_seconds(x):
    """Seconds of one `x + x`, the loop's own time taken off."""
    names = {"x": x}
    return (timeit.timeit("x + x", globals=names, number=CALLS) - timeit.timeit("x", globals=names, number=CALLS)) / CALLS


def small_calls(rounds):
    sides = {
        "NumPy": np.ones(1, dtype=np.float32),
        "ivyrs, ndarray": ivyrs.namespace("ndarray").ones(1),
        "ivyrs, jit:llvm (noted, not computed)": ivyrs.namespace("jit:llvm").ones(1),
    }
    times = {name: [] for name in sides}
    for _ in range(rounds):
        for name, x in sides.items():
            times[name].append(add_seconds(x))
    print("| `x + x`, 1 element of float32 | ns |\n|---|---|")
    for name, seconds in times.items():
        print(f"| {name} | {statistics.median(seconds) * 1e9:.0f} |")


def frontend_calls(rounds):
    sides = [(np, 0), (ivyrs.namespace("ndarray"), 1), (frontend, 0)]
    print("\n| call | NumPy, ns | ivyrs, ns | frontend, ns | frontend over ivyrs |\n|---|---|---|---|---|")
    with ivyrs.scope(backend="ndarray"):
        for texts in CALLED:
            rows = []
            for _ in range(rounds):
                row = []
                for module, which in sides:
                    x, y = module.ones((4, 4), dtype=module.float32), module.ones((4, 4), dtype=module.float32)
                    names = {"n": module, "x": x, "y": y, "m": x > 0}
                    row.append(timeit.timeit(texts[which], globals=names, number=CALLS // 10) / (CALLS // 10) * 1e9)
                rows.append(row)
            theirs, core, ours = (statistics.median(column) for column in zip(*rows))
            apart = statistics.median(row[2] - row[1] for row in rows)
            print(f"| `{texts[0]}` | {theirs:.0f} | {core:.0f} | {ours:.0f} | {apart:.0f} |")


def expression_seconds(operands):
    """Seconds of each run of the expression, until its result is in memory."""
    a, b, c = operands
    xp = a.__array_namespace__()
    times = []
    for _ in range(sum(RUNS)):
        start = time.perf_counter()
        result = xp.sqrt(a * b + c) - a
        view = memoryview(result)
        times.append(time.perf_counter() - start)
        del view, result
    return times[RUNS[0] :]


def long_expressions(rounds):
    rng = np.random.default_rng(1)
    numbers = [rng.uniform(-1, 1, N).astype(np.float32) for _ in range(3)]
    target = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
    print("\n| `sqrt(a*b+c)-a`, 16 Mi float32 | from Rust, ms | from Python, ms | Python / Rust |\n|---|---|---|---|")
    for place in ("jit:llvm", "ndarray"):
        xp = ivyrs.namespace(place)
        operands = [xp.asarray(x) for x in numbers]
        rust, python = [], []
        for _ in range(rounds):
            run = [target / "release" / "expression", place, str(N)]
            line = subprocess.run(run, check=True, capture_output=True, text=True).stdout
            rust.append(statistics.median(json.loads(line)["seconds"]))
            python.append(statistics.median(expression_seconds(operands)))
        ratio = statistics.median(p / r for p, r in zip(python, rust))
        print(f"| {place} | {statistics.median(rust) * 1e3:.2f} | {statistics.median(python) * 1e3:.2f} | {ratio:.2f} |")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--no-build", action="store_true")
    options = parser.parse_args()
    if not options.no_build:
        build = ["cargo", "build", "--release", "--locked", "-q", "-p", "ivy-benches", "--bin", "expression"]
        subprocess.run(build, cwd=ROOT, check=True)
    print(f"Python side: ivyrs {ivyrs.__version__}, NumPy {np.__version__}; {options.rounds} rounds, medians\n")
    small_calls(options.rounds)
    frontend_calls(options.rounds)
    long_expressions(options.rounds)


if __name__ == "__main__":
    main()
