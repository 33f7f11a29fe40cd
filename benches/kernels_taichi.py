"""Taichi's histogram, for `benches/src/bin/kernels.rs`: `kernels_taichi.py ELEMENTS THREADS`.

Runs once for each line that it reads, and answers with the seconds that it took.
"""

import sys
import time

import numpy as np
import taichi as ti

n, threads = int(sys.argv[1]), int(sys.argv[2])
ti.init(arch=ti.cpu, cpu_max_num_threads=threads, log_level=ti.ERROR)
x, counts = ti.field(ti.i32, n), ti.field(ti.i32, 256)
x.from_numpy((np.arange(n, dtype=np.int64) * 2654435761 % 4294967296 // 16777216).astype(np.int32))


@ti.kernel
def histogram():
    for i in x:
        counts[x[i]] += 1


for line in sys.stdin:
    start = time.perf_counter()
    histogram()
    ti.sync()
    print(time.perf_counter() - start, flush=True)
