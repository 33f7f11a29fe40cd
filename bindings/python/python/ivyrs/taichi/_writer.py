"""Statements of kernels: a function's tree, written to the scope of the kernel that it becomes."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

from .._ivyrs import TaichiScope, TaichiValue
from ._calls import Calls
from ._errors import TaichiSyntaxError
from ._expressions import DynamicEntry, is_static
from ._fields import Field
from ._kernel import Func, Function, Template
from ._matrix import Matrix
from ._struct import Struct, StructType, StructValue
from ._types import CompoundType, number_type, template

_ASSIGNS = {
    ast.Add: "add", ast.Sub: "sub", ast.Mult: "mul", ast.Div: "truediv", ast.FloorDiv: "floordiv", ast.Mod: "mod",
    ast.Pow: "pow", ast.LShift: "bit_shl", ast.RShift: "bit_sar", ast.BitAnd: "bit_and", ast.BitOr: "bit_or", ast.BitXor: "bit_xor",
}  # fmt: skip


class Loop:
    """A loop around: whether Python repeats it, and what ends its turn or all of it."""

    def __init__(self, static: bool, depth: int = 0) -> None:
        self.static, self.depth, self.leaves, self.goes_on = static, depth, False, False


class Writer(Calls):
    """Writes the body of one function."""

    def __init__(self, scope: TaichiScope, function: Function, fields: dict[int, int], inlined: bool) -> None:
        super().__init__(scope, function, fields)
        self.inlined = inlined
        self.loops: list[Loop] = []
        self.serial = False
        #: What a function has returned, where it has.
        self.returned: list[Any] | None = None
        self.target: Field | None = None
        #: How many blocks are open that run or do not.
        self.depth = 0

    @staticmethod
    def kernel(
        scope: TaichiScope,
        function: Function,
        known: dict[str, Any],
        given: list[Any],
        fields: dict[int, int],
        returned: Field | None,
    ) -> None:
        """Writes a kernel; fields are known by their natives, each with the number of its parameter."""
        own = dict(fields)
        for argument in known.values():
            if isinstance(argument, int) and isinstance(given[argument], Field):
                own.setdefault(id(given[argument].native), argument)
        writer = Writer(scope, function, own, inlined=False)
        writer.target = returned
        for name, argument in known.items():
            if isinstance(argument, Template):
                writer.variables[name] = argument.value
            elif isinstance(given[argument], Field):
                writer.variables[name] = given[argument]
            else:
                writer.variables[name] = scope.parameter(argument)
        writer.block(function.tree.body)

    def inline(self, func: Func, arguments: list[Any], keywords: dict[str, Any]) -> Any:
        """A call of a function: what it gives."""
        function = func.function
        parameters = list(function.parameters)
        writer = Writer(self.scope, function, self.fields, inlined=True)
        own = ([] if func.owner is None else [func.owner]) + arguments
        if len(own) > len(parameters):
            raise TypeError(f"{function.name} takes {len(parameters)} argument(s), got {len(own)}")
        values = dict(zip((p.name for p in parameters), own))
        for name, value in keywords.items():
            if name in values or name not in {p.name for p in parameters}:
                raise TypeError(f"{function.name} has no free parameter `{name}`")
            values[name] = value
        for parameter in parameters:
            if parameter.name not in values:
                if parameter.default is parameter.empty:
                    raise TypeError(f"{function.name} needs an argument for `{parameter.name}`")
                values[parameter.name] = parameter.default
            annotation = function.annotation(parameter.annotation)
            value = values[parameter.name]
            by_reference = annotation is template or isinstance(annotation, template) or value is func.owner
            writer.variables[parameter.name] = value if by_reference else self.argument(value, annotation)

        def body() -> Any:
            writer.block(function.tree.body)
            given = None if writer.returned is None else writer.returned[0]
            if isinstance(given, (tuple, StructValue, Struct)):
                writer.several = tuple(writer.copied(entry) for entry in given) if isinstance(given, tuple) else writer.copied(given)
                return None
            return None if given is None else writer.copied(given)

        annotation = function.annotation(func._f.__annotations__.get("return"))
        name = None if annotation is None or isinstance(annotation, (CompoundType, StructType)) or annotation is template else number_type(annotation).name
        writer.several = None
        value = self.scope.function(name, body)
        return value if writer.several is None else writer.several

    #: What a function gives that is no single value: a tuple or a struct.
    several: Any = None

    def copied(self, value: Any) -> Any:
        """A value that later changes of variables leave alone."""
        return self.declared(value)

    def argument(self, value: Any, annotation: Any) -> Any:
        """An argument as a function has it: numbers and tensors as variables of its own."""
        if isinstance(annotation, CompoundType):
            return self.scope.declare(self.compound(annotation, [value]))
        if isinstance(value, (StructValue, Struct)):
            return self.declared(value)
        if isinstance(value, (Matrix, TaichiValue)):
            value = self.value(value)
            if value.kind in ("field", "nothing", "range"):
                return value
            if annotation not in (None, ast, self.EMPTY) and value.kind != "tensor":
                value = self.scope.cast(value, number_type(annotation).name)
            return self.scope.declare(value)
        if isinstance(value, (bool, int, float)) and annotation not in (None, self.EMPTY):
            return self.scope.declare(self.scope.cast(value, number_type(annotation).name))
        return value

    def block(self, statements: list[ast.stmt]) -> None:
        """Writes statements, one after the other, until one leaves them."""
        for statement in statements:
            if self.returned is not None or self.loops and (self.loops[-1].leaves or self.loops[-1].goes_on):
                return
            self.at(statement)
            method = getattr(self, f"do_{type(statement).__name__}", None)
            if method is None:
                raise self.wrong(statement, f"kernels have no `{type(statement).__name__}` statements")
            method(statement)

    def inner(self, statements: list[ast.stmt]) -> Callable[..., None]:
        """A function that writes statements whose variables are their own."""

        def write(*_: Any) -> None:
            with self.names():
                self.depth += 1
                try:
                    self.block(statements)
                finally:
                    self.depth -= 1

        return write

    # Statements.

    def do_Pass(self, statement: ast.Pass) -> None:
        pass

    def do_Expr(self, statement: ast.Expr) -> None:
        if not isinstance(statement.value, ast.Constant):
            self.visit(statement.value)

    def do_Assign(self, statement: ast.Assign) -> None:
        value = self.visit(statement.value)
        for target in statement.targets:
            self.assign(target, value)

    def do_AnnAssign(self, statement: ast.AnnAssign) -> None:
        if statement.value is None:
            raise self.wrong(statement, "a variable begins with a value, whose type it keeps")
        value, ty = self.visit(statement.value), self.visit(statement.annotation)
        self.at(statement)
        if isinstance(ty, CompoundType):
            value = self.compound(ty, [value])
        elif ty is not template:
            value = self.scope.cast(self.value(value), number_type(ty).name)
        self.assign(statement.target, value)

    def assign(self, target: ast.expr, value: Any) -> None:
        self.at(target)
        if isinstance(target, (ast.Tuple, ast.List)):
            parts = self.parts(value)
            if parts is None or len(parts) != len(target.elts):
                raise self.wrong(target, f"{len(target.elts)} names are assigned as many values")
            # All are read before one is written.
            parts = [self.scope.declare(self.value(part)) if not is_static(part) else part for part in parts]
            for one, part in zip(target.elts, parts):
                self.assign(one, part)
            return
        if isinstance(target, ast.Name):
            known = self.find(target.id)
            if isinstance(known, StructValue):
                return self.members(known, value, target)
            if isinstance(known, TaichiValue) and known.kind in ("place", "tensor"):
                return self.scope.assign(known, self.value(value))
            if isinstance(value, (StructValue, Struct)):
                self.bind(target.id, self.declared(value))
            elif isinstance(value, list):
                self.bind(target.id, [entry if isinstance(entry, str) else self.declared(entry) for entry in value])
            elif isinstance(value, (bool, int, float, TaichiValue, Matrix)):
                value = self.value(value)
                self.bind(target.id, value if value.kind in ("field", "range") else self.scope.declare(value))
            else:
                self.bind(target.id, value)
            return
        place = self.place_of(target)
        if isinstance(place, StructValue):
            return self.members(place, value, target)
        if isinstance(place, DynamicEntry):
            value = self.scope.declare(self.value(value))
            return self.each_entry(place, lambda entry: self.scope.assign(entry, value))
        if not isinstance(place, TaichiValue):
            raise self.wrong(target, "only variables and elements of fields are places")
        self.at(target)
        self.scope.assign(place, self.value(value))

    def members(self, to: StructValue, value: Any, node: ast.AST) -> None:
        """Assigns a struct, member by member."""
        value = self.value(value)
        if not isinstance(value, StructValue) or list(value.members) != list(to.members):
            raise self.wrong(node, f"a struct of {', '.join(to.members)} is assigned another one of the same members")
        # All of it is read before anything is written.
        value = self.declared(value)
        for name, place in to.members.items():
            if isinstance(place, StructValue):
                self.members(place, value.members[name], node)
            else:
                self.scope.assign(place, value.members[name])

    def each_entry(self, dynamic: DynamicEntry, write: Callable[[TaichiValue], None]) -> None:
        """Writes something for the entry that an index means."""
        for n, entry in enumerate(dynamic.entries):
            here = self.scope.binary("cmp_eq", dynamic.place, n)
            self.scope.branch(here, lambda entry=entry: write(entry), lambda: None)

    def do_AugAssign(self, statement: ast.AugAssign) -> None:
        value = self.visit(statement.value)
        target = statement.target
        if isinstance(target, ast.Name) and isinstance(self.find(target.id), (bool, int, float)):
            # A number of Python's becomes a variable.
            self.bind(target.id, self.scope.declare(self.find(target.id)))
        place = self.place_of(target)
        self.at(statement)
        if isinstance(place, DynamicEntry):
            op, value = _ASSIGNS[type(statement.op)], self.scope.declare(self.value(value))
            return self.each_entry(place, lambda entry: self.scope.assign_op(op, entry, value))
        if isinstance(statement.op, ast.MatMult):
            return self.scope.assign(place, self.scope.method(place, "matmul", [self.value(value)]))
        if not isinstance(place, TaichiValue):
            raise self.wrong(target, "only variables and elements of fields are places")
        self.scope.assign_op(_ASSIGNS[type(statement.op)], place, self.value(value))

    def do_If(self, statement: ast.If) -> None:
        if self.is_static_call(statement.test):
            return self.block(statement.body if self.visit(statement.test) else statement.orelse)
        condition = self.value(self.visit(statement.test))
        self.at(statement.test)
        self.scope.branch(condition, self.inner(statement.body), self.inner(statement.orelse))

    def do_While(self, statement: ast.While) -> None:
        if statement.orelse:
            raise self.wrong(statement, "loops of kernels have no `else`")
        self.loops.append(Loop(static=False))
        self.scope.repeat(lambda: self.value(self.visit(statement.test)), self.inner(statement.body))
        self.loops.pop()

    def do_For(self, statement: ast.For) -> None:
        if statement.orelse:
            raise self.wrong(statement, "loops of kernels have no `else`")
        names = [statement.target] if isinstance(statement.target, ast.Name) else getattr(statement.target, "elts", None)
        if self.is_static_call(statement.iter):
            return self.unrolled(statement)
        if names is None or not all(isinstance(name, ast.Name) for name in names):
            raise self.wrong(statement.target, "what a loop counts has a name")
        over = self.iterable(self.visit(statement.iter), statement.iter)
        self.at(statement.iter)
        if self.serial:
            over, self.serial = self.scope.call("serial", [over], None), False

        def turn(indices: list[TaichiValue]) -> None:
            with self.names():
                for name, index in zip(names, indices):
                    self.bind(name.id, index)
                self.depth += 1
                try:
                    self.block(statement.body)
                finally:
                    self.depth -= 1

        self.loops.append(Loop(static=False))
        self.scope.each_of(over, len(names), turn)
        self.loops.pop()

    def unrolled(self, statement: ast.For) -> None:
        """A loop that Python repeats."""
        loop = Loop(static=True, depth=self.depth)
        self.loops.append(loop)
        for entry in self.visit(statement.iter):
            loop.goes_on = False
            with self.names():
                self.static_bind(statement.target, entry)
                self.block(statement.body)
            if loop.leaves or self.returned is not None:
                break
        self.loops.pop()

    def static_bind(self, target: ast.expr, value: Any) -> None:
        if isinstance(target, (ast.Tuple, ast.List)):
            for one, part in zip(target.elts, value):
                self.static_bind(one, part)
        elif isinstance(target, ast.Name):
            self.bind(target.id, value)
        else:
            raise self.wrong(target, "what a loop counts has a name")

    def do_Break(self, statement: ast.Break) -> None:
        if self.loops and self.loops[-1].static:
            if self.depth > self.loops[-1].depth:
                raise self.wrong(statement, "`break` of a static loop stands in no condition of running code")
            self.loops[-1].leaves = True
        else:
            self.scope.break_loop()

    def do_Continue(self, statement: ast.Continue) -> None:
        if self.loops and self.loops[-1].static:
            if self.depth > self.loops[-1].depth:
                raise self.wrong(statement, "`continue` of a static loop stands in no condition of running code")
            self.loops[-1].goes_on = True
        else:
            self.scope.continue_loop()

    def do_Return(self, statement: ast.Return) -> None:
        value = None if statement.value is None else self.visit(statement.value)
        self.at(statement)
        if self.inlined:
            if self.depth:
                raise self.wrong(statement, "a ti.func returns at its end, and in no condition or loop")
            self.returned = [value]
        elif self.target is not None:
            self.scope.assign(self.scope.index(self.field(self.target), []), self.value(value))
            self.scope.give(None)
        else:
            self.scope.give(None if value is None else self.value(value))

    def do_Assert(self, statement: ast.Assert) -> None:
        condition = self.value(self.visit(statement.test))
        text, values = ast.unparse(statement.test).replace("{", "[").replace("}", "]"), []
        if statement.msg is not None:
            text, values = self.text([self.visit(statement.msg)], "")
        self.at(statement)
        self.scope.assert_(condition, text, values)

    def do_Global(self, statement: ast.Global) -> None:
        raise self.wrong(statement, "kernels change no names of Python's")

    do_Nonlocal = do_Global  # noqa: N815

    def wrong(self, node: ast.AST, what: str) -> TaichiSyntaxError:
        return TaichiSyntaxError(f"{self.place(node)}{what}")
