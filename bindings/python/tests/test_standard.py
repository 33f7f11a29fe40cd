"""The standard's functions against array-api-strict and NumPy: values, dtypes, shapes, special values."""

import warnings

import array_api_strict as strict
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

import ivyrs
from conftest import same

XP = ivyrs.namespace("ndarray")
INTS = ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"]
FLOATS = ["float32", "float64"]
COMPLEX = ["complex64", "complex128"]
REAL = INTS + FLOATS
NUMERIC = REAL + COMPLEX
ALL = ["bool"] + NUMERIC

UNARY = {
    "abs": NUMERIC, "acos": FLOATS + COMPLEX, "acosh": FLOATS + COMPLEX, "asin": FLOATS + COMPLEX,
    "asinh": FLOATS + COMPLEX, "atan": FLOATS + COMPLEX, "atanh": FLOATS + COMPLEX, "bitwise_invert": ["bool"] + INTS,
    "ceil": REAL, "conj": NUMERIC, "cos": FLOATS + COMPLEX, "cosh": FLOATS + COMPLEX, "exp": FLOATS + COMPLEX,
    "expm1": FLOATS + COMPLEX, "floor": REAL, "imag": COMPLEX, "isfinite": NUMERIC, "isinf": NUMERIC,
    "isnan": NUMERIC, "log": FLOATS + COMPLEX, "log10": FLOATS + COMPLEX, "log1p": FLOATS + COMPLEX,
    "log2": FLOATS + COMPLEX, "logical_not": ["bool"], "negative": NUMERIC, "positive": NUMERIC, "real": COMPLEX,
    "reciprocal": FLOATS + COMPLEX, "round": NUMERIC, "sign": NUMERIC, "signbit": FLOATS, "sin": FLOATS + COMPLEX,
    "sinh": FLOATS + COMPLEX, "sqrt": FLOATS + COMPLEX, "square": NUMERIC, "tan": FLOATS + COMPLEX,
    "tanh": FLOATS + COMPLEX, "trunc": REAL,
}
BINARY = {
    "add": NUMERIC, "atan2": FLOATS, "bitwise_and": ["bool"] + INTS, "bitwise_left_shift": INTS,
    "bitwise_or": ["bool"] + INTS, "bitwise_right_shift": INTS, "bitwise_xor": ["bool"] + INTS, "copysign": FLOATS,
    "divide": FLOATS + COMPLEX, "equal": ALL, "floor_divide": REAL, "greater": REAL, "greater_equal": REAL,
    "hypot": FLOATS, "less": REAL, "less_equal": REAL, "logaddexp": FLOATS, "logical_and": ["bool"],
    "logical_or": ["bool"], "logical_xor": ["bool"], "maximum": REAL, "minimum": REAL, "multiply": NUMERIC,
    "nextafter": FLOATS, "not_equal": ALL, "pow": FLOATS + COMPLEX, "remainder": REAL, "subtract": NUMERIC,
}
OVER_AXES = {"all": ALL, "any": ALL, "max": REAL, "min": REAL, "sum": NUMERIC, "prod": REAL, "mean": FLOATS + COMPLEX,
             "std": FLOATS, "var": FLOATS, "count_nonzero": ALL, "argmax": REAL, "argmin": REAL}


def close(actual, expected, units=64.0, dtype=True):
    """Equal shapes and dtypes; integers, infinities and NaN equal, floats within units of the last place."""
    actual, expected = np.asarray(actual), np.asarray(expected)
    assert actual.shape == expected.shape
    if dtype:
        assert actual.dtype == expected.dtype
    if expected.dtype.kind in "fc":
        if expected.dtype.kind == "c":
            # Parts by themselves: an infinity in one says nothing of the other.
            expected = np.stack([expected.real, expected.imag])
            actual = np.stack([actual.real, actual.imag])
        eps = np.finfo(expected.dtype).eps
        scale = np.max(np.abs(expected[np.isfinite(expected)]), initial=0.0)
        np.testing.assert_allclose(actual, expected, rtol=units * eps, atol=units * eps * min(scale, 1.0))
    else:
        np.testing.assert_array_equal(actual, expected)


