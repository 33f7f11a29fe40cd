"""The type stubs of the frontends: `stubs()` gives files and texts, and `make_stubs.py` writes them.

Names, parameters and defaults are those of the installed package, types those of `stubs/types.tsv`; classes that no table has
stand as they are in `stubs/FRONTEND.pyi`.
"""

import enum
import fnmatch
import importlib
import inspect
import re
import sys
import types
from pathlib import Path

from ivyrs import _ivyrs, frontends
from ivyrs.frontends import _namespace

HERE = Path(__file__).resolve().parent
FOLDER = HERE / "python/ivyrs/frontends"
FRONTENDS = {"numpy": "NumPy", "torch": "PyTorch", "jax": "JAX", "tensorflow": "TensorFlow", "paddle": "PaddlePaddle"}
TABLES = HERE.parents[1] / "frontends"
FUNCTION, DTYPE, ABSENT = frontends.Function, frontends.dtype, _namespace._Absent
# Python's own types go by other names, as the frameworks have functions and dtypes of theirs.
BUILTINS = "bool int float complex str tuple list dict slice type object property staticmethod classmethod BaseException".split()
HEAD = '''"""{doc}

Written by bindings/python/make_stubs.py; a test compares.
"""

'''
ALIASES = """\
class _SupportsArray(Protocol):
    def __array__(self) -> Any: ...

_Array: TypeAlias = {array}
_Like: TypeAlias = {array} | ivyrs.Array | complex | Sequence[Any] | _SupportsArray
_DtypeLike: TypeAlias = Dtype | str | type[Any]
_ShapeLike: TypeAlias = int | Sequence[int] | {array}
_AxisLike: TypeAlias = int | Sequence[int]
_Function = TypeVar("_Function", bound=Callable[..., Any])

class _Version:
    def __enter__(self) -> _Version: ...
    def __exit__(self, *error: object) -> None: ...

@overload
def set_version(name: None = None) -> str: ...
@overload
def set_version(name: str) -> _Version: ...
@overload
def ivy_version(name: None = None) -> str: ...
@overload
def ivy_version(name: str) -> _Version: ...
def from_ivy(x: ivyrs.Array) -> {array}: ...
"""
# NumPy's class of arrays makes one of a shape; of an array of ivyrs one that shares its elements.
NUMPY_NEW = "    def __new__(cls, shape: _ShapeLike | ivyrs.Array, dtype: _DtypeLike = ..., *, device: builtins.str | None = None) -> _Array: ...\n"
IMPORTS = """\
import builtins
import ivyrs
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import IO, Any, ClassVar, Literal, NamedTuple, Protocol, TypeAlias, TypeVar, overload

from ivyrs import IvyError
from ivyrs.frontends import dtype as Dtype
"""
RESULTS = {"-": "array", "*": "tuple", "+": "array or tuple", "value": "value", "[*]": "list"}
BINARY = "add sub mul truediv floordiv mod pow matmul and or xor lshift rshift".split()


def rows():
    """The types: patterns of functions, names of parameters, types."""
    for line in (HERE / "stubs/types.tsv").read_text().splitlines():
        if not line.startswith("#"):
            yield line.split("\t")


ROWS = list(rows())


def known(path, name):
    """The type that the table has for a parameter or result."""
    found = [text for pattern, parameter, text in ROWS if parameter == name and fnmatch.fnmatchcase(path, pattern)]
    return found[-1] if found else None


def spelled(text):
    """A type as the stubs write it: names of their own for the aliases, and for Python's types."""
    text = re.sub(r"(?<![\w.])(Array|Like|DtypeLike|ShapeLike|AxisLike)\b(?!\.)", r"_\1", text)
    # Names of parameters stay: what follows them is a type, and what follows a result is "...".
    return re.sub(rf"(?<![\w.\"'])({'|'.join(BUILTINS)})\b(?!: (?!\.\.\.)|=|\()", r"builtins.\1", text)


def table(frontend):
    """Of each path of a frontend's tables what it is, and what it gives: a word, or the names of its results."""
    found, aliases = {}, []
    for file in sorted((TABLES / frontend / "functions").glob("*.tsv")):
        for line in file.read_text().splitlines():
            if line.startswith("#") or not line.strip():
                continue
            path, kind, _, body, given = line.split("\t")
            if kind == "alias":
                aliases.append((path, body))
            found[path] = kind, RESULTS.get(given) or given.removeprefix("+").split(", ")
    for path, target in aliases:
        found[path] = found[target]
    return found


