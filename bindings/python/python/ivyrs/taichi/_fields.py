"""Fields, and arrays that kernels take."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from enum import Enum
from typing import Any

from .._ivyrs import TaichiField
from ._errors import TaichiCompilationError, TaichiIndexError, TaichiRuntimeError, TaichiShapeError, TaichiTypeError
from ._matrix import Matrix, flattened
from ._program import current
from ._types import NUMPY, TO_NUMPY, DataType, QuantType, number_type


class Layout(Enum):
    """Whether the numbers of an element stand together."""

    AOS = 1
    SOA = 2


class Field:
    """A field of numbers, vectors or matrices."""

    def __init__(self, native: TaichiField | None, form: tuple[int, int | None] | None, dtype: DataType, name: str = "") -> None:
        self._native, self.form, self._dtype, self._name = native, form, dtype, name
        self._components: dict[int, Field] = {}
        #: Of quantised numbers their type; the other one is that which they are computed in.
        self._quant: QuantType | None = None
        #: Where it is placed, and its number there.
        self._builder: Any = None
        self._number = -1
        self._above: Any = None

    def put(self, builder: Any) -> int:
        """Its number in a tree that it is placed in."""
        if self._builder is not None or self._native is not None:
            raise TaichiCompilationError("the field is placed already")
        self._builder = builder
        dtype = self._dtype.name if self._quant is None else self._quant.native
        self._number = builder.native.field(self._name or "x", dtype, self.form)
        builder.fields.append(self)
        return self._number

    @property
    def native(self) -> TaichiField:
        """The field with its memory."""
        if self._native is None:
            if self._builder is None:
                raise TaichiRuntimeError("the field has no place: give it a shape, or place it in a tree")
            self._native = self._builder.finish().field(self._number)
        return self._native

    @property
    def is_destroyed(self) -> bool:
        """Whether its tree was destroyed."""
        return self._builder is not None and self._builder.destroyed

    @property
    def snode(self) -> Any:
        """Its place in the tree."""
        from ._snodes import PlaceNode

        return PlaceNode(self._builder, self._number, self._above, self._name)

    def parent(self, n: int = 1) -> Any:
        """The node so many levels above its place."""
        return self.snode.parent(n)

    @property
    def shape(self) -> tuple[int, ...]:
        """The extents of its indices."""
        return self.native.shape

    @property
    def dtype(self) -> Any:
        """The type of its numbers."""
        return self._dtype if self._quant is None else self._quant

    @property
    def n(self) -> int:
        """The rows of its elements."""
        return self._element_form[0]

    @property
    def m(self) -> int:
        """The columns of its elements."""
        return self._element_form[1] or 1

    @property
    def _element_form(self) -> tuple[int, int | None]:
        if self.form is None:
            raise AttributeError("a field of numbers has no rows and columns")
        return self.form

    def __repr__(self) -> str:
        return f"<ti.field {self.native.name} of shape {self.shape}>"

    def get_scalar_field(self, *indices: int) -> Field:
        """The field of one number of each vector or matrix: the same memory."""
        form = self._element_form
        extents = (form[0],) if form[1] is None else form
        if len(indices) != len(extents) or not all(0 <= at < extent for at, extent in zip(indices, extents)):
            raise TaichiIndexError(f"get_scalar_field{indices}: the elements are of shape {extents}")
        number = indices[0] if form[1] is None else indices[0] * form[1] + indices[1]
        # One object for each: a kernel knows its fields by identity.
        return self._components.setdefault(number, Component(self, number))

    def _indices(self, index: Any) -> list[int]:
        if index is None:
            return []
        indices = flattened(index if isinstance(index, tuple) else (index,))
        if any(isinstance(n, slice) for n in indices):
            raise TypeError("Detected illegal element of type: slice. Please be aware that slicing a ti.field is not supported so far.")
        return [int(n) for n in indices]

    def __getitem__(self, index: Any) -> Any:
        indices = self._indices(index)
        numbers = self.native.get(indices)
        return numbers[0] if self.form is None else Element(self, indices, numbers)

    def __setitem__(self, index: Any, value: Any) -> None:
        self.native.set(self._indices(index), self._numbers(value))

    def _numbers(self, value: Any) -> list[Any]:
        if self.form is None:
            return [value]
        count = self.n * self.m
        numbers = flattened((value.tolist() if hasattr(value, "tolist") else value,))
        return numbers * count if len(numbers) == 1 else numbers

    def __iter__(self) -> Iterator[Any]:
        raise NotImplementedError("Struct for is only available in Taichi scope: to_numpy() has the elements for Python")

    def fill(self, value: Any) -> None:
        """Sets every element."""
        self.native.fill(self._numbers(value))

    def to_numpy(self, keep_dims: bool = False, dtype: Any = None) -> Any:
        """All elements as an array of NumPy's; of vectors and matrices the last axes are their own.

        Matrices of one column have one axis, unless ``keep_dims``.
        """
        import numpy as np

        array = np.array(np.asarray(self.native.to_array())).reshape(self._array_shape(keep_dims))
        return array if dtype is None else array.astype(dtype)

    def _array_shape(self, keep_dims: bool) -> tuple[int, ...]:
        if self.form is None:
            return self.shape
        return (*self.shape, self.n, self.m) if keep_dims or self.m > 1 else (*self.shape, self.n)

    def from_numpy(self, array: Any) -> None:
        """Sets all elements to those of an array."""
        import numpy as np

        import ivyrs

        array = np.asarray(array)
        if array.shape not in (self._array_shape(False), self._array_shape(True)):
            raise TaichiShapeError(f"from_numpy: the field is of shape {self._array_shape(False)}, the array of {array.shape}")
        numbers = np.ascontiguousarray(array.astype(TO_NUMPY[self._dtype.name]))
        self.native.set_array(ivyrs.asarray(numbers.reshape(self._array_shape(False)), copy=True))

    def copy_from(self, other: Field) -> None:
        """Sets all elements to those of another field of the same shape."""
        if not isinstance(other, Field):
            raise TypeError(f"copy_from: another field is copied, not {type(other).__name__}")
        if other.shape != self.shape or other.form != self.form:
            raise TaichiShapeError(f"copy_from: the field is of shape {self.shape}, the other of {other.shape}")
        self.from_numpy(other.to_numpy())

    def to_torch(self, device: Any = None) -> Any:
        """All elements as a tensor of PyTorch's."""
        import torch

        return torch.from_numpy(self.to_numpy()).to(device or "cpu")

    def from_torch(self, tensor: Any) -> None:
        """Sets all elements to those of a tensor."""
        self.from_numpy(tensor.detach().cpu().numpy())