@st.composite
def arrays(draw, dtypes, shapes=hnp.array_shapes(min_dims=0, max_dims=3, min_side=0, max_side=4)):
    """NumPy arrays with moderate elements."""
    dtype = np.dtype(draw(st.sampled_from(dtypes)))
    shape = draw(shapes) if isinstance(shapes, st.SearchStrategy) else shapes
    small = {
        "b": st.booleans(), "i": st.integers(-100, 100), "u": st.integers(0, 200),
        "f": st.floats(-100, 100, width=32), "c": st.complex_numbers(max_magnitude=10, width=64),
    }[dtype.kind]
    return draw(hnp.arrays(dtype, shape, elements=small))


def both(name, numbers, *args, **keywords):
    """A function's results here and in array-api-strict."""
    to = [np.array(n) for n in numbers]
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        expected = getattr(strict, name)(*[strict.asarray(n) for n in to], *args, **keywords)
    return getattr(XP, name)(*[XP.asarray(n) for n in to], *args, **keywords), expected


@pytest.mark.parametrize("name", UNARY)
@given(data=st.data())
def test_unary(name, data):
    x = data.draw(arrays(UNARY[name]))
    if name == "log1p" and x.dtype.kind == "c":
        # NumPy's complex log1p has no value next to 0.
        x = np.where(np.abs(x) < 1e-3, np.ones((), x.dtype), x).astype(x.dtype)
    if name == "reciprocal" and x.dtype.kind == "c":
        # The direction of a complex infinity is anyone's.
        x = np.where(x == 0, np.ones((), x.dtype), x).astype(x.dtype)
    close(*both(name, [x]))


@pytest.mark.parametrize("name", BINARY)
@given(data=st.data())
def test_binary(name, data):
    shapes = data.draw(hnp.mutually_broadcastable_shapes(num_shapes=2, max_dims=3, max_side=3))
    dtype = data.draw(st.sampled_from(BINARY[name]))
    x, y = (data.draw(arrays([dtype], shape)) for shape in shapes.input_shapes)
    if "shift" in name:
        y = np.array(y) % 8
    if dtype in INTS and name in ("floor_divide", "remainder"):
        y = np.where(y == 0, np.ones((), dtype), y).astype(dtype)
    if name == "divide" and dtype in COMPLEX:
        y = np.where(y == 0, np.ones((), dtype), y).astype(dtype)
    if name == "pow" and dtype in COMPLEX:
        x = np.where(x == 0, np.ones((), dtype), x).astype(dtype)
    # Many roundings of the complex power are those of the logarithm's product.
    close(*both(name, [x, y]), units=4096.0 if name == "pow" else 64.0)


SPECIAL = [0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 2.0, -2.0, 3.0, -3.0, 2.5, -1.5, np.inf, -np.inf, np.nan, 1e30, -1e30, 1e-30]


@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize("name", [n for n, dtypes in UNARY.items() if "float64" in dtypes])
def test_special_values_of_one(name, dtype, xp):
    x = np.array(SPECIAL, dtype=dtype)
    with np.errstate(all="ignore"):
        expected = np.asarray(getattr(strict, name)(strict.asarray(x)))
    equal_specials(getattr(xp, name)(xp.asarray(x)), expected, x, name)


@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize("name", [n for n, dtypes in BINARY.items() if "float64" in dtypes])
def test_special_values_of_two(name, dtype, xp):
    x, y = (np.array(a) for a in np.broadcast_arrays(*np.meshgrid(SPECIAL, SPECIAL)))
    x, y = x.astype(dtype).ravel(), y.astype(dtype).ravel()
    with np.errstate(all="ignore"):
        expected = np.asarray(getattr(strict, name)(strict.asarray(x), strict.asarray(y)))
    if name == "floor_divide":
        # The standard divides, and then rounds down; NumPy takes the remainder off first, and has NaN at infinities.
        with np.errstate(all="ignore"):
            expected = np.where(np.isfinite(x) & np.isfinite(y), expected, np.floor(x / y)).astype(dtype)
    equal_specials(getattr(xp, name)(xp.asarray(x), xp.asarray(y)), expected, np.stack([x, y], axis=1), name)