class Bare(str):
    """Text that a signature prints as it is."""

    __module__ = "builtins"

    def __repr__(self):
        return str(self)


def default_of(value):
    """A default as the stub writes it: what is no literal is left out."""
    return value if isinstance(value, (bool, int, float, str, type(None))) else Bare("...")


def type_of(path, parameter, otherwise="Like"):
    """The type of a parameter: by the table, by its default, or else what becomes an array."""
    text, default = known(path, parameter.name), parameter.default
    missing = default is inspect.Parameter.empty
    # The name stands for something else where its default is of another kind.
    if isinstance(default, (int, float)) and not isinstance(default, bool) and text in ("DtypeLike", "bool", "int"):
        text = "int" if text == "int" and isinstance(default, int) else type(default).__name__
    elif isinstance(default, bool) and text in ("str", "int", "float", "DtypeLike"):
        text = "bool"
    if text is None:
        if parameter.kind is inspect.Parameter.VAR_KEYWORD:
            text = "Any"
        elif isinstance(default, (bool, int, float, str)):
            text = type(default).__name__
        else:
            text = otherwise
    if not missing and (default is None or not isinstance(default, (bool, int, float, str, tuple, list))):
        if not re.search(r"\bNone$|\bAny$", text):
            text += " | None"
    if isinstance(default, str) and text in ("int", "bool", "float"):
        text += " | str"
    return spelled(text)


def parameters(path, signature, replaced=(), keep=False, otherwise="Like"):
    """The parameters with their types; `replaced` are those of an overload, which keep their defaults or have none."""
    made = []
    for p in signature.parameters.values():
        if p.name == "self" and p.default is inspect.Parameter.empty and not made and known(path, "self") is None:
            made.append(p)
            continue
        if p.name in dict(replaced):
            value = dict(replaced)[p.name]
            default = p.default if keep else inspect.Parameter.empty
            made.append(p.replace(annotation=Bare(f"Literal[{value}]"), default=default))
            continue
        default = p.default if p.default is inspect.Parameter.empty else default_of(p.default)
        made.append(p.replace(annotation=Bare(type_of(path, p, otherwise)), default=default))
    return made


def text_of(made):
    """Parameters as text: those of an overload without a default, after ones that have one, can only be given by name."""
    seen, kinds = False, []
    for p in made:
        if p.kind is inspect.Parameter.POSITIONAL_OR_KEYWORD and p.default is not inspect.Parameter.empty:
            seen = True
        elif seen and p.kind is inspect.Parameter.POSITIONAL_OR_KEYWORD:
            kinds.append(p.name)
    if kinds:
        first = next(i for i, p in enumerate(made) if p.name == kinds[0])
        by_name = [
            p.replace(kind=inspect.Parameter.KEYWORD_ONLY) if p.kind is inspect.Parameter.POSITIONAL_OR_KEYWORD and i >= first else p
            for i, p in enumerate(made)
        ]
        made = by_name
    return str(inspect.Signature(made))


def result_of(path, results):
    """The type of a result."""
    text = known(path, "return")
    if text is None:
        name = path.rsplit(".", 1)[1]
        plain = {"array": "Array", "tuple": "tuple[Array, ...]", "list": "list[Array]", "array or tuple": "Array | tuple[Array, ...]"}
        text = f"_{name}_result" if isinstance(results, list) else plain.get(results)
    if text is None:
        raise SystemExit(f"stubs/types.tsv has no result of {path}")
    return spelled(text)


def definition(path, name, signature, results, indent="", decorator=""):
    """A function, with its overloads."""
    overloads = [
        (parameter.removeprefix("return ").split("="), text)
        for pattern, parameter, text in ROWS
        if parameter.startswith("return ") and fnmatch.fnmatchcase(path, pattern)
    ]
    result = result_of(path, results)
    if not overloads:
        return f"{indent}{decorator}def {name}{text_of(parameters(path, signature))} -> {result}: ...\n"
    # First the call with none of these arguments: the flags are False there, or True where an overload is for False.
    flags = [(parameter, str(value != "True")) for (parameter, value), _ in overloads if value in ("True", "False")]
    plain = text_of(parameters(path, signature, flags, keep=True))
    lines = [f"{indent}@overload\n{indent}def {name}{plain} -> {result}: ...\n"] if flags else []
    for (parameter, value), text in overloads:
        made = text_of(parameters(path, signature, [(parameter, value)]))
        told = "" if flags else "  # type: ignore[overload-overlap]"
        lines.append(f"{indent}@overload\n{indent}def {name}{made} -> {spelled(text)}: ...{told}\n")
    if not flags:
        lines.append(f"{indent}@overload\n{indent}def {name}{text_of(parameters(path, signature))} -> {result}: ...\n")
    return "".join(lines)


