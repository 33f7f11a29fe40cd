//! What passes have in common: walks through blocks, replaced values, uses.

use super::{Data, Id, Ir, Statement, TOP};

impl Ir {
    /// Every statement in use, in order, those of blocks after what holds them.
    pub fn in_order(&self) -> Vec<Id> {
        let mut found = Vec::new();
        self.gather(TOP, &mut found);
        found
    }

    /// Those of a block and of the blocks within.
    pub fn within(&self, block: usize) -> Vec<Id> {
        let mut found = Vec::new();
        self.gather(block, &mut found);
        found
    }

    fn gather(&self, block: usize, found: &mut Vec<Id>) {
        for &id in &self.blocks[block] {
            found.push(id);
            self.statement(id).blocks.iter().for_each(|&inner| self.gather(inner, found));
        }
    }

    /// The blocks in use, each after the one that it is in.
    pub fn blocks_in_order(&self) -> Vec<usize> {
        let held = self.in_order().into_iter().flat_map(|id| self.statement(id).blocks.clone());
        std::iter::once(TOP).chain(held).collect()
    }

    /// Which block each statement in use is in.
    pub fn parents(&self) -> Vec<Option<usize>> {
        let mut parents = vec![None; self.statements.len()];
        for block in self.blocks_in_order() {
            self.blocks[block].iter().for_each(|id| parents[id.index()] = Some(block));
        }
        parents
    }

    /// How often each value is used.
    pub fn uses(&self) -> Vec<usize> {
        let mut uses = vec![0; self.statements.len()];
        for id in self.in_order() {
            self.statement(id).operands.iter().for_each(|o| uses[o.index()] += 1);
        }
        uses
    }

    /// Puts values in the place of others, which may be replaced themselves.
    pub fn replace(&mut self, with: &[Option<Id>]) {
        let found = |mut id: Id| {
            while let Some(Some(other)) = with.get(id.index()) {
                id = *other;
            }
            id
        };
        for id in self.in_order() {
            self.statement_mut(id).operands.iter_mut().for_each(|o| *o = found(*o));
        }
    }

    /// Adds a statement that is in no block yet.
    pub fn add(&mut self, statement: Statement) -> Id {
        self.statements.push(statement);
        Id(self.statements.len() as u32 - 1)
    }

    /// Adds an empty block.
    pub fn add_block(&mut self) -> usize {
        self.blocks.push(Vec::new());
        self.blocks.len() - 1
    }

    /// The bits of a constant.
    pub fn constant(&self, id: Id) -> Option<u64> {
        match self.statement(id).data {
            Data::Bits(bits) => Some(bits),
            _ => None,
        }
    }
}
