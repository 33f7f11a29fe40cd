"""Loops and conditionals on arrays: what Python's own do to each element, on every backend."""

import numpy as np
import pytest

import ivyrs
from conftest import same


def test_a_loop_of_each_element(xp):
    x = xp.asarray([8, 3, 12])

    def body(rest, count):
        return rest // 2, count + 1

    rest, count = xp.while_loop(lambda rest, count: rest % 2 == 0, body, (x, 0))
    same(rest, np.asarray([1, 3, 3], "int32"))
    same(count, np.asarray([3, 0, 2], "int32"))
    # One variable, with and without a tuple; and by name.
    assert xp.while_loop(lambda x: x < 20, lambda x: x * 2, x).tolist() == [32, 24, 24]
    one = xp.while_loop(lambda x: x < 20, lambda x: [x * 2], [x])
    assert type(one) is tuple and one[0].tolist() == [32, 24, 24]
    named = xp.while_loop(lambda x, n: n < 4, lambda x, n: {"n": n + 1, "x": x + n}, {"x": x, "n": 0})
    assert list(named) == ["x", "n"] and named["x"].tolist() == [14, 9, 18] and int(named["n"]) == 4


def test_targets_are_shared_by_the_elements(xp):
    start = xp.asarray([8, 3, 12, 1, 6], dtype="int64")

    def body(x, counts):
        counts = xp.scatter_flat(x % 3, xp.ones_like(x), out=counts)
        return x // 2, counts

    def plain(x):
        while x > 1:
            yield x % 3
            x //= 2

    want = np.bincount([place for x in [8, 3, 12, 1, 6] for place in plain(x)], minlength=3)
    rest, counts = xp.while_loop(lambda x, counts: x > 1, body, (start, xp.zeros(3, dtype="int64")), targets=[1])
    same(counts, want.astype("int64"))
    same(rest, np.ones(5, "int64"))
    named = xp.while_loop(
        lambda x, counts: x > 1,
        lambda x, counts: {"counts": body(x, counts)[1], "x": x // 2},
        {"counts": xp.zeros(3, dtype="int64"), "x": start},
        targets=["counts"],
    )
    same(named["counts"], want.astype("int64"))
    with pytest.raises(ValueError, match="targets are of the variables 0, 1, not 2"):
        xp.while_loop(lambda x, counts: x > 1, body, (start, start), targets=[2])
    with pytest.raises(ValueError, match="targets are of the variables 'x', not 0"):
        xp.while_loop(lambda x: x > 1, lambda x: {"x": x // 2}, {"x": start}, targets=[0])


def test_functions_may_read_elements(xp):
    calls = []

    def body(x):
        calls.append(float(xp.sum(x)))
        return x + 1.0 if calls[-1] > 0 else x + 2.0

    y = xp.while_loop(lambda x: bool(xp.max(x) < 6.0), body, xp.asarray([-3.0, 1.0]))
    assert y.tolist() == [2.0, 6.0] and len(calls) >= 4


def test_turns_that_fold(xp):
    x = np.arange(12, dtype="float32") ** 2 % 7

    def body(x, iteration):
        return (xp.roll(x, 1) + xp.roll(x, -1)) * 0.5 - xp.max(x), iteration + 1

    got, iteration = xp.while_loop(lambda x, iteration: iteration < 30, body, (xp.asarray(x), 0))
    for _ in range(30):
        x = (np.roll(x, 1) + np.roll(x, -1)) * np.float32(0.5) - np.max(x)
    same(got, x)
    assert int(iteration) == 30


def test_for_loops(xp):
    x = xp.asarray([1.0, 2.0])
    assert xp.for_loop(range(3), lambda k, x: x + xp.astype(k, x.dtype), x).tolist() == [4.0, 5.0]
    assert xp.for_loop(range(9, 2, -3), lambda k, x: x * 10 + k, xp.asarray([0], dtype="int64")).tolist() == [963]
    assert xp.for_loop(range(4, 2), lambda k, x: x / 0, x).tolist() == [1.0, 2.0]
    # Entries of anything.
    pairs = [(1, "a"), (2, "b")]
    seen = []
    got = xp.for_loop(iter(pairs), lambda k, v: (seen.append(k[1]), v["x"] * k[0])[1], {"x": x})
    assert seen == ["a", "b"] and got["x"].tolist() == [2.0, 4.0]


def test_conditionals(xp):
    x = xp.asarray([4.0, -4.0, 0.0])
    assert xp.if_else(lambda x: x < 0, lambda x: -x, lambda x: xp.sqrt(x), x).tolist() == [2.0, 4.0, 0.0]
    a, b = xp.if_else(x < 0, lambda x, y: (x, y + 0 * x), lambda x, y: (y + 0 * x, x), (x, 1.0))
    assert a.tolist() == [1.0, -4.0, 1.0] and b.tolist() == [4.0, 1.0, 0.0]
    both = xp.if_else(x < 0, lambda x: {"sign": x * 0 - 1, "x": x}, lambda x: {"sign": x * 0 + 1, "x": x}, x)
    assert both["sign"].tolist() == [1.0, -1.0, 1.0]
    assert xp.if_else(lambda x: True, lambda x: x + 1, lambda x: 1 / 0, x).tolist() == [5.0, -3.0, 1.0]


def test_switches(xp):
    x = xp.asarray([4.0, 4.0, 4.0])
    branches = [xp.sqrt, lambda x: -x, xp.square]
    assert xp.switch(xp.asarray([2, 0, -2]), branches, x).tolist() == [16.0, 2.0, -4.0]
    assert xp.switch(-1, branches, x).tolist() == [16.0] * 3
    for index in (3, xp.asarray([0, 3, 0])):
        with pytest.raises(ivyrs.IndexOutOfRange, match="switch: index 3"):
            xp.switch(index, branches, x).tolist()
    for index in (0, xp.asarray([0, 0, 0])):
        with pytest.raises(ivyrs.InvalidArgument, match="switch: branches = none: one branch at least"):
            xp.switch(index, [], x)
    with pytest.raises(ivyrs.DtypeMismatch, match="switch: index is float32"):
        xp.switch(x, branches, x)


def test_exceptions(xp):
    x = xp.asarray([1.0, 2.0])
    read = lambda at: xp.try_except(lambda x: xp.take(x, xp.asarray([at])), lambda x, error: (error.index, x), (x,))
    assert read(1).tolist() == [2.0]
    assert read(2)[0] == 2
    assert xp.try_except(lambda x: 1 / 0, lambda x, error: type(error), x) is ZeroDivisionError
    with pytest.raises(KeyError):
        xp.try_except(lambda x: {}["a"], lambda x, error: {}["b"], x)


def test_what_is_wrong_has_a_name(xp):
    x = xp.asarray([1.0, 2.0])
    text = r"while_loop: variable 1 is float32 \(2,\) and becomes float64 \(2,\); its dtype and shape stay the same: give it as float32"
    with pytest.raises(ivyrs.VariableChanged, match=text):
        xp.while_loop(lambda x, y: y < 9, lambda x, y: (x, xp.astype(y, "float64")), (x, x))
    with pytest.raises(ivyrs.VariableChanged, match=r"variable 'speed' is float32 \(2,\) and becomes float32 \(1,\)") as raised:
        xp.while_loop(lambda x, speed: speed < 9, lambda x, speed: (x, speed[:1]), {"x": x, "speed": x})
    assert raised.value.variable == "speed" and raised.value.kind == "VariableChanged"
    with pytest.raises(ivyrs.VariableChanged, match="for_loop: variable 0 is float32"):
        xp.for_loop(range(3), lambda k, x: xp.sort(x)[1:], x)
    with pytest.raises(ivyrs.DtypeMismatch):
        xp.while_loop(lambda x: x, lambda x: x, x)
    with pytest.raises(TypeError, match="a dict of 'x', not of 'y'"):
        xp.while_loop(lambda x: x < 3, lambda x: {"y": x}, {"x": x})
    with pytest.raises(TypeError, match="not str"):
        xp.while_loop(lambda x: x < 3, lambda x: "no", x)

    class Own(Exception):
        pass

    def wrong(x):
        raise Own("mine")

    for f in (
        lambda: xp.while_loop(lambda x: x < 3, wrong, x),
        lambda: xp.while_loop(wrong, lambda x: x, x),
        lambda: xp.for_loop(range(2), lambda k, x: wrong(xp.sort(x)), x),
        lambda: xp.if_else(x < 0, wrong, lambda x: x, x),
        lambda: xp.switch(xp.asarray([0, 1]), [lambda x: x, wrong], x),
    ):
        with pytest.raises(Own, match="mine"):
            f()


def test_an_error_that_nobody_minds_is_not_told_later():
    # The body raises while the loop is looked at, and has another error when it runs.
    xp = ivyrs.namespace("jit")
    x = xp.asarray([1.0, 2.0])
    with pytest.raises(ivyrs.VariableChanged):
        xp.while_loop(lambda x: x < 9, lambda x: x[: int(xp.sum(x)) - 2], x)


def test_numbers_only():
    for xp in (ivyrs, ivyrs.namespace("jit:llvm")):
        i = xp.while_loop(lambda i: i < 7, lambda i: i + 2, 0)
        assert int(i) == 8 and i.__array_namespace__() is ivyrs.namespace(i.backend + (":llvm" if i.backend == "jit" else ""))


def test_identity():
    x = ivyrs.asarray([1.0])
    assert ivyrs.cmp_is(x, x) and ivyrs.cmp_isnot(x, ivyrs.asarray([1.0]))
