"""``@ti.kernel``, ``@ti.func`` and ``@ti.data_oriented``: functions as syntax trees, and launches."""

from __future__ import annotations

import ast
import functools
import inspect
import itertools
import textwrap
import weakref
from collections.abc import Callable
from typing import Any

from .._ivyrs import TaichiScope, TaichiSignature, TaichiSource
from . import _program
from ._errors import TaichiRuntimeError, TaichiRuntimeTypeError, TaichiSyntaxError
from ._fields import Arrays, Field
from ._matrix import Matrix, flattened
from ._ndarray import Ndarray, check
from ._results import Returned, result_type
from ._struct import Struct, StructType
from ._program import Program, current
from ._types import CompoundType, DataType, NdarrayType, number_type, template

_numbers = itertools.count()
#: By address, an object and its number; objects that are gone have a reference that says so.
_identities: dict[int, tuple[Any, int]] = {}


def identity(value: Any) -> int:
    """A number of an object that no other one has, though it may come to stand where one stood that is gone."""
    known = _identities.get(id(value))
    if known is not None and (known[0]() if isinstance(known[0], weakref.ref) else known[0]) is value:
        return known[1]
    try:
        holder: Any = weakref.ref(value, lambda _, place=id(value): _identities.pop(place, None))
    except TypeError:
        holder = value
    number = next(_numbers)
    _identities[id(value)] = (holder, number)
    return number


def template_key(value: Any) -> str:
    """What a kernel is compiled for by a template argument: numbers and texts by value, tuples by their entries, all else by identity."""
    if type(value) is tuple:
        return f"({', '.join(map(template_key, value))})"
    if isinstance(value, (bool, int, float, str, type(None), DataType)):
        return repr(value)
    return f"@{identity(value)}"


class Function:
    """A function of Python's, taken apart: its tree, its source, and the names that it knows."""

    def __init__(self, f: Callable[..., Any]) -> None:
        self.f = f
        self.name = f.__name__
        try:
            lines, first = inspect.getsourcelines(f)
        except (OSError, TypeError):
            raise TaichiSyntaxError(f"{f.__name__}: its source is not there, and kernels are made of that") from None
        text = "".join(lines)
        self.source = TaichiSource(f.__name__, inspect.getsourcefile(f) or "?", first, text)
        self.first, self.lines = first, lines
        self.indent = len(lines[0]) - len(lines[0].lstrip())
        tree = ast.parse(textwrap.dedent(text)).body[0]
        if not isinstance(tree, ast.FunctionDef):
            raise TaichiSyntaxError(f"{f.__name__}: a kernel is a function with a name")
        self.tree = tree
        self.parameters = list(inspect.signature(f).parameters.values())
        for parameter in self.parameters:
            if parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD):
                raise TaichiSyntaxError(f"{f.__name__}: kernels and functions take no *args and **kwargs")

    def known(self) -> dict[str, Any]:
        """What names mean that are no variables, as it is now."""
        cells = zip(self.f.__code__.co_freevars, self.f.__closure__ or ())
        values = {name: cell.cell_contents for name, cell in cells if _is_set(cell)}
        return {**self.f.__globals__, **values}

    def annotation(self, annotation: Any) -> Any:
        """An annotation as a value, where it is written as a text."""
        if isinstance(annotation, str):
            return eval(annotation, self.known())  # noqa: S307 - as Python itself does
        return annotation


def bound(name: str, parameters: list[inspect.Parameter], given: tuple[Any, ...], keywords: dict[str, Any]) -> dict[str, Any]:
    """Arguments by the names of their parameters, defaults among them."""
    if len(given) > len(parameters):
        raise TaichiSyntaxError(f"{name}: Too many arguments: it takes {len(parameters)}, got {len(given)}")
    values = dict(zip((parameter.name for parameter in parameters), given))
    names = {parameter.name for parameter in parameters}
    for key, value in keywords.items():
        if key in values:
            raise TaichiSyntaxError(f"{name}: Multiple values for argument '{key}'")
        if key not in names:
            raise TaichiSyntaxError(f"{name}: Unexpected argument '{key}'")
        values[key] = value
    for parameter in parameters:
        if parameter.name not in values:
            if parameter.default is parameter.empty:
                raise TaichiSyntaxError(f"{name}: Parameter `{parameter.name}` missing")
            values[parameter.name] = parameter.default
    return values


