//! What nobody reads goes.

use crate::ir::Kernel;

/// Drops pure statements whose value has no use.
pub fn dead(kernel: &mut Kernel) {
    let mut used = vec![false; kernel.statements.len()];
    for block in (0..kernel.blocks.len()).rev() {
        let mut kept = Vec::with_capacity(kernel.blocks[block].len());
        for &id in kernel.blocks[block].iter().rev() {
            let statement = kernel.statement(id);
            if !statement.is_pure() || used[id.0 as usize] {
                statement.operands.iter().for_each(|o| used[o.0 as usize] = true);
                kept.push(id);
            }
        }
        kept.reverse();
        kernel.blocks[block] = kept;
    }
}
