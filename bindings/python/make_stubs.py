#!/usr/bin/env python3
"""Writes the type stubs of ivyrs from the installed package: python3 bindings/python/make_stubs.py [--check]"""

import inspect
import re
import sys
from pathlib import Path

import ivyrs

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
import drjit_stubs  # noqa: E402
import frontend_stubs  # noqa: E402

FOLDER = HERE / "python/ivyrs"
HEAD = '''"""{doc}

Written by bindings/python/make_stubs.py; a test compares.
"""
'''

# Values for both ends of each axis.
ENDS = "complex | tuple[complex, complex] | Sequence[Sequence[complex]]"
# Parameters by name; what is not here goes by its default.
BY_NAME = {
    "x": "ArrayLike", "x1": "ArrayLike", "x2": "ArrayLike", "condition": "ArrayLike", "indices": "ArrayLike",
    "arrays": "Sequence[ArrayLike]", "obj": "Any", "shape": "int | tuple[int, ...]", "shapes": "tuple[int, ...]",
    "repetitions": "tuple[int, ...]", "input": "ArrayLike", "value": "complex", "constant_values": ENDS, "end_values": ENDS, "mode": "str",
    "stat_length": "int | tuple[int, ...] | Sequence[Sequence[int]] | None", "reflect_type": "str",
    "pad_width": "int | tuple[int, ...] | Sequence[Sequence[int]]", "dtype": "DtypeLike | None", "device": "str | None", "copy": "bool | None",
    "axes": "int | tuple[int, ...] | tuple[Sequence[int], Sequence[int]]", "shift": "int | tuple[int, ...]",
    "repeats": "int | Array", "fill_value": "complex", "sorter": "Array | None", "prepend": "Array | complex | None",
    "append": "Array | complex | None", "out": "Array | complex | None", "updates": "ArrayLike",
    "params": "ArrayLike", "size": "int | None", "reduction": "str", "source": "int | tuple[int, ...]", "destination": "int | tuple[int, ...]",
    "arrays_and_dtypes": "Array | complex | DtypeLike", "from_": "DtypeLike | Array", "to": "DtypeLike",
    "type": "DtypeLike | Array", "kind": "DtypeLike | str | tuple[DtypeLike | str, ...]", "n_rows": "int",
    "n_cols": "int | None", "num": "int", "start": "float | complex", "stop": "float | complex | None",
    "step": "float", "min": "Array | complex | None", "max": "Array | complex | None", "n": "int | None",
    "mask": "Array | bool | None", "target": "ArrayLike", "compare": "ArrayLike", "block_size": "int",
    "axes_lengths": "int", "pattern": "str", "s": "tuple[int, ...] | None", "rtol": "float | Array | None", "ord": "float | str | None",
    "decimals": "int | None", "batch_shape": "tuple[int, ...] | None", "uplo": "str | None", "np_variant": "bool | None",
    "detect_positive": "bool | None", "detect_negative": "bool | None", "use_where": "bool | None", "modulus": "bool | None",
    "complex_mode": "str | None", "order": "str | None", "allowzero": "bool | None", "ret_dtype": "DtypeLike | None",
    "axisa": "int | None", "axisb": "int | None", "axisc": "int | None", "atol": "float | None", "driver": "str | None",
}
# Parameters by name where they are optional and not given.
OPTIONAL = {"alpha": "complex | None", "mode": "str | None", "fill_value": "complex | None"}
RETURNS = {
    "can_cast": "bool", "isdtype": "bool", "finfo": "FInfo", "iinfo": "IInfo", "result_type": "Dtype",
    "broadcast_shapes": "tuple[int, ...]", "promote_types_of_inputs": "tuple[Array, Array]",
    "type_promote_arrays": "tuple[Array, Array]",
}
ROWS = {
    # Other names of a parameter, `min|x_min`, are none of Python's signature.
    tuple(row.split("\t")[:2]): [re.sub(r"\|\w+", "", cell) for cell in row.split("\t")]
    for file in ("standard.tsv", "ivy.tsv")
    for row in (HERE.parents[1] / "frontends/core/src/signatures" / file).read_text().splitlines()
    if not row.startswith("#")
}
# What the registry's descriptions say of parameters.
TYPES = ivyrs._ivyrs.parameter_types()
# The parameters of every function of the core, the modules before the names left out.
CORE = {
    cells[0].rpartition(".")[2]: cells[1]
    for line in (HERE.parents[1] / "frontends/rows/src/core.tsv").read_text().splitlines()
    if not line.startswith("#") and len(cells := line.split("\t")) > 1
}
# The functions of `_gradients.py`.
_FUNCTION, _NUMBERS = "Callable[..., Any]", "argnums: int | Sequence[int] = 0"
GRADIENTS = [
    f"grad(func: {_FUNCTION}, {_NUMBERS}, has_aux: bool = False) -> {_FUNCTION}",
    f"value_and_grad(func: {_FUNCTION}, {_NUMBERS}, has_aux: bool = False) -> {_FUNCTION}",
    f"vjp(func: {_FUNCTION}, *primals: Any, has_aux: bool = False) -> tuple[Any, ...]",
    f"jvp(\n    func: {_FUNCTION},\n    primals: Sequence[Any],\n    tangents: Sequence[Any],\n    has_aux: bool = False,\n) -> tuple[Any, ...]",
    f"linearize(func: {_FUNCTION}, *primals: Any) -> tuple[Any, {_FUNCTION}]",
    f"jacobian(func: {_FUNCTION}, {_NUMBERS}, has_aux: bool = False) -> {_FUNCTION}",
    f"jacrev(func: {_FUNCTION}, {_NUMBERS}, has_aux: bool = False) -> {_FUNCTION}",
    f"jacfwd(func: {_FUNCTION}, {_NUMBERS}, has_aux: bool = False) -> {_FUNCTION}",
    f"hessian(func: {_FUNCTION}, {_NUMBERS}, has_aux: bool = False) -> {_FUNCTION}",
    "scan(\n    f: Callable[[Any, Any], tuple[Any, Any]],\n    init: Any,\n    xs: Any = None,\n"
    "    length: int | None = None,\n    reverse: bool = False,\n) -> tuple[Any, Any]",
    f"vmap(func: {_FUNCTION}, in_axes: Any = 0, out_axes: Any = 0) -> {_FUNCTION}",
    f"custom_vjp(\n    func: Callable[..., _T],\n    forward: Callable[..., tuple[_T, Any]],\n"
    "    backward: Callable[[Any, _T], Any],\n) -> Callable[..., _T]",
    f"custom_jvp(func: Callable[..., _T], rule: Callable[[Any, Any], tuple[_T, _T]]) -> Callable[..., _T]",
    "checkpoint(func: Callable[..., _T]) -> Callable[..., _T]",
    "stop_gradient(x: _T, /, *, preserve_type: bool = True) -> _T",
    "execute_with_gradients(\n    func: Callable[[Any], _T],\n    xs: Any,\n    /,\n    *,\n    retain_grads: bool = False,\n"
    "    xs_grad_idxs: Sequence[Sequence[int | str]] | None = ((0,),),\n"
    "    ret_grad_idxs: Sequence[Sequence[int | str]] | None = ((0,),),\n) -> tuple[_T, Any]",
]
# What the functions of `_dtypes.py`, `_general.py` and `_settings.py` give; those of names that begin in one way together.
PLAIN_RETURNS = {
    "is_": "bool", "valid_": "bool", "invalid_": "bool", "check_float": "bool", "gpu_is_available": "bool", "emulation": "bool", "to_device": "Array",
    "num_": "int", "min_base": "float", "min_denominator": "float", "array_significant_figures": "int", "soft_device_mode": "bool",
    "nestable_mode": "bool", "show_func_wrapper_trace_mode": "bool", "exception_trace_mode": "str", "inplace_mode": "str", "dtype_bits": "int", "memory_limit": "int", "default_device": "str", "as_native_": "str", "as_ivy_dev": "str",
    "rules": "str", "casting": "str", "dev": "str", "dtype": "Dtype", "default_": "Dtype", "infer_default_dtype": "Dtype",
    "closest_valid_dtype": "Dtype", "promote_types": "Dtype", "as_ivy_dtype": "Dtype", "function_": "tuple[Dtype, ...]",
    "default_dtype_stack": "list[str]", "default_int_dtype_stack": "list[str]", "default_uint_dtype_stack": "list[str]",
    "default_float_dtype_stack": "list[str]", "default_complex_dtype_stack": "list[str]",
    "set_item": "Array", "seed": "None", "set_": "None", "unset_": "None", "previous_backend": "None", "current_backend": "Namespace",
    "shape": "tuple[int, ...] | Array", "to_": "Any", "inplace_update": "Array", "get_item": "Array", "select": "Array",
}  # fmt: skip
KINDS = "bool int uint float complex".split()


