"""Reductions, scans, orders."""

import builtins
from functools import reduce as _fold

from . import _native
from ._classes import type_of
from ._enums import ReduceOp, name_of
from ._maths import maximum, minimum, sqrt, square
from ._traits import is_array_v, is_mask_v, uint32_array_t

__all__ = [
    "all", "all_nested", "any", "any_nested", "argmax", "argmin", "argsort", "block_prefix_reduce", "block_prefix_sum",
    "block_reduce", "block_sum", "compress", "count", "cumsum", "max", "max_nested", "mean", "median", "min", "min_nested",
    "none", "none_nested", "norm", "prefix_reduce", "prefix_sum", "prod", "prod_nested", "reduce", "sort", "squared_norm",
    "std", "sum", "sum_nested", "var",
]  # fmt: skip

_JOIN = {
    "sum": (lambda a, b: a + b, 0),
    "prod": (lambda a, b: a * b, 1),
    "min": (minimum, float("inf")),
    "max": (maximum, float("-inf")),
    "all": (lambda a, b: a & b, True),
    "any": (lambda a, b: a | b, False),
}


def _axes(axis, ndim: int):
    """The axes as a list, and whether they are all; ``None`` for the default."""
    if axis is ...:
        return None, False
    if axis is None:
        return None, True
    axes = [axis] if isinstance(axis, int) else list(axis)
    for own in axes:
        if not isinstance(own, int) or not -ndim <= own < ndim:
            raise IndexError(f"the axis {own!r} is none of an array of {ndim} dimensions")
    return axes, False


def _mode(mode, function: str):
    if mode not in (None, "symbolic", "evaluated"):
        raise TypeError(f"{function}(): the mode is {mode!r}: 'symbolic' or 'evaluated' is needed, and changes no result")


def _reduced(name: str, value, axis=..., mode=None, keepdims: bool = False):
    _mode(mode, name)
    if is_array_v(value):
        axes, every = _axes(axis, value.ndim)
        return _native.reduce(name, value, axes, every, keepdims)
    if isinstance(value, (bool, int, float)):
        return value
    if hasattr(value, "__array__"):
        import numpy

        made = getattr(numpy, name)(value, axis=None if axis is ... else axis, keepdims=keepdims)
        return made.item() if made.ndim == 0 else made
    if isinstance(value, (str, bytes, dict)):
        raise TypeError(f"{name}(): an array or a list is needed, not {type(value).__name__}")
    parts = list(value)
    if name in ("all", "any") and builtins.any(not isinstance(part, bool) and not is_mask_v(part) for part in parts):
        raise TypeError(f"{name}(): masks are needed")
    join, nothing = _JOIN[name]
    if axis is None:
        parts = [_reduced(name, part, None, mode) for part in parts]
    return _fold(join, parts) if parts else nothing


def sum(value, axis=..., mode=None, keepdims: bool = False):
    """The sum along axes: the outermost level of nested arrays if none is said, all of tensors; ``axis=None`` is all."""
    return _reduced("sum", value, axis, mode, keepdims)


def prod(value, axis=..., mode=None, keepdims: bool = False):
    """The product along axes."""
    return _reduced("prod", value, axis, mode, keepdims)


def max(value, axis=..., mode=None, keepdims: bool = False):
    """The greatest element along axes."""
    return _reduced("max", value, axis, mode, keepdims)


def min(value, axis=..., mode=None, keepdims: bool = False):
    """The least element along axes."""
    return _reduced("min", value, axis, mode, keepdims)


def all(value, axis=..., keepdims: bool = False):
    """Whether all elements of a mask are true."""
    return _reduced("all", value, axis, None, keepdims)


def any(value, axis=..., keepdims: bool = False):
    """Whether one element of a mask is true."""
    return _reduced("any", value, axis, None, keepdims)


def none(value, axis=..., keepdims: bool = False):
    """Whether no element of a mask is true."""
    found = any(value, axis, keepdims)
    return not found if isinstance(found, bool) else ~found


