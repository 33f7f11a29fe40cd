#!/usr/bin/env python3
"""Taichi's programs of `examples/taichi` on `ivyrs.taichi` and on Taichi itself, in turns: taichi_programs.py --taichi PYTHON [--threads N].

PYTHON is that of an environment with the package `taichi`. Prints the best time of a step, that of the first one, which compiles, and that of a
launch of a kernel with three arguments, for both, and the ratio: above 1 is faster here.
"""

import argparse
import importlib.util
import json
import os
import pathlib
import subprocess
import sys
import time
import types

ROOT = pathlib.Path(__file__).resolve().parent.parent


def example(name):
    """An example's module."""
    spec = importlib.util.spec_from_file_location(name, ROOT / f"examples/taichi/{name}.py")
    module = importlib.util.module_from_spec(spec)
    # Functions are read from their source by the module's name.
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


def timed(step, count, finish):
    """The first step's time and the best of ten rows of steps, in seconds a step."""
    begin = time.perf_counter()
    step()
    finish()
    first, best = time.perf_counter() - begin, float("inf")
    for _ in range(10):
        begin = time.perf_counter()
        for _ in range(count):
            step()
        finish()
        best = min(best, (time.perf_counter() - begin) / count)
    return first, best


def measure(package, threads):
    """What one of the packages takes, by what was measured."""
    if package == "taichi":
        import taichi as ti

        stand_in = types.ModuleType("ivyrs")
        stand_in.taichi = ti
        sys.modules.update({"ivyrs": stand_in, "ivyrs.taichi": ti})
        options = {"cpu_max_num_threads": threads, "log_level": ti.ERROR, "offline_cache": False}
    else:
        import ivyrs.taichi as ti

        options = {"fast": True}
    found = {}
    for layout in ("AOS", "SOA"):
        ti.init(arch=ti.cpu, **options)
        nbody = example("nbody")
        bodies = nbody.Body.field(shape=4096, layout=getattr(ti.Layout, layout))
        nbody.start(bodies)
        found[f"nbody.{layout.lower()}, 4096 bodies"] = timed(lambda: nbody.step(bodies, 0.02), 5, ti.sync)
    ti.init(arch=ti.cpu, **options)
    liquid = example("mpm88").Liquid(8192, 128)
    liquid.init()
    found["mpm88, 8192 particles"] = timed(liquid.substep, 50, ti.sync)
    ti.init(arch=ti.cpu, **options)
    julia = example("julia")
    pixels = ti.field(float, shape=(640, 320))
    found["julia, 640 x 320"] = timed(lambda: julia.paint(pixels, 0.9), 10, ti.sync)
    found["a launch of three arguments"] = timed(launch(ti), 5000, ti.sync)
    return found


def launch(ti):
    """A call of a kernel that does nearly nothing."""
    x = ti.field(ti.f32, shape=4)

    @ti.kernel
    def run(a: ti.f32, b: ti.i32, c: ti.f32):
        for i in x:
            x[i] = a * b + c

    return lambda: run(1.0, 2, 3.0)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--taichi", required=True, help="the Python that has Taichi")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--json", action="store_true", help="for programs")
    parser.add_argument("--measure", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.measure:
        return print(json.dumps(measure(given.measure, given.threads)))
    environment = {**os.environ, "RAYON_NUM_THREADS": str(given.threads), "IVY_JIT_CACHE": "off"}
    results = {}
    for package, python in [("ivy", sys.executable), ("taichi", given.taichi)]:
        command = [python, __file__, "--taichi", given.taichi, "--threads", str(given.threads), "--measure", package]
        run = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
        results[package] = json.loads(run.stdout.splitlines()[-1])
    if given.json:
        return print(json.dumps(results))
    print(f"{given.threads} threads{'':22} first here   Taichi  ratio   step here   Taichi  ratio")
    for name, ours in results["ivy"].items():
        theirs = results["taichi"][name]
        columns = [f"{a * 1e3:11.4g} {b * 1e3:8.4g} {b / a:6.2f}" for a, b in zip(ours, theirs)]
        print(f"{name:30} " + " ".join(columns) + "  ms")


if __name__ == "__main__":
    main()
