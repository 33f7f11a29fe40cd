"""Expressions of kernels: values of the scope, and what Python itself knows while a kernel is written.

Numbers, texts, fields, functions and types are Python's until they meet a value of the kernel; what Python computes of integers
alone is exact, and may index vectors.
"""

from __future__ import annotations

import ast
import builtins
import contextlib
import inspect
import operator
from collections.abc import Iterator
from typing import Any

from .._ivyrs import TaichiScope, TaichiValue
from ._errors import TaichiNameError, TaichiSyntaxError, TaichiTypeError
from ._fields import Field
from ._kernel import Func, Function, MissingField
from ._matrix import Matrix
from ._struct import Struct, StructField, StructType, StructValue
from ._types import CompoundType, number_type

BINARY = {
    ast.Add: ("add", operator.add), ast.Sub: ("sub", operator.sub), ast.Mult: ("mul", operator.mul),
    ast.Div: ("truediv", operator.truediv), ast.FloorDiv: ("floordiv", operator.floordiv), ast.Mod: ("mod", operator.mod),
    ast.Pow: ("pow", operator.pow), ast.LShift: ("bit_shl", operator.lshift), ast.RShift: ("bit_sar", operator.rshift),
    ast.BitAnd: ("bit_and", operator.and_), ast.BitOr: ("bit_or", operator.or_), ast.BitXor: ("bit_xor", operator.xor),
}  # fmt: skip
COMPARE = {
    ast.Lt: ("cmp_lt", operator.lt), ast.LtE: ("cmp_le", operator.le), ast.Gt: ("cmp_gt", operator.gt),
    ast.GtE: ("cmp_ge", operator.ge), ast.Eq: ("cmp_eq", operator.eq), ast.NotEq: ("cmp_ne", operator.ne),
}  # fmt: skip
_STATIC = {
    ast.Is: operator.is_, ast.IsNot: operator.is_not, ast.In: lambda a, b: a in b, ast.NotIn: lambda a, b: a not in b,
}  # fmt: skip
_UNARY = {ast.USub: ("neg", operator.neg), ast.Invert: ("bit_not", operator.invert), ast.Not: ("logic_not", operator.not_)}


def is_static(value: Any) -> bool:
    """True for what Python knows while a kernel is written."""
    if isinstance(value, (list, tuple)):
        return all(is_static(entry) for entry in value)
    return not isinstance(value, (TaichiValue, DynamicEntry, StructValue))


def value_kind(value: Any) -> str:
    """Which kind of value it is; a number of a vector whose index is not known is a number."""
    return value.kind if isinstance(value, TaichiValue) else "number"


class DynamicEntry:
    """A number of a vector or matrix whose index is known while the kernel runs only."""

    def __init__(self, place: TaichiValue, entries: list[TaichiValue]) -> None:
        self.place, self.entries = place, entries


