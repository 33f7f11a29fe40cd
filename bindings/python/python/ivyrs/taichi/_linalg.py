"""Linear algebra of small matrices in kernels: decompositions, eigenvalues and systems of equations.

Matrices are computed with in the default floating-point type, or in ``dt``. Iterations are ``while`` loops: a ``for`` that stands
outermost in a kernel would be parallel.
"""

from __future__ import annotations

import math

from ._kernel import func
from ._matrix import Matrix, Vector
from ._ops import abs, cast, cos, log, max, random, select, sqrt, static, static_assert  # noqa: A004
from ._types import f64, number_type

#: Sweeps of Jacobi's rotations, each of which squares what is off the diagonal: more than single and double precision need.
_SWEEPS = 12


def _epsilon(dt: object) -> float:
    """The distance of 1 from the next number of a type, as the tolerance of iterations."""
    return 2.0**-52 if number_type(dt) == f64 else 2.0**-23


def _smallest(dt: object) -> float:
    """The least number of a type whose reciprocal is one."""
    return 2.0**-1021 if number_type(dt) == f64 else 2.0**-125


@func
def randn(dt=None):  # type: ignore[no-untyped-def]
    """A normally distributed number of mean 0 and variance 1, by the method of Box and Muller."""
    ty = static(float if dt is None else dt)
    radius = sqrt(-2.0 * log(1.0 - random(ty)))
    return cast(radius * cos(2.0 * math.pi * random(ty)), ty)


@func
def solve(A, b, dt=None):  # type: ignore[no-untyped-def]  # noqa: N803
    """The solution ``x`` of ``A @ x = b`` for a square matrix, by elimination with the greatest pivot of each column."""
    static_assert(A.n == A.m, "solve: the matrix is square")
    static_assert(A.m == b.n, "solve: the vector has as many numbers as the matrix has rows")
    ty = static(float if dt is None else dt)
    left, x = cast(A, ty), cast(b, ty)
    n = static(A.n)
    for column in static(range(n)):
        for row in static(range(column + 1, n)):
            if abs(left[row, column]) > abs(left[column, column]):
                for k in static(range(n)):
                    left[column, k], left[row, k] = left[row, k], left[column, k]
                x[column], x[row] = x[row], x[column]
        for row in static(range(column + 1, n)):
            factor = left[row, column] / left[column, column]
            for k in static(range(column, n)):
                left[row, k] -= factor * left[column, k]
            x[row] -= factor * x[column]
    for column in static(reversed(range(n))):
        for k in static(range(column + 1, n)):
            x[column] -= left[column, k] * x[k]
        x[column] /= left[column, column]
    return x


@func
def polar_decompose(A, dt=None):  # type: ignore[no-untyped-def]  # noqa: N803
    """``(U, P)`` with ``A = U @ P``: an orthogonal matrix and a symmetric one, of a matrix of 2 or 3 rows.

    Of two rows ``P`` is positive semidefinite; of three rows ``U`` is a rotation, and ``P`` has the signs of the singular values
    that :func:`svd` gives.
    """
    static_assert(A.n == A.m and A.n in (2, 3), "Polar decomposition only supports 2D and 3D matrices.")
    ty = static(float if dt is None else dt)
    M = cast(A, ty)  # noqa: N806
    U = cast(Matrix.identity(int, A.n), ty)  # noqa: N806
    P = cast(Matrix.identity(int, A.n), ty)  # noqa: N806
    if static(A.n == 2):
        # With the sign of the determinant, the matrix and its cofactors sum to a multiple of the orthogonal part.
        sign = select(M[0, 0] * M[1, 1] - M[0, 1] * M[1, 0] < 0, cast(-1.0, ty), cast(1.0, ty))
        S = M + sign * Matrix([[M[1, 1], -M[1, 0]], [-M[0, 1], M[0, 0]]])  # noqa: N806
        length = sqrt(0.5 * S.norm_sqr())
        if length > 0:
            U = S / length  # noqa: N806
        P = U.transpose() @ M  # noqa: N806
    else:
        left, singular, right = svd(M, ty)
        U = left @ right.transpose()  # noqa: N806
        P = right @ singular @ right.transpose()  # noqa: N806
    return U, P


