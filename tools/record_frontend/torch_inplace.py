"""Records what PyTorch gives for the programs of `bindings/python/tests/torch_inplace_cases.py`, in `torch_inplace.json` beside it.

    /tmp/venv/bin/python tools/record_frontend/torch_inplace.py
"""

import sys
from pathlib import Path

import torch

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "bindings/python/tests"))
from recorded_programs import record  # noqa: E402
from torch_inplace_cases import CASES  # noqa: E402

if __name__ == "__main__":
    header = {"package": "torch", "version": torch.__version__, "licence": "BSD-3-Clause", "generator": "tools/record_frontend/torch_inplace.py"}
    record("torch_inplace", CASES, torch, header)
