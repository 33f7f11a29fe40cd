#!/usr/bin/env python3
"""The workloads of the `cuda` benchmark in PyTorch (eager, and compiled), JAX and CuPy on the same device.

    python3 benches/cuda_peers.py [ELEMENTS] [--json FILE]

A package that is not there is left out. Times are of the device, between events, or, for JAX, of a queue of runs
divided by their number; the middle of nine. Products of matrices are in full float32 and float64, not in TF32.
"""

import json
import math
import statistics
import sys
import time

RUNS = 9
QUEUE = 10
LAUNCHES = 1000


def workloads(lib, arrays, softmax, layer_norm):
    """(name, bytes that are read and written at least, function, its arguments)."""
    x, y, s, rows, halves = (arrays[name] for name in ("x", "y", "square", "rows", "halves"))
    n, side = x.shape[0], s.shape[0]
    row, column = s[0], s[:, :1]
    quarter = x[: n // 4]
    return [
        ("x * y + x", 12 * n, lambda x, y: x * y + x, (x, y)),
        ("sqrt(x * y + 1) - x", 12 * n, lambda x, y: lib.sqrt(x * y + 1) - x, (x, y)),
        ("exp", 8 * n, lib.exp, (x,)),
        ("tanh", 8 * n, lib.tanh, (x,)),
        ("x + y of float16", 6 * n, lambda x, y: x + y, halves),
        ("row + column", 4 * side * side, lambda r, c: r + c, (row, column)),
        ("x + x transposed", 8 * side * side, lambda s: s + s.T, (s,)),
        ("sum of x * y", 8 * n, lambda x, y: (x * y).sum(), (x, y)),
        ("sums of rows", 4 * side * side, lambda s: s.sum(1), (s,)),
        ("sums of columns", 4 * side * side, lambda s: s.sum(0), (s,)),
        ("softmax of 512", 8 * n, softmax, (rows,)),
        (f"softmax of {side}", 8 * side * side, softmax, (s,)),
        (f"layer norm of {side}", 8 * side * side, layer_norm, (s,)),
        ("running sums of rows", 8 * side * side, lambda s: lib.cumsum(s, 1), (s,)),
        ("sort of a quarter", 8 * (n // 4), lambda x: lib.sort(x), (quarter,)),
    ]


def inputs(uniform, half, n, side):
    """What all work is done with; `half` makes float16 of an array."""
    x, y = uniform(n), uniform(n)
    return {"x": x, "y": y, "square": uniform(side, side), "rows": uniform(n // 512, 512), "halves": (half(x), half(y))}


def plain_layer_norm(lib):
    def layer_norm(s):
        mean = s.mean(1, keepdims=True)
        shifted = s - mean
        return shifted / lib.sqrt((shifted * shifted).mean(1, keepdims=True) + 1e-5)

    return layer_norm


def measure(timed, work, largest, square_of):
    out = {}
    for name, size, function, arguments in work:
        seconds = timed(function, *arguments)
        out[name] = {"seconds": seconds, "bandwidth": size / seconds / 1e9}
    for kind in ("float32", "float64"):
        for m in (largest >> i for i in range(4)):
            seconds = timed(lambda a, b: a @ b, square_of(m, kind), square_of(m, kind))
            out[f"matmul of {m}, {kind}"] = {"seconds": seconds, "gflops": 2 * m**3 / seconds / 1e9}
    return out


def timer(event, milliseconds, occupy):
    """Times between a device's events, while the device is kept busy until the host has called."""

    def timed(function, *arguments):
        for _ in range(3):
            function(*arguments)
        times = []
        for _ in range(RUNS):
            begin, end = event(), event()
            occupy()
            begin.record()
            function(*arguments)
            end.record()
            end.synchronize()
            times.append(milliseconds(begin, end) / 1e3)
        return statistics.median(times)

    return timed


def on_host(function, wait):
    """What a call takes on the host."""
    function()
    times = []
    for _ in range(RUNS):
        wait()
        start = time.perf_counter()
        for _ in range(LAUNCHES):
            function()
        times.append((time.perf_counter() - start) / LAUNCHES)
    wait()
    return {"seconds": statistics.median(times)}


def torch_peers(n, side):
    import torch

    def uniform(*shape, dtype=torch.float32):
        return torch.rand(*shape, device="cuda", dtype=dtype)

    arrays = inputs(uniform, lambda x: x.half(), n, side)
    here, there = uniform(n), uniform(n)
    event = lambda: torch.cuda.Event(enable_timing=True)
    plain = timer(event, lambda a, b: a.elapsed_time(b), lambda: there.copy_(here))

    def compiled(function):
        torch._dynamo.reset()
        return torch.compile(function, dynamic=False)

    small = uniform(1024)
    for name, make in (("torch", lambda f: f), ("torch.compile", compiled)):
        work = workloads(
            torch,
            arrays,
            lambda s: torch.softmax(s, 1),
            lambda s: torch.nn.functional.layer_norm(s, s.shape[1:]),
        )
        if make is compiled:
            # What it has no kernels of its own for.
            work = [w for w in work if not w[0].startswith(("sort", "running"))]
        square = lambda m, kind: uniform(m, m, dtype=getattr(torch, kind))
        out = measure(lambda f, *a: plain(make(f), *a), work, min(side, 4096), square)
        function = make(lambda v: v * v + v)
        out["launch"] = on_host(lambda: function(small), torch.cuda.synchronize)
        yield f"{name} {torch.__version__.split('+')[0]}", out


def jax_peer(n, side):
    import jax
    import jax.numpy as jnp

    jax.config.update("jax_default_matmul_precision", "highest")
    jax.config.update("jax_enable_x64", True)

    def uniform(*shape, dtype=jnp.float32):
        return jax.random.uniform(jax.random.key(1), shape, dtype)

    arrays = inputs(uniform, lambda x: x.astype(jnp.float16), n, side)

    def timed(function, *arguments):
        function = jax.jit(function)
        function(*arguments).block_until_ready()
        times = []
        for _ in range(RUNS):
            start = time.perf_counter()
            for _ in range(QUEUE):
                last = function(*arguments)
            last.block_until_ready()
            times.append((time.perf_counter() - start) / QUEUE)
        return statistics.median(times)

    work = workloads(jnp, arrays, lambda s: jax.nn.softmax(s, axis=1), plain_layer_norm(jnp))
    square = lambda m, kind: uniform(m, m, dtype=getattr(jnp, kind))
    out = measure(timed, work, min(side, 4096), square)
    small = uniform(1024)
    function = jax.jit(lambda v: v * v + v)
    out["launch"] = on_host(lambda: function(small), lambda: function(small).block_until_ready())
    yield f"jax {jax.__version__}", out


def cupy_peer(n, side):
    import cupy

    def uniform(*shape, dtype=cupy.float32):
        return cupy.random.random(shape, dtype=dtype)

    arrays = inputs(uniform, lambda x: x.astype(cupy.float16), n, side)

    def softmax(s):
        e = cupy.exp(s - s.max(1, keepdims=True))
        return e / e.sum(1, keepdims=True)

    here, there = uniform(n), uniform(n)
    timed = timer(cupy.cuda.Event, cupy.cuda.get_elapsed_time, lambda: cupy.copyto(there, here))
    square = lambda m, kind: uniform(m, m, dtype=getattr(cupy, kind))
    work = workloads(cupy, arrays, softmax, plain_layer_norm(cupy))
    out = measure(timed, work, min(side, 4096), square)
    small = uniform(1024)
    out["launch"] = on_host(lambda: small * small + small, cupy.cuda.get_current_stream().synchronize)
    yield f"cupy {cupy.__version__}", out


def main():
    words = sys.argv[1:]
    file = None
    if "--json" in words:
        at = words.index("--json")
        file = words[at + 1]
        del words[at : at + 2]
    n = int(words[0]) if words else 1 << 26
    peers = {}
    for make in (torch_peers, cupy_peer, jax_peer):
        try:
            peers.update(make(n, math.isqrt(n)))
        except ImportError as error:
            print(f"{make.__name__}: {error}", file=sys.stderr)
        if file:
            with open(file, "w") as to:
                json.dump(peers, to, indent=1)
    rows = list(dict.fromkeys(row for out in peers.values() for row in out))
    print(f"{'GB/s, GFLOP/s or us':<26}" + "".join(f"{name:>22}" for name in peers))
    for row in rows:
        line = f"{row:<26}"
        for out in peers.values():
            cell = out.get(row, {})
            number = cell.get("bandwidth") or cell.get("gflops") or cell.get("seconds", math.nan) * 1e6
            line += f"{number:>22.1f}"
        print(line)


if __name__ == "__main__":
    main()