@func
def svd(A, dt=None):  # type: ignore[no-untyped-def]  # noqa: N803
    """``(U, S, V)`` with ``A = U @ S @ V.transpose()``: rotations, and a diagonal of singular values that fall, of 2 or 3 rows.

    By one-sided Jacobi rotations of the columns, then a decomposition by Givens rotations, which keeps ``U`` a rotation where the
    matrix is singular. The last singular value has the sign of the determinant.
    """
    static_assert(A.n == A.m and A.n in (2, 3), "SVD only supports 2D and 3D matrices.")
    ty = static(float if dt is None else dt)
    n = static(A.n)
    B = cast(A, ty)  # noqa: N806
    U = cast(Matrix.identity(int, n), ty)  # noqa: N806
    V = cast(Matrix.identity(int, n), ty)  # noqa: N806
    sweep, turned = 0, 1
    while sweep < _SWEEPS and turned != 0:
        turned = 0
        for p, q in static(_PAIRS[n]):
            a, b, c = B[:, p].norm_sqr(), B[:, q].norm_sqr(), B[:, p].dot(B[:, q])
            if abs(c) > static(_epsilon(ty)) * sqrt(a) * sqrt(b) and abs(c) > static(_smallest(ty)):
                turned = 1
                slope = (b - a) / (2.0 * c)
                tangent = select(slope < 0, cast(-1.0, ty), cast(1.0, ty)) / (abs(slope) + sqrt(1.0 + slope * slope))
                cosine = 1.0 / sqrt(1.0 + tangent * tangent)
                sine = tangent * cosine
                for M in static((B, V)):  # noqa: N806
                    first, second = M[:, p], M[:, q]
                    M[:, p] = cosine * first - sine * second
                    M[:, q] = sine * first + cosine * second
        sweep += 1
    for p, q in static(_PAIRS[n] + _PAIRS[n][:1]):
        if B[:, p].norm_sqr() < B[:, q].norm_sqr():
            # One of both changes its sign, which keeps V a rotation.
            for M in static((B, V)):  # noqa: N806
                first, second = M[:, p], M[:, q]
                M[:, p] = second
                M[:, q] = -first
    for p, q in static(_PAIRS[n]):
        length = sqrt(B[p, p] * B[p, p] + B[q, p] * B[q, p])
        if length > 0:
            cosine, sine = B[p, p] / length, B[q, p] / length
            upper, lower = B[p, :], B[q, :]
            B[p, :] = cosine * upper + sine * lower
            B[q, :] = cosine * lower - sine * upper
            first, second = U[:, p], U[:, q]
            U[:, p] = cosine * first + sine * second
            U[:, q] = cosine * second - sine * first
    S = cast(Matrix.zero(int, n, n), ty)  # noqa: N806
    for i in static(range(n)):
        S[i, i] = B[i, i]
    return U, S, V


@func
def sym_eig(A, dt=None):  # type: ignore[no-untyped-def]  # noqa: N803
    """Eigenvalues and eigenvectors (the columns of a rotation) of a symmetric matrix, by Jacobi's rotations.

    Those of two rows fall, those of three rows rise, as Taichi has them.
    """
    static_assert(A.n == A.m and A.n in (2, 3), "Symmetric eigen solver only supports 2D and 3D matrices.")
    ty = static(float if dt is None else dt)
    n = static(A.n)
    B = cast(A, ty)  # noqa: N806
    V = cast(Matrix.identity(int, n), ty)  # noqa: N806
    sweep, turned = 0, 1
    while sweep < _SWEEPS and turned != 0:
        turned = 0
        for p, q in static(_PAIRS[n]):
            c = B[p, q]
            if abs(c) > static(_epsilon(ty)) * max(abs(B[p, p]), abs(B[q, q])) * 0.125 and abs(c) > static(_smallest(ty)):
                turned = 1
                slope = (B[q, q] - B[p, p]) / (2.0 * c)
                tangent = select(slope < 0, cast(-1.0, ty), cast(1.0, ty)) / (abs(slope) + sqrt(1.0 + slope * slope))
                cosine = 1.0 / sqrt(1.0 + tangent * tangent)
                sine = tangent * cosine
                for M in static((B, V)):  # noqa: N806
                    first, second = M[:, p], M[:, q]
                    M[:, p] = cosine * first - sine * second
                    M[:, q] = sine * first + cosine * second
                upper, lower = B[p, :], B[q, :]
                B[p, :] = cosine * upper - sine * lower
                B[q, :] = sine * upper + cosine * lower
                B[p, q] = 0
                B[q, p] = 0
        sweep += 1
    values = Vector([B[i, i] for i in range(n)])
    for p, q in static(_PAIRS[n] + _PAIRS[n][:1]):
        if (values[p] < values[q]) if static(n == 2) else (values[p] > values[q]):
            values[p], values[q] = values[q], values[p]
            first, second = V[:, p], V[:, q]
            V[:, p] = second
            V[:, q] = -first
    return values, V


@func
def eig(A, dt=None):  # type: ignore[no-untyped-def]  # noqa: N803
    """Eigenvalues and eigenvectors of a matrix of two rows, which may be complex.

    Row ``i`` of the eigenvalues is the real and the imaginary part of one; column ``i`` of the matrix of four rows and two columns is
    its normalized eigenvector, alternating real and imaginary parts.
    """
    static_assert(A.n == 2 and A.m == 2, "Eigen solver only supports 2D matrices.")
    ty = static(float if dt is None else dt)
    M = cast(A, ty)  # noqa: N806
    half = 0.5 * (M[0, 0] + M[1, 1])
    # The discriminant of the halves, without the difference of two large products.
    gap = 0.5 * (M[0, 0] - M[1, 1])
    discriminant = gap * gap + M[0, 1] * M[1, 0]
    root = sqrt(abs(discriminant))
    real = select(discriminant > 0, root, 0 * root)
    imaginary = root - real
    values = Matrix([[half + real, imaginary], [half - real, -imaginary]])
    vectors = cast(Matrix.zero(int, 4, 2), ty)
    for i in static(range(2)):
        if M[1, 0] != 0:
            vectors[0, i] = values[i, 0] - M[1, 1]
            vectors[1, i] = values[i, 1]
            vectors[2, i] = M[1, 0]
        elif M[0, 1] != 0:
            vectors[0, i] = M[0, 1]
            vectors[2, i] = values[i, 0] - M[0, 0]
            vectors[3, i] = values[i, 1]
        elif (M[0, 0] < M[1, 1]) == (i == 0):
            vectors[2, i] = 1
        else:
            vectors[0, i] = 1
        vectors[:, i] = vectors[:, i] / vectors[:, i].norm()
    return values, vectors


#: By number of rows, the pairs of rows or columns that a sweep rotates.
_PAIRS = {2: [(0, 1)], 3: [(0, 1), (0, 2), (1, 2)]}
