"""Activations."""

import torch

from .operands import INF, NAN, c, f, grid, i, t

PLAIN = ["relu", "hardswish", "relu6", "selu", "logsigmoid", "tanhshrink", "softsign", "tanh", "sigmoid", "hardsigmoid", "silu", "mish"]
WITH = {
    "hardtanh": [{}, {"min_val": -0.5, "max_val": 2.0}], "elu": [{}, {"alpha": 0.5}], "celu": [{}, {"alpha": 0.5}],
    "leaky_relu": [{}, {"negative_slope": 0.2}], "hardshrink": [{}, {"lambd": 1.0}], "softshrink": [{}, {"lambd": 1.0}],
    "softplus": [{}, {"beta": 2, "threshold": 1.0}], "gelu": [{}, {"approximate": "tanh"}, {"approximate": "other"}],
    "threshold": [{"threshold": 0.5, "value": 20.0}, {"threshold": -1, "value": 0}], "glu": [{"dim": 0}, {"dim": 1}],
    "softmax": [{"dim": 1}, {"dim": 0, "dtype": torch.float64}], "softmin": [{"dim": 1}, {"dim": 0}], "log_softmax": [{"dim": 1}, {"dim": 0}],
    "normalize": [{}, {"p": 1.0, "dim": 0}, {"eps": 10.0}],
}


def record(r):
    x = grid(2, 4)
    for name in PLAIN:
        path = f"nn.functional.{name}"
        r.call(path, x)
        r.call(path, torch.tensor([-30.0, -0.0, 30.0], dtype=torch.float64))
        r.call(path, f(NAN, INF, -INF))
        r.call(path, i(1, 2))
    for name, keywords in WITH.items():
        path = f"nn.functional.{name}"
        for given in keywords:
            r.call(path, x, **given)
            r.call(path, x.double().flip(0), **given)
        r.call(path, i(1, 2), **keywords[0])
    r.call("nn.functional.prelu", x, f(0.25))
    r.call("nn.functional.prelu", x, f(0.25, 0.5, 1.0, 2.0))
    r.call("nn.functional.prelu", x, f(0.25, 0.5))
    r.call("nn.functional.rrelu", x)
    r.call("nn.functional.rrelu", x, lower=0.5, upper=1.0)
    r.record("nn.functional.rrelu", (x,), {"training": True}, compare="shape")
    for keywords in ({}, {"tau": 0.5}, {"hard": True, "dim": 0}):
        r.record("nn.functional.gumbel_softmax", (x,), keywords, compare="shape")
