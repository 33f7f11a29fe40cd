"""Derivatives and batches of Python's functions, on every backend: against differences, known derivatives and loops."""

from collections import namedtuple

import numpy as np
import pytest

import ivyrs

Layer = namedtuple("Layer", "weight bias")


def close(actual, expected, tolerance=1e-5):
    actual, expected = np.asarray(actual), np.asarray(expected)
    assert actual.shape == expected.shape, (actual.shape, expected.shape)
    np.testing.assert_allclose(actual, expected, rtol=tolerance, atol=tolerance)


def differences(f, x, step=1e-3):
    """Central differences of a function of a NumPy array."""
    gradient = np.zeros_like(x)
    for place in np.ndindex(x.shape):
        change = np.zeros_like(x)
        change[place] = step
        gradient[place] = (f(x + change) - f(x - change)) / (2 * step)
    return gradient


def test_grad_of_nests(xp):
    layers = [Layer(xp.asarray([[1.0, -2.0], [0.5, 3.0]]), xp.asarray([0.5, -1.0])), {"scale": xp.asarray(2.0)}]
    x = xp.asarray([[1.0, 2.0], [-1.0, 0.5], [0.0, 1.0]])

    def loss(layers, x, power=2):
        hidden = xp.tanh(x @ layers[0].weight + layers[0].bias)
        return xp.sum(hidden**power) * layers[1]["scale"]

    value, gradient = xp.value_and_grad(loss)(layers, x)
    assert type(gradient) is list and type(gradient[0]) is Layer and list(gradient[1]) == ["scale"]

    def numpy_loss(weight, bias, scale):
        return np.sum(np.tanh(np.asarray(x) @ weight + bias) ** 2) * scale

    weight, bias = (np.asarray(a).astype("float64") for a in layers[0])
    close(value, np.float32(numpy_loss(weight, bias, 2.0)))
    close(gradient[0].weight, differences(lambda w: numpy_loss(w, bias, 2.0), weight), 1e-3)
    close(gradient[0].bias, differences(lambda b: numpy_loss(weight, b, 2.0), bias), 1e-3)
    close(gradient[1]["scale"], numpy_loss(weight, bias, 1.0))
    # By several arguments, by the last one, and with keywords.
    both = xp.grad(loss, argnums=(0, -1))(layers, x)
    assert type(both) is tuple and both[1].shape == x.shape
    close(both[0][0].weight, gradient[0].weight)
    close(xp.grad(loss, argnums=1)(layers, x), both[1])
    assert not np.allclose(np.asarray(xp.grad(loss)(layers, x, power=3)[0].weight), np.asarray(gradient[0].weight))


def test_numbers_and_orders(xp):
    assert float(xp.grad(lambda x: x**3)(2.0)) == 12.0
    third = xp.grad(xp.grad(xp.grad(lambda x: x**4)))
    assert float(third(xp.asarray(2.0))) == 48.0
    x = xp.asarray(3.0)
    assert float(xp.grad(lambda x: x * xp.stop_gradient(x))(x)) == 3.0
    kept = xp.stop_gradient({"a": [x, 1]})
    assert kept["a"][0].tolist() == 3.0 and kept["a"][1] == 1
    # A constant function, and one that makes arrays by itself.
    assert float(xp.grad(lambda x: 5.0)(x)) == 0.0
    assert xp.grad(lambda x: xp.sum(xp.ones((2, 3)) * x + xp.zeros_like(x)))(x).tolist() == 6.0
    assert xp.grad(lambda x: xp.sum(xp.asarray(x) * xp.asarray([1.0, 2.0])))(x).tolist() == 3.0


def test_what_is_besides_the_value(xp):
    x = xp.asarray([1.0, 2.0])

    def f(x):
        return xp.sum(x * x), {"double": x * 2, "count": xp.asarray(3), "name": "f"}

    (value, aux), gradient = xp.value_and_grad(f, has_aux=True)(x)
    assert float(value) == 5.0 and gradient.tolist() == [2.0, 4.0]
    assert aux["double"].tolist() == [2.0, 4.0] and int(aux["count"]) == 3 and aux["name"] == "f"
    gradient, aux = xp.grad(f, has_aux=True)(x)
    assert gradient.tolist() == [2.0, 4.0] and np.asarray(aux["double"]).tolist() == [2.0, 4.0]


