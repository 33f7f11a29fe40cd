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
    (lambda w: tf.maximum(w, 0.0), [1.0, 2.0, 0.0, 4.0, 5.0, 0.0]),
    (lambda w: tf.minimum(w, 1.0), [1.0, 2.0, 3.0, 0.0, 0.0, 6.0]),
    (lambda w: tf.maximum(tf.fill([6], 2.0), w), [0.0, 0.0, 0.0, 0.0, 0.0, 0.0]),
    (lambda w: tf.nn.selu(w), [1.0507, 2.1014, 1.9403, 4.2028, 5.2535, 1.4276]),
    (lambda w: tf.math.xdivy(w, w), [0.0, 0.0, 0.0, 0.0, 0.0, 0.0]),
    (lambda w: tf.math.xlogy(w, tf.abs(w)), [0.0, 2.0, 3.0, 6.7726, 8.4657, 10.1589]),
    (lambda w: tf.math.xlog1py(w, w + 1.0), [0.0, 2.8639, -3.0, 7.5452, 9.4315, float("-inf")]),
    (lambda w: tf.math.multiply_no_nan(w + 1.0, w), [1.0, 6.0, -3.0, 20.0, 25.0, -18.0]),
    (lambda w: tf.clip_by_norm(w * 0.0, 1.5), [0.0, 0.0, 0.0, 0.0, 0.0, 0.0]),
    (lambda w: tf.clip_by_norm(w, 1.5), [0.4009, 0.6586, 1.3459, 1.3172, 1.7181, 2.6917]),
    (lambda w: tf.math.polygamma(1.0, w + 3.0), [-0.1541, -0.1601, -1.2123, -0.1952, -0.2439, -14.4247]),
    (lambda w: tf.math.polygamma(tf.range(6.0), w + 3.0), [0.3949, -0.1601, 1.4818, -0.0563, 0.0613, -4356.0693]),
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
