"""Writes the file that PyTorch itself has saved, which `test_torch_autograd.py` loads: python torch_saved.py FOLDER.

It needs PyTorch 2.13. The file holds tensors of each dtype that PyTorch's files have, views that share their elements, a
parameter and the state of a model.
"""

import sys
from collections import OrderedDict
from pathlib import Path

import torch

DTYPES = (
    "float64", "float32", "float16", "bfloat16", "int64", "int32", "int16", "int8", "uint8", "bool", "complex64", "complex128",
)  # fmt: skip


def saved():
    """What is in the file: values that any of the dtypes holds, or the numbers by which a test knows them."""
    numbers = torch.tensor([[0.0, 1.0, 2.0], [3.0, 5.0, 7.0]])
    base = torch.arange(12, dtype=torch.int32).reshape(3, 4)
    model = torch.nn.Linear(2, 1)
    with torch.no_grad():
        model.weight.copy_(torch.tensor([[0.5, -1.5]]))
        model.bias.fill_(0.25)
    return OrderedDict(
        {name: numbers.to(getattr(torch, name)) for name in DTYPES}
        | {
            "columns": base[:, 1:3],
            "transposed": base.t(),
            "parameter": torch.nn.Parameter(torch.tensor([1.0, 2.0])),
            "leaf": torch.tensor([3.0], requires_grad=True),
            "empty": torch.zeros(0, 2),
            "state": model.state_dict(),
            "plain": {"step": 3, "rate": 0.5, "name": "run", "shape": torch.Size([2, 3]), "dtype": torch.float16},
        }
    )


if __name__ == "__main__":
    torch.save(saved(), Path(sys.argv[1]) / "torch_saved.pt")
