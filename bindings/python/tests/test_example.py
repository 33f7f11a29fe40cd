"""The example runs, and its backends agree."""

import subprocess
import sys
from pathlib import Path

from conftest import needs_extensions


@needs_extensions
def test_digits():
    example = Path(__file__).parents[3] / "examples/digits.py"
    answer = subprocess.run([sys.executable, example], capture_output=True, text=True, timeout=300)
    assert answer.returncode == 0, answer.stderr
    assert "ndarray" in answer.stdout and "jit" in answer.stdout
