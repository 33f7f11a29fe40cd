"""Patterns of axes: einops_rearrange, einops_reduce and einops_repeat against NumPy, and what is refused."""

import inspect

import numpy as np
import pytest


def test_patterns_are_numpys(xp):
    x = xp.reshape(xp.arange(24), (2, 3, 4))
    a = np.asarray(x)
    assert np.array_equal(xp.einops_rearrange(x, "a b c -> c (a b)"), a.transpose(2, 0, 1).reshape(4, 6))
    split = xp.einops_rearrange(x, "a b (c d) -> a d b c", c=2)
    assert np.array_equal(split, a.reshape(2, 3, 2, 2).transpose(0, 3, 1, 2))
    assert np.array_equal(xp.einops_rearrange(x, "... c -> c (...)"), a.reshape(6, 4).T)
    assert np.array_equal(xp.einops_reduce(x, "a b (c 2) -> b c", "max"), a.reshape(2, 3, 2, 2).max((0, 3)))
    mean = xp.einops_reduce(x, "a b c -> c", "mean")
    assert mean.dtype == xp.float32 and np.array_equal(mean, a.mean((0, 1), dtype="float32"))
    assert np.array_equal(xp.einops_repeat(x, "a b c -> a (b n) c m", n=2, m=3), np.repeat(a, 2, 1)[..., None].repeat(3, -1))
    assert xp.einops_reduce(x, "a b c ->", "all").tolist() is False


def test_lengths_are_keywords(xp):
    x = xp.ones((2, 6))
    # The length of an axis may have the name of any argument that is given by position.
    assert xp.einops_rearrange(x, "a (x pattern) -> x a pattern", x=2).shape == (2, 2, 3)
    assert xp.einops_repeat(x, "a b -> a b n", n=np.int64(2)).shape == (2, 6, 2)
    signature = inspect.signature(xp.einops_reduce)
    assert list(signature.parameters) == ["x", "pattern", "reduction", "axes_lengths"]
    assert signature.parameters["axes_lengths"].kind is inspect.Parameter.VAR_KEYWORD
    for wrong, error in [({"h": 2.5}, TypeError), ({"h": "2"}, TypeError), ({"h": -2}, ValueError), ({"k": 2}, ValueError)]:
        with pytest.raises(error):
            xp.einops_rearrange(x, "a (h w) -> a h w", **wrong)
    with pytest.raises(TypeError):
        xp.einops_rearrange(x)
    with pytest.raises(ValueError, match="at character 9, `c`"):
        xp.einops_rearrange(x, "a b -> a c b")
    with pytest.raises(ValueError, match="one of min, max"):
        xp.einops_reduce(x, "a b -> a", "median")
