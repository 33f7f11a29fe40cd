"""Nests of Python's lists, tuples and dicts, and scans by a function."""

from collections import OrderedDict, namedtuple

import numpy as np
import pytest

import ivyrs
from conftest import same

Pair = namedtuple("Pair", "a b")


def test_nested_map():
    nest = {"a": [1, (2, 3)], "b": 4}
    assert ivyrs.nested_map(lambda x: x * 10, nest, shallow=False) == {"a": [10, (20, 30)], "b": 40}
    assert nest == {"a": [1, (2, 3)], "b": 4}
    # In place, as in Ivy.
    assert ivyrs.nested_map(lambda x: -x, nest) is nest and nest == {"a": [-1, (-2, -3)], "b": -4}
    assert ivyrs.nested_map(lambda x: x + 1, 1) == 2
    assert ivyrs.nested_map(lambda x: x + 1, (1, (2,)), to_mutable=True) == [2, [3]]
    pair = ivyrs.nested_map(lambda x: x + 1, Pair(1, [2]))
    assert type(pair) is Pair and pair == (2, [3])
    assert ivyrs.nested_map(lambda x: x and x + 1, slice(1, 5)) == slice(2, 6)


def test_what_is_a_nest():
    ordered = OrderedDict(k=[1])
    assert ivyrs.nested_map(lambda x: x, ordered, shallow=False) is ordered
    seen = ivyrs.nested_map(lambda x: x + 1, ordered, include_derived=True, shallow=False)
    assert type(seen) is OrderedDict and seen == {"k": [2]}
    assert ivyrs.nested_map(len, [(1, 2), (3,)], to_ignore=tuple, shallow=False) == [2, 1]
    assert ivyrs.nested_argwhere([(1, 2), 3], lambda x: x == (1, 2), to_ignore=(tuple,)) == [[0]]


def test_nested_map_of_arrays(xp):
    params = {"w": xp.asarray([1.0, 2.0]), "layers": [xp.asarray([3])]}
    doubled = xp.nested_map(lambda x: x * 2, params, shallow=False)
    same(doubled["w"], np.asarray([2, 4], "float32"))
    same(doubled["layers"][0], np.asarray([6], "int32"))


def test_nested_argwhere():
    nest = [[[1, -2], 3], {"k": (4, 19)}]
    assert ivyrs.nested_argwhere(nest, lambda x: x > 2) == [[0, 1], [1, "k", 0], [1, "k", 1]]
    assert ivyrs.nested_argwhere(nest, lambda x: x > 2, stop_after_n_found=2) == [[0, 1], [1, "k", 0]]
    lists = ivyrs.nested_argwhere(nest, lambda x: isinstance(x, list), check_nests=True)
    assert lists == [[0, 0], [0]]
    assert ivyrs.nested_argwhere([], lambda x: True) == []
    assert ivyrs.nested_any(nest, lambda x: x == 19) and not ivyrs.nested_any(nest, lambda x: x == 20)
    assert ivyrs.nested_any(nest, lambda x: isinstance(x, dict), check_nests=True)
    assert ivyrs.all_nested_indices({"a": [1, 2]}) == [["a", 0], ["a", 1]]
    assert ivyrs.all_nested_indices({"a": [1]}, include_nests=True) == [["a", 0], ["a"]]


def test_places():
    nest = {"a": [1, (2, {"b": 3})]}
    assert ivyrs.index_nest(nest, ["a", 1, 1, "b"]) == 3 and ivyrs.index_nest(nest, "a") is nest["a"]
    assert ivyrs.index_nest(nest, ()) is nest
    changed = ivyrs.set_nest_at_index(nest, ["a", 1, 0], 9, shallow=False)
    assert changed == {"a": [1, (9, {"b": 3})]} and nest == {"a": [1, (2, {"b": 3})]}
    assert ivyrs.set_nest_at_index(nest, ("a", 0), 7) is nest and nest["a"][0] == 7
    assert ivyrs.set_nest_at_index({}, ["new"], 1) == {"new": 1}
    assert ivyrs.set_nest_at_index(nest, [], 5) == 5
    assert type(ivyrs.set_nest_at_index(Pair(1, 2), [1], 3)) is Pair
    assert ivyrs.map_nest_at_index([1, [2]], [1, 0], lambda x: x * 5) == [1, [10]]
    for call in (lambda: ivyrs.index_nest(nest, ["a", 5]), lambda: ivyrs.set_nest_at_index([1], [3], 0)):
        with pytest.raises(IndexError):
            call()
    with pytest.raises(KeyError):
        ivyrs.index_nest(nest, ["z"])


def test_too_deep():
    nest = []
    for _ in range(100_000):
        nest = [nest]
    with pytest.raises(RecursionError):
        ivyrs.nested_map(lambda x: x, nest)
    while nest:
        nest = nest[0]


def test_associative_scan(xp):
    x = xp.asarray([[1, 2, 3, 4, 5], [1, 1, 1, 1, 1]])
    same(xp.associative_scan(x, lambda a, b: a + b, axis=1), np.cumsum([[1, 2, 3, 4, 5], [1] * 5], axis=1).astype("int32"))
    same(xp.associative_scan(x, xp.maximum, reverse=True, axis=-1), np.asarray([[5] * 5, [1] * 5], "int32"))
    with pytest.raises(ZeroDivisionError):
        xp.associative_scan(x, lambda a, b: 1 / 0)
    with pytest.raises(TypeError):
        xp.associative_scan(x, lambda a, b: a.shape)


def test_rearranging(xp):
    x = xp.asarray([1, 2, 3, 4, 5])
    assert [part.tolist() for part in xp.split(x, num_or_size_splits=[2, -1])] == [[1, 2], [3, 4, 5]]
    sizes = xp.asarray([4, 1], dtype=xp.int64)
    assert [part.tolist() for part in xp.split(x, num_or_size_splits=sizes)] == [[1, 2, 3, 4], [5]]
    top = xp.top_k(x, 2)
    assert top.values.tolist() == [5, 4] and top.indices.tolist() == [4, 3]
    assert xp.atleast_2d(x).shape == (1, 5)
    assert [y.shape for y in xp.atleast_1d(x, xp.asarray(1))] == [(5,), (1,)]
    rows, columns = xp.tril_indices(2)
    assert rows.tolist() == [0, 1, 1] and columns.tolist() == [0, 0, 1]
    assert xp.native_array([1, 2], dtype=xp.int8).dtype == xp.int8
    assert xp.one_hot(xp.asarray([1]), 2).tolist() == [[0.0, 1.0]]
    assert xp.rot90(xp.asarray([[1, 2], [3, 4]])).tolist() == [[2, 4], [1, 3]]
