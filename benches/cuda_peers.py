#!/usr/bin/env python3
"""The workloads of the `cuda` benchmark in PyTorch (eager, and compiled), JAX and CuPy on the same device.

    python3 benches/cuda_peers.py [ELEMENTS] [--json FILE]

A package that is not there is left out. Times are of the device, between events, or, for JAX, of a queue of runs
divided by their number; the middle of nine. Products of matrices are in full float32, not in TF32.
"""

import json
import math
import statistics
import sys
import time

RUNS = 9
QUEUE = 10


def workloads(lib, row_softmax):
    """(name, what reads and writes at least in units of one array, function of x, y and a square)."""
    return [
        ("x * y + x", 3, lambda x, y, s: x * y + x),
        ("sqrt(x * y + 1) - x", 3, lambda x, y, s: lib.sqrt(x * y + 1) - x),
        ("exp", 2, lambda x, y, s: lib.exp(x)),
        ("tanh", 2, lambda x, y, s: lib.tanh(x)),
        ("x + x transposed", 2, lambda x, y, s: s + s.T),
        ("sum of x * y", 2, lambda x, y, s: (x * y).sum()),
        ("sums of rows", 1, lambda x, y, s: s.sum(1)),
        ("sums of columns", 1, lambda x, y, s: s.sum(0)),
        ("softmax of rows", 2, lambda x, y, s: row_softmax(s)),
    ]


def products(largest):
    return [largest >> i for i in range(4) if largest >> i]


def measure(timed, work, n, side, square_of):
    out = {}
    for name, arrays, function in work:
        seconds = timed(function)
        out[name] = {"seconds": seconds, "bandwidth": arrays * 4 * n / seconds / 1e9}
    for m in products(min(side, 4096)):
        seconds = timed(lambda *_, a=square_of(m), b=square_of(m): a @ b)
        out[f"matmul of {m}"] = {"seconds": seconds, "gflops": 2 * m**3 / seconds / 1e9}
    return out


def torch_peers(n, side):
    import torch

    x, y = (torch.rand(n, device="cuda") for _ in range(2))
    s = torch.rand(side, side, device="cuda")

    def timer(compiled):
        def timed(function):
            if compiled:
                torch._dynamo.reset()
                function = torch.compile(function, dynamic=False)
            for _ in range(3):
                function(x, y, s)
            times = []
            for _ in range(RUNS):
                a, b = (torch.cuda.Event(enable_timing=True) for _ in range(2))
                a.record()
                function(x, y, s)
                b.record()
                b.synchronize()
                times.append(a.elapsed_time(b) / 1e3)
            return statistics.median(times)

        return timed

    def host(function):
        small = torch.rand(1024, device="cuda")
        function(small)
        torch.cuda.synchronize()
        start = time.perf_counter()
        for _ in range(1000):
            function(small)
        took = (time.perf_counter() - start) / 1000
        torch.cuda.synchronize()
        return took

    square = lambda m: torch.rand(m, m, device="cuda")
    for name, compiled in (("torch", False), ("torch.compile", True)):
        work = workloads(torch, lambda s: torch.softmax(s, 1))
        out = measure(timer(compiled), work, n, side, square)
        function = lambda v: v * v + v
        if compiled:
            torch._dynamo.reset()
            function = torch.compile(function, dynamic=False)
        out["launch"] = {"seconds": host(function)}
        yield f"{name} {torch.__version__}", out


def jax_peer(n, side):
    import jax
    import jax.numpy as jnp

    jax.config.update("jax_default_matmul_precision", "highest")
    keys = jax.random.split(jax.random.key(1), 3)
    x, y = jax.random.uniform(keys[0], (n,)), jax.random.uniform(keys[1], (n,))
    s = jax.random.uniform(keys[2], (side, side))

    def timed(function):
        function = jax.jit(function)
        function(x, y, s).block_until_ready()
        times = []
        for _ in range(RUNS):
            start = time.perf_counter()
            for _ in range(QUEUE):
                last = function(x, y, s)
            last.block_until_ready()
            times.append((time.perf_counter() - start) / QUEUE)
        return statistics.median(times)

    square = lambda m: jax.random.uniform(keys[0], (m, m))
    out = measure(timed, workloads(jnp, lambda s: jax.nn.softmax(s, axis=1)), n, side, square)
    small = jax.random.uniform(keys[0], (1024,))
    function = jax.jit(lambda v: v * v + v)
    function(small).block_until_ready()
    start = time.perf_counter()
    for _ in range(1000):
        last = function(small)
    out["launch"] = {"seconds": (time.perf_counter() - start) / 1000}
    last.block_until_ready()
    yield f"jax {jax.__version__}", out


def cupy_peer(n, side):
    import cupy

    x, y = (cupy.random.random(n, dtype=cupy.float32) for _ in range(2))
    s = cupy.random.random((side, side), dtype=cupy.float32)

    def softmax(s):
        e = cupy.exp(s - s.max(1, keepdims=True))
        return e / e.sum(1, keepdims=True)

    def timed(function):
        for _ in range(3):
            function(x, y, s)
        times = []
        for _ in range(RUNS):
            a, b = cupy.cuda.Event(), cupy.cuda.Event()
            a.record()
            function(x, y, s)
            b.record()
            b.synchronize()
            times.append(cupy.cuda.get_elapsed_time(a, b) / 1e3)
        return statistics.median(times)

    square = lambda m: cupy.random.random((m, m), dtype=cupy.float32)
    yield f"cupy {cupy.__version__}", measure(timed, workloads(cupy, softmax), n, side, square)


def main():
    words = sys.argv[1:]
    file = None
    if "--json" in words:
        at = words.index("--json")
        file = words[at + 1]
        del words[at : at + 2]
    n = int(words[0]) if words else 1 << 26
    side = math.isqrt(n)
    peers = {}
    for make in (torch_peers, cupy_peer, jax_peer):
        try:
            for name, out in make(n, side):
                peers[name] = out
        except ImportError as error:
            print(f"{make.__name__}: {error}", file=sys.stderr)
    if file:
        with open(file, "w") as to:
            json.dump(peers, to, indent=1)
    rows = list(dict.fromkeys(row for out in peers.values() for row in out))
    print(f"{'GB/s, GFLOP/s or us':<24}" + "".join(f"{name:>24}" for name in peers))
    for row in rows:
        line = f"{row:<24}"
        for out in peers.values():
            cell = out.get(row, {})
            number = cell.get("bandwidth") or cell.get("gflops") or cell.get("seconds", math.nan) * 1e6
            line += f"{number:>24.1f}"
        print(line)


if __name__ == "__main__":
    main()
