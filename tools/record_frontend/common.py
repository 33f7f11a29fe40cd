"""How calls of a framework are recorded: the encoding of values, and the files.

A framework's script describes its arrays and dtypes (`describe`), says where its functions are (`resolve`) and lists
the calls. `Recorder.call` runs one with the real package and keeps arguments and result, or the class of the error:

    {"f": path, "a": [values], "k": {name: value}, "r": value}        or "e": class name in place of "r"

Further members of a call:

    "compare": "shape"    the values are free (random numbers, signs of eigenvectors, `empty`): dtype and shape count,
                          arrays have no "data", numbers are 0
    "inplace": true       the function changes an argument, the first one mostly: "r" is that argument after the call
    "tolerance": [t, "why"]   a relative tolerance in place of the dtype's, with its reason

Values: an array is {"dtype", "shape", "data"} with flat data, "scalar": true for a scalar of the framework and
"weak": true for JAX's weak types; None, bool, int, float and text are JSON's own; {"float": "nan"}, {"int": "2**53 or more"},
{"complex": [re, im]}, {"tuple": [...]}, {"list": [...]}, {"dtype_of": name}, {"slice": [start, stop, step]},
{"ellipsis": true}. Inside data floats that JSON lacks are the strings "nan", "inf" and "-inf", complex numbers [re, im].
"""

import json
import math
import struct
import warnings
from pathlib import Path

EXACT_INT = 2**53
LARGEST_ARRAY = 64


def _bfloat16_bits(value):
    """The bits of the nearest bfloat16, ties to even."""
    bits = struct.unpack("<I", struct.pack("<f", value))[0]
    return (bits + 0x7FFF + (bits >> 16 & 1)) >> 16


# dtype: its digits at most, and its bits of a float; other floats are written as Python writes them.
_NARROW = {
    "float32": (9, lambda value: struct.pack("<f", value)),
    "float16": (5, lambda value: struct.pack("<e", value)),
    "bfloat16": (4, _bfloat16_bits),
}
_PARTS = {"complex64": "float32", "complex128": "float64"}


def shortest(value, dtype):
    """The float with the fewest digits that is `value` in `dtype`."""
    if dtype not in _NARROW or value == 0:
        return value
    digits, bits = _NARROW[dtype]
    for count in range(1, digits + 1):
        short = float(f"{value:.{count}g}")
        try:
            if bits(short) == bits(value):
                return short
        except OverflowError:
            continue
    return value


def _datum(value, dtype):
    """One element of an array's data."""
    if isinstance(value, complex):
        return [_datum(value.real, _PARTS[dtype]), _datum(value.imag, _PARTS[dtype])]
    if isinstance(value, float):
        return shortest(value, dtype) if math.isfinite(value) else str(value)
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) >= EXACT_INT:
        return {"int": str(value)}
    return value


def array(dtype, shape, flat, **marks):
    """An array: `flat` are its elements in C order as bool, int, float or complex; `marks` are `scalar` and `weak`."""
    flat = list(flat)
    if len(flat) > LARGEST_ARRAY:
        raise ValueError(f"an array of {len(flat)} elements; recorded ones have at most {LARGEST_ARRAY}")
    data = [_datum(value, dtype) for value in flat]
    return {"dtype": dtype, "shape": list(shape), "data": data} | {name: True for name, on in marks.items() if on}


def dtype(name):
    """A dtype."""
    return {"dtype_of": name}


def encode(value, describe):
    """The value as JSON; `describe` gives the form of the framework's own objects, and None for others."""
    described = describe(value)
    if described is not None:
        return described
    if value is None or isinstance(value, (bool, str)):
        return value
    if isinstance(value, int):
        return value if abs(value) < EXACT_INT else {"int": str(int(value))}
    if isinstance(value, float):
        return float(value) if math.isfinite(value) else {"float": str(float(value))}
    if isinstance(value, complex):
        return {"complex": [encode(value.real, describe), encode(value.imag, describe)]}
    if value is Ellipsis:
        return {"ellipsis": True}
    if isinstance(value, slice):
        return {"slice": [encode(part, describe) for part in (value.start, value.stop, value.step)]}
    if isinstance(value, (tuple, list)):
        return {"tuple" if isinstance(value, tuple) else "list": [encode(part, describe) for part in value]}
    raise TypeError(f"no encoding of {type(value)}")


def shapes(encoded):
    """What an encoded value is without its elements: dtypes and shapes stay."""
    if isinstance(encoded, dict):
        return {name: shapes(part) if name in ("tuple", "list") else part for name, part in encoded.items() if name != "data"}
    if isinstance(encoded, list):
        return [shapes(part) for part in encoded]
    return type(encoded)(0) if type(encoded) in (int, float) else encoded


class Recorder:
    """The calls of one framework, a file a chapter."""

    def __init__(self, package, version, licence, generator, resolve, describe):
        self.header = {"package": package, "version": version, "licence": licence, "generator": generator}
        self.resolve = resolve
        self.describe = describe
        self.chapters = {}
        self.calls = None

    def chapter(self, name):
        """What is recorded from here on goes to NAME.jsonl."""
        self.calls = self.chapters.setdefault(name, [])

    def call(self, path, *args, **keywords):
        """Records a call by its result or the class of its error."""
        self.record(path, args, keywords)

    def record(self, path, args, keywords=None, *, compare=None, inplace=None, tolerance=None):
        """`call` with the members that say how its result is to be compared; `inplace` is the place of what is changed."""
        keywords = keywords or {}
        line = {"f": path, "a": [encode(value, self.describe) for value in args]}
        if keywords:
            line["k"] = {name: encode(value, self.describe) for name, value in keywords.items()}
        function = self.resolve(path)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                result = function(*args, **keywords)
            except Exception as error:  # the class is what is recorded
                line["e"] = type(error).__name__
            else:
                line["r"] = encode(result if inplace is None else args[int(inplace)], self.describe)
                if compare == "shape":
                    line["r"] = shapes(line["r"])
                line |= {} if inplace is None else {"inplace": True}
                line |= {"compare": compare} if compare else {}
                line |= {"tolerance": list(tolerance)} if tolerance else {}
        self.calls.append(line)

    def texts(self):
        """The files' texts by name."""
        for name, calls in self.chapters.items():
            lines = [self.header, *calls]
            yield f"{name}.jsonl", "".join(json.dumps(line, separators=(",", ":")) + "\n" for line in lines)

    def finish(self, folder, check=False):
        """Writes the files to `folder`, or with `check` prints the calls that differ from those there.

        The exit status: 1 where `check` found differences.
        """
        folder = Path(folder)
        differences = 0
        for name, text in self.texts():
            if not check:
                folder.mkdir(parents=True, exist_ok=True)
                (folder / name).write_text(text)
                continue
            committed = (folder / name).read_text().splitlines() if (folder / name).exists() else []
            fresh = text.splitlines()
            for number in range(max(len(committed), len(fresh))):
                old, new = (lines[number] if number < len(lines) else "-" for lines in (committed, fresh))
                if old != new:
                    differences += 1
                    print(f"{name}:{number + 1}\n  committed {old}\n  recorded  {new}")
        functions = {line["f"] for calls in self.chapters.values() for line in calls}
        calls = sum(map(len, self.chapters.values()))
        print(f"{self.header['package']} {self.header['version']}: {len(functions)} functions, {calls} calls")
        return 1 if differences else 0
