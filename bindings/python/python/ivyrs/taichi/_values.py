"""Values of kernels: names, what Python knows of them, and what they are in the scope of the kernel.

Numbers, texts, fields, functions and types are Python's until they meet a value of the kernel; what Python computes of integers
alone is exact, and may index vectors.
"""

from __future__ import annotations

import ast
import contextlib
import inspect
from collections.abc import Iterator
from typing import Any

from .._ivyrs import TaichiScope, TaichiValue
from ._errors import TaichiSyntaxError, TaichiTypeError
from ._fields import Field
from ._snodes import SNode
from ._sparse import ListAt
from ._kernel import Function, MissingField
from ._matrix import Matrix
from ._struct import Struct, StructField, StructType, StructValue
from ._types import CompoundType, number_type


def is_static(value: Any) -> bool:
    """True for what Python knows while a kernel is written."""
    if isinstance(value, (list, tuple)):
        return all(is_static(entry) for entry in value)
    return not isinstance(value, (TaichiValue, DynamicEntry, DynamicSlice, StructValue))


def value_kind(value: Any) -> str:
    """Which kind of value it is; a number of a vector whose index is not known is a number."""
    return value.kind if isinstance(value, TaichiValue) else "number"


class DynamicEntry:
    """A number of a vector or matrix whose index is known while the kernel runs only."""

    def __init__(self, place: TaichiValue, entries: list[TaichiValue]) -> None:
        self.place, self.entries = place, entries


class DynamicSlice:
    """A row or column of a matrix, or a part of one, whose index is known while the kernel runs only."""

    def __init__(self, form: tuple[int, int | None], entries: list[DynamicEntry]) -> None:
        self.form, self.entries = form, entries


