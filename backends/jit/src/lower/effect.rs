//! Updates of scatters as effects of elements in any order.

use crate::ir::Code;
use ivy_core::{Dtype, ScatterOp};

/// What an update does to memory, by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// An atomic.
    Atomic(Code),
    /// Truth values: an update of this value is written, one of the other changes nothing.
    Mark(bool),
}

/// What an update of a scatter does; `None` where the order of updates makes the result, or there are no atomics of the
/// dtype. Sums of floats are rounded in some order: see [`is_rounded`].
pub fn effect(op: ScatterOp, dtype: Dtype) -> Option<Effect> {
    use ScatterOp::{Add, And, Max, Min, Mul, Or, Set};
    match dtype {
        Dtype::BOOL => match op {
            Add | Max | Or => Some(Effect::Mark(true)),
            Mul | Min | And => Some(Effect::Mark(false)),
            Set => None,
        },
        Dtype::INT32 | Dtype::INT64 | Dtype::UINT32 | Dtype::UINT64 => {
            let code = match op {
                Add => Code::AtomicAdd,
                Min => Code::AtomicMin,
                Max => Code::AtomicMax,
                And => Code::AtomicAnd,
                Or => Code::AtomicOr,
                Set | Mul => return None,
            };
            Some(Effect::Atomic(code))
        }
        Dtype::FLOAT32 | Dtype::FLOAT64 if op == Add => Some(Effect::Atomic(Code::AtomicAdd)),
        _ => None,
    }
}

/// True if the order of updates is seen in the last digits.
pub fn is_rounded(dtype: Dtype) -> bool {
    dtype.is_float()
}
