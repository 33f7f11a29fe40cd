"""``@ti.kernel``, ``@ti.func`` and ``@ti.data_oriented``: functions as syntax trees, and launches."""

from __future__ import annotations

import ast
import functools
import inspect
import itertools
import textwrap
from collections.abc import Callable
from typing import Any

from .._ivyrs import TaichiScope, TaichiSource
from ._errors import TaichiRuntimeTypeError, TaichiSyntaxError
from ._fields import Arrays, Field, make
from ._matrix import Matrix, flattened
from ._program import current
from ._types import CompoundType, DataType, NdarrayType, number_type, template

_numbers = itertools.count()


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
        self.first = first
        self.indent = len(lines[0]) - len(lines[0].lstrip())
        tree = ast.parse(textwrap.dedent(text)).body[0]
        if not isinstance(tree, ast.FunctionDef):
            raise TaichiSyntaxError(f"{f.__name__}: a kernel is a function with a name")
        self.tree = tree
        self.parameters = list(inspect.signature(f).parameters.values())
        for parameter in self.parameters:
            if parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD):
                raise TaichiSyntaxError(f"{f.__name__}: kernels and functions take no *args and **kwargs")

    @functools.cached_property
    def names(self) -> dict[str, Any]:
        """What names mean that are no variables."""
        closure = inspect.getclosurevars(self.f)
        return {**self.f.__globals__, **closure.nonlocals}

    def known(self) -> dict[str, Any]:
        """The same, as it is now."""
        cells = zip(self.f.__code__.co_freevars, self.f.__closure__ or ())
        values = {name: cell.cell_contents for name, cell in cells if _is_set(cell)}
        return {**self.f.__globals__, **values}

    def annotation(self, annotation: Any) -> Any:
        """An annotation as a value, where it is written as a text."""
        if isinstance(annotation, str):
            return eval(annotation, self.known())  # noqa: S307 - as Python itself does
        return annotation


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


