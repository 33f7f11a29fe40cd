"""The methods, properties and operators of ndarray."""

import numpy as np

from . import b1, c8, c16, counted, f4, f8, i1, i4, i8, nan, u1


def record(r):
    def method(name, *args, **keywords):
        r.call(f"ndarray.{name}", *args, **keywords)

    def changes(name, *args, **keywords):
        r.record(f"ndarray.{name}", args, keywords, inplace=0)

    properties(method)
    reductions(method)
    forms(method)
    elements(method, changes)
    operators(r)


def properties(method):
    x = f4([[1, 2, 3], [4, 5, 6]])
    for name in ("T", "mT", "dtype", "imag", "real", "itemsize", "nbytes", "ndim", "shape", "size", "strides", "device"):
        method(name, x)
        method(name, c16([1 + 2j]))
        method(name, f8(2.0).reshape(()))


def reductions(method):
    x, n = counted(2, 3), i4([[3, -1, 2], [7, 0, 5]])
    for name in ("sum", "prod", "mean", "std", "var", "max", "min", "all", "any"):
        method(name, x)
        method(name, n, axis=0)
        method(name, n, 1)
        method(name, x, axis=1, keepdims=True)
        method(name, i1([100, 3]))
        method(name, x, axis=2)
        method(name, x, axis=0, out=np.zeros(3, "bool" if name in ("all", "any") else "float64"))
    for name in ("sum", "prod", "mean", "std", "var"):
        method(name, n, None, "float32")
        method(name, x, axis=1, where=b1([True, False, True]))
    for name in ("std", "var"):
        method(name, x, ddof=1)
    method("max", x, initial=10)
    method("min", x, axis=0, initial=2, where=b1([[True], [False]]))
    method("sum", x, initial=5)
    for name in ("argmax", "argmin"):
        method(name, n)
        method(name, n, 0)
        method(name, n, axis=1, keepdims=True)
    for name in ("cumsum", "cumprod"):
        method(name, n)
        method(name, n, axis=0)
        method(name, n, 1, "float32")
    method("trace", x)
    method("trace", n, offset=1)
    method("trace", n, 0, 1, 0)
    method("dot", x, f8([1, 2, 3]))
    method("dot", x, 2)
    method("dot", x, f8([1, 2]))
    method("round", f8([1.25, 2.5]))
    method("round", f8([1.26, 2.5]), 1)
    method("round", i4([15, 25]), decimals=-1)
    method("clip", n, 0, 3)
    method("clip", n, max=3)
    method("clip", n, min=2.5)
    method("clip", n)
    method("conj", c8([1 + 1j]))
    method("conjugate", c8([1 + 1j]))
    method("conjugate", n)
    method("conj", x)
    method("nonzero", n)
    method("nonzero", b1([False, True]))
    method("nonzero", x)


def forms(method):
    x = counted(2, 3, dtype="int32")
    method("reshape", x, 3, 2)
    method("reshape", x, (3, 2))
    method("reshape", x, -1)
    method("reshape", x, (3, -1), order="F")
    method("reshape", x, 4, 2)
    method("ravel", x)
    method("ravel", x, "F")
    method("ravel", f8(1.0).reshape(()))
    method("flatten", x)
    method("flatten", x, "F")
    method("flatten", x, order="C")
    method("transpose", x)
    method("transpose", x, 1, 0)
    method("transpose", x, (0, 1))
    method("transpose", x, None)
    method("transpose", x, 0)
    method("swapaxes", x, 0, 1)
    method("swapaxes", x, -1, -2)
    method("swapaxes", x, 0, 2)
    method("squeeze", f4([[[1], [2]]]))
    method("squeeze", f4([[[1], [2]]]), axis=0)
    method("squeeze", f4([[[1], [2]]]), 1)
    method("repeat", x, 2)
    method("repeat", x, [1, 2], axis=0)
    method("repeat", x, 2, 1)
    method("diagonal", x)
    method("diagonal", x, 1)
    method("diagonal", counted(2, 2, 2), axis1=1, axis2=2)
    method("astype", f8([1.7, -2.2]), int)
    method("astype", x, "float32", copy=False)
    method("astype", f8([1.5]), "int32", casting="safe")
    method("astype", f8([1.5]), np.float32, "K", "same_kind")
    method("astype", c8([1 + 1j]), "float32")
    method("astype", i8([300, -1]), "uint8")
    method("astype", f8([1.5, 0, nan]), bool)
    method("copy", x)
    method("copy", x, "F")
    method("copy", x, order="C")
    method("tolist", x)
    method("tolist", f4([1.5, nan]))
    method("tolist", c8([[1j]]))
    method("tolist", b1(True).reshape(()))
    method("item", f4([1.5]))
    method("item", x, 3)
    method("item", x, (0, 1))
    method("item", x, 1, 2)
    method("item", x)
    method("item", x, 9)
    method("view", x)
    method("view", f4([1.0, -2.0]), "int32")
    method("view", i4([[1, 2]]), np.int64)
    method("view", i4([1, 2, 3]), "int64")
    method("view", f8([1.0]), "uint8")
    method("byteswap", i4([1, 256]))
    method("byteswap", u1([1, 2]))
    method("byteswap", f4([1.0]))
    method("to_device", x, "cpu")
    method("to_device", x, "gpu")


