"""Gradients at kinks: those that TensorFlow 2.21 gives, of ``(y * (1, 2, ...)).sum()`` at w = (0, 1, -1, 2, 2, -2)."""

import pytest

import ivyrs
import ivyrs.frontends.tensorflow as tf

RECORDED = [
    (lambda w: tf.clip_by_value(w, 0.0, 2.0), [1.0, 2.0, 0.0, 4.0, 5.0, 0.0]),
    (lambda w: tf.nn.relu(w), [0.0, 2.0, 0.0, 4.0, 5.0, 0.0]),
    (
        lambda w: tf.nn.sigmoid_cross_entropy_with_logits(labels=tf.ones(6), logits=w),
        [-0.5, -0.5379, -2.1932, -0.4768, -0.596, -5.2848],
    ),
    (lambda w: tf.reshape(tf.nn.max_pool1d(tf.reshape(w, (1, 6, 1)), 3, 1, "SAME"), (6,)), [0.0, 3.0, 0.0, 12.0, 6.0, 0.0]),
    (lambda w: tf.abs(w), [0.0, 2.0, -3.0, 4.0, 5.0, -6.0]),
]


@pytest.mark.parametrize("backend", ["ndarray", "jit"])
@pytest.mark.parametrize(("f", "gradient"), RECORDED)
def test_gradients_are_those_of_tensorflow(backend, f, gradient):
    with ivyrs.with_backend(backend):
        w = tf.constant([0.0, 1.0, -1.0, 2.0, 2.0, -2.0])
        with tf.GradientTape() as tape:
            tape.watch(w)
            total = tf.reduce_sum(f(w) * tf.range(1.0, 7.0))
        assert [round(float(x), 4) for x in tape.gradient(total, w).numpy().tolist()] == gradient


def test_clipped_values():
    x = tf.constant([float("nan"), -1.0, 0.5, 7.0])
    assert repr(tf.clip_by_value(x, 0.0, 2.0).numpy().tolist()) == "[nan, 0.0, 0.5, 2.0]"
    assert tf.clip_by_value(x[1:], 0, 3).numpy().tolist() == [0.0, 0.5, 3.0]
    assert tf.clip_by_value(tf.constant([1.5], dtype=tf.float64), 0, 1).dtype == tf.float64
    assert tf.clip_by_value(tf.constant([1, 5]), 0, 3).numpy().tolist() == [1, 3]
    assert tf.clip_by_value(x[1:], tf.constant([0.0, 1.0, 2.0]), 3.0).numpy().tolist() == [0.0, 1.0, 3.0]
