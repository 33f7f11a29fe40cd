"""Questions about types, and types made of types. All take arrays, classes of arrays, and Python's own numbers and their classes."""

from . import _native
from ._array import ArrayBase
from ._classes import class_of, type_of
from ._enums import JitBackend, VarType
from ._trees import is_struct

Dynamic = -1

_SCALARS = {bool: VarType.Bool, int: VarType.Int64, float: VarType.Float64}


def _class(value):
    return value if isinstance(value, type) else type(value)


def _number(value) -> VarType:
    return _SCALARS.get(_class(value), VarType.Void)


def is_array_v(arg) -> bool:
    """Whether it is an array of Dr.Jit's, or the class of one."""
    return type_of(arg) is not None


def is_jit_v(arg) -> bool:
    """Whether a value stands for many threads."""
    ty = type_of(arg)
    return ty is not None and ty.is_jit


def is_diff_v(arg) -> bool:
    """Whether operations are recorded for derivatives."""
    ty = type_of(arg)
    return ty is not None and ty.is_diff


def _kind(arg) -> str:
    ty = type_of(arg)
    return "" if ty is None else ty.kind


def is_tensor_v(arg) -> bool:
    """Whether it is a tensor."""
    return _kind(arg) == "tensor"


def is_complex_v(arg) -> bool:
    """Whether it is a complex number, Python's own among them."""
    return _kind(arg) == "complex" or issubclass(_class(arg), complex)


def is_matrix_v(arg) -> bool:
    """Whether it is a matrix."""
    return _kind(arg) == "matrix"


def is_quaternion_v(arg) -> bool:
    """Whether it is a quaternion."""
    return _kind(arg) == "quaternion"


def is_special_v(arg) -> bool:
    """Whether it is a matrix, a complex number or a quaternion, with a product of its own."""
    return _kind(arg) in ("matrix", "complex", "quaternion")


def is_vector_v(arg) -> bool:
    """Whether it is an array of arrays without a product of its own."""
    return _kind(arg) == "array"


def type_v(arg) -> VarType:
    """The type of the elements."""
    ty = type_of(arg)
    return _number(arg) if ty is None else VarType[ty.dtype]


def backend_v(arg) -> JitBackend:
    """What computes."""
    ty = type_of(arg)
    return JitBackend.Invalid if ty is None else JitBackend[ty.backend]


def size_v(arg) -> int:
    """The length of the outermost level, ``Dynamic`` for any; 1 of what is no array."""
    ty = type_of(arg)
    if ty is None:
        return 1
    return ty.sizes[0] if ty.sizes else (0 if ty.kind == "tensor" else 1)


def depth_v(arg) -> int:
    """How many levels there are; 0 of tensors and of what is no array."""
    ty = type_of(arg)
    return 0 if ty is None else len(ty.sizes)


def is_mask_v(arg) -> bool:
    """Whether the elements are truth values."""
    return type_v(arg) == VarType.Bool


def is_float_v(arg) -> bool:
    """Whether the elements are floats."""
    return type_v(arg) >= VarType.BaseFloat


def is_half_v(arg) -> bool:
    """Whether the elements are half-precision floats."""
    return type_v(arg) == VarType.Float16


def is_integral_v(arg) -> bool:
    """Whether the elements are integers."""
    return VarType.Int8 <= type_v(arg) <= VarType.UInt64


def is_arithmetic_v(arg) -> bool:
    """Whether the elements are numbers."""
    return type_v(arg) >= VarType.Int8


_UNSIGNED = (VarType.Bool, VarType.UInt8, VarType.UInt16, VarType.UInt32, VarType.UInt64)


def is_signed_v(arg) -> bool:
    """Whether the elements have a sign."""
    own = type_v(arg)
    return own != VarType.Void and own not in _UNSIGNED


def is_unsigned_v(arg) -> bool:
    """Whether the elements are unsigned integers or truth values."""
    return type_v(arg) in _UNSIGNED


def is_dynamic_v(arg) -> bool:
    """Whether the number of elements is no part of the type."""
    ty = type_of(arg)
    return ty is not None and ty.is_dynamic


def is_struct_v(arg) -> bool:
    """Whether it is a class with fields (``DRJIT_STRUCT``, a dataclass), or a value of one."""
    return is_struct(arg)


