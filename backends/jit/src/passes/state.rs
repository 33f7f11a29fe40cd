//! Loops carry what is needed at their end, and what changes.

use crate::ir::{Carried, Code, Id, Kernel, Rule};

/// Drops what loops carry without a use, or without a change.
pub fn state(kernel: &mut Kernel) {
    if !kernel.has(Code::Loop) {
        return;
    }
    let mut renamed: Vec<Id> = (0..kernel.statements.len() as u32).map(Id).collect();
    block(kernel, 0, &mut renamed);
    // A name may stand for one that has another name itself.
    let last = |mut id: Id| {
        while renamed[id.0 as usize] != id {
            id = renamed[id.0 as usize];
        }
        id
    };
    for statement in &mut kernel.statements {
        statement.operands.iter_mut().for_each(|o| *o = last(*o));
    }
    // What was there for what is carried no more.
    super::dead(kernel);
}

fn block(kernel: &mut Kernel, number: usize, renamed: &mut [Id]) {
    let mut at = 0;
    while let Some(&id) = kernel.blocks[number].get(at) {
        if kernel.statement(id).code == Code::Loop {
            trim(kernel, number, id, renamed);
        }
        // Outer loops first: what they do not need any more may be all that an inner one is for.
        for held in kernel.held(id) {
            block(kernel, held, renamed);
        }
        at += 1;
    }
}

/// A loop of a block, without what it need not carry.
fn trim(kernel: &mut Kernel, number: usize, id: Id, renamed: &mut [Id]) {
    let inner = kernel.statement(id).imm as usize;
    let Some(&next) = kernel.blocks[inner].last() else { return };
    let count = kernel.statement(id).operands.len();
    let carried: Vec<Id> = kernel.blocks[inner][..count].to_vec();
    let results: Vec<Id> = kernel.blocks[number]
        .iter()
        .copied()
        .filter(|&r| kernel.statement(r).code.rule() == Rule::Result && kernel.statement(r).operands[0] == id)
        .collect();
    let index_of = |kernel: &Kernel, r: Id| kernel.statement(r).imm as usize;
    // What never changes is what the loop begins with.
    let fixed: Vec<bool> = (0..count).map(|i| kernel.statement(next).operands[i] == carried[i]).collect();
    for i in (0..count).filter(|&i| fixed[i]) {
        let first = kernel.statement(id).operands[i];
        renamed[carried[i].0 as usize] = first;
        results.iter().filter(|&&r| index_of(kernel, r) == i).for_each(|r| renamed[r.0 as usize] = first);
    }
    let mut needed = vec![false; count];
    let mut used = vec![false; kernel.statements.len()];
    uses_outside(kernel, 0, inner, &mut used);
    for &r in &results {
        needed[index_of(kernel, r)] |= used[r.0 as usize];
    }
    loop {
        let mut inside = vec![false; kernel.statements.len()];
        uses_inside(kernel, inner, (next, &needed), &mut inside);
        let more: Vec<bool> = (0..count).map(|i| needed[i] || inside[carried[i].0 as usize]).collect();
        if more == needed {
            break;
        }
        needed = more;
    }
    let kept: Vec<usize> = (0..count).filter(|&i| needed[i] && !fixed[i]).collect();
    if kept.len() == count {
        return;
    }
    let pick = |kernel: &mut Kernel, id: Id| {
        let operands = &mut kernel.statements[id.0 as usize].operands;
        *operands = kept.iter().map(|&i| operands[i]).collect();
    };
    pick(kernel, id);
    pick(kernel, next);
    kernel.blocks[inner].drain(..count);
    let stay: Vec<Id> = kept.iter().map(|&i| carried[i]).collect();
    for (index, c) in stay.iter().enumerate() {
        let imm = Carried { block: inner as u32, index: index as u32 }.imm();
        kernel.statements[c.0 as usize].imm = imm;
    }
    kernel.blocks[inner].splice(0..0, stay);
    kernel.blocks[number]
        .retain(|r| !results.contains(r) || kept.contains(&(kernel.statements[r.0 as usize].imm as usize)));
    for r in results {
        if let Some(index) = kept.iter().position(|&i| i == index_of(kernel, r)) {
            kernel.statements[r.0 as usize].imm = index as u64;
        }
    }
}

/// What is used in the blocks from `number` on, but for the block `but`.
fn uses_outside(kernel: &Kernel, number: usize, but: usize, used: &mut [bool]) {
    for &id in &kernel.blocks[number] {
        kernel.statement(id).operands.iter().for_each(|o| used[o.0 as usize] = true);
        kernel.held(id).into_iter().filter(|&b| b != but).for_each(|b| uses_outside(kernel, b, but, used));
    }
}

/// What is used in a loop's block for what it must carry next, and to know when it ends.
fn uses_inside(kernel: &Kernel, number: usize, next: (Id, &[bool]), used: &mut [bool]) {
    for &id in kernel.blocks[number].iter().rev() {
        let statement = kernel.statement(id);
        if id == next.0 {
            let needed = statement.operands.iter().zip(next.1).filter(|(_, needed)| **needed);
            needed.for_each(|(o, _)| used[o.0 as usize] = true);
        } else if !statement.is_droppable() || used[id.0 as usize] || kernel.has_effect(id) {
            statement.operands.iter().for_each(|o| used[o.0 as usize] = true);
            kernel.held(id).into_iter().for_each(|held| uses_inside(kernel, held, next, used));
        }
    }
}
