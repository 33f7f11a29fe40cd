"""The extensions linalg and fft against NumPy."""

import numpy as np
import pytest
from conftest import needs_extensions

import ivyrs

pytestmark = needs_extensions
rng = np.random.default_rng(2)
DTYPES = ["float32", "float64", "complex64", "complex128"]


def matrices(dtype, *shape):
    x = rng.normal(size=shape)
    return (x + 1j * rng.normal(size=shape) if "complex" in dtype else x).astype(dtype)


def close(actual, expected, tolerance=None):
    actual, expected = np.asarray(actual), np.asarray(expected)
    assert (actual.dtype, actual.shape) == (expected.dtype, expected.shape)
    eps = np.finfo(expected.dtype).eps if expected.dtype.kind in "fc" else 0.0
    np.testing.assert_allclose(actual, expected, rtol=(tolerance or 2000) * eps, atol=(tolerance or 2000) * eps)


@pytest.mark.parametrize("dtype", DTYPES)
def test_decompositions(xp, dtype):
    a = matrices(dtype, 2, 4, 4)
    x = xp.asarray(a)
    h = a @ np.conj(np.swapaxes(a, -1, -2)) + 4 * np.eye(4, dtype=dtype)
    hermitian = xp.asarray(h.astype(dtype))
    real = "float32" if dtype in ("float32", "complex64") else "float64"

    q, r = xp.linalg.qr(x)
    close(np.asarray(q) @ np.asarray(r), a)
    u, s, vh = xp.linalg.svd(x)
    assert s.dtype == getattr(xp, real)
    close((np.asarray(u) * np.asarray(s)[:, None, :]) @ np.asarray(vh), a)
    close(xp.linalg.svdvals(x), np.linalg.svd(a, compute_uv=False))
    assert xp.linalg.svd(xp.asarray(matrices(dtype, 5, 3)), full_matrices=False).U.shape == (5, 3)
    eigen = xp.linalg.eigh(hermitian)
    v = np.asarray(eigen.eigenvectors)
    close(v * np.asarray(eigen.eigenvalues)[:, None, :] @ np.conj(np.swapaxes(v, -1, -2)), h.astype(dtype), 2e4)
    close(xp.linalg.eigvalsh(hermitian), eigen.eigenvalues)
    values, vectors = xp.linalg.eig(x)
    close(a @ np.asarray(vectors), np.asarray(vectors) * np.asarray(values)[:, None, :], 2e4)
    assert values.dtype == xp.linalg.eigvals(x).dtype == getattr(xp, "complex64" if real == "float32" else "complex128")
    lower = np.asarray(xp.linalg.cholesky(hermitian))
    close(lower @ np.conj(np.swapaxes(lower, -1, -2)), h.astype(dtype), 2e4)
    close(xp.linalg.cholesky(hermitian, upper=True), np.conj(np.swapaxes(lower, -1, -2)))
    close(xp.linalg.inv(x), np.linalg.inv(a), 2e4)
    close(xp.linalg.det(x), np.linalg.det(a), 2e4)
    sign, log = xp.linalg.slogdet(x)
    close(np.asarray(sign) * np.exp(np.asarray(log)), np.linalg.det(a), 2e4)
    b = matrices(dtype, 2, 4, 3)
    close(xp.linalg.solve(x, xp.asarray(b)), np.linalg.solve(a, b), 2e4)
    close(xp.linalg.pinv(xp.asarray(a[:, :, :2])), np.linalg.pinv(a[:, :, :2]), 2e4)


@pytest.mark.parametrize("dtype", DTYPES)
def test_the_rest_of_linalg(xp, dtype):
    a, b = matrices(dtype, 3, 3), matrices(dtype, 3)
    x, y = xp.asarray(a), xp.asarray(b)
    assert xp.linalg.matmul is not None and xp.linalg.matmul(x, y).shape == (3,)
    close(xp.linalg.trace(x), np.trace(a))
    close(xp.linalg.diagonal(x, offset=1), np.diagonal(a, 1))
    close(xp.linalg.outer(y, y), np.outer(b, b))
    close(xp.linalg.cross(y, x[0, :]), np.cross(b, a[0]))
    close(xp.linalg.matrix_power(x, 3), np.linalg.matrix_power(a, 3))
    close(xp.linalg.matrix_power(x, -1), np.linalg.inv(a), 2e4)
    assert int(xp.linalg.matrix_rank(x)) == 3
    for order in ("fro", "nuc", 1, -1, 2, -2, float("inf"), -float("inf")):
        close(xp.linalg.matrix_norm(x, ord=order), np.linalg.norm(a, ord=order), 2e4)
    for order in (0, 1, 2, 3.5, -1, float("inf"), -float("inf")):
        close(xp.linalg.vector_norm(y, ord=order), np.linalg.norm(b, ord=order).astype(np.asarray(b).real.dtype))
    close(xp.linalg.vecdot(y, y), np.vecdot(b, b))
    close(xp.linalg.tensordot(x, x, axes=1), a @ a)
    close(xp.linalg.matrix_transpose(x), a.T)


