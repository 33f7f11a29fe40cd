"""Bad input: a Python exception that says what is wrong, never a crash, and nothing that stays behind."""

import ctypes
import gc

import numpy as np
import pytest

import ivyrs

REFUSALS = (TypeError, ValueError, IndexError, OverflowError, BufferError, MemoryError)


def functions(xp):
    """Each function of a namespace and of its extensions, by name."""
    for prefix, space in (("", xp), ("linalg.", xp.linalg), ("fft.", xp.fft)):
        for name in space.__all__:
            function = getattr(space, name)
            if isinstance(function, ivyrs._ivyrs.Function):
                yield prefix + name, function


def refused(name, function, *args, **keywords):
    with pytest.raises(REFUSALS) as caught:
        result = function(*args, **keywords)
        # A lazy backend may find out when the result is read.
        np.asarray(result)
        pytest.fail(f"{name} took {args} {keywords}")
    assert str(caught.value), name


def test_wrong_keywords_and_counts(xp):
    x = xp.ones((2, 2))
    for name, function in functions(xp):
        refused(name, function, x, no_such_keyword=1)
        if "*" not in str(function.__signature__).replace("*,", ""):
            refused(name, function, *[x] * 12)


PADS = "constant dilated edge empty linear_ramp maximum mean median minimum reflect symmetric wrap".split()


def test_wrong_words_are_answered_with_the_right_ones(xp):
    x = xp.ones((2, 2))
    for words, function, keyword in [
        ("xy, ij", lambda **k: xp.meshgrid(x[0], **k), "indexing"),
        ("left, right", lambda **k: xp.searchsorted(x[0], x[0], **k), "side"),
        ("reduced, complete", lambda **k: xp.linalg.qr(x, **k), "mode"),
        ("backward, ortho, forward", lambda **k: xp.fft.fft(x, **k), "norm"),
        ("sum, replace, min, max, mul, and, or", lambda **k: xp.scatter_flat(xp.asarray([0]), 1, size=1, **k), "reduction"),
        ("sum, min, max, mul, and, or", lambda **k: xp.block_reduce(x, 2, **k), "reduction"),
        ("sum, min, max, mul, and, or", lambda **k: xp.block_prefix_reduce(x, 2, **k), "reduction"),
        (", ".join(PADS), lambda **k: xp.pad(x, 1, **k), "mode"),
    ]:
        with pytest.raises(ValueError, match=f"one of {words}"):
            function(**{keyword: "sideways"})


@pytest.mark.parametrize("wrong", ["text", object(), b"bytes", {"a": 1}, lambda: 0], ids=lambda w: type(w).__name__)
def test_what_is_no_array(xp, wrong):
    for name, function in functions(xp):
        # Bytes are memory of others, and a sequence of numbers.
        of_sequences = ("array", "asarray", "native_array", "stack", "column_stack", "dstack", "hstack", "vstack")
        if name in of_sequences and isinstance(wrong, bytes):
            continue
        refused(name, function, wrong)


def test_wrong_axes(xp):
    x = xp.ones((2, 3))
    for name, function in functions(xp):
        parameters = function.__signature__.parameters
        for keyword in ("axis", "axes"):
            if keyword not in parameters or name in ("tensordot", "linalg.tensordot", "permute_dims"):
                continue
            matrices = [x] * sum(p.kind == p.POSITIONAL_ONLY and p.default is p.empty for p in parameters.values())
            for axis in (7, -7, 2**70, "one", 0.5, object()):
                if keyword == "axes" or axis is not None:
                    refused(f"{name}({keyword}={axis!r})", function, *matrices, **{keyword: axis})


