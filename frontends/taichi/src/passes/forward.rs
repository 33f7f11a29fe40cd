//! A variable that was written is not read again before others may have written it, and is not written twice before
//! somebody reads it.

use crate::ir::{Code, Id, Ir, TOP};
use std::collections::{HashMap, HashSet};

/// True if a load was replaced or a store left out.
pub fn forward(ir: &mut Ir) -> bool {
    let mut with = vec![None; ir.statements.len()];
    loads(ir, TOP, &mut HashMap::new(), &mut with);
    let uses = ir.uses();
    let replaced = with.iter().zip(&uses).any(|(other, &used)| other.is_some() && used > 0);
    ir.replace(&with);
    let blocks = ir.blocks_in_order();
    let left_out = blocks.into_iter().fold(false, |any, block| overwritten(ir, block) | any);
    replaced || left_out
}

/// What variables hold, where it is known, from statement to statement.
fn loads(ir: &Ir, block: usize, known: &mut HashMap<Id, Id>, with: &mut [Option<Id>]) {
    for &id in &ir.blocks[block] {
        let s = ir.statement(id);
        match s.code {
            Code::LocalStore => {
                known.insert(s.operands[0], s.operands[1]);
            }
            Code::LocalLoad => match known.get(&s.operands[0]) {
                Some(&value) => with[id.index()] = Some(value),
                None => {
                    known.insert(s.operands[0], id);
                }
            },
            Code::Atomic => {
                known.remove(&s.operands[0]);
            }
            _ => {}
        }
        if s.blocks.is_empty() {
            continue;
        }
        let written: HashSet<Id> = s.blocks.iter().flat_map(|&inner| written(ir, inner)).collect();
        let mut before = known.clone();
        if s.code != Code::If {
            // An iteration begins with what the one before has left.
            before.retain(|variable, _| !written.contains(variable));
        }
        s.blocks.iter().for_each(|&inner| loads(ir, inner, &mut before.clone(), with));
        known.retain(|variable, _| !written.contains(variable));
    }
}

/// The variables that a block writes.
fn written(ir: &Ir, block: usize) -> Vec<Id> {
    let writes = |id: Id| {
        let s = ir.statement(id);
        matches!(s.code, Code::LocalStore | Code::Atomic).then(|| s.operands[0])
    };
    ir.within(block).into_iter().filter_map(writes).collect()
}

/// Leaves stores out that a later one of the block follows, with nothing between that reads.
fn overwritten(ir: &mut Ir, block: usize) -> bool {
    let mut pending: HashSet<Id> = HashSet::new();
    let mut kept = Vec::new();
    let ids = std::mem::take(&mut ir.blocks[block]);
    for &id in ids.iter().rev() {
        let s = ir.statement(id);
        match s.code {
            Code::LocalStore if pending.contains(&s.operands[0]) => continue,
            Code::LocalStore => {
                pending.insert(s.operands[0]);
            }
            Code::LocalLoad | Code::Atomic => {
                pending.remove(&s.operands[0]);
            }
            Code::Return | Code::Break | Code::Continue | Code::WhileControl => pending.clear(),
            _ if !s.blocks.is_empty() => pending.clear(),
            _ => {}
        }
        kept.push(id);
    }
    kept.reverse();
    let changed = kept.len() != ids.len();
    ir.blocks[block] = kept;
    changed
}
