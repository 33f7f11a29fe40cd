"""Random numbers: dtypes, shapes and refusals count, not the numbers."""

import tensorflow as tf

from . import f4, f8, i4, ramp


def record(r):
    def shape(path, *args, **keywords):
        r.record(path, args, keywords, compare="shape")

    for name in ("normal", "truncated_normal"):
        shape(f"random.{name}", [2, 3])
        shape(f"random.{name}", (4,), mean=1.0, stddev=2.0, dtype=tf.float64, seed=7)
        shape(f"random.{name}", [])
        r.call(f"random.{name}", [2], dtype=tf.int32)
    shape("random.uniform", [2, 3])
    shape("random.uniform", [3], 1.0, 2.0, tf.float64)
    shape("random.uniform", (2,), maxval=10, dtype=tf.int32)
    shape("random.uniform", (2,), -5, 10, tf.int64, 3)
    r.call("random.uniform", [2], dtype=tf.int32)
    shape("random.gamma", [3], 2.0)
    shape("random.gamma", [2], f4([0.5, 1.5]), 2.0)
    shape("random.gamma", [], alpha=f8([1.0]), dtype=tf.float64)
    shape("random.poisson", [3], 2.0)
    shape("random.poisson", [2], f4([0.5, 1.5]), tf.int32)
    shape("random.poisson", [], lam=3.0)
    shape("random.shuffle", ramp((4, 2)))
    shape("random.shuffle", i4([1, 2, 3]), seed=1)
    shape("random.shuffle", f4([1.0]))
    shape("random.categorical", ramp((2, 3)), 4)
    shape("random.categorical", ramp((1, 2)), num_samples=2, dtype=tf.int32)
    r.call("random.categorical", f4([1.0, 2.0]), 2)
    for name in ("stateless_normal", "stateless_truncated_normal", "stateless_uniform"):
        shape(f"random.{name}", [2, 2], [1, 2])
        shape(f"random.{name}", [3], seed=i4([5, 6]), dtype=tf.float64)
        r.call(f"random.{name}", [2], [1])
    shape("random.stateless_uniform", [4], [1, 2], 0, 9, tf.int32)
    shape("random.stateless_categorical", ramp((2, 3)), 4, [1, 2])
    shape("nn.dropout", ramp((4, 4)), 0.5)
    shape("nn.dropout", ramp((2, 4)), rate=0.25, noise_shape=[2, 1], seed=3)
    r.call("nn.dropout", ramp((2, 2)), 0.0)
    r.call("nn.dropout", ramp((2, 2)), 1.5)
    r.call("nn.dropout", i4([1, 2]), 0.5)
