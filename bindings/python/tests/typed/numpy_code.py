"""Typical NumPy code over the frontend: a type checker must accept it and find these types, and it runs."""

from typing import Any, assert_type

import ivyrs
import ivyrs.frontends.numpy as np


def statistics(samples: np.ndarray) -> np.ndarray:
    centred = samples - samples.mean(axis=0, keepdims=True)
    return np.einsum("ij,ik->jk", centred, centred) / (len(samples) - 1)


def smallest(x: np.ndarray, k: int = 3) -> tuple[np.ndarray, np.ndarray]:
    places = np.argsort(x, axis=-1, kind="stable")[..., :k]
    return np.take_along_axis(x, places, axis=-1), places


a = np.arange(6, dtype=np.float32).reshape(2, 3)
assert_type(a, np.ndarray)
assert_type(a.shape, tuple[int, ...])
assert_type(a.ndim, int)
assert_type(a.dtype, np.dtype)
assert_type(a.dtype.name, str)
assert_type(a.T, np.ndarray)
assert_type(a[0, ...], np.ndarray)
assert_type(a + 1, np.ndarray)
assert_type(2 / a, np.ndarray)
assert_type(a == a, np.ndarray)
assert_type(-a @ a.T, np.ndarray)
assert_type(float(a.sum()), float)
assert_type(a.ivy_array, ivyrs.Array)
assert_type(a.base, np.ndarray | None)
assert_type(a.flags.writeable, bool)
a[0] = [1, 2, 3]
a += 1
a.sort()
a.flat = 0
a.shape = (3, 2)

assert_type(np.add(a, 1), np.ndarray)
assert_type(np.add.reduce(a, axis=0, keepdims=True), np.ndarray)
assert_type(np.multiply.outer(a, a), np.ndarray)
assert_type(np.divmod(a, 2), tuple[np.ndarray, np.ndarray])
np.sin(a, out=a)
np.add.at(a, [0, 0], 1)
np.put(a, [0], [1.0])
assert_type(np.unique(a), np.ndarray)
assert_type(np.unique(a, return_counts=True), tuple[np.ndarray, ...])
assert_type(np.average(a, axis=0, weights=[1, 2, 3]), np.ndarray)
assert_type(np.average(a, returned=True), tuple[np.ndarray, np.ndarray])
assert_type(np.linspace(0, 1, 5), np.ndarray)
assert_type(np.linspace(0, 1, retstep=True), tuple[np.ndarray, np.ndarray])
assert_type(np.histogram(a, bins=4, range=(0, 1)), tuple[np.ndarray, ...])
assert_type(np.allclose(a, a), bool)
assert_type(np.result_type(np.int8, 3.0, a), np.dtype)
assert_type(np.can_cast(np.int8, "int16"), bool)
assert_type(np.issubdtype(a.dtype, np.floating), bool)
assert_type(np.concatenate([a, a], axis=0), np.ndarray)
assert_type(np.split(a, 2, axis=1), list[np.ndarray])
assert_type(np.meshgrid([1, 2], [3, 4], indexing="ij"), tuple[np.ndarray, ...])
assert_type(np.mgrid[0:3, 0:4], np.ndarray)
assert_type(np.ogrid[0:3, 0:4], tuple[np.ndarray, ...])
assert_type(np.r_[1:4, 0], np.ndarray)
assert_type(np.apply_along_axis(np.sum, 0, a), np.ndarray)
assert_type(np.nonzero(a), tuple[np.ndarray, ...])
assert_type(np.broadcast_shapes((2, 1), (3,)), tuple[int, ...])
assert_type(np.polyfit([0, 1, 2], [1, 2, 3], 1), np.ndarray)

assert_type(np.linalg.svd(a).S, np.ndarray)
assert_type(np.linalg.svd(a, compute_uv=False), np.ndarray)
assert_type(np.linalg.eigh(a.T @ a).eigenvalues, np.ndarray)
assert_type(np.linalg.norm(a, ord="fro", axis=(0, 1)), np.ndarray)
assert_type(np.fft.rfft(a, n=8, axis=-1), np.ndarray)

rng = np.random.default_rng(3)
assert_type(rng.normal(0, [1, 2], size=(4, 2)), np.ndarray)
assert_type(rng.permutation(10), np.ndarray)
assert_type(rng.spawn(2), list[np.random.Generator])
rng.shuffle(a)

assert_type(np.finfo(np.float32).bits, int)
assert_type(np.iinfo(np.int8).max, int)
assert_type(np.array2string(a, precision=3), str)
with np.errstate(divide="ignore"), np.printoptions(precision=3, suppress=True):
    assert_type(str(a), str)
with np.set_version("1.26"):
    assert_type(np.ivy_version(), str)
for position, element in np.ndenumerate(a):
    assert_type(position, tuple[int, ...])
    assert_type(element, np.ndarray)


@np.vectorize
def step(x: float) -> float:
    return 1.0 if x > 0 else 0.0


line = np.poly1d([1, -3, 2])
assert_type(line(2), np.ndarray)
assert_type(line * line, np.poly1d)
assert_type(line.deriv().r, np.ndarray)
assert_type(a.tobytes("F"), bytes)
assert_type(np.frombuffer(a.tobytes(), dtype=np.float64), np.ndarray)
assert_type(np.loadtxt(["1 2", "3 4"], usecols=0), np.ndarray)
assert_type(np.lib.stride_tricks.sliding_window_view(a, 2, axis=0), np.ndarray)
assert_type(np.add.nin, int)
result: Any = step(a)
try:
    np.linalg.inv(np.zeros((2, 2)))
except np.linalg.LinAlgError as error:
    assert_type(error.kind, str)


def refused() -> None:
    """Each comment is needed, which the checker looks at."""
    np.zeros("3", dtype=3)  # type: ignore[arg-type]
    np.sum(a, axes=0)  # type: ignore[call-arg]
    np.linalg.norm(a, ord=[1])  # type: ignore[arg-type]
    a.reshape(2.5)  # type: ignore[arg-type]
