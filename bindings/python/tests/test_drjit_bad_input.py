"""Random calls of Dr.Jit's functions: each gives a result or an error that tells what is wrong, and what comes after works."""

import contextlib
import io
import os
import random

import numpy as np

import ivyrs.drjit as dr
import ivyrs.drjit.llvm as L
import ivyrs.drjit.llvm.ad as A
import ivyrs.drjit.scalar as S

SEED = int(os.environ.get("IVY_TEST_SEED", "1"))
CALLS = 1500

# What says of no argument that it is wrong, and so comes from a mistake of the package's own.
MISTAKES = (NameError, KeyError, RecursionError, SystemError, StopIteration, AttributeError)

# These tell by an assertion, change settings, or write to the terminal.
OTHERS = {"assert_allclose", "print", "set_backend", "set_flag", "set_log_level", "whos"}
NAMES = sorted(
    name for name in dir(dr) if not name.startswith("_") and name not in OTHERS and callable(getattr(dr, name)) and not isinstance(getattr(dr, name), type)
)
CLASSES = [L.Float, L.Array3f, L.TensorXf, A.Matrix3f, S.Array3f, S.ArrayXf, L.Complex2f, L.Bool, L.ArrayXf, L.Quaternion4f, L.PCG32, L.Philox4x32, L.Texture2f]
OPERATORS = [f"__{name}__" for name in "add sub mul truediv floordiv mod pow matmul and or xor lshift rshift lt eq getitem radd rpow iadd imul".split()]


def values():
    arrays = [
        *(L.Float(1, 2, 3), L.Float(), L.Float(1.5), L.Int(1, -2, 3), L.UInt(0, 1), L.Bool(True, False, True), L.Float16(1, 2), L.Int64(1 << 40)),
        *(L.Array3f(1, [2, 3, 4], 3), L.Array2f([1, 2], [1, 2, 3]), L.ArrayXf([1, 2], [3, 4]), L.ArrayXf(), L.Array0f(), L.Array33f(1)),
        *(L.Matrix3f(1), L.Matrix2f([1, 2], 2, 3, 4), L.Complex2f(1, 2), L.Quaternion4f(1, 2, 3, 4)),
        *(L.TensorXf([1, 2, 3, 4, 5, 6], (2, 3)), L.TensorXf(3), L.TensorXf([], (0,)), L.TensorXb([True, False], (2,))),
        *(A.Float(1, 2), A.Array3f(1, 2, 3), A.TensorXf([1, 2], (1, 2)), S.Array3f(1, 2, 3), S.ArrayXf(1, 2), S.ArrayXi(), S.Matrix2f(1)),
    ]
    others = [
        *(0, 1, -1, 2.5, True, None, "x", (), [1, 2], (1, 2.0), {"a": 1}, float("nan"), float("inf"), 1 << 70, -(1 << 40), (2, 3), (0,)),
        *(np.arange(4.0), np.zeros((0, 3)), np.array(3), object(), slice(1, 2), ..., lambda *own: own[0] if own else 1),
        *(L.Float, A.Array3f, L.TensorXf, L.UInt, int, float, S.Array2f, L.Matrix3f, dr.ReduceOp.Add, dr.ReduceMode.Local, dr.VarType.Int8, dr.ADMode.Backward),
    ]
    return arrays, others


def test_random_calls():
    chosen = random.Random(SEED)
    for number in range(CALLS):
        arrays, others = values()
        every = arrays + others
        arguments = [chosen.choice(every) for _ in range(chosen.randint(0, 4))]
        kind = chosen.random()
        if kind < 0.6:
            function = getattr(dr, chosen.choice(NAMES))
        elif kind < 0.85:
            function = getattr(chosen.choice(arrays), chosen.choice(OPERATORS))
            arguments = arguments[:1]
        else:
            function = chosen.choice(CLASSES)
        told = f"seed {SEED}, call {number}: {function} of {[type(own).__name__ for own in arguments]}"
        try:
            with contextlib.redirect_stdout(io.StringIO()):
                str(function(*arguments))
        except dr.DrjitError as error:
            assert str(error), told
        except MISTAKES as error:
            raise AssertionError(told) from error
        except Exception as error:
            assert str(error), told
    assert list(L.Float(1, 2) + 1) == [2, 3]
