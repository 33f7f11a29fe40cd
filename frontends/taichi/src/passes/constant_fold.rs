//! Operations on constants become constants.

use crate::ir::{Code, Data, Id, Ir};
use crate::number;

/// True if something was folded.
pub fn constant_fold(ir: &mut Ir) -> bool {
    let mut changed = false;
    for id in ir.in_order() {
        if let Some(bits) = folded(ir, id) {
            let s = ir.statement_mut(id);
            (s.code, s.data) = (Code::Constant, Data::Bits(bits));
            s.operands.clear();
            changed = true;
        }
    }
    changed
}

fn folded(ir: &Ir, id: Id) -> Option<u64> {
    let s = ir.statement(id);
    let to = s.ty?;
    let operand = |n: usize| {
        let of = *s.operands.get(n)?;
        Some((ir.statement(of).ty?, ir.constant(of)?))
    };
    match (&s.data, s.code) {
        (Data::Unary(op), _) => {
            let (ty, x) = operand(0)?;
            number::unary(*op, ty, x)
        }
        (Data::Binary(op), _) => {
            let ((ty, x), (other, y)) = (operand(0)?, operand(1)?);
            // A truth value of its own type, 1 where it is true.
            (ty == other).then(|| number::binary(*op, ty, x, y))?
        }
        (_, Code::Cast) => {
            let (from, x) = operand(0)?;
            number::cast(from, x, to)
        }
        (_, Code::BitCast) => Some(operand(0)?.1),
        _ => None,
    }
}