class _PyFunc(Func):
    """A function for kernels and for Python alike."""

    def __call__(self, *arguments: Any, **keywords: Any) -> Any:
        own = () if self.owner is None else (self.owner,)
        return self._f(*own, *arguments, **keywords)

    def __get__(self, owner: Any, kind: Any = None) -> Func:
        return self if owner is None else _PyFunc(self._f, owner)


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
        self._captured: dict[tuple[Any, ...], list[Field]] = {} if shared is None else shared._captured
        self._arrays = Arrays() if shared is None else shared._arrays
        self._made = shared

    @functools.cached_property
    def function(self) -> Function:
        return Function(self._f) if self._made is None else self._made.function

    def __get__(self, owner: Any, kind: Any = None) -> Kernel:
        return self if owner is None else Kernel(self._f, owner, self)

    def __repr__(self) -> str:
        return f"<ti.kernel {self._f.__name__}>"

    @functools.cached_property
    def _result(self) -> Any:
        """The type of its result: of a number, a vector or a matrix, or ``None``."""
        annotation = self.function.annotation(self._f.__annotations__.get("return"))
        return annotation if annotation is None or isinstance(annotation, CompoundType) else number_type(annotation)

    def __call__(self, *arguments: Any, **keywords: Any) -> Any:
        function, program = self.function, current()
        own = () if self.owner is None else (self.owner,)
        try:
            bound = inspect.signature(self._f).bind(*own, *arguments, **keywords)
        except TypeError as error:
            raise TaichiRuntimeTypeError(f"{self._f.__name__}: {error}") from None
        bound.apply_defaults()
        given: list[Any] = []
        known: dict[str, Any] = {}
        key: list[Any] = [self._number, id(program)]
        copies: list[tuple[Field, Any]] = []
        for place, parameter in enumerate(function.parameters):
            value = bound.arguments[parameter.name]
            annotation = function.annotation(parameter.annotation)
            self._take(place, parameter, annotation, value, given, known, key, copies)
        result = self._result
        returned = None
        if isinstance(result, CompoundType):
            returned = self._arrays_result(result)
        native = self._launch(function, given, known, tuple(key), returned)
        for field, array in copies:
            array[...] = field.to_numpy()
        return returned[None] if returned is not None else native

    def _arrays_result(self, result: CompoundType) -> Field:
        field = self._arrays._kept.get(("result", id(current())))
        if field is None:
            field = self._arrays._kept[("result", id(current()))] = make(result.dtype, result.form, ())
        return field

    def _take(
        self,
        place: int,
        parameter: inspect.Parameter,
        annotation: Any,
        value: Any,
        given: list[Any],
        known: dict[str, Any],
        key: list[Any],
        copies: list[tuple[Field, Any]],
    ) -> None:
        """One argument: what the launch is given, or what the kernel is compiled for."""
        name = parameter.name
        wrong = lambda expected: TaichiRuntimeTypeError(  # noqa: E731
            f"{self._f.__name__}: `{name}` is {expected}, and was given {type(value).__name__}"
        )
        if isinstance(annotation, NdarrayType) or annotation is NdarrayType:
            if not isinstance(value, Field):
                if not hasattr(value, "dtype") or not hasattr(value, "shape") or hasattr(value, "__array_namespace__") and not hasattr(value, "setflags"):
                    raise wrong("an array of NumPy's, or a ti.ndarray")
                field = self._arrays.field(place, value)
                copies.append((field, value))
                value = field
            given.append(value)
            known[name] = len(given) - 1
        elif annotation is template or isinstance(annotation, template) or annotation is inspect.Parameter.empty:
            if annotation is inspect.Parameter.empty and not (place == 0 and self.owner is not None):
                raise TaichiSyntaxError(f"{self._f.__name__}: the parameter `{name}` has no type: annotate it, as in `{name}: ti.f32`")
            if isinstance(value, Field):
                given.append(value)
                known[name] = len(given) - 1
            else:
                text = repr(value) if isinstance(value, (bool, int, float, str, type(None), DataType, tuple)) else f"@{id(value)}"
                key.append((name, text))
                known[name] = _Template(value)
        elif isinstance(annotation, CompoundType):
            numbers = flattened((value,)) if isinstance(value, (Matrix, list, tuple)) else list(getattr(value, "flat", ()))
            if len(numbers) != annotation.n * (annotation.m or 1):
                raise wrong(repr(annotation))
            given.append((annotation.form, annotation.dtype.name, numbers))
            known[name] = len(given) - 1
        else:
            ty = number_type(annotation)
            if hasattr(value, "item") and not isinstance(value, Field):
                value = value.item()
            if not isinstance(value, (bool, int, float)) or isinstance(value, float) and not ty.is_real:
                raise wrong(f"a number of {ty!r}")
            given.append((None, ty.name, [value]))
            known[name] = len(given) - 1

    def _launch(
        self, function: Function, given: list[Any], known: dict[str, Any], key: tuple[Any, ...], returned: Field | None
    ) -> Any:
        from ._writer import Writer

        captured = self._captured.setdefault(key, [])
        result = None if returned is not None else self._result
        while True:
            fields = captured + ([] if returned is None else [returned])
            arguments = [_native(argument) for argument in given]
            arguments += [field.native for field in fields]
            # Last, so that the numbers of all others are those of the parameters.
            arguments.append(repr(key))

            def write(scope: TaichiScope) -> None:
                places = {id(field.native): len(given) + n for n, field in enumerate(fields)}
                Writer.kernel(scope, function, known, given, places, returned)

            try:
                return current().native.launch(function.source, arguments, None if result is None else result.name, write)
            except MissingField as missing:
                captured.append(missing.field)


class _Template:
    """A value that a kernel is compiled for."""

    def __init__(self, value: Any) -> None:
        self.value = value


def _native(argument: Any) -> Any:
    return argument.native if isinstance(argument, Field) else argument


def kernel(f: Callable[..., Any]) -> Kernel:
    """A kernel: its outermost loops are parallel. Parameters have types: ``ti.f32``, ``ti.template()``, ``ti.types.ndarray()``."""
    return Kernel(f)


def func(f: Callable[..., Any]) -> Func:
    """A function for kernels, which is inlined; arguments are copies, but for those of ``ti.template()``."""
    return Func(f)


def pyfunc(f: Callable[..., Any]) -> Func:
    """A function for kernels and for Python."""
    return _PyFunc(f)


def data_oriented(cls: type) -> type:
    """A class whose methods may be kernels; what they find in ``self`` they are compiled for."""
    return cls
