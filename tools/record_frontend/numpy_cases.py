"""Records calls of NumPy: the values that the replay of `frontends/numpy` is held to.

    python3 -m venv /tmp/venv && /tmp/venv/bin/pip install 'numpy==2.4.*'
    /tmp/venv/bin/python tools/record_frontend/numpy_cases.py            # writes frontends/numpy/tests/data
    /tmp/venv/bin/python tools/record_frontend/numpy_cases.py --check    # prints the calls that differ from it

The calls stand in `numpy_chapters/`, a file a chapter.
"""

import importlib
import sys
from pathlib import Path

import numpy as np

import common
from numpy_chapters import CHAPTERS

ROOT = Path(__file__).resolve().parents[2]
PYTHON_TYPES = {bool: "bool", int: "int64", float: "float64", complex: "complex128"}


def describe(value):
    """The form of NumPy's arrays, scalars, dtypes and generators."""
    if isinstance(value, (np.ndarray, np.generic)):
        if value.dtype.kind not in "biufc" or value.dtype.itemsize > 8 * (1 + (value.dtype.kind == "c")):
            raise TypeError(f"no encoding of {value.dtype}")
        return common.array(value.dtype.name, value.shape, value.ravel().tolist(), scalar=isinstance(value, np.generic))
    if isinstance(value, np.dtype):
        return common.dtype(value.name)
    if isinstance(value, type):
        return common.dtype(PYTHON_TYPES.get(value) or np.dtype(value).name)
    if isinstance(value, np.random.Generator):
        return {"generator": value.bit_generator.seed_seq.entropy}
    return None


def resolve(path):
    """The function of a path; that of a property reads it."""
    owner, _, name = path.rpartition(".")
    found = np
    for part in filter(None, owner.split(".")):
        found = getattr(found, part)
    if owner == "ndarray" and not callable(getattr(found, name)):
        return lambda array: getattr(array, name)
    return getattr(found, name)


def main():
    recorder = common.Recorder(
        package="numpy",
        version=np.__version__,
        licence="BSD-3-Clause",
        generator="tools/record_frontend/numpy_cases.py",
        resolve=resolve,
        describe=describe,
    )
    for name in CHAPTERS:
        recorder.chapter(name)
        importlib.import_module(f"numpy_chapters.{name}").record(recorder)
    return recorder.finish(ROOT / "frontends/numpy/tests/data", check="--check" in sys.argv[1:])


if __name__ == "__main__":
    sys.exit(main())