def _words(*words):
    return f"Literal[{', '.join(map(repr, words))}]"


# What they take: parameters by name, and where the same name stands for something else by function and name. `object` is
# what may be anything at all.
PLAIN_TYPES = {
    "x": "Array", "dynamic": "bool", "name": "str", "device": "Array | str | None", "recurse": "bool", "seed_value": "int", "copy": "bool | None",
    "dtype_in": "DtypeLike | Array", "dtype": "DtypeLike", "item": "DtypesOf | None", "input": "DtypesOf | None", "type1": "DtypeLike | Array",
    "type2": "DtypeLike | Array", "fn": "Callable[..., object] | str", "stream": "int | None", "val": "ArrayLike", "query": "Index",
    "condlist": "Sequence[ArrayLike]", "choicelist": "Sequence[ArrayLike]", "default": "ArrayLike", "backend": "str | Namespace",
    ("closest_valid_dtype", "type"): "DtypeLike | Array | None", ("default_dtype", "dtype"): "DtypeLike | None",
    ("valid_dtype", "dtype_in"): "DtypeLike | Array | None", ("invalid_dtype", "dtype_in"): "DtypeLike | Array | None",
    ("is_hashable_dtype", "dtype_in"): "object", ("is_native_dtype", "dtype_in"): "object", ("is_array", "x"): "object",
    ("check_float", "x"): "object", ("current_backend", "args"): "object",
    **{(f"is_{kind}_dtype", "dtype_in"): "DtypesOf" for kind in KINDS},
    **{(f"default_{kind}_dtype", f"{kind}_dtype"): "DtypeLike | None" for kind in KINDS},
    **{(f"set_default_{kind}dtype", "value"): "DtypeLike" for kind in ("", *(f"{kind}_" for kind in KINDS))},
    **{(f"set_{name}", "value"): of for name, of in {
        "default_device": "Array | str", "precise_mode": "bool", "rules": "str", "emulation": "bool", "memory_limit": "int", "casting": "str",
        "strict_casts": "bool", "min_base": "float", "min_denominator": "float", "array_significant_figures": "int", "soft_device_mode": "bool",
        "inplace_mode": _words("lenient", "strict"), "nestable_mode": "bool", "exception_trace_mode": _words("ivy", "full"),
        "show_func_wrapper_trace_mode": "bool",
    }.items()},
}  # fmt: skip
OPERATORS = "add and floordiv lshift matmul mod mul or rshift sub truediv xor".split()
# Numbers of a formula that a derivative can be taken by, wherever a function has one of the name.
COEFFICIENTS = "correction delta epsilon label_smoothing lambd margin max_val min_val momentum".split()
COMPARISONS = "eq ne lt le gt ge".split()


