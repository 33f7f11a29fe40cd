"""Arrays made longer: by Ivy's names and arguments, compared with NumPy's `pad`."""

import numpy as np
import pytest
from hypothesis import given, strategies as st

import ivyrs

MODES = ("constant", "edge", "reflect", "symmetric", "wrap")


@given(data=st.data())
def test_pad(data):
    shape = data.draw(st.lists(st.integers(1, 4), min_size=1, max_size=3))
    x = np.arange(np.prod(shape), dtype="int32").reshape(shape)
    width = data.draw(
        st.integers(0, 5)
        | st.tuples(st.integers(0, 5), st.integers(0, 5))
        | st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), min_size=x.ndim, max_size=x.ndim)
    )
    mode = data.draw(st.sampled_from(MODES))
    padded = np.asarray(ivyrs.pad(ivyrs.asarray(x), width, mode=mode))
    np.testing.assert_array_equal(padded, np.pad(x, width, mode=mode))


def test_constant(xp):
    x = xp.asarray([1.5, 2.5])
    assert xp.constant_pad(x, (1, 2), value=9).tolist() == [9.0, 1.5, 2.5, 9.0, 9.0]
    assert xp.constant_pad(x, 1).tolist() == xp.zero_pad(x, 1).tolist() == [0.0, 1.5, 2.5, 0.0]
    assert xp.pad(x, [(0, 1)], constant_values=-1.0).tolist() == [1.5, 2.5, -1.0]
    with pytest.raises(ValueError, match="pad_width"):
        xp.zero_pad(x, -1)
    with pytest.raises(ValueError, match="one of constant, edge"):
        xp.pad(x, 1, mode="median")
    with pytest.raises(ValueError, match="one for each axis"):
        xp.zero_pad(x, [(1, 1), (2, 2)])
    with pytest.raises(TypeError):
        xp.zero_pad(x, 0.5)
