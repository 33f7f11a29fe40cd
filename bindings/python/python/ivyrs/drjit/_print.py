"""Text of arrays."""

import sys

from . import _native
from ._array import ArrayBase
from ._traits import is_array_v
from ._trees import children

__all__ = ["format", "print"]


def _text(value, limit, indent: int = 0) -> str:
    """A value as text: lists and structs an entry a line."""
    if isinstance(value, ArrayBase):
        return _native.text(value, limit).replace("\n", "\n" + " " * indent)
    found = children(value)
    if found is None:
        return str(value)
    parts, _ = found
    inner = " " * (indent + 2)
    if isinstance(value, dict):
        lines = [f"{inner}{name!r}: {_text(part, limit, indent + 4 + len(repr(name)))}" for name, part in value.items()]
        ends = "{}"
    elif isinstance(value, (list, tuple)):
        lines = [inner + _text(part, limit, indent + 2) for _, part in parts]
        ends = "[]" if isinstance(value, list) else "()"
    else:
        lines = [f"{inner}{name[1:]}={_text(part, limit, indent + 3 + len(name[1:]))}" for name, part in parts]
        ends = f"{type(value).__name__}[", "]"
    if not lines:
        return ends[0] + ends[1]
    return f"{ends[0]}\n" + ",\n".join(lines) + f"\n{' ' * indent}{ends[1]}"


def _write(fmt: str, args, kwargs, limit) -> str:
    made: list[str] = []
    used = 0
    at = 0
    column = 0
    while at < len(fmt):
        letter = fmt[at]
        if letter in "{}" and fmt[at + 1 : at + 2] == letter:
            made.append(letter)
            at += 2
        elif letter == "{":
            end = fmt.find("}", at)
            if end < 0:
                raise RuntimeError(f"drjit.format(): unmatched brace in format string (at position {at})")
            name = fmt[at + 1 : end]
            aligned = name.endswith("=")
            name = name[:-1] if aligned else name
            if name == "" and not aligned:
                if used >= len(args):
                    raise RuntimeError(f'drjit.format(): missing positional argument "{used}" referenced by format string (at position {at})')
                value = args[used]
                used += 1
            elif name.isdigit():
                if int(name) >= len(args):
                    raise RuntimeError(f'drjit.format(): missing positional argument "{name}" referenced by format string (at position {at})')
                value = args[int(name)]
            else:
                if name not in kwargs:
                    raise RuntimeError(f'drjit.format(): missing keyword argument "{name}" referenced by format string (at position {at})')
                value = kwargs[name]
            if aligned:
                made.append(f"{name}=")
            before = "".join(made)
            column = len(before) - (before.rfind("\n") + 1)
            made.append(_text(value, limit, column if isinstance(value, ArrayBase) else 0))
            at = end + 1
        elif letter == "}":
            raise RuntimeError(f"drjit.format(): unmatched brace in format string (at position {at})")
        else:
            made.append(letter)
            at += 1
    return "".join(made)


def format(fmt, *args, limit: int = 20, **kwargs) -> str:
    """A text in which references in braces are replaced: ``{}`` by the next argument, ``{0}`` by one of a number, ``{name}`` by one of a
    name. A value alone is its own text. ``limit`` entries of a dimension are written in full; all, if it is negative.

    >>> format("x = {}", Float(1, 2))
    'x = [1, 2]'
    """
    if not isinstance(limit, int):
        raise RuntimeError(f"drjit.format(): the limit is {limit!r}: an integer is needed")
    entries = None if limit < 0 else limit
    if not isinstance(fmt, str):
        return _text(fmt, entries)
    return _write(fmt, args, kwargs, entries)


def print(fmt, *args, active=True, end: str = "\n", file=None, limit: int = 20, mode: str = "auto", **kwargs) -> None:
    """Writes the text of :func:`format`; of the threads of a mask only, if one is given."""
    if active is not True:
        if not is_array_v(active):
            if not active:
                return
        else:
            places = _native.compress(active)
            args = tuple(_chosen(arg, places) for arg in args)
            kwargs = {name: _chosen(arg, places) for name, arg in kwargs.items()}
            fmt = fmt if isinstance(fmt, str) else _chosen(fmt, places)
    (file or sys.stdout).write(format(fmt, *args, limit=limit, **kwargs) + end)


def _chosen(value, places):
    from ._classes import type_of
    from ._trees import map_tree

    def one(x):
        ty = type_of(x)
        single = ty.kind == "tensor" or _native.width([x]) == 1
        return x if single else _native.gather(ty, x, places, True)

    return map_tree(one, value)
