//! What is the same each time a loop is repeated is computed before the loop.

use super::alias::{Changes, Root};
use crate::ir::{Code, Id, Kernel, Rule};

/// Moves statements out of the loops that they do not depend on. Loops stay where they are: an
/// element that does not get there may have none that ends.
pub fn hoist(kernel: &mut Kernel) {
    if kernel.has(Code::Loop) {
        block(kernel, 0);
    }
}

/// The loops of a block, the inner ones first.
fn block(kernel: &mut Kernel, number: usize) {
    let mut ids = Vec::new();
    for id in std::mem::take(&mut kernel.blocks[number]) {
        for held in kernel.held(id) {
            block(kernel, held);
        }
        if kernel.statement(id).code == Code::Loop {
            ids.extend(fixed(kernel, kernel.statement(id).imm as usize));
        }
        ids.push(id);
    }
    kernel.blocks[number] = ids;
}

/// Takes out of a loop's block what does not depend on what the loop carries.
fn fixed(kernel: &mut Kernel, number: usize) -> Vec<Id> {
    let mut inside = vec![false; kernel.statements.len()];
    mark(kernel, number, &mut inside, true);
    let mut moved = Vec::new();
    let changes = Changes::within(kernel, number);
    let ids = std::mem::take(&mut kernel.blocks[number]);
    let stays = |id: &Id| {
        let goes = can_move(kernel, *id, &changes) && is_free(kernel, *id, &inside);
        if goes {
            inside[id.0 as usize] = false;
            kernel.held(*id).into_iter().for_each(|held| mark(kernel, held, &mut inside, false));
            moved.push(*id);
        }
        !goes
    };
    let left = ids.into_iter().filter(stays).collect();
    kernel.blocks[number] = left;
    moved
}

/// Notes which statements are in a block and in those that it holds.
fn mark(kernel: &Kernel, number: usize, inside: &mut [bool], is: bool) {
    for &id in &kernel.blocks[number] {
        inside[id.0 as usize] = is;
        kernel.held(id).into_iter().for_each(|held| mark(kernel, held, inside, is));
    }
}

/// True for what has no place of its own in a loop, and ends whatever it is computed of. What is read from
/// memory must be the same in each iteration.
fn can_move(kernel: &Kernel, id: Id, changes: &Changes) -> bool {
    let s = kernel.statement(id);
    match s.code.rule() {
        _ if s.is_effect() => false,
        Rule::LoadAt => s.memory().is_some_and(|memory| !changes.touch_any(Root::of(kernel, memory))),
        Rule::Loop | Rule::Carried | Rule::While | Rule::Next | Rule::Yield => false,
        Rule::If | Rule::Rare => {
            let held = kernel.held(id);
            held.iter()
                .all(|&b| kernel.blocks[b].iter().all(|&i| is_end(kernel, i) || can_move(kernel, i, changes)))
        }
        _ => true,
    }
}

fn is_end(kernel: &Kernel, id: Id) -> bool {
    kernel.statement(id).code == Code::Yield
}

/// True if nothing that it uses is inside, but for what its own blocks make.
fn is_free(kernel: &Kernel, id: Id, inside: &[bool]) -> bool {
    let mut own = Vec::new();
    uses_free(kernel, id, inside, &mut own)
}

fn uses_free(kernel: &Kernel, id: Id, inside: &[bool], own: &mut Vec<Id>) -> bool {
    let blocks = kernel.held(id).into_iter().all(|held| {
        kernel.blocks[held].iter().all(|&i| {
            let free = uses_free(kernel, i, inside, own);
            own.push(i);
            free
        })
    });
    blocks && kernel.statement(id).operands.iter().all(|o| !inside[o.0 as usize] || own.contains(o))
}
