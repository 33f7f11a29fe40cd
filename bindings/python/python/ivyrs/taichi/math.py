"""``ti.math``: the vectors and functions of shading languages, and complex numbers as vectors of two numbers."""

from __future__ import annotations

import math as _math

from ._kernel import func
from ._matrix import Matrix as _Matrix
from ._ops import (
    abs,  # noqa: A004
    acos,
    asin,
    atan2,
    ceil,
    clz,
    cos,
    exp,
    floor,
    log,
    max,  # noqa: A004
    min,  # noqa: A004
    popcnt,
    pow,  # noqa: A004
    round,  # noqa: A004
    rsqrt,
    sin,
    sqrt,
    tan,
    tanh,
)
from ._ops import cast as _cast
from ._ops import zero as _zero
from ._types import CompoundType, default_unsigned

pi = _math.pi
e = _math.e
inf = _math.inf
nan = _math.nan

vec2, vec3, vec4 = (CompoundType(n, None, float) for n in (2, 3, 4))
ivec2, ivec3, ivec4 = (CompoundType(n, None, int) for n in (2, 3, 4))
uvec2, uvec3, uvec4 = (CompoundType(n, None, default_unsigned) for n in (2, 3, 4))
mat2, mat3, mat4 = (CompoundType(n, n, float) for n in (2, 3, 4))

__all__ = [
    "abs", "acos", "asin", "atan2", "cconj", "cdiv", "ceil", "cexp", "cinv", "clamp", "clog", "clz", "cmul", "cos", "cpow", "cross",
    "csqrt", "degrees", "determinant", "distance", "dot", "e", "exp", "eye", "floor", "fract", "inf", "inverse", "isinf", "isnan",
    "ivec2", "ivec3", "ivec4", "length", "log", "log2", "mat2", "mat3", "mat4", "max", "min", "mix", "mod", "nan", "normalize", "pi",
    "popcnt", "pow", "radians", "reflect", "refract", "rot_by_axis", "rot_yaw_pitch_roll", "rotation2d", "rotation3d", "round", "rsqrt",
    "scale", "sign", "sin", "smoothstep", "sqrt", "step", "tan", "tanh", "translate", "uvec2", "uvec3", "uvec4", "vdir", "vec2", "vec3",
    "vec4",
]  # fmt: skip


@func
def clamp(x, xmin, xmax):  # type: ignore[no-untyped-def]
    """``x`` within two bounds, element by element."""
    return max(xmin, min(x, xmax))


@func
def mix(x, y, a):  # type: ignore[no-untyped-def]
    """Linear interpolation: ``x * (1 - a) + y * a``."""
    return x * (1.0 - a) + y * a


@func
def fract(x):  # type: ignore[no-untyped-def]
    """The fraction: ``x - floor(x)``."""
    return x - floor(x)


@func
def step(edge, x):  # type: ignore[no-untyped-def]
    """0 below an edge, else 1."""
    return _cast(x >= edge, float)


@func
def smoothstep(edge0, edge1, x):  # type: ignore[no-untyped-def]
    """Hermite interpolation between 0 and 1 between two edges."""
    t = clamp((x - edge0) / (edge1 - edge0), 0.0, 1.0)
    return t * t * (3.0 - 2.0 * t)


@func
def sign(x):  # type: ignore[no-untyped-def]
    """The sign: -1, 0 or 1, as a real number."""
    return _cast((x >= 0) * 1 - (x <= 0) * 1, float)


@func
def mod(x, y):  # type: ignore[no-untyped-def]
    """The remainder with the sign of the divisor: ``x - y * floor(x / y)``."""
    return x - y * floor(x / y)


@func
def radians(x):  # type: ignore[no-untyped-def]
    """Degrees as radians."""
    return x * (pi / 180.0)


@func
def degrees(x):  # type: ignore[no-untyped-def]
    """Radians as degrees."""
    return x * (180.0 / pi)


@func
def log2(x):  # type: ignore[no-untyped-def]
    """The logarithm to base 2."""
    return log(x) / 0.6931471805599453


@func
def isnan(x):  # type: ignore[no-untyped-def]
    """Whether numbers are NaN, element by element: 1 or 0."""
    return _cast(x != x, int)


@func
def isinf(x):  # type: ignore[no-untyped-def]
    """Whether numbers are infinite, element by element: 1 or 0."""
    return _cast(abs(x) == inf, int)


@func
def dot(x, y):  # type: ignore[no-untyped-def]
    """The scalar product."""
    return x.dot(y)


@func
def cross(x, y):  # type: ignore[no-untyped-def]
    """The vector product."""
    return x.cross(y)


@func
def length(x):  # type: ignore[no-untyped-def]
    """The Euclidean norm."""
    return x.norm()


@func
def distance(x, y):  # type: ignore[no-untyped-def]
    """The norm of the difference."""
    return (x - y).norm()


@func
def normalize(x):  # type: ignore[no-untyped-def]
    """The vector of norm 1 in the same direction."""
    return x.normalized()


@func
def reflect(x, n):  # type: ignore[no-untyped-def]
    """The direction ``x`` mirrored at a surface with the normal ``n``."""
    return x - 2.0 * x.dot(n) * n


