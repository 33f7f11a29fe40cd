//! One statement for each value: of equal ones, the first stays.

use crate::ir::{Id, Kernel, Statement};
use std::collections::HashMap;

/// Replaces each pure statement by an equal one before it.
pub fn same(kernel: &mut Kernel) {
    let renamed = (0..kernel.statements.len() as u32).map(Id).collect();
    let mut pass = Pass { kernel, known: HashMap::new(), renamed };
    pass.block(0);
}

struct Pass<'k> {
    kernel: &'k mut Kernel,
    known: HashMap<Statement, Id>,
    renamed: Vec<Id>,
}

impl Pass<'_> {
    /// Goes through a block; gives the values that it has made known.
    fn block(&mut self, number: usize) -> Vec<Statement> {
        let mut made = Vec::new();
        for id in std::mem::take(&mut self.kernel.blocks[number]) {
            for held in self.kernel.held(id) {
                // What a block makes is known inside of it only; what was known before, there too.
                for made in self.block(held) {
                    self.known.remove(&made);
                }
            }
            let statement = &mut self.kernel.statements[id.0 as usize];
            statement.operands.iter_mut().for_each(|o| *o = self.renamed[o.0 as usize]);
            if statement.is_pure() {
                match self.known.get(statement) {
                    Some(&first) => {
                        self.renamed[id.0 as usize] = first;
                        continue;
                    }
                    None => {
                        self.known.insert(statement.clone(), id);
                        made.push(statement.clone());
                    }
                }
            }
            self.kernel.blocks[number].push(id);
        }
        made
    }
}