def annotation(parameter):
    name, default = parameter.name, parameter.default
    # The name stands for something else where its default is of another kind.
    if isinstance(default, tuple) and BY_NAME.get(name) == "int | None":
        return "int | tuple[int, ...] | None"
    if isinstance(default, int) and not isinstance(default, bool) and name in ("type", "mode"):
        return "int"
    if name == "dtype" and default is inspect.Parameter.empty:
        return "DtypeLike"
    # Of a function of arrays; where it has a default it is a number to fill with.
    if name == "value" and default is inspect.Parameter.empty:
        return "Array | complex"
    if name == "axis":
        return "int | tuple[int, ...] | None" if default is None else "int | tuple[int, ...]"
    if name in COEFFICIENTS and isinstance(default, float):
        return "float | Array"
    if default is None and name in OPTIONAL:
        return OPTIONAL[name]
    if name in BY_NAME:
        optional = default is None and "None" not in BY_NAME[name]
        return BY_NAME[name] + " | None" * optional
    if default is None or default is ... or default is inspect.Parameter.empty:
        return "Any"
    return type(default).__name__


def annotated(name, signature):
    """The signature with the types of the registry's description; what it does not describe goes by name and default."""
    types = dict(TYPES.get(name, ()))

    def text(p):
        if p.name not in types:
            return annotation(p)
        return types[p.name] + " | None" * (p.default is None and not types[p.name].endswith("None"))

    return signature.replace(parameters=[p.replace(annotation=Bare(text(p))) for p in signature.parameters.values()])


