"""Reductions, running sums, segments, counts and searches."""

import tensorflow as tf

from . import b1, c8, f2, f4, f8, i1, i4, i8, inf, nan, ramp, u1


def record(r):
    for name in "reduce_sum reduce_prod reduce_max reduce_min reduce_mean".split():
        x = f8([[1.5, -2.0, 3.0], [0.5, 4.0, -1.0]])
        r.call(f"math.{name}", x)
        r.call(f"math.{name}", x, 1)
        r.call(f"math.{name}", x, axis=[0, 1], keepdims=True)
        r.call(f"math.{name}", f4([[1.0, 2.0]]), axis=-1, keepdims=True)
        r.call(f"math.{name}", i4([[7, -2], [3, 4]]), 0)
        r.call(f"math.{name}", i4([-7, 2]))
        r.call(f"math.{name}", u1([200, 100]))
        r.call(f"math.{name}", f4([nan, 1.0]))
        r.call(f"math.{name}", [1.0, 2.5, 3.0])
        r.call(f"math.{name}", x, axis=2)
        r.call(f"math.{name}", b1([True, False]))
        r.call(f"math.{name}", ramp((2, 2, 3)), axis=(0, -1))
        r.call(f"math.{name}", f4(2.5))
        r.call(f"math.{name}", f2([0.5, 1.5]))
    for name in ("reduce_std", "reduce_variance", "reduce_euclidean_norm", "reduce_logsumexp"):
        x = f8([[1.5, -2.0, 3.0], [0.5, 4.0, -1.0]])
        r.call(f"math.{name}", x)
        r.call(f"math.{name}", x, axis=1, keepdims=True)
        r.call(f"math.{name}", f4([1.0, 2.0, 4.0]), axis=0)
        r.call(f"math.{name}", i4([3, 4]))
    r.call("math.reduce_logsumexp", f8([-inf, -inf]))
    r.call("math.reduce_logsumexp", f8([1000.0, 1000.0]))
    for name in ("reduce_all", "reduce_any"):
        x = b1([[True, False], [True, True]])
        r.call(f"math.{name}", x)
        r.call(f"math.{name}", x, axis=0)
        r.call(f"math.{name}", x, 1, True)
        r.call(f"math.{name}", b1([]))
        r.call(f"math.{name}", i4([1, 0]))
    searches(r)
    running(r)
    segments(r)
    counts(r)
    sorting(r)


def searches(r):
    for name in ("argmax", "argmin"):
        x = f4([[1.0, 5.0, 2.0], [7.0, 0.0, 3.0]])
        r.call(f"math.{name}", x)
        r.call(f"math.{name}", x, axis=1)
        r.call(f"math.{name}", x, -1, tf.int32)
        r.call(f"math.{name}", i4([3, 1, 3]))
        r.call(f"math.{name}", x, axis=2)
    r.call("math.top_k", f4([3.0, 1.0, 4.0, 1.5]), k=2)
    r.call("math.top_k", i4([[3, 1, 3], [0, 5, 2]]), 2)
    r.call("math.top_k", f4([1.0, 2.0]))
    r.call("math.top_k", f4([1.0, 2.0]), k=2, index_type=tf.int64)
    r.call("math.top_k", f4([1.0, 2.0]), k=3)
    r.call("math.in_top_k", i4([0, 1]), f4([[0.1, 0.9, 0.5], [0.2, 0.8, 0.3]]), 1)
    r.call("math.in_top_k", i8([2, 0]), f4([[0.1, 0.9, 0.5], [0.2, 0.8, 0.3]]), k=2)
    r.call("math.in_top_k", i4([1]), f4([[0.5, 0.5, 0.25]]), 1)
    r.call("searchsorted", f4([1.0, 3.0, 5.0]), f4([0.0, 3.0, 6.0]))
    r.call("searchsorted", i4([1, 3, 3, 5]), i4([3, 4]), side="right")
    r.call("searchsorted", f4([1.0, 2.0]), f4([1.5]), out_type=tf.int64)


def running(r):
    for name in ("cumsum", "cumprod"):
        x = f8([[1.5, 2.0, 3.0], [0.5, 4.0, -1.0]])
        r.call(f"math.{name}", x)
        r.call(f"math.{name}", x, axis=1, exclusive=True)
        r.call(f"math.{name}", x, 1, reverse=True)
        r.call(f"math.{name}", i4([1, 2, 3]), exclusive=True, reverse=True)
        r.call(f"math.{name}", i1([100, 100]))
        r.call(f"math.{name}", f4(1.0))
    r.call("math.cumulative_logsumexp", f8([0.5, 1.0, -2.0]))
    r.call("math.cumulative_logsumexp", f4([[0.5, 1.0], [2.0, 0.0]]), axis=1, reverse=True)
    r.call("math.cumulative_logsumexp", f8([[1.0], [2.0]]), axis=0)


