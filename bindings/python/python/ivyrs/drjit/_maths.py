"""Elementary functions, small matrices, quaternions and vectors."""

import math

from . import _native
from ._array import ArrayBase
from ._classes import class_of, type_of
from ._create import copy, zeros
from ._enums import VarType
from ._native import (
    acos, acosh, asin, asinh, atan, atan2, atanh, cbrt, ceil, copysign, cos, cosh, cross, deg2rad, det, diag,
    erf, erfinv, euler_to_quat, exp, exp2, floor, fma, fmax, fmin, frob, hypot, isfinite, isinf, isnan, lerp, lgamma,
    log, log2, matrix_to_quat, maximum, minimum, mulsign, power, quat_apply,
    quat_to_euler, rad2deg, rcp, round, rsqrt, safe_acos, safe_asin, safe_sqrt, sh_eval, sign, sin, sincos, sincosh, sinh,
    slerp, sqrt, square, step, tan, tanh, trace, transform_compose, trunc, unit_angle,
)  # fmt: skip
from ._native import abs as abs
from ._native import matmul as _matmul
from ._traits import depth_v, is_array_v, is_complex_v, is_matrix_v, is_quaternion_v, itemsize_v, value_t
from ._trees import children, map_tree

e = math.e
pi = math.pi
inf = math.inf
nan = math.nan
two_pi = 2 * math.pi
four_pi = 4 * math.pi
inv_pi = 1 / math.pi
inv_two_pi = 0.5 / math.pi
inv_four_pi = 0.25 / math.pi
sqrt_pi = math.sqrt(math.pi)
sqrt_two = math.sqrt(2)
sqrt_two_pi = math.sqrt(2 * math.pi)
sqrt_four_pi = math.sqrt(4 * math.pi)
inv_sqrt_pi = 1 / sqrt_pi
inv_sqrt_two = math.sqrt(0.5)
inv_sqrt_two_pi = 1 / sqrt_two_pi
inv_sqrt_four_pi = 1 / sqrt_four_pi
log_two = math.log(2)
inv_log_two = 1 / log_two


def _of_bits(name: str, of_int, doc: str):
    """A function of bits: a number of Python's is one of 32 bits without sign, as Dr.Jit has it."""
    native = getattr(_native, name)

    def function(x, /):
        if not isinstance(x, int):
            return native(x)
        if not 0 <= x < 1 << 32:
            raise TypeError(f"{name}(): {x} is no integer of 32 bits without sign")
        return of_int(int(x))

    function.__name__ = function.__qualname__ = name
    function.__doc__ = doc
    return function


popcnt = _of_bits("popcnt", int.bit_count, "How many bits are set.")
lzcnt = _of_bits("lzcnt", lambda x: 32 - x.bit_length(), "The zeros before the first bit that is set.")
tzcnt = _of_bits("tzcnt", lambda x: (x & -x).bit_length() - 1 if x else 32, "The zeros after the last bit that is set.")
brev = _of_bits("brev", lambda x: int(f"{x:032b}"[::-1], 2), "The bits in reverse.")
log2i = _of_bits("log2i", lambda x: x.bit_length() - 1, "The number of the highest bit that is set; -1 of 0.")


def _product(name: str, x: int, y: int) -> int:
    if not (-(1 << 31) <= x < 1 << 32 and -(1 << 31) <= y < 1 << 32):
        raise TypeError(f"{name}(): {x} and {y} are no integers of 32 bits")
    return int(x) * int(y)


def mul_hi(x, y, /):
    """The upper half of the product of integers of 32 bits."""
    return _product("mul_hi", x, y) >> 32 if isinstance(x, int) and isinstance(y, int) else _native.mul_hi(x, y)


def mul_wide(x, y, /):
    """The product of integers of 32 bits, in 64 bits."""
    return _product("mul_wide", x, y) if isinstance(x, int) and isinstance(y, int) else _native.mul_wide(x, y)


# What is no value of several arrays.
_SINGLE = (ArrayBase, bool, int, float)


