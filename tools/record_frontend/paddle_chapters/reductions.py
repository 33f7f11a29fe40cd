"""Reductions, running sums, sorting, counts and searches."""

import paddle

from . import b1, f4, f8, i1, i4, i8, inf, nan, ramp, u1


def record(r):
    x = f8([[1.5, -2.0, 3.0], [0.5, 4.0, -1.0]])
    for name in "sum prod max min mean amax amin logsumexp".split():
        r.call(name, x)
        r.call(name, x, 1)
        r.call(name, x, axis=[0, 1], keepdim=True)
        r.call(name, f4([[1.0, 2.0]]), axis=-1, keepdim=True)
        r.call(name, i4([[7, -2], [3, 4]]), 0)
        r.call(name, x, axis=2)
    for name in ("sum", "prod", "mean", "max"):
        r.call(name, b1([True, False]))
        r.call(name, u1([200, 100]))
        r.call(name, f4(2.5))
    r.call("sum", f4([1.5, 2.5]), dtype="float64")
    r.call("sum", i4([1, 2]), dtype="int32")
    r.call("prod", f4([1.5, 2.5]), dtype="float64")
    for name in ("std", "var"):
        r.call(name, x)
        r.call(name, x, axis=1, unbiased=False)
        r.call(name, f4([1.0, 2.0, 4.0]), 0, True, True)
    for name in ("all", "any"):
        r.call(name, b1([[True, False], [True, True]]))
        r.call(name, b1([[True, False], [True, True]]), axis=0)
        r.call(name, i4([1, 0]), keepdim=True)
    for name in ("nansum", "nanmean"):
        r.call(name, f4([1.0, nan, 3.0]))
        r.call(name, f8([[1.0, nan], [2.0, 3.0]]), axis=0, keepdim=True)
        r.call(name, f8([nan]))
    for name in ("median", "nanmedian"):
        r.call(name, f4([3.0, 1.0, 2.0, 5.0]))
        r.call(name, f8([[3.0, 1.0, nan], [2.0, 5.0, 4.0]]), axis=1)
        r.call(name, f4([3.0, 1.0, 2.0, 5.0]), axis=0, keepdim=True)
        r.call(name, f4([3.0, 1.0, 2.0, 5.0]), axis=0, mode="min")
        r.call(name, f8([[3.0, 1.0, 2.0, 5.0], [1.0, nan, 0.0, 2.0]]), axis=1, mode="min")
        r.call(name, f4([[3.0, 1.0], [2.0, nan]]), mode="min", keepdim=True)
        r.call(name, f4([3.0, 1.0]), mode="max")
    for name in ("quantile", "nanquantile"):
        r.call(name, f4([3.0, 1.0, 2.0, 5.0]), 0.5)
        r.call(name, f8([[3.0, 1.0, 2.0], [2.0, 5.0, 4.0]]), [0.25, 0.5], axis=1)
        r.call(name, f8([3.0, 1.0, 2.0]), [0.3], keepdim=True)
        r.call(name, f4([3.0, 1.0, 2.0]), [])
        r.call(name, f4([3.0, 1.0, nan]), 0.3, axis=0, keepdim=True)
        r.call(name, f8([3.0, 1.0, 2.0]), 0.3, interpolation="lower")
    r.call("count_nonzero", f4([[0.0, 1.0], [2.0, 0.0]]))
    r.call("count_nonzero", i4([[0, 1], [2, 0]]), axis=0, keepdim=True)
    r.call("count_nonzero", b1([True, False]))
    searches(r)
    running(r)
    sorting(r)


def searches(r):
    x = f4([[1.0, 5.0, 2.0], [7.0, 0.0, 3.0]])
    for name in ("argmax", "argmin"):
        r.call(name, x)
        r.call(name, x, axis=1)
        r.call(name, x, -1, True, "int32")
        r.call(name, i4([3, 1, 3]))
    r.call("topk", f4([3.0, 1.0, 4.0, 1.5]), 2)
    r.call("topk", x, k=1, axis=0, largest=False)
    r.call("topk", i4([[3, 1, 3], [0, 5, 2]]), 2)
    r.call("topk", f4([1.0]), 2)
    r.call("kthvalue", f4([3.0, 1.0, 4.0]), 2)
    r.call("kthvalue", x, 1, axis=0, keepdim=True)
    r.call("kthvalue", f4([3.0]), 2)
    r.call("searchsorted", f4([1.0, 3.0, 5.0]), f4([0.0, 3.0, 6.0]))
    r.call("searchsorted", i4([1, 3, 3, 5]), i4([3, 4]), right=True)
    r.call("searchsorted", f4([1.0, 2.0]), f4([1.5]), out_int32=True)
    r.call("bucketize", f4([[0.0, 3.0], [6.0, 1.0]]), f4([1.0, 3.0, 5.0]))
    r.call("bucketize", i8([3]), i8([1, 3]), right=True)
    r.call("bucketize", f4([1.0]), f4([1.0]), out_int32=True)


