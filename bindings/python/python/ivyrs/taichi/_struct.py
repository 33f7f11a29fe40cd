"""Structs: values with named members, in fields and in kernels."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from typing import Any

from ._errors import TaichiSyntaxError, TaichiTypeError
from ._fields import Field, Layout, field_type, make
from ._matrix import Matrix
from ._types import CompoundType, DataType, QuantType, number_type


class Struct:
    """A struct in Python's scope: its members are attributes."""

    def __init__(self, *values: Any, **members: Any) -> None:
        own = dict(values[0]) if values and isinstance(values[0], dict) else {}
        self.__dict__["_members"] = {**own, **members}
        self.__dict__["_changed"] = None

    @staticmethod
    def of(ty: StructType, members: dict[str, Any]) -> Struct:
        """A struct of a type."""
        made = Struct(members)
        made.__dict__["_type"] = ty
        return made

    @property
    def entries(self) -> dict[str, Any]:
        """The members by name."""
        return self._members

    @property
    def keys(self) -> list[str]:
        """The names."""
        return list(self._members)

    def __getattr__(self, name: str) -> Any:
        try:
            return self.__dict__["_members"][name]
        except KeyError:
            method = getattr(self.__dict__.get("_type"), "methods", {}).get(name)
            if method is not None:
                return method.__get__(self, Struct)
            raise AttributeError(f"a struct of {', '.join(self._members)} has no member `{name}`") from None

    def __setattr__(self, name: str, value: Any) -> None:
        if name not in self._members:
            raise AttributeError(f"a struct of {', '.join(self._members)} has no member `{name}`")
        self._members[name] = value
        if self._changed is not None:
            self._changed(name, value)

    def __getitem__(self, name: str) -> Any:
        return getattr(self, name)

    def __setitem__(self, name: str, value: Any) -> None:
        setattr(self, name, value)

    def __repr__(self) -> str:
        return repr(self.to_dict())

    def to_dict(self) -> dict[str, Any]:
        """The members by name, structs within as dictionaries too."""
        plain = lambda x: x.to_dict() if isinstance(x, Struct) else x.to_list() if isinstance(x, Matrix) else x  # noqa: E731
        return {name: plain(value) for name, value in self._members.items()}

    @classmethod
    def field(cls, members: dict[str, Any], shape: Any = None, **options: Any) -> StructField:
        """A field of structs with these members."""
        return StructType(members).field(shape, **options)


class StructType:
    """A type of structs: the types of its members by name, and functions that kernels call on them."""

    def __init__(self, members: dict[str, Any], methods: dict[str, Any] | None = None, name: str = "struct") -> None:
        self.members = {key: _member(key, ty) for key, ty in members.items()}
        self.methods, self.name = methods or {}, name

    def __repr__(self) -> str:
        return f"<{self.name} of {', '.join(self.members)}>"

    def arguments(self, values: tuple[Any, ...], members: dict[str, Any]) -> dict[str, Any]:
        """What members are made of, by name; what is missing is zero."""
        if len(values) == 1 and not members and (isinstance(values[0], dict) or isinstance(values[0], Struct) and self.is_of(values[0])):
            members, values = values[0].entries if isinstance(values[0], Struct) else values[0], ()
        if len(values) > len(self.members):
            raise TypeError(f"{self!r} has {len(self.members)} members, got {len(values)}")
        given = dict(zip(self.members, values))
        for name, value in members.items():
            if name not in self.members or name in given:
                raise TypeError(f"{self!r} has no free member `{name}`")
            given[name] = value
        return given

    def is_of(self, struct: Struct) -> bool:
        """Whether a struct has this type's members: one of no type may have them in any order."""
        own = struct.__dict__.get("_type")
        return own is self or list(struct.entries) == list(self.members) or own is None and set(struct.entries) <= set(self.members)

    def __call__(self, *values: Any, **members: Any) -> Struct:
        given = self.arguments(values, members)
        return Struct.of(self, {name: _made(ty, given.get(name)) for name, ty in self.members.items()})

    def field(self, shape: Any = None, *, layout: Layout = Layout.AOS, offset: Any = None, **_: Any) -> StructField:
        """A field of such structs; those of one cell stand together, or each member has cells of its own."""
        fields = {name: _unplaced(name, ty) for name, ty in self.members.items()}
        whole = StructField(self, fields)
        if shape is not None:
            _place(list(whole.leaves()), shape, layout, offset)
        return whole


