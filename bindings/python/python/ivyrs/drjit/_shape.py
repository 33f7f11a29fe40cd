"""Forms of arrays: shapes, widths, axes, joins, parts."""

from . import _native
from ._array import ArrayBase
from ._classes import class_of, type_of
from ._traits import Dynamic, is_array_v, is_tensor_v, uint32_array_t
from ._trees import leaves, map_tree

__all__ = [
    "array_split", "column_stack", "concat", "dstack", "expand_dims", "hstack", "meshgrid", "moveaxis", "ravel", "repeat",
    "reshape", "reverse", "row_stack", "shape", "slice", "slice_index", "split", "squeeze", "stack", "swapaxes", "take",
    "take_interp", "tile", "unravel", "upsample", "vstack", "width", "newaxis", "convolve", "resample",
]  # fmt: skip

newaxis = None


def shape(arg) -> tuple[int, ...]:
    """The lengths of all levels, from outside to inside; of lists of Python's as well."""
    if is_array_v(arg):
        return arg.shape
    if hasattr(arg, "shape"):
        return tuple(arg.shape)
    if isinstance(arg, (list, tuple)):
        inner = {shape(part) for part in arg}
        if len(inner) > 1:
            raise RuntimeError("shape(): the array is ragged")
        return (len(arg), *(inner.pop() if inner else ()))
    if isinstance(arg, (bool, int, float)):
        return ()
    raise TypeError(f"shape(): an array is needed, not {type(arg).__name__}")


def width(*args) -> int:
    """The number of threads that values stand for."""
    found = _native.width([x for x in leaves(*args)])
    if found is None:
        if not leaves(*args):
            return 1
        raise RuntimeError("width(): the sizes of the arrays do not go together")
    return found


def ravel(array, order: str = "A"):
    """The elements in one flat array: those of a thread beside each other, or as ``"C"`` or ``"F"`` say."""
    return _native.ravel(array, order) if is_array_v(array) else array


def unravel(dtype, array, order: str = "A"):
    """A nested array of the elements of a flat one."""
    if type_of(array) is None:
        raise TypeError(f"unravel(): a flat array is needed, not {type(array).__name__}")
    return _native.unravel(type_of(dtype), array, order)


def reshape(dtype, value=None, shape=None, order: str = "A", shrink: bool = False):
    """The elements as another type, or a tensor of another shape, of which one length may be -1."""
    if value is None or not isinstance(dtype, type):
        if is_array_v(dtype) and not isinstance(dtype, type):
            dtype, value, shape = type(dtype), dtype, value if shape is None else shape
    if shape is None:
        raise TypeError("reshape(): a shape is needed")
    lengths = [shape] if isinstance(shape, int) else list(shape)
    ty = type_of(dtype)
    if ty is None:
        return map_tree(lambda x: reshape(type(x), x, shape, order, shrink), value)
    if ty.kind == "tensor":
        flat = _native.ravel(value, "C" if order == "A" else order)
        return _native.cast(ty, _native.reshaped(flat, lengths))
    flat = _native.ravel(value, order)
    if shrink:
        count = 1
        for length in lengths:
            count *= length
        flat = flat[:count]
    return dtype(flat) if ty.kind == "flat" else _native.unravel(ty, flat, order)


def slice_index(dtype, shape, indices):
    """The shape of a slice, and the place of each of its elements in the flat array."""
    return _native.slice_index(type_of(dtype), list(shape), indices)


def slice(value, index=0):
    """The entry or the entries of an index of the innermost level, of each array within a value."""

    def one(x):
        ty = type_of(x)
        if ty.kind == "tensor" or (ty.kind == "flat"):
            return x[index]
        return type_(x)(*[slice(part, index) for part in x])

    def type_(x):
        ty = type_of(x)
        if isinstance(index, int) and ty.is_jit:
            from . import scalar

            name = ty.short_name
            return getattr(scalar, name)
        return type(x)

    return map_tree(one, value)


def _tensor(value, function: str):
    if not is_tensor_v(value):
        raise TypeError(f"{function}(): a tensor is needed, not {type(value).__name__}")
    return value


def _array(value, function: str) -> None:
    if not is_array_v(value) or isinstance(value, type):
        raise TypeError(f"{function}(): an array is needed, not {type(value).__name__}")


def _as_tensor(value, function: str):
    _array(value, function)
    return value if is_tensor_v(value) else _native.cast(type_of(value).tensor, value)


def _axis(axis: int, ndim: int, function: str) -> int:
    if not -ndim <= axis < ndim:
        raise IndexError(f"{function}(): the axis {axis} is none of a tensor of {ndim} axes")
    return axis % ndim