def test_reverse_and_forward(xp):
    a, b = xp.asarray([1.0, 2.0]), xp.asarray([3.0, 5.0])

    def f(a, b):
        return {"product": a * b, "sum": xp.sum(a)}

    results, back = xp.vjp(f, a, b)
    assert results["product"].tolist() == [3.0, 10.0] and float(results["sum"]) == 3.0
    of_a, of_b = back({"product": xp.asarray([1.0, 10.0]), "sum": 100.0})
    assert of_a.tolist() == [103.0, 150.0] and of_b.tolist() == [1.0, 20.0]
    assert back({"sum": xp.asarray(0.0), "product": b})[1].tolist() == [3.0, 10.0]
    results, changes = xp.jvp(f, (a, b), (xp.asarray([1.0, 0.0]), xp.asarray([0.0, 1.0])))
    assert results["product"].tolist() == [3.0, 10.0]
    assert changes["product"].tolist() == [3.0, 2.0] and float(changes["sum"]) == 1.0


def test_jacobians(xp):
    x, scale = xp.asarray([1.0, 2.0, 3.0]), {"s": xp.asarray([2.0])}
    f = lambda x, scale: (x[:2] * x[1:] * scale["s"], xp.sum(x))
    first, total = xp.jacobian(f)(x, scale)
    assert first.tolist() == [[4.0, 2.0, 0.0], [0.0, 6.0, 4.0]] and total.tolist() == [1.0] * 3
    by_both = xp.jacobian(f, argnums=(0, 1))(x, scale)
    assert by_both[0][1]["s"].tolist() == [[2.0], [6.0]] and by_both[1][1]["s"].tolist() == [0.0]
    assert xp.hessian(lambda x: xp.prod(x))(x).tolist() == [[0.0, 3.0, 2.0], [3.0, 0.0, 1.0], [2.0, 1.0, 0.0]]
    blocks = xp.hessian(lambda p: p["a"] * p["b"] ** 2)({"a": xp.asarray(2.0), "b": xp.asarray(3.0)})
    assert float(blocks["a"]["b"]) == 6.0 and float(blocks["b"]["b"]) == 4.0 and float(blocks["a"]["a"]) == 0.0


def test_batches(xp):
    matrices = xp.asarray(np.arange(24, dtype="float32").reshape(4, 2, 3))
    vectors = xp.asarray(np.arange(12, dtype="float32").reshape(3, 4) - 5)
    product = xp.vmap(lambda m, v: m @ v, in_axes=(0, 1))(matrices, vectors)
    close(product, np.stack([np.asarray(matrices)[i] @ np.asarray(vectors)[:, i] for i in range(4)]))
    # Nests, arguments that are the same for all, places of the results.
    f = lambda p, x, n: {"y": p["w"] * x + n, "z": (xp.sum(x), p["b"])}
    got = xp.vmap(f, in_axes=({"w": None, "b": 0}, 0, None), out_axes={"y": 1, "z": (0, 0)})(
        {"w": xp.asarray([1.0, 2.0, 3.0]), "b": xp.asarray([5.0, 6.0])}, vectors[:, :2].T, 2
    )
    assert got["y"].shape == (3, 2) and got["z"][1].tolist() == [5.0, 6.0]
    close(got["y"], (np.asarray([[1.0], [2.0], [3.0]]) * np.asarray(vectors)[:, :2] + 2).astype("float32"))
    # Within each other, and with derivatives in each order.
    x = xp.asarray([1.0, 2.0, 3.0])
    assert xp.vmap(xp.vmap(lambda a, b: a * b, (0, None)), (None, 0))(x, x).tolist() == np.outer([1, 2, 3], [1, 2, 3]).tolist()
    assert xp.vmap(xp.grad(lambda x: x**3))(x).tolist() == [3.0, 12.0, 27.0]
    assert xp.grad(lambda x: xp.sum(xp.vmap(lambda x: x**3)(x)))(x).tolist() == [3.0, 12.0, 27.0]
    weights = xp.asarray([1.0, -1.0, 2.0])
    loss = lambda w, x: xp.sum((w * x) ** 2)
    each = xp.vmap(xp.grad(loss), in_axes=(None, 0))(weights, xp.asarray([[1.0, 2.0, 3.0], [0.0, 1.0, 0.0]]))
    assert each.tolist() == [[2.0, -8.0, 36.0], [0.0, -2.0, 0.0]]


