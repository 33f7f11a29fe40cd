"""What the engine tells and can be told: flags, logs, the history of kernels, graphs, lists of variables."""

import enum

from . import _native
from ._array import ArrayBase
from ._backends import current_backend
from ._enums import LogLevel, VarState
from ._trees import flatten, leaves

# Dr.Jit's flags, and whether each is on at first. The engine has switches for some; the others say how Dr.Jit's core does its work, keep
# what is set, and change nothing here.
_FLAGS = {
    "Debug": False, "ReuseIndices": True, "ConstantPropagation": True, "ValueNumbering": True, "FastMath": False, "SymbolicLoops": True,
    "OptimizeLoops": True, "CompressLoops": False, "SymbolicCalls": True, "OptimizeCalls": True, "MergeFunctions": True, "PacketOps": True,
    "ForceOptiX": False, "PrintIR": False, "KernelHistory": True, "LaunchBlocking": False, "ForbidSynchronization": False,
    "ScatterReduceLocal": True, "SymbolicConditionals": True, "SymbolicScope": False, "ShaderExecutionReordering": True,
    "KernelFreezing": True, "FreezingScope": False, "EnableObjectTraversal": False, "SpillToSharedMemory": False,
}  # fmt: skip

JitFlag = enum.Enum("JitFlag", {name: name for name in _FLAGS}, module="ivyrs.drjit")
JitFlag.__doc__ = "Dr.Jit's flags. They change no bit of a result."

_SWITCHES = frozenset(_native.flag_names())
_kept = dict(_FLAGS)


def _name(flag) -> str:
    name = flag.value if isinstance(flag, JitFlag) else str(flag)
    if name not in _FLAGS:
        raise ValueError(f"there is no flag {name!r}; there are {', '.join(_FLAGS)}")
    return name


def flag(flag: JitFlag) -> bool:
    """Whether a flag is on."""
    name = _name(flag)
    if name == "SymbolicScope":
        return _native.is_recording()
    return _native.flag(current_backend(), name) if name in _SWITCHES else _kept[name]


def _set(name: str, on: bool) -> bool:
    if name == "SymbolicScope":
        raise ValueError("the flag SymbolicScope cannot be set: it is on while a loop or conditional is being recorded")
    if name in _SWITCHES:
        return _native.set_flag(current_backend(), name, on)
    before, _kept[name] = _kept[name], on
    return before


def set_flag(flag: JitFlag, on: bool) -> None:
    """Turns a flag on or off."""
    _set(_name(flag), on)


class scoped_set_flag:
    """A scope in which a flag is on or off."""

    def __init__(self, flag: JitFlag, value: bool = True):
        self._flag, self._value = _name(flag), value

    def __enter__(self):
        self._before = _set(self._flag, self._value)
        return self

    def __exit__(self, *_error):
        _set(self._flag, self._before)


def log_level() -> LogLevel:
    """How much the engine tells."""
    return LogLevel(_native.log_level())


def set_log_level(level: LogLevel | int) -> None:
    """Sets how much the engine tells, on standard error."""
    _native.set_log_level(int(LogLevel(level)))


def kernel_history(types=()) -> list[dict]:
    """The launches since the last call, the oldest first: of each its ``hash``, ``size``, ``input_count``, ``output_count``,
    ``operation_count``, whether its kernel was known (``cache_hit``), and times in ms; of some types only, if these are given. All
    kernels are of the type ``KernelType.JIT``."""
    types = tuple(types) if isinstance(types, (list, tuple)) else (types,)
    if not all(isinstance(own, KernelType) for own in types):
        raise TypeError(f"kernel_history(): the types are {types!r}: members of KernelType are needed")
    launches = _native.kernel_history(current_backend())
    return launches if not types or KernelType.JIT in types else []


def kernel_history_clear() -> None:
    """Forgets the launches."""
    _native.kernel_history(current_backend())


def counters() -> dict:
    """What the engine has done: nodes, launches, kernels; ``live`` is how many nodes live now."""
    return _native.counters(current_backend())


def whos(as_string: bool = False) -> str | None:
    """The variables that live, one a line."""
    text = _native.whos(current_backend())
    if as_string:
        return text
    print(text)
    return None


def graphviz(*values, as_string: bool = False):
    """What values are made of, in the language of Graphviz: as text, or as a source of the package ``graphviz`` where that is
    installed."""
    text = _native.graphviz(leaves(*values))
    if as_string:
        return text
    try:
        from graphviz import Source
    except ImportError as error:
        raise RuntimeError("graphviz(): the Python package `graphviz` draws graphs; `as_string=True` needs none") from error
    return Source(text)


def set_label(value=None, label: str | None = None, **labels) -> None:
    """Gives arrays a name, by which :func:`whos` and :func:`graphviz` tell of them."""
    pairs = list(labels.items()) if value is None else [(label, value)]
    for name, own in pairs:
        arrays, paths = flatten(own)
        for x, path in zip(arrays, paths, strict=True):
            _native.set_label(x, f"{name}{path}")


def label_of(x: ArrayBase) -> str | None:
    """The name that :func:`set_label` gave."""
    for line in _native.graphviz([x]).splitlines():
        if 'label="' in line and "\\n" in line:
            return line.split('label="')[1].split('"')[0].split("\\n")[-1] or None
    return None


def state_of(x: ArrayBase) -> VarState:
    """Whether an array is evaluated; ``Mixed`` for one of whose parts some are."""
    from ._flow import parts

    own = parts(x)
    if any(len(part) == 0 for part in own):
        return VarState.Invalid if all(len(part) == 0 for part in own) else VarState.Mixed
    waiting = _native.pending(own)
    if waiting == 0:
        return VarState.Evaluated
    return VarState.Unevaluated if waiting == len(own) else VarState.Mixed


class KernelType(enum.Enum):
    """What a launch does: all of the engine's are of one kind."""

    JIT = 0


def sync_thread() -> None:
    """Waits until what was launched is done."""
    _native.sync(current_backend())


flush_thread = sync_thread