def select(mask, a, b):
    """``a`` where a mask is true, else ``b``: of arrays, or values of one form that hold some; any value, if the mask is Python's."""
    if isinstance(mask, ArrayBase) and isinstance(a, _SINGLE) and isinstance(b, _SINGLE):
        return _native.select(mask, a, b)
    if isinstance(mask, bool):
        if not isinstance(a, ArrayBase) and not isinstance(b, ArrayBase):
            return a if mask else b
        if not (isinstance(a, _SINGLE) and isinstance(b, _SINGLE)):
            return a if mask else b
        return _native.select(mask, a, b)
    found, other = children(a), children(b)
    if found is None and other is None:
        return _native.select(mask, a, b)
    if found is None or other is None or type(a) is not type(b) or len(found[0]) != len(other[0]):
        if isinstance(mask, ArrayBase) and (isinstance(a, ArrayBase) or isinstance(b, ArrayBase)):
            return _native.select(mask, a, b)
        raise RuntimeError(f"select(): values of different forms, {type(a).__name__} and {type(b).__name__}")
    parts, make = found
    return make([select(mask, own, new) for (_, own), (_, new) in zip(parts, other[0], strict=True)])


def dot(a, b):
    """The inner product of vectors, flat arrays or lists of numbers."""
    if not isinstance(a, ArrayBase) and not isinstance(b, ArrayBase):
        if isinstance(a, (bool, int, float)) and isinstance(b, (bool, int, float)):
            return a * b
        return sum(x * y for x, y in zip(a, b, strict=True))
    return _native.dot(a, b)


def abs_dot(a, b):
    """The magnitude of :func:`dot`."""
    return abs(dot(a, b))


def clip(value, min, max):
    """Elements cut to a range."""
    return _native.clip(value, min, max)


clamp = clip
sqr = square


def matmul(A, B, At: bool = False, Bt: bool = False):
    """The matrix product; ``At`` and ``Bt`` say which of the two are transposed."""
    return _matmul(transpose(A) if At else A, transpose(B) if Bt else B)


def transpose(value, axes=None):
    """The matrix with rows for columns; the axes of a tensor in another order, backwards if none is given."""
    ty = type_of(value)
    if ty is not None and ty.kind == "tensor":
        from ._shape import permuted

        axes = tuple(reversed(range(value.ndim))) if axes is None else tuple(axes)
        return permuted(value, axes)
    return _native.transpose(value)


def rotate(dtype, axis, angle):
    """The quaternion of a rotation about an axis of length 1; a matrix of 3 or 4 rows, if that is the type."""
    q = _native.rotate(axis, angle)
    ty = type_of(dtype)
    return dtype(quat_to_matrix(dtype, q)) if ty is not None and ty.kind == "matrix" else dtype(q)


def quat_to_matrix(dtype, q=None):
    """The matrix of 3 or 4 rows of a rotation."""
    if q is None:
        raise TypeError("quat_to_matrix(): the type of the matrix and a quaternion are needed")
    ty = type_of(dtype)
    if ty is None or ty.kind != "matrix" or ty.sizes[0] not in (3, 4):
        raise TypeError(f"quat_to_matrix(): the type of a matrix of 3 or 4 rows is needed, not {dtype!r}")
    rows = ty.sizes[0]
    return dtype(_native.quat_to_matrix(q, rows))


def polar_decomp(arg, it: int = 10):
    """The rotation and the symmetric matrix whose product a matrix is. It is iterated until it stays, whatever ``it`` says."""
    return _native.polar_decomp(arg)


def transform_decompose(a, it: int = 10):
    """Scale, rotation (a quaternion) and translation of an affine matrix of 4 rows."""
    return _native.transform_decompose(a)


def inverse(arg):
    """One divided by each element; the inverse of matrices, complex numbers and quaternions."""
    return rcp(arg)


def conj(arg):
    """The conjugate of a complex number or a quaternion."""
    if isinstance(arg, complex):
        return arg.conjugate()
    return arg if isinstance(arg, (bool, int, float)) else _native.conj(arg)


def arg(z):
    """The angle of a complex number."""
    if isinstance(z, complex):
        return math.atan2(z.imag, z.real)
    return _native.arg(z)


def real(arg):
    """The real part."""
    if is_complex_v(arg) and not is_array_v(arg):
        return arg.real
    return _native.real(arg) if is_array_v(arg) else arg


def imag(arg):
    """The imaginary part: three of a quaternion, zero of what is real."""
    if is_complex_v(arg) and not is_array_v(arg):
        return arg.imag
    return _native.imag(arg) if is_array_v(arg) else type(arg)(0)


def sphdir(theta, phi):
    """The direction of an elevation from the axis ``z`` and an azimuth."""
    (sin_theta, cos_theta), (sin_phi, cos_phi) = sincos(theta), sincos(phi)
    x, y = cos_phi * sin_theta, sin_phi * sin_theta
    found = [value for value in (x, y, cos_theta) if is_array_v(value)]
    if not found:
        from . import scalar

        return scalar.Array3f64(x, y, cos_theta)
    from ._traits import Dynamic, replace_shape_t

    return replace_shape_t(type(found[0]), [3, Dynamic])(x, y, cos_theta)