def test_rules_of_ones_own(xp):
    calls = []

    def forward(x, y):
        calls.append("forward")
        return x * y, {"x": x}

    def backward(kept, cotangents):
        calls.append("backward")
        return cotangents * 100.0, kept["x"] * cotangents

    f = xp.custom_vjp(lambda x, y: x * y, forward, backward)
    x, y = xp.asarray(2.0), xp.asarray(3.0)
    assert float(f(x, y)) == 6.0 and calls == []
    assert [float(g) for g in xp.grad(f, argnums=(0, 1))(x, y)] == [100.0, 2.0] and calls == ["forward", "backward"]
    assert xp.vmap(xp.grad(f), in_axes=(0, None))(xp.asarray([1.0, 2.0]), y).tolist() == [100.0, 100.0]
    with pytest.raises(ivyrs.NotTransformable):
        xp.jvp(f, (x, y), (x, y))
    # Of one argument, without a tuple.
    clipped = xp.custom_vjp(lambda x: x, lambda x: (x, ()), lambda kept, c: xp.clip(c, -1.0, 1.0))
    assert float(xp.grad(lambda x: clipped(x) * 7.0)(x)) == 1.0

    g = xp.custom_jvp(lambda x: xp.floor(x), lambda primals, tangents: (xp.floor(primals[0]), tangents[0] * 5.0))
    assert float(g(xp.asarray(2.5))) == 2.0
    assert float(xp.jvp(g, (x,), (x,))[1]) == 10.0 and float(xp.grad(g)(x)) == 5.0


def test_checkpoints(xp):
    calls = []

    def block(x, scale):
        calls.append(1)
        return xp.sin(xp.exp(x) * scale)

    x = xp.asarray([0.25, -1.0])
    expected = xp.grad(lambda x: xp.sum(block(x, 2.0)))(x)
    once = len(calls)
    got = xp.grad(lambda x: xp.sum(xp.checkpoint(block)(x, 2.0)))(x)
    assert len(calls) - once == 2 * once
    close(got, expected)


def test_complex_numbers(xp):
    z = xp.asarray([1 + 2j, -3j], dtype="complex64")
    gradient = xp.grad(lambda z: xp.sum(xp.real(z) ** 2 + xp.imag(z)))(z)
    assert gradient.tolist() == [2 - 1j, -1j]


def test_what_is_wrong_has_a_name(xp):
    x = xp.asarray([1.0, 2.0])
    with pytest.raises(ivyrs.ShapeMismatch, match="grad"):
        xp.grad(lambda x: x)(x)
    with pytest.raises(ivyrs.WrongDtypeKind):
        xp.grad(lambda x: xp.sum(x))(xp.asarray([1, 2]))
    with pytest.raises(ivyrs.WrongDtypeKind, match="grad"):
        xp.grad(lambda x: xp.argmax(x))(x)
    for argnums in (1, -2, True, "0", (0, 5)):
        with pytest.raises(ivyrs.InvalidArgument, match="argnums"):
            xp.grad(lambda x: xp.sum(x), argnums=argnums)(x)
    _, back = xp.vjp(lambda x: {"y": x * 2}, x)
    with pytest.raises(TypeError, match="a dict of 'y'"):
        back({"z": x})
    with pytest.raises(TypeError, match="an array is needed"):
        back({"y": None})
    with pytest.raises(ivyrs.ShapeMismatch):
        back({"y": x[:1]})
    with pytest.raises(ivyrs.DtypeMismatch):
        back({"y": xp.astype(x, "float64")})
    with pytest.raises(TypeError, match="a tuple of 1"):
        xp.jvp(lambda x: x, (x,), (x, x))
    with pytest.raises(TypeError, match="needs a function"):
        xp.vmap(x)
    with pytest.raises(TypeError, match="pair"):
        xp.grad(lambda x: xp.sum(x), has_aux=True)(x)
    with pytest.raises(ivyrs.ShapeMismatch):
        xp.vmap(lambda a, b: a + b)(x, xp.asarray([1.0]))
    with pytest.raises(ivyrs.AxisOutOfRange):
        xp.vmap(lambda a: a, in_axes=1)(x)
    with pytest.raises(TypeError, match="in_axes"):
        xp.vmap(lambda a: a, in_axes=(0, 0))(x)
    with pytest.raises(ivyrs.InvalidArgument):
        xp.vmap(lambda a: a, in_axes=None)(x)
    with pytest.raises(ivyrs.NotTransformable):
        xp.vmap(lambda a: a if a > 1 else -a)(x)

    class Own(Exception):
        pass

    def wrong(*_):
        raise Own("mine")

    for f in (
        lambda: xp.grad(wrong)(x),
        lambda: xp.grad(xp.grad(wrong))(x),
        lambda: xp.vmap(wrong)(x),
        lambda: xp.jacobian(wrong)(x),
        lambda: xp.jvp(wrong, (x,), (x,)),
        lambda: xp.grad(xp.custom_vjp(lambda x: x, wrong, wrong))(x),
        lambda: xp.grad(lambda x: xp.sum(xp.custom_vjp(lambda x: x, lambda x: (x, x), wrong)(x)))(x),
        lambda: xp.grad(lambda x: xp.sum(xp.custom_jvp(lambda x: x, wrong)(x)))(x),
        lambda: xp.checkpoint(wrong)(x),
    ):
        with pytest.raises(Own, match="mine"):
            f()