def _is_set(cell: Any) -> bool:
    try:
        cell.cell_contents  # noqa: B018
    except ValueError:
        return False
    return True


class Func:
    """A function that kernels call: it is inlined."""

    def __init__(self, f: Callable[..., Any], owner: Any = None) -> None:
        self._f, self.owner = f, owner
        functools.update_wrapper(self, f)

    @functools.cached_property
    def function(self) -> Function:
        return Function(self._f)

    def __get__(self, owner: Any, kind: Any = None) -> Func:
        return self if owner is None else Func(self._f, owner)

    def __call__(self, *arguments: Any, **keywords: Any) -> Any:
        raise TaichiSyntaxError(f"{self._f.__name__}: a ti.func is called in kernels")


class RealFunc(Func):
    """A function with types, which may return from conditions and loops."""

    def __init__(self, f: Callable[..., Any], owner: Any = None) -> None:
        super().__init__(f, owner)
        signature = inspect.signature(f)
        for place, parameter in enumerate(signature.parameters.values()):
            if parameter.annotation is parameter.empty and not (place == 0 and parameter.name == "self"):
                raise TaichiSyntaxError(f"{f.__name__}: real functions have types: the parameter `{parameter.name}` must be type annotated")

    def __get__(self, owner: Any, kind: Any = None) -> Func:
        return self if owner is None else RealFunc(self._f, owner)

    @property
    def result(self) -> Any:
        """The type of its result, of several a tuple of types, of none ``None``."""
        return result_type(self.function.annotation(self._f.__annotations__.get("return")))


class PyFunc(Func):
    """A function for kernels and for Python alike."""

    def __call__(self, *arguments: Any, **keywords: Any) -> Any:
        own = () if self.owner is None else (self.owner,)
        return self._f(*own, *arguments, **keywords)

    def __get__(self, owner: Any, kind: Any = None) -> Func:
        return self if owner is None else PyFunc(self._f, owner)


class MissingField(Exception):
    """A field that a kernel names, and was not launched with."""

    def __init__(self, field: Field) -> None:
        super().__init__(field)
        self.field = field


class Kernel:
    """A kernel: compiled for its arguments' types when it is called with such for the first time."""

    def __init__(self, f: Callable[..., Any], owner: Any = None, shared: Kernel | None = None) -> None:
        self._f, self.owner = f, owner
        functools.update_wrapper(self, f)
        self._number = next(_numbers) if shared is None else shared._number
        #: By what it is compiled for, the fields that it names; they may be gone.
        self._captured: dict[tuple[Any, ...], list[weakref.ref[Field]]] = {} if shared is None else shared._captured
        self._arrays = Arrays() if shared is None else shared._arrays
        self._made = shared
        self._fast: Fast | None = None

    @functools.cached_property
    def function(self) -> Function:
        return Function(self._f) if self._made is None else self._made.function

    def __get__(self, owner: Any, kind: Any = None) -> Kernel:
        return self if owner is None else Kernel(self._f, owner, self)

    def __repr__(self) -> str:
        return f"<ti.kernel {self._f.__name__}>"

    @functools.cached_property
    def _result(self) -> Any:
        """The type of its result, of several a tuple of types, of none ``None``."""
        return result_type(self.function.annotation(self._f.__annotations__.get("return")))

    def __call__(self, *arguments: Any, **keywords: Any) -> Any:
        # Numbers alone, of a kernel that was launched before.
        fast = self._fast
        if fast is not None and fast.program is _program._current and not keywords and len(arguments) == len(fast.kinds):
            for value, kinds in zip(arguments, fast.kinds):
                if type(value) not in kinds:
                    break
            else:
                try:
                    return fast.launch(fast.source, fast.signature, (*arguments, *fast.fields), fast.text, fast.write)
                except TaichiRuntimeError:
                    if not any(ref().is_destroyed for ref in fast.named if ref() is not None):
                        raise
                    self._fast = None
        return self._bound(arguments, keywords)

    def _bound(self, arguments: tuple[Any, ...], keywords: dict[str, Any]) -> Any:
        """A launch with arguments of any kind."""
        function, launch = self.function, Launch(self, current())
        own = () if self.owner is None else (self.owner,)
        values = bound(self._f.__name__, function.parameters, (*own, *arguments), keywords)
        for place, parameter in enumerate(function.parameters):
            launch.take(place, parameter, values[parameter.name])
        if isinstance(self._result, (CompoundType, StructType, tuple)):
            launch.returned = Returned(self._result, self._arrays)
        native = launch.run()
        for field, array in launch.copies:
            array[...] = field.to_numpy()
        return native if launch.returned is None else launch.returned.value()