def normalize(arg):
    """The vector in its direction of length 1; a quaternion likewise."""
    return _native.normalize(arg)


def relative_grad(x):
    """A value of 1 whose derivative is that of the logarithm of ``x``."""
    from ._autodiff import detach

    return x / detach(x)


def binary_search(start, end, pred):
    """The first number from ``start`` to ``end`` for which a predicate is false, ``end`` if there is none: for each thread.

    The predicate takes numbers, and must be true up to some place and false from there on.
    """
    if not all(isinstance(own, int) or is_array_v(own) for own in (start, end)) or not callable(pred):
        raise TypeError("binary_search(): two numbers or arrays, and a function are needed")
    if isinstance(start, int) and isinstance(end, int):
        rounds = (end - start).bit_length()
    else:
        span = end - start if is_array_v(end) or is_array_v(start) else end
        rounds = int(_native.reduce("max", span, None, True, False)._numbers()[0]).bit_length() if is_array_v(span) else span.bit_length()
    first, last = copy(start), copy(end)
    for _ in range(rounds):
        middle = (first + last) >> 1
        goes_on = pred(middle) & (first < last) if is_array_v(middle) else bool(pred(middle)) and first < last
        # Nothing is asked beyond the end.
        first, last = select(goes_on, middle + 1, first), select(goes_on, last, minimum(middle, last))
    return first


def reinterpret_array(dtype, value):
    """The bits of an array as elements of another type of their width."""
    if not is_array_v(value):
        import struct

        formats = {"Float32": "f", "Float64": "d", "Int32": "i", "UInt32": "I", "Int64": "q", "UInt64": "Q"}
        ty = type_of(dtype)
        if ty is not None and ty.dtype in formats:
            letter = formats[ty.dtype]
            source = letter.lower() if isinstance(value, float) else {"f": "i", "d": "q"}.get(letter, letter)
            kind = {"i": "f", "I": "f", "q": "d", "Q": "d"}.get(letter, letter) if isinstance(value, float) else source
            return dtype(struct.unpack(letter, struct.pack(kind, value))[0])
        raise TypeError("reinterpret_array(): an array is needed")
    made = _native.reinterpret_array(type_of(dtype), value)
    return made


def srgb_to_linear(x, clip: bool = True):
    """The linear intensity of a value in the colour space sRGB (IEC 61966-2-1)."""
    if clip:
        x = _native.clip(x, 0, 1)
    return select(x <= 0.04045, x / 12.92, power(maximum((x + 0.055) / 1.055, 0), 2.4))


def linear_to_srgb(x, clip: bool = True):
    """The value in the colour space sRGB of a linear intensity (IEC 61966-2-1)."""
    if clip:
        x = _native.clip(x, 0, 1)
    return select(x <= 0.0031308, x * 12.92, 1.055 * power(maximum(x, 0.0031308), 1 / 2.4) - 0.055)


def _colour(value, function: str) -> None:
    ty = type_of(value)
    if ty is None or ty.kind != "array" or ty.sizes[0] != 3 or isinstance(value, type):
        raise TypeError(f"{function}(): an array of three is needed, not {type(value).__name__}")


def _vector(x, y, z, like):
    return type(like)(x, y, z)


def linear_srgb_to_oklab(value):
    """The colour in Oklab (B. Ottosson 2020) of linear sRGB."""
    _colour(value, "linear_srgb_to_oklab")
    r, g, b = value.x, value.y, value.z
    long = cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b)
    medium = cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b)
    short = cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b)
    return _vector(
        0.2104542553 * long + 0.7936177850 * medium - 0.0040720468 * short,
        1.9779984951 * long - 2.4285922050 * medium + 0.4505937099 * short,
        0.0259040371 * long + 0.7827717662 * medium - 0.8086757660 * short,
        value,
    )