class Expressions:
    """Visits expressions."""

    EMPTY = inspect.Parameter.empty

    def __init__(self, scope: TaichiScope, function: Function, fields: dict[int, int]) -> None:
        self.scope, self.function, self.fields = scope, function, fields
        self.variables: dict[str, Any] = {}
        self._scopes = [self.variables]
        self._known = function.known()
        #: How deep in `ti.static` an expression stands.
        self._static = 0

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
        self.scope.at(self.function.source, *self._span(node))

    def place(self, node: ast.AST) -> str:
        line, column, _ = self._span(node)
        return f"{inspect.getsourcefile(self.function.f)}:{line}:{column}: "

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
        if isinstance(over, (Field, TaichiValue)):
            return self.value(over)
        raise self.wrong(node, "loops are over fields, ranges and ndrange, or over what `ti.static` has of Python's")

    # Visits.

    def visit(self, node: ast.expr) -> Any:
        """An expression's value; of an index that is not known, the number that it means."""
        value = self.place_of(node)
        return self.selected(value) if isinstance(value, DynamicEntry) else value

    def place_of(self, node: ast.expr) -> Any:
        """An expression as what is assigned to."""
        method = getattr(self, f"on_{type(node).__name__}", None)
        if method is None:
            raise self.wrong(node, f"kernels have no `{type(node).__name__}` expressions")
        return method(node)

    def on_Constant(self, node: ast.Constant) -> Any:
        return node.value

    def on_Name(self, node: ast.Name) -> Any:
        for scope in reversed(self._scopes):
            if node.id in scope:
                return scope[node.id]
        if node.id in self._known:
            return self._known[node.id]
        if hasattr(builtins, node.id):
            return getattr(builtins, node.id)
        raise TaichiNameError(f"{self.place(node)}the name `{node.id}` is not known here")

    def on_Attribute(self, node: ast.Attribute) -> Any:
        base = self.visit(node.value)
        if isinstance(base, StructValue):
            return self.member(base, node)
        if isinstance(base, TaichiValue):
            if base.form is not None and node.attr in ("n", "m"):
                return base.form[0] if node.attr == "n" else base.form[1] or 1
            self.at(node)
            return self.scope.member(base, node.attr)
        try:
            return getattr(base, node.attr)
        except AttributeError as error:
            raise self.wrong(node, str(error)) from None

    def member(self, base: StructValue, node: ast.Attribute) -> Any:
        """A member of a struct, or a function of its type."""
        if node.attr in base.members:
            return base.members[node.attr]
        method = base.ty.methods.get(node.attr) if base.ty is not None else None
        if method is None:
            raise self.wrong(node, f"a struct of {', '.join(base.members)} has no member `{node.attr}`")
        return Func(method._f, base)

    def struct(self, ty: StructType, values: list[Any], members: dict[str, Any]) -> StructValue:
        """A struct of a type, of values by place or by name; what is missing is zero."""
        given = ty.arguments(tuple(values), members)
        return StructValue(ty, {name: self.made_member(own, given.get(name)) for name, own in ty.members.items()})

    def made_member(self, ty: Any, value: Any) -> Any:
        if isinstance(ty, StructType):
            return self.value(value) if value is not None else self.struct(ty, [], {})
        value = 0 if value is None else value
        return self.compound(ty, [value]) if isinstance(ty, CompoundType) else self.scope.cast(self.value(value), number_type(ty).name)

    def declared(self, value: Any) -> Any:
        """A variable of a value: of a struct one for each member."""
        value = self.value(value)
        if isinstance(value, StructValue):
            return StructValue(value.ty, {name: self.declared(member) for name, member in value.members.items()})
        return self.scope.declare(value)

    def on_Tuple(self, node: ast.Tuple) -> Any:
        return tuple(self.sequence(node.elts))

    def on_Dict(self, node: ast.Dict) -> Any:
        if any(key is None for key in node.keys):
            raise self.wrong(node, "dictionaries of kernels have their keys written out")
        return {self.visit(key): self.visit(value) for key, value in zip(node.keys, node.values) if key is not None}

    def on_List(self, node: ast.List) -> Any:
        return self.sequence(node.elts)

    def sequence(self, nodes: list[ast.expr]) -> list[Any]:
        values: list[Any] = []
        for node in nodes:
            if isinstance(node, ast.Starred):
                parts = self.parts(self.visit(node.value))
                if parts is None:
                    raise self.wrong(node, "only tuples, vectors and matrices are spread")
                values += parts
            else:
                values.append(self.visit(node))
        return values

    def on_Subscript(self, node: ast.Subscript) -> Any:
        base, index = self.visit(node.value), self.index(node.slice)
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
            return self.scope.index(value, [self.value(one) for one in indices])
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
        indices = [] if index is None else [self.value(one) for one in (index if isinstance(index, tuple) else (index,))]
        self.at(node)

        def member(field: Any) -> Any:
            return self.element(field, index, node) if isinstance(field, StructField) else self.scope.index(self.field(field), indices)

        return StructValue(base.ty, {name: member(field) for name, field in base.fields.items()})

    def index(self, node: ast.expr) -> Any:
        if isinstance(node, ast.Slice):
            ends = [None if end is None else self.visit(end) for end in (node.lower, node.upper, node.step)]
            return slice(*ends)
        return self.visit(node)

    def entry(self, value: TaichiValue, indices: list[Any], node: ast.AST) -> Any:
        """A number of a vector or matrix, or a row; of an index that is not known, the one of all that it is."""
        rows, columns = value.form  # type: ignore[misc]
        extents = [rows] if columns is None else [rows, columns]
        if len(indices) != len(extents):
            raise self.wrong(node, f"Expected {len(extents)} indices, got {len(indices)}, of a tensor of shape {tuple(extents)}")
        if all(isinstance(at, int) for at in indices):
            inside = [at + extent if at < 0 else at for at, extent in zip(indices, extents)]
            if not all(0 <= at < extent for at, extent in zip(inside, extents)):
                raise self.wrong(node, f"the index {tuple(indices)} is out of range of a tensor of shape {tuple(extents)}")
            return self.scope.index(value, inside)
        place = indices[0] if columns is None else self.binary(ast.Add, self.binary(ast.Mult, indices[0], columns), indices[1])
        return DynamicEntry(self.value(place), value.entries())

    def selected(self, dynamic: DynamicEntry) -> TaichiValue:
        """The number of a vector or matrix that an index means while the kernel runs; the first one for an index that means none."""
        found = dynamic.entries[0]
        for n, entry in enumerate(dynamic.entries[1:], 1):
            found = self.scope.select(self.scope.binary("cmp_eq", dynamic.place, n), entry, found)
        return found

    def binary(self, op: type, x: Any, y: Any) -> Any:
        name, host = BINARY[op]
        whole = isinstance(x, int) and isinstance(y, int) and name != "truediv"
        repeated = name == "mul" and isinstance(x, list) and isinstance(y, int)
        if whole or repeated or self._static and is_static(x) and is_static(y):
            return host(x, y)
        if isinstance(x, (str, list, tuple)) and isinstance(y, (str, list, tuple)) and not (is_static(x) and self._static):
            if name == "add" and type(x) is type(y) and not isinstance(x, list):
                return x + y
        return self.scope.binary(name, self.value(x), self.value(y))

    def on_BinOp(self, node: ast.BinOp) -> Any:
        x, y = self.visit(node.left), self.visit(node.right)
        self.at(node)
        if isinstance(node.op, ast.MatMult):
            return self.product(self.value(x), self.value(y))
        return self.binary(type(node.op), x, y)

    def product(self, x: TaichiValue, y: TaichiValue) -> TaichiValue:
        """`x @ y`: of two vectors their dot product."""
        vectors = [one.form is not None and one.form[1] is None for one in (x, y)]
        return self.scope.method(x, "dot" if all(vectors) else "matmul", [y])

    def on_UnaryOp(self, node: ast.UnaryOp) -> Any:
        x = self.visit(node.operand)
        if isinstance(node.op, ast.UAdd):
            return x
        name, host = _UNARY[type(node.op)]
        if is_static(x) and (self._static or isinstance(x, (int, float)) and name == "neg"):
            return host(x)
        self.at(node)
        return self.scope.unary(name, self.value(x))

    def on_BoolOp(self, node: ast.BoolOp) -> Any:
        both = isinstance(node.op, ast.And)
        if self._static:
            found: Any = both
            for one in node.values:
                found = self.visit(one)
                if bool(found) != both:
                    break
            return found
        value = self.value(self.visit(node.values[0]))
        for one in node.values[1:]:
            self.at(node)
            value = self.scope.logical(both, value, lambda one=one: self.value(self.visit(one)))
        return value

    def on_Compare(self, node: ast.Compare) -> Any:
        left, found = self.visit(node.left), None
        for op, other in zip(node.ops, node.comparators):
            right = self.visit(other)
            self.at(node)
            if type(op) in _STATIC:
                if not (is_static(left) and is_static(right)):
                    raise self.wrong(node, "`is` and `in` are for what Python knows")
                one: Any = _STATIC[type(op)](left, right)
            else:
                name, host = COMPARE[type(op)]
                plain = is_static(left) and is_static(right) and not isinstance(left, (int, float, Matrix))
                if plain or self._static and is_static(left) and is_static(right):
                    one = host(left, right)
                else:
                    one = self.scope.binary(name, self.value(left), self.value(right))
            if found is None:
                found = one
            elif is_static(found) and is_static(one):
                found = found and one
            else:
                found = self.scope.binary("bit_and", self.value(found), self.value(one))
            left = right
        return found

    def on_IfExp(self, node: ast.IfExp) -> Any:
        if self.is_static_call(node.test):
            return self.visit(node.body if self.visit(node.test) else node.orelse)
        condition, x, y = (self.value(self.visit(part)) for part in (node.test, node.body, node.orelse))
        self.at(node)
        return self.scope.select(condition, x, y)

    def on_ListComp(self, node: ast.ListComp) -> list[Any]:
        return self.comprehension(node.elt, node.generators)

    def on_GeneratorExp(self, node: ast.GeneratorExp) -> list[Any]:
        return self.comprehension(node.elt, node.generators)

    def comprehension(self, entry: ast.expr, generators: list[ast.comprehension]) -> list[Any]:
        if not generators:
            return [self.visit(entry)]
        first, *others = generators
        over = self.visit(first.iter)
        over = self.parts(over) if isinstance(over, TaichiValue) else over
        found: list[Any] = []
        for one in over if over is not None else ():
            with self.names():
                self.static_bind(first.target, one)
                if all(self.visit(condition) for condition in first.ifs):
                    found += self.comprehension(entry, others)
        return found

    def static_bind(self, target: ast.expr, value: Any) -> None:
        raise NotImplementedError

    def is_static_call(self, node: ast.expr) -> bool:
        raise NotImplementedError

    def on_Call(self, node: ast.Call) -> Any:
        raise NotImplementedError

    def inline(self, func: Func, arguments: list[Any], keywords: dict[str, Any]) -> Any:
        raise NotImplementedError

    def on_JoinedStr(self, node: ast.JoinedStr) -> Any:
        parts: list[Any] = []
        for part in node.values:
            value = self.visit(part.value) if isinstance(part, ast.FormattedValue) else self.visit(part)
            parts.append(value)
        return Text(parts)

    def text(self, values: list[Any], separator: str) -> tuple[str, list[TaichiValue]]:
        """A text with a place for each value."""
        pieces, numbers = [], []
        for value in values:
            if isinstance(value, Text):
                piece, own = self.text(value.parts, "")
                numbers += own
            elif is_static(value) and not isinstance(value, (Matrix, Field)):
                piece = str(value).replace("{", "[").replace("}", "]")
            else:
                piece = "{}"
                numbers.append(self.value(value))
            pieces.append(piece)
        return separator.join(pieces), numbers


class Text:
    """A text with values in it."""

    def __init__(self, parts: list[Any]) -> None:
        self.parts = parts
