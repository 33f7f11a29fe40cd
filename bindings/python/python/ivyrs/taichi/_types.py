"""Types: numbers, vectors, matrices, and what stands for them in annotations."""

from __future__ import annotations

from typing import Any

from .._ivyrs import TaichiQuantType


class DataType:
    """A type of numbers. Called in a kernel, it casts."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __repr__(self) -> str:
        return self.name

    def __eq__(self, other: object) -> bool:
        return isinstance(other, DataType) and other.name == self.name

    def __hash__(self) -> int:
        return hash(self.name)

    @property
    def is_real(self) -> bool:
        return self.name.startswith("f")

    @property
    def range(self) -> range:
        """The integers that a type of integers holds."""
        bits, signed = int(self.name[1:]), self.name.startswith("i")
        return range(-(1 << bits - 1), 1 << bits - 1) if signed else range(1 << bits)

    def to_string(self) -> str:
        """Its name."""
        return self.name

    def __call__(self, x: Any) -> Any:
        from ._matrix import Matrix

        if isinstance(x, Matrix):
            return x.cast(self)
        return float(x) if self.is_real else bool(x) if self.name == "u1" else int(x)


f16, f32, f64 = float16, float32, float64 = [DataType(name) for name in ("f16", "f32", "f64")]
i8, i16, i32, i64 = int8, int16, int32, int64 = [DataType(f"i{bits}") for bits in (8, 16, 32, 64)]
u8, u16, u32, u64 = uint8, uint16, uint32, uint64 = [DataType(f"u{bits}") for bits in (8, 16, 32, 64)]
u1 = uint1 = DataType("u1")

#: By name, the types of numbers.
TYPES = {ty.name: ty for ty in (f16, f32, f64, i8, i16, i32, i64, u1, u8, u16, u32, u64)}

NUMPY = {
    "float16": f16, "float32": f32, "float64": f64, "int8": i8, "int16": i16, "int32": i32, "int64": i64,
    "bool": u1, "uint8": u8, "uint16": u16, "uint32": u32, "uint64": u64,
}  # fmt: skip
#: The types' long names.
NUMPY_NAMES = {"u1": "uint1", **{ty.name: name for name, ty in NUMPY.items() if ty.name != "u1"}}
TO_NUMPY = {ty.name: name for name, ty in NUMPY.items()}


def number_type(ty: Any) -> DataType:
    """A type of numbers, also by Python's ``int``, ``float`` and ``bool``."""
    from ._program import current

    if isinstance(ty, DataType):
        return ty
    if isinstance(ty, QuantType):
        return ty.compute
    if ty is int:
        return current().default_ip
    if ty is float:
        return current().default_fp
    if ty is bool:
        return u1
    raise TypeError(f"{ty!r} is no type of numbers: ti.f32, ti.i32 and their like are")


def default_unsigned() -> DataType:
    """The unsigned type as long as the default type of integers."""
    from ._program import current

    return TYPES["u" + current().default_ip.name[1:]]


class QuantType:
    """A quantised type: numbers of fewer bits than a machine's, packed in words, that are computed in another type."""

    def __init__(self, native: TaichiQuantType) -> None:
        self.native = native

    @property
    def compute(self) -> DataType:
        """The type that they are computed in."""
        return TYPES[self.native.computed]

    def __repr__(self) -> str:
        return repr(self.native)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, QuantType) and other.native == self.native

    def __hash__(self) -> int:
        return hash(self.native)


class quant:
    """``ti.types.quant``: types of fields that are packed by :class:`BitpackedFields` or a quant array."""

    @staticmethod
    def int(bits: Any, signed: bool = True, compute: Any = None) -> QuantType:
        """Integers of 1 to 64 bits, which wrap."""
        name = _whole_compute(bits) if compute is None else number_type(compute).name
        return QuantType(TaichiQuantType.integer(bits, signed, name))

    @staticmethod
    def fixed(bits: Any, signed: bool = True, max_value: Any = 1.0, compute: Any = None, scale: Any = None) -> QuantType:
        """Numbers of fixed point: integers of so many bits times ``scale``, or values that reach to ``max_value``."""
        name = number_type(_FLOAT if compute is None else compute).name
        return QuantType(TaichiQuantType.fixed(bits, signed, max_value, scale, name))

    @staticmethod
    def float(exp: Any, frac: Any, signed: bool = True, compute: Any = None) -> QuantType:
        """Numbers of floating point: bits of the exponent, and of the digits with the sign."""
        name = None if compute is None else number_type(compute).name
        return QuantType(TaichiQuantType.floating(exp, frac, signed, name))


#: What these names mean outside of the class.
_FLOAT = float


