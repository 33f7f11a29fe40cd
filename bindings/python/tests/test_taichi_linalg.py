"""Taichi's linear algebra of small matrices, random numbers and algorithms from Python, and its vectors in Python's scope."""

import numpy as np
import pytest

import ivyrs.taichi as ti


@pytest.fixture(params=["llvm", "interp"], autouse=True)
def program(request):
    ti.init(arch=request.param, debug=True)
    yield request.param
    ti.reset()


@pytest.mark.parametrize("rows", [2, 3])
@pytest.mark.parametrize("dtype", [ti.f32, ti.f64])
def test_decompositions(rows, dtype):
    count = 64
    a = ti.Matrix.field(rows, rows, dtype, shape=count)
    out = [ti.Matrix.field(rows, rows, dtype, shape=count) for _ in range(6)]
    values = ti.Vector.field(rows, dtype, shape=count)
    rng = np.random.default_rng(5)
    given = rng.normal(size=(count, rows, rows))
    # Singular, diagonal and zero matrices among them, and repeated values.
    given[0], given[1], given[2, 0] = 0, np.eye(rows), 0
    given[3] = np.diag(np.arange(rows)[::-1] * 1e-3)
    given[4] = np.outer(np.arange(rows) + 1, np.arange(rows) - 0.5)
    a.from_numpy(given)
    given = a.to_numpy().astype(np.float64)

    @ti.kernel
    def run():
        for i in a:
            out[0][i], out[1][i], out[2][i] = ti.svd(a[i], dtype)
            out[3][i], out[4][i] = ti.polar_decompose(a[i], dtype)
            values[i], out[5][i] = ti.sym_eig(a[i] + a[i].transpose(), dtype)

    run()
    u, s, v, q, p, e = (part.to_numpy().astype(np.float64) for part in out)
    tolerance = {"rtol": 0, "atol": 3e-6 if dtype is ti.f32 else 1e-13}
    transposed = lambda m: m.swapaxes(1, 2)  # noqa: E731
    identity = np.broadcast_to(np.eye(rows), given.shape)
    assert np.allclose(u @ s @ transposed(v), given, **tolerance)
    assert np.allclose(u @ transposed(u), identity, **tolerance) and np.allclose(v @ transposed(v), identity, **tolerance)
    assert np.allclose(np.linalg.det(u), 1, **tolerance) and np.allclose(np.linalg.det(v), 1, **tolerance)
    singular = np.linalg.svd(given, compute_uv=False)
    assert np.allclose(np.abs(np.diagonal(s, axis1=1, axis2=2)), singular, **tolerance)
    assert np.allclose(q @ p, given, **tolerance) and np.allclose(q @ transposed(q), identity, **tolerance)
    assert np.allclose(p, transposed(p), **tolerance)
    symmetric = given + transposed(given)
    order = slice(None, None, -1) if rows == 2 else slice(None)
    assert np.allclose(values.to_numpy(), np.linalg.eigvalsh(symmetric)[:, order], rtol=0, atol=2 * tolerance["atol"])
    assert np.allclose(symmetric @ e, e * values.to_numpy()[:, None, :], rtol=0, atol=2 * tolerance["atol"])
    assert np.allclose(np.linalg.det(e), 1, **tolerance)


@pytest.mark.parametrize("rows", [2, 3, 4])
def test_systems_of_equations(rows):
    count = 16
    rng = np.random.default_rng(7)
    given, right = rng.normal(size=(count, rows, rows)), rng.normal(size=(count, rows))
    # A pivot that has to be exchanged.
    given[0, 0, 0] = 0
    a, b, x = ti.Matrix.field(rows, rows, ti.f64, count), ti.Vector.field(rows, ti.f64, count), ti.Vector.field(rows, ti.f64, count)
    a.from_numpy(given)
    b.from_numpy(right)

    @ti.kernel
    def run():
        for i in a:
            x[i] = ti.solve(a[i], b[i], ti.f64)

    run()
    assert np.allclose(x.to_numpy(), np.linalg.solve(given, right[..., None])[..., 0], rtol=1e-9, atol=1e-12)


def test_normal_numbers():
    x = ti.field(ti.f64, shape=40000)

    @ti.kernel
    def draw():
        for i in x:
            x[i] = ti.randn(ti.f64)

    draw()
    values = x.to_numpy()
    assert abs(values.mean()) < 0.02 and abs(values.std() - 1) < 0.02 and abs((values**3).mean()) < 0.06
    assert np.isfinite(values).all()


def test_sorting_and_prefix_sums():
    keys, values = ti.field(ti.f32, shape=1000, offset=-3), ti.field(ti.i32, shape=1000, offset=7)
    numbers = np.random.default_rng(1).integers(0, 50, 1000).astype(np.float32)
    keys.from_numpy(numbers)
    values.from_numpy(np.arange(1000, dtype=np.int32))
    ti.algorithms.parallel_sort(keys, values)
    assert np.array_equal(keys.to_numpy(), np.sort(numbers))
    assert np.array_equal(values.to_numpy(), np.argsort(numbers, kind="stable"))
    ti.algorithms.PrefixSumExecutor(1000).run(values)
    assert np.array_equal(values.to_numpy(), np.cumsum(np.argsort(numbers, kind="stable")).astype(np.int32))
    with pytest.raises(ti.TaichiTypeError, match="1000 numbers"):
        ti.algorithms.PrefixSumExecutor(1000).run(ti.field(ti.i32, shape=4))


def test_vectors_of_pythons_scope():
    a, b = ti.Vector([1, 2, 3]), ti.Vector([4.0, 5, 6])
    assert (str(a), str(a + b), str(a > 1), str(ti.Matrix([[1, 2], [3, 4]]))) == ("[1 2 3]", "[5. 7. 9.]", "[False  True  True]", "[[1 2]\n [3 4]]")
    assert (b.entries, a @ b, abs(-a).to_list(), (~a).to_list()) == ([4.0, 5.0, 6.0], 32.0, [1, 2, 3], [-2, -3, -4])
    assert (a + np.array([1, 1, 2])).to_list() == (np.array([1, 1, 2]) + a).to_list() == [2, 3, 5]
    assert ti.Vector([1, 2], dt=ti.f32).to_numpy().dtype == np.float32
    for wrong, error in [
        (lambda: ti.Vector("ab"), TypeError),
        (lambda: ti.Vector.unit(3, 7), IndexError),
        (lambda: ti.Matrix.identity(ti.f32, -1), ValueError),
        (lambda: ti.Vector.field(-1, ti.i32, shape=3), ti.TaichiTypeError),
        (lambda: ti.Vector([1, 2]) + ti.Vector([1, 2, 3]), TypeError),
    ]:
        with pytest.raises(error):
            wrong()
