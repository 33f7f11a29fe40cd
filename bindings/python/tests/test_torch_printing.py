"""Texts of tensors: those that PyTorch 2.13 writes (`tools/record_torch_printing.py`)."""

import json
from pathlib import Path

import pytest
from ivyrs.frontends import torch

RECORDED = [json.loads(line) for line in (Path(__file__).parent / "torch_printing.jsonl").read_text().splitlines()]


def tensor_of(case):
    values = [complex(*pair) for pair in case["complex"]] if "complex" in case else case["values"]
    return torch.tensor(values, dtype=getattr(torch, case["dtype"])).reshape(case["shape"])


def test_texts_are_those_of_pytorch():
    wrong = []
    try:
        for case in RECORDED:
            torch.set_printoptions(profile="default")
            torch.set_printoptions(**case["options"])
            found = repr(tensor_of(case))
            if found != case["text"]:
                wrong.append((case["options"], found, case["text"]))
    finally:
        torch.set_printoptions(profile="default")
    assert not wrong, f"{len(wrong)} of {len(RECORDED)}: {wrong[:3]}"


def test_options_that_are_none():
    with pytest.raises(ValueError, match="'default', 'short', 'full' are there"):
        torch.set_printoptions(profile="long")
    with pytest.raises(TypeError):
        torch.set_printoptions(digits=3)
    with pytest.raises(TypeError, match="precision is 'a': a number is needed"):
        torch.set_printoptions(precision="a")