def elements(method, changes):
    x, n = i4([4, 3, 5, 7]), i4([[3, 1, 2], [9, 7, 8]])
    method("take", x, [0, -1])
    method("take", n, 1, axis=1)
    method("take", x, [5], mode="clip")
    method("take", x, [5])
    method("choose", i8([1, 0]), [[1, 2], [3, 4]])
    method("choose", i8([3, 0]), ([1, 2], [3, 4]), mode="wrap")
    method("choose", i8([3, 0]), ([1, 2], [3, 4]))
    method("compress", x, [1, 0, 1])
    method("compress", n, [0, 1], axis=0)
    method("compress", n, [True, False, True], 1)
    method("searchsorted", i4([1, 3, 5]), 3)
    method("searchsorted", i4([1, 3, 5]), [3, 0], side="right")
    method("searchsorted", i4([5, 1, 3]), [4], sorter=[1, 2, 0])
    method("argsort", n)
    method("argsort", n, axis=0)
    method("argsort", n, None, "stable")
    method("argpartition", i4([3, 1, 2]), 1)
    method("argpartition", n, 1, axis=1)
    method("argpartition", n, 5)
    changes("sort", i4([[3, 1, 2], [9, 7, 8]]))
    changes("sort", i4([[9, 1], [3, 7]]), axis=0)
    changes("sort", f8([2, nan, 1]), kind="stable")
    changes("sort", i4([1, 2]), 1)
    changes("partition", i4([3, 1, 2]), 1)
    changes("partition", i4([[3, 1, 2], [9, 7, 8]]), 1, axis=1)
    changes("partition", i4([3, 1]), 7)
    changes("fill", f4([1, 2]), 7)
    changes("fill", i4([1, 2]), 2.5)
    changes("fill", i4([1, 2]), i8(3).reshape(()))
    changes("put", i4([1, 2, 3]), [0, 2], [7, 8])
    changes("put", i4([1, 2, 3]), [5], 7, mode="clip")
    changes("put", i4([1, 2, 3]), [5], 7)
    changes("resize", i4([1, 2, 3]), (2, 2), refcheck=False)
    changes("resize", i4([[1, 2], [3, 4]]), 3, refcheck=False)
    changes("resize", i4([1, 2]), (-1,), refcheck=False)


