"""The type stubs of ivyrs.drjit: classes by their own promotion, functions by what they give for what they take. `make_stubs.py` writes them."""

import importlib
import re
from pathlib import Path

import ivyrs.drjit as dr
from ivyrs.drjit import _native
from ivyrs.drjit._classes import type_of

FOLDER = Path(__file__).resolve().parent / "python/ivyrs/drjit"
# What has a text of its own: the base of arrays, and functions; the generators of a package.
OWN, GENERATORS = (Path(__file__).resolve().parent / "stubs" / name for name in ("drjit.pyi", "drjit_package.pyi"))
HEAD = '"""{doc}\n\nWritten by bindings/python/make_stubs.py; a test compares.\n"""\n\n'
# The packages with classes of their own, and the module whose arrays without derivatives go with them.
PACKAGES = {
    "scalar": ("scalar/__init__.pyi", "Single values of the host.", None),
    "llvm": ("llvm/__init__.pyi", "Arrays on the processor.", None),
    "llvm.ad": ("llvm/ad.pyi", "Differentiable arrays, on the processor.", "llvm"),
    "cuda": ("cuda/__init__.pyi", "Arrays on a GPU of NVIDIA's.", None),
    "cuda.ad": ("cuda/ad.pyi", "Differentiable arrays, on a GPU of NVIDIA's.", "cuda"),
}
# Functions whose result is of the type of the argument, and numbers of numbers.
UNARY = """abs acos acosh asin asinh atan atanh brev cbrt ceil conj cos cosh deg2rad erf erfinv exp exp2 floor inverse lgamma log log2 log2i
lzcnt normalize popcnt rad2deg rcp round rsqrt safe_acos safe_asin safe_sqrt sign sin sinh sqr sqrt square tan tanh trunc tzcnt relative_grad
linear_srgb_to_oklab oklab_to_linear_srgb"""
BINARY = "atan2 copysign cross fmax fmin hypot maximum minimum mul_hi mulsign power step"
REDUCTIONS = "max mean min prod sum"
OF_MASKS = "all any none"
CONSTANTS = "e pi inf nan two_pi four_pi inv_pi inv_two_pi inv_four_pi sqrt_pi sqrt_two sqrt_two_pi sqrt_four_pi inv_sqrt_pi inv_sqrt_two inv_sqrt_two_pi inv_sqrt_four_pi log_two inv_log_two"


def _functions() -> dict[str, str]:
    """Each function's stub."""
    made: dict[str, str] = {}
    overloaded = "@overload\ndef {0}({1}) -> float: ...\n@overload\ndef {0}({2}) -> _A: ...\n"
    for name in UNARY.split():
        made[name] = overloaded.format(name, "x: float, /", "x: _A, /")
    for name in BINARY.split():
        made[name] = (
            f"@overload\ndef {name}(x: float, y: float, /) -> float: ...\n@overload\ndef {name}(x: _A, y: _A | float, /) -> _A: ...\n"
            f"@overload\ndef {name}(x: float, y: _A, /) -> _A: ...\n"
        )
    for name in REDUCTIONS.split():
        rest = "axis: Any, mode: str | None = None, keepdims: bool = False"
        made[name] = (
            f"@overload\ndef {name}(value: ArrayBase[Any, Any, Any, _S, Any], *, mode: str | None = None) -> _S: ...\n"
            f"@overload\ndef {name}(value: object, {rest}) -> Any: ...\n@overload\ndef {name}(value: Sequence[float] | float) -> float: ...\n"
        )
    for name in OF_MASKS.split():
        made[name] = (
            f"@overload\ndef {name}(value: ArrayBase[Any, Any, Any, _S, Any]) -> _S: ...\n"
            f"@overload\ndef {name}(value: object, axis: Any, keepdims: bool = False) -> Any: ...\n@overload\ndef {name}(value: Sequence[bool] | bool) -> bool: ...\n"
        )
    for name in vars(dr):
        if name.startswith("is_") and name.endswith("_v"):
            made[name] = f"def {name}(arg: object) -> bool: ...\n"
        elif name.endswith("_t"):
            made[name] = f"def {name}(arg: object) -> type[Any]: ...\n"
    return made


def _enums() -> str:
    made = []
    for name in ("ADFlag", "ADMode", "FilterMode", "JitBackend", "JitFlag", "KernelType", "LogLevel", "ReduceMode", "ReduceOp", "VarState", "VarType", "WrapMode"):
        own = getattr(dr, name)
        base = next(base.__name__ for base in own.__mro__ if base.__module__ == "enum")
        members = "".join(f"    {key} = {member.value!r}\n" for key, member in own.__members__.items())
        made.append(f"class {name}(enum.{base}):\n{members}\n")
    return "".join(made)


def main_stub() -> str:
    """The stub of ivyrs.drjit; each public name has its types."""
    own = OWN.read_text()
    said = set(re.findall(r"^(?:def |class |)(\w+)[(:\[]", own, re.M)) | set(re.findall(r" as (\w+)$", own, re.M))
    functions = {name: text for name, text in _functions().items() if name not in said}
    enums, constants = _enums(), "".join(f"{name}: float\n" for name in CONSTANTS.split()) + "Dynamic: int\nnewaxis: None\n\n"
    said |= functions.keys() | {*CONSTANTS.split(), "Dynamic", "newaxis"} | set(re.findall(r"^class (\w+)", enums, re.M))
    missing = sorted(name for name in vars(dr) if not name.startswith("_") and name not in said)
    if missing:
        raise SystemExit(f"{OWN.name}: the types of {', '.join(missing)} are not there")
    imports, rest = own.split("\nclass ArrayBase", 1)
    made = "".join(functions[name] for name in sorted(functions))
    return HEAD.format(doc="Dr.Jit's array types, functions, control flow and differentiation over ivy's engine.") + (
        f"{imports}\n{constants}{enums}class ArrayBase{rest}\n{made}"
    )


