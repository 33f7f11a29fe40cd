"""Linear algebra and transforms."""

import paddle

from . import c8, c16, f4, f8, i4, inf, ramp

A = [[4.0, 1.0], [2.0, 3.0]]
SPD = [[4.0, 1.0, 0.5], [1.0, 3.0, 0.25], [0.5, 0.25, 2.0]]
TALL = [[1.0, 2.0], [3.0, -1.0], [0.5, 4.0]]
Z = [1 + 2j, -0.5j, 3 + 0j, 0.25 - 1j]


def record(r):
    products(r)
    solutions(r)
    decompositions(r)
    norms(r)
    transforms(r)


def products(r):
    x, y = f4(A), f4([[1.0, 0.5], [-1.0, 2.0]])
    r.call("matmul", x, y)
    r.call("matmul", f8(TALL), f8(A))
    r.call("matmul", x, y, True)
    r.call("matmul", x, y, transpose_y=True)
    r.call("matmul", f4([1.0, 2.0]), f4([3.0, 4.0]))
    r.call("matmul", ramp((2, 2, 3)), ramp((2, 3, 1)))
    r.call("matmul", x, f4(TALL))
    r.call("mm", x, y)
    r.call("bmm", ramp((2, 2, 3)), ramp((2, 3, 1)))
    r.call("bmm", x, y)
    r.call("mv", x, f4([1.0, 2.0]))
    r.call("dot", f4([1.0, 2.0]), f4([3.0, 4.0]))
    r.call("dot", f8(A), f8(A))
    r.call("inner", x, y)
    r.call("outer", f4([1.0, 2.0]), f4([3.0, 4.0, 5.0]))
    r.call("kron", f4([[1.0, 2.0]]), f4([[3.0], [4.0]]))
    r.call("addmm", f4([[1.0, 1.0]]), x, y, beta=0.5, alpha=2.0)
    r.call("einsum", "ij,jk->ik", x, y)
    r.call("einsum", "bij,bj->bi", ramp((2, 2, 2)), x)
    r.call("tensordot", x, y, 1)
    r.call("tensordot", x, y, axes=2)
    r.call("cross", f4([1.0, 2.0, 3.0]), f4([0.0, 1.0, -1.0]))
    r.call("cross", ramp((3, 2)), ramp((3, 2), start=0.5))
    r.call("cross", ramp((2, 3)), ramp((2, 3), start=0.5), axis=1)
    r.call("trace", f4(A))
    r.call("trace", ramp((2, 2, 3)), 1, 1, 2)
    r.call("linalg.vecdot", f4([[1.0, 2.0]]), f4([[3.0, 4.0]]))
    r.call("linalg.vecdot", f8(A), f8(A), axis=0)
    r.call("linalg.multi_dot", [x, y, x])
    r.call("linalg.multi_dot", [f8(TALL), f8(A)])
    r.call("linalg.matrix_power", x, 3)
    r.call("linalg.matrix_power", f8(A), -1)
    r.call("linalg.matrix_exp", f8([[0.0, 1.0], [0.0, 0.0]]))
    r.call("linalg.matrix_exp", x)
    r.call("linalg.cov", f8(TALL))
    r.call("linalg.cov", f4(A), rowvar=False, ddof=False)
    r.call("linalg.corrcoef", f8([[1.0, 2.0, 4.0], [2.0, 1.0, 0.5]]))


def solutions(r):
    for name in ("det", "inv", "slogdet"):
        r.call(f"linalg.{name}", f8(SPD))
        r.call(f"linalg.{name}", f4([[[2.0, 0.5], [0.5, 1.0]], [[1.0, 0.0], [0.0, 3.0]]]))
        r.call(f"linalg.{name}", f8(TALL))
    r.call("linalg.solve", f8(A), f8([[1.0], [2.0]]))
    r.call("linalg.solve", f8(A), f8([1.0, 2.0]))
    r.call("linalg.solve", f8(A), f8([[1.0, 2.0]]), left=False)
    r.call("linalg.triangular_solve", f8([[2.0, 1.0], [0.0, 4.0]]), f8([[2.0], [4.0]]))
    r.call("linalg.triangular_solve", f8([[2.0, 0.0], [1.0, 4.0]]), f8([[2.0], [4.0]]), upper=False)
    r.call("linalg.triangular_solve", f8([[2.0, 1.0], [0.0, 4.0]]), f8([[2.0], [4.0]]), transpose=True)
    r.call("linalg.triangular_solve", f8([[2.0, 1.0], [0.0, 4.0]]), f8([[2.0], [4.0]]), unitriangular=True)
    r.call("linalg.cholesky", f8(SPD))
    r.call("linalg.cholesky", f4([[4.0, 2.0], [2.0, 3.0]]), upper=True)
    r.call("linalg.cholesky_solve", f8([[1.0], [2.0]]), f8([[2.0, 0.0], [1.0, 1.0]]))
    r.call("linalg.cholesky_solve", f8([[1.0], [2.0]]), f8([[2.0, 1.0], [0.0, 1.0]]), upper=True)
    r.call("linalg.pinv", f8(TALL))
    r.call("linalg.pinv", f8([[4.0, 0.0], [0.0, 0.5]]), rcond=0.25)
    r.call("linalg.matrix_rank", f8([[1.0, 2.0], [2.0, 4.0]]))
    r.call("linalg.matrix_rank", f4([[4.0, 0.0], [0.0, 0.5]]), tol=1.0)