class StructField:
    """A field of structs: a field for each member."""

    def __init__(self, ty: StructType, fields: dict[str, Any]) -> None:
        self.ty, self.fields = ty, fields

    def leaves(self) -> Iterator[Field]:
        """The fields of numbers, vectors and matrices."""
        for field in self.fields.values():
            if isinstance(field, StructField):
                yield from field.leaves()
            else:
                yield field

    def parent(self, n: int = 1) -> Any:
        """The node so many levels above the place of its first member."""
        return self.snode.parent(n)

    @property
    def snode(self) -> Any:
        """The place of its first member."""
        return next(self.leaves()).snode

    @property
    def shape(self) -> tuple[int, ...]:
        """The extents of its indices."""
        return next(self.leaves()).shape

    @property
    def keys(self) -> list[str]:
        """The names of the members."""
        return list(self.fields)

    def get_member_field(self, name: str) -> Any:
        """The field of a member."""
        return self.fields[name]

    def __getattr__(self, name: str) -> Any:
        fields = self.__dict__.get("fields", {})
        if name not in fields:
            raise AttributeError(f"a field of {self.__dict__.get('ty')!r} has no member `{name}`")
        return fields[name]

    def __getitem__(self, index: Any) -> Struct:
        struct = Struct.of(self.ty, {name: field[index] for name, field in self.fields.items()})
        struct.__dict__["_changed"] = lambda name, value: self.fields[name].__setitem__(index, value)
        return struct

    def __setitem__(self, index: Any, value: Any) -> None:
        members = value.entries if isinstance(value, Struct) else value
        for name, field in self.fields.items():
            field[index] = members[name]

    def fill(self, value: Any) -> None:
        """Sets every number."""
        for name, field in self.fields.items():
            field.fill(value.entries[name] if isinstance(value, Struct) else value)

    def to_numpy(self) -> dict[str, Any]:
        """The members' arrays by name."""
        return {name: field.to_numpy() for name, field in self.fields.items()}

    def from_numpy(self, arrays: dict[str, Any]) -> None:
        """Sets all members to those of arrays by name."""
        for name, field in self.fields.items():
            field.from_numpy(arrays[name])

    def copy_from(self, other: StructField) -> None:
        """Sets all elements to those of another field of such structs."""
        for name, field in self.fields.items():
            field.copy_from(other.fields[name])


class StructValue:
    """A struct in a kernel: values by name."""

    def __init__(self, ty: StructType | None, members: dict[str, Any]) -> None:
        self.ty, self.members = ty, members


def _member(name: str, ty: Any) -> Any:
    # Python's own are those of the program that is there when a struct is made.
    if isinstance(ty, (CompoundType, StructType, DataType, QuantType)) or ty in (int, float, bool):
        return ty
    if isinstance(ty, dict):
        return StructType(ty)
    raise TaichiTypeError(f"the member `{name}` is of numbers, vectors, matrices or structs, not {ty!r}")


def _made(ty: Any, value: Any) -> Any:
    if isinstance(ty, StructType):
        return value if isinstance(value, Struct) else ty() if value is None else ty(value)
    if isinstance(ty, CompoundType):
        return ty(0 if value is None else value)
    return number_type(ty)(0 if value is None else value)


def _unplaced(name: str, ty: Any) -> Any:
    if isinstance(ty, StructType):
        return StructField(ty, {key: _unplaced(key, own) for key, own in ty.members.items()})
    if isinstance(ty, CompoundType):
        return make(field_type(ty._dtype), ty.form, None, name=name)
    return make(field_type(ty), None, None, name=name)


def _place(fields: list[Field], shape: Any, layout: Layout, offset: Any) -> None:
    from ._snodes import FieldsBuilder, axes

    builder = FieldsBuilder()
    extents = [shape] if isinstance(shape, int) else list(shape)

    def cell() -> Any:
        return builder.dense(axes(*range(len(extents))), extents) if extents else builder.root

    if layout is Layout.AOS:
        cell().place(*fields, offset=offset)
    else:
        for field in fields:
            cell().place(field, offset=offset)
    builder.finalize()


def dataclass(cls: type) -> StructType:
    """A struct by the annotations of a class; its functions with ``@ti.func`` are called on it in kernels."""
    from ._kernel import Func

    members = {name: eval(ty) if isinstance(ty, str) else ty for name, ty in cls.__dict__.get("__annotations__", {}).items()}  # noqa: S307
    for name in members:
        if name in vars(cls):
            raise TaichiSyntaxError(f"{cls.__name__}.{name}: Default value in @dataclass is not supported.")
    methods = {name: value for name, value in vars(cls).items() if isinstance(value, Func) or inspect.isfunction(value)}
    return StructType(members, methods, cls.__name__)


def struct(*, methods: dict[str, Callable[..., Any]] | None = None, **members: DataType | CompoundType | StructType | type) -> StructType:
    """A type of structs by the types of its members: ``ti.types.struct``."""
    from ._kernel import Func

    functions = {name: f if isinstance(f, Func) else Func(f) for name, f in (methods or {}).items()}
    return StructType(members, functions)
