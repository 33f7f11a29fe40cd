"""Results of kernels and of real functions: numbers, vectors, matrices, structs, and tuples of them."""

from __future__ import annotations

import typing
from collections.abc import Callable, Iterator
from typing import Any

from ._fields import Arrays, Field
from ._struct import Struct, StructType
from ._types import CompoundType, DataType, number_type


def result_type(annotation: Any) -> Any:
    """The type that an annotation of a result means: of several results a tuple of types, of none ``None``."""
    if annotation is None or annotation is type(None):
        return None
    parts = typing.get_args(annotation) if typing.get_origin(annotation) is tuple else annotation
    if isinstance(parts, (tuple, list)):
        return tuple(result_type(part) for part in parts)
    return annotation if isinstance(annotation, (CompoundType, StructType)) else number_type(annotation)


def numbers_of(ty: Any) -> Iterator[DataType]:
    """The types of a type's numbers, in their order."""
    if isinstance(ty, tuple):
        for part in ty:
            yield from numbers_of(part)
    elif isinstance(ty, StructType):
        yield from numbers_of(tuple(ty.members.values()))
    elif isinstance(ty, CompoundType):
        yield from [ty.dtype] * (ty.n * (ty.m or 1))
    else:
        yield number_type(ty)


class Returned:
    """The memory of a result that is more than one number: a field for each type of numbers in it."""

    def __init__(self, ty: Any, arrays: Arrays) -> None:
        self.ty = ty
        types = list(numbers_of(ty))
        counts: dict[DataType, int] = {}
        #: By number of the result, its type and its place among those of the type.
        self.places: list[tuple[DataType, int]] = []
        for own in types:
            self.places.append((own, counts.get(own, 0)))
            counts[own] = counts.get(own, 0) + 1
        self.by_type = {own: arrays.result(own, count) for own, count in counts.items()}

    @property
    def fields(self) -> list[Field]:
        """Its fields."""
        return list(self.by_type.values())

    def value(self) -> Any:
        """What a kernel has returned, as Python has it."""
        values = {own: field.to_numpy().tolist() for own, field in self.by_type.items()}
        numbers = iter([values[own][place] for own, place in self.places])
        return _built(self.ty, lambda: next(numbers))


def _built(ty: Any, number: Callable[[], Any]) -> Any:
    if isinstance(ty, tuple):
        return tuple(_built(part, number) for part in ty)
    if isinstance(ty, StructType):
        members = {name: _built(own, number) for name, own in ty.members.items()}
        return Struct.of(ty, members)
    if isinstance(ty, CompoundType):
        return ty([number() for _ in range(ty.n * (ty.m or 1))])
    return number()
