"""Arrays that kernels take as arguments: ``ti.ndarray``, and what ``ti.types.ndarray(...)`` asks of an argument."""

from __future__ import annotations

import math
import operator
from typing import Any

from ._errors import TaichiRuntimeError
from ._fields import Field, Layout, make
from ._types import NUMPY, CompoundType, DataType, NdarrayType, number_type

#: The greatest extent of an array.
_MOST = 2**31 - 1


class ElementType:
    """The type of an array's vectors or matrices."""

    def __init__(self, form: tuple[int, int | None], dtype: DataType) -> None:
        self._form, self._dtype = form, dtype

    def element_type(self) -> DataType:
        """The type of their numbers."""
        return self._dtype

    def shape(self) -> list[int]:
        """Their extents."""
        return [n for n in self._form if n is not None]

    def __repr__(self) -> str:
        return f"[Tensor ({', '.join(map(str, self.shape()))}) {self._dtype!r}]"


class Ndarray(Field):
    """An array of numbers, vectors or matrices, which kernels take as an argument."""

    layout = Layout.AOS

    @property
    def element_shape(self) -> tuple[int, ...]:
        """The extents of its elements; of numbers none."""
        return () if self.form is None else tuple(n for n in self.form if n is not None)

    @property
    def element_type(self) -> Any:
        """The type of its elements."""
        return self.dtype if self.form is None else ElementType(self.form, self.dtype)

    def _get_element_size(self) -> int:
        bits = 8 if self.dtype.name == "u1" else int(self.dtype.name[1:])
        return math.prod(self.element_shape) * bits // 8

    def _get_nelement(self) -> int:
        return math.prod(self.shape)

    def __repr__(self) -> str:
        return f"<ti.ndarray of {self.element_type!r} and shape {self.shape}>"

    def __deepcopy__(self, _: Any) -> Ndarray:
        copied = type(self)(make(self.dtype, self.form, self.shape).native, self.form, self.dtype)
        copied.copy_from(self)
        return copied


class ScalarNdarray(Ndarray):
    """An array of numbers."""


class VectorNdarray(Ndarray):
    """An array of vectors."""


class MatrixNdarray(Ndarray):
    """An array of matrices."""


def ndarray(dtype: Any, shape: Any, needs_grad: bool = False) -> Ndarray:
    """An array of zeros of a type of numbers, vectors or matrices, which kernels take where ``ti.types.ndarray()`` is written."""
    extents = list(shape) if isinstance(shape, (tuple, list)) else [shape]
    for extent in extents:
        if isinstance(extent, float) or not 0 < operator.index(extent) <= _MOST:
            raise TaichiRuntimeError(f"{shape} is not a valid shape for ndarray: extents are integers from 1 to {_MOST}")
    own = [operator.index(extent) for extent in extents]
    if isinstance(dtype, CompoundType):
        form, ty = dtype.form, dtype.dtype
    else:
        form, ty = None, number_type(dtype)
    kind = ScalarNdarray if form is None else VectorNdarray if form[1] is None else MatrixNdarray
    return kind(make(ty, form, own, needs_grad=needs_grad).native, form, ty)


def check(name: str, annotation: NdarrayType, value: Any) -> tuple[int, int | None] | None:
    """The form of an argument's elements, where an annotation allows the argument.

    Raises ``ValueError`` for another number of axes, other elements and other numbers, and ``TypeError`` for an ``ti.ndarray`` of
    other elements.
    """
    wanted, given = annotation.dtype, f"Invalid value for argument {name} - "
    is_array = isinstance(value, Field)
    if isinstance(wanted, CompoundType):
        rank = form_rank((1, 1) if wanted.is_matrix else (1, None))
        own = tuple(n for n in value.form or () if n is not None) if is_array else tuple(value.shape[len(value.shape) - rank :])
        form = (own[0], own[1] if rank == 2 else None) if len(own) == rank else None
        if form is None or not wanted.takes(form):
            raise ValueError(f"{given}required element_shape={wanted.extents}, array with element shape of {own} is provided")
    else:
        form = value.form if is_array else None
        numbers = None if wanted is None else number_type(wanted)
        if is_array and numbers is not None and (form is not None or value.dtype != numbers):
            element = value.dtype if form is None else ElementType(form, value.dtype)
            raise TypeError(f"{given}expect element type {numbers!r}, but get {element!r}")
        if numbers is not None and not is_array and NUMPY.get(str(value.dtype)) != numbers:
            raise ValueError(f"{given}required array has dtype={numbers!r}, array with dtype={value.dtype} is provided")
    axes = len(value.shape) - (0 if is_array else form_rank(form))
    if annotation.ndim is not None and axes != annotation.ndim:
        raise ValueError(f"{given}required ndim={annotation.ndim}, but {axes}d ndarray with shape {tuple(value.shape)} is provided")
    return form


def form_rank(form: tuple[int, int | None] | None) -> int:
    """The number of axes of an element."""
    return 0 if form is None else 1 if form[1] is None else 2