def test_arrays_of_another_backend(xp):
    other = ivyrs.namespace("ndarray" if xp.__name__ != "ivyrs[ndarray]" else "jit:interp")
    x, y = xp.ones((2, 2)), other.ones((2, 2))
    for name in ("add", "matmul", "where", "concat", "searchsorted"):
        args = {"where": (x > 0, x, y), "concat": ([x, y],), "searchsorted": (x[0], y[0])}.get(name, (x, y))
        with pytest.raises(ivyrs.BackendMismatch, match="move one"):
            getattr(xp, name)(*args)
    for operate in (lambda: x + y, lambda: x @ y, lambda: x == y):
        with pytest.raises(ivyrs.BackendMismatch):
            operate()
    with pytest.raises(ivyrs.BackendMismatch):
        x += y
    with pytest.raises(REFUSALS):
        x[y > 0]
    assert x.tolist() == [[1.0, 1.0], [1.0, 1.0]]


def test_places_of_one_device_mix():
    llvm, interp = ivyrs.namespace("jit:llvm"), ivyrs.namespace("jit:interp")
    for xp, other in ((llvm, interp), (interp, llvm)):
        x, y = xp.ones((2, 2)), other.full((2, 2), 2.0)
        for got in (xp.add(x, y), xp.add(y, x), x + y):
            assert got.tolist() == [[3.0, 3.0], [3.0, 3.0]]
        assert xp.concat([x, y]).shape == (4, 2)



def test_wrong_indices_are_index_errors(xp):
    x = xp.reshape(xp.arange(6), (2, 3))
    wrong = [5, -3, (0, 7), (0, 0, 0), (..., ...), xp.ones(3, dtype=xp.bool), xp.ones((2, 4), dtype=xp.bool), (0, xp.asarray([9]))]
    for key in wrong:
        with pytest.raises(IndexError):
            np.asarray(x[key])
        with pytest.raises(IndexError):
            x[key] = 1
            np.asarray(x)
    for key in ("a", 1.5, slice("a", 2), slice(None, None, 0), [1, "a"], object()):
        with pytest.raises((TypeError, IndexError, ValueError)):
            x[key]
    for value in ("a", object(), [1, 2], xp.ones(7)):
        with pytest.raises(REFUSALS):
            x[0] = value
    assert x.tolist() == [[0, 1, 2], [3, 4, 5]]


def test_matrices_without_a_result(xp):
    singular = xp.asarray([[1.0, 2.0], [2.0, 4.0]])
    nan = xp.full((2, 2), float("nan"))
    la = xp.linalg
    for error, calls in {
        ivyrs.SingularMatrix: [lambda: la.inv(singular), lambda: la.solve(singular, singular), lambda: la.matrix_power(singular, -1)],
        ivyrs.NotPositiveDefinite: [lambda: la.cholesky(-singular), lambda: la.cholesky(nan)],
        ivyrs.NotConverged: [
            lambda: la.svdvals(nan), lambda: la.svd(nan).U, lambda: la.eigh(nan).eigenvalues, lambda: la.eigvalsh(nan),
            lambda: la.eig(nan).eigenvalues, lambda: la.eigvals(nan), lambda: la.pinv(nan), lambda: la.matrix_rank(nan),
        ],
    }.items():
        for call in calls:
            with pytest.raises(error) as caught:
                np.asarray(call())
            assert isinstance(caught.value, ValueError) and caught.value.function
    # The magnitude of the elements is no reason.
    for size in (1e38, 1e-38):
        big = xp.full((3, 2), size)
        assert float(la.svdvals(big)[0]) == pytest.approx(size * 6**0.5) or size > 1
        assert la.eigvalsh(big[:2, :]).shape == (2,) and la.pinv(big).shape == (2, 3)


def test_foreign_memory(xp):
    base = np.arange(12.0).reshape(3, 4)
    frozen = base.copy()
    frozen.flags.writeable = False
    unaligned = np.frombuffer(b"x" + base.tobytes(), dtype=np.uint8)[1:].view(np.float64).reshape(3, 4)
    for numbers in (frozen, unaligned, base[::-1], base[:, ::-2], base.T[::-1], np.zeros((0, 3))[::-1], base.astype(">f8")):
        x = xp.asarray(numbers)
        np.testing.assert_array_equal(np.asarray(x), numbers)
        x += 1.0
        np.testing.assert_array_equal(np.asarray(x), numbers + 1.0)
    assert frozen.tolist() == base.tolist()
    empty = xp.zeros((0,), dtype=xp.uint16)
    assert xp.from_dlpack(empty, copy=False).shape == (0,) and xp.asarray(np.zeros((2, 0))).shape == (2, 0)


