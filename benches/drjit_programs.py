#!/usr/bin/env python3
"""Dr.Jit's operations from Python on `ivyrs.drjit` and on Dr.Jit itself, in alternation: drjit_programs.py --drjit PYTHON [--threads N].

PYTHON is that of an environment with the package `drjit`, which finds its LLVM by `DRJIT_LIBLLVM_PATH`. Prints the best time of a step and
that of the first one, which compiles, for both, and the ratio: above 1 is faster here. Names are those of the peer benchmark where there
is one (W2: sqrt(a*b+1), W3: a fused expression, W6: a Mandelbrot set, W7: tracing).
"""

import importlib

import alternation
from alternation import timed

LONG = 1 << 24
TRACED = 1000


def measure(package, threads):
    """What one of the packages takes, by what was measured."""
    root = "drjit" if package == "drjit" else "ivyrs.drjit"
    dr, types = importlib.import_module(root), importlib.import_module(f"{root}.llvm.ad")
    if package == "drjit":
        dr.set_thread_count(threads)
    Float, UInt, Array3f, Complex2f = types.Float, types.UInt, types.Array3f, types.Complex2f

    def done(*values):
        dr.eval(*values)
        dr.sync_thread()

    a, b = dr.opaque(Float, 1.5, LONG), dr.opaque(Float, 2.5, LONG)
    small, other = dr.opaque(Float, 1.5, 1024), dr.opaque(Float, 2.5, 1024)
    done(a, b, small, other)
    found = {}

    def tracing():
        value = small
        for _ in range(TRACED // 4):
            value = dr.maximum((value * 1.5 + other) - 0.3, other)

    def tracing_vectors():
        value = Array3f(small, other, 1)
        for _ in range(100):
            value = dr.normalize(value + other)

    first, best = timed(tracing, 1)
    found["W7.node, tracing an operation"] = first / TRACED, best / TRACED
    first, best = timed(tracing_vectors, 1)
    found["tracing a normalized sum of vectors"] = first / 100, best / 100
    found["W7.launch3, 1024 elements"] = timed(lambda: done(dr.sqrt(small * other + 1)), 100)
    found["W2, 16 Mi"] = timed(lambda: done(dr.sqrt(a * b + 1)), 3)
    found["W3, 16 Mi"] = timed(lambda: done(dr.sqrt(a * a + b * b) * 0.5 + dr.sin(a)), 3)

    def gradient():
        x, y = Float(a), Float(b)
        dr.enable_grad(x, y)
        dr.backward(dr.sum(dr.sqrt(x * x + y * y) * 0.5 + dr.sin(x)))
        done(dr.grad(x), dr.grad(y))

    found["W3 and its gradients, 16 Mi"] = timed(gradient, 1, rows=5)

    side = 1024
    x, y = dr.meshgrid(dr.linspace(Float, -2, 1, side), dr.linspace(Float, -1.5, 1.5, side))
    c = Complex2f(x, y)
    done(c)

    def mandelbrot():
        z, n = dr.while_loop(
            (Complex2f(c), UInt(0)),
            lambda z, n: (dr.squared_norm(z) < 4) & (n < 256),
            lambda z, n: (z * z + c, n + 1),
        )
        done(n)

    found["W6, 1024 x 1024, 256 iterations"] = timed(mandelbrot, 1, rows=5)
    number = dr.arange(UInt, LONG)
    for name, places in [("1 Ki", 1 << 10), ("1 Mi", 1 << 20), ("16 Mi", LONG)]:
        index = (number * 2654435761) % places
        done(index)

        def scatter(index=index, places=places):
            target = dr.zeros(Float, places)
            dr.scatter_add(target, a, index)
            done(target)

        found[f"scatter_add, 16 Mi into {name}"] = timed(scatter, 1, rows=3)
    found["prefix_sum, 16 Mi"] = timed(lambda: done(dr.prefix_sum(a)), 1, rows=5)
    return found


if __name__ == "__main__":
    alternation.main(__file__, __doc__, "drjit", measure)
