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


def test_masks(xp):
    x, mask = xp.asarray([[1, 2, 3], [4, 5, 6]]), xp.asarray([True, False])
    assert xp.gather(x, xp.asarray([2, 99]), mask=mask).tolist() == [[3, 0], [6, 0]]
    assert xp.gather_nd(x, xp.asarray([[0, 2], [99, 0]]), mask=mask).tolist() == [3, 0]
    updates, out = xp.asarray([7, 8]), xp.asarray([1, 1, 1])
    for mode in ["auto", "direct", "local", "no_conflicts", "expand", "permute"]:
        assert xp.scatter_flat(xp.asarray([2, 99]), updates, size=3, mask=mask, mode=mode).tolist() == [0, 0, 7]
        put = xp.scatter_nd(xp.asarray([[2], [-9]]), updates, out=out, reduction="replace", mask=mask, mode=mode)
        assert put.tolist() == [1, 1, 7]
    with pytest.raises(ValueError, match="mode"):
        xp.scatter_flat(xp.asarray([0]), updates, size=3, mode="sideways")
    with pytest.raises(ValueError, match="mask"):
        xp.gather(x, xp.asarray([2, 0]), mask=xp.asarray([True] * 3))
    with pytest.raises(TypeError):
        xp.gather(x, xp.asarray([2, 0]), mask=xp.asarray([1, 0]))


def test_exchanges(xp):
    places = xp.asarray([1, 1, 1])
    old, counters = xp.scatter_inc(xp.zeros(3, dtype=xp.uint32), places)
    assert old.tolist() == [0, 1, 2] and counters.tolist() == [0, 3, 0]
    done = xp.scatter_exch(xp.asarray([10, 20]), xp.asarray([1, 2, 3]), places, mask=xp.asarray([True, False, True]))
    assert done.old.tolist() == [20, 0, 1] and done.target.tolist() == [10, 3]
    done = xp.scatter_cas(xp.zeros(2, dtype=xp.int32), 0, xp.asarray([7, 8, 9], dtype=xp.int32), places)
    assert done.old.tolist() == [0, 7, 7] and done.swapped.tolist() == [True, False, False]
    assert done.target.tolist() == [0, 7]
    with pytest.raises(IndexError) as caught:
        xp.scatter_exch(xp.asarray([1, 2]), 3, xp.asarray([0, 2])).old.tolist()
    assert (caught.value.index, caught.value.position, caught.value.length) == (2, 1, 2)
    with pytest.raises(TypeError):
        xp.scatter_inc(xp.asarray([0.5]), places)


def test_blocks(xp):
    x = xp.asarray([1, 2, 3, 4, 5])
    assert xp.block_reduce(x, 2).tolist() == [3, 7, 5]
    assert xp.block_reduce(x, 2, reduction="max").tolist() == [2, 4, 5]
    assert xp.block_prefix_reduce(x, 2).tolist() == [0, 1, 0, 3, 0]
    assert xp.block_prefix_reduce(x, 3, exclusive=False, reverse=True).tolist() == [6, 5, 3, 9, 5]
    rows = xp.block_reduce(xp.asarray([[1, 2], [3, 4], [5, 6]]), block_size=2, axis=0)
    assert rows.tolist() == [[4, 6], [5, 6]]
    with pytest.raises(ValueError, match="block_size"):
        xp.block_reduce(x, 0)
    with pytest.raises(ValueError, match="reduction"):
        xp.block_reduce(x, 2, reduction="replace")
