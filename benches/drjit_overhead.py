#!/usr/bin/env python3
"""What Dr.Jit's frontend adds to ivyrs' own functions, in one process, rows of both in alternation: drjit_overhead.py [--threads N] [--rows N].

Prints the medians of both and their ratio: above 1 the frontend takes longer. Workloads are those of the peer benchmark: W2 sqrt(a*b+1), W3 a fused
expression, W6 a Mandelbrot set of 1024 x 1024 and 256 iterations, W7 tracing of an operation, and launches of 3 and 97 operations of 1024 elements.
"""

import argparse
import json
import os
import statistics
import time

CONSTANTS = [0.5 + 0.01 * i for i in range(97)]


def chain(a, b, maximum):
    """97 operations of arrays and constants."""
    value = a
    for i, c in enumerate(CONSTANTS):
        value = [lambda v: v * c, lambda v: v + b, lambda v: v - c, lambda v: v * a, lambda v: maximum(v, b)][i % 5](value)
    return value


def repeated(step, value):
    """A hundred steps, each of what the one before gives."""
    for _ in range(100):
        value = step(value)


def workloads():
    """The name of each workload, its steps a row and operations a step, and the frontend's and the core's step."""
    import ivyrs
    import ivyrs.drjit as dr
    import numpy as np
    from ivyrs.drjit.llvm.ad import Complex2f, Float, UInt

    xp = ivyrs.namespace("jit:llvm")

    def done(x):
        dr.eval(x)
        dr.sync_thread()

    def core_done(x):
        ivyrs.evaluate(x)
        dr.sync_thread()

    def pair(values):
        array = Float(values)
        done(array)
        return array, xp.asarray(values)

    rng = np.random.default_rng(1)
    (a, core_a), (b, core_b) = (pair(rng.random(1 << 24, dtype=np.float32)) for _ in range(2))
    (x, core_x), (y, core_y) = (pair(rng.random(1024, dtype=np.float32)) for _ in range(2))
    plane = dr.meshgrid(dr.linspace(Float, -2, 1, 1024), dr.linspace(Float, -1.5, 1.5, 1024))
    point = Complex2f(*plane)
    done(point)
    real, imaginary = (xp.asarray(part.numpy()) for part in plane)

    def mandelbrot():
        step = lambda z, n: (z * z + point, n + 1)  # noqa: E731
        done(dr.while_loop((Complex2f(point), UInt(0)), lambda z, n: (dr.squared_norm(z) < 4) & (n < 256), step)[1])

    def core_mandelbrot():
        test = lambda u, v, n: (u * u + v * v < 4) & (n < 256)  # noqa: E731
        step = lambda u, v, n: (u * u - v * v + real, u * v + v * u + imaginary, n + 1)  # noqa: E731
        core_done(xp.while_loop(test, step, (real, imaginary, xp.zeros(real.shape, dtype=xp.uint32)))[2])

    def fused(f, a, b):
        return f.sqrt(a * a + b * b) * 0.5 + f.sin(a)

    def traced(step, core_step):
        return 10, 100, lambda: repeated(step, x), lambda: repeated(core_step, core_x)

    return {
        "W2, 16 Mi": (1, 1, lambda: done(dr.sqrt(a * b + 1)), lambda: core_done(xp.sqrt(core_a * core_b + 1))),
        "W3, 16 Mi": (1, 1, lambda: done(fused(dr, a, b)), lambda: core_done(fused(xp, core_a, core_b))),
        "W6, 1024 x 1024, 256 iterations": (1, 1, mandelbrot, core_mandelbrot),
        "W7.launch3, 1024 elements": (100, 1, lambda: done(dr.sqrt(x * y + 1)), lambda: core_done(xp.sqrt(core_x * core_y + 1))),
        "W7.launch97": (10, 1, lambda: done(chain(x, y, dr.maximum)), lambda: core_done(chain(core_x, core_y, xp.maximum))),
        "tracing x + y": traced(lambda v: v + y, lambda v: v + core_y),
        "tracing x * 1.5": traced(lambda v: v * 1.5, lambda v: v * 1.5),
        "tracing maximum(x, y)": traced(lambda v: dr.maximum(v, y), lambda v: xp.maximum(v, core_y)),
        "tracing sqrt(x)": traced(dr.sqrt, xp.sqrt),
    }


def measure(rows):
    """The medians of the frontend's and the core's times of each workload, in seconds an operation."""
    found = {}
    for name, (steps, operations, *sides) in workloads().items():
        times: list[list[float]] = [[], []]
        for row in range(rows + 2):
            for side, step in enumerate(sides):
                begin = time.perf_counter()
                for _ in range(steps):
                    step()
                if row >= 2:
                    times[side].append((time.perf_counter() - begin) / (steps * operations))
        found[name] = [statistics.median(own) for own in times]
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--rows", type=int, default=60)
    parser.add_argument("--json", action="store_true", help="for programs")
    given = parser.parse_args()
    os.environ |= {"RAYON_NUM_THREADS": str(given.threads), "IVY_JIT_CACHE": "off"}
    found = measure(given.rows)
    if given.json:
        return print(json.dumps(found))
    print(f"{given.threads} threads, us{'':20} frontend       core  ratio")
    for name, (ours, core) in found.items():
        print(f"{name:33} {ours * 1e6:9.4g}  {core * 1e6:9.4g}  {ours / core:5.3f}")


if __name__ == "__main__":
    main()