def oklab_to_linear_srgb(value):
    """The colour in linear sRGB of Oklab (B. Ottosson 2020)."""
    _colour(value, "oklab_to_linear_srgb")
    lightness, a, b = value.x, value.y, value.z
    long = lightness + 0.3963377774 * a + 0.2158037573 * b
    medium = lightness - 0.1055613458 * a - 0.0638541728 * b
    short = lightness - 0.0894841775 * a - 1.2914855480 * b
    long, medium, short = long * long * long, medium * medium * medium, short * short * short
    return _vector(
        4.0767416621 * long - 3.3077115913 * medium + 0.2309699292 * short,
        -1.2684380046 * long + 2.6097574011 * medium - 0.3413193965 * short,
        -0.0041960863 * long - 0.7034186147 * medium + 1.7076147010 * short,
        value,
    )


def allclose(a, b, rtol: float | None = None, atol: float | None = None, equal_nan: bool = False) -> bool:
    """Whether ``|a - b| <= atol + rtol |b|`` for all elements. Without tolerances they are those of the precision."""
    rtol, atol = _tolerances(a, b, rtol, atol)
    if isinstance(a, (list, tuple)) and isinstance(b, (list, tuple)) or isinstance(a, dict) and isinstance(b, dict):
        own, other = (list(x.values()) if isinstance(x, dict) else list(x) for x in (a, b))
        if len(own) != len(other):
            raise RuntimeError(f"allclose(): incompatible sizes ({len(own)} and {len(other)})")
        return all(allclose(x, y, rtol, atol, equal_nan) for x, y in zip(own, other, strict=True))
    if isinstance(a, (list, tuple)) and any(is_array_v(x) for x in a) or isinstance(b, (list, tuple)) and any(is_array_v(x) for x in b):
        pairs = [(x, b) for x in a] if isinstance(a, (list, tuple)) else [(a, x) for x in b]
        return all(allclose(x, y, rtol, atol, equal_nan) for x, y in pairs)
    if not is_array_v(a) and not is_array_v(b):
        a, b = _as_arrays(a, b)
    if equal_nan and (is_array_v(a) or is_array_v(b)):
        both = isnan(a) & isnan(b)
        a, b = select(both, 0, a), select(both, 0, b)
    return _native.allclose(a, b, rtol, atol)


def _tolerances(a, b, rtol, atol):
    half = any(type_of(x) is not None and type_of(x).dtype == "Float16" for x in (a, b))
    return (1e-2 if half else 1e-3) if rtol is None else rtol, (1e-2 if half else 1e-5) if atol is None else atol


def _as_arrays(a, b):
    """Lists and numbers of Python's, and arrays of other libraries, as arrays."""
    from .scalar import TensorXf64

    def one(x):
        return x if isinstance(x, (bool, int, float)) else TensorXf64(x)

    a, b = one(a), one(b)
    if not is_array_v(a) and not is_array_v(b):
        return TensorXf64([float(a)]), TensorXf64([float(b)])
    return a, b


def assert_allclose(actual, desired, rtol=None, atol=None, equal_nan: bool = False, err_msg: str = "") -> None:
    """Raises an ``AssertionError`` that tells what differs, unless :func:`allclose` holds."""
    if allclose(actual, desired, rtol, atol, equal_nan):
        return
    rtol, atol = _tolerances(actual, desired, rtol, atol)
    raise AssertionError((err_msg + "\n" if err_msg else "") + _difference(actual, desired, rtol, atol, equal_nan))


def _difference(actual, desired, rtol, atol, equal_nan) -> str:
    import numpy

    a, b = (numpy.asarray(x.numpy() if is_array_v(x) else x, dtype=float) for x in (actual, desired))
    a, b = numpy.broadcast_arrays(a, b)
    with numpy.errstate(all="ignore"):
        apart = numpy.abs(a - b)
        equal = (a == b) | (apart <= atol + rtol * numpy.abs(b)) | (equal_nan & numpy.isnan(a) & numpy.isnan(b))
        apart = numpy.where(a == b, 0, apart)
        relative = numpy.where(apart == 0, 0, apart / numpy.abs(b))
    wrong = int((~equal).sum())
    lines = [
        f"Arrays are not equal to tolerance rtol={rtol:g}, atol={atol:g}",
        f"Mismatched elements: {wrong} / {a.size} ({100 * wrong / a.size:.3g}%)",
        f"Max absolute difference: {numpy.nanmax(apart) if not numpy.isnan(apart).all() else math.nan:g}",
        f"Max relative difference: {numpy.nanmax(relative) if not numpy.isnan(relative).all() else math.nan:g}",
    ]
    for name, value in ((" ACTUAL: ", actual), (" DESIRED: ", desired)):
        lines.append(name + str(value).replace("\n", "\n" + " " * len(name)))
    return "\n".join(lines)
