"""The NumPy frontend writes arrays as NumPy does, at every option."""

import os
import random

import numpy
import pytest
from ivyrs.frontends import numpy as np

SEED = int(os.environ.get("IVY_TEST_SEED", "1"))
DTYPES = "bool int8 uint8 int32 int64 uint64 float16 float32 float64 complex64 complex128".split()


def values(choose, dtype):
    """An array of NumPy's with numbers that ask for all forms."""
    shape = choose.choice([(), (0,), (3,), (0, 2), (2, 3), (7, 5), (2, 2, 2), (40,), (1200,), (30, 50)])
    size = int(numpy.prod(shape))
    if dtype == "bool":
        return numpy.array([choose.random() < 0.5 for _ in range(size)]).reshape(shape)
    if "int" in dtype:
        least = 0 if dtype[0] == "u" else -100
        return numpy.array([choose.randrange(least, 101) for _ in range(size)], dtype).reshape(shape)
    scales = choose.choice([(1,), (1, 1e-3), (1e6, 1e-6), (1e3,), (1e-5,), (1, float("inf"), float("nan"))])

    def one():
        number = round(choose.uniform(-3, 3), choose.choice([0, 1, 4, 17])) * choose.choice(scales)
        return abs(number) if positive else number

    positive = choose.random() < 0.3
    with numpy.errstate(all="ignore"):
        numbers = [one() + 1j * one() if dtype[0] == "c" else one() for _ in range(size)]
        return numpy.array(numbers).astype(dtype).reshape(shape)


def options(choose):
    """Some options of ``set_printoptions``."""
    every = {
        "precision": [0, 1, 3, 8, 20],
        "threshold": [0, 5, 1000, 10**9],
        "edgeitems": [1, 2, 3],
        "linewidth": [20, 40, 75, 200],
        "suppress": [True, False],
        "sign": ["-", "+", " "],
        "floatmode": ["fixed", "unique", "maxprec", "maxprec_equal"],
        "nanstr": ["nan", "?", "missing"],
        "infstr": ["inf", "Infinity"],
    }
    names = choose.sample(sorted(every), choose.randrange(4))
    return {name: choose.choice(every[name]) for name in names}


def test_text_is_that_of_numpy():
    choose = random.Random(SEED)
    wrong = []
    for _ in range(1500):
        theirs, given = values(choose, choose.choice(DTYPES)), options(choose)
        ours = np.array(theirs)
        with numpy.printoptions(**given), np.printoptions(**given):
            for write in (str, repr):
                if write(ours) != write(theirs):
                    wrong.append(f"{given} {theirs.dtype}\n{write(theirs)}\nbut here\n{write(ours)}")
        around = {"separator": choose.choice([" ", ", ", "|"]), "prefix": "x" * choose.randrange(9), "suffix": "))"}
        if np.array2string(ours, **around, **given_to_array2string(given)) != numpy.array2string(
            theirs, **around, **given_to_array2string(given)
        ):
            wrong.append(f"array2string {around} {given} {theirs.dtype} {theirs!r}")
    assert not wrong, f"{len(wrong)} differ, of seed {SEED}:\n" + "\n".join(wrong[:5])


def given_to_array2string(given):
    """The options that ``array2string`` has, by its names of them."""
    names = {"linewidth": "max_line_width", "suppress": "suppress_small"}
    return {names.get(name, name): value for name, value in given.items() if name not in ("nanstr", "infstr")}


def test_functions_that_write_elements():
    for formatter in ({"float": lambda x: f"<{x:.1f}>"}, {"all": lambda x: "*"}, {"int_kind": lambda x: f"{x:+d}"}):
        for x in (numpy.array([[1.25, 2.0]]), numpy.arange(3), numpy.array(0.5)):
            with numpy.printoptions(formatter=formatter), np.printoptions(formatter=formatter):
                assert repr(np.array(x)) == repr(x)
                assert str(np.array(x)) == str(x)
    with pytest.raises(ZeroDivisionError):
        np.array2string(np.arange(2), formatter={"all": lambda x: 1 / 0})


def test_floats_by_themselves():
    for x in (1.0, 0.1, -2.5, 123456.789, 1e-7, 1e22, 3.14159265358979, float("nan"), float("inf"), float("-inf"), 0.0, -0.0):
        for given in ({}, {"precision": 3}, {"trim": "0"}, {"trim": "-"}, {"sign": True}, {"pad_left": 8}):
            assert np.format_float_positional(x, **given) == numpy.format_float_positional(x, **given), (x, given)
            assert np.format_float_scientific(x, **given) == numpy.format_float_scientific(x, **given), (x, given)
        for given in ({"unique": False, "precision": 4}, {"precision": 2, "fractional": False}, {"pad_right": 6}):
            assert np.format_float_positional(x, **given) == numpy.format_float_positional(x, **given), (x, given)


def test_wrong_options_are_errors_and_change_nothing():
    before = np.get_printoptions()
    for error, wrong in [
        (ValueError, {"floatmode": "wide"}),
        (ValueError, {"sign": "*"}),
        (TypeError, {"threshold": "5"}),
        (ValueError, {"threshold": float("nan")}),
        (TypeError, {"precision": 1.5}),
        (NotImplementedError, {"legacy": "1.13"}),
    ]:
        with pytest.raises(error):
            np.set_printoptions(**wrong)
    assert np.get_printoptions() == before
    assert set(before) == set(numpy.get_printoptions())


def test_settings_of_float_errors_are_accepted():
    with np.errstate(divide="ignore", invalid="warn"):
        assert np.geterr()["divide"] == "ignore"
        assert np.isnan(np.array(0.0) / 0)
    with pytest.warns(UserWarning, match="nothing is raised"):
        np.seterr(all="raise")
    np.seterr(all="ignore")
    with pytest.raises(ValueError):
        np.seterr(over="explode")


def test_numpy_itself_on_arrays_of_the_frontend():
    x, theirs = np.array([1.0, 4.0]), numpy.array([1.0, 2.0])
    for found in (numpy.sqrt(x), theirs + x, x + theirs, numpy.add.reduce(x), numpy.concatenate([x, x]), numpy.linalg.norm(x)):
        assert isinstance(found, np.ndarray), found
    assert (theirs + x).tolist() == [2.0, 6.0]
    assert numpy.sort(x).tolist() == [1.0, 4.0]
    with pytest.raises(TypeError):
        numpy.busday_count(x, x)
    assert type(numpy.asarray(x)) is numpy.ndarray
