"""Records calls of PyTorch, by which the rows of the frontend are tested.

    ENV/bin/python torch_cases.py [--check]        # torch_stubs.py says how ENV is made
"""

import sys
from pathlib import Path

import torch

import common
from torch_chapters import activations, autograd, comparison, creation, fft, indexing, inplace, layers, linalg, losses, methods, pointwise, random, reductions, special

CHAPTERS = [pointwise, creation, reductions, comparison, indexing, linalg, fft, activations, layers, losses, special, methods, inplace, random]
ROOT = Path(__file__).resolve().parents[2]


def resolve(path):
    """The function of a path below `torch`."""
    target = torch
    for name in path.split("."):
        target = getattr(target, name)
    return target if callable(target) else target.__get__


def name_of(dtype):
    return str(dtype).removeprefix("torch.")


def describe(value):
    if isinstance(value, torch.Tensor):
        flat = value.detach().resolve_conj().resolve_neg().contiguous().reshape(-1).tolist()
        return common.array(name_of(value.dtype), value.shape, flat)
    if isinstance(value, torch.dtype):
        return common.dtype(name_of(value))
    if isinstance(value, torch.Size):
        return {"tuple": list(value)}
    return None


def recorder():
    return common.Recorder("torch", torch.__version__.split("+")[0], "BSD-3-Clause", "tools/record_frontend/torch_cases.py", resolve, describe)


def main():
    torch.set_num_threads(1)
    torch.manual_seed(0)
    tests, check = ROOT / "frontends/torch/tests", "--check" in sys.argv[1:]
    calls, gradients = recorder(), recorder()
    for chapter in CHAPTERS:
        calls.chapter(chapter.__name__.split(".")[-1])
        chapter.record(calls)
    gradients.chapter("gradients")
    autograd.record(gradients)
    return calls.finish(tests / "data", check) | gradients.finish(tests / "gradients", check)


if __name__ == "__main__":
    sys.exit(main())