def _whole_compute(bits: Any) -> str | None:
    """The default type of integers, where it is wide enough."""
    from ._program import current

    default = current().default_ip
    return default.name if bits <= int(default.name[1:]) else None


class template:
    """An argument that a kernel is compiled for: a field, or any value that Python has."""

    def __init__(self, tensor: Any = None, dim: int | None = None) -> None:
        pass


class Reference:
    """An argument that a real function may assign to, as in ``ti.ref(ti.f32)``."""

    def __init__(self, ty: Any) -> None:
        self.ty = ty


class CompoundType:
    """Vectors or matrices of a type: in annotations, and to make them."""

    def __init__(self, n: int | None, m: int | None, dtype: Any, is_matrix: bool | None = None) -> None:
        self._n, self.m, self._dtype = n, m, dtype
        self.is_matrix = m is not None if is_matrix is None else is_matrix

    @property
    def n(self) -> int:
        if self._n is None:
            raise TypeError(f"{self!r} is for annotations of arrays: it has no size")
        return self._n

    @property
    def extents(self) -> tuple[int | None, ...]:
        """The extents, as far as they are known."""
        return (self._n, self.m) if self.is_matrix else (self._n,)

    def takes(self, form: tuple[int, int | None]) -> bool:
        """Whether vectors or matrices of a form are of this type, whose extents may be any."""
        return all(own is None or own == given for own, given in zip(self.extents, form))

    @property
    def form(self) -> tuple[int, int | None]:
        return self.n, self.m

    @property
    def dtype(self) -> DataType:
        return default_unsigned() if self._dtype is default_unsigned else number_type(self._dtype)

    def __repr__(self) -> str:
        parts = [*(part for part in self.extents if part is not None), *([] if self._dtype is None else [getattr(self._dtype, "name", "float" if self._dtype is float else "int" if self._dtype is int else "bool")])]
        return f"ti.types.{'matrix' if self.is_matrix else 'vector'}({', '.join(map(str, parts))})"

    def flat(self, values: tuple[Any, ...], flatten: Any) -> list[Any]:
        """The numbers of what it is made of: one for all, or as many as it has."""
        numbers = flatten(values)
        count = self.n * (self.m or 1)
        if len(numbers) == 1:
            numbers = numbers * count
        if len(numbers) != count:
            raise TypeError(f"{self!r} has {count} numbers, got {len(numbers)}")
        return numbers

    def __call__(self, *values: Any) -> Any:
        from ._matrix import Matrix, flattened

        numbers = self.flat(values, flattened)
        return Matrix.of(self.form, [self.dtype(x) for x in numbers], self.dtype)

    def field(self, shape: Any = None, **options: Any) -> Any:
        """A field of such elements."""
        from ._fields import make

        return make(self.dtype, self.form, shape, **options)


class NdarrayType:
    """An array of NumPy's, or a ``ti.ndarray``, as a kernel's argument."""

    def __init__(
        self, dtype: Any = None, ndim: int | None = None, element_dim: Any = None, element_shape: Any = None, boundary: str = "unsafe", **_: Any
    ) -> None:
        if boundary not in ("unsafe", "clamp"):
            raise ValueError(f'boundary is "unsafe" or "clamp", not {boundary!r}')
        self.dtype, self.ndim, self.boundary = dtype, ndim, boundary


class types:
    """``ti.types``."""

    template = template
    ndarray = NdarrayType
    quant = quant

    @staticmethod
    def vector(n: int | None = None, dtype: Any = None) -> CompoundType:
        """Vectors of ``n`` numbers; without a length those of any, in annotations of arrays."""
        return CompoundType(n, None, dtype)

    @staticmethod
    def matrix(n: int | None = None, m: int | None = None, dtype: Any = None) -> CompoundType:
        """Matrices of ``n`` rows and ``m`` columns; without them those of any, in annotations of arrays."""
        return CompoundType(n, m, dtype, is_matrix=True)

    @staticmethod
    def struct(**members: Any) -> Any:
        """Structs with these members; ``methods`` are functions that kernels call on them."""
        from ._struct import struct

        return struct(**members)

    @staticmethod
    def is_integral(ty: Any) -> bool:
        """Whether a type is of integers."""
        return not number_type(ty).is_real

    @staticmethod
    def is_real(ty: Any) -> bool:
        """Whether a type is of floats."""
        return number_type(ty).is_real

    @staticmethod
    def is_signed(ty: Any) -> bool:
        """Whether a type has negative numbers."""
        return not number_type(ty).name.startswith("u")


for _ty in TYPES.values():
    setattr(types, _ty.name, _ty)
    setattr(types, NUMPY_NAMES[_ty.name], _ty)