def equal_specials(actual, expected, x, name):
    actual = np.asarray(actual)
    assert actual.dtype == expected.dtype
    if actual.dtype == np.bool_:
        np.testing.assert_array_equal(actual, expected)
        return
    for a, e, of in zip(actual, expected, x):
        if np.isnan(e) or np.isinf(e) or e == 0:
            # The greater of two zeros is either of them.
            signs = np.signbit(a) == np.signbit(e) or name in ("maximum", "minimum")
            ok = (np.isnan(a) and np.isnan(e)) or (a == e and signs)
        else:
            ok = np.isclose(a, e, rtol=64 * np.finfo(expected.dtype).eps)
        assert ok, (name, of, a, e)


@pytest.mark.parametrize("name", OVER_AXES)
@given(data=st.data())
def test_over_axes(name, data):
    least = 1 if name in ("max", "min", "argmax", "argmin", "mean", "std", "var") else 0
    x = data.draw(arrays(OVER_AXES[name], hnp.array_shapes(min_dims=0 if name[:3] != "arg" else 1, max_dims=3, min_side=least, max_side=4)))
    keywords = {"keepdims": data.draw(st.booleans())}
    axes = st.none()
    if x.ndim:
        axes |= st.integers(-x.ndim, x.ndim - 1)
        if name[:3] != "arg":
            axes |= st.lists(st.integers(0, x.ndim - 1), unique=True).map(tuple)
    keywords["axis"] = data.draw(axes)
    if name == "prod":
        x = np.clip(x, 0, 3)
    actual, expected = both(name, [x], **keywords)
    narrow = name in ("sum", "prod") and x.dtype.kind in "iu" and x.dtype.itemsize < 8
    if narrow:
        # The default integer dtype is int32 here.
        assert np.asarray(actual).dtype == (np.int32 if x.dtype.kind == "i" else np.uint32)
        if name == "prod":
            expected = np.asarray(expected).astype(np.asarray(actual).dtype)
    close(actual, expected, dtype=not narrow, units=512.0)


@given(data=st.data())
def test_arranging(data):
    x = data.draw(arrays(ALL, hnp.array_shapes(min_dims=1, max_dims=3, min_side=1, max_side=4)))
    axis = data.draw(st.integers(-x.ndim, x.ndim - 1))
    shift = data.draw(st.integers(-5, 5))
    calls = [
        ("flip", [x], (), {"axis": axis}), ("flip", [x], (), {}), ("roll", [x], (shift,), {"axis": axis}),
        ("roll", [x], (shift,), {}), ("expand_dims", [x], (), {"axis": axis}),
        ("permute_dims", [x], (tuple(reversed(range(x.ndim))),), {}), ("reshape", [x], ((-1,),), {}),
        ("moveaxis", [x], (0, axis), {}), ("tile", [x], ((2, 1),), {}), ("repeat", [x], (2,), {"axis": axis}),
        ("repeat", [x], (3,), {}), ("broadcast_to", [x], ((2, *x.shape),), {}),
        ("squeeze", [x[None]], (), {"axis": 0}),
    ]
    for name, numbers, args, keywords in calls:
        close(*both(name, numbers, *args, **keywords))
    parts, expected = both("unstack", [x], axis=axis)
    assert isinstance(parts, tuple) and len(parts) == len(expected)
    for part, other in zip(parts, expected):
        close(part, other)
    for name in ("concat", "stack"):
        close(
            getattr(XP, name)([XP.asarray(x), XP.asarray(x)], axis=axis),
            getattr(strict, name)([strict.asarray(x), strict.asarray(x)], axis=axis),
        )
    close(XP.concat((XP.asarray(x), XP.asarray(x)), axis=None), np.concatenate([x, x], axis=None))


