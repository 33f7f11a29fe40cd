"""Updates at places, by Ivy's names and arguments."""

import pytest

import ivyrs


def test_scatter(xp):
    places, x = xp.asarray([[0], [0], [-1]]), xp.asarray([3, 5, 4])
    of = lambda how: xp.scatter_nd(places, x, (4,), reduction=how).tolist()
    assert of("sum") == [8, 0, 0, 4] and of("replace") == [5, 0, 0, 4] and of("mul") == [15, 0, 0, 4]
    assert of("min") == [3, 0, 0, 4] and of("max") == [5, 0, 0, 4] and of("and") == [1, 0, 0, 4] and of("or") == [7, 0, 0, 4]
    out = xp.asarray([1, 1, 1, 1])
    assert xp.scatter_nd(places, x, out=out, reduction="max").tolist() == [5, 1, 1, 4] and out.tolist() == [1] * 4
    assert xp.scatter_flat(xp.asarray([2, 0, 2]), xp.asarray([1.5, 2.0, 3.0]), size=3).tolist() == [2.0, 0.0, 4.5]
    with pytest.raises(ValueError, match="reduction"):
        of("mean")
    with pytest.raises(ValueError, match="shape"):
        xp.scatter_nd(places, x)
    with pytest.raises(IndexError) as caught:
        xp.scatter_flat(xp.asarray([0, 9, 7]), x, size=3).tolist()
    assert (caught.value.index, caught.value.position, caught.value.length) == (9, 1, 3)
    with pytest.raises(TypeError):
        xp.scatter_flat(xp.asarray([0.5]), x, size=3)


def test_gather(xp):
    x = xp.asarray([[1, 2, 3], [4, 5, 6]])
    assert xp.gather(x, xp.asarray([2, 0])).tolist() == [[3, 1], [6, 4]]
    assert xp.gather(x, xp.asarray([[2], [0]]), axis=1, batch_dims=1).tolist() == [[3], [4]]
    assert xp.gather_nd(x, xp.asarray([[0, 2], [-1, 0]])).tolist() == [3, 4]
    assert xp.cumsum(x, axis=1, exclusive=True).tolist() == [[0, 1, 3], [0, 4, 9]]
    assert xp.cumprod(x, reverse=True).tolist() == [[4, 10, 18], [4, 5, 6]]
