//! What nobody uses, and does nothing else, is left out.

use crate::ir::{Code, Id, Ir};

/// True if something was left out.
pub fn die(ir: &mut Ir) -> bool {
    let mut changed = false;
    loop {
        let uses = ir.uses();
        let loaded = loaded(ir);
        let mut dropped = false;
        for block in ir.blocks_in_order() {
            let before = std::mem::take(&mut ir.blocks[block]);
            let count = before.len();
            let kept: Vec<Id> = before.into_iter().filter(|&id| !is_dead(ir, id, &uses, &loaded)).collect();
            dropped |= kept.len() != count;
            ir.blocks[block] = kept;
        }
        if !dropped {
            return changed;
        }
        changed = true;
    }
}

/// Which pointers something reads.
fn loaded(ir: &Ir) -> Vec<bool> {
    let mut loaded = vec![false; ir.statements.len()];
    for id in ir.in_order() {
        let s = ir.statement(id);
        if matches!(s.code, Code::LocalLoad | Code::GlobalLoad | Code::Atomic) {
            loaded[s.operands[0].index()] = true;
        }
    }
    loaded
}

fn is_dead(ir: &Ir, id: Id, uses: &[usize], loaded: &[bool]) -> bool {
    let s = ir.statement(id);
    let unused = uses[id.index()] == 0;
    let is_empty = s.blocks.iter().all(|&b| ir.blocks[b].is_empty());
    match s.code {
        // Writes to a variable of its own that nobody reads.
        Code::LocalStore => {
            let to = s.operands[0];
            ir.statement(to).code == Code::Alloca && !loaded[to.index()]
        }
        Code::If | Code::RangeFor | Code::StructFor | Code::Inline | Code::Offloaded => is_empty && unused,
        _ => unused && s.is_droppable(),
    }
}
