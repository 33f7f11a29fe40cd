"""Properties and methods of tensors: those whose form differs from the function's, and many that do not."""

import torch

from .operands import b, c, d, f, grid, i, t, whole

SAME = ["abs", "neg", "sqrt", "exp", "log", "sin", "cos", "tanh", "sigmoid", "relu", "floor", "ceil", "round", "square", "sum", "mean", "max", "min", "prod", "std", "var", "argmax", "argmin", "all", "any", "t", "clone", "ravel", "flatten", "nonzero", "unique", "isnan", "cumsum", "cumprod", "softmax"]
TWO = ["add", "sub", "mul", "div", "pow", "fmod", "remainder", "atan2", "maximum", "minimum", "eq", "ne", "lt", "le", "gt", "ge", "floor_divide", "true_divide", "logical_and", "dist", "allclose", "equal"]


def record(r):
    x, y = grid(2, 3), grid(2, 2, 2)
    for name in SAME:
        more = (0,) if name in ("cumsum", "cumprod", "softmax") else ()
        for value in (x, f(1.0, 2.0, 4.0).double(), whole(2, 2)):
            r.call(f"Tensor.{name}", value, *more)
    for name in TWO:
        r.call(f"Tensor.{name}", x, f(1.0, 2.0, 4.0))
        r.call(f"Tensor.{name}", x.double(), x.double())
        if name not in ("maximum", "minimum", "dist", "allclose", "equal", "atan2"):
            r.call(f"Tensor.{name}", x, 2)
        r.call(f"Tensor.{name}", i(5, 7), i(2, 3))
    for name in ("shape", "dtype", "ndim", "T", "mT", "H", "mH", "real", "imag", "requires_grad", "is_leaf", "itemsize", "nbytes"):
        r.call(f"Tensor.{name}", x)
        r.call(f"Tensor.{name}", c(1j, 2).reshape(1, 2))
        r.call(f"Tensor.{name}", i(1, 2) if name not in ("T",) else t(1))
    for name in ("size", "dim", "ndimension", "numel", "nelement", "element_size", "is_complex", "is_floating_point", "is_signed", "is_contiguous", "tolist", "contiguous", "cpu", "detach"):
        r.call(f"Tensor.{name}", x)
        r.call(f"Tensor.{name}", i(1, 2, dtype=torch.uint8))
        r.call(f"Tensor.{name}", t(1.5))
    r.call("Tensor.size", x, 1)
    r.call("Tensor.size", x, dim=-1)
    r.call("Tensor.size", x, 4)
    r.call("Tensor.item", t(1.5))
    r.call("Tensor.item", i(3))
    r.call("Tensor.item", x)
    r.call("Tensor.is_nonzero", t(2))
    r.call("Tensor.is_nonzero", t(0.0))
    r.call("Tensor.is_nonzero", x)
    for name in ("view", "reshape"):
        r.call(f"Tensor.{name}", x, 3, 2)
        r.call(f"Tensor.{name}", x, (6,))
        r.call(f"Tensor.{name}", x, -1)
        r.call(f"Tensor.{name}", x, 4, 2)
    r.call("Tensor.view", x, torch.int32)
    r.call("Tensor.view", x, torch.float16)
    r.call("Tensor.view", grid(3, 4).half(), torch.float32)
    r.call("Tensor.view", x, torch.float64)
    r.call("Tensor.view", x.double(), torch.complex128)
    r.call("Tensor.view", t(1.5), torch.int32)
    r.call("Tensor.view", t(1.5), torch.int8)
    for name in ("view_as", "reshape_as"):
        r.call(f"Tensor.{name}", x, grid(3, 2))
        r.call(f"Tensor.{name}", x, grid(6))
        r.call(f"Tensor.{name}", x, grid(5))
    r.call("Tensor.permute", y, 2, 0, 1)
    r.call("Tensor.permute", x, (1, 0))
    r.call("Tensor.permute", x, 0)
    r.call("Tensor.expand", f(1.0, 2.0), 3, 2)
    r.call("Tensor.expand", grid(1, 2), 3, -1)
    r.call("Tensor.expand", f(1.0, 2.0), (3,))
    r.call("Tensor.expand_as", f(1.0, 2.0, 3.0), x)
    r.call("Tensor.expand_as", t(1), i(1, 2))
    r.call("Tensor.expand_as", x, f(1.0))
    r.call("Tensor.repeat", f(1.0, 2.0), 2, 2)
    r.call("Tensor.repeat", x, (1, 2))
    r.call("Tensor.repeat", x, 2)
    r.call("Tensor.tile", f(1.0, 2.0), 2)
    r.call("Tensor.tile", x, (2, 1))
    r.call("Tensor.tile", x, 2)
    r.call("Tensor.flip", x, 0)
    r.call("Tensor.flip", x, 0, 1)
    r.call("Tensor.flip", x, (1,))
    r.call("Tensor.unfold", grid(6), 0, 2, 2)
    r.call("Tensor.unfold", x, 1, 2, 1)
    r.call("Tensor.unfold", x, 1, 5, 1)
    r.call("Tensor.sum_to_size", x, 1, 3)
    r.call("Tensor.sum_to_size", x, (2, 1))
    r.call("Tensor.sum_to_size", x, 3)
    for name in ("float", "double", "half", "bfloat16", "int", "long", "short", "char", "byte", "bool", "cfloat", "cdouble"):
        r.call(f"Tensor.{name}", f(0.0, 1.5, 3.0))
        r.call(f"Tensor.{name}", i(0, 1, 200))
        r.call(f"Tensor.{name}", b(True, False))
    r.call("Tensor.to", x, torch.float64)
    r.call("Tensor.to", x, dtype=torch.int32)
    r.call("Tensor.to", x, "cpu")
    r.call("Tensor.to", i(1, 2), f(1.0))
    r.call("Tensor.type", x, torch.float16)
    r.call("Tensor.type", x, dtype=torch.int64)
    r.call("Tensor.type", b(True), torch.uint8)
    r.call("Tensor.type_as", x, i(1))
    r.call("Tensor.type_as", i(1, 2), d(1.0))
    r.call("Tensor.type_as", b(True, False), f(1.0))
    for name in ("new_zeros", "new_ones"):
        r.call(f"Tensor.{name}", x, 2, 2)
        r.call(f"Tensor.{name}", i(1), (2,))
        r.call(f"Tensor.{name}", x, (1,), dtype=torch.bool)
    r.record("Tensor.new_empty", (x, 2, 2), compare="shape")
    r.record("Tensor.new_empty", (i(1), (2,)), compare="shape")
    r.record("Tensor.new_empty", (x, (1,)), {"dtype": torch.int8}, compare="shape")
    r.call("Tensor.new_full", x, (2,), 1.5)
    r.call("Tensor.new_full", i(1), (2, 1), 3)
    r.call("Tensor.new_full", x, (2,), 1, dtype=torch.int32)
    r.call("Tensor.new_tensor", x, [1, 2])
    r.call("Tensor.new_tensor", i(1), [1.5, 2.0])
    r.call("Tensor.new_tensor", x, 3, dtype=torch.int64)
    r.call("Tensor.where", x, x > 0, f(0.0))
    r.call("Tensor.where", i(1, 2), b(True, False), i(5, 6))
    r.call("Tensor.where", x, x > 0, -1.0)
    for name, args in {
        "sum": (1,), "mean": (-1,), "max": (0,), "min": (1, True), "argsort": (1,), "sort": (0, True), "topk": (2,), "unsqueeze": (0,), "squeeze": (0,), "transpose": (0, 1),
        "chunk": (2,), "split": (1,), "gather": (1, t([[0], [2]])), "index_select": (1, i(0, 2)), "masked_fill": (x > 0, 0.0), "clamp": (-0.5, 0.5), "matmul": (grid(3, 2),),
        "mm": (grid(3, 2),), "norm": (), "logsumexp": (1,), "roll": (1, 0), "select": (0, 1), "narrow": (1, 0, 2), "triu": (), "tril": (-1,), "diagonal": (), "repeat_interleave": (2,),
        "scatter_add": (1, t([[0, 1, 2], [2, 1, 0]]), x), "addmm": (grid(2, 2), grid(2, 3)), "lerp": (x + 1, 0.25), "addcmul": (x, x), "count_nonzero": (), "median": (), "unbind": (), "swapaxes": (0, 1), "movedim": (0, 1), "unflatten": (1, (3, 1)), "cummax": (1,), "quantile": (0.5,), "diff": (), "flip": (0,), "rot90": (), "outer": (),
    }.items():
        if name == "outer":
            r.call("Tensor.outer", x[0], x[1])
            continue
        for value in (x, x.double()):
            given = tuple(a.to(value.dtype) if isinstance(a, torch.Tensor) and a.dtype == torch.float32 else a for a in args)
            r.call(f"Tensor.{name}", value, *given)
    for value in (x, x.double(), i(1)):
        r.call("Tensor.hardshrink", value)
        r.call("hardshrink", value, 1.0)
    r.call("Tensor.hardshrink", x, lambd=0.25)
    r.call("Tensor.histogram", x, 4)
    r.call("Tensor.histogram", x, 0)
    r.call("Tensor.histogram", x, 3, range=(-1.0, 1.0), density=True)
    for prefix in ("", "Tensor."):
        r.call(prefix + "unsafe_chunk", x, 2)
        r.call(prefix + "unsafe_chunk", x, 3, dim=1)
        r.call(prefix + "unsafe_split", x, 1)
        r.call(prefix + "unsafe_split", x, 2, dim=1)
        r.call(prefix + "unsafe_split_with_sizes", x, [1, 2], 1)
    for value in (x, i(1, dtype=torch.uint8), x > 0):
        r.call("is_signed", value)
    r.call("fill", x, 2)
    r.call("fill", i(1, 2), 2.5)
    r.call("fill", x, t(3.0))