def permuted(value, axes: tuple):
    """A tensor with its axes in another order."""
    _tensor(value, "transpose")
    ndim = value.ndim
    axes = tuple(_axis(axis, ndim, "transpose") for axis in axes)
    if sorted(axes) != list(range(ndim)):
        raise ValueError(f"transpose(): the axes are {axes}: each of the {ndim} is needed once")
    if axes == tuple(range(ndim)):
        return value
    lengths = value.shape
    strides = [1] * ndim
    for axis in reversed(range(ndim - 1)):
        strides[axis] = strides[axis + 1] * lengths[axis + 1]
    index_t = uint32_array_t(type(value.array))
    new = [lengths[axis] for axis in axes]
    total = 1
    for length in new:
        total *= length
    left = _native.counter(type_of(index_t), total)
    index = index_t(0)
    for axis, length in zip(reversed(axes), reversed(new), strict=True):
        index = index + (left % length) * strides[axis]
        left = left // length
    return _native.reshaped(_native.gather(type_of(value).element, value.array, index, True), new)


def moveaxis(arg, source, destination):
    """A tensor with axes moved to other places."""
    _tensor(arg, "moveaxis")
    ndim = arg.ndim
    sources = [source] if isinstance(source, int) else list(source)
    places = [destination] if isinstance(destination, int) else list(destination)
    if len(sources) != len(places):
        raise ValueError("moveaxis(): as many places as axes are needed")
    sources = [_axis(axis, ndim, "moveaxis") for axis in sources]
    places = [_axis(axis, ndim, "moveaxis") for axis in places]
    order = [axis for axis in range(ndim) if axis not in sources]
    for place, axis in sorted(zip(places, sources, strict=True)):
        order.insert(place, axis)
    return permuted(arg, tuple(order))


def swapaxes(value, axis1: int, axis2: int):
    """A tensor with two axes exchanged."""
    ndim = _tensor(value, "swapaxes").ndim
    first, second = _axis(axis1, ndim, "swapaxes"), _axis(axis2, ndim, "swapaxes")
    order = list(range(ndim))
    order[first], order[second] = second, first
    return permuted(value, tuple(order))


def expand_dims(value, axis):
    """A tensor with new axes of length 1."""
    value = _as_tensor(value, "expand_dims")
    axes = [axis] if isinstance(axis, int) else list(axis)
    ndim = value.ndim + len(axes)
    places = sorted(_axis(own, ndim, "expand_dims") for own in axes)
    if len(set(places)) < len(places):
        raise ValueError(f"expand_dims(): an axis is there twice in {axis}")
    lengths = list(value.shape)
    for place in places:
        lengths.insert(place, 1)
    return _native.reshaped(value, lengths)


def squeeze(value, axis=None):
    """A tensor without axes of length 1."""
    lengths = _tensor(value, "squeeze").shape
    if axis is None:
        axes = [own for own, length in enumerate(lengths) if length == 1]
    else:
        axes = [_axis(own, len(lengths), "squeeze") for own in ([axis] if isinstance(axis, int) else axis)]
    for own in axes:
        if lengths[own] != 1:
            raise ValueError(f"squeeze(): the axis {own} has the length {lengths[own]}, not 1")
    return _native.reshaped(value, [length for own, length in enumerate(lengths) if own not in axes])


def concat(arr, axis: int | None = 0):
    """Flat arrays one after the other, or tensors along an axis; nested arrays entry by entry."""
    parts = list(arr)
    if not parts:
        raise RuntimeError("concat(): one array at least is needed")
    if axis is None:
        parts = [_native.ravel(part, "C") for part in parts]
        return _native.concatenate(parts)
    if not is_tensor_v(parts[0]):
        if type_of(parts[0]) is not None and type_of(parts[0]).kind != "flat":
            count = {len(part) for part in parts}
            if len(count) > 1 or len({type(part) for part in parts}) > 1:
                raise RuntimeError("concat(): nested arrays of one type are needed")
            return type(parts[0])(*[concat([part[i] for part in parts]) for i in range(count.pop())])
        if axis not in (0, -1):
            raise IndexError(f"concat(): the axis {axis} is none of a flat array")
        return _native.concatenate(parts)
    ndim = parts[0].ndim
    place = _axis(axis, ndim, "concat")
    rest = {(part.shape[:place], part.shape[place + 1 :]) for part in parts}
    if len(rest) > 1:
        raise RuntimeError(f"concat(): the shapes {[part.shape for part in parts]} differ in other axes than {axis}")
    if place == 0:
        return _native.concatenate(parts)
    return moveaxis(_native.concatenate([moveaxis(part, place, 0) for part in parts]), 0, place)


