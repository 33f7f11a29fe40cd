#!/usr/bin/env python3
"""Whole programs as a user writes them, from Python: on each place, and with NumPy where that is the natural choice.

    python3 -m pip install ./bindings/python numpy torch jax
    python3 benches/programs.py [--places ndarray candle jit:llvm] [--only TEXT]

The programs are those of `cargo run --release -p ivy-benches --bin programs`. Each runs in a process of its own with an empty
cache of kernels. The peer of each is what its user would write it in: PyTorch (eager) for the training loop, JAX (jitted, on the
CPU) for gradients of examples and of values, NumPy for the rest; one that is not installed is left out. Prints Markdown: seconds,
microseconds of iterations, and MB more after iteration 100.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time

TOLD = 10, 100, 1000


def drawn(xp, *shape, scale=1.0, dtype="float32"):
    """Numbers that look random and are the same on every run."""
    import numpy as np

    numbers = (np.random.default_rng(1).random(shape) * 2 - 1) * scale
    return xp.asarray(numbers.astype(dtype))


def training(xp):
    if xp.__name__ == "numpy":
        return None
    x, y = drawn(xp, 256, 16), drawn(xp, 256, 1)
    weights = [drawn(xp, 16, 64, scale=0.3), drawn(xp, 64, scale=0.1), drawn(xp, 64, 1, scale=0.3), drawn(xp, 1, scale=0.1)]
    first, second = [w * 0.0 for w in weights], [w * 0.0 for w in weights]

    def loss(w):
        return xp.mean(xp.square(xp.tanh(x @ w[0] + w[1]) @ w[2] + w[3] - y))

    def iteration(t):
        value, slopes = xp.value_and_grad(loss)(weights)
        for i, slope in enumerate(slopes):
            first[i] = first[i] * 0.9 + slope * 0.1
            second[i] = second[i] * 0.999 + slope * slope * 0.001
            weights[i] = weights[i] - first[i] / (1 - 0.9**t) / (xp.sqrt(second[i] / (1 - 0.999**t)) + 1e-8) * 0.01
        return float(value)

    return iteration


def training_torch():
    import torch

    x, y = torch.rand(256, 16) * 2 - 1, torch.rand(256, 1) * 2 - 1
    shapes = ((16, 64), 0.3), ((64,), 0.1), ((64, 1), 0.3), ((1,), 0.1)
    weights = [((torch.rand(shape) * 2 - 1) * scale).requires_grad_() for shape, scale in shapes]
    optimiser = torch.optim.Adam(weights, lr=0.01)

    def iteration(_):
        optimiser.zero_grad()
        value = torch.mean(torch.square(torch.tanh(x @ weights[0] + weights[1]) @ weights[2] + weights[3] - y))
        value.backward()
        optimiser.step()
        return value.item()

    return iteration


def momentum(xp):
    x = drawn(xp, 1000, dtype="float64")
    v = xp.zeros_like(x)

    def iteration(t):
        nonlocal x, v
        v = v * 0.9 - (xp.sin(x) + x * 0.1) * 0.01
        x = x + v
        return float(xp.max(x)) if t % 10 == 0 else None

    return iteration


def each_example(xp):
    x, y, w = drawn(xp, 256, 8), drawn(xp, 256), drawn(xp, 8)
    loss = lambda w, x, y: xp.square(xp.tanh(x @ w) - y)  # noqa: E731

    def step(w):
        slopes = transform(xp, "vmap")(lambda x, y: transform(xp, "grad")(lambda w: loss(w, x, y))(w))(x, y)
        return w - xp.mean(slopes, axis=0) * 0.1

    step = transform(xp, "compile")(step)

    def iteration(_):
        nonlocal w
        w = step(w)
        return float(xp.max(w))

    return iteration


def transform(xp, name):
    """A transformation of `ivyrs` or of JAX."""
    if xp.__name__ == "jax.numpy":
        import jax

        return jax.jit if name == "compile" else getattr(jax, name)
    return getattr(xp, name)


def line_search(xp):
    start = drawn(xp, 1000, dtype="float64")
    x = start

    def value(x):
        low, high = x[:-1], x[1:]
        return xp.sum(xp.square(high - xp.square(low)) * 10.0 + xp.square(1.0 - low))

    slope_of = transform(xp, "value_and_grad")(value)
    # JAX's user compiles what is called often.
    if xp.__name__ == "jax.numpy":
        value, slope_of = transform(xp, "compile")(value), transform(xp, "compile")(slope_of)

    def iteration(t):
        nonlocal x
        if t % 100 == 0:
            x = start
        now, slope = slope_of(x)
        now, size = float(now), 0.1
        for _ in range(20):
            following = x - slope * size
            if float(value(following)) < now:
                x = following
                break
            size *= 0.5
        return now

    return iteration


def kalman(xp):
    step = xp.asarray([[1.0, 0.1, 0.005], [0.0, 1.0, 0.1], [0.0, 0.0, 1.0]], dtype=xp.float64)
    seen = xp.asarray([[1.0, 0.0, 0.0]], dtype=xp.float64)
    unknown = xp.asarray([[1e-4, 0.0, 0.0], [0.0, 1e-3, 0.0], [0.0, 0.0, 1e-2]], dtype=xp.float64)
    one = xp.eye(3, dtype=xp.float64)
    x, p = xp.asarray([[0.0], [1.0], [0.0]], dtype=xp.float64), one
    estimates = []

    def iteration(t):
        nonlocal x, p
        import math

        before, spread = step @ x, step @ p @ step.T + unknown
        column = spread @ seen.T
        gain = column / (seen @ column + 0.05)
        x = before + gain @ (math.sin(t * 0.1) - seen @ before)
        p = (one - gain @ seen) @ spread
        estimates.append(x)
        return float(xp.max(x)) if t % 100 == 0 else None

    return iteration


def walk(xp):
    if xp.__name__ == "numpy":
        import numpy as np

        generator = np.random.default_rng(1)
        draw = lambda: generator.standard_normal(10_000, dtype=np.float32)  # noqa: E731
    else:
        import ivyrs

        generator = ivyrs.Generator(1)
        draw = lambda: xp.random_normal(shape=(10_000,), seed=generator)  # noqa: E731
    at = xp.zeros(10_000, dtype=xp.float32)

    def iteration(t):
        nonlocal at
        at = at + draw()
        return float(xp.max(xp.abs(at))) if t % 10 == 0 else None

    return iteration


def appended(xp):
    x = drawn(xp, 1000, dtype="float64")
    v, states = xp.zeros_like(x), []

    def iteration(t):
        nonlocal x, v
        v = v * 0.999 - x * 0.01
        x = x + v * 0.01
        states.append(x)
        if t % 100:
            return None
        found = float(xp.mean(xp.stack(states)))
        states.clear()
        return found

    return iteration


def k_means(xp):
    points = drawn(xp, 100_000, 2)
    centres = points[:8]

    def iteration(_):
        nonlocal centres
        away = xp.reshape(points, (-1, 1, 2)) - centres
        nearest = xp.argmin(xp.sum(away * away, axis=2), axis=1)
        means = []
        for k in range(8):
            own = xp.astype(nearest == k, xp.float32)
            means.append(xp.sum(xp.reshape(own, (-1, 1)) * points, axis=0) / xp.maximum(xp.sum(own), xp.asarray(1.0, dtype=xp.float32)))
        following = xp.stack(means)
        moved = float(xp.max(xp.abs(following - centres)))
        centres = following
        return moved

    return iteration


def jacobi(xp):
    plate = drawn(xp, 128, 128)

    def iteration(_):
        nonlocal plate
        inner = (plate[:-2, 1:-1] + plate[2:, 1:-1] + plate[1:-1, :-2] + plate[1:-1, 2:]) * 0.25
        change = float(xp.max(xp.abs(inner - plate[1:-1, 1:-1])))
        plate = xp.pad(inner, 1) if xp.__name__ == "numpy" else xp.constant_pad(inner, 1)
        return change

    return iteration


def sines(xp):
    x = drawn(xp, 10_000, dtype="float64")

    def iteration(t):
        y = x * t
        for _ in range(1000):
            y = xp.sin(y)
        return float(xp.sum(y))

    return iteration


def sines_gradient(xp):
    x = drawn(xp, 10_000, dtype="float64")

    def total(x):
        for _ in range(1000):
            x = xp.sin(x)
        return xp.sum(x)

    slope = transform(xp, "grad")(total)
    if xp.__name__ == "jax.numpy":
        slope = transform(xp, "compile")(slope)

    def iteration(t):
        return float(xp.sum(slope(x * t)))

    return iteration


PROGRAMS = {
    "training: two layers, Adam, the loss read each step": (training, 1000),
    "momentum: a maximum read every tenth step": (momentum, 1000),
    "vmap(grad): a small loss over 256 examples": (each_example, 1000),
    "Kalman filter: 3 states, estimates appended": (kalman, 10_000),
    "random walk: 10 000 walkers draw each step": (walk, 1000),
    "results appended, and stacked every 100 iterations": (appended, 1000),
    "k-means: 100 000 points, 8 centres": (k_means, 30),
    "Jacobi: 128 x 128, a test each iteration": (jacobi, 1000),
    "line search: values read each iteration": (line_search, 1000),
    "sum of a thousand sines of sines, 10 000 elements": (sines, 10),
    "its gradient": (sines_gradient, 10),
}


# By the beginnings of names.
PEERS = {"training": "PyTorch", "vmap(grad)": "JAX", "line search": "JAX", "its gradient": "JAX"}


def resident():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * 4096


def one(name, place):
    make, iterations = PROGRAMS[name]
    if place == "PyTorch":
        iteration = training_torch()
    elif place == "NumPy":
        import numpy

        iteration = make(numpy)
    elif place == "JAX":
        import jax

        jax.config.update("jax_enable_x64", True)
        jax.config.update("jax_platforms", "cpu")
        iteration = make(jax.numpy)
    else:
        import ivyrs

        iteration = make(ivyrs.namespace(place))
    times, memory = [], None
    begin = time.perf_counter()
    for t in range(1, iterations + 1):
        start = time.perf_counter()
        iteration(t)
        times.append((time.perf_counter() - start) * 1e6)
        if t == 100:
            memory = resident()
    near = lambda at: statistics.median(times[at * 8 // 10 : at * 12 // 10]) if at <= iterations else None  # noqa: E731
    grown = None if memory is None else (resident() - memory) / 1e6
    found = {"seconds": time.perf_counter() - begin, "iterations": [near(at) for at in TOLD], "megabytes": grown}
    print(json.dumps({"program": name, "place": place, **found}))


def apart(name, place):
    with tempfile.TemporaryDirectory() as cache:
        command = [sys.executable, __file__, "--one", name, place]
        done = subprocess.run(command, env={**os.environ, "IVY_JIT_CACHE": cache}, capture_output=True, text=True, check=False)
    if done.returncode:
        print(done.stderr[-400:], file=sys.stderr)
        return None
    return json.loads(done.stdout)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--places", nargs="*", default=["ndarray", "candle", "jit:llvm"])
    parser.add_argument("--only", default="", help="programs whose names have this text")
    parser.add_argument("--one", nargs=2, metavar=("PROGRAM", "PLACE"), help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.one:
        return one(*options.one)
    print("| program | place | all, s | iteration 10, us | iteration 100, us | iteration 1000, us | MB more after iteration 100 | of the peer's time |")
    print("|---|---|---|---|---|---|---|---|")
    for name in (name for name in PROGRAMS if options.only in name):
        peer = PEERS.get(name.split(":")[0], "NumPy")
        rows = [(place, apart(name, place)) for place in [peer, *options.places]]
        base = rows[0][1] and rows[0][1]["seconds"]
        for place, row in rows:
            if row is None:
                continue
            cells = [f"{x:.0f}" if x is not None else "" for x in row["iterations"]]
            grown = "" if row["megabytes"] is None else f"{row['megabytes']:.1f}"
            ratio = f"{row['seconds'] / base:.2f}" if base else ""
            print(f"| {name} | {place} | {row['seconds']:.3f} | {' | '.join(cells)} | {grown} | {ratio} |")


if __name__ == "__main__":
    main()
