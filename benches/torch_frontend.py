#!/usr/bin/env python3
"""PyTorch's frontend and PyTorch itself, one after the other: torch_frontend.py --torch PYTHON [--threads N].

PYTHON is that of an environment with PyTorch and NumPy; ivyrs is a release build with libtorch. `torch.add` of one element and of 16 Mi on the backend
`torch`, and a training step of a convolutional network on 64 of the digits on `jit` and on `torch`. Prints the first time and the best one for both, and
the ratios: above 1 is faster here.
"""

import contextlib
from pathlib import Path

import alternation
import numpy as np
from alternation import timed

DATA = Path(__file__).resolve().parents[1] / "examples/data"


def add(torch, count):
    """The sum of two tensors."""
    x, y = torch.ones(count), torch.ones(count)
    return lambda: torch.add(x, y)


def training(torch):
    """A step of the network of `examples/frontends/torch_digits.py` without dropout, up to the number that the loss is."""
    nn = torch.nn
    images = np.load(DATA / "digits_images.npy").reshape(-1, 1, 8, 8).astype("float32") / 16
    x, y = torch.from_numpy(images[:64]), torch.from_numpy(np.load(DATA / "digits_labels.npy").astype("int64")[:64])
    torch.manual_seed(2)
    model = nn.Sequential(
        nn.Conv2d(1, 16, 3, padding=1), nn.ReLU(), nn.Conv2d(16, 32, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2), nn.Flatten(),
        nn.Linear(32 * 4 * 4, 64), nn.ReLU(), nn.Linear(64, 10),
    )  # fmt: skip
    criterion, optimizer = nn.CrossEntropyLoss(), torch.optim.AdamW(model.parameters(), lr=1e-3)

    def step():
        optimizer.zero_grad()
        loss = criterion(model(x), y)
        loss.backward()
        optimizer.step()
        return loss.item()

    return step


def measure(package, threads):
    """What one of the packages takes, by what was measured."""
    if package == "torch":
        import torch

        torch.set_num_threads(threads)

        def backend(name):
            return contextlib.nullcontext()
    else:
        import ivyrs
        from ivyrs.frontends import torch

        backend = ivyrs.with_backend
    found = {}
    for name, where, make, count in (
        ("torch.add, 1 element", "torch", lambda: add(torch, 1), 20000),
        ("torch.add, 16 Mi elements", "torch", lambda: add(torch, 1 << 24), 3),
        ("training step, jit", "jit", lambda: training(torch), 20),
        ("training step, torch", "torch", lambda: training(torch), 20),
    ):
        with backend(where):
            found[name] = timed(make(), count)
    return found


if __name__ == "__main__":
    alternation.main(__file__, __doc__, "torch", measure)
