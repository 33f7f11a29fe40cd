"""The committed stubs are those that the package gives, and a type checker finds with them what it should."""

import json
import os
import runpy
import subprocess
import sys
from pathlib import Path

import ivyrs
import pytest

HERE = Path(__file__).parent
TYPED = sorted((HERE / "typed").glob("*.py"))


def test_stubs_are_fresh():
    made = runpy.run_path(str(HERE.parent / "make_stubs.py"))["stubs"]()
    for path, text in made.items():
        compile(text, str(path), "exec")
        assert path.read_text() == text, f"{path}: run bindings/python/make_stubs.py"
    # Every stub of the package is one of them, and is installed.
    package, installed = HERE.parent / "python/ivyrs", Path(ivyrs.__file__).parent
    assert {*package.rglob("*.pyi")} == {*made}
    for path in made:
        assert (installed / path.relative_to(package)).read_text() == path.read_text(), f"{path} is not installed"


def test_every_function_is_called_for_the_type_checker():
    made = runpy.run_path(str(HERE.parent / "typed_calls.py"))
    assert made["FILE"].read_text() == made["text"](), "run bindings/python/typed_calls.py"


def test_a_type_checker_accepts_typical_code(tmp_path):
    """mypy, as strict as it can be, on the stubs themselves and on code whose types are asserted."""
    source = {**os.environ, "MYPYPATH": str(HERE.parent / "python")}
    options = ["--strict", "--python-version", "3.11", "--cache-dir", str(tmp_path)]
    done = subprocess.run([sys.executable, "-m", "mypy", *options, *map(str, TYPED)], env=source, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def test_pyright_accepts_typical_code(tmp_path):
    """Pyright's rules, by the distribution that brings its own runtime."""
    settings = {
        "typeCheckingMode": "standard", "pythonVersion": "3.11", "enableTypeIgnoreComments": True, "reportMissingModuleSource": "none",
        "include": [str(HERE / "typed")], "extraPaths": [str(HERE.parent / "python")],
    }  # fmt: skip
    project = tmp_path / "pyrightconfig.json"
    project.write_text(json.dumps(settings))
    command = [sys.executable, "-m", "basedpyright", "--pythonpath", sys.executable, "--level", "error", "--project", str(project)]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "0 errors" in done.stdout, done.stdout


@pytest.mark.parametrize("path", TYPED, ids=lambda path: path.stem)
def test_typical_code_runs(path):
    runpy.run_path(str(path))
