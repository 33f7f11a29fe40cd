"""Calls in kernels: of functions, of Taichi's own and Python's, of types and of methods."""

from __future__ import annotations

import ast
import builtins
import operator
from collections.abc import Iterable
from typing import Any

from .._ivyrs import TaichiValue
from ._errors import TaichiTypeError
from ._expressions import BINARY, COMPARE, Expressions
from ._fields import Field
from ._kernel import Func, Kernel
from ._matrix import Matrix, Vector
from ._ndarray import Ndarray
from ._ops import Operation, Special, grouped, ndrange, static, static_assert
from ._snodes import BitpackedFields, FieldsBuilder, SNode, SNodeTree, deactivate_all_snodes
from ._sparse import METHODS, ListAt, first_below, list_of
from ._struct import Struct, StructField, StructType, StructValue
from ._types import CompoundType, DataType, number_type
from ._values import DynamicEntry, is_static, value_kind

#: Functions of Python's module `operator`, which are operators in kernels.
_OPERATORS = {host: name for name, host in [*BINARY.values(), *COMPARE.values()]}
#: Python's functions that are Taichi's in kernels.
_BUILTINS = {abs: "abs", max: "max", min: "min", pow: "pow", round: "round"}
#: Functions that give an integer where they are given a type.
_ROUNDED = ("floor", "ceil", "round")
#: The parameters of methods of vectors and matrices that are given by name.
_KEYWORDS = {"norm": "eps", "normalized": "eps", "norm_inv": "eps", "cast": "dtype", "fill": "val"}
#: What fills vectors and matrices.
_FILLED = (Matrix.zero, Matrix.one, Matrix.unit, Matrix.identity)


#: How many arguments functions of nodes take that take other than two.
_TAKES = {"append": 3, "rescale_index": 3}
#: What the host works on, and the methods of these that say what is known when a kernel is compiled.
_HOST = (Field, StructField, Ndarray, SNode, SNodeTree, FieldsBuilder, BitpackedFields)
_KNOWN_WHEN_COMPILED = ("get_member_field", "get_scalar_field", "parent")