class Component(Field):
    """One number of each element of a field of vectors or matrices."""

    def __init__(self, whole: Field, number: int) -> None:
        super().__init__(None, None, whole._dtype, whole._name)
        self._whole, self._component, self._quant = whole, number, whole._quant

    def put(self, builder: Any) -> int:
        raise TaichiCompilationError("the numbers of a field's elements are placed together: place the field of vectors or matrices")

    @property
    def is_destroyed(self) -> bool:
        return self._whole.is_destroyed

    @property
    def snode(self) -> Any:
        return self._whole.snode

    @property
    def native(self) -> TaichiField:
        if self._native is None:
            self._native = self._whole.native.component(self._component)
        return self._native


class Element(Matrix):
    """An element of a field of vectors or matrices: what is set in it is set in the field."""

    def __init__(self, field: Field, indices: list[int], numbers: list[Any]) -> None:
        self.__dict__.update(_form=field._element_form, entries=numbers, dtype=field.dtype, _field=field, _indices=indices)

    def _changed(self) -> None:
        self._field.native.set(self._indices, self.entries)


def _shape(shape: Any) -> list[int]:
    own = [shape] if isinstance(shape, int) else list(shape)
    if any(n < 1 for n in own):
        raise TaichiShapeError(f"a field has at least one element along each axis, not shape {tuple(own)}")
    return [int(n) for n in own]


