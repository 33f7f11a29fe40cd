#!/usr/bin/env python3
"""Layers and a training step beside PyTorch's and JAX's, and random numbers beside NumPy's: medians of alternating rounds.

    python3 -m pip install numpy torch jax
    python3 benches/layers.py [--rounds 5] [--places jit ndarray] [--threads N]

Builds the Rust side, in release. A peer that is not installed is left out. Prints Markdown: milliseconds, and how many times
as fast as the peer each place is.
"""

import argparse
import json
import os
import statistics
import subprocess
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
RUNS = 3, 15  # not counted, and counted
SHAPES = (3, 3, 1, 16), (16,), (3, 3, 16, 32), (32,), (512, 64), (64,), (64, 10), (10,)
STEP = "training step of the digits network"
BY_FILTERS = "conv2d 3x3 of 8x16x32x32, gradient by the filters"


def timed(work, finish=lambda x: x):
    times = []
    for _ in range(sum(RUNS)):
        start = time.perf_counter()
        finish(work())
        times.append(time.perf_counter() - start)
    return times[RUNS[0] :]


def torch_works():
    import torch
    import torch.nn.functional as F

    draw = lambda *shape: torch.rand(shape) * 2 - 1
    x, w = draw(8, 64, 56, 56), draw(64, 64, 3, 3)
    q, k, v = (draw(1, 8, 512, 64) for _ in range(3))
    a, b = draw(16, 256, 256), draw(16, 256, 256)
    n = [draw(4096, 1024).requires_grad_(), draw(1024).requires_grad_(), draw(1024).requires_grad_()]
    weight = draw(4096, 1024)
    norm = torch.compile(lambda x, s, o: (F.layer_norm(x, (1024,), s, o) * weight).sum())
    model = [(draw(*(s[3], s[2], s[0], s[1]) if len(s) == 4 else s) * 0.1).requires_grad_() for s in SHAPES]
    images, labels = draw(64, 1, 8, 8), torch.arange(64) % 10

    small, filters, cotangent = draw(8, 16, 32, 32), draw(32, 16, 3, 3).requires_grad_(), draw(8, 32, 32, 32)
    by_filters = lambda: torch.autograd.grad((F.conv2d(small, filters, padding="same") * cotangent).sum(), filters)
    square = {dtype: [draw(400, 400).to(dtype) for _ in range(2)] for dtype in (torch.float64, torch.complex128)}
    table = (draw(1000, 1000) + 1).requires_grad_()

    def step():
        h = images
        for layer in (0, 2):
            h = F.relu(F.conv2d(h, model[layer], model[layer + 1], padding="same"))
        h = F.relu(F.max_pool2d(h, 2).reshape(-1, 512) @ model[4] + model[5])
        loss = F.cross_entropy(h @ model[6] + model[7], labels)
        with torch.no_grad():
            return [p - 0.05 * g for p, g in zip(model, torch.autograd.grad(loss, model))]

    return {
        "conv2d 3x3 of 8x64x56x56": lambda: F.conv2d(x, w, padding="same"),
        BY_FILTERS: by_filters,
        "matmul, 400x400 of float64": lambda: square[torch.float64][0] @ square[torch.float64][1],
        "matmul, 400x400 of complex128": lambda: square[torch.complex128][0] @ square[torch.complex128][1],
        "greatest of rows, 1000x1000": lambda: table.detach().amax(1),
        "greatest of rows, 1000x1000, gradient": lambda: torch.autograd.grad(table.amax(1).sum(), table),
        "cumprod of rows, 1000x1000": lambda: table.detach().cumprod(1),
        "cumprod of rows, 1000x1000, gradient": lambda: torch.autograd.grad(table.cumprod(1).sum(), table),
        "attention, 8 heads of 512x64": lambda: F.scaled_dot_product_attention(q, k, v),
        "einsum bij,bjk->bik, 16x256x256": lambda: torch.einsum("bij,bjk->bik", a, b),
        "matmul, 16x256x256": lambda: a @ b,
        "layer norm forward and backward, 4096x1024": lambda: torch.autograd.grad(norm(*n), n),
        STEP: step,
    }


