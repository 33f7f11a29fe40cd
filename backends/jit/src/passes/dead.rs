//! What nobody reads goes, unless it has an effect.

use crate::ir::Kernel;

/// Drops statements whose value has no use, loops and conditionals that give nothing of use among
/// them.
pub fn dead(kernel: &mut Kernel) {
    let mut used = vec![false; kernel.statements.len()];
    block(kernel, 0, &mut used);
}

/// The last statement first: what it uses is known when that is looked at.
fn block(kernel: &mut Kernel, number: usize, used: &mut [bool]) {
    let mut ids = std::mem::take(&mut kernel.blocks[number]);
    ids.reverse();
    ids.retain(|&id| {
        let statement = kernel.statement(id);
        let kept = !statement.is_droppable() || used[id.0 as usize] || kernel.has_effect(id);
        if kept {
            statement.operands.iter().for_each(|o| used[o.0 as usize] = true);
        }
        for held in kernel.held(id) {
            match kept {
                true => block(kernel, held, used),
                false => empty(kernel, held),
            }
        }
        kept
    });
    ids.reverse();
    kernel.blocks[number] = ids;
}

/// Drops a block, and those that its statements hold.
fn empty(kernel: &mut Kernel, number: usize) {
    for id in std::mem::take(&mut kernel.blocks[number]) {
        for held in kernel.held(id) {
            empty(kernel, held);
        }
    }
}
