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


@needs_extensions
def test_digits_in_pytorchs_words(tmp_path):
    example, curve = Path(__file__).parents[3] / "examples/frontends/torch_digits.py", tmp_path / "curve.svg"
    command = [sys.executable, example, "torch", "--epochs", "2", "--curve", str(curve)]
    answer = subprocess.run(command, capture_output=True, text=True, timeout=300)
    assert answer.returncode == 0, answer.stderr
    share = float(answer.stdout.split("%")[0].split()[-1])
    assert share > 60 and curve.read_text().count("<polyline") == 1, answer.stdout
