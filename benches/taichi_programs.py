#!/usr/bin/env python3
"""Taichi's programs of `examples/taichi` on `ivyrs.taichi` and on Taichi itself, in alternation: taichi_programs.py --taichi PYTHON [--threads N].

PYTHON is that of an environment with the package `taichi`. Prints the best time of a step, that of the first one, which compiles, and that of a
launch of a kernel with three arguments, for both, and the ratio: above 1 is faster here.
"""

import importlib.util
import pathlib
import sys
import types

import alternation
from alternation import timed

ROOT = pathlib.Path(__file__).resolve().parent.parent


def example(name):
    """An example's module."""
    spec = importlib.util.spec_from_file_location(name, ROOT / f"examples/taichi/{name}.py")
    module = importlib.util.module_from_spec(spec)
    # Functions are read from their source by the module's name.
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


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


if __name__ == "__main__":
    alternation.main(__file__, __doc__, "taichi", measure)