def itemsize_v(arg) -> int:
    """The bytes of an element."""
    ty = type_of(arg)
    if ty is None:
        raise TypeError(f"itemsize_v(): an array is needed, not {_class(arg).__name__}")
    return ty.itemsize


def value_t(arg) -> type:
    """The type of the entries: what indexing gives."""
    ty = type_of(arg)
    if ty is None:
        return _class(arg)
    return scalar_t(arg) if ty.entry is None else class_of(ty.entry)


def scalar_t(arg) -> type:
    """Python's type of an element."""
    ty = type_of(arg)
    if ty is None:
        return _class(arg)
    return bool if ty.is_mask else float if ty.is_float else int


def leaf_t(arg) -> type:
    """The flat type within."""
    ty = type_of(arg)
    return _class(arg) if ty is None else class_of(ty.leaf)


def mask_t(arg) -> type:
    """The type of comparisons."""
    ty = type_of(arg)
    return bool if ty is None else class_of(ty.mask)


def array_t(arg) -> type:
    """The plain array of a special type; the flat array of a tensor."""
    ty = type_of(arg)
    return _class(arg) if ty is None else class_of(ty.array)


def tensor_t(arg) -> type:
    """The tensor with such elements."""
    ty = type_of(arg)
    if ty is None:
        raise TypeError(f"tensor_t(): an array is needed, not {_class(arg).__name__}")
    return class_of(ty.tensor)


def matrix_t(arg) -> type | None:
    """The matrix of an array's levels; ``None`` where there is none."""
    ty = type_of(arg)
    made = None if ty is None else ty.matrix
    return None if made is None else class_of(made)


def detached_t(arg) -> type:
    """The type without derivatives; of structs and their like it stays."""
    ty = type_of(arg)
    return _class(arg) if ty is None else class_of(ty.detached)


def diff_array_t(arg) -> type:
    """The differentiable type."""
    ty = type_of(arg)
    return _class(arg) if ty is None else class_of(ty.diff)


def replace_type_t(arg, dtype: VarType) -> type:
    """The same with another element type."""
    ty = type_of(arg)
    if ty is None:
        return bool if dtype == VarType.Bool else float if dtype >= VarType.BaseFloat else int
    return class_of(ty.with_dtype(VarType(dtype).name))


def replace_shape_t(arg, shape, kind: str | None = None) -> type:
    """The array with such levels over the same elements; of arrays for many threads their vectors are the last one. ``kind`` is
    ``"matrix"``, ``"complex"``, ``"quaternion"`` or ``"tensor"``."""
    ty = type_of(arg)
    if ty is None:
        raise TypeError(f"replace_shape_t(): an array is needed, not {_class(arg).__name__}")
    sizes = list(shape)
    if ty.is_jit and sizes and sizes[-1] == Dynamic:
        sizes.pop()
    return class_of(ty.with_sizes(sizes, kind or "array"))


_WIDTHS = {
    1: {"int": VarType.Int8, "uint": VarType.UInt8},
    2: {"int": VarType.Int16, "uint": VarType.UInt16, "float": VarType.Float16},
    4: {"int": VarType.Int32, "uint": VarType.UInt32, "float": VarType.Float32},
    8: {"int": VarType.Int64, "uint": VarType.UInt64, "float": VarType.Float64},
}


def _of_width(arg, name: str) -> type:
    ty = type_of(arg)
    if ty is None:
        return float if name == "float" else int
    made = _WIDTHS[ty.itemsize].get(name)
    if made is None:
        raise TypeError(f"{name}_array_t(): there are no floats of {ty.itemsize} byte")
    return replace_type_t(arg, made)


def int_array_t(arg) -> type:
    """Signed integers of the same width."""
    return _of_width(arg, "int")


def uint_array_t(arg) -> type:
    """Unsigned integers of the same width."""
    return _of_width(arg, "uint")


def float_array_t(arg) -> type:
    """Floats of the same width."""
    return _of_width(arg, "float")


def bool_array_t(arg) -> type:
    """The same with truth values."""
    return replace_type_t(arg, VarType.Bool)


def int8_array_t(arg) -> type:
    """The same with 8-bit integers."""
    return replace_type_t(arg, VarType.Int8)


def uint8_array_t(arg) -> type:
    """The same with unsigned 8-bit integers."""
    return replace_type_t(arg, VarType.UInt8)


