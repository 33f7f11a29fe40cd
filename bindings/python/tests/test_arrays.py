"""The array object: conversion, operators, indexing, printing, pickling."""

import copy
import pickle
import weakref

import numpy as np
import pytest
from conftest import same

import ivyrs

DTYPES = "bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 float16 float32 float64 complex64 complex128".split()


def test_conversion_from_python(xp):
    assert xp.asarray(1).dtype == xp.int32
    assert xp.asarray(1.5).dtype == xp.float32
    assert xp.asarray(True).dtype == xp.bool
    assert xp.asarray(1j).dtype == xp.complex64
    assert xp.asarray(2**40).dtype == xp.int64
    assert xp.asarray([[1, 2.5], [3, True]]).dtype == xp.float32
    assert xp.asarray([]).dtype == xp.float32 and xp.asarray([[], []]).shape == (2, 0)
    assert xp.asarray([1, 2], dtype=xp.uint8).tolist() == [1, 2]
    assert xp.asarray(range(3)).tolist() == [0, 1, 2]
    assert xp.asarray([0.1], dtype=xp.float64).tolist() == [0.1]
    assert xp.asarray([2**63], dtype=xp.uint64).tolist() == [2**63]
    with pytest.raises(OverflowError):
        xp.asarray(300, dtype=xp.int8)
    with pytest.raises(OverflowError):
        xp.asarray([300], dtype=xp.int8)
    with pytest.raises(ValueError):
        xp.asarray([[1], [1, 2]])
    with pytest.raises(TypeError):
        xp.asarray("text")
    with pytest.raises(TypeError):
        xp.asarray([object()])
    with pytest.raises(ValueError):
        xp.asarray(1.0, copy=False)
    assert xp.asarray([np.float64(1.5), np.float64(2)]).dtype == xp.float64
    assert xp.asarray([xp.asarray([1, 2]), xp.asarray([3, 4])]).tolist() == [[1, 2], [3, 4]]


@pytest.mark.parametrize("name", DTYPES)
def test_numpy_both_ways(xp, name):
    numbers = np.arange(6).reshape(2, 3).astype(name)
    x = xp.asarray(numbers)
    assert x.dtype == getattr(xp, name) and x.shape == (2, 3)
    same(x, numbers)
    same(xp.from_dlpack(numbers), numbers)
    same(np.from_dlpack(x), numbers)
    back = np.asarray(x)
    assert not back.flags.writeable
    same(pickle.loads(pickle.dumps(x)), numbers)
    assert x.tolist() == numbers.tolist()


def test_numpy_copies_nothing():
    xp = ivyrs.namespace("ndarray")
    numbers = np.arange(1000.0)
    address = numbers.__array_interface__["data"][0]
    x = xp.asarray(numbers)
    assert np.asarray(x).__array_interface__["data"][0] == address
    assert np.from_dlpack(x).__array_interface__["data"][0] == address
    assert np.asarray(xp.from_dlpack(numbers)).__array_interface__["data"][0] == address
    assert np.asarray(xp.asarray(numbers, copy=True)).__array_interface__["data"][0] != address
    assert np.asarray(x, copy=False).__array_interface__["data"][0] == address
    # A write copies first: the foreign memory stays as it is.
    x[0] = 5.0
    assert numbers[0] == 0.0 and float(x[0]) == 5.0


def test_memory_of_all_kinds(xp):
    base = np.arange(24, dtype=np.float64).reshape(4, 6)
    same(xp.asarray(base[::-1, ::2]), base[::-1, ::2])
    same(xp.asarray(base.T), base.T)
    same(xp.asarray(base[1:1]), base[1:1])
    same(xp.asarray(np.broadcast_to(base[0], (3, 6))), np.broadcast_to(base[0], (3, 6)))
    frozen = base.copy()
    frozen.flags.writeable = False
    same(xp.asarray(frozen), frozen)
    unaligned = np.frombuffer(b"x" + base.tobytes(), dtype=np.uint8)[1:].view(np.float64)
    assert not unaligned.flags.aligned
    same(xp.asarray(unaligned), base.ravel())
    with pytest.raises(ValueError):
        xp.asarray(unaligned, copy=False)
    same(xp.asarray(base.astype(">f8")), base)
    same(xp.asarray(np.arange(3, dtype=">i2")), np.arange(3, dtype=np.int16))
    dirty = np.array([0, 1, 2, 255], dtype=np.uint8).view(np.bool_)
    assert xp.asarray(dirty).tolist() == [False, True, True, True]
    assert xp.asarray(memoryview(b"\x01\x02")).tolist() == [1, 2]
    assert xp.asarray(bytearray(b"\x01")).dtype == xp.uint8
    for wrong in (np.array(["a"]), np.array([None]), np.zeros(2, dtype="M8[s]"), np.zeros(2, dtype=[("a", "i4")])):
        with pytest.raises(TypeError):
            xp.asarray(wrong)