class Values:
    """The names of a function that is written, and conversions of their values."""

    EMPTY = inspect.Parameter.empty

    def __init__(self, scope: TaichiScope, function: Function, fields: dict[int, int]) -> None:
        self.scope, self.function, self.fields = scope, function, fields
        self.variables: dict[str, Any] = {}
        self._scopes = [self.variables]
        self._known = function.known()
        #: The arrays, by their natives, whose indices are clamped to their extents.
        self.clamped: set[int] = set()
        #: What is being written, for errors.
        self.here: ast.AST = function.tree
        #: How deep in `ti.static` an expression stands.
        self._static = 0

    def visit(self, node: ast.expr) -> Any:
        """The value of an expression."""
        raise NotImplementedError

    # Names and places.

    @contextlib.contextmanager
    def names(self) -> Iterator[None]:
        """A block whose variables are its own."""
        self._scopes.append({})
        try:
            yield
        finally:
            self._scopes.pop()

    def find(self, name: str) -> Any:
        for scope in reversed(self._scopes):
            if name in scope:
                return scope[name]
        return None

    def bind(self, name: str, value: Any) -> None:
        self._scopes[-1][name] = value

    def _span(self, node: ast.AST) -> tuple[int, int, int]:
        line = getattr(node, "lineno", 1)
        column = getattr(node, "col_offset", 0)
        end = getattr(node, "end_col_offset", column + 1) if getattr(node, "end_lineno", line) == line else column + 80
        return self.function.first + line - 1, self.function.indent + column + 1, max(end - column, 1)

    def at(self, node: ast.AST) -> None:
        """Says where what comes next stands."""
        self.here = node
        self.scope.at(self.function.source, *self._span(node))

    def place(self, node: ast.AST) -> str:
        """Where an error is: file, line and column, and the line with carets below it."""
        line, column, width = self._span(node)
        text = self.function.lines[line - self.function.first].rstrip("\n")
        carets = " " * (column - 1) + "^" * max(1, min(width, len(text) - column + 1))
        return f"{inspect.getsourcefile(self.function.f)}:{line}:{column}\n{text}\n{carets}\n"

    def wrong(self, node: ast.AST, what: str) -> TaichiSyntaxError:
        return TaichiSyntaxError(f"{self.place(node)}{what}")

    # Values.

    def field(self, field: Field) -> TaichiValue:
        """A field as the kernel has it."""
        number = self.fields.get(id(field.native))
        if number is None:
            raise MissingField(field)
        return self.scope.parameter(number)

    def value(self, x: Any) -> TaichiValue:
        """What Python knows as a value of the kernel."""
        if isinstance(x, TaichiValue):
            return x
        if isinstance(x, Field):
            return self.field(x)
        if isinstance(x, SNode):
            return self.field(x._cells)
        if isinstance(x, StructValue):
            return x  # type: ignore[return-value]
        if isinstance(x, Struct):
            members = {name: self.value(member) for name, member in x.entries.items()}
            return StructValue(x.__dict__.get("_type"), members)  # type: ignore[return-value]
        if isinstance(x, Matrix):
            entries = [self.scope.literal(entry) for entry in x.entries]
            if x.dtype is not None:
                entries = [self.scope.cast(entry, x.dtype.name) for entry in entries]
            return self.scope.tensor(x.form, entries)
        if isinstance(x, (list, tuple)):
            return self.scope.vector([self.value(entry) for entry in x])
        if hasattr(x, "item") and getattr(x, "shape", None) == ():
            return self.scope.literal(x.item())
        if x is None or isinstance(x, (bool, int, float)):
            return self.scope.literal(x)
        if isinstance(x, ListAt):
            raise TaichiTypeError("a list is no number: index its elements, or ask for its `length()`")
        raise TaichiTypeError(f"kernels compute with numbers, vectors and matrices, not with {type(x).__name__}")

    def parts(self, x: Any) -> list[Any] | None:
        """The entries of a tuple, a vector, or a matrix's rows."""
        if isinstance(x, (list, tuple)):
            return list(x)
        if isinstance(x, Matrix):
            return list(x)
        if isinstance(x, TaichiValue) and x.form is not None:
            rows, columns = x.form
            entries = x.entries()
            if columns is None:
                return list(entries)
            return [self.scope.tensor((columns, None), entries[i * columns : (i + 1) * columns]) for i in range(rows)]
        return None

    def flat(self, values: Any) -> list[Any]:
        """The numbers of values, one after the other."""
        numbers: list[Any] = []
        for value in values:
            if isinstance(value, TaichiValue) and value.form is not None:
                numbers += value.entries()
            elif isinstance(value, StructValue):
                numbers += self.flat(value.members.values())
            elif isinstance(value, (list, tuple, Matrix)):
                numbers += self.flat(value.entries if isinstance(value, Matrix) else value)
            else:
                numbers.append(value)
        return numbers

    def compound(self, ty: CompoundType, values: list[Any]) -> TaichiValue:
        """A vector or matrix of a type."""
        numbers = ty.flat(tuple(values), self.flat)
        return self.scope.tensor(ty.form, [self.scope.cast(number, ty.dtype.name) for number in numbers])

    def iterable(self, over: Any, node: ast.AST) -> TaichiValue:
        """What a loop runs over."""
        if isinstance(over, range):
            if over.step != 1:
                raise self.wrong(node, "ranges of kernels have the step 1")
            return self.scope.call("range", [over.start, over.stop], None)
        if isinstance(over, StructField):
            return self.field(next(over.leaves()))
        if isinstance(over, (Field, SNode, TaichiValue)):
            return self.value(over)
        raise self.wrong(node, "loops are over fields, ranges and ndrange, or over what `ti.static` has of Python's")

    def struct(self, ty: StructType, values: list[Any], members: dict[str, Any]) -> StructValue:
        """A struct of a type, of values by place or by name; what is missing is zero."""
        if len(values) == 1 and isinstance(values[0], StructValue) and values[0].ty is ty:
            return values[0]
        given = ty.arguments(tuple(values), members)
        return StructValue(ty, {name: self.converted(own, given.get(name)) for name, own in ty.members.items()})

    def converted(self, ty: Any, value: Any) -> Any:
        """A value as one of a type: a number, a vector, a matrix, a struct, or of a tuple of types a tuple. Nothing is zero."""
        if isinstance(ty, tuple):
            parts = self.parts(value)
            if parts is None or len(parts) != len(ty):
                raise self.wrong(self.here, f"{len(ty)} values are expected, got {1 if parts is None else len(parts)}")
            return tuple(self.converted(own, part) for own, part in zip(ty, parts))
        if isinstance(ty, StructType):
            if isinstance(value, Struct):
                value = self.value(value)
            if isinstance(value, StructValue):
                return self.struct(ty, [], value.members)
            return self.struct(ty, [] if value is None else [value], {})
        value = 0 if value is None else value
        return self.compound(ty, [value]) if isinstance(ty, CompoundType) else self.scope.cast(self.value(value), number_type(ty).name)

    def zero(self, ty: Any) -> Any:
        """Zero of a type."""
        return tuple(self.zero(own) for own in ty) if isinstance(ty, tuple) else self.converted(ty, None)

    def declared(self, value: Any) -> Any:
        """A variable of a value: of a struct one for each member, of a tuple one for each entry."""
        if isinstance(value, tuple):
            return tuple(self.declared(entry) for entry in value)
        value = self.value(value)
        if isinstance(value, StructValue):
            return StructValue(value.ty, {name: self.declared(member) for name, member in value.members.items()})
        return self.scope.declare(value)