def test_wrong_matrices(xp):
    singular = xp.asarray([[[1.0, 0.0], [0.0, 1.0]], [[1.0, 2.0], [2.0, 4.0]]])
    with pytest.raises(ivyrs.SingularMatrix, match=r"\(1,\)") as caught:
        np.asarray(xp.linalg.inv(singular))
    assert isinstance(caught.value, ValueError) and caught.value.function == "inv"
    with pytest.raises(ivyrs.SingularMatrix):
        np.asarray(xp.linalg.solve(singular[1], xp.asarray([1.0, 2.0])))
    with pytest.raises(ivyrs.NotPositiveDefinite):
        np.asarray(xp.linalg.cholesky(xp.asarray([[1.0, 2.0], [2.0, 1.0]])))
    with pytest.raises(ivyrs.NotConverged):
        np.asarray(xp.linalg.eigvals(xp.asarray([[float("nan"), 1.0], [1.0, 0.0]])))
    for call in (
        lambda: xp.linalg.inv(xp.ones((2, 3))), lambda: xp.linalg.det(xp.ones(3)),
        lambda: xp.linalg.qr(xp.ones((2, 2)), mode="raw"), lambda: xp.linalg.matrix_norm(xp.ones((2, 2)), ord="sum"),
        lambda: xp.linalg.cross(xp.ones(2), xp.ones(3)), lambda: xp.linalg.solve(xp.ones((2, 2)), xp.ones(3)),
        lambda: xp.linalg.svd([["a"]]), lambda: xp.fft.fft(xp.ones(4), norm="half"), lambda: xp.fft.fft(xp.ones(4), n=0),
        lambda: xp.fft.rfft(xp.ones(4, dtype=xp.complex64)), lambda: xp.fft.fft(xp.ones(4), axis=3),
    ):
        with pytest.raises((TypeError, ValueError, IndexError)):
            call()


@pytest.mark.parametrize("dtype", ["complex64", "complex128"])
def test_fft(xp, dtype):
    a = matrices(dtype, 3, 6)
    x = xp.asarray(a)
    for name in ("fft", "ifft"):
        for norm in ("backward", "ortho", "forward"):
            for n in (None, 4, 9):
                expected = getattr(np.fft, name)(a, n=n, axis=0 if n == 4 else -1, norm=norm).astype(dtype)
                close(getattr(xp.fft, name)(x, n=n, axis=0 if n == 4 else -1, norm=norm), expected)
    for name in ("fftn", "ifftn"):
        close(getattr(xp.fft, name)(x), getattr(np.fft, name)(a).astype(dtype))
        close(getattr(xp.fft, name)(x, s=(4,), axes=(0,)), getattr(np.fft, name)(a, s=(4,), axes=(0,)).astype(dtype))
    real = a.real.copy()
    r = xp.asarray(real)
    close(xp.fft.rfft(r), np.fft.rfft(real).astype(dtype))
    close(xp.fft.irfft(x), np.fft.irfft(a).astype(real.dtype))
    close(xp.fft.irfft(x, n=9), np.fft.irfft(a, n=9).astype(real.dtype))
    close(xp.fft.rfftn(r), np.fft.rfftn(real).astype(dtype))
    close(xp.fft.irfftn(x), np.fft.irfftn(a).astype(real.dtype))
    close(xp.fft.hfft(x), np.fft.hfft(a).astype(real.dtype))
    close(xp.fft.ihfft(r), np.fft.ihfft(real).astype(dtype))
    close(xp.fft.fftshift(x), np.fft.fftshift(a))
    close(xp.fft.ifftshift(x, axes=1), np.fft.ifftshift(a, axes=1))
    close(xp.fft.fftfreq(7, d=0.5), np.fft.fftfreq(7, d=0.5).astype(np.float32))
    close(xp.fft.rfftfreq(7, dtype=xp.float64), np.fft.rfftfreq(7))
    assert xp.fft.fftfreq(4, device="cpu").device == "cpu"
