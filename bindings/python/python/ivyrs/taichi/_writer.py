"""Statements of kernels: a function's tree, written to the scope of the kernel that it becomes."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

from .._ivyrs import TaichiScope, TaichiValue
from ._calls import Calls
from ._errors import TaichiSyntaxError
from ._fields import Field
from ._kernel import Func, Function, Launch, RealFunc, StructArgument, Template, bound
from ._matrix import Matrix
from ._results import Returned, result_type
from ._struct import Struct, StructType, StructValue
from ._texts import escaped
from ._types import CompoundType, Reference, number_type, template
from ._values import DynamicEntry, DynamicSlice, is_static

#: How many functions may be inlined within each other.
_DEEPEST = 40

_ASSIGNS = {
    ast.Add: "add", ast.Sub: "sub", ast.Mult: "mul", ast.Div: "truediv", ast.FloorDiv: "floordiv", ast.Mod: "mod",
    ast.Pow: "pow", ast.LShift: "bit_shl", ast.RShift: "bit_sar", ast.BitAnd: "bit_and", ast.BitOr: "bit_or", ast.BitXor: "bit_xor",
}  # fmt: skip


class Loop:
    """A loop around: whether Python repeats it, and what ends its iteration or all of it."""

    def __init__(self, static: bool, depth: int = 0) -> None:
        self.static, self.depth, self.leaves, self.goes_on = static, depth, False, False


class Writer(Calls):
    """Writes the body of one function."""

    def __init__(self, scope: TaichiScope, function: Function, fields: dict[int, int], inlined: bool) -> None:
        super().__init__(scope, function, fields)
        self.inlined = inlined
        self.loops: list[Loop] = []
        #: How many functions are being inlined around this one.
        self.nested = 0
        #: The arguments of a kernel, which are not assigned to.
        self.immutable: dict[str, Any] = {}
        self.serial = False
        #: What a function has returned, where it has.
        self.returned: list[Any] | None = None
        #: Where the result goes, where it is more than a number.
        self.target: Returned | None = None
        #: Whether it is a real function, which `return` leaves wherever it stands.
        self.real_function = False
        #: Of a real function the type of its result and the variable that it goes to.
        self.result: tuple[Any, Any] | None = None
        #: How many blocks are open that run or do not.
        self.depth = 0

    @staticmethod
    def kernel(
        scope: TaichiScope,
        function: Function,
        launch: Launch,
        fields: dict[int, int],
    ) -> None:
        """Writes a kernel; fields are known by their natives, each with the number of its parameter."""
        known, given = launch.known, launch.given
        own = dict(fields)
        for argument in known.values():
            if isinstance(argument, int) and isinstance(given[argument], Field):
                own.setdefault(id(given[argument].native), argument)

        def parameter(argument: Any) -> Any:
            if isinstance(argument, StructArgument):
                return StructValue(argument.ty, {name: parameter(member) for name, member in argument.members.items()})
            return given[argument] if isinstance(given[argument], Field) else scope.parameter(argument)

        writer = Writer(scope, function, own, inlined=False)
        writer.target = launch.returned
        for name, argument in known.items():
            writer.variables[name] = argument.value if isinstance(argument, Template) else parameter(argument)
            writer.immutable[name] = writer.variables[name]
        writer.clamped = {id(given[known[name]].native) for name in launch.clamped}
        writer.block(function.tree.body)

    def inline(self, func: Func, arguments: list[Any], keywords: dict[str, Any]) -> Any:
        """A call of a function: what it gives."""
        function = func.function
        parameters = list(function.parameters)
        writer = Writer(self.scope, function, self.fields, inlined=True)
        writer.clamped, writer.nested = self.clamped, self.nested + 1
        if writer.nested > _DEEPEST:
            raise self.wrong(self.here, f"{function.name}: functions are inlined, and must not call themselves")
        own = () if func.owner is None else (func.owner,)
        values = bound(function.name, parameters, (*own, *arguments), keywords)
        for parameter in parameters:
            annotation = function.annotation(parameter.annotation)
            value = values[parameter.name]
            by_reference = annotation is template or isinstance(annotation, (template, Reference)) or value is func.owner
            writer.variables[parameter.name] = value if by_reference else self.argument(value, annotation)
        if isinstance(func, RealFunc):
            return self.real(func, writer)

        def body() -> Any:
            writer.block(function.tree.body)
            given = None if writer.returned is None else writer.returned[0]
            if isinstance(given, (tuple, StructValue, Struct)):
                writer.several = tuple(writer.copied(entry) for entry in given) if isinstance(given, tuple) else writer.copied(given)
                return None
            return None if given is None else writer.copied(given)

        annotation = function.annotation(func._f.__annotations__.get("return"))
        writer.several = None
        value = self.scope.function(None, False, body)
        if annotation is not None and writer.returned is None:
            raise self.wrong(self.here, f"{function.name}: Function has a return type but does not have a return statement")
        given = value if writer.several is None else writer.several
        return given if annotation is None or annotation is template else self.converted(result_type(annotation), given)

    def real(self, func: RealFunc, writer: Writer) -> Any:
        """A call of a real function, whose returns go to a variable."""
        ty = func.result
        variable = None if ty is None else self.declared(self.zero(ty))
        writer.real_function, writer.result = True, None if ty is None else (ty, variable)
        self.scope.function(None, True, lambda: writer.block(func.function.tree.body))
        if ty is not None and not writer.returns:
            raise self.wrong(self.here, f"{func.function.name}: Function has a return type but does not have a return statement")
        return variable

    #: What a function gives that is no single value: a tuple or a struct.
    several: Any = None
    #: Whether a `return` was written.
    returns = False

    def copied(self, value: Any) -> Any:
        """A value that later changes of variables leave alone."""
        return self.declared(value)

    def argument(self, value: Any, annotation: Any) -> Any:
        """An argument as a function has it: numbers and tensors as variables of its own."""
        if isinstance(annotation, (CompoundType, StructType)):
            return self.declared(self.converted(annotation, value))
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
                raise self.wrong(statement, f'Unsupported node "{type(statement).__name__}": kernels have no such statements')
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
            if self.is_static_call(statement.value):
                if not isinstance(target, (ast.Name, ast.Tuple, ast.List)):
                    raise self.wrong(target, "Static assign cannot be used on elements in arrays")
                self.static_bind(target, value)
            else:
                self.assign(target, value)

    def do_AnnAssign(self, statement: ast.AnnAssign) -> None:
        if statement.value is None:
            raise self.wrong(statement, "a variable begins with a value, whose type it keeps")
        value, ty = self.visit(statement.value), self.visit(statement.annotation)
        self.at(statement)
        if isinstance(statement.target, ast.Name) and self.find(statement.target.id) is not None:
            raise self.wrong(statement, f"the variable `{statement.target.id}` has a type already: it is annotated where it begins")
        if isinstance(ty, CompoundType):
            value = self.compound(ty, [value])
        elif ty is not template:
            value = self.scope.cast(self.value(value), number_type(ty).name)
        self.assign(statement.target, value)

    def assign(self, target: ast.expr, value: Any) -> None:
        self.at(target)
        self.check_mutable(target)
        if isinstance(target, (ast.Tuple, ast.List)):
            parts = self.parts(value)
            if parts is None or len(parts) != len(target.elts):
                raise self.wrong(target, f"{len(target.elts)} names are assigned as many values")
            # All are read before one is written.
            parts = [part if is_static(part) else self.declared(part) for part in parts]
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
        if isinstance(place, (DynamicEntry, DynamicSlice)):
            return self.assign_entries(place, self.scope.declare(self.value(value)), self.scope.assign)
        if not isinstance(place, TaichiValue):
            raise self.wrong(target, "only variables and elements of fields are places")
        self.at(target)
        self.scope.assign(place, self.value(value))

    def members(self, to: StructValue, value: Any, node: ast.AST) -> None:
        """Assigns a struct, member by member."""
        value = self.converted(to.ty, value) if to.ty is not None and is_static(value) else self.value(value)
        if not isinstance(value, StructValue) or list(value.members) != list(to.members):
            raise self.wrong(node, f"a struct of {', '.join(to.members)} is assigned another one of the same members")
        # All of it is read before anything is written.
        value = self.declared(value)
        for name, place in to.members.items():
            if isinstance(place, StructValue):
                self.members(place, value.members[name], node)
            else:
                self.scope.assign(place, value.members[name])

    def check_mutable(self, target: ast.expr) -> None:
        """Refuses to assign to an argument of the kernel."""
        if isinstance(target, ast.Name) and target.id in self.immutable and self.find(target.id) is self.immutable[target.id]:
            name = target.id
            raise self.wrong(
                target,
                f'Kernel argument "{name}" is immutable in the kernel. If you want to change its value, please create a new variable.',
            )

    def assign_entries(
        self, to: DynamicEntry | DynamicSlice, value: TaichiValue, assign: Callable[[TaichiValue, TaichiValue], None]
    ) -> None:
        """Assigns to the number that an index means, or to those of a slice."""
        if isinstance(to, DynamicEntry):
            return self.each_entry(to, lambda entry: assign(entry, value))
        numbers = value.entries() if value.form is not None else [value] * len(to.entries)
        if len(numbers) != len(to.entries):
            raise self.wrong(self.here, f"a slice of {len(to.entries)} numbers is assigned {len(numbers)}")
        for one, number in zip(to.entries, numbers):
            self.each_entry(one, lambda entry, number=number: assign(entry, number))

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
        self.check_mutable(target)
        place = self.place_of(target)
        self.at(statement)
        if isinstance(place, (DynamicEntry, DynamicSlice)):
            op = _ASSIGNS[type(statement.op)]
            return self.assign_entries(place, self.scope.declare(self.value(value)), lambda to, x: self.scope.assign_op(op, to, x))
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

        def iteration(indices: list[TaichiValue]) -> None:
            with self.names():
                for name, index in zip(names, indices):
                    self.bind(name.id, index)
                self.depth += 1
                try:
                    self.block(statement.body)
                finally:
                    self.depth -= 1

        self.loops.append(Loop(static=False))
        self.scope.each_of(over, len(names), iteration)
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
                raise self.wrong(statement, "You are trying to `break` a static `for` loop inside a condition of running code: the loop is unrolled while the kernel is compiled")
            self.loops[-1].leaves = True
        else:
            self.scope.break_loop()

    def do_Continue(self, statement: ast.Continue) -> None:
        if self.loops and self.loops[-1].static:
            if self.depth > self.loops[-1].depth:
                raise self.wrong(statement, "You are trying to `continue` a static `for` loop inside a condition of running code: the loop is unrolled while the kernel is compiled")
            self.loops[-1].goes_on = True
        else:
            self.scope.continue_loop()

    def do_Return(self, statement: ast.Return) -> None:
        value = None if statement.value is None else self.visit(statement.value)
        self.at(statement)
        self.returns = True
        if self.result is not None:
            ty, variable = self.result
            self.assign_value(variable, self.converted(ty, value), statement)
            self.scope.give(None)
        elif self.inlined:
            if self.depth and not self.real_function:
                raise self.wrong(statement, "Return inside non-static if/for is not supported: a ti.func returns at its end")
            if self.real_function:
                return self.scope.give(None)
            self.returned = [value]
        elif self.target is not None:
            target = self.target
            for (dtype, place), number in zip(target.places, self.flat([self.converted(target.ty, value)]), strict=True):
                self.scope.assign(self.scope.index(self.field(target.by_type[dtype]), [place]), number)
            self.scope.give(None)
        else:
            self.scope.give(None if value is None else self.value(value))

    def assign_value(self, to: Any, value: Any, node: ast.AST) -> None:
        """Assigns to a variable: of a struct member by member, of a tuple one after the other."""
        if isinstance(to, tuple):
            for one, part in zip(to, value):
                self.assign_value(one, part, node)
        elif isinstance(to, StructValue):
            self.members(to, value, node)
        else:
            self.scope.assign(to, value)

    def do_Assert(self, statement: ast.Assert) -> None:
        condition = self.value(self.visit(statement.test))
        text, values = escaped(ast.unparse(statement.test)), []
        if statement.msg is not None:
            text, values = self.text([self.visit(statement.msg)], "")
        self.at(statement)
        self.scope.assert_(condition, text, values)

    def do_FunctionDef(self, statement: ast.FunctionDef) -> None:
        kind = "ti.func" if self.inlined else "ti.kernel"
        raise self.wrong(statement, f"Function definition is not allowed in '{kind}'.")

    def do_Global(self, statement: ast.Global) -> None:
        raise self.wrong(statement, "kernels change no names of Python's")

    do_Nonlocal = do_Global  # noqa: N815