def count(value, axis=..., keepdims: bool = False):
    """How many elements of a mask are true."""
    if is_array_v(value):
        if not is_mask_v(value):
            raise TypeError(f"count(): a mask is needed, not {type(value).__name__}")
        axes, every = _axes(axis, value.ndim)
        return _native.reduce("count", value, axes, every, keepdims)
    if isinstance(value, bool):
        return int(value)
    if not isinstance(value, (list, tuple)):
        raise TypeError(f"count(): a mask is needed, not {type(value).__name__}")
    if axis is None:
        return builtins.sum(count(part, None) for part in value)
    return builtins.sum(uint32_array_t(type(part))(part) if is_mask_v(part) and is_array_v(part) else count(part) for part in value)


def mean(value, axis=..., mode=None, keepdims: bool = False):
    """The mean along axes."""
    if is_array_v(value):
        _mode(mode, "mean")
        axes, every = _axes(axis, value.ndim)
        return _native.reduce("mean", value, axes, every, keepdims)
    if isinstance(value, (bool, int, float)):
        return value
    parts = list(value)
    return sum(parts) / len(parts)


def var(value, axis=..., mode=None, keepdims: bool = False, ddof: int = 0):
    """The mean square distance from the mean; over the number of elements less ``ddof``."""
    own = mean(value, axis, mode, keepdims=type_of(value) is not None and type_of(value).kind == "tensor")
    apart = square(value - own)
    if ddof == 0:
        return mean(apart, axis, mode, keepdims)
    total = sum(apart, axis, mode, keepdims)
    size = _size(value) // builtins.max(_size(total), 1)
    return total / (size - ddof)


def _size(x) -> int:
    size = 1
    for length in x.shape:
        size *= length
    return size


def std(value, axis=..., mode=None, keepdims: bool = False, ddof: int = 0):
    """The root of :func:`var`."""
    return sqrt(var(value, axis, mode, keepdims, ddof))


_REDUCED = {ReduceOp.Add: "sum", ReduceOp.Mul: "prod", ReduceOp.Min: "min", ReduceOp.Max: "max", ReduceOp.And: "all", ReduceOp.Or: "any"}


def reduce(op: ReduceOp, value, axis=..., mode=None, keepdims: bool = False):
    """A reduction by an operation. ``And`` and ``Or`` are those of masks."""
    if op not in _REDUCED:
        raise ValueError(f"reduce(): the operation is {op!r}: one that joins elements is needed")
    return _reduced(_REDUCED[op], value, axis, mode, keepdims)


def squared_norm(value, axis=..., mode=None, keepdims: bool = False):
    """The sum of the squares."""
    if is_array_v(value) and type_of(value).kind in ("complex", "quaternion", "matrix"):
        value = value.array
    return sum(value * value, axis, mode, keepdims)


def norm(value, axis=..., mode=None, keepdims: bool = False):
    """The root of the sum of the squares."""
    return sqrt(squared_norm(value, axis, mode, keepdims))


def all_nested(arg):
    """Whether all elements of a mask are true, of all levels."""
    return all(arg, None)


def any_nested(arg):
    """Whether one element of a mask is true, of all levels."""
    return any(arg, None)


def none_nested(arg):
    """Whether no element of a mask is true, of all levels."""
    return none(arg, None)


def sum_nested(arg):
    """The sum of all levels."""
    return sum(arg, None)


def prod_nested(arg):
    """The product of all levels."""
    return prod(arg, None)


def min_nested(arg):
    """The least element of all levels."""
    return min(arg, None)


def max_nested(arg):
    """The greatest element of all levels."""
    return max(arg, None)


def _is_vector(value) -> bool:
    """Whether it is a flat array, or one of any size of single values."""
    ty = type_of(value)
    if ty is None:
        raise TypeError(f"an array is needed, not {type(value).__name__}")
    return ty.kind == "flat" or (ty.kind == "array" and not ty.is_jit and ty.sizes == [-1])


def _along(value, axis: int, function):
    """Does something with the vectors along an axis of a tensor, or of a flat array."""
    from ._shape import moveaxis

    ty = type_of(value)
    if ty.kind != "tensor":
        raise TypeError(f"{type(value).__name__}: flat arrays and tensors have orders")
    moved = moveaxis(value, axis, -1)
    shape = moved.shape
    rows = 1
    for length in shape[:-1]:
        rows *= length
    flat = moved.array
    length = shape[-1]
    parts = [function(flat[row * length : (row + 1) * length]) for row in range(rows)]
    joined = _native.concatenate(parts)
    own = len(parts[0])
    made = _native.reshaped(joined, [*shape[:-1], own])
    return made, own