def jax_works():
    import jax
    import jax.numpy as jnp
    import numpy as np

    rng = np.random.default_rng(1)
    draw = lambda *shape: jnp.asarray(rng.uniform(-1, 1, shape).astype("float32"))
    model, images, labels = [draw(*s) * 0.1 for s in SHAPES], draw(64, 8, 8, 1), jnp.arange(64) % 10

    def loss(m):
        h = images
        for layer in (0, 2):
            h = jax.lax.conv_general_dilated(h, m[layer], (1, 1), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"))
            h = jax.nn.relu(h + m[layer + 1])
        h = jax.lax.reduce_window(h, -jnp.inf, jax.lax.max, (1, 2, 2, 1), (1, 2, 2, 1), "VALID").reshape(-1, 512)
        logits = jax.nn.relu(h @ m[4] + m[5]) @ m[6] + m[7]
        return -jax.nn.log_softmax(logits)[jnp.arange(64), labels].mean()

    step = jax.jit(lambda m: [p - 0.05 * g for p, g in zip(m, jax.grad(loss)(m))])
    small, filters, cotangent = draw(8, 16, 32, 32), draw(32, 16, 3, 3), draw(8, 32, 32, 32)
    layout = ("NCHW", "OIHW", "NCHW")
    convolved = lambda w: jax.lax.conv_general_dilated(small, w, (1, 1), "SAME", dimension_numbers=layout)
    by_filters = jax.jit(jax.grad(lambda w: (convolved(w) * cotangent).sum()))
    table, along = draw(1000, 1000) + 1, {"greatest": lambda x: x.max(1), "cumprod": lambda x: jnp.cumprod(x, 1)}
    works = {STEP + ", compiled": lambda: step(model), BY_FILTERS: lambda: by_filters(filters)}
    for name, f in along.items():
        name = f"{name} of rows, 1000x1000"
        works[name] = lambda f=jax.jit(f): f(table)
        works[name + ", gradient"] = lambda f=jax.jit(jax.grad(lambda x, f=f: f(x).sum())): f(table)
    return {name: lambda work=work: jax.block_until_ready(work()) for name, work in works.items()}


def numpy_works():
    import numpy as np

    philox = np.random.Generator(np.random.Philox(1))
    real = [philox.uniform(-1, 1, (400, 400)) for _ in range(2)]
    both = [x + 1j * x.T for x in real]
    return {
        "normal float32": lambda: philox.standard_normal(16 << 20, dtype=np.float32),
        "matmul, 400x400 of float64": lambda: real[0] @ real[1],
        "matmul, 400x400 of complex128": lambda: both[0] @ both[1],
    }


def ours(place, threads):
    environment = {**os.environ, "RAYON_NUM_THREADS": str(threads)}
    times = {}
    for program in ("layers", "random"):
        command = [ROOT / "target/release" / program, place]
        for line in subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout.splitlines():
            row = json.loads(line)
            times[row["name"]] = row["seconds"]
    return times


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--places", nargs="+", default=["jit", "ndarray"])
    parser.add_argument("--threads", type=int, default=os.cpu_count())
    arguments = parser.parse_args()
    subprocess.run(["cargo", "build", "--release", "-p", "ivy-benches", "--bins"], cwd=ROOT, check=True)
    peers = {}
    for name, works in ("PyTorch", torch_works), ("JAX", jax_works), ("NumPy", numpy_works):
        try:
            peers[name] = works()
        except ImportError:
            print(f"{name} is not installed")
    if "PyTorch" in peers:
        import torch

        torch.set_num_threads(arguments.threads)
    found = {}
    for _ in range(arguments.rounds):
        for place in arguments.places:
            for work, seconds in ours(place, arguments.threads).items():
                found.setdefault(work, {}).setdefault(place, []).extend(seconds)
        for peer, works in peers.items():
            for work, run in works.items():
                found.setdefault(work, {}).setdefault(peer, []).extend(timed(run))
    sides = [*arguments.places, *peers]
    print(f"\n| {arguments.threads} threads, ms | " + " | ".join(sides) + " |\n" + "|---" * (len(sides) + 1) + "|")
    for work, times in found.items():
        medians = {side: statistics.median(seconds) * 1e3 for side, seconds in times.items()}
        best = min((medians[p] for p in peers if p in medians), default=None)
        cell = lambda side: f"{medians[side]:.2f}" + (f" ({best / medians[side]:.2f})" if best and side in arguments.places else "")
        print(f"| {work} | " + " | ".join(cell(side) if side in medians else "" for side in sides) + " |")


if __name__ == "__main__":
    main()
