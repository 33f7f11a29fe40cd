"""The package ``torch`` of this frontend for its own parts, which it imports: they ask for it when they are called."""

import functools


@functools.cache
def torch():
    """The package."""
    from .. import torch

    return torch


@functools.cache
def _functional():
    return torch().nn.functional


def functional(name):
    """A function of ``torch.nn.functional``, as it is when it is called."""
    return getattr(_functional(), name)