def int32_array_t(arg) -> type:
    """The same with 32-bit integers."""
    return replace_type_t(arg, VarType.Int32)


def uint32_array_t(arg) -> type:
    """The same with unsigned 32-bit integers."""
    return replace_type_t(arg, VarType.UInt32)


def int64_array_t(arg) -> type:
    """The same with 64-bit integers."""
    return replace_type_t(arg, VarType.Int64)


def uint64_array_t(arg) -> type:
    """The same with unsigned 64-bit integers."""
    return replace_type_t(arg, VarType.UInt64)


def float16_array_t(arg) -> type:
    """The same with half-precision floats."""
    return replace_type_t(arg, VarType.Float16)


def float32_array_t(arg) -> type:
    """The same with single-precision floats."""
    return replace_type_t(arg, VarType.Float32)


def float64_array_t(arg) -> type:
    """The same with double-precision floats."""
    return replace_type_t(arg, VarType.Float64)


def reinterpret_array_t(arg, dtype: VarType) -> type:
    """The type whose elements are the bits of this one's as another type of their width."""
    made = replace_type_t(arg, dtype)
    if itemsize_v(made) != itemsize_v(arg):
        raise TypeError(f"reinterpret_array_t(): {VarType(dtype).name} has another width than {type_v(arg).name}")
    return made


def expr_t(*args) -> type:
    """The type in which values are computed together."""
    if not args:
        raise TypeError("expr_t(): one value at least is needed")
    numbers = []
    found = []
    for arg in args:
        ty = type_of(arg)
        if ty is not None:
            found.append(ty)
        elif _number(arg) != VarType.Void:
            numbers.append(_class(arg))
        elif isinstance(arg, (list, tuple)) and len(args) > 1 and all(_number(part) != VarType.Void for part in arg):
            numbers += [_class(part) for part in arg]
        elif len({_class(own) for own in args}) == 1:
            return _class(arg)
        else:
            raise TypeError(f"expr_t(): incompatible types {[_class(own).__name__ for own in args]}")
    if not found:
        return max(numbers, key=lambda number: _SCALARS[number])
    return _native.expr_t([*found, *(number(1) for number in numbers)])


def is_same(a: ArrayBase, b: ArrayBase) -> bool:
    """Whether two arrays are one variable."""
    return _native.is_same(a, b)


# Limits of the elements' floats.
_EPSILON = {VarType.Float16: 2.0**-11, VarType.Float32: 2.0**-24, VarType.Float64: 2.0**-53}
_LARGEST = {VarType.Float16: 65504.0, VarType.Float32: (2 - 2.0**-23) * 2.0**127, VarType.Float64: (2 - 2.0**-52) * 2.0**1023}
_SMALLEST = {VarType.Float16: 2.0**-14, VarType.Float32: 2.0**-126, VarType.Float64: 2.0**-1022}
# The greatest number whose reciprocal is no number of the type.
_RECIPROCAL = {VarType.Float16: 2.0**-16 + 2.0**-24, VarType.Float32: 2.938735877055719e-39, VarType.Float64: 5.56268464626801e-309}


def _limit(table, arg, function):
    own = type_v(arg)
    if own not in table:
        raise TypeError(f"{function}(): a type of floats is needed, not {_class(arg).__name__}")
    return table[own]


def epsilon(arg) -> float:
    """Half the distance from 1 to the next greater float."""
    return _limit(_EPSILON, arg, "epsilon")


def one_minus_epsilon(arg) -> float:
    """The greatest float below 1."""
    return 1 - _limit(_EPSILON, arg, "one_minus_epsilon")


def recip_overflow(arg) -> float:
    """The threshold below which a reciprocal is infinite."""
    return _limit(_RECIPROCAL, arg, "recip_overflow")


def smallest(arg) -> float:
    """The least normal float above 0."""
    return _limit(_SMALLEST, arg, "smallest")


def largest(arg) -> float | int:
    """The greatest number of the type."""
    own = type_v(arg)
    if own in _LARGEST:
        return _LARGEST[own]
    ty = type_of(arg)
    if ty is None or not ty.is_integral:
        raise TypeError(f"largest(): a type of numbers is needed, not {_class(arg).__name__}")
    return 2 ** (8 * ty.itemsize - int(ty.is_signed)) - 1