def parameters(signature):
    changed = [
        p if isinstance(p.annotation, Bare) else p.replace(annotation=Bare(annotation(p)))
        for p in signature.parameters.values()
    ]
    changed = [p.replace(default=Bare("...")) if p.default is ... else p for p in changed]
    return str(signature.replace(parameters=changed))


def with_out(signature, target):
    """The signature with `out`, which every function has whose results are arrays."""
    given = list(signature.parameters.values())
    if any(p.name == "out" for p in given):
        return signature
    out = inspect.Parameter("out", inspect.Parameter.KEYWORD_ONLY, default=None, annotation=Bare(f"{target} | None"))
    rest = [p for p in given if p.kind is inspect.Parameter.VAR_KEYWORD]
    return signature.replace(parameters=[*given[: len(given) - len(rest)], out, *rest])


class Bare(str):
    """Text that a signature prints as it is."""

    __module__ = "builtins"

    def __repr__(self):
        return str(self)


def row_of(module, name):
    """The row of a function: the main namespace has those of the extensions, too."""
    modules = ("main", "linalg", "fft") if module == "main" else (module,)
    return next((ROWS[module, name] for module in modules if (module, name) in ROWS), None)


def signature_of(name, row):
    """The signature of a function, from its row or else from what the package says of it."""
    return inspect.signature(eval(f"lambda {CORE.get(name, row[2])}: None", {}) if row else getattr(ivyrs, name))


def returns(module, name):
    row = row_of(module, name)
    results = row[3] if row else "-"
    if name in RETURNS:
        return RETURNS[name]
    if results == "-":
        return "Array"
    if results == "+":
        return "Array | tuple[Array, ...]"
    return "tuple[Array, ...]" if results == "*" else f"{name}_result"


def functions(module, names):
    """The functions of a module: by the text of their row, others by what the package says of them."""
    lines, classes = [], []
    for name in names:
        row = row_of(module, name)
        signature = annotated(name, signature_of(name, row))
        result = returns(module, name)
        if result == f"{name}_result" and (module, name) in ROWS:
            fields = "".join(f"    {field}: Array\n" for field in row[3].split(", "))
            classes.append(f"class {result}(NamedTuple):\n{fields}\n")
        if "Array" in result or result == f"{name}_result":
            signature = with_out(signature, "Array" if result == "Array" else "Array | tuple[Array, ...]")
        lines.append(f"def {name}{parameters(signature)} -> {result}: ...\n")
    return "".join(classes) + "".join(lines)


def results_of_extensions():
    """Imports of the results' classes, which the main namespace shares with the extensions."""
    names = [(row[0], f"{row[1]}_result") for row in ROWS.values() if row[0] != "main" and "," in row[3]]
    return "".join(f"from .{module} import {name} as {name}\n" for module, name in sorted(names))


def methods():
    """The methods of arrays that are functions of the namespace."""
    lines = []
    for name in sorted(ivyrs.METHODS):
        row = row_of("main", name)
        signature = annotated(name, signature_of(name, row))
        result = returns("main", name)
        if "Array" in result or result == f"{name}_result":
            signature = with_out(signature, "Array" if result == "Array" else "Array | tuple[Array, ...]")
        first, *rest = signature.parameters.values()
        if first.kind is inspect.Parameter.POSITIONAL_ONLY:
            rest = [p.replace(kind=inspect.Parameter.POSITIONAL_OR_KEYWORD) if p.kind is inspect.Parameter.POSITIONAL_ONLY else p for p in rest]
        text = parameters(signature.replace(parameters=rest))[1:-1]
        lines.append(f"    def {name}(self{', ' + text if text else ''}) -> {result}: ...\n")
    return "".join(lines)


def names():
    """Tuples of dtypes, their classes, and what else has one line."""
    groups = ivyrs._dtype_groups.groups(None)
    lines = [f"{name}: tuple[Dtype, ...]\n" for name in groups]
    lines += [f"native_{name}: str\n" for name in ivyrs.__all__ if isinstance(getattr(ivyrs, name), ivyrs.Dtype)]
    lines += [f"class {name}(Dtype): ...\n" for name in ivyrs._dtype_groups.CLASSES]
    return "".join(lines) + (
        "NativeDtype = str\nNativeDevice = str\nMETHODS: frozenset[str]\n\n"
        "class Device(str):\n    def __new__(cls, dev: str | Array) -> Device: ...\n\n"
        "class Shape(tuple[int, ...]):\n    def __new__(cls, shape: int | Iterable[int] | Array = ()) -> Shape: ...\n"
        + "".join(f"    @property\n    def {name}(self) -> {of}: ...\n" for name, of in (("rank", "int"), ("ndims", "int"), ("dims", "list[int]")))
        + "    def num_elements(self) -> int: ...\n    def as_list(self) -> list[int]: ...\n\n"
        "NativeShape = Shape\n\n"
    )


