"""Faults of derivatives and of ``vmap`` that comparing with JAX and PyTorch found, as Python meets them, by their numbers."""

import math

import numpy as np
import pytest

import ivyrs


@pytest.fixture
def a(xp):
    return lambda value: xp.asarray(value, dtype="float64")


def test_d1_constants_meet_traced_arrays(xp, a):
    table = a([1.0, 2.0, 4.0])
    assert xp.vmap(lambda i: table[i])(xp.asarray([2, 0])).tolist() == [4.0, 1.0]

    def written(v):
        y = xp.zeros((3,), dtype="float64")
        y[1] = v
        y[xp.asarray([True, False, False])] = v
        return xp.sum(y)

    def added(v):
        y = xp.zeros((), dtype="float64")
        y += v
        y *= 3.0
        return y

    def parts(v):
        y = xp.zeros((2,), dtype="float64")
        y[0] += v
        return xp.sum(y)

    assert float(xp.grad(written)(a(2.0))) == 2.0
    assert float(xp.grad(added)(a(2.0))) == 3.0
    assert float(xp.grad(parts)(a(2.0))) == 1.0
    assert xp.vmap(written)(a([1.0, 2.0])).tolist() == [2.0, 4.0]
    assert float(xp.grad(lambda v: xp.for_loop(range(3), lambda k, s: (s[0] * v,), (a(1.0),))[0])(a(2.0))) == 12.0
    doubling = lambda v: xp.while_loop(lambda y: y < 10.0, lambda y: y * v, a(1.0))  # noqa: E731
    assert xp.vmap(doubling)(a([2.0, 3.0])).tolist() == [16.0, 27.0]
    assert float(xp.grad(lambda v: xp.switch(xp.asarray(0), [xp.sin, xp.cos], v))(a(0.0))) == 1.0
    assert xp.jacobian(lambda v: xp.set_item(xp.zeros((2,), dtype="float64"), xp.asarray(1), v))(a(3.0)).tolist() == [0.0, 1.0]


@pytest.mark.parametrize(
    ("read", "function"),
    [
        (lambda xp, x: float(x), "float"),
        (lambda xp, x: complex(x), "complex"),
        (lambda xp, x: x.item(), "item"),
        (lambda xp, x: x.tolist(), "tolist"),
        (lambda xp, x: math.sin(x), "float"),
        (lambda xp, x: np.asarray(x), "__array__"),
        (lambda xp, x: np.from_dlpack(x), "__dlpack__"),
        (lambda xp, x: memoryview(x), "__buffer__"),
        (lambda xp, x: xp.asarray([x, x]), "asarray"),
        (lambda xp, x: xp.interpolate(xp.ones((1, 1, 3)), None, scale_factor=x), "interpolate"),
    ],
)
def test_d2_a_traced_array_is_not_read(xp, a, read, function):
    def f(x):
        read(xp, x)
        return x * 1.0

    for transformed in (xp.grad(f), lambda x: xp.jvp(f, (x,), (x,))):
        with pytest.raises(ivyrs.IvyError, match=f"{function}: a derivative is taken by") as told:
            transformed(a(1.0))
        assert isinstance(told.value, TypeError) and told.value.kind == "TracedRead" and told.value.function == function
        assert "stop_gradient" in str(told.value)


def test_d2_decisions_and_constants_are_read(xp, a):
    assert float(xp.grad(lambda x: -x if x < 0 else x)(a(-2.0))) == -1.0
    assert float(xp.grad(lambda x: x * int(x) if bool(x) else x)(a(2.5))) == 2.0
    assert float(xp.grad(lambda x: x * float(xp.stop_gradient(x)))(a(3.0))) == 3.0


@pytest.mark.parametrize(
    ("call", "at"),
    [
        (lambda xp, p: xp.leaky_relu(xp.asarray(-2.0, dtype="float64"), alpha=p), 0.5),
        (lambda xp, p: xp.elu(xp.asarray(-0.5, dtype="float64"), alpha=p), 0.5),
        (lambda xp, p: xp.softplus(xp.asarray(0.5, dtype="float64"), beta=p), 1.5),
        (lambda xp, p: xp.hardtanh(xp.asarray(3.0, dtype="float64"), max_val=p), 2.0),
        (lambda xp, p: xp.nan_to_num(xp.asarray(math.nan, dtype="float64"), nan=p), 2.0),
        (lambda xp, p: xp.huber_loss(xp.asarray(0.0, dtype="float64"), xp.asarray(3.0, dtype="float64"), delta=p), 1.5),
        (lambda xp, p: xp.smooth_l1_loss(xp.asarray(0.1, dtype="float64"), xp.asarray(0.0, dtype="float64"), beta=p), 0.5),
        (lambda xp, p: xp.sum(xp.clip_vector_norm(xp.asarray([3.0, 4.0], dtype="float64"), p)), 2.0),
        (lambda xp, p: xp.linalg.vector_norm(xp.asarray([3.0, 4.0], dtype="float64"), ord=p), 2.5),
        (lambda xp, p: xp.sum(xp.lp_normalize(xp.asarray([3.0, 4.0], dtype="float64"), p=p)), 2.5),
        (lambda xp, p: xp.sum(xp.dropout(xp.ones((40,), dtype="float64"), p, seed=3)), 0.25),
        (lambda xp, p: xp.quantile(xp.asarray([1.0, 2.0, 4.0], dtype="float64"), p), 0.6),
    ],
)
def test_d2_numbers_of_formulas_differentiate(xp, a, call, at):
    step = 1e-5
    wanted = (float(call(xp, a(at + step))) - float(call(xp, a(at - step)))) / (2 * step)
    assert wanted != 0.0
    assert float(xp.grad(lambda p: call(xp, p))(a(at))) == pytest.approx(wanted, rel=1e-5)
    mapped = xp.vmap(lambda p: call(xp, p))(a([at, at]))
    assert mapped.tolist() == pytest.approx([float(call(xp, a(at)))] * 2, rel=1e-12)


