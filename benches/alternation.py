"""Measures `ivyrs` and another package in processes of their own, one after the other: what `taichi_programs.py` and `drjit_programs.py` share."""

import argparse
import json
import os
import subprocess
import sys
import time


def timed(step, count, finish=lambda: None, rows=10):
    """The first step's time and the best of some rows of steps, in seconds a step."""
    begin = time.perf_counter()
    step()
    finish()
    first, best = time.perf_counter() - begin, float("inf")
    for _ in range(rows):
        begin = time.perf_counter()
        for _ in range(count):
            step()
        finish()
        best = min(best, (time.perf_counter() - begin) / count)
    return first, best


def main(script, description, package, measure, environment=None):
    """Reads the arguments, runs both and prints the ratios: above 1 is faster here."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(f"--{package}", required=True, dest="other", help=f"the Python that has {package}")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--json", action="store_true", help="for programs")
    parser.add_argument("--measure", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.measure:
        return print(json.dumps(measure(given.measure, given.threads)))
    variables = {**os.environ, **(environment or {}), "RAYON_NUM_THREADS": str(given.threads), "IVY_JIT_CACHE": "off"}
    results = {}
    for name, python in [("ivy", sys.executable), (package, given.other)]:
        command = [python, script, f"--{package}", given.other, "--threads", str(given.threads), "--measure", name]
        run = subprocess.run(command, env=variables, stdout=subprocess.PIPE, text=True, check=True)
        results[name] = json.loads(run.stdout.splitlines()[-1])
    if given.json:
        return print(json.dumps(results))
    print(f"{given.threads} threads{'':27} first here  {package:>7}  ratio   step here  {package:>7}  ratio")
    for name, ours in results["ivy"].items():
        theirs = results[package][name]
        columns = [f"{a * 1e3:11.4g} {b * 1e3:8.4g} {b / a:6.2f}" for a, b in zip(ours, theirs)]
        print(f"{name:35} " + " ".join(columns) + "  ms")
