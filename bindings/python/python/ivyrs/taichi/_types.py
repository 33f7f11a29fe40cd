"""Types: numbers, vectors, matrices, and what stands for them in annotations."""

from __future__ import annotations

from typing import Any


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
TO_NUMPY = {ty.name: name for name, ty in NUMPY.items()}


def number_type(ty: Any) -> DataType:
    """A type of numbers, also by Python's ``int``, ``float`` and ``bool``."""
    from ._program import current

    if isinstance(ty, DataType):
        return ty
    if ty is int:
        return current().default_ip
    if ty is float:
        return current().default_fp
    if ty is bool:
        return u1
    raise TypeError(f"{ty!r} is no type of numbers: ti.f32, ti.i32 and their like are")


class template:
    """An argument that a kernel is compiled for: a field, or any value that Python has."""

    def __init__(self, tensor: Any = None, dim: int | None = None) -> None:
        pass


class CompoundType:
    """Vectors or matrices of a type: in annotations, and to make them."""

    def __init__(self, n: int, m: int | None, dtype: Any) -> None:
        self.n, self.m, self._dtype = n, m, dtype

    @property
    def form(self) -> tuple[int, int | None]:
        return self.n, self.m

    @property
    def dtype(self) -> DataType:
        return number_type(self._dtype)

    def __repr__(self) -> str:
        name = f"vector({self.n}" if self.m is None else f"matrix({self.n}, {self.m}"
        return f"ti.types.{name}, {self._dtype!r})"

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

    def field(self, shape: Any, **options: Any) -> Any:
        """A field of such elements."""
        from ._fields import make

        return make(self.dtype, self.form, shape, **options)


class NdarrayType:
    """An array of NumPy's, or a ``ti.ndarray``, as a kernel's argument."""

    def __init__(self, dtype: Any = None, ndim: int | None = None, **_: Any) -> None:
        self.dtype, self.ndim = dtype, ndim


class types:
    """``ti.types``."""

    template = template
    ndarray = NdarrayType

    @staticmethod
    def vector(n: int, dtype: Any) -> CompoundType:
        """Vectors of ``n`` numbers."""
        return CompoundType(n, None, dtype)

    @staticmethod
    def matrix(n: int, m: int, dtype: Any) -> CompoundType:
        """Matrices of ``n`` rows and ``m`` columns."""
        return CompoundType(n, m, dtype)


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


for _name, _ty in TYPES.items():
    setattr(types, _name, _ty)