def _class(name: str, own: type, names: dict[type, str]) -> str:
    """A class: its base by its elements, and its components."""
    ty = type_of(own)

    def named(class_: type) -> str:
        return names.get(class_, class_.__name__)

    entry = own if ty.kind == "tensor" else dr.value_t(own)
    total = own if ty.kind in ("flat", "tensor") else entry
    real = own if ty.is_float or ty.dtype == "Bool" else dr.expr_t(own, float)
    special = ty.kind in ("matrix", "complex", "quaternion")
    base = "_Masks" if ty.dtype == "Bool" else "_Numbers" if special else "_Ordered" if ty.is_float else "_Integers"
    parameters = ", ".join([f'"_{name}Like"', *(f'"{named(x)}"' for x in (entry, dr.mask_t(own), total, real))])
    # What is written to a component is what an entry's type is made of.
    component = f'_Component["{named(entry)}", "{f"_{named(entry)}Like" if entry in names else named(entry)}"]'
    letters = "xyzw"[: max(ty.sizes[0], 0)] if ty.kind in ("array", "quaternion") else ""
    parts = dict.fromkeys(letters, component)
    if ty.kind == "complex":
        parts |= {"real": component, "imag": component}
    elif ty.kind == "quaternion":
        parts |= {"real": component, "imag": '_Component["Any", "Any"]'}
    lines = [f"    {part}: {of}\n" for part, of in parts.items()]
    if len(letters) > 1:
        # Swizzles, of two to four letters.
        lines.append("    def __getattr__(self, name: str, /) -> Any: ...\n")
    return f"class {name}({base}[{parameters}]):" + ("\n" + "".join(lines) if lines else " ...\n")


def _likes(classes: dict[str, type], primal: str | None) -> str:
    """For each class the union of what leaves a sum of its type."""
    lines = []
    for name, own in classes.items():
        ty = type_of(own)
        numbers = "float" if ty.is_float else "bool" if ty.dtype == "Bool" else "int"

        def keeps(other: type, own: type = own) -> bool:
            try:
                return dr.expr_t(own, other) is own
            except (RuntimeError, TypeError):
                return False

        union = [other for other, class_ in classes.items() if keeps(class_)]
        union += [f"_primal._{name}Like"] if primal else []
        lines.append(f"_{name}Like: TypeAlias = {' | '.join([*union, numbers])}\n")
    return "".join(lines)


def package_stub(package: str, doc: str, primal: str | None) -> str:
    """The stub of a package, from its classes."""
    module = importlib.import_module(f"ivyrs.drjit.{package}")
    classes: dict[str, type] = {}
    aliases, numbers = [], []
    for name in _native.type_names(package):
        own = getattr(module, name)
        if own in (bool, int, float):
            numbers.append((name, own.__name__))
        elif own.__name__ == name:
            classes[name] = own
        else:
            aliases.append((name, own.__name__))
    names = {own: name for name, own in classes.items()}
    text = HEAD.format(doc=doc) + "from typing import Any, TypeAlias, TypeVar, overload\n\n"
    text += "from ivyrs.drjit import _Component, _Integers, _Masks, _Numbers, _Ordered, _Texture\n"
    text += f"from ivyrs.drjit import {primal} as _primal\n" if primal else ""
    text += "\nfrom . import ad as ad\n" if package in ("llvm", "cuda") else ""
    text += '\n_T = TypeVar("_T")\n\n'
    text += "".join(f"{name}: TypeAlias = {of}\n" for name, of in numbers)
    text += "".join(_class(name, own, names) for name, own in classes.items())
    text += "".join(f"{name} = {of}\n" for name, of in aliases) + "\n" + _likes(classes, primal) + "\n"
    text += GENERATORS.read_text() + "\n"
    for name in sorted(vars(module)):
        if name.startswith("Texture"):
            suffix = name.removeprefix("Texture")[1:]
            element = {"f": "Float", "f16": "Float16", "f64": "Float64"}[suffix]
            element = element if package != "scalar" else f"ArrayX{suffix}"
            text += f"class {name}(_Texture[{element}, TensorX{suffix}]): ...\n"
    return text


def auto_stub(ad: bool) -> str:
    """The names of the package for the processor: those of one for a GPU have the same form."""
    source = ".llvm.ad" if ad else ".llvm"
    module = importlib.import_module(f"ivyrs.drjit{source}")
    doc = "The arrays of the machine's best backend" + (", differentiable." if ad else ".")
    names = sorted(name for name in vars(module) if not name.startswith("_") and name != "ad")
    own = "" if ad else "from . import ad as ad\n"
    return HEAD.format(doc=doc) + own + "".join(f"from .{source} import {name} as {name}\n" for name in names)


DETAIL = HEAD.format(doc="What Dr.Jit tells of its reductions.") + (
    "from typing import TypeVar\n\nfrom . import ReduceOp\n\n_T = TypeVar(\"_T\")\n\n"
    "def can_scatter_reduce(arg: object, op: ReduceOp) -> bool: ...\ndef reduce_identity(dtype: type[_T], op: ReduceOp, size: int = 1) -> _T: ...\n"
)


def stubs() -> dict[Path, str]:
    """The files and their texts."""
    made = {FOLDER / "__init__.pyi": main_stub()}
    for package, (file, doc, primal) in PACKAGES.items():
        made[FOLDER / file] = package_stub(package, doc, primal)
    made[FOLDER / "detail.pyi"] = DETAIL
    made[FOLDER / "auto/__init__.pyi"] = auto_stub(ad=False)
    made[FOLDER / "auto/ad.pyi"] = auto_stub(ad=True)
    return made
