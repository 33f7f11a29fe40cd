"""The committed stubs are those that the package gives."""

import runpy
from pathlib import Path


def test_stubs_are_fresh():
    made = runpy.run_path(str(Path(__file__).parents[1] / "make_stubs.py"))["stubs"]()
    for path, text in made.items():
        compile(text, str(path), "exec")
        assert path.read_text() == text, f"{path.name}: run bindings/python/make_stubs.py"
