"""What the NumPy frontend has in Python beside the rows of its tables, against NumPy itself."""

import numpy
import pytest

import ivyrs.frontends.numpy as np

FLOATS = ("float16", "float32", "float64", "complex64", "complex128")
INTEGERS = ("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64")
KINDS = "generic number integer signedinteger unsignedinteger inexact floating complexfloating".split()


def same(found, wanted):
    """Whether results are equal: shapes, dtypes, elements, of each of several."""
    if isinstance(wanted, tuple):
        return len(found) == len(wanted) and all(map(same, found, wanted))
    found, wanted = numpy.asarray(found), numpy.asarray(wanted)
    return (found.shape, found.dtype) == (wanted.shape, wanted.dtype) and numpy.array_equal(found, wanted)


CALLS = {
    "mgrid of two": lambda n: n.mgrid[0:5, 0:5],
    "mgrid of one": lambda n: n.mgrid[0:4],
    "mgrid by number": lambda n: n.mgrid[-1:1:5j],
    "mgrid mixed": lambda n: n.mgrid[-1:1:3j, 0:4],
    "mgrid of steps": lambda n: n.mgrid[0:2:0.5, 0:3],
    "ogrid of two": lambda n: n.ogrid[0:5, 0:3],
    "ogrid of one": lambda n: n.ogrid[-1:1:5j],
    "r_ of ranges and numbers": lambda n: n.r_[1:4, 0, 4],
    "r_ of arrays": lambda n: n.r_[n.array([1, 2, 3]), 0, 0, n.array([4, 5, 6])],
    "r_ by number": lambda n: n.r_[-1:1:6j, [0] * 3, 5, 6],
    "r_ last axis": lambda n: n.r_["-1", n.array([[0, 1, 2], [3, 4, 5]]), n.array([[0, 1, 2], [3, 4, 5]])],
    "r_ two axes": lambda n: n.r_["0,2", [1, 2, 3], [4, 5, 6]],
    "r_ two axes, placed": lambda n: n.r_["0,2,0", [1, 2, 3], [4, 5, 6]],
    "r_ along the other": lambda n: n.r_["1,2,0", [1, 2, 3], [4, 5, 6]],
    "r_ three axes": lambda n: n.r_["0,3", [1, 2], [3, 4]],
    "r_ three axes, in the midst": lambda n: n.r_["0,3,1", [1, 2], [3, 4]],
    "c_": lambda n: n.c_[n.array([1, 2, 3]), n.array([4, 5, 6])],
    "c_ of rows": lambda n: n.c_[n.array([[1, 2, 3]]), 0, 0, n.array([[4, 5, 6]])],
    "c_ of ranges": lambda n: n.c_[1:3, 2:4],
    "ndindex": lambda n: n.array(list(n.ndindex(3, 2))),
    "ndenumerate": lambda n: n.array([[*at, x] for at, x in n.ndenumerate(n.array([[1, 2], [3, 4]]))]),
    "broadcast": lambda n: n.array([[int(p) for p in pair] for pair in n.broadcast([[1], [2]], [3, 4, 5])]),
    "apply_along_axis": lambda n: n.apply_along_axis(lambda a: (a[0] + a[-1]) * 0.5, 0, n.array([[1, 2, 3], [4, 5, 6], [7, 8, 9]])),
    "apply_along_axis of lists": lambda n: n.apply_along_axis(sorted, 1, n.array([[8, 1, 7], [4, 3, 9], [5, 2, 6]])),
    "apply_along_axis that adds axes": lambda n: n.apply_along_axis(n.diag, -1, n.array([[1, 2, 3], [4, 5, 6]])),
    "apply_along_axis within": lambda n: n.apply_along_axis(lambda x: n.array([[x[0], x[1]]]), 1, n.arange(24).reshape(2, 3, 4)),
    "apply_over_axes": lambda n: n.apply_over_axes(n.sum, n.arange(24).reshape(2, 3, 4), (0, -1)),
    "fromfunction": lambda n: n.fromfunction(lambda i, j: i == j, (3, 3), dtype=int),
    "fromiter": lambda n: n.fromiter((x * x for x in range(5)), float, 3),
    "vectorize": lambda n: n.vectorize(lambda a, b: a - b if a > b else a + b)([1, 2, 3, 4], 2),
    "vectorize to floats": lambda n: n.vectorize(lambda a, b: a + b, otypes=[float])([1, 2, 3, 4], 2),
    "vectorize to two": lambda n: n.vectorize(lambda a: (a, a * 2.0))([1, 2, 3]),
    "vectorize excluded": lambda n: n.vectorize(lambda p, x: sum(p) * x, excluded=["p"])(p=[1, 2, 3], x=[0, 1]),
    "vectorize of parts": lambda n: n.vectorize(n.convolve, signature="(n),(m)->(k)")(n.eye(4), [1, 2, 1]),
    "vectorize of parts to two": lambda n: n.vectorize(lambda a, b: (n.sum(a), n.mean(b)), signature="(n),(n)->(),()")(
        [[1, 2], [3, 4]], [[1.0, 2], [3, 4]]
    ),
    "vectorize of nothing": lambda n: n.vectorize(lambda x: x + 1, otypes="d")(n.zeros((0, 2))),
    "vectorize as a decorator": lambda n: n.vectorize(otypes=[float])(lambda x: x + 1)(n.arange(3)),
    "vectorize keeps dtypes": lambda n: n.vectorize(lambda x: x + x)(n.array([1, 2, 3], dtype="int16")),
    "vectorize of parts without elements": lambda n: n.vectorize(lambda x: x, signature="(n)->(n)")(n.zeros((5, 0))),
    "an array of a shape": lambda n: (n.ndarray((2, 0)), n.ndarray(0, dtype="int8"), n.ndarray(shape=(0, 3))),
    "flat": lambda n: tuple(n.arange(9).flat[key] for key in (8, slice(2, 5), [1, 2], n.arange(9) > 6, ..., ())),
    "piecewise": lambda n: n.piecewise(n.arange(-3.0, 3), [n.arange(-3, 3) < 0, n.arange(-3, 3) > 1], [lambda x: -x, 7, lambda x: x * 10]),
    "piecewise of one condition": lambda n: n.piecewise([1, 2], [True, False], [2]),
    "piecewise of a number": lambda n: n.piecewise(4, [False, True, False], [1, 2, 3]),
    "mask_indices": lambda n: n.mask_indices(3, n.triu, 1),
}