def decompositions(r):
    for path in ("linalg.qr", "linalg.svd"):
        r.record(path, [f8(TALL)], compare="shape")
        r.record(path, [ramp((2, 2, 3))], compare="shape")
    r.record("linalg.qr", [f8(TALL), "complete"], compare="shape")
    r.record("linalg.qr", [f8(TALL)], {"mode": "r"}, compare="shape")
    r.record("linalg.svd", [f8(TALL)], {"full_matrices": True}, compare="shape")
    r.call("linalg.svdvals", f8(TALL))
    r.call("linalg.svdvals", f4(A))
    r.record("linalg.eigh", [f8(SPD)], compare="shape")
    r.record("linalg.eigh", [f4([[2.0, 1.0], [1.0, 2.0]]), "U"], compare="shape")
    r.record("linalg.eig", [f8(A)], compare="shape")
    r.call("linalg.eigvalsh", f8(SPD))
    r.call("linalg.eigvalsh", f4([[2.0, 9.0], [1.0, 2.0]]), "L")
    r.call("linalg.eigvalsh", f4([[2.0, 1.0], [9.0, 2.0]]), UPLO="U")
    r.call("linalg.eigvals", f8([[2.0, 0.0], [0.0, 5.0]]))


def norms(r):
    x = f8(TALL)
    for keywords in ({}, {"p": 1}, {"p": 2, "axis": 1}, {"p": inf, "axis": 0}, {"p": "fro"}, {"p": "fro", "axis": [0, 1]}):
        r.call("linalg.norm", x, **keywords)
    r.call("linalg.norm", x, 1, [0, 1])
    r.call("linalg.norm", x, "nuc", [0, 1])
    r.call("linalg.norm", f4([3.0, 4.0]), keepdim=True)
    r.call("linalg.vector_norm", x)
    r.call("linalg.vector_norm", x, 1.0, 1, True)
    r.call("linalg.matrix_norm", x)
    r.call("linalg.matrix_norm", x, 1)
    r.call("linalg.matrix_norm", x, p=2, keepdim=True)
    r.call("dist", f4([1.0, 2.0]), f4([4.0, 6.0]))
    r.call("dist", f8([1.0, 2.0]), f8([4.0, 6.0]), 1)
    r.call("dist", f8([1.0, 2.0]), f8([4.0, 6.0]), p=inf)
    r.call("cdist", f8([[0.0, 0.0], [1.0, 1.0]]), f8([[3.0, 4.0]]))
    r.call("cdist", f4([[0.0, 0.0]]), f4([[3.0, 4.0]]), p=1.0)
    r.call("renorm", ramp((2, 2)), 2.0, 0, 0.5)
    r.call("linalg.cond", f8(A))
    r.call("linalg.cond", f8(A), p=1)
    r.call("linalg.cond", f4([A, [[1.0, 0.0], [0.0, 0.5]]]))


def transforms(r):
    for name in ("fft", "ifft"):
        r.call(f"fft.{name}", c16(Z))
        r.call(f"fft.{name}", f4([1.0, 2.0, 0.5]))
        r.call(f"fft.{name}", c8([[1j, 2 + 0j]]), 3, 0, "ortho")
    r.call("fft.rfft", f8([1.0, 2.0, 0.5, -1.0]))
    r.call("fft.rfft", f4([[1.0, 2.0, 3.0]]), n=4, norm="forward")
    r.call("fft.irfft", c16([1 + 0j, 2j, 0.5 + 0j]))
    r.call("fft.irfft", c8([1 + 0j, 2j]), 3)
    r.call("fft.hfft", c16([1 + 0j, 2j, 0.5 + 0j]))
    r.call("fft.ihfft", f8([1.0, 2.0, 0.5]))
    for name in ("fft2", "ifft2", "fftn", "ifftn"):
        r.call(f"fft.{name}", c16([Z, Z[::-1]]))
        r.call(f"fft.{name}", c8([Z, Z[::-1]]), norm="ortho")
    for name in ("rfft2", "rfftn"):
        r.call(f"fft.{name}", ramp((2, 4), "float64"))
    for name in ("irfft2", "irfftn"):
        r.call(f"fft.{name}", c16([[1 + 0j, 2j, 0.5 + 0j], [1j, 1 + 0j, 2 + 0j]]))
    r.call("fft.fftfreq", 5)
    r.call("fft.fftfreq", 4, 0.5)
    r.call("fft.rfftfreq", 5, d=2.0)
    for name in "hfft2 hfftn".split():
        r.call(f"fft.{name}", c16([[1 + 0j, 2j, 0.5 + 0j], [1j, 1 + 0j, 2 + 0j]]))
        r.call(f"fft.{name}", c8([[1 + 0j, 2j], [1j, 2 + 0j]]), norm="ortho")
        r.call(f"fft.{name}", c16([[1 + 0j, 2j, 0.5 + 0j]]), [1, 4], norm="forward")
    for name in "ihfft2 ihfftn".split():
        r.call(f"fft.{name}", ramp((2, 4), "float64"))
        r.call(f"fft.{name}", ramp((2, 3)), norm="forward")
        r.call(f"fft.{name}", ramp((2, 4)), axes=(0, 1))