def stack(arrays, axis: int = 0):
    """Arrays of one shape along a new axis."""
    arrays = list(arrays)
    shapes = [_as_tensor(part, "stack").shape for part in arrays]
    if any(shape != shapes[0] for shape in shapes):
        raise RuntimeError(f"stack(): the arrays have the shapes {shapes}: one shape is needed")
    return concat([expand_dims(part, axis) for part in arrays], axis)


def _at_least(value, ndim: int):
    value = _as_tensor(value, "stack")
    while value.ndim < ndim:
        value = expand_dims(value, 0 if value.ndim < 2 and ndim < 3 else value.ndim)
    return value


def vstack(arrays):
    """Rows, or tensors along their first axis, one below the other."""
    return concat([_at_least(part, 2) for part in arrays], 0)


row_stack = vstack


def hstack(arrays):
    """Flat arrays one after the other, or tensors along their second axis."""
    parts = list(arrays)
    flat = not is_tensor_v(parts[0]) or parts[0].ndim == 1
    return concat(parts, 0 if flat else 1)


def column_stack(arrays):
    """Flat arrays as columns, or tensors along their second axis."""
    parts = [part if is_tensor_v(part) and part.ndim > 1 else expand_dims(part, 1) for part in arrays]
    return concat(parts, 1)


def dstack(arrays):
    """Arrays along a third axis."""
    parts = []
    for part in arrays:
        part = _at_least(part, 2)
        parts.append(part if part.ndim > 2 else expand_dims(part, 2))
    return concat(parts, 2)


def _part(value, start: int, stop: int, axis: int):
    if not is_tensor_v(value):
        return value[start:stop]
    key = [__builtins_slice(None)] * axis + [__builtins_slice(start, stop)]
    return value[tuple(key)]


__builtins_slice = __import__("builtins").slice


def split(value, indices_or_sections, axis: int = 0) -> list:
    """The parts of an array along an axis: so many of one length, or ended by places."""
    _array(value, "split")
    place = _axis(axis, value.ndim, "split") if is_tensor_v(value) else 0
    length = value.shape[place] if is_tensor_v(value) else len(value)
    if isinstance(indices_or_sections, int):
        if indices_or_sections <= 0 or length % indices_or_sections:
            raise ValueError(f"split(): {length} entries are not {indices_or_sections} parts of one length")
        each = length // indices_or_sections
        ends = list(range(each, length + 1, each))
    else:
        ends = [min(end, length) for end in indices_or_sections] + [length]
    starts = [0, *ends[:-1]]
    return [_part(value, start, max(start, end), place) for start, end in zip(starts, ends, strict=True)]


def array_split(value, sections: int, axis: int = 0) -> list:
    """So many parts of an array along an axis, the first ones longer where they cannot be of one length."""
    _array(value, "array_split")
    place = _axis(axis, value.ndim, "array_split") if is_tensor_v(value) else 0
    length = value.shape[place] if is_tensor_v(value) else len(value)
    if not 0 < sections <= max(length, 1 << 16):
        raise ValueError(f"array_split(): {sections} parts of {length} entries: from one to {max(length, 1 << 16)} are there")
    each, longer = divmod(length, sections)
    ends, end = [], 0
    for number in range(sections):
        end += each + (number < longer)
        ends.append(end)
    return split(value, ends[:-1], axis)


def take(value, index, axis: int = 0):
    """The entries of numbers along an axis."""
    _array(value, "take")
    if not is_tensor_v(value):
        return value[index]
    place = _axis(axis, value.ndim, "take")
    return value[tuple([__builtins_slice(None)] * place + [index])]


def take_interp(value, pos, axis: int = 0):
    """The entries at places between numbers along an axis, by linear interpolation; beyond the ends those at the ends."""
    from ._maths import clip, floor, lerp
    from ._traits import int32_array_t

    _array(value, "take_interp")
    place = _axis(axis, value.ndim, "take_interp") if is_tensor_v(value) else 0
    length = value.shape[place] if is_tensor_v(value) else len(value)
    if isinstance(pos, (int, float)):
        import math

        first = int(min(max(math.floor(pos), 0), max(length - 2, 0)))
        way = pos - first
        return lerp(take(value, first, axis), take(value, min(first + 1, length - 1), axis), min(max(way, 0), 1))
    first = clip(floor(pos), 0, max(length - 2, 0))
    way = clip(pos - first, 0, 1)
    index = int32_array_t(type(pos))(first)
    low = take(value, index, axis)
    high = take(value, _native.minimum(index + 1, length - 1), axis)
    if is_tensor_v(value):
        way = _native.reshaped(way, [-1] + [1] * (value.ndim - place - 1))
    return lerp(low, high, way)


