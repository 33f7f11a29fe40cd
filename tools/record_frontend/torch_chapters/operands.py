"""Small tensors that the recorded calls share."""

import torch

NAN, INF = float("nan"), float("inf")


def t(data, dtype=None):
    """A tensor."""
    return torch.tensor(data, dtype=dtype)


def f(*data, dtype=torch.float32):
    """A tensor of floats with one axis."""
    return torch.tensor(data, dtype=dtype)


def d(*data):
    """The same of float64."""
    return f(*data, dtype=torch.float64)


def i(*data, dtype=torch.int64):
    """A tensor of integers with one axis."""
    return torch.tensor(data, dtype=dtype)


def b(*data):
    """A tensor of truth values with one axis."""
    return torch.tensor(data, dtype=torch.bool)


def c(*data):
    """A tensor of complex numbers with one axis."""
    return torch.tensor(data, dtype=torch.complex64)


def grid(*shape, dtype=torch.float32, step=0.5, start=-1.5, modulus=11):
    """Numbers that differ, are exact in every float dtype and come in no order."""
    count = 1
    for length in shape:
        count *= length
    flat = [((7 * k + 3) % modulus) * step + start for k in range(count)]
    return torch.tensor(flat, dtype=torch.float64).to(dtype).reshape(shape)


def whole(*shape, dtype=torch.int64, modulus=9, start=-3):
    """Integers likewise."""
    count = 1
    for length in shape:
        count *= length
    return torch.tensor([(5 * k + 2) % modulus + start for k in range(count)], dtype=dtype).reshape(shape)
