"""Arrays made longer: by Ivy's names and arguments, compared with NumPy's `pad`."""

import numpy as np
import pytest
from hypothesis import given, strategies as st

import ivyrs

MODES = ("constant", "edge", "reflect", "symmetric", "wrap")
STATISTICS = ("maximum", "mean", "median", "minimum")
REAL = ("int8", "uint8", "int32", "int64", "uint16", "float16", "float32", "float64")


def widths(ndim, least=0, most=5):
    width = st.integers(least, most)
    return width | st.tuples(width, width) | st.lists(st.tuples(width, width), min_size=ndim, max_size=ndim)


@st.composite
def arrays(draw, dtypes, lengths=st.integers(1, 4)):
    shape = draw(st.lists(lengths, min_size=1, max_size=3))
    size = int(np.prod(shape))
    numbers = st.lists(st.integers(0, 100), min_size=size, max_size=size)
    x = np.asarray(draw(numbers), "int64").reshape(shape)
    dtype = draw(st.sampled_from(dtypes))
    if dtype.startswith("complex"):
        return (x + 1j * np.asarray(draw(numbers)).reshape(shape)).astype(dtype)
    return (x % 2 if dtype == "bool" else x).astype(dtype)


def check(x, width, **keywords):
    """The bits of NumPy's result, but for the signs of zeros."""
    want = np.pad(x, width, **keywords)
    got = np.asarray(ivyrs.pad(ivyrs.asarray(x), width, **keywords))
    assert got.dtype == want.dtype
    np.testing.assert_array_equal(got, want)


@given(data=st.data())
def test_pad(data):
    x = data.draw(arrays(("int32",)))
    check(x, data.draw(widths(x.ndim)), mode=data.draw(st.sampled_from(MODES)))


@given(data=st.data())
def test_values_of_each_end(data):
    x = data.draw(arrays(REAL + ("complex64", "bool"), st.integers(0, 3)))
    number = st.integers(0, 100) | st.floats(0, 100)
    pair = st.tuples(number, number)
    values = data.draw(number | pair | st.lists(pair, min_size=x.ndim, max_size=x.ndim))
    check(x, data.draw(widths(x.ndim)), mode="constant", constant_values=values)
    empty = np.asarray(ivyrs.pad(ivyrs.asarray(x), 2, mode="empty"))
    assert empty.shape == np.pad(x, 2, mode="empty").shape


@given(data=st.data())
def test_statistics(data):
    mode = data.draw(st.sampled_from(STATISTICS))
    # Sums of few floats of this size are exact in both, in whatever order they are taken.
    x = data.draw(arrays(REAL + ("bool",) + ("complex128",) * (mode == "mean")))
    length = data.draw(st.none() | widths(x.ndim, 1, 6))
    check(x, data.draw(widths(x.ndim)), mode=mode, stat_length=length)


@given(data=st.data())
def test_ramps(data):
    x = data.draw(arrays(REAL + ("bool", "complex64")))
    # Pairs for each axis are Python's numbers to NumPy, which then computes in the array's dtype.
    value = st.integers(0, 100) | st.floats(0, 100)
    ends = data.draw(value | st.tuples(value, value))
    check(x, data.draw(widths(x.ndim)), mode="linear_ramp", end_values=ends)


@given(data=st.data())
def test_mirrored_and_turned(data):
    x = data.draw(arrays(REAL + ("bool", "complex64")))
    mode = data.draw(st.sampled_from(("reflect", "symmetric")))
    kind = data.draw(st.sampled_from(("even", "odd")))
    with np.errstate(over="ignore"):
        check(x, data.draw(widths(x.ndim, most=9)), mode=mode, reflect_type=kind)


@given(data=st.data(), mode=st.sampled_from(MODES[1:] + STATISTICS + ("linear_ramp",)))
def test_empty_axes(data, mode):
    x = np.zeros(data.draw(st.lists(st.integers(0, 2), min_size=1, max_size=3)), "float32")
    width = data.draw(widths(x.ndim, most=1))
    try:
        want = np.pad(x, width, mode=mode)
    except ValueError:
        with pytest.raises(ValueError, match="empty axis"):
            ivyrs.pad(ivyrs.asarray(x), width, mode=mode)
    else:
        assert ivyrs.pad(ivyrs.asarray(x), width, mode=mode).shape == want.shape


def test_constant(xp):
    x = xp.asarray([1.5, 2.5])
    assert xp.constant_pad(x, (1, 2), value=9).tolist() == [9.0, 1.5, 2.5, 9.0, 9.0]
    assert xp.constant_pad(x, 1).tolist() == xp.zero_pad(x, 1).tolist() == [0.0, 1.5, 2.5, 0.0]
    assert xp.pad(x, [(0, 1)], constant_values=-1.0).tolist() == [1.5, 2.5, -1.0]
    # As Ivy has it: statistics of one element, if nothing is said.
    assert xp.pad(x, 1, mode="mean").tolist() == [1.5, 1.5, 2.5, 2.5]
    with pytest.raises(ValueError, match="pad_width"):
        xp.zero_pad(x, -1)
    with pytest.raises(ValueError, match="one of constant, dilated, edge"):
        xp.pad(x, 1, mode="middle")
    with pytest.raises(ValueError, match="one of even, odd"):
        xp.pad(x, 1, mode="reflect", reflect_type="strange")
    with pytest.raises(ValueError, match="stat_length"):
        xp.pad(x, 1, mode="maximum", stat_length=0)
    with pytest.raises(ValueError, match="stat_length = -1: a number of elements"):
        xp.pad(x, 1, mode="maximum", stat_length=-1)
    with pytest.raises(ValueError, match="one for each axis"):
        xp.zero_pad(x, [(1, 1), (2, 2)])
    for width in (0.5, (0.5, 1), [(1, "a")]):
        with pytest.raises(TypeError):
            xp.zero_pad(x, width)
    with pytest.raises(TypeError):
        xp.pad(x, 1, constant_values=x)
