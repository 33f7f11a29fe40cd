"""Calls in kernels: of functions, of Taichi's own and Python's, of types and of methods."""

from __future__ import annotations

import ast
import builtins
import operator
from typing import Any

from .._ivyrs import TaichiValue
from ._expressions import BINARY, COMPARE, DynamicEntry, Expressions, is_static, value_kind
from ._kernel import Func, Kernel
from ._matrix import Matrix, Vector
from ._ops import Operation, Special, grouped, ndrange, static
from ._struct import Struct, StructType, StructValue
from ._types import CompoundType, DataType, number_type

#: Functions of Python's module `operator`, which are operators in kernels.
_OPERATORS = {host: name for name, host in [*BINARY.values(), *COMPARE.values()]}
#: Python's functions that are Taichi's in kernels.
_BUILTINS = {abs: "abs", max: "max", min: "min", pow: "pow", round: "round"}
#: What fills vectors and matrices.
_FILLED = (Matrix.zero, Matrix.one, Matrix.unit, Matrix.identity)


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
                raise self.wrong(node, "`ti.static` takes what Python knows, and no value of the running kernel")
            return values[0] if len(values) == 1 else tuple(values)
        if isinstance(node.func, ast.Attribute):
            base = self.visit(node.func.value)
            if isinstance(base, TaichiValue) or isinstance(base, Matrix) and not self._static:
                arguments = self.sequence(node.args)
                self.at(node)
                try:
                    return self.method(self.value(base), node.func.attr, arguments)
                except TypeError as error:
                    if type(error) is TypeError:
                        raise self.wrong(node, str(error)) from None
                    raise
        called = self.visit(node.func)
        arguments = self.sequence(node.args)
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
        if name in ("norm", "normalized", "norm_inv") and arguments:
            squared = self.scope.binary("add", self.scope.method(base, "norm_sqr", []), self.value(arguments[0]))
            norm = self.scope.unary("sqrt", squared)
            return norm if name == "norm" else self.scope.binary("truediv", base if name == "normalized" else self.value(1.0), norm)
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
            return self.scope.call(called.name, [self.value(x) for x in arguments], None)
        if isinstance(called, Special):
            return self.special(called.name, arguments, keywords, node)
        if isinstance(called, DataType) or called in (int, float, bool):
            (x,) = arguments
            if isinstance(x, int) and not isinstance(x, bool) and not number_type(called).is_real:
                return self.scope.suffixed(x, number_type(called).name)
            return self.scope.cast(self.value(x), number_type(called).name)
        if isinstance(called, CompoundType):
            return self.compound(called, arguments)
        if isinstance(called, StructType):
            return self.struct(called, arguments, keywords)
        if called is Struct:
            members = {**(arguments[0] if arguments else {}), **keywords}
            return StructValue(None, {name: self.value(member) for name, member in members.items()})
        if called in (Matrix, Vector):
            return self.made(arguments, keywords)
        if getattr(called, "__func__", called) in _FILLED or called in _FILLED:
            return self.value(called(*arguments, **keywords))
        if called is range:
            if all(isinstance(x, int) for x in arguments):
                return range(*arguments)
            return self.scope.call("range", [self.value(x) for x in arguments], None)
        if called is print:
            text, values = self.text(arguments, str(keywords.get("sep", " ")))
            return self.scope.print(text, values)
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
        if called is sum and not is_static(arguments):
            total = self.flat(arguments)
            found = total[0]
            for one in total[1:]:
                found = self.scope.binary("add", self.value(found), self.value(one))
            return found
        if called in (enumerate, zip, list, tuple, reversed, isinstance, hasattr, getattr, type):
            return called(*[self.parts(x) if isinstance(x, TaichiValue) and x.form else x for x in arguments], **keywords)
        if callable(called) and is_static(arguments) and is_static(list(keywords.values())):
            return called(*arguments, **keywords)
        raise self.wrong(node, f"`{ast.unparse(node.func)}` is no function of kernels: make it a ti.func")

    def made(self, arguments: list[Any], keywords: dict[str, Any]) -> TaichiValue:
        """`ti.Vector(...)` and `ti.Matrix(...)`."""
        (entries,) = arguments[:1]
        ty = keywords.get("dt", arguments[1] if len(arguments) > 1 else None)
        rows = self.parts(entries)
        if rows is None:
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
                ranges = [
                    self.scope.call("range", [self.value(end) for end in one], None) if isinstance(one, (tuple, list)) else self.value(one)
                    for one in arguments
                ]
                return self.scope.call("ndrange", ranges, None)
            case "zero" | "one":
                number = 0 if name == "zero" else 1
                return self.scope.binary("add", self.scope.binary("mul", self.value(arguments[0]), 0), number)
            case "static_assert":
                if not arguments[0]:
                    raise self.wrong(node, "static_assert: " + " ".join(str(x) for x in arguments[1:]))
                return None
            case "static_print":
                return builtins.print(*arguments)
            case "loop_config":
                self.serial = bool(keywords.get("serialize", False))
                return None
        raise self.wrong(node, f"`ti.{name}` is not for kernels")

    serial = False
