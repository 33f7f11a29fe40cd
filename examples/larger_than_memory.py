"""An array larger than memory, computed on in blocks by Cubed with the backends of ivyrs:

    pip install cubed zarr dask distributed
    python examples/larger_than_memory.py --gigabytes 4 --memory 1 --executor processes     # or dask

It writes a Zarr array of that size, and computes element-wise functions, a mean, sums over axes, a product of matrices and the
transposition of it. Two worker processes and the one that leads them stay within the memory given, all together, or the
example fails.
"""

import argparse
import os
import tempfile
import threading
import time
from pathlib import Path

os.environ.setdefault("CUBED_BACKEND_ARRAY_API_MODULE", "ivyrs")

import cubed
import cubed.array_api as xp
import numpy as np
import zarr

WORKERS = 2
CHUNK = 1024


def resident(process):
    """The bytes of memory that a process and those that it started have for themselves; shared pages count in part."""
    total = 0
    try:
        for line in Path(f"/proc/{process}/smaps_rollup").read_text().splitlines():
            if line.startswith("Pss:"):
                total += int(line.split()[1]) * 1024
        for task in Path(f"/proc/{process}/task").iterdir():
            total += sum(resident(int(child)) for child in (task / "children").read_text().split())
    except (FileNotFoundError, ProcessLookupError):
        pass  # It ended meanwhile.
    return total


class Memory(threading.Thread):
    """Looks at the memory of all processes of this program, ten times a second."""

    def __init__(self):
        super().__init__(daemon=True)
        self.most, self._over = 0, threading.Event()

    def run(self):
        while not self._over.wait(0.1):
            self.most = max(self.most, resident(os.getpid()))

    def stop(self):
        self._over.set()
        self.join()
        return self.most


def write(path, side):
    """A square array of float32, one row of chunks after the other: element (i, j) is i % 7 + j % 5."""
    array = zarr.open(str(path), mode="w", shape=(side, side), chunks=(CHUNK, CHUNK), dtype="f4")
    columns = np.arange(side, dtype="float32") % 5
    for start in range(0, side, CHUNK):
        rows = np.arange(start, min(start + CHUNK, side), dtype="float32") % 7
        array[start : start + CHUNK] = rows[:, None] + columns


def check(what, actual, expected):
    np.testing.assert_allclose(np.asarray(actual), expected, rtol=1e-4, err_msg=what)


def work(path, folder, side, spec):
    x = cubed.from_zarr(str(path), spec=spec)
    rows, columns = np.arange(side) % 7, np.arange(side) % 5
    steps = {
        "element-wise": lambda: check(
            "mean of squares", xp.mean(x * x + 1).compute(), np.mean(rows**2) + 2 * rows.mean() * columns.mean() + np.mean(columns**2) + 1
        ),
        "mean": lambda: check("mean", xp.mean(x, axis=0).compute(), rows.mean() + columns),
        "sums": lambda: (
            check("sum over rows", xp.sum(x, axis=1).compute(), rows * float(side) + columns.sum()),
            check("sum over both", xp.sum(x, axis=(0, 1)).compute(), side * float(rows.sum() + columns.sum())),
        ),
        "matmul": lambda: check(
            "product",
            xp.matmul(x, xp.ones((side, 4), dtype=xp.float32, chunks=(CHUNK, 4), spec=spec)).compute()[:, 0],
            rows * float(side) + columns.sum(),
        ),
        "transposition": lambda: cubed.to_zarr(xp.permute_dims(x, (1, 0)), str(folder / "transposed.zarr")),
    }
    for name, step in steps.items():
        start = time.perf_counter()
        step()
        print(f"{name}: {time.perf_counter() - start:.1f} s", flush=True)
    turned = zarr.open(str(folder / "transposed.zarr"), mode="r")
    last = slice(max(side - 3, 0), side)
    check("transposition", turned[last, :], columns[last, None] + rows)


def dask_executor(address):
    """Cubed's executor on a Dask cluster.

    Cubed asks the cluster how much memory its workers have, which Dask's newer versions do not say to a client that is
    asynchronous; so it is not asked here.
    """
    from cubed.runtime.executors.dask import DaskExecutor

    class Executor(DaskExecutor):
        def execute_dag(self, dag, callbacks=None, spec=None, **options):
            return super().execute_dag(dag, callbacks=callbacks, spec=None, **options)

    return Executor(compute_kwargs={"address": address})


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition(":")[0])
    parser.add_argument("--gigabytes", type=float, default=4.0, help="the size of the array")
    parser.add_argument("--memory", type=float, default=1.0, help="the gigabytes that all processes may take together")
    parser.add_argument("--executor", choices=["processes", "dask"], default="processes")
    parser.add_argument("--folder", help="where the arrays are written; else a temporary folder")
    options = parser.parse_args()
    side = max(int((options.gigabytes * 2**30 / 4) ** 0.5), 1)
    memory = Memory()
    memory.start()
    with tempfile.TemporaryDirectory(dir=options.folder) as folder:
        folder = Path(folder)
        write(folder / "x.zarr", side)
        settings = {"work_dir": str(folder), "allowed_mem": int(options.memory * 2**30 / (WORKERS + 2))}
        if options.executor == "dask":
            from distributed import LocalCluster

            with LocalCluster(n_workers=WORKERS, threads_per_worker=1, dashboard_address=None) as cluster:
                executor = dask_executor(cluster.scheduler_address)
                work(folder / "x.zarr", folder, side, cubed.Spec(**settings, executor=executor))
        else:
            to = {"max_workers": WORKERS}
            work(folder / "x.zarr", folder, side, cubed.Spec(**settings, executor_name="processes", executor_options=to))
    most = memory.stop()
    print(f"{side} x {side} float32, {side * side * 4 / 2**30:.2f} GiB; at most {most / 2**30:.2f} GiB of memory at once")
    if most > options.memory * 2**30:
        raise SystemExit("more than the memory given")


if __name__ == "__main__":
    main()
