"""Records what PyTorch's modules, optimisers and schedules of learning rates give.

    ENV/bin/python torch_modules.py        # torch_stubs.py says how ENV is made

It writes `bindings/python/tests/torch_modules.json`, to which `test_torch_modules.py` there holds the frontend. PyTorch's licence
is BSD-3-Clause.
"""

import json
import sys
from pathlib import Path

import torch

TESTS = Path(__file__).resolve().parents[2] / "bindings/python/tests"
sys.path.insert(0, str(TESTS))
import module_cases as cases  # noqa: E402


def rounded(value):
    """Numbers as short as float32 needs them."""
    if isinstance(value, float):
        return float(f"{value:.9g}")
    if isinstance(value, dict):
        return {name: rounded(part) for name, part in value.items()}
    return [rounded(part) for part in value] if isinstance(value, list) else value


def main():
    torch.set_num_threads(1)
    found = {"package": "torch", "version": torch.__version__.split("+")[0], "licence": "BSD-3-Clause", **rounded(cases.everything(torch))}
    text = json.dumps(found, separators=(",", ":")).replace('},"', '},\n"')
    (TESTS / "torch_modules.json").write_text(text + "\n")
    print(f"{len(found['modules'])} modules, {len(found['optimisers'])} optimisers, {len(found['schedules'])} schedules")


if __name__ == "__main__":
    main()