def sort(value, axis: int = -1, descending: bool = False):
    """The elements in ascending order, or the other one."""
    if _is_vector(value):
        made = _native.sort(value)
        return _native.reverse_vectors(made) if descending else made
    from ._shape import moveaxis

    made, _ = _along(value, axis, lambda x: sort(x, descending=descending))
    return moveaxis(made, -1, axis)


def argsort(value, axis: int = -1, descending: bool = False):
    """The numbers of the elements in ascending order of these, or the other one."""
    if _is_vector(value):
        if descending:
            count = len(value)
            return (count - 1) - _native.reverse_vectors(_native.argsort(_native.reverse_vectors(value)))
        return _native.argsort(value)
    from ._shape import moveaxis

    made, _ = _along(value, axis, lambda x: argsort(x, descending=descending))
    return moveaxis(made, -1, axis)


def _extreme(name: str, value, axis, keepdims: bool):
    function = getattr(_native, name)
    ty = type_of(value)
    if ty is None:
        raise TypeError(f"{name}(): an array is needed, not {type(value).__name__}")
    if ty.kind == "tensor":
        from ._shape import squeeze, moveaxis

        if axis is None:
            made = function(value.array)
            return _native.reshaped(made, [1] * value.ndim if keepdims else [])
        made, _ = _along(value, axis, function)
        made = moveaxis(made, -1, axis)
        return made if keepdims else squeeze(made, axis)
    return function(value)


def argmin(value, axis: int | None = None, keepdims: bool = False):
    """The number of the least element, the first of several."""
    return _extreme("argmin", value, axis, keepdims)


def argmax(value, axis: int | None = None, keepdims: bool = False):
    """The number of the greatest element, the first of several."""
    return _extreme("argmax", value, axis, keepdims)


