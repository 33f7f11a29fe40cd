//! Conditionals whose condition is known are the branch that it takes.

use crate::ir::{Code, Ir};

/// True if a conditional was replaced.
pub fn unreachable_code(ir: &mut Ir) -> bool {
    let mut changed = false;
    for block in ir.blocks_in_order() {
        let mut kept = Vec::new();
        for id in std::mem::take(&mut ir.blocks[block]) {
            let s = ir.statement(id);
            // Of reals, -0 is zero as well.
            let known = s.operands.first().filter(|&&condition| {
                s.code == Code::If && ir.statement(condition).ty.is_some_and(|ty| ty.is_integral())
            });
            match known.and_then(|&condition| ir.constant(condition)) {
                Some(bits) => {
                    let taken = s.blocks[usize::from(bits == 0)];
                    kept.append(&mut ir.blocks[taken]);
                    changed = true;
                }
                None => kept.push(id),
            }
        }
        ir.blocks[block] = kept;
    }
    changed
}