def test_d2_numbers_in_arrays_are_checked(xp, a):
    x = a(0.5)
    for wrong in (lambda p: xp.softplus(x, beta=p), lambda p: xp.huber_loss(x, x, delta=p), lambda p: xp.dropout(x, p)):
        for given in (-1.0, a(-1.0)):
            with pytest.raises(ivyrs.IvyError, match="-1"):
                wrong(given)
    with pytest.raises(TypeError, match=r"leaky_relu\(\): alpha cannot be an array of float64 and shape \(2,\); a number can"):
        xp.leaky_relu(x, alpha=a([1.0, 2.0]))


def test_axes_and_lengths_that_are_none(xp, a):
    x = a([1.0, 2.0])
    for axes, name in (((0, 1), "tuple"), ("a", "str"), (0.5, "float")):
        with pytest.raises(TypeError, match=rf"vmap\(\): out_axes: an axis is a whole number or None, not {name}"):
            xp.vmap(lambda x: x, out_axes=axes)(x)
    with pytest.raises(TypeError, match=r"vmap\(\): in_axes"):
        xp.vmap(lambda x: x, in_axes="a")(x)
    for wrong in (-1, 2**70):
        with pytest.raises(ValueError, match=rf"scan\(\): length is from 0 to 2\*\*63 - 1, not {wrong}"):
            xp.scan(lambda c, _: (c, c), x, length=wrong)
    with pytest.raises(TypeError, match=r"scan\(\): length is a whole number, not 'a'"):
        xp.scan(lambda c, _: (c, c), x, length="a")
    for name in ("jacobian", "jacrev", "jacfwd"):
        with pytest.raises(ivyrs.IvyError, match=name):
            getattr(xp, name)(lambda x: x * 2)(xp.asarray([1, 2]))


def test_d2_what_is_no_nest_is_named(xp, a):
    class Point:
        w = 1.0

    for value, where in ((Point(), "argument 0 is"), ({"a": [1.0, Point()]}, r"argument 0 at \['a'\]\[1\] is")):
        with pytest.raises(TypeError, match=f"grad\\(\\): {where} .*Point"):
            xp.grad(lambda p: a(1.0))(value)
        with pytest.raises(TypeError, match="vjp"):
            xp.vjp(lambda p: a(1.0), value)


def test_d3_branches_leak_nothing(xp, a):
    f = xp.grad(lambda x: xp.if_else(lambda x: x < 0, lambda x: -x, xp.sqrt, x))
    assert float(f(a(-1.2))) == -1.0
    assert xp.vmap(f)(a([-1.2, 4.0])).tolist() == [-1.0, 0.25]
    found = xp.grad(lambda x: xp.sum(xp.while_loop(lambda x: x > 0.1, lambda x: xp.sqrt(x) - 0.3, x)))(a([-1.0, 2.0]))
    assert found.tolist()[0] == 1.0 and found.tolist()[1] == pytest.approx(0.047, abs=1e-3)


def test_d13_results_without_a_batch(xp, a):
    f = xp.vmap(lambda x: {"square": x * x, "same": a(7.0)}, out_axes={"square": 0, "same": None})
    found = f(a([1.0, 2.0]))
    assert found["square"].tolist() == [1.0, 4.0] and found["same"].shape == () and float(found["same"]) == 7.0
    assert xp.vmap(lambda x: x, out_axes=1)(a([[1.0, 2.0], [3.0, 4.0]])).tolist() == [[1.0, 3.0], [2.0, 4.0]]
    with pytest.raises(ivyrs.IvyError, match="out_axes"):
        xp.vmap(lambda x: x * x, out_axes=None)(a([1.0, 2.0]))


