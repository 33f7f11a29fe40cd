"""Values that hold arrays: lists, tuples, dictionaries, dataclasses, and classes that name their fields in ``DRJIT_STRUCT``."""

import dataclasses

from ._array import ArrayBase

__all__ = ["fields_of", "flatten", "is_struct", "leaves", "map_tree", "rebuild"]


def fields_of(value) -> dict | None:
    """The fields of a struct or its class, by name; ``None`` for all else."""
    class_ = value if isinstance(value, type) else type(value)
    named = getattr(class_, "DRJIT_STRUCT", None)
    if isinstance(named, dict):
        return named
    if dataclasses.is_dataclass(class_):
        return {field.name: _resolved(class_, field) for field in dataclasses.fields(class_)}
    return None


def _resolved(class_, field):
    if not isinstance(field.type, str):
        return field.type
    import typing

    return typing.get_type_hints(class_).get(field.name, object)


def is_struct(value) -> bool:
    """Whether a value or a class has fields."""
    return fields_of(value) is not None


def children(value):
    """The parts of a value with their names, and how it is made of others; ``None`` for what has none."""
    if isinstance(value, ArrayBase):
        return None
    if isinstance(value, dict):
        names = list(value)
        return [(f"[{name!r}]", value[name]) for name in names], lambda parts: type(value)(zip(names, parts, strict=True))
    if isinstance(value, (list, tuple)):
        parts = [(f"[{i}]", part) for i, part in enumerate(value)]
        if hasattr(value, "_fields"):
            return parts, lambda parts: type(value)(*parts)
        return parts, type(value)
    fields = fields_of(value) if not isinstance(value, type) else None
    if fields is None:
        return None

    def make(parts):
        if hasattr(value, "_cloned"):
            made = value._cloned()
        else:
            made = object.__new__(type(value))
            if hasattr(value, "__dict__"):
                made.__dict__.update(value.__dict__)
        for name, part in zip(fields, parts, strict=True):
            object.__setattr__(made, name, part)
        return made

    return [(f".{name}", getattr(value, name)) for name in fields], make


def map_tree(function, value, path: str = ""):
    """The same value with what a function makes of each array."""
    if isinstance(value, ArrayBase):
        return function(value)
    found = children(value)
    if found is None:
        return value
    parts, make = found
    return make([map_tree(function, part, path + name) for name, part in parts])


def flatten(value, path: str = "") -> tuple[list, list]:
    """The arrays of a value, and their paths."""
    arrays: list = []
    paths: list = []
    _collect(value, path, arrays, paths)
    return arrays, paths


def _collect(value, path, arrays, paths):
    if isinstance(value, ArrayBase):
        arrays.append(value)
        paths.append(path)
        return
    found = children(value)
    if found is not None:
        for name, part in found[0]:
            _collect(part, path + name, arrays, paths)


def leaves(*values) -> list:
    """The arrays of values."""
    arrays: list = []
    for value in values:
        if isinstance(value, ArrayBase):
            arrays.append(value)
        else:
            arrays += flatten(value)[0]
    return arrays


def rebuild(value, arrays):
    """The same value with other arrays, in order."""
    given = iter(arrays)
    return map_tree(lambda _: next(given), value)


def like(template, value, path: str, function: str, strict: bool = True) -> list:
    """The arrays of a value that has the form of another one; numbers in the place of arrays become such. Values of Python's must be
    the same, if it is strict."""
    arrays: list = []
    _match(template, value, path, function, arrays, strict)
    return arrays


def _match(template, value, path, function, arrays, strict):
    if isinstance(template, ArrayBase):
        if not isinstance(value, ArrayBase):
            if isinstance(value, (bool, int, float)):
                value = type(template)(value)
            else:
                raise TypeError(f"{function}(): `{path}` changes its type from {type(template).__name__} to {type(value).__name__}")
        arrays.append(value)
        return
    found = children(template)
    if found is None:
        if not strict and not isinstance(value, ArrayBase):
            return
        if isinstance(value, ArrayBase) or type(value) is not type(template):
            raise TypeError(f"{function}(): `{path}` changes its type from {type(template).__name__} to {type(value).__name__}")
        if isinstance(template, (bool, int, float, str)) and value != template and value == value:
            raise RuntimeError(f"{function}(): `{path}`, a value of Python's, changes from {template!r} to {value!r}; an array may")
        return
    own = children(value) if type(value) is type(template) else None
    if own is None or [name for name, _ in own[0]] != [name for name, _ in found[0]]:
        raise TypeError(f"{function}(): `{path}` does not keep its form")
    for (name, part), (_, new) in zip(found[0], own[0], strict=True):
        _match(part, new, path + name, function, arrays, strict)