def make(
    dtype: DataType | QuantType,
    form: tuple[int, int | None] | None,
    shape: Any,
    *,
    order: str | None = None,
    layout: Layout = Layout.AOS,
    offset: Any = None,
    name: str = "",
    needs_grad: bool = False,
) -> Field:
    """A dense field; without a shape one that is placed later, which those of quantised numbers are."""
    if current().compiling:
        raise TaichiCompilationError("fields and arrays are made outside of kernels: this one would be another each time it is compiled")
    if needs_grad:
        raise TaichiTypeError("fields have no gradients yet")
    if form is not None and not all(isinstance(extent, int) and extent > 0 for extent in form if extent is not None):
        raise TaichiTypeError(f"a vector or matrix has a positive number of rows and columns, not {form}")
    if isinstance(dtype, QuantType):
        if shape is not None:
            raise TaichiCompilationError(f"a field of {dtype!r} has no shape of its own: place it in ti.BitpackedFields or a quant array")
        field = Field(None, form, dtype.compute, name)
        field._quant = dtype
        return field
    if shape is None:
        for given, what in ((offset, "offset"), (order, "order")):
            if given is not None:
                raise TaichiCompilationError(f"shape cannot be None when {what} is set: a field that is placed later has its {what} from its place")
        return Field(None, form, dtype, name)
    extents = _shape(shape)
    offsets = [] if offset is None else [int(n) for n in ([offset] if isinstance(offset, int) else offset)]
    if offset is not None and len(offsets) != len(extents):
        raise TaichiCompilationError(f"The dimensionality of shape and offset must be the same ({len(extents)} != {len(offsets)})")
    if order is not None and len(order) != len(extents):
        raise TaichiCompilationError(f"The dimensionality of shape and order must be the same ({len(extents)} != {len(order)})")
    if order is not None and len(set(order)) != len(order):
        raise TaichiCompilationError(f"The axes in order must be different: `{order}`")
    if order is not None and any(axis not in "ijklmnop"[: len(extents)] for axis in order):
        raise TaichiCompilationError(f"Invalid axis in the order `{order}`: the axes are {', '.join('ijklmnop'[: len(extents)])}")
    native = current().native.field(dtype.name, form, extents, order, layout is Layout.SOA, offsets)
    return Field(native, form, dtype, name)


def field(dtype: Any, shape: Any = None, **options: Any) -> Field:
    """A field of numbers: ``order`` of its axes (``"ji"``), ``layout``, ``offset`` of its first index."""
    from ._types import CompoundType

    if isinstance(dtype, CompoundType):
        return make(field_type(dtype._dtype), dtype.form, shape, **options)
    return make(field_type(dtype), None, shape, **options)


def field_type(dtype: Any) -> DataType | QuantType:
    """A type of a field's numbers."""
    return dtype if isinstance(dtype, QuantType) else number_type(dtype)


class Arrays:
    """Fields that stand for arrays of NumPy's while a kernel runs, and for what it returns."""

    def __init__(self) -> None:
        self._kept: dict[tuple[Any, ...], Field] = {}
        self._program = -1

    def _field(self, key: tuple[Any, ...], dtype: DataType, form: Any, shape: Any) -> Field:
        if self._program != current().number:
            self._program = current().number
            self._kept.clear()
        key = (*key, dtype, form, shape)
        if key not in self._kept:
            self._kept[key] = make(dtype, form, shape)
        return self._kept[key]

    def field(self, place: int, array: Any, form: tuple[int, int | None] | None = None) -> Field:
        """A field of an array's shape and dtype, with its elements; the last axes may be those of vectors and matrices."""
        if str(array.dtype) not in NUMPY:
            raise TaichiTypeError(f"kernels have no arrays of {array.dtype}")
        own = 0 if form is None else 1 if form[1] is None else 2
        field = self._field((place,), NUMPY[str(array.dtype)], form, array.shape[: array.ndim - own])
        field.from_numpy(array)
        return field

    def result(self, dtype: DataType, count: int) -> Field:
        """A field for the numbers of one type that a kernel returns."""
        return self._field(("result",), dtype, None, (count,))


def grid(*ends: Any) -> Iterator[tuple[int, ...]]:
    """All combinations of numbers of ranges, the last one fastest."""
    ranges = [range(*end) if isinstance(end, (tuple, list)) else range(end) for end in ends]
    return itertools.product(*ranges)