def test_d14_printing_inside(xp, a):
    seen = []

    def f(x):
        seen.append((repr(x), str(x), f"{x}"))
        return x

    xp.vmap(f)(a([1.0, 2.0]))
    xp.grad(f)(a(3.0))
    text = "[1. 2.] (all 2 entries of vmap)"
    assert seen[0] == ("Array([1., 2.], dtype=float64) (all 2 entries of vmap)", text, text)
    assert seen[1] == ("Array(3., dtype=float64)", "3.0", "3.0")
    assert xp.grad(lambda x: x * len(f"{x:.3f}"))(a(2.0)).tolist() == 5.0


def test_d15_each_entry_draws(xp):
    drawn = xp.vmap(lambda x: x + xp.random_uniform())(xp.zeros(3)).tolist()
    assert len(set(drawn)) == 3
    rows = np.asarray(xp.vmap(lambda x: xp.dropout(x, 0.5))(xp.ones((32, 16))))
    assert (rows != rows[0]).any()
    same = np.asarray(xp.vmap(lambda x: xp.dropout(x, 0.5, seed=3))(xp.ones((32, 16))))
    assert (same == same[0]).all()


def test_d16_modes_of_jacobians(xp, a):
    cube = xp.custom_vjp(lambda x: x**3, lambda x: (x**3, x), lambda x, c: 3 * x * x * c)
    f = lambda x: xp.stack([cube(x), cube(x)])  # noqa: E731
    x = a([1.0, 2.0])
    wanted = [[[3.0, 0.0], [0.0, 12.0]]] * 2
    assert xp.jacobian(f)(x).tolist() == wanted and xp.jacrev(f)(x).tolist() == wanted
    with pytest.raises(ivyrs.IvyError, match="forward rule"):
        xp.jacfwd(f)(x)
    assert xp.jacfwd(lambda x: x * xp.flip(x))(x).tolist() == [[2.0, 1.0], [2.0, 1.0]]
    derivative, aux = xp.jacobian(lambda x: (x * x, {"sum": xp.sum(x), "name": "f"}), has_aux=True)(x)
    assert derivative.tolist() == [[2.0, 0.0], [0.0, 4.0]] and float(aux["sum"]) == 3.0 and aux["name"] == "f"
    assert xp.hessian(lambda x: xp.sum(x**3))(x).tolist() == [[6.0, 0.0], [0.0, 12.0]]
    assert xp.hessian(lambda x: x**3)(x).tolist() == [[[6.0, 0.0], [0.0, 0.0]], [[0.0, 0.0], [0.0, 12.0]]]


def test_d16_linearize_and_what_is_besides(xp, a):
    value, along = xp.linearize(lambda x, y: x * xp.sin(y), a(2.0), a(0.0))
    assert float(value) == 0.0 and float(along(a(1.0), a(1.0))) == 2.0 and float(along(a(5.0), a(0.0))) == 0.0
    value, back, aux = xp.vjp(lambda x: (x * x, ["more", x]), a(3.0), has_aux=True)
    assert float(value) == 9.0 and float(back(a(1.0))[0]) == 6.0 and aux[0] == "more" and float(aux[1]) == 3.0
    value, change, aux = xp.jvp(lambda x: (x * x, x + 1), (a(3.0),), (a(1.0),), has_aux=True)
    assert (float(value), float(change), float(aux)) == (9.0, 6.0, 4.0)
    with pytest.raises(TypeError, match="has_aux"):
        xp.vjp(lambda x: x, a(3.0), has_aux=True)


def test_d16_scan(xp, a):
    def step(carry, x):
        carry = {"sum": carry["sum"] + x}
        return carry, (carry["sum"], x * 2)

    last, (sums, doubled) = xp.scan(step, {"sum": a(0.0)}, a([1.0, 2.0, 3.0]))
    assert float(last["sum"]) == 6.0 and sums.tolist() == [1.0, 3.0, 6.0] and doubled.tolist() == [2.0, 4.0, 6.0]
    _, (back, _) = xp.scan(step, {"sum": a(0.0)}, a([1.0, 2.0, 3.0]), reverse=True)
    assert back.tolist() == [6.0, 5.0, 3.0]
    count, _ = xp.scan(lambda n, _: (n + 1, None), a(0.0), length=4)
    assert float(count) == 4.0
    total = lambda x: xp.sum(xp.scan(lambda c, x: (c * x, c * x), a(1.0), x)[1])  # noqa: E731
    assert xp.grad(total)(a([2.0, 3.0])).tolist() == [4.0, 2.0]
    assert xp.vmap(total)(a([[2.0, 3.0], [1.0, 1.0]])).tolist() == [8.0, 2.0]
    with pytest.raises(TypeError, match="a pair"):
        xp.scan(lambda c, x: c, a(0.0), a([1.0]))
    with pytest.raises(ivyrs.IvyError, match="length"):
        xp.scan(lambda c, _: (c, c), a(0.0))
