//! Operations that leave an operand as it is, bit for bit, and choices that are none.

use crate::ir::{Code, Data, Id, Ir};
use crate::number;
use ivy_taichi_types::BinaryOp;

/// True if something was replaced.
pub fn alg_simp(ir: &mut Ir) -> bool {
    let mut with = vec![None; ir.statements.len()];
    let (uses, mut changed) = (ir.uses(), false);
    for id in ir.in_order() {
        if let Some(other) = same_as(ir, id) {
            with[id.index()] = Some(other);
            changed |= uses[id.index()] > 0;
        }
    }
    ir.replace(&with);
    changed
}

/// The operand that a statement's value is.
fn same_as(ir: &Ir, id: Id) -> Option<Id> {
    let s = ir.statement(id);
    let of = |n: usize| s.operands.get(n).copied();
    let ty = |n: usize| of(n).and_then(|o| ir.statement(o).ty);
    match (&s.data, s.code) {
        (Data::Binary(op), _) if s.ty == ty(0) => {
            let (x, y) = (of(0)?, of(1)?);
            if leaves(*op, ir, y) {
                return Some(x);
            }
            let both_ways = matches!(op, BinaryOp::Add | BinaryOp::Mul | BinaryOp::BitOr | BinaryOp::BitXor);
            if both_ways && leaves(*op, ir, x) {
                return Some(y);
            }
            let is_same = matches!(op, BinaryOp::BitAnd | BinaryOp::BitOr | BinaryOp::Max | BinaryOp::Min);
            (is_same && x == y && s.ty?.is_integral()).then_some(x)
        }
        (_, Code::Cast | Code::BitCast) if s.ty == ty(0) => of(0),
        (_, Code::Select) => match ir.constant(of(0)?) {
            Some(bits) if number::real(ty(0)?, bits).is_none() => of(if bits == 0 { 2 } else { 1 }),
            _ => of(1).filter(|_| of(1) == of(2)),
        },
        _ => None,
    }
}

/// True if the operation by this right operand gives the left one.
fn leaves(op: BinaryOp, ir: &Ir, by: Id) -> bool {
    let (Some(ty), Some(bits)) = (ir.statement(by).ty, ir.constant(by)) else { return false };
    use BinaryOp::*;
    if let Some(x) = number::real(ty, bits) {
        return match op {
            // Adding 0 would make 0 of -0.
            Sub => x == 0.0 && x.is_sign_positive(),
            Mul | TrueDiv => x == 1.0,
            _ => false,
        };
    }
    ty.is_integral()
        && match op {
            Add | Sub | BitOr | BitXor | BitShl | BitShr | BitSar => bits == 0,
            Mul | FloorDiv | Div => bits == 1,
            _ => false,
        }
}