def test_a_lazy_backend_does_not_see_later_writes():
    xp = ivyrs.namespace("jit")
    numbers = np.ones(4)
    y = xp.asarray(numbers) + 1.0
    numbers[:] = 7.0
    assert y.tolist() == [2.0] * 4
    with pytest.raises(ValueError, match="copy"):
        xp.asarray(numbers, copy=False)


def test_dlpack_capsules():
    x = ivyrs.asarray([1.0, 2.0])
    capsule = x.__dlpack__(max_version=(1, 0))
    assert ivyrs.from_dlpack(Holder(capsule)).tolist() == [1.0, 2.0]
    with pytest.raises(BufferError, match="once"):
        ivyrs.from_dlpack(Holder(capsule))
    legacy = x.__dlpack__()
    assert ivyrs.from_dlpack(Holder(legacy)).tolist() == [1.0, 2.0]
    # Who asks for no copy vouches that nothing is written: the memory is the array's own.
    shared = np.from_dlpack(Holder(x.__dlpack__(copy=False)))
    assert shared.__array_interface__["data"][0] == np.asarray(x).__array_interface__["data"][0]
    with pytest.raises(BufferError):
        x.__dlpack__(stream=1)
    with pytest.raises(BufferError):
        x.__dlpack__(dl_device=(2, 0))
    with pytest.raises(BufferError):
        ivyrs.from_dlpack(Holder(x.__dlpack__(max_version=(1, 0)), device=2))
    with pytest.raises(TypeError):
        ivyrs.from_dlpack([1, 2])
    assert x.__dlpack_device__() == (1, 0)
    y = ivyrs.from_dlpack(x, copy=True)
    y[0] = 9.0
    assert x.tolist() == [1.0, 2.0]
    unused = x.__dlpack__(max_version=(1, 0))
    del unused


class Holder:
    """Gives a capsule that is there already."""

    def __init__(self, capsule, device=1):
        self.capsule, self.device = capsule, device

    def __dlpack__(self, **keywords):
        return self.capsule

    def __dlpack_device__(self):
        return (self.device, 0)


def test_bfloat16(xp):
    x = xp.asarray([1.5, 2.0], dtype=xp.bfloat16)
    assert x.tolist() == [1.5, 2.0] and "bfloat16" in repr(x)
    with pytest.raises(TypeError, match="bfloat16"):
        np.asarray(x)
    same(xp.astype(xp.from_dlpack(x), xp.float32), np.float32([1.5, 2.0]))


def test_operators(xp):
    a, b = np.float64([5.0, -3.0]), np.float64([2.0, 4.0])
    x, y = xp.asarray(a), xp.asarray(b)
    for op in ("+", "-", "*", "/", "//", "%", "**", "==", "!=", "<", "<=", ">", ">="):
        np.testing.assert_array_equal(np.asarray(eval(f"x {op} y")), eval(f"a {op} b"), err_msg=op)
        np.testing.assert_array_equal(np.asarray(eval(f"x {op} 2.0")), eval(f"a {op} 2.0"), err_msg=op)
        np.testing.assert_allclose(np.asarray(eval(f"2.0 {op} y")), eval(f"2.0 {op} b"), rtol=1e-15, err_msg=op)
    assert float(x @ y) == -2.0
    i, j = np.int64([12, -5]), np.int64([2, 3])
    u, v = xp.asarray(i), xp.asarray(j)
    for op in ("&", "|", "^", "<<", ">>"):
        same(eval(f"u {op} v"), eval(f"i {op} j"))
        same(eval(f"u {op} 1"), eval(f"i {op} 1"))
        same(eval(f"3 {op} v"), eval(f"3 {op} j"))
    same(~u, ~i)
    same(-u, -i)
    same(+u, i)
    same(abs(u), abs(i))
    assert (x == None) is False and (x != "a") is True  # noqa: E711
    with pytest.raises(TypeError):
        x + "a"
    with pytest.raises(TypeError):
        x + a
    with pytest.raises(TypeError):
        a + x
    same(np.float64(2) * x, 2 * a)
    same(x * np.int64(2), a * 2)
    same(x + np.float32(1), a + 1)


