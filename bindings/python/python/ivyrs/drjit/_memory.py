"""Gathers and scatters, and what has arrays evaluated."""

from . import _native
from ._array import ArrayBase
from ._classes import class_of, type_of
from ._enums import ReduceMode, ReduceOp, name_of
from ._traits import is_array_v
from ._trees import children, fields_of, leaves, map_tree

__all__ = ["eval", "gather", "make_opaque", "scatter", "scatter_add", "scatter_cas", "scatter_exch", "scatter_inc", "scatter_reduce", "schedule"]


def _index(index, like):
    """An index as an array of integers beside another array."""
    if is_array_v(index) or not is_array_v(like):
        return index
    from ._traits import leaf_t, uint32_array_t

    return uint32_array_t(leaf_t(type(like)))(index)


def _mask(active, like):
    """A mask as an array beside another array."""
    if not isinstance(active, (list, tuple)):
        return active
    from ._traits import leaf_t, mask_t

    return mask_t(leaf_t(type(like)))(active)


def gather(dtype, source, index, active=True, mode: ReduceMode = ReduceMode.Auto, shape=None):
    """The elements of a flat array at indices, or groups of them as entries of a nested type; 0 where ``active`` is false.

    >>> gather(Float, Float(1, 2, 3), UInt(2, 0))
    [3, 1]
    """
    ty = type_of(dtype)
    if ty is not None and not ty.is_jit and ty.kind == "array" and ty.sizes == [-1]:
        ty = ty.element
    if ty is None:
        found = children(source)
        if isinstance(dtype, type) and issubclass(dtype, (bool, int, float)):
            return dtype(source[index])
        if found is None:
            raise TypeError(f"gather(): unsupported dtype {dtype!r}: a type of arrays is needed")
        parts, make = found
        fields = fields_of(dtype)
        types = list(fields.values()) if fields is not None else [type(part) for _, part in parts]
        return make([gather(own, part, index, active, mode) for own, (_, part) in zip(types, parts, strict=True)])
    if not is_array_v(source):
        from ._traits import leaf_t

        source = leaf_t(dtype)(source)
    if type_of(source).kind == "tensor":
        source = source.array
    if shape is not None and ty.kind == "array" and ty.sizes[0] == -1 and ty.entry.kind == "flat":
        count = shape[0]
        places = _index(index, source)
        return _native.from_parts(ty, [_native.gather(ty.element, source, places * count + i, active) for i in range(count)])
    if type_of(dtype).kind == "tensor":
        made = _native.gather(ty.element, source, _index(index, source), _mask(active, source))
        return dtype(made) if shape is None else dtype(made, shape)
    return _native.gather(ty, source, _index(index, source), _mask(active, source))


def scatter_reduce(op: ReduceOp, target, value, index, active=True, mode: ReduceMode = ReduceMode.Auto) -> None:
    """Joins what stands at indices of a target with values, where ``active`` is true. The mode changes no result."""
    name_of(op, ReduceOp, "scatter_reduce")
    name_of(mode, ReduceMode, "scatter_reduce")
    if is_array_v(target):
        if type_of(target).kind == "tensor":
            # It is the tensor's own.
            scatter_reduce(op, target.array, value, index, active, mode)
            return
        _native.scatter_reduce(op.name, target, value, _index(index, target), _mask(active, target), mode.name)
        return
    found, own = children(target), children(value)
    if found is None or own is None or len(found[0]) != len(own[0]):
        raise TypeError(f"scatter(): the target is {type(target).__name__}, the value {type(value).__name__}: values of one form are needed")
    for (_, part), (_, new) in zip(found[0], own[0], strict=True):
        # What holds no arrays stays.
        if leaves(part):
            scatter_reduce(op, part, new, index, active, mode)


def scatter(target, value, index, active=True, mode: ReduceMode = ReduceMode.Auto) -> None:
    """Puts values at indices of a target, where ``active`` is true.

    >>> x = Float(0, 0); scatter(x, 7, UInt(1)); x
    [0, 7]
    """
    scatter_reduce(ReduceOp.Identity, target, value, index, active, mode)


def scatter_add(target, value, index, active=True, mode: ReduceMode = ReduceMode.Auto) -> None:
    """Adds values at indices of a target."""
    scatter_reduce(ReduceOp.Add, target, value, index, active, mode)


def scatter_inc(target, index, active=True):
    """Adds 1 at each index, and says what stood there."""
    return _native.scatter_inc(target, _index(index, target), _mask(active, target))


def scatter_exch(target, value, index, active=True):
    """Puts values at indices, and says what stood there."""
    return _native.scatter_exch(target, value, _index(index, target), _mask(active, target))


def scatter_cas(target, compare, value, index, active=True):
    """Puts values at indices where what is expected stands; says what stood there, and whether it was replaced."""
    return _native.scatter_cas(target, compare, value, _index(index, target), _mask(active, target))


def schedule(*args) -> bool:
    """Says that values are wanted: what is pending is done by the next evaluation, as all is. True if something is pending."""
    return _native.pending(leaves(*args)) > 0


def eval(*args) -> bool:
    """Evaluates values, in one kernel where it can be. True if something was pending."""
    return _native.eval(leaves(*args))


def make_opaque(*args) -> None:
    """Makes arrays data: no literal of theirs is a constant of what is computed with them."""
    _native.make_opaque(leaves(*args))