@func
def refract(x, n, eta):  # type: ignore[no-untyped-def]
    """The direction ``x`` refracted at a surface with the normal ``n`` by a ratio of indices; zero at total reflection."""
    along = x.dot(n)
    k = 1.0 - eta * eta * (1.0 - along * along)
    result = _zero(x)
    if k >= 0.0:
        result = eta * x - (eta * along + sqrt(k)) * n
    return result


@func
def determinant(m):  # type: ignore[no-untyped-def]
    """The determinant of a square matrix."""
    return m.determinant()


@func
def inverse(mat):  # type: ignore[no-untyped-def]
    """The inverse of a square matrix."""
    return mat.inverse()


@func
def eye(n):  # type: ignore[no-untyped-def]
    """The identity matrix of ``n`` rows."""
    return _Matrix.identity(float, n)


@func
def vdir(ang):  # type: ignore[no-untyped-def]
    """The direction at an angle: its cosine and sine."""
    return vec2(cos(ang), sin(ang))


@func
def cconj(z):  # type: ignore[no-untyped-def]
    """The conjugate of a complex number."""
    return vec2(z[0], -z[1])


@func
def cmul(z1, z2):  # type: ignore[no-untyped-def]
    """The product of complex numbers."""
    return vec2(z1[0] * z2[0] - z1[1] * z2[1], z1[0] * z2[1] + z1[1] * z2[0])


@func
def cinv(z):  # type: ignore[no-untyped-def]
    """The reciprocal of a complex number."""
    return cconj(z) / z.norm_sqr()


@func
def cdiv(z1, z2):  # type: ignore[no-untyped-def]
    """The quotient of complex numbers."""
    return cmul(z1, cconj(z2)) / z2.norm_sqr()


@func
def csqrt(z):  # type: ignore[no-untyped-def]
    """The square root of a complex number, of the half angle."""
    result = vec2(0.0)
    if any(z):
        result = sqrt(z.norm()) * vdir(0.5 * atan2(z[1], z[0]))
    return result


@func
def cpow(z, n):  # type: ignore[no-untyped-def]
    """A complex number to a real power; of zero it is zero."""
    result = vec2(0.0)
    if any(z):
        result = pow(z.norm(), n) * vdir(n * atan2(z[1], z[0]))
    return result


@func
def cexp(z):  # type: ignore[no-untyped-def]
    """The exponential of a complex number."""
    return exp(z[0]) * vdir(z[1])


@func
def clog(z):  # type: ignore[no-untyped-def]
    """The logarithm of a complex number, with the angle as its imaginary part."""
    return vec2(log(z.norm()), atan2(z[1], z[0]))


@func
def rotation2d(ang):  # type: ignore[no-untyped-def]
    """The matrix of a counterclockwise rotation of the plane."""
    return mat2(cos(ang), -sin(ang), sin(ang), cos(ang))


@func
def translate(dx, dy, dz):  # type: ignore[no-untyped-def]
    """The matrix of a translation in homogeneous coordinates."""
    return mat4(1.0, 0.0, 0.0, dx, 0.0, 1.0, 0.0, dy, 0.0, 0.0, 1.0, dz, 0.0, 0.0, 0.0, 1.0)


@func
def scale(sx, sy, sz):  # type: ignore[no-untyped-def]
    """The matrix of a scaling in homogeneous coordinates."""
    return mat4(sx, 0.0, 0.0, 0.0, 0.0, sy, 0.0, 0.0, 0.0, 0.0, sz, 0.0, 0.0, 0.0, 0.0, 1.0)


@func
def rot_by_axis(axis, ang):  # type: ignore[no-untyped-def]
    """The matrix of a rotation about an axis in homogeneous coordinates, which multiplies row vectors from the right."""
    c, s = cos(ang), sin(ang)
    u = axis.normalized()
    t = 1.0 - c
    return mat4(
        t * u[0] * u[0] + c, t * u[0] * u[1] + s * u[2], t * u[0] * u[2] - s * u[1], 0.0,
        t * u[0] * u[1] - s * u[2], t * u[1] * u[1] + c, t * u[1] * u[2] + s * u[0], 0.0,
        t * u[0] * u[2] + s * u[1], t * u[1] * u[2] - s * u[0], t * u[2] * u[2] + c, 0.0,
        0.0, 0.0, 0.0, 1.0,
    )  # fmt: skip


@func
def rot_yaw_pitch_roll(yaw, pitch, roll):  # type: ignore[no-untyped-def]
    """The matrix of the Euler angles yaw, pitch and roll (axes y, x, z) in homogeneous coordinates, for row vectors."""
    ch, sh, cp, sp, cb, sb = cos(yaw), sin(yaw), cos(pitch), sin(pitch), cos(roll), sin(roll)
    return mat4(
        ch * cb + sh * sp * sb, sb * cp, -sh * cb + ch * sp * sb, 0.0,
        -ch * sb + sh * sp * cb, cb * cp, sb * sh + ch * sp * cb, 0.0,
        sh * cp, -sp, ch * cp, 0.0,
        0.0, 0.0, 0.0, 1.0,
    )  # fmt: skip


@func
def rotation3d(ang_x, ang_y, ang_z):  # type: ignore[no-untyped-def]
    """The matrix of a rotation by three angles about the axes x, y, z in homogeneous coordinates."""
    return rot_yaw_pitch_roll(ang_z, ang_x, ang_y)