def plain():
    """The functions of dtypes, devices and values, and the setters, by name."""
    return {**ivyrs._dtypes.functions(None), **ivyrs._general.functions(None), **ivyrs._settings.FUNCTIONS}


def plain_functions():
    """The stubs of those that the registry does not describe."""
    lines = []
    for name, function in plain().items():
        signature = inspect.signature(function)
        changed = []
        for p in signature.parameters.values():
            known = "bool" if isinstance(p.default, bool) else PLAIN_TYPES.get(p.name)
            changed.append(p.replace(annotation=Bare(PLAIN_TYPES.get((name, p.name), known))))
        begins = [key for key in PLAIN_RETURNS if key == name or (key.endswith("_") and name.startswith(key))]
        result = PLAIN_RETURNS[max(begins, key=len)]
        result += " | str" * ("as_native" in signature.parameters and result != "str")
        lines.append(f"def {name}{signature.replace(parameters=changed)} -> {result}: ...\n")
    return "".join(lines)


def names_of(module):
    """The functions of the main namespace, or of an extension."""
    if module == "main":
        return [n for n in ivyrs.__all__ if isinstance(getattr(ivyrs, n), ivyrs._ivyrs.Function)]
    return sorted(name for m, name in ROWS if m == module)


def array_class():
    other = "other: Array | complex, /"
    lines = ['class Array:\n    """An n-dimensional array of one dtype on one backend."""\n\n']
    for name, result in [
        ("dtype", "Dtype"), ("device", "str"), ("backend", "str"), ("ndim", "int"), ("shape", "tuple[int, ...]"),
        ("size", "int"), ("nbytes", "int"), ("itemsize", "int"), ("T", "Array"), ("mT", "Array"),
    ]:
        assert hasattr(ivyrs.Array, name)
        lines.append(f"    @property\n    def {name}(self) -> {result}: ...\n")
    for op in OPERATORS:
        lines += [f"    def __{form}{op}__(self, {other}) -> Array: ...\n" for form in ("", "r", "i")]
    lines += [f"    def __{form}pow__(self, {other}) -> Array: ...\n" for form in ("", "r", "i")]
    lines += [
        f"    def __{op}__(self, {other}) -> Array: ...{'  # type: ignore[override]' * (op in ('eq', 'ne'))}\n" for op in COMPARISONS
    ]
    lines += [f"    def __{op}__(self) -> Array: ...\n" for op in ("abs", "invert", "neg", "pos", "copy")]
    for op, result in [("bool", "bool"), ("int", "int"), ("float", "float"), ("complex", "complex"), ("index", "int"), ("len", "int")]:
        lines.append(f"    def __{op}__(self) -> {result}: ...\n")
    lines.append(
        "    def __iter__(self) -> Iterator[Array]: ...\n"
        "    def __contains__(self, value: Array | complex, /) -> bool: ...\n"
        "    def __getitem__(self, key: Index, /) -> Array: ...\n"
        "    def __setitem__(self, key: Index, value: ArrayLike, /) -> None: ...\n"
        "    def __array_namespace__(self, *, api_version: str | None = None) -> Namespace: ...\n"
        "    def __dlpack__(\n        self,\n        *,\n        stream: None = None,\n"
        "        max_version: tuple[int, int] | None = None,\n        dl_device: tuple[int, int] | None = None,\n"
        "        copy: bool | None = None,\n    ) -> Any: ...\n"
        "    def __dlpack_device__(self) -> tuple[int, int]: ...\n"
        "    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any: ...\n"
        "    def __buffer__(self, flags: int, /) -> memoryview: ...\n"
        "    def to_device(self, device: str, /, *, stream: None = None) -> Array: ...\n"
        "    def to_backend(self, backend: str, /) -> Array: ...\n"
        "    def wait(self) -> None: ...\n"
        "    def tolist(self) -> Any: ...\n"
        "    def item(self) -> bool | int | float | complex: ...\n"
    )
    return "".join(lines) + methods()


