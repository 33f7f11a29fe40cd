"""The current program: ``ti.init`` and what it is set up with."""

from __future__ import annotations

import itertools
import warnings
from typing import Any

from .._ivyrs import TaichiProgram
from ._errors import TaichiRuntimeError
from ._types import DataType, f32, i32

#: Where kernels run, by Taichi's names and by the engine's.
cpu = x64 = x86_64 = arm64 = "cpu"
cuda = gpu = "cuda"
llvm, interp = "llvm", "interp"
#: Targets of Taichi's that are not here: ``ti.init`` refuses them.
vulkan, metal, opengl, gles, dx11, dx12, amdgpu = "vulkan", "metal", "opengl", "gles", "dx11", "dx12", "amdgpu"


class extension:
    """What targets can do beyond the rest, as Taichi asks for it."""

    sparse, quant, data64, adstack, assertion, bls, extfunc = "sparse", "quant", "data64", "adstack", "assertion", "bls", "extfunc"
    mesh, quant_basic = "mesh", "quant_basic"


_numbers = itertools.count()


class Program:
    """A program as it was set up."""

    def __init__(self, native: TaichiProgram, default_ip: DataType, default_fp: DataType, debug: bool) -> None:
        self.native, self.default_ip, self.default_fp, self.debug = native, default_ip, default_fp, debug
        self.number = next(_numbers)
        #: Whether a kernel is being written.
        self.compiling = False
        #: The builder of the tree at ``ti.root``.
        self.root: Any = None


_current: Program | None = None


def current() -> Program:
    """The program that ``ti.init`` has set up."""
    if _current is None:
        raise TaichiRuntimeError("there is no program yet: call ti.init() first")
    return _current


def init(
    arch: str = cpu,
    default_fp: DataType = f32,
    default_ip: DataType = i32,
    *,
    debug: bool = False,
    packed: bool = False,
    random_seed: int = 0,
    fast: bool = False,
    rules: str = "taichi",
    keep_printed: bool = False,
    offline_cache_folder: str | None = None,
    **others: Any,
) -> None:
    """Sets a program up: fields and kernels from here on are its own.

    ``rules`` are those of promotion: ``"taichi"``, or ``"taichi-1.7"`` as the package has them. ``fast`` lets sums of floats come
    out otherwise each time, on all threads. What else Taichi takes is about targets that are not here, and says so.
    """
    global _current
    for name in others:
        if name not in _IGNORED:
            warnings.warn(f"ti.init(): `{name}` has no meaning here", stacklevel=2)
    native = TaichiProgram(
        arch, default_ip.name, default_fp.name, rules, debug, packed, fast, random_seed, True, keep_printed, offline_cache_folder
    )
    _current = Program(native, default_ip, default_fp, debug)


#: What makes no difference to results.
_IGNORED = {
    "log_level", "verbose", "cpu_max_num_threads", "offline_cache", "kernel_profiler", "print_ir", "advanced_optimization",
    "device_memory_GB", "device_memory_fraction", "dynamic_index", "fast_math", "short_circuit_operators", "flatten_if",
    "check_out_of_bound",
}  # fmt: skip


def reset() -> None:
    """Forgets the program."""
    global _current
    _current = None


def sync() -> None:
    """Waits for what was launched: launches here have ended when they give back."""


def printed() -> list[str]:
    """The lines that kernels printed since the last call, of a program that keeps them."""
    return current().native.take_printed()