def segments(r):
    x, ids = f4([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]), i4([0, 0, 2])
    for name in ("max", "mean", "min", "prod", "sum"):
        r.call(f"math.segment_{name}", x, i4([0, 0, 1]))
        r.call(f"math.segment_{name}", f8([1.0, 2.0, 4.0, 8.0]), i8([0, 1, 1, 2]))
        r.call(f"math.segment_{name}", x, i4([1, 0, 0]))
        r.call(f"math.unsorted_segment_{name}", x, i4([1, 0, 1]), 2)
        r.call(f"math.unsorted_segment_{name}", f8([1.0, 2.0, 4.0]), i4([1, -1, 1]), num_segments=2)
    for name in ("sum", "prod", "mean", "max", "min"):
        r.call(f"math.segment_{name}", x, ids)
        r.call(f"math.unsorted_segment_{name}", x, ids, 4)
    r.call("math.unsorted_segment_sum", i4([5, 6, 7]), i4([2, 2, 0]), 3)
    r.call("math.unsorted_segment_max", i4([5, 6, 7]), i4([2, 2, 0]), 3)
    r.call("math.unsorted_segment_sqrt_n", x, i4([1, 0, 1]), 2)
    r.call("math.unsorted_segment_sqrt_n", f8([1.0, 2.0]), i4([0, 0]), 2)
    r.call("math.unsorted_segment_sum", x, i4([0, 1]), 2)


def counts(r):
    r.call("math.count_nonzero", f4([[0.0, 1.0], [2.0, 0.0]]))
    r.call("math.count_nonzero", i4([[0, 1], [2, 0]]), axis=0, keepdims=True)
    r.call("math.count_nonzero", b1([True, False, True]), dtype=tf.int32)
    r.call("math.zero_fraction", f4([0.0, 1.0, 0.0, 3.0]))
    r.call("math.zero_fraction", i4([[0, 1]]))
    r.call("math.zero_fraction", f8([1.0]))
    r.call("math.bincount", i4([1, 1, 3]))
    r.call("math.bincount", i4([1, 1, 3]), minlength=6)
    r.call("math.bincount", i4([1, 1, 3]), weights=f4([0.5, 1.0, 2.0]))
    r.call("math.bincount", i4([1, 1, 3]), maxlength=3)
    r.call("math.bincount", i4([[0, 2], [2, 2]]), dtype=tf.int64)
    r.call("math.confusion_matrix", i4([0, 1, 2, 1]), i4([0, 2, 2, 1]))
    r.call("math.confusion_matrix", [0, 1], [1, 1], num_classes=3)
    r.call("math.confusion_matrix", i4([0, 1]), i4([1, 1]), weights=f4([0.5, 2.0]), dtype=tf.float32)
    r.call("math.is_non_decreasing", f4([1.0, 1.0, 2.0]))
    r.call("math.is_non_decreasing", i4([[1, 2], [1, 3]]))
    r.call("math.is_non_decreasing", f4([]))
    r.call("math.is_strictly_increasing", f4([1.0, 1.0, 2.0]))
    r.call("math.is_strictly_increasing", i4([1, 2, 5]))
    r.call("math.is_strictly_increasing", f4([3.0]))
    r.call("histogram_fixed_width", f4([-1.0, 0.0, 1.5, 2.0, 5.0, 15.0]), [0.0, 5.0], nbins=5)
    r.call("histogram_fixed_width_bins", f4([-1.0, 0.0, 1.5, 2.0, 5.0, 15.0]), [0.0, 5.0], nbins=5)
    r.call("histogram_fixed_width", f8([[0.5, 1.5]]), [0.0, 2.0], 4, tf.int64)
    r.call("histogram_fixed_width_bins", f4([0.5]), [0.0, 1.0])


def sorting(r):
    x = f4([[3.0, 1.0, 2.0], [0.0, 5.0, 4.0]])
    for name in ("sort", "argsort"):
        r.call(name, x)
        r.call(name, x, axis=0)
        r.call(name, x, direction="DESCENDING")
        r.call(name, i4([3, 1, 3, 2]))
        r.call(name, x, direction="UP")
    r.call("math.invert_permutation", i4([2, 0, 1]))
    r.call("math.invert_permutation", i8([1, 0]))
    r.call("math.invert_permutation", i4([0]))
    for name in ("unique", "unique_with_counts"):
        r.call(name, i4([3, 1, 3, 2, 1]))
        r.call(name, f4([2.5, 2.5]), tf.int64)
        r.call(name, i4([]))
        r.call(name, i4([[1, 2]]))