@pytest.mark.parametrize("name", CALLS)
def test_calls(name):
    found, wanted = CALLS[name](np), CALLS[name](numpy)
    assert same(found, wanted), (found, wanted)


REFUSED = {
    "apply_along_axis of no such axis": lambda n: n.apply_along_axis(sum, 3, n.eye(2)),
    "apply_along_axis of nothing": lambda n: n.apply_along_axis(sum, 0, n.zeros((2, 0))),
    "vectorize of nothing": lambda n: n.vectorize(lambda x: x)([]),
    "no signature": lambda n: n.vectorize(lambda x: x, signature="n->m"),
    "too few axes": lambda n: n.vectorize(lambda x: x, signature="(n)->()")(1.0),
    "lengths that differ": lambda n: n.vectorize(lambda x, y: x, signature="(n),(n)->()")([1, 2], [1, 2, 3]),
    "no dtypes": lambda n: n.vectorize(lambda x: x, otypes=3),
    "no directive": lambda n: n.r_["x", 1],
    "a negative length": lambda n: n.ndindex(-1),
    "an iterator that ends": lambda n: n.fromiter(iter([1]), int, 2),
    "functions for other conditions": lambda n: n.piecewise([1, 2], [[True, False]], []),
    "iinfo of floats": lambda n: n.iinfo(float),
    "finfo of integers": lambda n: n.finfo("int8"),
    "a slice of floats": lambda n: n.arange(4)[0.5:2],
    "a slice that does not move": lambda n: n.arange(4)[::0],
    "a write to a slice that does not move": lambda n: n.arange(4).__setitem__(slice(None, None, 0), 1),
    "a place in a list": lambda n: n.place([1, 2], [True, False], [3]),
    "a target of another shape": lambda n: n.sum(n.ones((2, 3)), axis=0, out=n.zeros(2)),
    "new dimensions of nothing": lambda n: n.vectorize(lambda x: [x], signature="()->(n)", otypes="i")(n.zeros((0, 5))),
    "dimensions that differ": lambda n: n.vectorize(lambda x: x[:-1], signature="(n)->(n)")([1, 2, 3]),
    "two positions of a flat iterator": lambda n: n.arange(9).flat[1, 2],
    "a new axis of a flat iterator": lambda n: n.arange(9).flat[None],
    "truth values in a list for a flat iterator": lambda n: n.arange(3).flat[[True, False, True]],
    "a list of slices": lambda n: n.ones((2, 2))[[slice(None)]],
    "an axis between two": lambda n: n.min(n.ones((2, 2)), axis=0.5),
    "a class as an operand": lambda n: n.add([1.0], n.ndarray),
    "nothing joined": lambda n: n.r_[()],
    "a length that is no integer": lambda n: n.ndindex(1.5),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refusals(name):
    with pytest.raises(Exception) as wanted:
        REFUSED[name](numpy)
    with pytest.raises(Exception) as found:
        REFUSED[name](np)
    assert type(found.value).__name__ == type(wanted.value).__name__ and str(found.value)


def test_refusals_name_the_function_and_what_was_given():
    x = np.arange(3.0)
    for call, error, text in (
        (lambda: np.zeros(2, dtype=np.ndarray), TypeError, "the class ndarray is no value"),
        (lambda: x[np.ndarray], TypeError, "the class ndarray is no value"),
        (lambda: np.mgrid[3], TypeError, r"mgrid\[3\]: a slice"),
        (lambda: np.ogrid[1:2, 3], TypeError, r"ogrid\[3\]: a slice"),
        (lambda: np.c_[()], ValueError, r"c_\[\(\)\]: at least one"),
        (lambda: np.vectorize(3), TypeError, "vectorize: pyfunc = 3"),
        (lambda: np.piecewise(x, [x > 1], 3), TypeError, "piecewise: funclist = 3"),
        (lambda: np.apply_along_axis(3, 0, x), TypeError, "apply_along_axis: func1d = 3"),
        (lambda: np.apply_over_axes(3, x, 0), TypeError, "apply_over_axes: func = 3"),
        (lambda: np.mask_indices(2, 3), TypeError, "mask_indices: mask_func = 3"),
        (lambda: np.fromfunction(3, (2,)), TypeError, "fromfunction: function = 3"),
        (lambda: np.fromfunction(lambda i: i, (2,), like=x), TypeError, "fromfunction: like"),
        (lambda: np.ndindex(1.5), TypeError, r"ndindex: shape = \(1.5,\)"),
    ):
        with pytest.raises(error, match=text):
            call()


def test_a_cast_to_the_same_dtype_copies_if_it_is_to():
    x = np.arange(3.0)
    assert x.astype(float, copy=False) is x and np.astype(x, float, copy=False) is x
    again = x.astype(float)
    assert again is not x and again.base is None and not np.shares_memory(x, again)
    other = x.astype("float32", copy=False)
    assert other.base is None and other.dtype == np.float32


def test_the_class_of_arrays_is_what_an_array_is_viewed_as():
    x = np.arange(3.0)
    assert x.view(np.ndarray).base is x and x.view(type=np.ndarray).tolist() == x.tolist()


@pytest.mark.parametrize("dtype", FLOATS)
def test_limits_of_floats(dtype):
    found, wanted = np.finfo(dtype), numpy.finfo(dtype)
    assert repr(found) == repr(wanted)
    for name in (
        "bits eps epsneg max min smallest_normal tiny smallest_subnormal resolution nmant nexp iexp maxexp minexp machep negep precision"
    ).split():
        assert repr(getattr(found, name)) == repr(getattr(wanted, name)), name


@pytest.mark.parametrize("dtype", INTEGERS)
def test_limits_of_integers(dtype):
    found, wanted = np.iinfo(dtype), numpy.iinfo(dtype)
    assert (repr(found), found.bits, found.min, found.max) == (repr(wanted), wanted.bits, wanted.min, wanted.max)


def test_limits_of_what_has_a_dtype():
    assert np.finfo(np.ones(2, dtype=np.float32)) == np.finfo(np.float32) == np.finfo(np.complex64)
    assert np.iinfo(3).dtype == np.int64 and np.finfo(3.0).dtype == np.float64


@pytest.mark.parametrize("dtype", ("bool", *FLOATS, *INTEGERS))
def test_kinds(dtype):
    for kind in KINDS:
        assert np.issubdtype(dtype, getattr(np, kind)) == numpy.issubdtype(dtype, getattr(numpy, kind)), kind
    for other in (float, int, "float32", "uint8"):
        assert np.issubdtype(dtype, other) == numpy.issubdtype(dtype, other), other
    one = vars(np)[dtype](1)
    assert isinstance(one, vars(np)[dtype]) and not isinstance(np.ones(1, dtype=dtype), np.generic)
    for kind in KINDS:
        assert isinstance(one, getattr(np, kind)) == isinstance(vars(numpy)[dtype](1), getattr(numpy, kind)), kind


@pytest.mark.parametrize("dtype", ("bool", *FLOATS, *INTEGERS))
def test_attributes_of_dtypes(dtype):
    found, wanted = np.dtype(dtype), numpy.dtype(dtype)
    for name in "name kind itemsize str byteorder isnative alignment ndim shape names fields subdtype hasobject".split():
        assert getattr(found, name) == getattr(wanted, name), name
    assert numpy.dtype(found.char) == wanted and found.type is found


def test_former_random_numbers_follow_from_the_seed():
    first, second = np.random.RandomState(7), np.random.RandomState(7)
    for draw in (lambda r: r.rand(2, 3), lambda r: r.randint(9, size=4), lambda r: r.normal(size=3), lambda r: r.random_sample()):
        assert same(draw(first), draw(second))
    assert np.random.RandomState(3).randn().ndim == 0
