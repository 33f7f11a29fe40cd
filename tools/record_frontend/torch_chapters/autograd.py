"""Derivatives: for each call the gradients of the sum of its result's elements, weighted by 1, 2, 3, ..., by the
arguments that are named. `frontends/torch/tests/gradients.rs` takes the same ones.
"""

import torch

from common import encode

from .operands import d, grid, i, t

def gradients(path, wanted, *args, **keywords):
    """The gradients by the arguments `wanted` of the weighted sum of a function's result."""
    leaves = [a.double().requires_grad_() if k in wanted else a for k, a in enumerate(args)]
    function = torch
    for name in path.split("."):
        function = getattr(function, name)
    y = function(*leaves, **keywords)
    y = y[0] if isinstance(y, tuple) else y
    weights = torch.arange(1, y.numel() + 1, dtype=torch.float64).reshape(y.shape)
    return list(torch.autograd.grad((y * weights).sum(), [leaves[k] for k in wanted]))


CALLS = [
    ("sin", [0], (d(0.5, 1.0),), {}), ("exp", [0], (d(0.5, 1.0),), {}), ("mul", [0, 1], (d(0.5, 1.0), d(2.0, 3.0)), {}), ("div", [0, 1], (d(0.5, 1.0), d(2.0, 3.0)), {}),
    ("pow", [0, 1], (d(0.5, 1.5), d(2.0, 3.0)), {}), ("matmul", [0, 1], (grid(2, 3).double(), grid(3, 2).double()), {}), ("sum", [0], (grid(2, 3).double(), 1), {}),
    ("mean", [0], (grid(2, 3).double(),), {}), ("max", [0], (d(1.0, 3.0, 2.0),), {}), ("softmax", [0], (grid(2, 3).double(), 1), {}), ("log_softmax", [0], (grid(2, 3).double(), 1), {}),
    ("nn.functional.relu", [0], (d(-1.0, 0.0, 2.0),), {}), ("nn.functional.gelu", [0], (d(-1.0, 0.0, 2.0),), {}), ("nn.functional.linear", [0, 1, 2], (grid(2, 3).double(), grid(4, 3).double(), d(1.0, 2.0, 3.0, 4.0)), {}),
    ("nn.functional.conv2d", [0, 1, 2], (grid(1, 2, 3, 3).double(), grid(2, 2, 2, 2).double(), d(0.5, 1.0)), {"padding": 1}), ("nn.functional.max_pool2d", [0], (grid(1, 1, 4, 4).double(), 2), {}),
    ("nn.functional.avg_pool2d", [0], (grid(1, 1, 4, 4).double(), 2), {}), ("nn.functional.cross_entropy", [0], (grid(2, 3).double(), i(0, 2)), {}), ("nn.functional.mse_loss", [0, 1], (grid(2, 3).double(), grid(2, 3, start=0.0).double()), {}),
    ("nn.functional.layer_norm", [0], (grid(2, 3).double(), (3,)), {}), ("nn.functional.batch_norm", [0, 3, 4], (grid(3, 2).double(), None, None, d(1.5, 0.5), d(0.25, 1.0)), {"training": True}),
    ("index_select", [0], (grid(2, 3).double(), 1, i(2, 0)), {}), ("gather", [0], (grid(2, 3).double(), 1, t([[0], [2]])), {}), ("cumsum", [0], (grid(2, 3).double(), 1), {}), ("prod", [0], (d(1.0, 2.0, 3.0),), {}),
    ("linalg.inv", [0], ((grid(2, 2) + 4 * torch.eye(2)).double(),), {}), ("linalg.det", [0], ((grid(2, 2) + 4 * torch.eye(2)).double(),), {}), ("norm", [0], (d(3.0, 4.0),), {}), ("where", [1, 2], (t([True, False]), d(1.0, 2.0), d(3.0, 4.0)), {}),
    ("transpose", [0], (grid(2, 3).double(), 0, 1), {}), ("std", [0], (d(1.0, 2.0, 4.0),), {}), ("logsumexp", [0], (grid(2, 3).double(), 1), {}), ("sort", [0], (d(3.0, 1.0, 2.0),), {}), ("clamp", [0], (d(-1.0, 0.5, 2.0), 0.0, 1.0), {}),
]


def record(r):
    for path, wanted, args, keywords in CALLS:
        value = gradients(path, wanted, *args, **keywords)
        line = {"f": path, "a": [encode(a, r.describe) for a in args], "grad": wanted, "r": encode(value, r.describe)}
        if keywords:
            line["k"] = {name: encode(v, r.describe) for name, v in keywords.items()}
        r.calls.append(line)
