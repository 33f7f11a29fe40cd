//! What may differ between the elements of a row.

use super::{Branches, Code, Id, Kernel, Place, Rule};

/// By statement, whether its value may differ between the elements of a row. What stays in a loop differs
/// where elements leave that loop at different times.
pub fn varying(kernel: &Kernel) -> Vec<bool> {
    let mut varies = vec![false; kernel.statements.len()];
    loop {
        let before = varies.iter().filter(|&&v| v).count();
        for &id in kernel.blocks.iter().flatten() {
            note(kernel, id, &mut varies);
        }
        if varies.iter().filter(|&&v| v).count() == before {
            return varies;
        }
    }
}

/// Notes what a statement's operands say of it, and of what it carries.
fn note(kernel: &Kernel, id: Id, varies: &mut [bool]) {
    let s = kernel.statement(id);
    let any = |ids: &[Id], varies: &[bool]| ids.iter().any(|o| varies[o.0 as usize]);
    let end = |block: u32| kernel.blocks[block as usize].last().map(|&end| kernel.statement(end));
    let differs = match s.code.rule() {
        Rule::Load | Rule::LoadWhere | Rule::Gather => {
            let access = kernel.params[Place::of(s.imm).param as usize].access;
            !access.is_fixed() || any(&s.operands, varies)
        }
        Rule::Argument => true,
        // What stands in memory may change between two elements' reads.
        Rule::LoadAt | Rule::Atomic(_) | Rule::Cas => true,
        Rule::Loop => {
            let block = s.imm as u32;
            let ends = kernel.end_of(id).is_some_and(|end| varies[end.0 as usize]);
            let Some(next) = end(block) else { return };
            let inside = &kernel.blocks[block as usize];
            for ((&carried, first), then) in inside.iter().zip(&s.operands).zip(&next.operands) {
                varies[carried.0 as usize] |= ends || any(&[*first, *then], varies);
            }
            return;
        }
        // By its loop.
        Rule::Carried => return,
        Rule::Result => {
            let (holder, index) = (kernel.statement(s.operands[0]), s.imm as usize);
            match holder.code {
                Code::Loop => any(&kernel.blocks[holder.imm as usize][index..=index], varies),
                Code::Call | Code::CallTable => true,
                _ => {
                    let Branches { then, otherwise } = Branches::of(holder.imm);
                    let given = [then, otherwise].map(|b| end(b).map(|end| end.operands[index]));
                    any(&holder.operands, varies) || given.iter().flatten().any(|g| varies[g.0 as usize])
                }
            }
        }
        _ => any(&s.operands, varies),
    };
    varies[id.0 as usize] |= differs;
}

impl Kernel {
    /// The condition on which a loop goes on.
    pub fn end_of(&self, id: Id) -> Option<Id> {
        let inside = self.blocks.get(self.statement(id).imm as usize)?;
        let end = inside.iter().map(|&one| self.statement(one)).find(|s| s.code == Code::While)?;
        end.operands.first().copied()
    }
}
