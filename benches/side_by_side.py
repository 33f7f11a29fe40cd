#!/usr/bin/env python3
"""The reference backend beside NumPy: the same workloads, alternating, in one run.

    python3 benches/side_by_side.py [--threads 1|2] [--rounds 5] [--best] [--no-build]

Needs NumPy (`pip install numpy`) and builds the Rust side itself. Prints a Markdown table:
median milliseconds of each, and how many times as fast as NumPy ours is. With --best the
shortest runs are compared instead, for a machine that does other work meanwhile.
"""

import argparse
import json
import os
import statistics
import subprocess
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
N = 16 << 20


def workloads():
    import numpy as np

    rng = np.random.default_rng(1)
    x = rng.uniform(-1, 1, N).astype(np.float32)
    y = rng.uniform(-1, 1, N).astype(np.float32)
    m = x.reshape(4096, 4096)
    i32, f64 = (x * 1000).astype(np.int32), (x * 1000).astype(np.float64)
    u8, wide = (np.abs(x) * 200).astype(np.uint8), (x * 2e9).astype(np.int32)
    return np.__version__, {
        "add": lambda: x + y,
        "multiply": lambda: x * y,
        "exp": lambda: np.exp(x),
        "tanh": lambda: np.tanh(x),
        "sum axis 0": lambda: m.sum(axis=0),
        "sum axis 1": lambda: m.sum(axis=1),
        "int32 -> float16": lambda: i32.astype(np.float16),
        "uint8 -> float32": lambda: u8.astype(np.float32),
        "float64 -> int32": lambda: f64.astype(np.int32),
        "float32 -> float64": lambda: x.astype(np.float64),
        "float32 -> float16": lambda: x.astype(np.float16),
        "sort float32": lambda: np.sort(x),
        "sort int32": lambda: np.sort(wide),
        "sort float64": lambda: np.sort(f64),
    }


def numpy_seconds(call, best):
    call()
    times = []
    for _ in range(7):
        start = time.perf_counter()
        call()
        times.append(time.perf_counter() - start)
    return min(times) if best else statistics.median(times)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--best", action="store_true")
    parser.add_argument("--no-build", action="store_true")
    options = parser.parse_args()
    build = ["cargo", "build", "--release", "--locked", "-q", "-p", "ivy-benches", "--bin", "reference"]
    if not options.no_build:
        subprocess.run(build, cwd=ROOT, check=True)
    version, works = workloads()
    target = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
    env = dict(os.environ, RAYON_NUM_THREADS=str(options.threads))
    ours = {name: [] for name in works}
    theirs = {name: [] for name in works}
    for _ in range(options.rounds):
        for name, call in works.items():
            theirs[name].append(numpy_seconds(call, options.best))
            run = [target / "release" / "reference", name]
            line = subprocess.run(run, env=env, check=True, capture_output=True, text=True).stdout
            ours[name].append(json.loads(line)["best" if options.best else "seconds"])
    kind = "best" if options.best else "median"
    print(f"NumPy {version}, {options.threads} thread(s) for ours, {options.rounds} rounds, {kind} of 7\n")
    print("| workload, 16M elements | NumPy, ms | ours, ms | times as fast |")
    print("|---|---|---|---|")
    for name in works:
        middle = min if options.best else statistics.median
        a, b = middle(theirs[name]), middle(ours[name])
        ratio = a / b if options.best else statistics.median(t / o for t, o in zip(theirs[name], ours[name]))
        print(f"| {name} | {a * 1e3:.1f} | {b * 1e3:.1f} | {ratio:.2f} |")


if __name__ == "__main__":
    main()
