"""Records how PyTorch prints tensors: python tools/record_torch_printing.py FILE, in an environment with PyTorch 2.13.

Each line of FILE is JSON: the nested elements (complex numbers as pairs in "complex"), dtype, shape, print options, and PyTorch's text.
"""

import json
import math
import random
import sys

import torch

KINDS = [
    lambda r: r.choice([1.0, 2.0, -3.0, 0.0, 1000.0, 10000.0, 1e9, 123456.0]),
    lambda r: r.uniform(-1, 1) * 10 ** r.randint(-6, 6),
    lambda r: r.choice([1.5, math.nan, math.inf, -math.inf, 0.0, -0.0, 2.0]),
    lambda r: r.randint(-1000, 1000),
    lambda r: r.random(),
    lambda r: complex(r.choice([0, 1, -2.5, 1e5]), r.choice([0.0, 1, -2.5, 1e-5, math.nan])),
    lambda r: r.random() < 0.5,
    lambda r: r.choice([0.0, 1e-8, 1.0, 5.0]),
]
OPTIONS = [
    {"precision": 2}, {"threshold": 5}, {"edgeitems": 1, "threshold": 5}, {"linewidth": 40}, {"sci_mode": True}, {"sci_mode": False},
    {"profile": "short"}, {"profile": "full"},
]  # fmt: skip


def line(tensor, options):
    torch.set_printoptions(profile="default")
    torch.set_printoptions(**options)
    flat = tensor.reshape(-1).tolist()
    values = {"complex": [[v.real, v.imag] for v in flat]} if tensor.is_complex() else {"values": flat}
    return {**values, "dtype": str(tensor.dtype).removeprefix("torch."), "shape": list(tensor.shape), "options": options, "text": repr(tensor)}


def cases():
    choose = random.Random(5)
    for number in range(160):
        kind = KINDS[number % len(KINDS)]
        tensor = torch.tensor([kind(choose) for _ in range(choose.choice([1, 2, 3, 5, 8, 20]))])
        if tensor.dtype == torch.float32 and choose.random() < 0.3:
            tensor = tensor.to(choose.choice([torch.float64, torch.float16, torch.bfloat16]))
        if choose.random() < 0.3:
            tensor = tensor.reshape(choose.choice([(1, -1), (-1, 1), (1, -1, 1)]))
        yield tensor, {}
    for options in [{}, *OPTIONS]:
        for tensor in (torch.arange(12.0) * 1.2345, torch.arange(9), torch.tensor([1e-9, 1.0]), torch.tensor([1 + 2j])):
            yield tensor, options
    for shape in [(1200,), (40, 40), (11, 11, 11), (3, 400), (2, 2, 300)]:
        yield torch.arange(math.prod(shape)).reshape(shape), {}
    yield torch.zeros(0, 3), {}
    yield torch.empty(0, dtype=torch.int32), {}


with open(sys.argv[1], "w") as file:
    for tensor, options in cases():
        file.write(json.dumps(line(tensor, options)) + "\n")