class DLTensor(ctypes.Structure):
    """DLPack's own structure, for tensors that no library would make."""

    _fields_ = [
        ("data", ctypes.c_void_p), ("device", ctypes.c_int32), ("device_id", ctypes.c_int32), ("ndim", ctypes.c_int32),
        ("code", ctypes.c_uint8), ("bits", ctypes.c_uint8), ("lanes", ctypes.c_uint16),
        ("shape", ctypes.POINTER(ctypes.c_int64)), ("strides", ctypes.POINTER(ctypes.c_int64)), ("offset", ctypes.c_uint64),
    ]


DELETER = ctypes.CFUNCTYPE(None, ctypes.c_void_p)


class Managed(ctypes.Structure):
    _fields_ = [("tensor", DLTensor), ("context", ctypes.c_void_p), ("deleter", DELETER)]


class Exporter:
    """Gives one capsule of a tensor, and counts how often it was freed."""

    def __init__(self, name=b"dltensor", **fields):
        self.memory = np.arange(4.0)
        self.shape, self.freed, self.name = (ctypes.c_int64 * 1)(4), 0, name
        self.deleter = DELETER(self.free)
        plain = {
            "data": self.memory.ctypes.data, "device": 1, "ndim": 1, "code": 2, "bits": 64, "lanes": 1,
            "shape": ctypes.cast(self.shape, ctypes.POINTER(ctypes.c_int64)),
        }
        self.managed = Managed(DLTensor(**{**plain, **fields}), None, self.deleter)
        new = ctypes.pythonapi.PyCapsule_New
        new.restype, new.argtypes = ctypes.py_object, [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
        self.capsule = new(ctypes.addressof(self.managed), self.name, None)

    def free(self, _):
        self.freed += 1

    def __dlpack__(self, **keywords):
        return self.capsule

    def __dlpack_device__(self):
        return (1, 0)


def test_capsules_of_all_kinds(xp):
    good = Exporter()
    x = xp.from_dlpack(good)
    assert x.tolist() == [0.0, 1.0, 2.0, 3.0]
    with pytest.raises(BufferError, match="once"):
        xp.from_dlpack(good)
    y = x + 1.0
    assert y.tolist() == [1.0, 2.0, 3.0, 4.0]
    del x, y
    gc.collect()
    assert good.freed == 1
    # What is refused is given back, and once.
    for error, fields in (
        (TypeError, {"code": 9}), (TypeError, {"lanes": 2}), (TypeError, {"bits": 24}), (BufferError, {"device": 2}),
    ):
        wrong = Exporter(**fields)
        with pytest.raises(error):
            xp.from_dlpack(wrong)
        gc.collect()
        assert wrong.freed == 1, fields
    other = Exporter(name=b"something else")
    with pytest.raises(BufferError):
        xp.from_dlpack(other)
    assert other.freed == 0


@pytest.mark.leaks
def test_refusals_keep_nothing(xp):
    x = xp.ones((2, 2))
    numbers = np.ones(1000)
    for _ in range(30):
        for wrong in (
            lambda: xp.linalg.inv(xp.zeros((2, 2))), lambda: xp.linalg.svdvals(x * float("nan")), lambda: x + object(),
            lambda: x[9], lambda: xp.asarray(numbers, dtype=xp.int8, copy=False), lambda: xp.from_dlpack(Exporter(code=9)),
            lambda: xp.concat([x, "a"]), lambda: xp.reshape(x, (3,)), lambda: xp.asarray([x, [1]]),
            lambda: memoryview(x).cast("B", (9, 9)),
        ):
            with pytest.raises((*REFUSALS, AttributeError)):
                np.asarray(wrong())
