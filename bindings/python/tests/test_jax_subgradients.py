"""Gradients of rectifiers at their kinks: those that JAX 0.10.2 gives, of ``(y * (1, 2, ...)).sum()`` at w = (0, 1, -1, 2, 2, -2)."""

import pytest

import ivyrs
import ivyrs.frontends.jax as jax

jnp = jax.numpy

RECORDED = [
    (lambda w: jax.nn.relu(w), [0.0, 2.0, 0.0, 4.0, 5.0, 0.0]),
    (lambda w: jax.nn.relu6(w * 3), [0.0, 6.0, 0.0, 0.0, 0.0, 0.0]),
    (lambda w: jax.nn.hard_swish(w * 3), [1.5, 6.0, 0.0, 12.0, 15.0, 0.0]),
    (lambda w: jax.nn.hard_sigmoid(w * 3), [0.5, 0.0, 0.0, 0.0, 0.0, 0.0]),
    (lambda w: jax.nn.hard_tanh(w), [1.0, 2.0, 3.0, 0.0, 0.0, 0.0]),
    (lambda w: jnp.clip(w, 0, 2), [0.5, 2.0, 0.0, 2.0, 2.5, 0.0]),
    (lambda w: jnp.maximum(w, 1.0), [0.0, 1.0, 0.0, 4.0, 5.0, 0.0]),
]


@pytest.mark.parametrize("backend", ["ndarray", "jit"])
@pytest.mark.parametrize(("f", "gradient"), RECORDED)
def test_gradients_are_those_of_jax(backend, f, gradient):
    with ivyrs.with_backend(backend):
        w = jnp.array([0.0, 1.0, -1.0, 2.0, 2.0, -2.0])
        found = jax.grad(lambda w: (f(w) * jnp.arange(1.0, 7.0)).sum())(w)
        assert [round(float(x), 4) for x in found.tolist()] == gradient


def test_rectified_values():
    x = jnp.array([float("nan"), -1.0, 0.0, 7.0])
    assert repr(jax.nn.relu(x).tolist()) == "[nan, 0.0, 0.0, 7.0]"
    assert repr(jax.nn.relu6(x).tolist()) == "[nan, 0.0, 0.0, 6.0]"
    assert str(jax.nn.relu(jnp.array([-1, 2])).dtype) == "int32"
