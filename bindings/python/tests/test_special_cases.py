"""Every special case of the standard (`special_cases.tsv`), on all pairs of special numbers, on every backend."""

from pathlib import Path

import numpy as np
import pytest

ROWS = [
    (line.split("\t") + [""] * 3)[:6]
    for line in Path(__file__).with_name("special_cases.tsv").read_text().splitlines()
    if not line.startswith("#")
]
NAMES = sorted({row[0] for row in ROWS})
OPERATORS = {
    "abs": abs, "add": lambda x, y: x + y, "subtract": lambda x, y: x - y, "multiply": lambda x, y: x * y,
    "divide": lambda x, y: x / y, "floor_divide": lambda x, y: x // y, "remainder": lambda x, y: x % y,
    "pow": lambda x, y: x**y, "equal": lambda x, y: x == y, "not_equal": lambda x, y: x != y,
}
PARTS = {"real": ["float32", "float64"], "complex": ["complex64", "complex128"]}


def numbers(dtype):
    """The numbers of a real dtype that something may be special at."""
    info = np.finfo(dtype)
    plain = [0.0, 0.5, 0.75, 1.0, 1.5, 2.0, 2.5, 3.0, 4.0, 7.0, 1e-3, 100.0, 700.0, 1e10, np.inf, np.nan]
    plain += [float(info.max), float(info.tiny), float(info.smallest_subnormal)]
    return np.array([np.copysign(x, sign) for x in plain for sign in (1.0, -1.0)], dtype=dtype)


def same(x, value):
    """Equal with equal signs of zero, or both NaN."""
    return (np.isnan(x) & np.isnan(value)) | ((x == value) & (np.signbit(x) == np.signbit(value)))


def near(x, value, dtype, signs):
    """`same`, but finite values may differ as the functions' accuracy lets them."""
    if not signs:
        x, value = np.abs(x), np.abs(value)
    close = np.abs(x - value) <= 64 * np.finfo(dtype).eps * np.abs(value)
    return same(x, value) | (np.isfinite(value) & (value != 0) & close)


def along(size, part, b):
    """`size * part`; at an angle of zero the part is the angle."""
    return np.where(b == 0, b, size * part)


def whole(x):
    return np.isfinite(x) & (np.floor(x) == x)


MEANING = {
    **{name: getattr(np, name) for name in "abs copysign cos inf isfinite isinf isnan nan pi rint signbit sin".split()},
    "same": same, "along": along, "whole": whole, "odd": lambda x: whole(x) & (np.fmod(np.abs(x), 2) == 1),
    "True": True, "False": False,
}


def operands(kind, dtype, count):
    """The arrays of a call, and the names that the table has for their parts, in float64."""
    if kind == "real":
        values = numbers(dtype)
        arrays = [a.ravel() for a in np.meshgrid(*[values] * count)]
        return arrays, dict(zip(["x"] if count == 1 else ["x1", "x2"], (a.astype(np.float64) for a in arrays)))
    part = "float32" if dtype == "complex64" else "float64"
    values = numbers(part) if count == 1 else np.array([0.0, -0.0, 1.0, -2.0, np.inf, np.nan], dtype=part)
    parts = [p.ravel() for p in np.meshgrid(*[values] * (2 * count))]
    arrays = []
    for re, im in zip(parts[::2], parts[1::2]):
        z = np.empty(re.shape, dtype)
        z.real, z.imag = re, im
        arrays.append(z)
    return arrays, dict(zip("abcd", (p.astype(np.float64) for p in parts)))


@pytest.mark.parametrize("name", NAMES)
def test_special_cases(name, xp):
    calls = [getattr(xp, name)] + ([OPERATORS[name]] if name in OPERATORS else [])
    for kind, dtypes in PARTS.items():
        rows = [row[2:] for row in ROWS if row[:2] == [name, kind]]
        two = any("x1" in row[0] or "isnan(c)" in row[0] for row in rows)
        for dtype in dtypes if rows else ():
            arrays, names = operands(kind, dtype, 1 + two)
            results = [np.asarray(call(*map(xp.asarray, arrays))) for call in calls]
            for row in rows:
                for result in results:
                    check(name, dtype, row, names, result)


def check(name, dtype, row, names, result):
    where, re, im, free = row
    with np.errstate(all="ignore"):
        chosen = np.broadcast_to(eval(where, {"__builtins__": {}}, {**MEANING, **names, "always": True}), result.shape)
        assert chosen.any(), (name, where)
        expected = [
            np.broadcast_to(eval(part, {"__builtins__": {}}, {**MEANING, **names}), result.shape) if part else None
            for part in (re, im)
        ]
        right = np.ones(result.shape, dtype=bool)
        if result.dtype == np.bool_:
            right = result == expected[0]
        elif free in ("positive", "negative"):
            right = np.isnan(result) if re == "nan" else np.ones(result.shape, dtype=bool)
            # The sign of a NaN counts only where the result is to be one.
            right &= (np.signbit(result) == (free == "negative")) | (np.isnan(result) & (re != "nan"))
        else:
            for part, value, label in zip((result.real, result.imag), expected, ("re", "im")):
                if value is not None:
                    right &= near(part.astype(np.float64), value, part.dtype, label not in free)
    wrong = np.flatnonzero(chosen & ~right)
    if wrong.size:
        at = {key: float(value[wrong[0]]) for key, value in names.items()}
        pytest.fail(f"{name} of {dtype}, {where}: {result[wrong[0]]} at {at}, {wrong.size} of {chosen.sum()}")