_VERSIONS = "version_dict: Mapping[str, {}], version: str | Mapping[str, str], exclusive: bool = True"
DECLARATIONS = (
    "class _Declaration:\n    def __call__(self, function: Callable[..., _T]) -> Callable[..., _T]: ...\n"
    "    def __enter__(self) -> _Declaration: ...\n"
    "    def __exit__(\n        self,\n        kind: type[BaseException] | None = None,\n"
    "        error: BaseException | None = None,\n        trace: TracebackType | None = None,\n        /,\n"
    "    ) -> None: ...\n\n"
    + "".join(
        f"def with_{name}supported_{what}({_VERSIONS.format(of)}) -> _Declaration: ...\n"
        for what, of in (("dtypes", "Sequence[str]"), ("device_and_dtypes", "Mapping[str, Sequence[str]]"))
        for name in ("", "un")
    )
)


GENERATOR = '''\
class Generator:
    """A source of random numbers: a key, and the number of the next draw."""

    def __new__(cls, seed: int | None = None, *, counter: int = 0) -> Generator: ...
    @property
    def key(self) -> int: ...
    @property
    def counter(self) -> int: ...
    def split(self, n: int = 2) -> list[Generator]: ...
    def fold_in(self, data: int, /) -> Generator: ...
    def jumped(self, draws: int = 1, /) -> Generator: ...
    def __copy__(self) -> Generator: ...
    def __deepcopy__(self, memo: Any, /) -> Generator: ...

'''


INFO = '''\
class FInfo(NamedTuple):
    bits: int
    eps: float
    max: float
    min: float
    smallest_normal: float
    dtype: Dtype
    @property
    def resolution(self) -> float: ...

class IInfo(NamedTuple):
    bits: int
    max: int
    min: int
    dtype: Dtype

class Info:
    def capabilities(self) -> dict[str, bool | int]: ...
    def default_device(self) -> str: ...
    def default_dtypes(self, *, device: str | None = None) -> dict[str, Dtype]: ...
    def devices(self) -> tuple[str, ...]: ...
    def dtypes(self, *, device: str | None = None, kind: str | tuple[str, ...] | None = None) -> dict[str, Dtype]: ...

'''