def named(path, results):
    """The class of named results."""
    name = path.rsplit(".", 1)[1]
    if not isinstance(results, list) or known(path, "return") not in (None, f"_{name}_result"):
        return ""
    told = {field: "  # type: ignore[assignment]" * (field in ("count", "index")) for field in results}
    return f"class _{name}_result(NamedTuple):\n" + "".join(f"    {field}: _Array{told[field]}\n" for field in results) + "\n"


def exception(name, value):
    """A framework's exception."""
    bases = [base.__name__ if base.__name__ == "IvyError" else f"builtins.{base.__name__}" for base in value.__bases__]
    return f"class {name}({', '.join(bases)}): ...\n"


def body(frontend, path, module, owned, results):
    """What a module has, but for its submodules."""
    classes, lines = [], []
    prefix = frontend + (f".{path}" if path else "")
    for name, value in sorted(vars(module).items()):
        if name.startswith("_") or name in owned or isinstance(value, types.ModuleType):
            continue
        full = f"{prefix}.{name}"
        if isinstance(value, FUNCTION):
            kind, given = results[value.__qualname__]
            if kind == "ufunc":
                count = sum(p.kind is inspect.Parameter.POSITIONAL_ONLY for p in inspect.signature(value).parameters.values())
                lines.append(f"{name}: _ufunc_{'two_results' if given == 'tuple' else 'unary' if count == 1 else 'binary'}\n")
                continue
            classes.append(named(full, given))
            quiet = kind == "inplace" and frontend == "numpy"
            signature = inspect.signature(value)
            lines.append(definition(full, name, signature, given).replace("-> _Array", "-> None") if quiet else definition(full, name, signature, given))
        elif isinstance(value, DTYPE):
            lines.append(f"{name}: Dtype\n")
        elif isinstance(value, type) and any(isinstance(member, FUNCTION) for member in vars(value).values()):
            lines.append(other_class(frontend, full, name, value, results))
        elif isinstance(value, type) and value.__module__.startswith(f"ivyrs.frontends.{frontend}") and not issubclass(value, BaseException):
            lines.append(plain_class(full, name, value, module))
        elif isinstance(value, type) and issubclass(value, BaseException):
            lines.append(f"from ivyrs.frontends.{frontend} import {name} as {name}\n" if path else exception(name, value))
        elif inspect.isfunction(value):
            lines.append(definition(full, name, inspect.signature(value), None))
        elif value is None or isinstance(value, (float, int)):
            lines.append(f"{name}: {spelled(type(value).__name__) if value is not None else 'None'}\n")
        else:
            raise SystemExit(f"stubs/{frontend}.pyi does not say what {full} is: {value!r}")
    return "".join(classes), "".join(lines)


def other_class(frontend, path, name, cls, results):
    """A class whose methods are functions of the tables."""
    own = fragment(frontend)[1].get(path.removeprefix(f"{frontend}."), "")
    kept = set(re.findall(r"^    def (\w+)", own, flags=re.M))
    lines = [
        definition(f"{path}.{member}", member, inspect.signature(value), results[value.__qualname__][1], "    ")
        for member, value in sorted(vars(cls).items())
        if isinstance(value, FUNCTION) and member not in kept
    ]
    return f"class {name}:\n" + "".join(lines) + own


