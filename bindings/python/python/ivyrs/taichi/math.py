"""``ti.math``: the vectors and functions of shading languages."""

from __future__ import annotations

import math as _math

from ._kernel import func
from ._ops import *  # noqa: F403
from ._ops import abs, acos, asin, atan2, ceil, cos, exp, floor, log, max, min, pow, round, rsqrt, sin, sqrt, tan, tanh  # noqa: A004, F401
from ._types import CompoundType

pi = _math.pi
e = _math.e
inf = _math.inf
nan = _math.nan

vec2, vec3, vec4 = (CompoundType(n, None, float) for n in (2, 3, 4))
ivec2, ivec3, ivec4 = (CompoundType(n, None, int) for n in (2, 3, 4))
mat2, mat3, mat4 = (CompoundType(n, n, float) for n in (2, 3, 4))


@func
def clamp(x, low, high):  # type: ignore[no-untyped-def]
    """A number between two others."""
    return max(low, min(x, high))


@func
def mix(x, y, a):  # type: ignore[no-untyped-def]
    """What lies between two numbers, ``a`` of the way."""
    return x * (1.0 - a) + y * a


@func
def fract(x):  # type: ignore[no-untyped-def]
    """What is behind the point."""
    return x - floor(x)


@func
def step(edge, x):  # type: ignore[no-untyped-def]
    """0 below an edge, else 1."""
    return cast(x >= edge, float)  # noqa: F405


@func
def smoothstep(low, high, x):  # type: ignore[no-untyped-def]
    """From 0 to 1 between two edges, smoothly."""
    t = clamp((x - low) / (high - low), 0.0, 1.0)
    return t * t * (3.0 - 2.0 * t)


@func
def sign(x):  # type: ignore[no-untyped-def]
    """The sign of a number."""
    return cast(x > 0, float) - cast(x < 0, float)  # noqa: F405


@func
def mod(x, y):  # type: ignore[no-untyped-def]
    """The remainder, with the sign of the divisor."""
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
def dot(x, y):  # type: ignore[no-untyped-def]
    """The sum of products."""
    return x.dot(y)


@func
def cross(x, y):  # type: ignore[no-untyped-def]
    """The vector product."""
    return x.cross(y)


@func
def length(x):  # type: ignore[no-untyped-def]
    """The norm."""
    return x.norm()


@func
def distance(x, y):  # type: ignore[no-untyped-def]
    """The norm of a difference."""
    return (x - y).norm()


@func
def normalize(x):  # type: ignore[no-untyped-def]
    """The vector of norm 1 in the same direction."""
    return x.normalized()


@func
def reflect(x, n):  # type: ignore[no-untyped-def]
    """A direction mirrored at a surface with this normal."""
    return x - 2.0 * x.dot(n) * n
