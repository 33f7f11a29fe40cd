"""Random numbers: their dtypes and shapes, since the generators differ."""

import torch

from .operands import d, f, grid, i, t


def record(r):
    def shape(name, *args, **keywords):
        r.record(name, args, keywords, compare="shape")

    for name in ("rand", "randn"):
        shape(name, 2, 3)
        shape(name, (2,))
        shape(name, 1, dtype=torch.float64)
        r.call(name, 2, dtype=torch.int64)
        r.call(name, -1)
    for name in ("rand_like", "randn_like"):
        shape(name, grid(2, 2))
        shape(name, d(1.0))
        shape(name, i(1, 2), dtype=torch.float32)
        r.call(name, i(1))
    shape("randint", 10, (2, 3))
    shape("randint", 3, 5, (4,))
    shape("randint", 0, 2, (2,), dtype=torch.float32)
    r.call("randint", 3, 4, (2,))
    r.call("randint", 5, 5, (2,))
    shape("randint_like", grid(2, 2), 10)
    shape("randint_like", i(1, 2), 3, 5)
    r.call("randint_like", i(1, 2), 3, 4)
    shape("randperm", 5)
    shape("randperm", 0)
    r.call("randperm", 1, dtype=torch.int32)
    r.call("randperm", -1)
    shape("normal", 0.0, 1.0, (2, 3))
    shape("normal", f(1.0, 2.0), f(0.5, 1.0))
    shape("normal", f(1.0, 2.0), 2.0)
    shape("normal", 1.0, d(0.5, 1.0))
    r.call("normal", f(1.0), -1.0)
    r.call("bernoulli", f(0.0, 1.0))
    shape("bernoulli", d(0.5, 0.5))
    r.call("bernoulli", f(2.0))
    shape("multinomial", f(0.5, 0.25, 0.25), 2)
    r.call("multinomial", f(0.0, 1.0, 0.0), 1)
    shape("multinomial", grid(2, 3).abs() + 0.5, 4, replacement=True)
    r.call("multinomial", f(0.5, 0.5), 3)
    r.call("poisson", f(0.0, 0.0))
    shape("poisson", d(1.0, 5.0))
    r.call("poisson", i(1))
