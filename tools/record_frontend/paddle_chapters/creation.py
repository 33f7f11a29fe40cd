"""Tensors from numbers, of other dtypes, and of random numbers."""

import paddle

from . import b1, c8, f4, f8, i4, i8, ramp, u1


def record(r):
    for value in (5, 2.5, True, [1, 2], [[1.0, 2.0], [3.0, 4.0]], 1 + 2j, []):
        r.call("to_tensor", value)
    r.call("to_tensor", [1, 2], dtype="float32")
    r.call("to_tensor", [1.5, 2.5], "int64")
    r.call("to_tensor", [[1], [2, 3]])
    r.call("to_tensor", f4([1.0]), dtype="float64")
    for dtype in ("int32", "float64", "bool", "complex64"):
        r.call("cast", f4([-1.75, 0.0, 2.5]), dtype)
        r.call("Tensor.astype", i4([3, 0]), dtype)
    r.call("assign", f4([1.0]))
    r.call("assign", [1, 2])
    r.call("clone", i4([1, 2]))
    for name in ("zeros", "ones"):
        r.call(name, [2, 3])
        r.call(name, (2,), "int32")
        r.call(name, shape=[], dtype="bool")
        r.call(f"{name}_like", f8([[1.0, 2.0]]))
        r.call(f"{name}_like", i4([1, 2]), dtype="float32")
    r.record("empty", [[2, 3]], compare="shape")
    r.record("empty_like", [i4([1, 2])], compare="shape")
    r.call("full", [2, 2], 7)
    r.call("full", [2], 1.5)
    r.call("full", [3], 4, "int64")
    r.call("full", [1], True)
    r.call("full_like", f8([[1.0, 2.0]]), 3)
    r.call("full_like", i4([1, 2]), 2.5, "float32")
    r.call("arange", 5)
    r.call("arange", 1, 7, 2)
    r.call("arange", 0.0, 1.0, 0.25)
    r.call("arange", 5, dtype="float32")
    r.call("linspace", 0, 10, 5)
    r.call("linspace", 1.0, 2.0, 3, "float64")
    r.call("linspace", 2.0, 3.0, 1)
    r.call("logspace", 0, 2, 3)
    r.call("logspace", 0.0, 3.0, 4, 2.0, "float64")
    r.call("eye", 3)
    r.call("eye", 2, 3, "int32")
    r.call("meshgrid", f4([1.0, 2.0]), f4([3.0, 4.0, 5.0]))
    r.call("meshgrid", [i4([1, 2]), i4([3])])
    r.call("tril_indices", 3, 3)
    r.call("tril_indices", 2, 3, 1, "int32")
    r.call("triu_indices", 3)
    r.call("triu_indices", 2, 3, -1)
    r.call("is_tensor", f4([1.0]))
    r.call("is_tensor", [1.0])
    for name in ("is_complex", "is_floating_point", "is_integer"):
        r.call(name, f4([1.0]))
        r.call(name, c8([1j]))
        r.call(name, i4([1]))
    r.call("is_empty", f4([]))
    r.call("is_empty", f4([1.0]))
    r.call("rank", ramp((2, 3)))
    r.call("shape", ramp((2, 3)))
    r.call("broadcast_shape", [2, 1], [3])
    r.call("broadcast_shape", [2], [3])
    random(r)


def random(r):
    def shape(path, *args, **keywords):
        r.record(path, args, keywords, compare="shape")

    for name in ("rand", "randn", "standard_normal"):
        shape(name, [2, 3])
        shape(name, (4,), "float64")
    shape("uniform", [2, 2])
    shape("uniform", [3], "float64", 0.0, 2.0)
    shape("normal", 0.0, 1.0, [2, 3])
    shape("normal", mean=2.0, shape=[4])
    shape("randint", 10)
    shape("randint", 0, 5, [2, 3])
    shape("randint", low=-3, high=3, shape=[4], dtype="int32")
    shape("randperm", 5)
    shape("randperm", 4, "int32")
    shape("bernoulli", f4([0.25, 0.75]))
    shape("multinomial", f4([0.25, 0.75]), 3, True)
    shape("multinomial", f4([[0.25, 0.75], [0.5, 0.5]]))
    shape("poisson", f4([0.5, 3.0]))
    r.call("multinomial", f4([0.25, 0.75]), 3)
    for name in "hann hamming blackman kaiser".split():
        r.call(f"{name}_window", 5)
        r.call(f"{name}_window", 6, False)
        r.call(f"{name}_window", 4, dtype="float64")
    r.call("kaiser_window", 5, True, 3.0)
    for name in "rand_like randn_like".split():
        shape(name, f4([[0.25, 0.75]]))
        shape(name, f4([0.5]), dtype="float64")
    shape("randint_like", i8([1, 2]), 5)
    shape("randint_like", f4([[1.0, 2.0]]), -2, 3)
    shape("randint_like", f4([1.0]), 4, dtype="int32")