def plain_class(path, name, cls, module):
    """A class that is written in Python: its methods, and those of bases that have no public name."""
    public = {id(value) for key, value in vars(module).items() if not key.startswith("_")}
    base = next(c for c in cls.__mro__[1:] if id(c) in public or c is object or isinstance(c, type(cls)) and c.__name__ == "Tensor")
    members = {}
    for owner in reversed(cls.__mro__[: cls.__mro__.index(base)]):
        members.update(vars(owner))
    lines = []
    for member, value in sorted(members.items()):
        if member.startswith("_") and member not in SPOKEN:
            continue
        full = f"{path}.{member}"
        result = spelled(known(full, "return") or ("None" if member == "__init__" else "Any"))
        if isinstance(value, (classmethod, staticmethod)):
            made = text_of(parameters(full, inspect.signature(value.__func__), otherwise="Any"))
            made = made.replace("(cls: builtins.type[Any]", "(cls").replace("(cls: Any", "(cls")
            lines.append(f"    @builtins.{type(value).__name__}\n    def {member}{made} -> {result}: ...\n")
        elif inspect.isfunction(value):
            made = text_of(parameters(full, inspect.signature(value), otherwise="Any"))
            lines.append(f"    def {member}{made} -> {result}: ...\n")
    attribute = "    def __getattr__(self, name: builtins.str) -> Any: ...\n" if base is object and "__getattr__" not in members else ""
    return f"class {name}({base.__name__}):\n".replace("(object)", "") + ("".join(lines) + attribute or "    ...\n")


# What is written of Python's own methods.
SPOKEN = "__init__ __new__ __call__ __len__ __iter__ __getitem__ __setitem__ __delitem__ __contains__ __add__ __iadd__ __getattr__".split()


def array_class(frontend, name, cls, results):
    """The framework's class of arrays."""
    path = f"{frontend}.{name}"
    fragment = set(re.findall(r"^    (?:def |)(\w+)[:(]", known_class(frontend, name), flags=re.M))
    lines = []
    changes = "__iadd__" in vars(cls) and frontend in ("numpy", "torch")
    for operator in BINARY:
        forms = ["", "r"] + ["i"] * changes
        lines += [f"    def __{form}{operator}__(self, other: _Like, /) -> _Array: ...\n" for form in forms]
    lines += [f"    def __{operator}__(self, other: _Like, /) -> _Array: ...  # type: ignore[override]\n" for operator in ("eq", "ne")]
    lines += [f"    def __{operator}__(self, other: _Like, /) -> _Array: ...\n" for operator in ("lt", "le", "gt", "ge")]
    lines += [f"    def __{operator}__(self) -> _Array: ...\n" for operator in ("neg", "pos", "abs", "invert", "copy")]
    plain = [("bool", "bool"), ("int", "int"), ("float", "float"), ("complex", "complex"), ("index", "int"), ("len", "int"), ("hash", "int")]
    lines += [spelled(f"    def __{operator}__(self) -> {result}: ...\n") for operator, result in plain]
    lines += [
        "    def __iter__(self) -> Iterator[_Array]: ...\n",
        "    def __contains__(self, value: _Like, /) -> builtins.bool: ...\n",
        "    def __getitem__(self, key: Any, /) -> _Array: ...\n",
        "    def __setitem__(self, key: Any, value: _Like, /) -> None: ...\n" if changes else "",
        "    def __array__(self, dtype: Any = None, copy: builtins.bool | None = None) -> Any: ...\n",
        NUMPY_NEW if frontend == "numpy" else "    def __new__(cls, value: _Like, /) -> _Array: ...\n",
        "    @property\n    def ivy_array(self) -> ivyrs.Array: ...\n",
    ]
    for member, value in sorted(vars(cls).items()):
        if member.startswith("_") and member != "_base" or member in fragment or member == "ivy_array" or isinstance(value, ABSENT):
            continue
        if isinstance(value, FUNCTION):
            kind, given = results[value.__qualname__]
            made = definition(f"{path}.{member}", member, inspect.signature(value), given, "    ")
            lines.append(made.replace("-> _Array", "-> None") if kind == "inplace" and frontend == "numpy" else made)
        elif isinstance(value, (property, types.GetSetDescriptorType)):
            given = results.get(f"{name}.{member}", (None, None))[1]
            made = f"    @property\n    def {member}(self) -> {result_of(f'{path}.{member}', given)}: ...\n"
            if isinstance(value, property) and value.fset is not None:
                made += f"    @{member}.setter\n    def {member}(self, value: {spelled(known(f'{path}.{member}', 'value') or 'Like')}, /) -> None: ...\n"
            lines.append(made)
        elif inspect.isfunction(value):
            lines.append(definition(f"{path}.{member}", member, inspect.signature(value), None, "    "))
        else:
            raise SystemExit(f"stubs/{frontend}.pyi does not say what {path}.{member} is: {value!r}")
    own = known_class(frontend, name)
    return f"class {name}:\n" + "".join(lines) + own