def median(value, axis=-1, keepdims: bool = False, return_index: bool = False):
    """The middle element along axes, the lower one of two; with ``return_index`` its number, too."""
    ty = type_of(value)
    if ty is None:
        if isinstance(value, (bool, int, float)):
            return (value, 0) if return_index else value
        order = sorted(range(len(value)), key=lambda i: value[i])
        middle = order[(len(order) - 1) // 2]
        return (value[middle], middle) if return_index else value[middle]
    if ty.kind != "tensor":
        number = _middle(value)
        made = _native.gather(ty.element, value, number, True)
        return (made, number) if return_index else made
    from ._shape import moveaxis

    ndim = value.ndim
    axes = list(range(ndim)) if axis is None else sorted(own % ndim for own in ([axis] if isinstance(axis, int) else axis))
    if return_index and len(axes) > 1:
        raise ValueError("median(): the number of an element is that along one axis")
    last = moveaxis(value, tuple(axes), tuple(range(ndim - len(axes), ndim)))
    kept = list(last.shape[: ndim - len(axes)])
    rows = _native.reshaped(last, [*kept, -1])
    lengths = [1 if own in axes else length for own, length in enumerate(value.shape)] if keepdims else kept
    made, _ = _along(rows, -1, _native.median)
    made = _native.reshaped(made, lengths)
    if not return_index:
        return made
    numbers, _ = _along(rows, -1, _middle)
    return made, _native.reshaped(numbers, lengths)


def _middle(value):
    """The number of the middle element."""
    return _native.argsort(value)[(len(value) - 1) // 2 : (len(value) - 1) // 2 + 1]


def prefix_reduce(op: ReduceOp, value, axis: int | tuple[int, ...] = 0, exclusive: bool = True, reverse: bool = False):
    """What stands before each element along an axis (``exclusive``), or up to it, joined; along several axes one after the other; from
    the end with ``reverse``."""
    name_of(op, ReduceOp, "prefix_reduce")
    if isinstance(axis, tuple):
        for one in axis:
            value = prefix_reduce(op, value, one, exclusive, reverse)
        return value
    if not isinstance(axis, int):
        raise TypeError(f"prefix_reduce(): the axis is {axis!r}: an integer, or a tuple of such, is needed")
    ty = type_of(value)
    if ty is not None and ty.kind == "tensor":
        from ._shape import moveaxis

        made, _ = _along(value, axis, lambda x: _native.prefix_reduce(op.name, x, exclusive, reverse))
        return moveaxis(made, -1, axis)
    if ty is None or ty.kind == "flat" or axis == _last(ty):
        if ty is None:
            return _python_scan(op, value, exclusive, reverse)
        return _native.prefix_reduce(op.name, value, exclusive, reverse)
    if axis > 0:
        return type(value)(*[prefix_reduce(op, part, axis - 1, exclusive, reverse) for part in value])
    entries = list(value)
    made = _python_scan(op, entries, exclusive, reverse)
    return type(value)(*made) if len(made) > 1 else value


def _last(ty) -> int:
    return len(ty.sizes) - 1 if ty.is_jit else len(ty.sizes)


_JOINS = {
    ReduceOp.Add: lambda a, b: a + b,
    ReduceOp.Mul: lambda a, b: a * b,
    ReduceOp.Min: minimum,
    ReduceOp.Max: maximum,
    ReduceOp.And: lambda a, b: a & b,
    ReduceOp.Or: lambda a, b: a | b,
}


def _nothing(op: ReduceOp, like):
    """What joins to any other value without changing it."""
    from ._create import zeros_like
    from ._traits import is_float_v, largest

    if op in (ReduceOp.Add, ReduceOp.Or):
        return zeros_like(like)
    if op == ReduceOp.Mul:
        return zeros_like(like) + 1
    if op == ReduceOp.And:
        return ~zeros_like(like)
    if is_float_v(like):
        return zeros_like(like) + (float("inf") if op == ReduceOp.Min else float("-inf"))
    top = largest(type(like))
    return zeros_like(like) + (top if op == ReduceOp.Min else -top - 1)


def _python_scan(op: ReduceOp, value, exclusive: bool, reverse: bool) -> list:
    entries = list(value)
    if reverse:
        entries.reverse()
    join = _JOINS[op]
    made = []
    before = None
    for entry in entries:
        now = entry if before is None else join(before, entry)
        made.append((_nothing(op, entry) if before is None else before) if exclusive else now)
        before = now
    if reverse:
        made.reverse()
    return made


def prefix_sum(value, axis: int = 0, reverse: bool = False):
    """The sums of what stands before each element."""
    return prefix_reduce(ReduceOp.Add, value, axis, True, reverse)


def cumsum(value, axis: int | tuple[int, ...] = 0, reverse: bool = False):
    """The sums of all elements up to each."""
    return prefix_reduce(ReduceOp.Add, value, axis, False, reverse)


def _mapped(value, function):
    from ._trees import map_tree

    return map_tree(function, value)


def block_reduce(op: ReduceOp, value, block_size: int, mode=None):
    """Each block of so many elements joined to one."""
    _mode(mode, "block_reduce")
    name = name_of(op, ReduceOp, "block_reduce")
    return _mapped(value, lambda x: _native.block_reduce(name, x, block_size))


def block_sum(value, block_size: int, mode=None):
    """The sum of each block of so many elements."""
    return block_reduce(ReduceOp.Add, value, block_size, mode)


def block_prefix_reduce(op: ReduceOp, value, block_size: int, exclusive: bool = True, reverse: bool = False):
    """What stands before each element in its block of so many, or up to it, joined."""
    name = name_of(op, ReduceOp, "block_prefix_reduce")
    return _mapped(value, lambda x: _native.block_prefix_reduce(name, x, block_size, exclusive, reverse))


def block_prefix_sum(value, block_size: int, exclusive: bool = True, reverse: bool = False):
    """The sums of what stands before each element in its block of so many."""
    return block_prefix_reduce(ReduceOp.Add, value, block_size, exclusive, reverse)


def compress(mask):
    """The numbers of the elements of a mask that are true."""
    return _native.compress(mask)
