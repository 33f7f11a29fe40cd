"""Creation of arrays, and of structs of arrays."""

from . import _native
from ._array import ArrayBase
from ._classes import class_of, type_of
from ._trees import fields_of, leaves, map_tree

__all__ = ["arange", "copy", "empty", "empty_like", "full", "identity", "linspace", "literal", "ones", "ones_like", "opaque", "zeros", "zeros_like"]


def _lengths(shape) -> list[int]:
    if isinstance(shape, int):
        return [shape]
    lengths = list(shape)
    if not all(isinstance(length, int) and length >= 0 for length in lengths):
        raise TypeError(f"the shape is {shape!r}: lengths from 0 on are needed")
    return lengths


def _width(ty, function: str, shape) -> int:
    """The length of the vectors of a shape that names all levels, or these only."""
    lengths = _lengths(shape)
    if len(lengths) == 1:
        return lengths[0]
    sizes = ty.sizes
    fits = len(lengths) == len(sizes) and all(size in (-1, length) for size, length in zip(sizes, lengths, strict=True))
    if not fits:
        raise TypeError(f"{function}(): the shape {tuple(lengths)} does not fit the type {ty}, whose levels are {tuple(sizes)}")
    return lengths[-1] if ty.is_jit else 1


def full(dtype, value, shape=1):
    """An array of one value: of so many elements, or the lengths of all levels of a type; a struct of such arrays.

    >>> full(Float, 2, 3)
    [2, 2, 2]
    """
    ty = type_of(dtype)
    if ty is None:
        fields = fields_of(dtype) if isinstance(dtype, type) else None
        if fields is not None:
            made = dtype.__new__(dtype)
            for name, field in fields.items():
                object.__setattr__(made, name, full(field, value, shape))
            return made
        if isinstance(dtype, type) and issubclass(dtype, (bool, int, float)):
            return dtype(value)
        raise TypeError(f"full(): a type of arrays is needed, not {dtype!r}")
    if isinstance(value, (list, tuple, ArrayBase)):
        entries = dtype(value)
        width = _width(ty, "full", shape)
        return entries + _native.full(ty, 0, width) if width != 1 else entries
    if ty.kind == "tensor":
        return _native.full_tensor(ty, value, _lengths(shape))
    lengths = _lengths(shape)
    if ty.is_jit and ty.sizes[:1] == [-1] and len(ty.sizes) > 1 and len(lengths) == len(ty.sizes):
        return _native.from_parts(ty, [full(class_of(ty.entry), value, lengths[1:]) for _ in range(lengths[0])])
    if not ty.is_jit and -1 in ty.sizes:
        count = lengths[0]
        if ty.entry.kind == "flat":
            return dtype(*[value] * count)
        return _native.from_parts(ty, [full(class_of(ty.entry), value, lengths[1:] or 1)] * count)
    return _native.full(ty, value, _width(ty, "full", shape))


def zeros(dtype, shape=1):
    """Zeros.

    >>> zeros(Array2f, 2)
    [[0, 0],
     [0, 0]]
    """
    return full(dtype, 0, shape)


def empty(dtype, shape=1):
    """An array whose elements are not given: zeros."""
    return full(dtype, 0, shape)


def ones(dtype, shape=1):
    """Ones; a complex number or a quaternion is 1, all entries of a matrix are."""
    ty = type_of(dtype)
    if ty is not None and ty.kind in ("complex", "quaternion"):
        return _native.ones(ty, _width(ty, "ones", shape))
    return full(dtype, 1, shape)


def identity(dtype, shape=1):
    """The one of a product: the identity of matrices, 1 of all else."""
    ty = type_of(dtype)
    if ty is None or ty.kind != "matrix":
        return ones(dtype, shape)
    one = dtype(1)
    return one if shape == 1 else one + zeros(dtype, shape)


def arange(dtype, start=None, stop=None, step=1, *, size=None):
    """The numbers from ``start`` on in steps, as many as stand before ``stop``; from 0, if one bound is given.

    >>> arange(UInt, 3)
    [0, 1, 2]
    """
    if size is not None:
        start, stop = 0, size
    if start is None:
        raise TypeError("arange(): a bound is needed")
    if stop is None:
        start, stop = 0, start
    ty = _flat(dtype, "arange")
    return _native.arange(ty, start, stop, step)


def _flat(dtype, function: str):
    ty = type_of(dtype)
    if ty is not None and not ty.is_jit and ty.sizes == [-1]:
        return ty.element
    if ty is None or ty.kind not in ("flat", "tensor"):
        raise TypeError(f"{function}(): a type of flat arrays is needed, not {dtype!r}")
    return ty


def linspace(dtype, start, stop, num: int, endpoint: bool = True):
    """Numbers at equal distances, from ``start`` to ``stop``, with it or without.

    >>> linspace(Float, 0, 1, 3)
    [0, 0.5, 1]
    """
    ty = _flat(dtype, "linspace")
    if ty.kind == "tensor":
        return dtype(_native.linspace(ty.element, start, stop, num, endpoint))
    return _native.linspace(ty, start, stop, num, endpoint)


def literal(dtype, value=0, shape=1):
    """An array of one value that is compiled into the kernels it gets into: each value is another kernel.

    Other literals are what kernels are given, so that ``x + 1`` and ``x + 2`` are one kernel.

    >>> literal(Float, 2) * Float(1, 2)
    [2, 4]
    """
    if isinstance(value, (list, tuple, ArrayBase)):
        raise TypeError(f"literal(): one value is needed for all elements, not {value!r}")
    if not isinstance(dtype, type):
        raise TypeError(f"literal(): a type of arrays is needed, not {dtype!r}")
    made = full(dtype, value, shape)
    _native.make_literal(leaves(made))
    return made


def opaque(dtype, value=None, shape=1):
    """An array of one value that is data: no constant of what is computed with it."""
    if value is None and not isinstance(dtype, type):
        made = copy(dtype)
    else:
        made = full(dtype, value, shape)
    _native.make_opaque(leaves(made))
    return made


def zeros_like(arg):
    """Zeros of the form of a value."""
    return type(arg)(0) if isinstance(arg, (bool, int, float)) else map_tree(_native.zeros_like, arg)


def ones_like(arg):
    """Ones of the form of a value."""
    return type(arg)(1) if isinstance(arg, (bool, int, float)) else map_tree(_native.ones_like, arg)


def empty_like(arg):
    """An array of the form of a value whose elements are not given: zeros."""
    return zeros_like(arg)


def copy(arg):
    """A value whose arrays are objects of their own: writes to them are not seen in the other one."""
    return map_tree(lambda x: x._copied(), arg)