def test_namespaces_within(xp):
    seen = []

    def f(x):
        seen.append(x.__array_namespace__())
        return xp.sum(x)

    xp.grad(f)(xp.asarray([1.0]))
    xp.vmap(f)(xp.asarray([[1.0]]))
    assert seen == [xp, xp]


@pytest.mark.leaks
def test_nothing_is_left(xp):
    x = xp.asarray([1.0, 2.0])
    xp.grad(xp.checkpoint(lambda x: xp.sum(x * x)))(x)
    _, back = xp.vjp(lambda x: x * x, x)
    back(x)
    xp.vmap(xp.grad(lambda x: x**2))(x)


def test_execute_with_gradients(xp):
    x = xp.asarray([[1, 4, 6], [2, 6, 9]])
    value, gradient = xp.execute_with_gradients(lambda x: xp.mean(xp.square(x)), x)
    assert float(value) == 29.0 and gradient.dtype == xp.float32
    close(gradient, np.asarray(x) / np.float32(3))
    xs = [xp.asarray(2.0), {"b": xp.asarray(3.0), "c": (xp.asarray(5.0), "text")}]

    def func(xs):
        a, b, c = xs[0], xs[1]["b"], xs[1]["c"][0]
        return a * b, {"products": [b * c, a]}

    # The first of the result by the first of the argument; what is not chosen is left out.
    value, gradient = xp.execute_with_gradients(func, xs)
    assert type(value) is tuple and float(value[0]) == 6.0 and gradient == [3.0]
    _, gradient = xp.execute_with_gradients(func, xs, xs_grad_idxs=[[1]], ret_grad_idxs=[[1, "products", 0]])
    assert gradient == [{"b": 5.0, "c": (3.0,)}]
    _, gradients = xp.execute_with_gradients(func, xs, xs_grad_idxs=((0,), (1, "b")), ret_grad_idxs=None)
    assert gradients == {"0": [3.0, {"b": 2.0}], "1_products_0": [0.0, {"b": 5.0}], "1_products_1": [1.0, {"b": 0.0}]}
    # Of a dict, as of an array, the default is all of it.
    _, gradient = xp.execute_with_gradients(lambda x: x["a"] * x["b"], {"a": xp.asarray(2.0), "b": xp.asarray([3.0])})
    assert gradient["a"] == 3.0 and gradient["b"].tolist() == [2.0]


def test_gradients_are_constants_unless_retained(xp):
    def slope(x, retain):
        return xp.execute_with_gradients(lambda x: x**3, x, retain_grads=retain)[1]

    assert float(xp.grad(lambda x: slope(x, True))(xp.asarray(2.0))) == 12.0
    assert float(xp.grad(lambda x: slope(x, False))(xp.asarray(2.0))) == 0.0
    x = xp.asarray([1.0, 2.0])
    for func, given, error in [
        (xp.square, {}, ivyrs.ShapeMismatch),
        (lambda x: xp.any(x > 0), {}, ivyrs.WrongDtypeKind),
        (xp.sum, {"xs_grad_idxs": ((1,),)}, ivyrs.InvalidArgument),
        (xp.sum, {"ret_grad_idxs": ((0, 0),)}, ivyrs.InvalidArgument),
    ]:
        with pytest.raises(error):
            xp.execute_with_gradients(func, x, **given)
    with pytest.raises(ivyrs.WrongDtypeKind):
        xp.execute_with_gradients(lambda x: xp.sum(xp.astype(x, xp.float32)), x > 1)
    with pytest.raises(TypeError):
        xp.execute_with_gradients(None, x)
