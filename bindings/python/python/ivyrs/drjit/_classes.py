"""The classes of the packages, one for each type of arrays."""

from . import _native
from ._array import ArrayBase
from ivyrs._ivyrs import DrjitType

_KINDS = {"array": "is_vector", "matrix": "is_matrix", "complex": "is_complex", "quaternion": "is_quaternion", "tensor": "is_tensor"}
_NUMBERS = {"Bool": bool}


def describe(ty: DrjitType) -> str:
    """The description of a type: Dr.Jit's ``__meta__``."""
    lines = [f"type={ty.dtype.lower()}"]
    if ty.backend != "Invalid":
        lines += [f"backend={ty.backend.lower()}", "is_jit=1"]
    if ty.kind in _KINDS:
        lines.append(f"{_KINDS[ty.kind]}=1")
    if ty.is_diff:
        lines.append("is_diff=1")
    sizes = ", ".join("*" if size < 0 else str(size) for size in ty.sizes)
    lines.append(f"shape=({sizes})")
    return "ArrayMeta[\n  " + ",\n  ".join(lines) + "\n]"


def make_class(ty: DrjitType) -> type:
    """The class of a type: Python's own numbers are the single values."""
    if ty.kind == "flat" and not ty.is_jit:
        made = _NUMBERS.get(ty.dtype, float if ty.is_float else int)
    else:
        names = {"__slots__": (), "__module__": f"ivyrs.drjit.{ty.package}", "_drjit_type": ty, "__meta__": describe(ty)}
        made = type(ArrayBase)(ty.short_name, (ArrayBase,), names)
    _native.register_class(ty, made)
    return made


def fill(package: str, names: dict) -> None:
    """Puts the classes of a package into a module."""
    aliases = []
    for name in _native.type_names(package):
        ty = DrjitType(f"drjit.{package}.{name}")
        if ty.short_name == name:
            names[name] = make_class(ty)
        else:
            aliases.append((name, ty.short_name))
    for name, short_name in aliases:
        names[name] = names[short_name]
    if package == "scalar":
        names["Int16"] = names["UInt16"] = int


def type_of(value) -> DrjitType | None:
    """The type of an array or a class of arrays; ``None`` for all else."""
    return getattr(value if isinstance(value, type) else type(value), "_drjit_type", None)


def class_of(ty: DrjitType) -> type:
    """The class of a type."""
    return _native.class_of_type(ty)