def reverse(value, axis: int = 0):
    """The entries along an axis from the last to the first."""
    ty = type_of(value)
    if ty is None:
        return type(value)(list(value)[::-1]) if axis == 0 else type(value)([reverse(part, axis - 1) for part in value])
    if ty.kind == "tensor":
        place = _axis(axis, value.ndim, "reverse")
        return value[tuple([__builtins_slice(None)] * place + [__builtins_slice(None, None, -1)])]
    if ty.kind == "flat":
        return _native.reverse_vectors(value)
    axis = _axis(axis, len(ty.sizes) + (0 if ty.is_jit else 0), "reverse")
    if axis == 0:
        return type(value)(*list(value)[::-1])
    return type(value)(*[reverse(part, axis - 1) for part in value])


def _vectors(value, function):
    return map_tree(function, value)


def tile(value, reps):
    """The vectors so many times, one after the other; a tensor along its axes."""
    counts = [reps] if isinstance(reps, int) else list(reps)

    def one(x):
        if not is_tensor_v(x):
            if len(counts) != 1:
                raise TypeError(f"tile(): a flat array has one axis, not {len(counts)}")
            return _native.tile_vectors(x, counts[0])
        made = x
        while made.ndim < len(counts):
            made = expand_dims(made, 0)
        own = [1] * (made.ndim - len(counts)) + counts
        for axis, count in enumerate(own):
            if count != 1:
                made = concat([made] * count, axis) if count else _part(made, 0, 0, axis)
        return made

    return _vectors(value, one)


def repeat(value, repeats, axis: int | None = None):
    """Each element of the vectors so many times; the entries of a tensor along an axis."""
    if not isinstance(repeats, int):
        if not is_array_v(repeats) or not is_array_v(value) or type_of(repeats).kind != "flat":
            raise TypeError(f"repeat(): a number or a flat array of numbers is needed, not {type(repeats).__name__}")
        ends = _native.prefix_reduce("Add", repeats, False, False)
        total = ends._numbers()[-1] if len(ends) else 0
        number = _native.counter(type_of(repeats), total)
        from ._maths import binary_search

        index_t = uint32_array_t(type(repeats))
        place = binary_search(index_t(0), index_t(len(ends)), lambda i: _native.gather(type_of(type(ends)), ends, _native.minimum(i, len(ends) - 1), True) <= number)
        return _native.gather(type_of(type(value)), value, place, True)

    def one(x):
        if not is_tensor_v(x):
            return _native.repeat_vectors(x, repeats)
        if axis is None:
            return _native.repeat_vectors(x.array, repeats)
        place = _axis(axis, x.ndim, "repeat")
        lengths = list(x.shape)
        flat = _native.reshaped(x, [*lengths[: place + 1], 1, *lengths[place + 1 :]])
        made = concat([flat] * repeats, place + 1)
        lengths[place] *= repeats
        return _native.reshaped(made, lengths)

    return _vectors(value, one)


def meshgrid(*args, indexing: str = "xy") -> tuple:
    """The flat arrays of all combinations of elements of several: those of the first one run fastest, or with ``"ij"`` slowest."""
    if indexing not in ("xy", "ij"):
        raise ValueError(f"meshgrid(): indexing is {indexing!r}: 'xy' or 'ij' is needed")
    if not args:
        return ()
    return _native.meshgrid(list(args), indexing == "ij")


def upsample(t, shape=None, scale_factor=None):
    """A tensor whose first axes are so many times as long, or of a shape that is a multiple: each entry is there several times."""
    _tensor(t, "upsample")
    lengths = t.shape
    if (shape is None) == (scale_factor is None):
        raise TypeError("upsample(): a shape or a scale factor is needed")
    if shape is not None:
        factors = []
        for own, length in zip(shape, lengths, strict=False):
            if own < length or own % length:
                raise TypeError(f"upsample(): {own} is no multiple of the length {length}")
            factors.append(own // length)
    else:
        factors = list(scale_factor)
    for axis, factor in enumerate(factors):
        t = repeat(t, factor, axis)
    return t


_FILTERS = ("box", "linear", "hamming", "cubic", "lanczos", "gaussian")


def resample(source, shape, filter="cubic", filter_radius: float | None = None, boundary: str = "zero"):
    """An array of another size, by a filter."""
    lengths = [shape] if isinstance(shape, int) else list(shape)
    return _native.resample(source, lengths, filter, filter_radius, boundary)


def convolve(source, filter, filter_radius: float | None = None, *, axis=None, boundary: str = "zero", normalize: bool = False):
    """The convolution with the numbers of a kernel, or with a filter at whole distances."""
    axes = None if axis is None else [axis] if isinstance(axis, int) else list(axis)
    return _native.convolve(source, filter, filter_radius, axes, boundary, normalize)