def operators(r):
    """Operators, with an array on either side."""
    x, y = f8([1.5, -2.0, 4.0]), i4([2, 3, -1])
    both = "add sub mul truediv floordiv mod pow"
    for name in both.split():
        r.call(f"ndarray.__{name}__", x, y)
        r.call(f"ndarray.__{name}__", i1([7, 3]), 2)
        r.call(f"ndarray.__r{name}__", f4([1, 2]), 3)
        r.call(f"ndarray.__{name}__", x, f8([1, 2]))
        r.record(f"ndarray.__i{name}__", (f4([1, 2]), f8([3, 0.5])), inplace=0)
        r.record(f"ndarray.__i{name}__", (i4([7, 2]), f8([3, 0.5])), inplace=0)
        r.record(f"ndarray.__i{name}__", (i4([7, 2]), 2), inplace=0)
    for name in ("and", "or", "xor", "lshift", "rshift"):
        r.call(f"ndarray.__{name}__", i4([12, 5]), i4([3, 1]))
        r.call(f"ndarray.__r{name}__", u1([1, 2]), 3)
        r.record(f"ndarray.__i{name}__", (i4([12, 5]), 1), inplace=0)
    for name in ("eq", "ne", "lt", "le", "gt", "ge"):
        r.call(f"ndarray.__{name}__", x, y)
        r.call(f"ndarray.__{name}__", x, 1.5)
        r.call(f"ndarray.__{name}__", u1([1, 2]), -1)
    for name in ("neg", "pos", "abs", "invert"):
        r.call(f"ndarray.__{name}__", y)
        r.call(f"ndarray.__{name}__", x)
        r.call(f"ndarray.__{name}__", b1([True, False]))
    r.call("ndarray.__matmul__", f8([[1, 2], [3, 4]]), i4([1, 2]))
    r.call("ndarray.__rmatmul__", f8([[1, 2], [3, 4]]), i4([1, 2]))
    r.call("ndarray.__matmul__", f8([[1, 2], [3, 4]]), 2)
    r.call("ndarray.__divmod__", y, 2)
    r.call("ndarray.__divmod__", x, f4([1, 2, 3]))
    r.call("ndarray.__rdivmod__", y, 7)
    for name in ("bool", "int", "float", "complex"):
        r.call(f"ndarray.__{name}__", f8([2.5]).reshape(()))
        r.call(f"ndarray.__{name}__", i4([1, 2]))
        r.call(f"ndarray.__{name}__", c8(1j).reshape(()))
    r.call("ndarray.__index__", i4(3).reshape(()))
    r.call("ndarray.__index__", f8(3).reshape(()))
    r.call("ndarray.__len__", counted(2, 3))
    r.call("ndarray.__len__", f8(3).reshape(()))
    r.call("ndarray.__contains__", y, 3)
    r.call("ndarray.__contains__", y, 5)
    reads(r)


def reads(r):
    x, m = i4([4, 3, 5, 7]), counted(3, 4)
    keys = [
        1, -1, slice(1, 3), slice(None, None, -1), [0, 2], i8([[1], [0]]), b1([True, False, True]), ..., None,
        (1, 2), (slice(None), 1), (0, slice(None, None, 2)), (..., 0), (None, 1), ([0, 2], [1, 3]), ([0, 2], slice(1, 3)),
        (slice(None), [0, 0, 1]), (i8([[0], [2]]), [1, 3]), (b1([True, False, True]), 1), (slice(5, 9),), (1, ..., 0),
        3, (0, 0, 0), [7], 1.5, b1([True, False]), (..., ...), m > 5, (slice(None), None, 2), (), slice(None, None, 0),
        True, ([0, 1], [0, 1, 2]), [],
    ]  # fmt: skip
    for key in keys:
        r.call("ndarray.__getitem__", m, key)
    for key in ((0, 0, 0, 0, 0), (Ellipsis, Ellipsis), slice(None, None, 0), f8([1.0]), [0.5], b1([True]), ([0, 1], [0, 1, 2]), b1([[True] * 7])):
        r.call("ndarray.__getitem__", m, key)
        r.record("ndarray.__setitem__", (m.copy(), key, 1), inplace=0)
    r.call("ndarray.__getitem__", x, 2)
    r.call("ndarray.__getitem__", f8(3.0).reshape(()), ())
    r.call("ndarray.__getitem__", f8(3.0).reshape(()), 0)
    writes = [
        (1, 9), (slice(0, 2), [7, 8, 9, 6]), (([0, 2], [1, 3]), [5, 6]), (b1([True, False, True]), 0), (m > 8, -1),
        ((slice(None), 0), [1, 2, 3]), (..., 2.75), ((0, 0), [[1]]), (5, 1), ((slice(None), 0), [1, 2]), ([0, 0], [[1] * 4, [2] * 4]),
    ]  # fmt: skip
    for key, value in writes:
        r.record("ndarray.__setitem__", (counted(3, 4), key, value), inplace=0)
    r.record("ndarray.__setitem__", (i4([1, 2]), 0, 2.75), inplace=0)
    r.record("ndarray.__setitem__", (u1([1, 2]), 0, 300), inplace=0)
    r.record("ndarray.__setitem__", (f4([1, 2]), 0, 1j), inplace=0)
