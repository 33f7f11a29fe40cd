//! Operations that need not be done: the result is an operand, bit for bit.

use super::{Kind, NodeId, Trace};
use ivy_core::{BinaryOp, Dtype, Kind as Class, UnaryOp};

impl Trace {
    /// The operand that the operation would only copy, if there is one; it has the result's
    /// dtype, and its shape if it has as many axes.
    ///
    /// A NaN operand stays a NaN: no more is promised of what arithmetic makes of it.
    pub(crate) fn unchanged(&self, kind: Kind, dtype: Dtype, operands: &[NodeId]) -> Option<NodeId> {
        let literal = |id: NodeId| {
            let node = self.node(id);
            (node.kind == Kind::Literal).then_some(node.literal)
        };
        match (kind, operands) {
            (Kind::Cast, &[x]) if self.node(x).dtype == dtype => Some(x),
            (Kind::Unary(UnaryOp::Conj | UnaryOp::Real), &[x]) if !self.node(x).dtype.is_complex() => Some(x),
            (Kind::Unary(UnaryOp::Ceil | UnaryOp::Floor | UnaryOp::Round | UnaryOp::Trunc), &[x])
                if dtype.is_int() =>
            {
                Some(x)
            }
            (Kind::Where, &[c, x, y]) => match literal(c) {
                _ if x == y => Some(x),
                Some(bits) => Some(if bits[0] & 1 == 1 { x } else { y }),
                None => None,
            },
            (Kind::Binary(op), &[x, y]) => {
                let right = literal(y).is_some_and(|bits| is_neutral(op, dtype, bits[0]));
                let left = || commutes(op) && literal(x).is_some_and(|bits| is_neutral(op, dtype, bits[0]));
                if right {
                    Some(x)
                } else if left() {
                    Some(y)
                } else {
                    None
                }
            }
            _ => None,
        }
    }
}

/// True if an operation on any `x` and a literal of these bits gives `x`, the literal being the first
/// operand if `first`.
pub(crate) fn changes_nothing(op: BinaryOp, dtype: Dtype, bits: u64, first: bool) -> bool {
    is_neutral(op, dtype, bits) && (!first || commutes(op))
}

fn commutes(op: BinaryOp) -> bool {
    use BinaryOp::*;
    matches!(op, Add | Multiply | BitwiseAnd | BitwiseOr | BitwiseXor)
}

/// True if `x op literal` is `x` for every `x` of the dtype.
fn is_neutral(op: BinaryOp, dtype: Dtype, bits: u64) -> bool {
    use BinaryOp::*;
    let ones = u64::MAX >> (64 - 8 * dtype.bytes().min(8));
    // Bits of 1, and of -0.
    let (one, minus_zero) = match dtype {
        Dtype::FLOAT16 => (0x3c00, 0x8000),
        Dtype::BFLOAT16 => (0x3f80, 0x8000),
        Dtype::FLOAT32 => (u64::from(1f32.to_bits()), 1 << 31),
        Dtype::FLOAT64 => (1f64.to_bits(), 1 << 63),
        _ => (1, 0),
    };
    match (dtype.kind(), op) {
        (Class::Int | Class::Uint, Add | Subtract | BitwiseOr | BitwiseXor) => bits == 0,
        (Class::Int | Class::Uint, BitwiseLeftShift | BitwiseRightShift) => bits == 0,
        (Class::Int | Class::Uint, BitwiseAnd) => bits == ones,
        (Class::Int | Class::Uint, Multiply | FloorDivide) => bits == one,
        // x + 0 would make 0 of -0; x - 0 and x + -0 keep it.
        (Class::Float, Subtract) => bits == 0,
        (Class::Float, Add) => bits == minus_zero,
        (Class::Float, Multiply | Divide) => bits == one,
        _ => false,
    }
}
