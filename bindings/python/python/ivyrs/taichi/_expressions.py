"""Expressions of kernels: operators, comparisons, containers and texts."""

from __future__ import annotations

import ast
import builtins
import operator
from collections.abc import Iterable
from typing import Any

from .._ivyrs import TaichiValue
from ._errors import TaichiNameError
from ._fields import Field
from ._kernel import Func
from ._matrix import Matrix
from ._struct import StructValue
from ._subscripts import Subscripts
from ._texts import Texts
from ._values import DynamicEntry, DynamicSlice, is_static

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


class Expressions(Subscripts, Texts):
    """Visits expressions."""

    def visit(self, node: ast.expr) -> Any:
        """An expression's value; of an index that is not known, the number that it means."""
        value = self.place_of(node)
        if isinstance(value, DynamicSlice):
            return self.scope.tensor(value.form, [self.selected(one) for one in value.entries])
        return self.selected(value) if isinstance(value, DynamicEntry) else value

    def place_of(self, node: ast.expr) -> Any:
        """An expression as what is assigned to."""
        method = getattr(self, f"on_{type(node).__name__}", None)
        if method is None:
            raise self.wrong(node, f'Unsupported node "{type(node).__name__}": kernels have no such expressions')
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
        raise TaichiNameError(f'{self.place(node)}Name "{node.id}" is not defined')

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
        if not isinstance(method, Func):
            raise self.wrong(node, f"a struct of {', '.join(base.members)} has no member `{node.attr}`")
        return Func(method._f, base)

    def on_Tuple(self, node: ast.Tuple) -> Any:
        return tuple(self.sequence(node.elts))

    def on_Dict(self, node: ast.Dict) -> Any:
        found: dict[Any, Any] = {}
        for key, value in zip(node.keys, node.values):
            if key is None:
                found.update(self.visit(value))
            else:
                found[self.visit(key)] = self.visit(value)
        return found

    def on_NamedExpr(self, node: ast.NamedExpr) -> Any:
        self.assign(node.target, self.visit(node.value))
        return self.visit(node.target)

    def assign(self, target: ast.expr, value: Any) -> None:
        """Gives a name or a place a value."""
        raise NotImplementedError

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

    def binary(self, op: type, x: Any, y: Any) -> Any:
        name, host = BINARY[op]
        # Numbers of Python's are Python's to compute, as Taichi has it.
        numbers = isinstance(x, (int, float)) and isinstance(y, (int, float))
        repeated = name == "mul" and isinstance(x, (list, tuple)) and isinstance(y, int)
        if numbers or repeated or self._static and is_static(x) and is_static(y):
            try:
                return host(x, y)
            except ArithmeticError as error:
                raise TypeError(str(error)) from None
            except TypeError:
                # Numbers that an operator is not for: the types of kernels say so.
                if not numbers:
                    raise
        if isinstance(x, (str, list, tuple)) and isinstance(y, (str, list, tuple)) and not (is_static(x) and self._static):
            if name == "add" and type(x) is type(y) and not isinstance(x, list):
                return x + y
            if name == "mod" and isinstance(x, str):
                return x % y if is_static(y) else self.formatted(x, list(y), percent=True)
        if name == "mod" and isinstance(x, str):
            return x % y if is_static(y) else self.formatted(x, [y], percent=True)
        return self.scope.binary(name, self.value(x), self.value(y))

    def on_BinOp(self, node: ast.BinOp) -> Any:
        x, y = self.visit(node.left), self.visit(node.right)
        self.at(node)
        if isinstance(node.op, ast.MatMult):
            return self.product(self.value(x), self.value(y))
        try:
            return self.binary(type(node.op), x, y)
        except TypeError as error:
            if type(error) is TypeError:
                raise self.wrong(node, str(error)) from None
            raise

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
                if not (is_static(left) and is_static(right)) or isinstance(right, Field):
                    raise self.wrong(node, "`is` and `in` are for what Python knows at compile time")
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
        if self._static or self.is_static_call(node.test):
            return self.visit(node.body if self.visit(node.test) else node.orelse)
        condition, x, y = (self.value(self.visit(part)) for part in (node.test, node.body, node.orelse))
        self.at(node)
        if condition.form is not None:
            raise self.wrong(node, "the condition of `a if c else b` is a number: ti.select chooses by the elements of vectors and matrices")
        return self.scope.select(condition, x, y)

    def on_ListComp(self, node: ast.ListComp) -> list[Any]:
        return self.comprehension(node.elt, node.generators)

    def on_GeneratorExp(self, node: ast.GeneratorExp) -> list[Any]:
        return self.comprehension(node.elt, node.generators)

    def on_DictComp(self, node: ast.DictComp) -> dict[Any, Any]:
        return dict(self.comprehension(ast.Tuple([node.key, node.value], ast.Load()), node.generators))

    def comprehension(self, entry: ast.expr, generators: list[ast.comprehension]) -> list[Any]:
        """The entries of a comprehension, whose conditions Python knows."""
        if not generators:
            return [self.visit(entry)]
        first, *others = generators
        over = self.visit(first.iter)
        over = self.parts(over) if isinstance(over, TaichiValue) else over
        if not isinstance(over, Iterable):
            raise self.wrong(first.iter, "a comprehension is over what Python knows, or over a vector or matrix")
        found: list[Any] = []
        for one in over:
            with self.names():
                self.static_bind(first.target, one)
                if all(self.constant(condition) for condition in first.ifs):
                    found += self.comprehension(entry, others)
        return found

    def constant(self, node: ast.expr) -> Any:
        """What Python knows, as within `ti.static`."""
        self._static += 1
        try:
            value = self.visit(node)
        finally:
            self._static -= 1
        if not is_static(value):
            raise self.wrong(node, "it must be a compile-time constant: Python has to know it while the kernel is compiled")
        return value

    def static_bind(self, target: ast.expr, value: Any) -> None:
        raise NotImplementedError

    def is_static_call(self, node: ast.expr) -> bool:
        raise NotImplementedError

    def on_Call(self, node: ast.Call) -> Any:
        raise NotImplementedError

    def inline(self, func: Func, arguments: list[Any], keywords: dict[str, Any]) -> Any:
        raise NotImplementedError
