"""Which package ``drjit.auto`` stands for."""

import importlib
import sys

from . import _native
from ._enums import JitBackend, name_of

_chosen: list[str] = []


def has_backend(backend: JitBackend) -> bool:
    """Whether a backend runs here."""
    return _native.has_backend(name_of(backend, JitBackend, "has_backend"))


def _package() -> str:
    if not _chosen:
        _chosen.append("cuda" if has_backend(JitBackend.CUDA) else "llvm")
    return _chosen[0]


def fill(names: dict, ad: bool) -> None:
    """Puts the names of the package into a module."""
    package = _package()
    module = importlib.import_module(f"ivyrs.drjit.{package}" + (".ad" if ad and package != "scalar" else ""))
    names.update({name: value for name, value in vars(module).items() if not name.startswith("_") and name != "ad"})


def set_backend(backend: str | JitBackend) -> None:
    """Makes ``drjit.auto`` and ``drjit.auto.ad`` the names of another package: ``"cuda"``, ``"llvm"`` or ``"scalar"``."""
    name = backend.name.lower() if isinstance(backend, JitBackend) else backend
    if name not in ("cuda", "llvm", "scalar"):
        raise ValueError(f"set_backend(): the backend is {backend!r}: 'cuda', 'llvm' or 'scalar' is needed")
    _chosen[:] = [name]
    for module, ad in (("ivyrs.drjit.auto", False), ("ivyrs.drjit.auto.ad", True)):
        if module in sys.modules:
            fill(vars(sys.modules[module]), ad)


def current_backend(value=None) -> str:
    """The name of an array's backend, or of the package of ``drjit.auto``."""
    if value is not None:
        from ._classes import type_of

        ty = type_of(value)
        if ty.is_jit:
            return ty.backend
    return "CUDA" if _package() == "cuda" else "LLVM"
