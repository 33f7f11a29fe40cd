"""The operators, methods and properties of tensors."""

import paddle

from . import b1, c8, f4, f8, i1, i4, i8, ramp


def record(r):
    x, y = f4([[1.5, -2.0]]), f4([[2.0], [3.0]])
    for name in "add sub mul truediv floordiv mod pow".split():
        r.call(f"Tensor.__{name}__", x, y)
        r.call(f"Tensor.__{name}__", x, 2)
        r.call(f"Tensor.__{name}__", i4([7, 2]), 3)
        r.call(f"Tensor.__{name}__", i4([7, 2]), 1.5)
        r.call(f"Tensor.__{name}__", f8([1.5]), f4([1.0]))
    for name in "add sub mul truediv pow".split():
        r.call(f"Tensor.__r{name}__", f4([4.0, 0.5]), 3.0)
        r.call(f"Tensor.__r{name}__", i8([4, 5]), 7)
    r.call("Tensor.__matmul__", f4([[1.0, 2.0]]), f4([[3.0], [4.0]]))
    r.call("Tensor.__matmul__", f4([1.0, 2.0]), f4([3.0, 4.0]))
    for name in ("lt", "le", "gt", "ge", "eq", "ne"):
        r.call(f"Tensor.__{name}__", x, y)
        r.call(f"Tensor.__{name}__", i4([1, 2]), 2)
    for name in ("and", "or", "xor"):
        r.call(f"Tensor.__{name}__", b1([True, False]), b1([True, True]))
        r.call(f"Tensor.__{name}__", i4([12, 5]), i4([10, 3]))
    for name in ("neg", "abs"):
        r.call(f"Tensor.__{name}__", x)
        r.call(f"Tensor.__{name}__", i4([-3]))
    r.call("Tensor.__invert__", b1([True, False]))
    r.call("Tensor.__invert__", i4([5]))
    for name in ("shape", "dtype", "ndim", "size", "T"):
        for value in (x, i8([3, 4])):
            r.call(f"Tensor.{name}", value)
    r.call("Tensor.mT", ramp((2, 1, 3)))
    r.call("Tensor.dim", x)
    r.call("Tensor.item", f4([2.5]))
    r.call("Tensor.item", i4([[1, 2]]), 1)
    r.call("Tensor.item", i4([[1, 2]]), 0, 1)
    r.call("Tensor.tolist", i4([[1, 2], [3, 4]]))
    r.call("Tensor.tolist", f4(1.5))
    for name in ("sum", "mean", "max", "exp", "sqrt", "numel"):
        r.call(f"Tensor.{name}", f4([4.0, 9.0]))
    r.call("Tensor.reshape", x, [2, 1])
    r.call("Tensor.transpose", x, [1, 0])
    r.call("Tensor.matmul", f4([[1.0, 2.0]]), f4([[3.0], [4.0]]))
    r.call("Tensor.add", x, y)
    r.call("Tensor.topk", f4([1.0, 3.0, 2.0]), 2)
    r.call("Tensor.argmax", f4([1.0, 3.0, 2.0]))
    r.call("Tensor.unsqueeze", x, 0)
    r.call("Tensor.flatten", ramp((2, 2)))
    r.call("Tensor.cast", x, "int32")
    for name in ("bool byte char short int long half float double bfloat16 cfloat cdouble uint8 int8 int16 int32 int64 float16 float32"
                 " complex64 complex128").split():
        r.call(f"Tensor.{name}", f4([0.0, 1.5, 3.0]))
        r.call(f"Tensor.{name}", i8([0, 2]))
    r.call("Tensor.type_as", f4([1.5]), i4([1]))
    r.call("Tensor.ndimension", ramp((2, 3)))
    r.call("Tensor.is_same_shape", ramp((2, 3)), i4([[1, 2, 3]]))
    r.call("Tensor.is_same_shape", ramp((1, 3)), i4([[1, 2, 3]]))
    r.call("Tensor.rank", ramp((2, 3)))
    r.call("Tensor.clone", f4([1.5]))
    r.call("Tensor.contiguous", f4([1.5]))
    r.call("Tensor.cpu", f4([1.5]))
    r.call("Tensor.repeat", f4([1.0, 2.0]), 2)
    r.call("Tensor.repeat", f4([1.0, 2.0]), 2, 2)
    r.call("Tensor.repeat", f4([1.0, 2.0]), [2, 1])
    r.call("Tensor.split_with_sizes", ramp((3, 2)), [1, 2])
    r.call("Tensor.split_with_sizes", ramp((2, 3)), [2, 1], dim=1)
    r.call("Tensor.new_full", i8([1]), [2, 2], 7)
    r.call("Tensor.new_full", f4([1.0]), [2], 1.5, dtype="float64")
    for name in "new_ones new_zeros".split():
        r.call(f"Tensor.{name}", f8([1.0]), [2, 1])
        r.call(f"Tensor.{name}", f4([1.0]), [2], dtype="int32")
    r.record("Tensor.new_empty", [f4([1.0]), [2, 3]], compare="shape")
    for name in "uniform normal log_normal exponential bernoulli".split():
        r.record(f"Tensor.{name}_", [ramp((2, 3))], compare="shape", inplace=0)
