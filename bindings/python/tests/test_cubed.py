"""Cubed computes on Zarr arrays, in blocks and in other processes, with ivyrs as its arrays."""

import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("cubed", reason="Cubed is not installed")

PROGRAM = """
import sys
import cubed, cubed.array_api as xp, cubed.backend_array_api
import numpy as np, zarr
import ivyrs

def is_ours(block):
    assert isinstance(block, ivyrs.Array), type(block)
    return block * 2

def main(executor, folder):
    assert cubed.backend_array_api.namespace is ivyrs
    a = (np.arange(60 * 50, dtype="float32").reshape(60, 50) * 7) % 17 - 8
    zarr.open(folder + "/a.zarr", mode="w", shape=a.shape, chunks=(25, 20), dtype="f4")[:] = a

    def check(got, expected):
        got = np.asarray(got)
        assert got.dtype == expected.dtype and got.shape == expected.shape, (got.dtype, got.shape)
        np.testing.assert_allclose(got, expected, rtol=1e-5, atol=1e-5)

    def work(**options):
        spec = cubed.Spec(work_dir=folder, allowed_mem="200MB", **options)
        x = cubed.from_zarr(folder + "/a.zarr", spec=spec)
        total = np.sum(a, axis=1, keepdims=True)
        results = cubed.compute(
            xp.sin(x) * 2 + x, xp.mean(x, axis=0), xp.sum(x, axis=(0, 1)), xp.sum(x, axis=1, keepdims=True),
            xp.matmul(x, xp.permute_dims(x, (1, 0))), xp.max(x, axis=0), cubed.map_blocks(is_ours, x, dtype=x.dtype),
        )
        for got, expected in zip(results, [np.sin(a) * 2 + a, a.mean(0), a.sum(), total, a @ a.T, a.max(0), a * 2], strict=True):
            check(got, np.asarray(expected))
        cubed.to_zarr(xp.permute_dims(x, (1, 0)), folder + "/turned.zarr")
        check(zarr.open(folder + "/turned.zarr", mode="r")[:], a.T)

    if executor == "processes":
        work(executor_name="processes", executor_options={"max_workers": 2})
    else:
        sys.path.insert(0, sys.argv[3])
        from distributed import LocalCluster
        from larger_than_memory import dask_executor

        with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster:
            work(executor=dask_executor(cluster.scheduler_address))
    print("all is right")

if __name__ == "__main__":
    main(*sys.argv[1:3])
"""


@pytest.mark.parametrize("executor", ["processes", "dask"])
def test_cubed(executor, tmp_path, monkeypatch):
    if executor == "dask":
        pytest.importorskip("distributed", reason="Dask's cluster is not installed")
    monkeypatch.setenv("CUBED_BACKEND_ARRAY_API_MODULE", "ivyrs")
    program = tmp_path / "program.py"
    program.write_text(PROGRAM)
    examples = Path(__file__).parents[3] / "examples"
    done = subprocess.run(
        [sys.executable, program, executor, tmp_path, examples], capture_output=True, text=True, timeout=240
    )
    assert done.returncode == 0 and "all is right" in done.stdout, done.stdout[-2000:] + done.stderr[-4000:]
