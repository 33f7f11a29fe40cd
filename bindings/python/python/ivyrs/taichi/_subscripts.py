"""Subscripts in kernels: elements of fields, numbers and slices of vectors and matrices, members of structs."""

from __future__ import annotations

import ast
import itertools
from typing import Any

from .._ivyrs import TaichiValue
from ._fields import Field
from ._matrix import Matrix
from ._sparse import ListAt, list_of
from ._struct import StructField, StructValue
from ._values import DynamicEntry, DynamicSlice, Values, is_static


class Subscripts(Values):
    """Visits subscripts."""

    def on_Subscript(self, node: ast.Subscript) -> Any:
        base, index = self.visit(node.value), self.index(node.slice)
        if isinstance(base, (Field, StructField)) and (cells := list_of(base)) is not None:
            given = [] if index is None else self.flat(index if isinstance(index, tuple) else (index,))
            if len(given) == len(cells.shape) - 1:
                return ListAt(base, cells, given)
        if isinstance(base, StructField):
            return self.element(base, index, node)
        if isinstance(base, StructValue) and isinstance(index, str) and index in base.members:
            return base.members[index]
        if isinstance(base, (Field, TaichiValue)):
            indices = [] if index is None else list(index) if isinstance(index, tuple) else [index]
            value = self.value(base)
            self.at(node)
            if value.form is not None:
                return self.entry(value, self.flat(indices), node)
            if any(isinstance(one, slice) for one in indices):
                raise self.wrong(node, "slices are of vectors and matrices: a field is indexed by numbers")
            numbers = self.flat(indices)
            if isinstance(base, Field) and id(base.native) in self.clamped:
                numbers = [self.clamp(one, 0, extent - 1) for one, extent in zip(numbers, base.shape)]
            return self.scope.index(value, [self.value(one) for one in numbers])
        if isinstance(base, Matrix) and not is_static(index):
            return self.entry(self.value(base), self.flat(index if isinstance(index, tuple) else [index]), node)
        if not is_static(index):
            raise self.wrong(node, "what Python has is indexed by what it knows: see `ti.static`")
        try:
            return base[index]
        except (TypeError, IndexError, KeyError) as error:
            raise self.wrong(node, str(error)) from None

    def element(self, base: StructField, index: Any, node: ast.AST) -> StructValue:
        """The element of a field of structs."""
        given = [] if index is None else self.flat(index if isinstance(index, tuple) else (index,))
        indices = [self.value(one) for one in given]
        self.at(node)

        def member(field: Any) -> Any:
            return self.element(field, index, node) if isinstance(field, StructField) else self.scope.index(self.field(field), indices)

        return StructValue(base.ty, {name: member(field) for name, field in base.fields.items()})

    def clamp(self, x: Any, least: int, most: int) -> TaichiValue:
        """A number within bounds."""
        return self.scope.call("max", [self.scope.call("min", [self.value(x), self.value(most)], None), self.value(least)], None)

    def binary(self, op: type, x: Any, y: Any) -> Any:
        """An operator of Python's on two values."""
        raise NotImplementedError

    def index(self, node: ast.expr) -> Any:
        """An index, or several."""
        if isinstance(node, ast.Tuple) and not any(isinstance(one, ast.Starred) for one in node.elts):
            return tuple(self.sliced(one) for one in node.elts)
        return self.sliced(node)

    def sliced(self, node: ast.expr) -> Any:
        """An index; of a slice its ends, which are constants."""
        if not isinstance(node, ast.Slice):
            return self.visit(node)
        ends = [None if end is None else self.visit(end) for end in (node.lower, node.upper, node.step)]
        if not all(end is None or isinstance(end, int) for end in ends):
            raise self.wrong(node, "Taichi does not support variables in slice now: the ends of a slice are constants")
        return slice(*ends)

    def entry(self, value: TaichiValue, indices: list[Any], node: ast.AST) -> Any:
        """A number of a vector or matrix; a vector or matrix for slices. Indices that are not known select while the kernel runs."""
        rows, columns = value.form  # type: ignore[misc]
        extents = [rows] if columns is None else [rows, columns]
        if len(indices) != len(extents):
            raise self.wrong(node, f"Expected {len(extents)} indices, got {len(indices)}, of a tensor of shape {tuple(extents)}")
        places: list[list[Any]] = []
        for at, extent in zip(indices, extents):
            if isinstance(at, slice):
                places.append(list(range(*at.indices(extent))))
            elif isinstance(at, int) and not -extent <= at < extent:
                raise self.wrong(node, f"the index {at} is out of range of a tensor of shape {tuple(extents)}")
            else:
                places.append([at % extent if isinstance(at, int) else at])
        form = [len(own) for own, at in zip(places, indices) if isinstance(at, slice)]
        try:
            numbers = [self.number_at(value, own) for own in itertools.product(*places)]
        except TypeError as error:
            raise self.wrong(node, str(error)) from None
        if not form:
            return numbers[0]
        if not numbers:
            raise self.wrong(node, "the slice has no elements")
        shape = (form[0], form[1] if len(form) == 2 else None)
        if any(isinstance(number, DynamicEntry) for number in numbers):
            return DynamicSlice(shape, numbers)
        return self.scope.tensor(shape, numbers)

    def number_at(self, value: TaichiValue, indices: tuple[Any, ...]) -> Any:
        """A number of a vector or matrix."""
        if all(isinstance(at, int) for at in indices):
            return self.scope.index(value, list(indices))
        rows, columns = value.form  # type: ignore[misc]
        for at, extent in zip(indices, (rows, columns)):
            if not isinstance(at, int):
                at = self.value(at)
                if at.form is not None or self.scope.element_type(at).startswith("f"):
                    raise TypeError("vectors and matrices are indexed by integers")
                self.check_index(at, extent or 1)
        place = indices[0] if columns is None else self.binary(ast.Add, self.binary(ast.Mult, indices[0], columns), indices[1])
        return DynamicEntry(self.value(place), value.entries())

    def check_index(self, at: TaichiValue, extent: int) -> None:
        """In debug mode, that an index which is known late is one of a vector or matrix."""
        inside = self.scope.binary("bit_and", self.scope.binary("cmp_ge", at, 0), self.scope.binary("cmp_lt", at, extent))
        self.scope.assert_(inside, f"Out of bound access: the index {{}} of a vector or matrix with {extent} along the axis", [at])

    def selected(self, dynamic: DynamicEntry) -> TaichiValue:
        """The number of a vector or matrix that an index means while the kernel runs; the first one for an index that means none."""
        found = dynamic.entries[0]
        for n, entry in enumerate(dynamic.entries[1:], 1):
            found = self.scope.select(self.scope.binary("cmp_eq", dynamic.place, n), entry, found)
        return found