def fragment(frontend):
    """What is written by hand for a frontend: the text of its main module, and those of submodules by path."""
    file = HERE / f"stubs/{frontend}.pyi"
    parts = re.split(r"^# (module|members of) (\S*)\n", file.read_text() if file.exists() else "", flags=re.M)
    return spelled(parts[0]), {path: spelled(text) for path, text in zip(parts[2::3], parts[3::3])}


def known_class(frontend, name):
    """The members of the array class that are written by hand."""
    text = fragment(frontend)[1].get(name, "")
    return text


def submodules(module, prefix=""):
    """The modules below one that are the frontend's, by path."""
    for name, value in sorted(vars(module).items()):
        path = f"{prefix}{name}"
        if isinstance(value, types.ModuleType) and value.__name__.startswith("ivyrs.frontends.") and not name.startswith("_"):
            if sys.modules.get(value.__name__) is value and value.__name__.count("._") == 0:
                yield path, value
                yield from submodules(value, path + ".")


def of_frontend(frontend):
    """The files of one frontend."""
    module = importlib.import_module(f"ivyrs.frontends.{frontend}")
    array = module._ARRAY
    results = table(frontend)
    main, parts = fragment(frontend)
    folder = FOLDER / frontend
    below = dict(submodules(module))
    made = {}

    def owned(text):
        return set(re.findall(r"^(?:class |def |from \S+ import \w+ as |)(\w+)(?=[(:\s])", text, flags=re.M))

    if not main and not parts:
        raise SystemExit(f"stubs/{frontend}.pyi is missing")

    top = [path for path in below if "." not in path]
    classes, functions = body(frontend, "", module, owned(main) | {array.__name__, "set_version", "ivy_version", "from_ivy"}, results)
    text = HEAD.format(doc=f"{FRONTENDS[frontend]}'s functions over ivyrs.") + IMPORTS
    text += "".join(f"from . import {name} as {name}\n" for name in top) + "\n"
    text += array_class(frontend, array.__name__, array, results) + "\n"
    text += spelled(ALIASES).format(array=array.__name__) + "\n" + classes + spelled_fragment(main) + functions
    made[folder / "__init__.pyi"] = text
    aliases = f"{array.__name__}, _Array, _AxisLike, _DtypeLike, _Like, _ShapeLike"
    for path, value in below.items():
        own = parts.get(path, "")
        classes, functions = body(frontend, path, value, owned(own) | {array.__name__ if path == "numpy" else ""}, results)
        inner = [p.rsplit(".", 1)[1] for p in below if p.startswith(path + ".") and p.count(".") == path.count(".") + 1]
        text = HEAD.format(doc=f"The functions of {frontend}.{path}.") + IMPORTS
        text += f"from ivyrs.frontends.{frontend} import {aliases}\n"
        text += "".join(f"from . import {name} as {name}\n" for name in inner) + "\n" + classes + spelled_fragment(own) + functions
        file = folder.joinpath(*path.split("."))
        made[file / "__init__.pyi" if inner else file.with_suffix(".pyi")] = text
    return made


def spelled_fragment(text):
    return text and text.rstrip("\n") + "\n\n"


SHARED = """\
\"\"\"Other frameworks' namespaces over ivyrs' arrays.

Written by bindings/python/make_stubs.py; a test compares.
\"\"\"

import builtins
import ivyrs
from collections.abc import Callable
from typing import Any

class dtype:
    @property
    def name(self) -> builtins.str: ...
    @property
    def itemsize(self) -> builtins.int: ...
    @property
    def kind(self) -> builtins.str: ...
    @property
    def is_floating_point(self) -> builtins.bool: ...
    @property
    def is_complex(self) -> builtins.bool: ...
    @property
    def is_signed(self) -> builtins.bool: ...
    @property
    def num(self) -> builtins.int: ...
    @property
    def descr(self) -> builtins.list[builtins.tuple[builtins.str, builtins.str]]: ...
    @property
    def base(self) -> dtype: ...
    @property
    def ivy_dtype(self) -> ivyrs.Dtype: ...
    def __init__(self, dtype: Any, align: builtins.bool = False, copy: builtins.bool = False) -> None: ...
    def __call__(self, value: Any, /) -> Any: ...
    def __eq__(self, other: builtins.object, /) -> builtins.bool: ...
    def __hash__(self) -> builtins.int: ...

class Function:
    __name__: builtins.str
    __call__: Callable[..., Any]
"""


def stubs():
    """The files and their texts."""
    made = {FOLDER / "__init__.pyi": SHARED}
    for frontend in FRONTENDS:
        made.update(of_frontend(frontend))
    return made
