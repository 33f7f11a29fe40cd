"""Records calls of JAX: its results are what the JAX frontend is held to.

    python3 -m venv /tmp/jax-venv && /tmp/jax-venv/bin/pip install jax==0.10.2
    /tmp/jax-venv/bin/python tools/record_frontend/jax_cases.py [--check]

Each chapter of `jax_chapters` is recorded twice, with 64-bit types (x64/NAME.jsonl) and without (NAME.jsonl).
"""

import argparse
import importlib
import inspect
import os
import sys
import warnings
from pathlib import Path

os.environ.setdefault("JAX_PLATFORMS", "cpu")

import jax
import jax.nn.initializers
import jax.tree
import jax.tree_util
import numpy as np

from common import Recorder, array, dtype

HERE = Path(__file__).parent
DATA = HERE.parent.parent / "frontends/jax/tests/data"
CHAPTERS = (
    "numpy_elementwise numpy_creation numpy_dtypes numpy_manipulation numpy_reductions numpy_indexing numpy_sorting numpy_linalg"
    " numpy_fft lax lax_windows nn scipy_special random array_methods weak_types"
).split()


def describe(value):
    """Arrays and dtypes of JAX; what it gives as NumPy scalars (shapes, limits) are host numbers."""
    if isinstance(value, jax.Array):
        flat = np.asarray(value)
        if flat.dtype == jax.numpy.bfloat16:
            flat = flat.astype(np.float32)
        return array(str(value.dtype), value.shape, flat.ravel().tolist(), weak=value.weak_type)
    if isinstance(value, (np.dtype, type(jax.numpy.float32))) or inspect.isclass(value):
        return dtype(str(np.dtype(value)))
    if isinstance(value, np.ndarray):
        return array(str(value.dtype), value.shape, value.ravel().tolist())
    if isinstance(value, np.generic):
        return describe(np.asarray(value))
    return None


def resolve(path):
    """The function below the package `jax`; methods and properties of arrays are functions of the array."""
    parts = path.split(".")
    if parts[:2] == ["Array", "at"]:
        return lambda x, index, *values, **keywords: getattr(x.at[index], parts[2])(*values, **keywords)
    if parts[0] == "Array":
        return lambda x, *rest, **keywords: method(getattr(x, parts[1]), rest, keywords)
    found = jax
    for part in parts:
        found = getattr(found, part)
    return found


def method(member, rest, keywords):
    return member(*rest, **keywords) if callable(member) else member


class Recorded:
    """A name below the package; a call of it is recorded."""

    def __init__(self, recorder, path=""):
        self._recorder, self._path = recorder, path

    def __getattr__(self, name):
        return self[name]

    def __getitem__(self, name):
        """Of any name, also one that every object has: `jax.Array["__eq__"]`."""
        return Recorded(self._recorder, f"{self._path}.{name}" if self._path else name)

    def __call__(self, *args, **keywords):
        self._recorder.call(self._path, *args, **keywords)

    def shape(self, *args, **keywords):
        """A call of which only dtype and shape count."""
        self._recorder.record(self._path, args, keywords, compare="shape")

    def near(self, tolerance, why, *args, **keywords):
        """A call with a tolerance of its own."""
        self._recorder.record(self._path, args, keywords, tolerance=(tolerance, why))


class Make:
    """Arrays by the letter of their dtype; `w` makes a weakly typed one, `wl` one of several numbers."""

    LETTERS = {
        "b": "bool", "i1": "int8", "i2": "int16", "i": "int32", "l": "int64", "u1": "uint8", "u2": "uint16", "u": "uint32",
        "u8": "uint64", "h": "float16", "bf": "bfloat16", "f": "float32", "d": "float64", "c": "complex64", "z": "complex128",
    }

    def __getattr__(self, letters):
        name = self.LETTERS[letters]
        return lambda data: jax.numpy.asarray(data, dtype=name)

    def w(self, number):
        return jax.numpy.asarray(number)

    def wl(self, numbers):
        return jax.numpy.stack(numbers)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="print what differs from the committed files")
    check = parser.parse_args().check
    warnings.simplefilter("ignore")  # without 64-bit types, float64 is float32
    recorder = Recorder("jax", jax.__version__, "Apache-2.0", "tools/record_frontend/jax_cases.py", resolve, describe)
    sys.path.insert(0, str(HERE))
    for x64 in (False, True):
        with jax.enable_x64(x64):
            for name in CHAPTERS:
                recorder.chapter(f"x64/{name}" if x64 else name)
                importlib.import_module(f"jax_chapters.{name}").calls(Recorded(recorder), Make())
                jax.clear_caches()
    (DATA / "x64").mkdir(parents=True, exist_ok=True)
    return recorder.finish(DATA, check)


if __name__ == "__main__":
    sys.exit(main())