def main_stub():
    dtypes = [name for name in ivyrs.__all__ if isinstance(getattr(ivyrs, name), ivyrs.Dtype)]
    errors = []
    for name in ivyrs._errors.__all__:
        bases = ", ".join(base.__name__ for base in getattr(ivyrs, name).__bases__)
        if name == "IvyError":
            body = (
                "    kind: str\n    fields: dict[str, Any]\n    def __getattr__(self, name: str) -> Any: ...\n"
            )
        else:
            body = "    ...\n"
        errors.append(f"class {name}({bases}):\n{body}")
    return "".join(
        [
            HEAD.format(doc="The Array API standard 2025.12 on ivy's backends."),
            "\nfrom builtins import bool as _bool\nfrom collections.abc import Callable, Iterable, Iterator, Mapping, Sequence\nfrom types import EllipsisType, ModuleType, TracebackType\n"
            "from typing import Any, Literal, NamedTuple, TypeAlias, TypeVar\n\nfrom . import fft as fft\nfrom . import linalg as linalg\n",
            results_of_extensions() + "\n"
            "__version__: str\n__array_api_version__: str\ne: float\ninf: float\nnan: float\npi: float\nnewaxis: None\n\n",
            'class Dtype:\n    """The type of an array\'s elements."""\n\n    def __new__(cls, name: DtypeLike, /) -> Dtype: ...\n'
            "    @property\n    def name(self) -> str: ...\n    @property\n    def bits(self) -> int: ...\n"
            "    @property\n    def itemsize(self) -> int: ...\n    def __hash__(self) -> int: ...\n"
            "    def __len__(self) -> int: ...\n    def __contains__(self, part: str, /) -> bool: ...\n"
            "    @property\n    def dtype_bits(self) -> int: ...\n"
            "    @property\n    def is_bool_dtype(self) -> bool: ...\n    @property\n    def is_int_dtype(self) -> bool: ...\n"
            "    @property\n    def is_uint_dtype(self) -> bool: ...\n    @property\n    def is_float_dtype(self) -> bool: ...\n"
            "    @property\n    def is_complex_dtype(self) -> bool: ...\n    @property\n    def as_native_dtype(self) -> str: ...\n"
            "    @property\n    def info(self) -> FInfo | IInfo: ...\n    def can_cast(self, to: DtypeLike | Array) -> bool: ...\n"
            "    def __lt__(self, other: Dtype | str, /) -> bool: ...\n    def __le__(self, other: Dtype | str, /) -> bool: ...\n"
            "    def __gt__(self, other: Dtype | str, /) -> bool: ...\n    def __ge__(self, other: Dtype | str, /) -> bool: ...\n"
            "    def __getattr__(self, name: str) -> Any: ...\n\n"
            "DtypeLike: TypeAlias = Dtype | str | type\nArrayLike: TypeAlias = Array | complex | Sequence[Any]\n"
            "DtypesOf: TypeAlias = DtypeLike | ArrayLike | Mapping[str, Any]\n"
            "Index: TypeAlias = int | slice | EllipsisType | Array | Sequence[Any] | None\n_T = TypeVar(\"_T\")\n_V = TypeVar(\"_V\")\n\n",
            "".join(f"{name}: Dtype\n" for name in dtypes),
            names(),
            array_class(),
            "\n" + GENERATOR.rstrip("\n") + "\n\n" + INFO.rstrip("\n") + "\n",
            '\nclass Namespace(ModuleType):\n    """The standard on one backend."""\n\n'
            "    def __getattr__(self, name: str) -> Any: ...\n\n",
            "\n".join(errors),
            "\nclass scope:\n    def __init__(\n        self,\n        *,\n        backend: str | None = None,\n"
            "        rules: str | None = None,\n        precise: bool | None = None,\n        cast: str | None = None,\n"
            "        strict_casts: bool | None = None,\n        emulation: bool | None = None,\n"
            "        memory_limit: int | None = None,\n        default_dtype: DtypeLike | None = None,\n"
            "        default_int: DtypeLike | None = None,\n        default_uint: DtypeLike | None = None,\n"
            "        default_float: DtypeLike | None = None,\n        default_complex: DtypeLike | None = None,\n"
            "    ) -> None: ...\n    def __enter__(self) -> scope: ...\n"
            "    def __exit__(\n        self,\n        kind: type[BaseException] | None = None,\n"
            "        error: BaseException | None = None,\n        trace: TracebackType | None = None,\n        /,\n"
            "    ) -> bool: ...\n\n"
            "def precise_mode(precise: bool = True) -> scope: ...\ndef with_backend(name: str) -> scope: ...\n"
            "PreciseMode = precise_mode\n\n"
            "class _CastingMode:\n    def __enter__(self) -> _CastingMode: ...\n"
            "    def __exit__(\n        self,\n        kind: type[BaseException] | None = None,\n"
            "        error: BaseException | None = None,\n        trace: TracebackType | None = None,\n        /,\n"
            "    ) -> None: ...\n\n"
            "def cast_data_types(val: _bool | str = True) -> _CastingMode: ...\ndef upcast_data_types(val: _bool = True) -> _CastingMode: ...\n"
            "def downcast_data_types(val: _bool = True) -> _CastingMode: ...\ndef crosscast_data_types(val: _bool = True) -> _CastingMode: ...\n"
            "def ifft(x: ArrayLike, dim: int = -1, *, norm: str = 'backward', n: int | None = None, out: Array | None = None) -> Array: ...\n"
            + "".join(
                f"def {name}(\n    x: ArrayLike,\n    s: Sequence[int] | None = None,\n    axes: Sequence[int] | None = None,\n    *,\n"
                "    norm: str = 'backward',\n    out: Array | None = None,\n) -> Array: ...\n"
                for name in ("ifftn", "rfftn")
            )
            +
            "def strict_casts(on: bool = True) -> scope: ...\n"
            "def default_dtypes(\n    *,\n    dtype: DtypeLike | None = None,\n    int: DtypeLike | None = None,\n"
            "    uint: DtypeLike | None = None,\n    float: DtypeLike | None = None,\n    complex: DtypeLike | None = None,\n"
            ") -> scope: ...\n"
            "def compile(f: Callable[..., _T], /) -> Callable[..., _T]: ...\n"
            "def evaluate(*arrays: Array) -> None: ...\n"
            "def while_loop(\n    test_fn: Callable[..., Any],\n    body_fn: Callable[..., Any],\n    vars: _V,\n    *,\n"
            "    targets: Sequence[int | str] = (),\n) -> _V: ...\n"
            "def for_loop(iterable: Iterable[Any], body_fn: Callable[..., Any], vars: _V) -> _V: ...\n"
            "def if_else(\n    cond: Callable[..., Any] | Array | bool,\n    body_fn: Callable[..., Any],\n"
            "    orelse_fn: Callable[..., Any],\n    vars: Any,\n) -> Any: ...\n"
            "def switch(index: Array | int, branches: Sequence[Callable[..., Any]], vars: Any) -> Any: ...\n"
            "def try_except(body1: Callable[..., _T], body2: Callable[..., _T], vars: Any) -> _T: ...\n"
            "def associative_scan(\n    x: Array,\n    fn: Callable[[Array, Array], Array],\n    /,\n    *,\n"
            "    reverse: bool = False,\n    axis: int = 0,\n) -> Array: ...\n"
            "def cmp_is(left: object, right: object) -> bool: ...\n"
            "def cmp_isnot(left: object, right: object) -> bool: ...\n"
            + "".join(f"def {text}: ...\n" for text in GRADIENTS)
            + plain_functions() + DECLARATIONS +
            "def nested_map(\n    fn: Callable[[Any], Any],\n    x: Any,\n    /,\n    include_derived: bool | Mapping[type, bool] | None = None,\n"
            "    to_ignore: type | Sequence[type] | None = None,\n    to_mutable: bool = False,\n    shallow: bool = True,\n) -> Any: ...\n"
            "def nested_argwhere(\n    nest: Any,\n    fn: Callable[[Any], Any],\n    check_nests: bool = False,\n"
            "    to_ignore: type | Sequence[type] | None = None,\n    stop_after_n_found: int | None = None,\n) -> list[list[Any]]: ...\n"
            "def nested_any(nest: Any, fn: Callable[[Any], Any], check_nests: bool = False) -> bool: ...\n"
            "def all_nested_indices(nest: Any, include_nests: bool = False) -> list[list[Any]]: ...\n"
            "def index_nest(nest: Any, index: int | str | Sequence[int | str], /) -> Any: ...\n"
            "def map_nest_at_index(nest: Any, index: int | str | Sequence[int | str], fn: Callable[[Any], Any], /, shallow: bool = True) -> Any: ...\n"
            "def set_nest_at_index(nest: Any, index: int | str | Sequence[int | str], value: Any, /, shallow: bool = True) -> Any: ...\n"
            "def namespace(name: str) -> Namespace: ...\n"
            "def backends() -> list[tuple[str, str | None, str | None]]: ...\n"
            "def promote(*dtypes: DtypeLike | Array, rules: str | None = None) -> Dtype: ...\n"
            "def explain(\n    function: str,\n    /,\n    *operands: DtypeLike | complex,\n    dtype: DtypeLike | None = None,\n"
            "    backend: str | None = None,\n    trace: _bool = False,\n) -> str: ...\n"
            "def support(function: str, /, *, backend: str | None = None) -> dict[Dtype, str]: ...\n"
            "def __array_namespace_info__() -> Info: ...\n\n",
            functions("main", names_of("main")),
        ]
    )


