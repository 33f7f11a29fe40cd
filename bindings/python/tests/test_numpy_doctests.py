"""The examples of NumPy's docstrings, of half of the part of its functions that `IVY_TEST_PART` chooses: they take long."""

import os
import subprocess
import sys
from pathlib import Path

SCRIPT = Path(__file__).parents[3] / "tools/numpy_doctests.py"


def test_most_examples_pass():
    first, parts = os.environ.get("IVY_TEST_PART", "1/4").split("/")
    part = f"{first}/{2 * int(parts)}" if parts != "1" else "1/1"
    run = subprocess.run([sys.executable, SCRIPT, "--least", "0.85", "--part", part], capture_output=True, text=True)
    assert run.returncode == 0, run.stdout + run.stderr