def running(r):
    x = f8([[1.5, 2.0, 3.0], [0.5, 4.0, -1.0]])
    r.call("cumsum", x)
    r.call("cumsum", x, axis=1)
    r.call("cumsum", i4([1, 2]), 0)
    r.call("cumsum", f4([1.0, 2.0]), dtype="float64")
    r.call("cumprod", x, 1)
    r.call("cumprod", x, dim=0)
    r.call("cumprod", f4([1.0, 2.0]), 0, dtype="float64")
    r.call("logcumsumexp", x)
    r.call("logcumsumexp", x, axis=1)
    r.call("logcumsumexp", f4([0.5, 1.0]), 0)
    for name in ("cummax", "cummin"):
        r.call(name, f4([1.0, 3.0, 2.0, 3.0, 0.5]))
        r.call(name, f4([1.0, nan, 2.0, 3.0, nan, 0.5]))
        r.call(name, x, axis=1)
        r.call(name, i4([2, 1]), 0, "int32")
    r.call("diff", f4([1.0, 4.0, 9.0]))
    r.call("diff", i4([[1, 4], [2, 8]]), axis=0)
    r.call("diff", f8([1.0, 2.0, 4.0]), n=2, prepend=f8([0.0]))
    r.call("trapezoid", f4([1.0, 2.0, 4.0]))
    r.call("trapezoid", f8([[1.0, 2.0], [4.0, 8.0]]), dx=0.5, axis=0)
    r.call("trapezoid", f8([1.0, 2.0, 4.0]), f8([0.0, 1.0, 3.0]))


def sorting(r):
    x = f4([[3.0, 1.0, 2.0], [0.0, 5.0, 4.0]])
    for name in ("sort", "argsort"):
        r.call(name, x)
        r.call(name, x, axis=0)
        r.call(name, x, descending=True)
        r.call(name, i4([3, 1, 2]))
    r.call("msort", x)
    r.call("bincount", i4([1, 1, 3]))
    r.call("bincount", i4([1, 1, 3]), minlength=6)
    r.call("bincount", i4([1, 1, 3]), weights=f4([0.5, 1.0, 2.0]))
    r.call("histogram", f4([1.0, 2.0, 1.0]), bins=4, min=0, max=3)
    r.call("histogram", f4([1.0, 2.0, 1.0, 5.0]), bins=2)
    r.call("histogram", f8([1.0, 2.0]), 2, 0, 4, f8([0.5, 1.5]))
    r.call("histogram", f8([1.0, 2.0, 3.5]), 2, 0, 4, density=True)
    for flags in ((), (True,), (False, True), (False, False, True), (True, True, True)):
        r.call("unique", i4([3, 1, 3, 2, 1]), *flags)
    r.call("unique", f4([[2.0, 2.0], [1.0, 2.0]]))
    r.call("unique", i4([[2, 1], [2, 1], [0, 3]]), axis=0)
    r.call("unique", i4([[2, 1], [2, 1], [0, 3]]), True, True, True, axis=0)
    r.call("unique", i4([[2, 1, 2], [0, 3, 0]]), axis=1, return_counts=True)
    r.call("unique", i4([3, 1, 3]), return_index=True, dtype="int32")
    r.call("unique_consecutive", i4([1, 1, 2, 2, 1]))
    r.call("unique_consecutive", i4([1, 1, 2, 2, 1]), True, True)
    r.call("unique_consecutive", f4([[1.0, 2.0], [1.0, 2.0]]), axis=0)
    r.call("nonzero", f4([[0.0, 1.0], [2.0, 0.0]]))
    r.call("nonzero", i4([0, 1, 2]), as_tuple=True)
    r.call("nonzero", b1([[True, False]]))
    r.call("numel", x)
    r.call("numel", f4(1.0))