def extension_stub(name, doc):
    return (
        HEAD.format(doc=doc)
        + "\nfrom builtins import bool as _bool\nfrom collections.abc import Sequence\nfrom typing import Any, Literal, NamedTuple\n\nfrom . import Array, ArrayLike, DtypeLike\n\n"
        + functions(name, names_of(name))
    )


def own_bool(text):
    """The module has a dtype called bool, so that Python's goes by another name."""
    return re.sub(r"^(?!bool: |from )(.*)$", lambda m: re.sub(r"(?<![\w.\"])bool\b", "_bool", m[1]), text, flags=re.M)


def stubs():
    """The files and their texts."""
    made = {
        FOLDER / "__init__.pyi": main_stub(),
        FOLDER / "linalg.pyi": extension_stub("linalg", "The linear algebra extension of the standard."),
        FOLDER / "fft.pyi": extension_stub("fft", "The Fourier transform extension of the standard."),
    }
    return {path: own_bool(text) for path, text in made.items()} | frontend_stubs.stubs() | drjit_stubs.stubs()


if __name__ == "__main__":
    stale = [path for path, text in stubs().items() if not path.exists() or path.read_text() != text]
    if "--check" in sys.argv[1:]:
        sys.exit("stale: " + ", ".join(map(str, stale)) if stale else 0)
    for path, text in stubs().items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