@given(data=st.data())
def test_sorting_and_searching(data):
    x = data.draw(arrays(REAL, hnp.array_shapes(min_dims=1, max_dims=3, min_side=1, max_side=5)))
    axis = data.draw(st.integers(-x.ndim, x.ndim - 1))
    for descending in (False, True):
        close(*both("sort", [x], axis=axis, descending=descending))
        close(*both("argsort", [x], axis=axis, descending=descending))
    actual, expected = both("nonzero", [x])
    for a, e in zip(actual, expected, strict=True):
        close(a, e)
    flat = np.sort(x.ravel())
    for side in ("left", "right"):
        close(*both("searchsorted", [flat, x], side=side))
    close(*both("take_along_axis", [x, np.argsort(x, axis=axis)], axis=axis))
    indices = data.draw(st.lists(st.integers(-x.shape[axis], x.shape[axis] - 1)))
    close(*both("take", [x, np.array(indices, dtype=np.int64)], axis=axis))
    close(*both("where", [x > 0, x, np.flip(x)]))
    close(XP.isin(XP.asarray(x), XP.asarray(flat[:2])), np.isin(x, flat[:2]))
    close(*both("diff", [x], axis=axis))
    close(*both("cumulative_sum", [x.astype("float64")], axis=axis, include_initial=True))
    close(*both("cumulative_prod", [np.clip(x, 0, 2).astype("float64")], axis=axis))
    low, high = flat[0], flat[-1]
    close(*both("clip", [x], int(low) if x.dtype.kind != "f" else float(low), None))
    close(*both("clip", [x, np.asarray(low), np.asarray(high)]))


@given(data=st.data())
def test_sets(data):
    x = data.draw(arrays(ALL, hnp.array_shapes(min_dims=1, max_dims=2, min_side=0, max_side=6)))
    unique = XP.unique_all(XP.asarray(x))
    assert unique._fields == ("values", "indices", "inverse_indices", "counts")
    values, counts = np.unique(x, return_counts=True)
    close(unique.values, values)
    close(unique.counts, counts)
    same = np.asarray(XP.take(unique.values, XP.reshape(unique.inverse_indices, (-1,)))).reshape(x.shape)
    close(same, x)
    close(np.asarray(x).ravel()[np.asarray(unique.indices)], values)
    close(XP.unique_values(XP.asarray(x)), values)
    assert XP.unique_counts(XP.asarray(x))._fields == ("values", "counts")
    assert XP.unique_inverse(XP.asarray(x))._fields == ("values", "inverse_indices")


@given(data=st.data())
def test_products(data):
    n, k, m = (data.draw(st.integers(0, 4)) for _ in range(3))
    x, y = data.draw(arrays(FLOATS[1:] + ["int64", "complex128"], (2, n, k))), None
    y = data.draw(arrays([x.dtype.name], (k, m)))
    close(*both("matmul", [x, y]))
    close(*both("tensordot", [x, y], axes=1))
    close(*both("tensordot", [x, x], axes=((1, 2), (1, 2))))
    close(*both("vecdot", [x, x], axis=-1))
    close(*both("matrix_transpose", [x]))


def test_creation(xp):
    for name, args, keywords in [
        ("arange", (5,), {}), ("arange", (1, 7, 2), {}), ("arange", (5, 0, -1), {}), ("arange", (0, 1, 0.25), {}),
        ("linspace", (0, 1, 5), {}), ("linspace", (0, 1, 4), {"endpoint": False}), ("eye", (3,), {}),
        ("eye", (2, 3), {"k": 1}), ("zeros", ((2, 3),), {}), ("ones", (4,), {}), ("full", ((2,), 7), {}),
        ("full", ((2,), 2.5), {}), ("full", ((2,), True), {}),
    ]:
        for dtype in ("float32", "float64", None):
            if dtype is not None:
                keywords = {**keywords, "dtype": None}
            actual = getattr(xp, name)(*args, **{**keywords, "dtype": dtype and getattr(xp, dtype)})
            expected = getattr(strict, name)(*args, **{**keywords, "dtype": dtype and getattr(strict, dtype)})
            close(actual, expected, dtype=dtype is not None)
    x = xp.asarray([[1, 2], [3, 4]], dtype=xp.int16)
    assert xp.zeros_like(x).dtype == xp.int16 and xp.full_like(x, 3, dtype=xp.float64).tolist() == [[3.0, 3.0]] * 2
    assert xp.empty((2, 2)).shape == (2, 2) and xp.empty_like(x).shape == (2, 2) and xp.ones_like(x).tolist() == [[1, 1]] * 2
    assert xp.tril(x).tolist() == [[1, 0], [3, 4]] and xp.triu(x, k=1).tolist() == [[0, 2], [0, 0]]
    grids = xp.meshgrid(xp.arange(2), xp.arange(3), indexing="ij")
    assert isinstance(grids, tuple) and grids[0].shape == (2, 3)
    assert xp.meshgrid() == () and xp.broadcast_arrays() == ()
    a, b = xp.broadcast_arrays(xp.zeros((2, 1)), xp.zeros(3))
    assert a.shape == b.shape == (2, 3) and xp.broadcast_shapes((2, 1), (3,), ()) == (2, 3) and xp.broadcast_shapes() == ()
    assert xp.astype(x, xp.int16, copy=False) is x and xp.astype(x, xp.int16) is not x


