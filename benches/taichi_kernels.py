#!/usr/bin/env python3
"""Single kernels on `ivyrs.taichi` and on Taichi itself, in alternation: taichi_kernels.py --taichi PYTHON [--threads N].

PYTHON is that of an environment with the package `taichi`. The Mandelbrot set over arrays, the five-point Laplacian over dense fields, particles as
an array of structures and as a structure of arrays, and elements of a bitmasked tree: the workloads W6 and W11. Prints the best time of a launch,
that of the first one, which compiles, for both, and the ratio: above 1 is faster here.
"""

import alternation
import numpy as np
from alternation import timed


def mandelbrot(ti):
    """At most 256 iterations for each of 1024 x 1024 numbers."""
    plane = ti.types.ndarray(dtype=ti.f32, ndim=2)
    real, imag = np.meshgrid(np.linspace(-2, 0.5, 1024, dtype=np.float32), np.linspace(-1.25, 1.25, 1024, dtype=np.float32))
    arrays = [ti.ndarray(ti.f32, (1024, 1024)) for _ in range(3)]
    for array, values in zip(arrays, (real, imag)):
        array.from_numpy(values)

    @ti.kernel
    def run(cr: plane, ci: plane, count: plane):
        for i, j in count:
            zr = 0.0
            zi = 0.0
            n = 0
            while n < 256 and zr * zr + zi * zi <= 4.0:
                t = zr * zr - zi * zi + cr[i, j]
                zi = 2.0 * zr * zi + ci[i, j]
                zr = t
                n += 1
            count[i, j] = n

    return lambda: run(*arrays)


def laplacian(ti):
    """The inner elements of 2048 x 2048."""
    u, v = ti.field(ti.f32), ti.field(ti.f32)
    for one in (u, v):
        ti.root.dense(ti.ij, (2048, 2048)).place(one)
    u.from_numpy(np.random.default_rng(1).random((2048, 2048), dtype=np.float32))

    @ti.kernel
    def run():
        for i, j in ti.ndrange((1, 2047), (1, 2047)):
            v[i, j] = u[i - 1, j] + u[i + 1, j] + u[i, j - 1] + u[i, j + 1] - 4.0 * u[i, j]

    return run


def particles(ti, together):
    """Positions and velocities of 4 Mi particles, by component."""
    n = 1 << 22
    parts = [ti.field(ti.f32) for _ in range(6)]
    if together:
        ti.root.dense(ti.i, n).place(*parts)
    else:
        for part in parts:
            ti.root.dense(ti.i, n).place(part)
    for part in parts:
        part.fill(0.5)
    x, y, z, u, v, w = parts

    @ti.kernel
    def run(dt: ti.f32):
        for i in range(n):
            x[i] += u[i] * dt
            y[i] += v[i] * dt
            z[i] += w[i] * dt

    return lambda: run(0.01)


def sparse(ti):
    """An increment and a sum of the elements in use, a hundredth of 4096 x 4096."""
    x, total = ti.field(ti.f32), ti.field(ti.f32, shape=())
    ti.root.pointer(ti.ij, 256).bitmasked(ti.ij, 16).place(x)

    @ti.kernel
    def activate(places: ti.types.ndarray(dtype=ti.i32, ndim=1)):
        for k in places:
            x[places[k] // 4096, places[k] % 4096] = 0.0

    @ti.kernel
    def run():
        for i, j in x:
            x[i, j] += 1.0
        total[None] = 0.0
        for i, j in x:
            total[None] += x[i, j]

    places = ti.ndarray(ti.i32, 1 << 17)
    places.from_numpy(np.random.default_rng(2).integers(0, 4096 * 4096, 1 << 17).astype(np.int32))
    activate(places)
    return run


def measure(package, threads):
    """What one of the packages takes, by what was measured."""
    if package == "taichi":
        import taichi as ti

        options = {"cpu_max_num_threads": threads, "log_level": ti.ERROR, "offline_cache": False}
    else:
        import ivyrs.taichi as ti

        options = {"fast": True}
    kernels = {
        "W6 Mandelbrot, 1024 x 1024": mandelbrot,
        "W11 Laplacian, 2048 x 2048": laplacian,
        "W11 4 Mi particles, AoS": lambda ti: particles(ti, together=True),
        "W11 4 Mi particles, SoA": lambda ti: particles(ti, together=False),
        "W11 bitmasked 4096 x 4096, 1 %": sparse,
    }
    found = {}
    for name, make in kernels.items():
        ti.init(arch=ti.cpu, **options)
        found[name] = timed(make(ti), 5, ti.sync)
    return found


if __name__ == "__main__":
    alternation.main(__file__, __doc__, "taichi", measure)
