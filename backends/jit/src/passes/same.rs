//! One statement for each value: of equal ones, the first stays.

use crate::ir::{Id, Kernel, Statement};
use std::collections::HashMap;

/// Replaces each pure statement by an equal one before it.
pub fn same(kernel: &mut Kernel) {
    let mut known: HashMap<Statement, Id> = HashMap::new();
    let mut renamed: Vec<Id> = (0..kernel.statements.len() as u32).map(Id).collect();
    for block in 0..kernel.blocks.len() {
        let ids = std::mem::take(&mut kernel.blocks[block]);
        for id in ids {
            let statement = &mut kernel.statements[id.0 as usize];
            statement.operands.iter_mut().for_each(|o| *o = renamed[o.0 as usize]);
            if statement.is_pure() {
                // What the top block has made is known in the other as well.
                let first = *known.entry(statement.clone()).or_insert(id);
                renamed[id.0 as usize] = first;
                if first != id {
                    continue;
                }
            }
            kernel.blocks[block].push(id);
        }
    }
}
