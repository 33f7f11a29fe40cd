"""Comparison, order, search."""

import torch

from .operands import INF, NAN, b, c, d, f, grid, i, t, whole


def record(r):
    x = grid(2, 3)
    r.call("allclose", f(1.0, 2.0), f(1.0, 2.0 + 1e-6))
    r.call("allclose", f(1.0, NAN), f(1.0, NAN))
    r.call("allclose", f(1.0, NAN), f(1.0, NAN), equal_nan=True)
    r.call("allclose", f(1.0), d(1.0))
    r.call("isclose", f(1.0, 2.0), f(1.0, 2.1))
    r.call("isclose", f(1.0, INF), f(1.5, INF), rtol=0.5)
    r.call("isclose", i(10, 11), i(10, 12), atol=1)
    r.call("equal", f(1.0, 2.0), f(1.0, 2.0))
    r.call("equal", f(1.0, 2.0), f(1.0))
    r.call("equal", f(NAN), f(NAN))
    for name in ("argsort", "sort"):
        r.call(name, f(3.0, 1.0, 2.0))
        r.call(name, x, 0)
        r.call(name, x, dim=1, descending=True)
        r.call(name, f(1.0, NAN, 0.0))
        r.call(name, t(1.0))
        r.call(name, whole(2, 2))
    r.call("argsort", i(1, 1, 0, 0), stable=True)
    r.call("sort", b(True, False))
    r.call("msort", x)
    r.call("msort", f(2.0, 1.0))
    r.call("msort", whole(2, 2))
    for name in ("isposinf", "isneginf"):
        r.call(name, f(INF, -INF, NAN))
        r.call(name, i(1))
        r.call(name, c(1j))
    r.call("isin", i(1, 2, 3), i(2, 5))
    r.call("isin", i(1, 2, 3), 3)
    r.call("isin", f(1.0, 2.0), f(2.0), invert=True)
    r.call("kthvalue", f(3.0, 1.0, 2.0), 2)
    r.call("kthvalue", x, 1, dim=0, keepdim=True)
    r.call("kthvalue", f(1.0), 2)
    r.call("topk", f(3.0, 1.0, 2.0, 5.0), 2)
    r.call("topk", x, 2, dim=1, largest=False)
    r.call("topk", whole(2, 3), 1, 0)
    r.call("topk", f(1.0), 2)
    s = f(1.0, 3.0, 5.0, 7.0)
    r.call("searchsorted", s, f(3.0, 6.0))
    r.call("searchsorted", s, f(3.0, 6.0), right=True)
    r.call("searchsorted", s, 4.0)
    r.call("searchsorted", t([[1.0, 3.0], [2.0, 4.0]]), t([[3.0], [3.0]]), side="right")
    r.call("searchsorted", s, f(3.0), out_int32=True)
    r.call("bucketize", f(3.0, 6.0), s)
    r.call("bucketize", f(3.0, 6.0), s, right=True)
    r.call("bucketize", i(3, 9), i(1, 3, 5), out_int32=True)
    for name in ("maximum", "minimum"):
        r.call(name, f(NAN, 1.0), f(0.0, NAN))
        r.call(name, c(1j), c(2j))
    for name in ("fmax", "fmin"):
        r.call(name, f(NAN, 1.0), f(0.0, NAN))