def test_in_place(xp):
    x = xp.asarray([1.0, 2.0])
    alias, before = x, copy.copy(x)
    x += 1
    x *= x
    assert alias is x and x.tolist() == [4.0, 9.0] and before.tolist() == [1.0, 2.0]
    x **= 2
    x -= xp.asarray(1.0)
    x /= 5
    assert x.tolist() == [3.0, 16.0]
    n = xp.asarray([7, 8])
    n <<= 1
    n |= 1
    assert n.tolist() == [15, 17] and n.dtype == xp.int32
    with pytest.raises(TypeError):
        n += 0.5
    with pytest.raises(ValueError):
        n += xp.zeros((2, 2), dtype=xp.int32)
    with pytest.raises(TypeError):
        n += "a"
    assert n.tolist() == [15, 17]


def test_indexing(xp):
    numbers = np.arange(24).reshape(2, 3, 4)
    x = xp.asarray(numbers)
    for key in [
        0, -1, (1, 2), (1, 2, 3), slice(None), (slice(None, None, -1),), (..., 0), (0, ..., slice(1, 3)), None,
        (None, 1, None), ..., (), slice(-100, 100, 2), slice(10**30), (slice(None, -(10**30), -1),),
    ]:
        same(x[key], numbers[key])
    mask = numbers % 5 == 0
    same(x[xp.asarray(mask)], numbers[mask])
    same(x[xp.asarray(mask[:, :, 0])], numbers[mask[:, :, 0]])
    rows, columns = np.array([1, 0, 1]), np.array([-1, 0, 2])
    same(x[xp.asarray(rows)], numbers[rows])
    same(x[xp.asarray(rows), xp.asarray(columns)], numbers[rows, columns])
    same(x[:, xp.asarray(columns), 1:], numbers[:, columns, 1:])
    same(x[[1, 0]], numbers[[1, 0]])
    same(x[rows], numbers[rows])
    same(x[[]], numbers[[]])
    same(x[np.int64(1)], numbers[1])
    same(x[xp.asarray(1)], numbers[1])
    same(x[True], numbers[True])
    for wrong in (2, -3, (0, 0, 0, 0), 10**30, "a", 1.5, (..., ...)):
        with pytest.raises((IndexError, ValueError)):
            x[wrong]
    with pytest.raises(IndexError):
        x[xp.asarray([0, 7])].tolist()
    with pytest.raises((ValueError, IndexError)):
        x[xp.asarray([True, False, True])]
    with pytest.raises(ValueError):
        x[::0]


def test_assignment(xp):
    for key, value in [
        (0, 1), ((1, 2, 3), -7), (slice(None, None, 2), 5), ((..., 0), [[1, 2, 3], [4, 5, 6]]), (np.array([1, 0]), 3),
    ]:
        numbers = np.arange(24).reshape(2, 3, 4)
        x = xp.asarray(numbers.copy())
        x[key] = value
        numbers[key] = value
        same(x, numbers)
    numbers = np.arange(6.0).reshape(2, 3)
    x = xp.asarray(numbers.copy())
    row = x[0]
    x[x > 2] = 0.0
    numbers[numbers > 2] = 0.0
    same(x, numbers)
    x[0, :] = xp.asarray([7.0, 8.0, 9.0], dtype=xp.float64)
    assert row.tolist() == [0.0, 1.0, 2.0], "an index gives a value, not a view"
    before = x.tolist()
    for key, value, error in [
        (5, 1, IndexError), (0, [1.0, 2.0], ValueError), (0, 1j, TypeError), (0, "a", TypeError), ("a", 1, IndexError),
    ]:
        with pytest.raises(error):
            x[key] = value
        assert x.tolist() == before
    with pytest.raises(TypeError):
        del x[0]


def test_numbers(xp):
    assert bool(xp.asarray(2.5)) and int(xp.asarray(-2.9)) == -2 and float(xp.asarray(2)) == 2.0
    assert complex(xp.asarray(1.5)) == 1.5 and complex(xp.asarray(2j)) == 2j
    assert [10, 20][xp.asarray(1)] == 20 and xp.asarray(3).__index__() == 3
    assert int(xp.asarray(2**63, dtype=xp.uint64)) == 2**63
    for what, x, error in [
        (int, xp.asarray(float("nan")), ValueError), (int, xp.asarray(float("inf")), OverflowError),
        (float, xp.asarray(1j), TypeError), (int, xp.asarray(1j), TypeError), (float, xp.asarray([1.0]), TypeError),
        (bool, xp.asarray([True, False]), ValueError), (len, xp.asarray(1), TypeError), (iter, xp.asarray(1), TypeError),
    ]:
        with pytest.raises(error):
            what(x)
    with pytest.raises(TypeError):
        xp.asarray(1.0).__index__()
    with pytest.raises(TypeError):
        hash(xp.asarray(1))
    assert [int(n) for n in xp.asarray([1, 2])] == [1, 2] and len(xp.asarray([[1], [2]])) == 2
    assert xp.asarray([5]).item() == 5 and 2 in xp.asarray([1, 2]) and 3 not in xp.asarray([1, 2])
    assert f"{xp.asarray(1.5):.2f}" == "1.50"