@pytest.mark.parametrize("first", NUMERIC)
def test_promotion_is_the_standards(first, xp):
    for second in NUMERIC:
        try:
            expected = strict.result_type(getattr(strict, first), getattr(strict, second))
        except TypeError:
            continue
        a, b = getattr(xp, first), getattr(xp, second)
        name = str(expected).rsplit(".", 1)[-1].strip("'>")
        assert xp.result_type(a, b).name == name
        assert (xp.ones(2, dtype=a) + xp.ones(2, dtype=b)).dtype.name == name
        assert xp.concat([xp.ones(2, dtype=a), xp.ones(1, dtype=b)]).dtype.name == name
        assert xp.where(xp.asarray([True]), xp.ones(1, dtype=a), xp.ones(1, dtype=b)).dtype.name == name


def test_hypothesis_makes_arrays(xp):
    from hypothesis.extra.array_api import make_strategies_namespace

    xps = make_strategies_namespace(xp, api_version="2024.12")

    @given(xps.arrays(xps.scalar_dtypes(), hnp.array_shapes(max_dims=2, max_side=4)))
    def run(x):
        assert isinstance(x, ivyrs.Array)
        assert xp.all((x == x) | (xp.isnan(x) if not xp.isdtype(x.dtype, "bool") else False))

    run()


def test_numbers_beyond_float32_get_the_default_dtype(xp):
    """As the standard has it of `full`, `arange` and `linspace`; `asarray` keeps such numbers."""
    for number in (1e300, 1e-300, 5e-324, -3.5e38):
        filled = xp.full((2,), number)
        with np.errstate(over="ignore"):
            same(filled, np.full(2, number).astype(np.float32))
        assert xp.asarray(number).dtype in (xp.float32, xp.float64)
    assert xp.full((), 1e300j).dtype == xp.complex64
    assert xp.arange(0.0, 1e300, 1e299).dtype == xp.arange(1e-320, 3.0).dtype == xp.float32
    assert xp.linspace(0.0, 1e-300, 3).dtype == xp.float32
    with ivyrs.default_dtypes(float="float64"):
        same(xp.full(2, 1e300), np.full(2, 1e300))
        same(xp.arange(0.0, 4e300, 1e300), np.arange(0.0, 4e300, 1e300))
    assert xp.full(2, 1e300, dtype=xp.float64).tolist() == [1e300, 1e300]
    assert xp.full(2, 2**40).dtype == xp.int64


def test_diagonals_beyond_every_matrix(xp):
    for k in (2**63, -(2**63) - 1, 2**63 - 1, -(2**63), 2**100):
        same(xp.eye(2, 3, k=k), np.zeros((2, 3), np.float32))
        ones = xp.ones((2, 2))
        same(xp.tril(ones, k=k), np.ones((2, 2), np.float32) * (k > 0))
        same(xp.triu(ones, k=k), np.ones((2, 2), np.float32) * (k < 0))


def test_masks_without_elements(xp):
    x = xp.reshape(xp.arange(6), (2, 3, 1))
    for shape, rest in [((0,), (3, 1)), ((2, 0), (1,)), ((0, 3), (1,)), ((2, 3, 0), ()), ((0, 0, 0), ())]:
        mask = xp.zeros(shape, dtype=xp.bool)
        assert x[mask].shape == (0, *rest)
        y = xp.asarray(x, copy=True)
        y[mask] = 7
        same(y, np.asarray(x))
    assert xp.ones(1)[xp.zeros(0, dtype=xp.bool)].shape == (0,)
    for shape in [(0, 2), (1,), (3, 0), (2, 0, 2)]:
        with pytest.raises(IndexError):
            x[xp.zeros(shape, dtype=xp.bool)]