class Fast:
    """A launch of a kernel of numbers, as it was done before."""

    def __init__(self, launch: Launch, fields: tuple[Any, ...], text: str, write: Callable[..., None]) -> None:
        self.program, self.launch = launch.program, launch.program.native.launch
        self.source, self.signature = launch.kernel.function.source, launch.signature()
        self.kinds = launch.kinds
        self.fields, self.text, self.write = fields, text, write
        self.named = launch.kernel._captured.get(tuple(launch.key), [])


_INTEGERS, _REALS = (int, bool), (float, int, bool)


class Launch:
    """One launch: what the kernel is given, and what it is compiled for."""

    def __init__(self, kernel: Kernel, program: Program) -> None:
        self.kernel, self.program = kernel, program
        self.given: list[Any] = []
        #: By argument, the form and type of its numbers; nothing for a field.
        self.forms: list[tuple[Any, str] | None] = []
        self.known: dict[str, Any] = {}
        self.key: list[Any] = [kernel._number, program.number]
        self.copies: list[tuple[Field, Any]] = []
        self.returned: Returned | None = None
        #: The arrays whose indices are clamped to their extents.
        self.clamped: set[str] = set()
        #: The types of Python's that each argument may have, while all are numbers.
        self.kinds: list[tuple[type, ...]] | None = []

    def signature(self) -> TaichiSignature:
        """What the kernel takes, and gives."""
        result = None if self.returned is not None else self.kernel._result
        return TaichiSignature(self.forms, None if result is None else result.name)

    def take(self, place: int, parameter: inspect.Parameter, value: Any) -> None:
        """One argument."""
        name, function = parameter.name, self.kernel._f.__name__
        annotation = self.kernel.function.annotation(parameter.annotation)
        wrong = lambda expected: TaichiRuntimeTypeError(  # noqa: E731
            f"{function}: Invalid type for argument {name}, got {value!r}: it is {expected}"
        )
        if isinstance(annotation, NdarrayType) or annotation is NdarrayType:
            self.known[name] = self.give(self.array(place, name, annotation, value, wrong), None)
        elif annotation is template or isinstance(annotation, template) or annotation is parameter.empty:
            if annotation is parameter.empty and not (place == 0 and (self.kernel.owner is not None or name == "self")):
                raise TaichiSyntaxError(f"{function}: the parameter `{name}` has no type: annotate it, as in `{name}: ti.f32`")
            if isinstance(value, Ndarray):
                raise TaichiRuntimeTypeError(
                    f"{function}: Ndarray shouldn't be passed in via `ti.template()`: the parameter `{name}` is annotated with `ti.types.ndarray()`"
                )
            if isinstance(value, Field):
                self.known[name] = self.give(value, None)
            else:
                self.key.append((name, template_key(value)))
                self.known[name] = Template(value)
                self.kinds = None
        elif isinstance(annotation, StructType):
            if not isinstance(value, (Struct, dict)):
                raise wrong(repr(annotation))
            try:
                struct = annotation(value)
            except TypeError as error:
                raise wrong(f"{annotation!r}: {error}") from None
            self.known[name] = self.struct(annotation, struct, wrong)
        elif isinstance(annotation, CompoundType):
            self.known[name] = self.compound(annotation, value, wrong)
        else:
            ty = number_type(annotation)
            given = value
            if hasattr(value, "item") and not isinstance(value, Field):
                value = value.item()
            if not isinstance(value, (bool, int, float)) or isinstance(value, float) and not ty.is_real:
                raise TaichiRuntimeTypeError(
                    f"{function}: Argument {place} `{name}` (type={type(given)}) cannot be converted into required type {ty!r}"
                )
            if self.kinds is not None:
                self.kinds.append(_REALS if ty.is_real else _INTEGERS)
            self.known[name] = len(self.given)
            self.given.append(value)
            self.forms.append((None, ty.name))

    def compound(self, ty: CompoundType, value: Any, wrong: Callable[[str], Exception]) -> int:
        """A vector or a matrix as an argument: its number."""
        plain = value.tolist() if hasattr(value, "tolist") else value
        numbers = flattened((plain,)) if isinstance(plain, (Matrix, list, tuple)) else []
        if not ty.dtype.is_real and any(isinstance(number, float) for number in numbers):
            raise wrong(f"{ty!r}, of integers")
        if len(numbers) != ty.n * (ty.m or 1):
            raise wrong(repr(ty))
        return self.give(numbers, (ty.form, ty.dtype.name))

    def struct(self, ty: StructType, value: Struct, wrong: Callable[[str], Exception]) -> StructArgument:
        """A struct as an argument: one for each member."""
        members: dict[str, Any] = {}
        for name, own in ty.members.items():
            if isinstance(own, StructType):
                members[name] = self.struct(own, value.entries[name], wrong)
            else:
                given = value.entries[name]
                if isinstance(own, CompoundType):
                    members[name] = self.compound(own, given, wrong)
                else:
                    members[name] = self.give(given, (None, number_type(own).name))
        return StructArgument(ty, members)

    def give(self, value: Any, form: tuple[Any, str] | None) -> int:
        """An argument as the program takes it: its number."""
        self.kinds = None
        self.given.append(value)
        self.forms.append(form)
        return len(self.given) - 1

    def array(self, place: int, name: str, annotation: Any, value: Any, wrong: Callable[[str], Exception]) -> Field:
        """A field for an array of NumPy's, which is copied there and back."""
        if not isinstance(value, Field) and not hasattr(value, "setflags"):
            raise wrong("an array of NumPy's, or a ti.ndarray")
        own = annotation if isinstance(annotation, NdarrayType) else NdarrayType()
        form = check(name, own, value)
        if own.boundary == "clamp":
            self.key.append((name, "clamp"))
            self.clamped.add(name)
        if isinstance(value, Field):
            return value
        field = self.kernel._arrays.field(place, value, form)
        self.copies.append((field, value))
        return field

    def run(self) -> Any:
        """Runs the kernel; one that names fields which are not known yet is written anew with them."""
        from ._writer import Writer

        kernel, key = self.kernel, tuple(self.key)
        # In the order in which the kernel names them: where one is gone, all are looked for again.
        known = [ref() for ref in kernel._captured.get(key, ())]
        usable = [field for field in known if field is not None and not field.is_destroyed]
        captured = usable if len(usable) == len(known) else []
        signature, text = self.signature(), repr(key)
        natives = tuple(argument.native if isinstance(argument, Field) else argument for argument in self.given)
        while True:
            fields = captured + ([] if self.returned is None else self.returned.fields)

            def write(scope: TaichiScope, fields: list[Field] = fields) -> None:
                places = {id(field.native): len(self.given) + n for n, field in enumerate(fields)}
                self.program.compiling = True
                try:
                    Writer.kernel(scope, kernel.function, self, places)
                finally:
                    self.program.compiling = False

            own = tuple(field.native for field in fields)
            try:
                result = self.program.native.launch(kernel.function.source, signature, natives + own, text, write)
            except MissingField as missing:
                captured.append(missing.field)
                continue
            kernel._captured[key] = [weakref.ref(field) for field in captured]
            if self.kinds is not None and self.returned is None:
                kernel._fast = Fast(self, own, text, write)
            return result


class StructArgument:
    """A struct among a kernel's arguments: by member the number of its argument, or a struct."""

    def __init__(self, ty: StructType, members: dict[str, Any]) -> None:
        self.ty, self.members = ty, members


class Template:
    """A value that a kernel is compiled for."""

    def __init__(self, value: Any) -> None:
        self.value = value


def kernel(f: Callable[..., Any]) -> Kernel:
    """A kernel: its outermost loops are parallel. Parameters have types: ``ti.f32``, ``ti.template()``, ``ti.types.ndarray()``."""
    return Kernel(f)


def func(f: Callable[..., Any]) -> Func:
    """A function for kernels, which is inlined; arguments are copies, but for those of ``ti.template()``."""
    return Func(f)


def real_func(f: Callable[..., Any]) -> Func:
    """A function with types for kernels, which may return from conditions and loops; its result is zero where it returns none.

    It is inlined, and must not call itself.
    """
    return RealFunc(f)


def pyfunc(f: Callable[..., Any]) -> Func:
    """A function for kernels and for Python."""
    return PyFunc(f)


def data_oriented(cls: type) -> type:
    """A class whose methods may be kernels; what they find in ``self`` they are compiled for."""
    return cls
