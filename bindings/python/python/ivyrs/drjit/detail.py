"""What Dr.Jit tells of its reductions."""

from ._create import full, zeros
from ._enums import ReduceOp
from ._traits import is_float_v, is_signed_v, largest

__all__ = ["can_scatter_reduce", "reduce_identity"]


def can_scatter_reduce(arg, op: ReduceOp) -> bool:
    """Whether a type has a reduction in scatters: all but those of bits of floats."""
    return op not in (ReduceOp.And, ReduceOp.Or) or not is_float_v(arg)


def reduce_identity(dtype, op: ReduceOp, size: int = 1):
    """What a reduction joins to any value without changing it."""
    if op in (ReduceOp.Add, ReduceOp.Or, ReduceOp.Identity):
        value = 0
    elif op == ReduceOp.Mul:
        value = 1
    elif op == ReduceOp.And:
        return ~zeros(dtype, size)
    elif is_float_v(dtype):
        value = float("inf") if op == ReduceOp.Min else float("-inf")
    else:
        top = largest(dtype)
        value = top if op == ReduceOp.Min else -top - 1 if is_signed_v(dtype) else 0
    return full(dtype, value, size)