def test_printing(xp):
    assert repr(xp.asarray([1.0, 2.5])) == "Array([1. , 2.5])"
    assert str(xp.asarray([[1, 2], [3, 4]])) == "[[1 2]\n [3 4]]"
    assert repr(xp.asarray([1, 2], dtype=xp.int8)) == "Array([1, 2], dtype=int8)"
    assert repr(xp.float32) == "ivyrs.float32" and str(xp.float32) == "float32"


def test_attributes(xp):
    x = xp.zeros((2, 3), dtype=xp.float64)
    assert (x.shape, x.ndim, x.size, x.nbytes, x.itemsize, x.device) == ((2, 3), 2, 6, 48, 8, "cpu")
    assert x.T.shape == x.mT.shape == (3, 2) and xp.zeros((4, 2, 3)).mT.shape == (4, 3, 2)
    with pytest.raises(ValueError):
        xp.zeros(3).T
    with pytest.raises(ValueError):
        xp.zeros(3).mT
    assert x.to_device("cpu") is x
    for wrong in ("cuda:0", "moon"):
        with pytest.raises(ValueError):
            x.to_device(wrong)
    with pytest.raises(AttributeError):
        x.shape = (3, 2)
    assert weakref.ref(x)() is x


def test_values_are_not_shared(xp):
    x = xp.asarray([1.0, 2.0, 3.0])
    y, z = xp.reshape(x, (3, 1)), xp.asarray(x, copy=True)
    w = xp.asarray(x)
    assert w is x
    x[0] = 9.0
    assert y.tolist() == [[1.0], [2.0], [3.0]] and z.tolist() == [1.0, 2.0, 3.0] and w.tolist()[0] == 9.0
    exported = np.asarray(x)
    x[1] = 9.0
    assert exported.tolist() == [9.0, 2.0, 3.0]


def test_dtypes():
    assert ivyrs.float32 == ivyrs.namespace("jit").float32 and ivyrs.float32 != ivyrs.float64
    assert ivyrs.Dtype("float32") is ivyrs.float32 and pickle.loads(pickle.dumps(ivyrs.int8)) is ivyrs.int8
    assert len({ivyrs.float32, ivyrs.Dtype("float32"), ivyrs.int8}) == 2
    assert (ivyrs.int8.name, ivyrs.int8.bits, ivyrs.complex64.itemsize) == ("int8", 8, 8)
    with pytest.raises(TypeError, match="did you mean float32"):
        ivyrs.Dtype("flaot32")
    assert ivyrs.finfo(ivyrs.complex128).dtype == ivyrs.float64 and ivyrs.iinfo(ivyrs.int8).max == 127
    with pytest.raises(TypeError):
        ivyrs.finfo(ivyrs.int8)
    with pytest.raises(TypeError):
        ivyrs.iinfo(ivyrs.float32)


def test_backends_do_not_mix():
    x, y = ivyrs.namespace("ndarray").asarray(1.0), ivyrs.namespace("jit").asarray(1.0)
    with pytest.raises(ValueError, match="move one"):
        x + y
    with pytest.raises(ValueError, match="move one"):
        ivyrs.namespace("ndarray").add(y, y)
    with pytest.raises(ValueError, match="move one"):
        ivyrs.namespace("ndarray").sum(y)
    assert float(x.to_backend("jit") + y) == 2.0
    assert ivyrs.namespace("jit").asarray(x).backend == "jit"


@pytest.mark.leaks
def test_nothing_leaks(xp):
    numbers = np.arange(10.0)
    for _ in range(50):
        x = xp.asarray(numbers)
        y = x + x
        y[2:] = 0.0
        y += 1
        list(y)
        np.asarray(y), np.from_dlpack(y), xp.from_dlpack(numbers), y.__dlpack__(max_version=(1, 0)), memoryview(y)
        xp.unique_all(y), xp.meshgrid(y, y), y.tolist(), repr(y), pickle.dumps(y)
        for wrong in (lambda: y[100], lambda: y + "a", lambda: xp.reshape(y, (7,)), lambda: xp.add(y, None)):
            with pytest.raises((TypeError, ValueError, IndexError)):
                wrong()


def test_work_that_was_put_off_is_waited_for():
    xp = ivyrs.namespace("jit")
    x = xp.ones(1 << 16)
    y = x
    for _ in range(40):
        y = y + x
    assert y.wait() is None
    assert float(y[5]) == 41.0
    outside = xp.take(xp.asarray([1.0, 2.0]), xp.asarray([1 << 40]))
    with pytest.raises(IndexError):
        outside.wait()