class Calls(Expressions):
    """Visits calls."""

    def is_static_call(self, node: ast.expr) -> bool:
        """True for `ti.static(...)`."""
        called = node.func if isinstance(node, ast.Call) else None
        if isinstance(called, ast.Attribute) and called.attr == "static" and isinstance(called.value, ast.Name):
            return getattr(self._known.get(called.value.id), "static", None) is static
        return isinstance(called, ast.Name) and self._known.get(called.id) is static

    def on_Call(self, node: ast.Call) -> Any:
        if self.is_static_call(node):
            self._static += 1
            try:
                values = self.sequence(node.args)
            finally:
                self._static -= 1
            if any(isinstance(value, (TaichiValue, DynamicEntry)) and value_kind(value) in ("number", "place") for value in values):
                raise self.wrong(node, "arguments of `ti.static` must be compile-time constants: this is a value of the running kernel")
            return values[0] if len(values) == 1 else tuple(values)
        if isinstance(node.func, ast.Attribute):
            base = self.visit(node.func.value)
            if isinstance(base, (Field, StructField)) and node.func.attr in METHODS and (cells := list_of(base)) is not None:
                base = ListAt(base, cells, [])
            if isinstance(base, ListAt):
                arguments = self.sequence(node.args)
                self.at(node)
                return self.listed(base, node.func.attr, arguments, node)
            if isinstance(base, str) and node.func.attr == "format":
                try:
                    return self.formatted(base, self.sequence(node.args))
                except (TypeError, ValueError) as error:
                    raise self.wrong(node, str(error)) from None
            if isinstance(base, TaichiValue) or isinstance(base, Matrix) and not self._static:
                arguments = self.sequence(node.args)
                self.at(node)
                try:
                    for one in node.keywords:
                        if one.arg != _KEYWORDS.get(node.func.attr) or arguments:
                            raise TypeError(f"`{node.func.attr}` has no free parameter `{one.arg}`")
                        arguments.append(self.visit(one.value))
                    return self.method(self.value(base), node.func.attr, arguments)
                except TypeError as error:
                    if type(error) is TypeError:
                        raise self.wrong(node, str(error)) from None
                    raise
        called = self.visit(node.func)
        # The arguments of an assertion at compile time are Python's, as those of `ti.static` are.
        self._static += called is static_assert
        try:
            arguments = self.sequence(node.args)
        finally:
            self._static -= called is static_assert
        keywords = {one.arg: self.visit(one.value) for one in node.keywords if one.arg is not None}
        self.at(node)
        try:
            return self.called(called, arguments, keywords, node)
        except (TypeError, ValueError) as error:
            if type(error) in (TypeError, ValueError):
                raise self.wrong(node, str(error)) from None
            raise

    def method(self, base: TaichiValue, name: str, arguments: list[Any]) -> Any:
        """A method of a vector or matrix."""
        if name in ("all", "any"):
            return self.folded(name, base)
        if name == "to_list":
            return self.parts(base)
        if name == "cast":
            return self.scope.cast(base, number_type(arguments[0]).name)
        if name == "cross" and base.form == (2, None):
            (x, y), (other, last) = base.entries(), self.value(arguments[0]).entries()
            return self.scope.binary("sub", self.scope.binary("mul", x, last), self.scope.binary("mul", y, other))
        if name == "transpose" and base.form is not None and base.form[1] is None:
            raise TypeError("a vector has no transpose: write a.outer_product(b)")
        if name == "trace" and base.form is not None and base.form[0] != base.form[1]:
            raise TypeError(f"a matrix of {base.form[0]} rows and {base.form[1] or 1} columns has no trace: it is not square")
        if name in ("fill", "get_shape"):
            if name == "get_shape":
                return tuple(extent for extent in base.form or () if extent is not None)
            return self.scope.assign(base, self.filled(base, arguments[0]))
        if name == "dot" and (len(arguments) != 1 or self.value(arguments[0]).form != base.form):
            raise TypeError(f"`dot` is of two vectors or matrices of one shape: the first is of {base.form}")
        if name in ("norm", "normalized", "norm_inv") and len(arguments) > 1:
            raise TypeError(f"`{name}` takes one number, got {len(arguments)}")
        if name in ("norm", "normalized", "norm_inv") and arguments:
            squared, eps = self.scope.method(base, "norm_sqr", []), self.value(arguments[0])
            if name == "normalized":
                return self.scope.binary("truediv", base, self.scope.binary("add", self.scope.unary("sqrt", squared), eps))
            return self.scope.unary("sqrt" if name == "norm" else "rsqrt", self.scope.binary("add", squared, eps))
        if name == "norm_inv":
            return self.scope.unary("rsqrt", self.scope.method(base, "norm_sqr", []))
        return self.scope.method(base, name, [self.value(x) for x in arguments])

    def filled(self, like: TaichiValue, number: Any) -> TaichiValue:
        """A number in each place of a vector or matrix."""
        form = like.form or (1, None)
        return self.scope.tensor(form, [self.value(number)] * (form[0] * (form[1] or 1)))

    def folded(self, name: str, of: TaichiValue) -> TaichiValue:
        """Whether all numbers are true, or any is."""
        truths = [self.scope.binary("cmp_ne", entry, 0) for entry in of.entries()] if of.form else [self.scope.binary("cmp_ne", of, 0)]
        found = truths[0]
        for truth in truths[1:]:
            found = self.scope.binary("bit_and" if name == "all" else "bit_or", found, truth)
        return found

    def called(self, called: Any, arguments: list[Any], keywords: dict[str, Any], node: ast.Call) -> Any:
        """What a call gives, by what is called."""
        if isinstance(called, Func):
            return self.inline(called, arguments, keywords)
        if isinstance(called, Kernel):
            raise self.wrong(node, "kernels call no kernels: make it a ti.func")
        if isinstance(called, Operation):
            if called.name.startswith("atomic_") and node.args:
                self.check_mutable(node.args[0])
            if called.name in _ROUNDED and len(arguments) + len(keywords) == 2:
                ty = number_type(keywords.get("dtype", arguments[-1]))
                return self.scope.cast(self.scope.call(called.name, [self.value(arguments[0])], None), ty.name)
            return self.scope.call(called.name, [self.value(x) for x in arguments], None)
        if isinstance(called, Special):
            return self.special(called.name, arguments, keywords, node)
        if isinstance(called, DataType) or called in (int, float, bool):
            return self.number(called, arguments, keywords, node)
        if isinstance(called, CompoundType):
            return self.compound(called, arguments)
        if isinstance(called, StructType):
            return self.struct(called, arguments, keywords)
        if called is Struct:
            members = {**(arguments[0] if arguments else {}), **keywords}
            return StructValue(None, {name: self.value(member) for name, member in members.items()})
        if called in (Matrix, Vector):
            return self.made(arguments, keywords)
        owner = getattr(called, "__self__", None)
        if isinstance(owner, (Field, StructField)) and called.__name__ == "fill":
            return self.fill(owner, arguments[0])
        if getattr(called, "__func__", called) in _FILLED or called in _FILLED:
            return self.value(called(*arguments, **keywords))
        if called is Matrix.diag:
            return self.diagonal(*arguments, **keywords)
        if called in (Matrix.rows, Matrix.cols):
            (rows,) = arguments
            value = self.scope.vector([self.value(row) for row in self.parts(rows) or []])
            return value if called is Matrix.rows else self.scope.method(value, "transpose", [])
        if called is range:
            if len(arguments) == 3 and not self._static:
                raise self.wrong(node, "Range should have 1 or 2 arguments, found 3: ranges with a step are those of `ti.static`")
            if all(isinstance(x, int) for x in arguments):
                return range(*arguments)
            return self.scope.call("range", [self.value(x) for x in arguments], None)
        if called is print:
            text, values = self.text(arguments, str(keywords.get("sep", " ")))
            return self.scope.print(text, str(keywords.get("end", "\n")), values)
        if called is operator.matmul and not is_static(arguments):
            return self.product(*(self.value(x) for x in arguments))
        if called in _OPERATORS and not (self._static and is_static(arguments)):
            x, y = arguments
            return self.scope.binary(_OPERATORS[called], self.value(x), self.value(y))
        if called in _BUILTINS and not (self._static and is_static(arguments)):
            return self.scope.call(_BUILTINS[called], [self.value(x) for x in arguments], None)
        if called in (all, any) and not is_static(arguments):
            (one,) = arguments
            return self.folded(called.__name__, self.value(one))
        if called is len:
            parts = self.parts(arguments[0])
            return len(arguments[0]) if parts is None else len(parts)
        if called is sum:
            # What is counted through once, such as the values of a dictionary, is counted through here.
            given = [list(one) if isinstance(one, Iterable) and not isinstance(one, Matrix) else one for one in arguments]
            if is_static(given):
                return sum(*given)
            total, *others = self.flat(given)
            for one in others:
                total = self.scope.binary("add", self.value(total), self.value(one))
            return total
        if called in (enumerate, zip, list, tuple, reversed, isinstance, hasattr, getattr, type):
            return called(*[self.parts(x) if isinstance(x, TaichiValue) and x.form else x for x in arguments], **keywords)
        if called is deactivate_all_snodes or isinstance(owner, _HOST) and called.__name__ not in _KNOWN_WHEN_COMPILED:
            # It would be done once, when the kernel is compiled.
            raise self.wrong(node, f"`{ast.unparse(node.func)}` is for Python's scope: a kernel does not call it")
        if callable(called) and is_static(arguments) and is_static(list(keywords.values())):
            return called(*arguments, **keywords)
        raise self.wrong(node, f"`{ast.unparse(node.func)}` is no function of kernels: make it a ti.func")

    def check_mutable(self, target: ast.expr) -> None:
        """Refuses to assign to an argument of the kernel."""
        raise NotImplementedError

    def number(self, called: Any, arguments: list[Any], keywords: dict[str, Any], node: ast.Call) -> TaichiValue:
        """`ti.i64(x)`, `float(x)`: a literal of a type, or a cast."""
        if len(arguments) != 1 or keywords:
            raise self.wrong(node, "A primitive type can only decorate a single expression.")
        ty, (x,) = number_type(called), arguments
        if isinstance(x, bool) or not isinstance(x, (int, float)):
            value = self.value(x)
            if value.form is not None and isinstance(called, DataType):
                raise self.wrong(node, "A primitive type cannot decorate an expression with a compound type.")
            return self.scope.binary("cmp_ne", value, 0) if ty.name == "u1" else self.scope.cast(value, ty.name)
        if isinstance(called, DataType):
            if isinstance(x, int) and ty.is_real:
                raise TaichiTypeError(
                    f"{self.place(node)}Integer literals must be annotated with a integer type. For type casting, use `ti.cast`."
                )
            if isinstance(x, float) and not ty.is_real:
                raise TaichiTypeError(
                    f"{self.place(node)}Floating-point literals must be annotated with a floating-point type. For type casting, use `ti.cast`."
                )
            if isinstance(x, int) and x not in ty.range:
                raise TaichiTypeError(f"{self.place(node)}Integer literal {x} exceeded the range of specified dtype: {ty!r}")
        return self.scope.suffixed(called(x) if called is not bool else int(bool(x)), ty.name)

    def fill(self, field: Any, value: Any) -> None:
        """Sets every element of a field."""
        if isinstance(field, StructField):
            for own in field.leaves():
                self.fill(own, value)
            return
        over = self.scope.call("grouped", [self.field(field)], None)
        self.scope.each_of(over, 1, lambda indices: self.scope.assign(self.scope.index(self.field(field), indices), self.filling(field, value)))

    def filling(self, field: Field, value: Any) -> TaichiValue:
        """What each element of a field is set to: a number is one for all places of a vector or matrix."""
        own = self.value(value)
        return own if field.form is None or own.form is not None else self.scope.tensor(field.form, [own] * (field.n * field.m))

    def diagonal(self, dim: int, val: Any) -> TaichiValue:
        """A diagonal matrix of one number."""
        on = self.value(val)
        off = self.scope.suffixed(0, self.scope.element_type(on))
        return self.scope.tensor((dim, dim), [on if row == column else off for row in range(dim) for column in range(dim)])

    def made(self, arguments: list[Any], keywords: dict[str, Any]) -> TaichiValue:
        """`ti.Vector(...)` and `ti.Matrix(...)`."""
        (entries,) = arguments[:1]
        ty = keywords.get("dt", arguments[1] if len(arguments) > 1 else None)
        rows = self.parts(entries)
        if not rows:
            raise TypeError("a vector is made of numbers, and a matrix of rows")
        value = self.scope.vector([self.value(row) for row in rows])
        return value if ty is None else self.scope.cast(value, number_type(ty).name)

    def special(self, name: str, arguments: list[Any], keywords: dict[str, Any], node: ast.Call) -> Any:
        """Functions with a rule of their own."""
        match name:
            case "cast" | "bit_cast":
                x, ty = arguments
                return getattr(self.scope, name)(self.value(x), number_type(ty).name)
            case "random":
                ty = keywords.get("dtype", arguments[0] if arguments else None)
                return self.scope.call("random", [], None if ty is None else number_type(ty).name)
            case "select":
                condition, x, y = arguments
                return self.scope.select(self.value(condition), self.value(x), self.value(y))
            case "grouped":
                if self._static:
                    return Special.__call__(grouped, *arguments)
                return self.scope.call("grouped", [self.iterable(arguments[0], node)], None)
            case "ndrange":
                if self._static:
                    return Special.__call__(ndrange, *arguments)
                if any(isinstance(one, (tuple, list)) and len(one) != 2 for one in arguments):
                    raise self.wrong(node, "Every argument of ndrange should be a scalar or a tuple/list like (begin, end)")
                ranges = [
                    self.scope.call("range", [self.value(end) for end in one], None) if isinstance(one, (tuple, list)) else self.value(one)
                    for one in arguments
                ]
                return self.scope.call("ndrange", ranges, None)
            case "zero" | "one":
                like = self.value(arguments[0])
                number = self.scope.suffixed(0 if name == "zero" else 1, self.scope.element_type(like))
                return number if like.form is None else self.scope.tensor(like.form, [number] * (like.form[0] * (like.form[1] or 1)))
            case "static_assert":
                holds, *said = arguments
                if not is_static(holds):
                    raise TaichiTypeError(f"{self.place(node)}Static assert with non-static condition: it has to be known at compile time")
                if not holds:
                    raise self.wrong(node, " ".join(["Static assertion failed:", *(str(x) for x in said)]))
                return None
            case "static_print":
                return builtins.print(*arguments)
            case "activate" | "append" | "deactivate" | "is_active" | "length" | "rescale_index" if len(arguments) != _TAKES.get(name, 2):
                raise self.wrong(node, f"`ti.{name}` takes {_TAKES.get(name, 2)} arguments, got {len(arguments)}")
            case "rescale_index":
                if not all(hasattr(one, "shape") for one in arguments[:2]):
                    raise self.wrong(node, "`ti.rescale_index` takes two fields or nodes, and an index")
                return self.rescaled(*arguments)
            case "append":
                cells, indices, value = arguments
                return self.listed(ListAt(self.list_field(cells, node), cells, self.flat([indices])), name, [value], node)
            case "activate" | "deactivate" | "is_active" | "length":
                cells, indices = arguments
                return self.scope.call(name, [self.value(cells), *(self.value(x) for x in self.flat([indices]))], None)
            case "assume_in_range":
                return arguments[0]
            case "block_local" | "cache_read_only" | "no_activate":
                # Hints of the package's for devices, which change no result.
                return None
            case "loop_config":
                self.serial = bool(keywords.get("serialize", False))
                return None
        raise self.wrong(node, f"`ti.{name}` is not for kernels")

    def list_field(self, cells: Any, node: ast.AST) -> Field:
        """The field that a value which is appended to a node goes to."""
        if not isinstance(cells, SNode):
            raise self.wrong(node, "`append` works on nodes: the parent of the field")
        return first_below(cells)

    def listed(self, at: ListAt, name: str, arguments: list[Any], node: ast.AST) -> Any:
        """A method of a list."""
        takes = 1 if name == "append" else 0
        if name not in METHODS or len(arguments) != takes:
            raise self.wrong(node, f"lists have `append(value)`, `deactivate()` and `length()`, not `{name}` of {len(arguments)} arguments")
        value = at.node._cells
        place = self.scope.call(name, [self.value(value), *(self.value(x) for x in at.indices)], None)
        if name == "append":
            (new,) = arguments
            indices = tuple(at.indices)
            axis = value.native.list_axis
            indices = (*indices[:axis], place, *indices[axis:])
            if isinstance(at.field, StructField):
                self.members(self.element(at.field, indices, node), new, node)
            else:
                element = self.scope.index(self.value(at.field), [self.value(x) for x in indices])
                self.scope.assign(element, self.filling(at.field, new))
        return place

    def members(self, to: StructValue, value: Any, node: ast.AST) -> None:
        """Assigns to the members of a struct."""
        raise NotImplementedError

    def rescaled(self, a: Any, b: Any, indices: Any) -> TaichiValue:
        """The index of the element or cell of one field or node that is where another's is."""
        entries = list(self.flat([indices]))
        for axis, (own, other) in enumerate(zip(a.shape, b.shape)):
            if axis < len(entries) and own != other:
                op, by = ("floordiv", own // other) if own > other else ("mul", other // own)
                entries[axis] = self.scope.binary(op, self.value(entries[axis]), by)
        return self.scope.vector([self.value(entry) for entry in entries])

    serial = False
