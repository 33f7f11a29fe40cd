"""The names of element types, backends and modes, by Dr.Jit's words."""

import enum


class _Named(enum.IntEnum):
    """Numbers with an order, whose text is their name."""

    def __str__(self):
        return f"{type(self).__name__}.{self.name}"

    __repr__ = __str__


class VarType(_Named):
    """The type of an array's elements, in the order of promotion."""

    Void = 0
    Bool = 1
    Int8 = 2
    UInt8 = 3
    Int16 = 4
    UInt16 = 5
    Int32 = 6
    UInt32 = 7
    Int64 = 8
    UInt64 = 9
    Pointer = 10
    BaseFloat = 11
    Float16 = 12
    Float32 = 13
    Float64 = 14


class JitBackend(_Named):
    """What computes arrays."""

    Invalid = 0
    CUDA = 1
    LLVM = 2
    Metal = 3


class ReduceOp(enum.Enum):
    """What becomes of an update and of what stands at its place."""

    Identity = 0
    Add = 1
    Mul = 2
    Min = 3
    Max = 4
    And = 5
    Or = 6


class ReduceMode(enum.Enum):
    """How updates are put where they go: a hint that changes no result."""

    Auto = 0
    Direct = 1
    Local = 2
    NoConflicts = 3
    Expand = 4
    Permute = 5


class ADMode(enum.Enum):
    """The direction of a traversal of the graph of derivatives."""

    Primal = 0
    Forward = 1
    Backward = 2


class ADFlag(enum.IntFlag):
    """What a traversal forgets, and whether one without a way is allowed."""

    ClearEdges = 1
    ClearInput = 2
    ClearInterior = 4
    ClearVertices = 6
    AllowNoGrad = 8
    Default = 7


class LogLevel(_Named):
    """How much the engine tells."""

    Disable = 0
    Error = 1
    Warn = 2
    Info = 3
    InfoSym = 4
    Debug = 5
    Trace = 6


class FilterMode(enum.Enum):
    """What a texture's lookup makes of the elements around a place."""

    Nearest = 0
    Linear = 1


class WrapMode(enum.Enum):
    """What stands beyond the ends of a texture's axis."""

    Repeat = 0
    Clamp = 1
    Mirror = 2


class VarState(enum.Enum):
    """Whether an array is evaluated."""

    Invalid = 0
    Undefined = 1
    Literal = 2
    Unevaluated = 3
    Evaluated = 4
    Dirty = 5
    Symbolic = 6
    Mixed = 7


def name_of(value, kind: type, function: str) -> str:
    """The name of a member of an enumeration."""
    if not isinstance(value, kind):
        raise TypeError(f"{function}(): a {kind.__name__} is needed, not {type(value).__name__}")
    return value.name
