//! What an element has written or read, it need not read again.

use super::alias::{Changes, Place};
use crate::ir::{Code, Id, Kernel, Statement, Type};
use smallvec::smallvec;
use std::collections::{BTreeMap, HashMap};

/// Replaces what is read by what stands there, as long as nothing may have changed it: what was read from
/// there before, or written, which is zero where it is out of bounds.
pub fn forward(kernel: &mut Kernel) {
    if kernel.effects.is_none() || !kernel.has(Code::LoadAt) {
        return;
    }
    // Equal numbers are one value then.
    super::same(kernel);
    let renamed = (0..kernel.statements.len() as u32).map(Id).collect();
    let mut pass = Pass { kernel, renamed, zeros: BTreeMap::new() };
    pass.block(1, HashMap::new());
    // What was read in a block may be named behind it.
    let Pass { kernel, renamed, zeros } = pass;
    for s in &mut kernel.statements {
        s.operands.iter_mut().for_each(|o| *o = renamed[o.0 as usize]);
    }
    kernel.blocks[0].splice(0..0, zeros.into_values());
}

/// What stands at a place.
#[derive(Clone, Copy)]
enum Known {
    /// This.
    Value(Id),
    /// This, if the place is there.
    Written(Id),
}

struct Pass<'k> {
    kernel: &'k mut Kernel,
    renamed: Vec<Id>,
    zeros: BTreeMap<Type, Id>,
}

impl Pass<'_> {
    fn add(&mut self, statement: Statement) -> Id {
        let id = Id(self.kernel.statements.len() as u32);
        self.kernel.statements.push(statement);
        self.renamed.push(id);
        id
    }

    fn zero(&mut self, ty: Type) -> Id {
        if let Some(&zero) = self.zeros.get(&ty) {
            return zero;
        }
        let zero = self.add(Statement { code: Code::Constant, ty, operands: smallvec![], imm: 0 });
        self.zeros.insert(ty, zero);
        zero
    }

    fn block(&mut self, number: usize, mut known: HashMap<Place, Known>) {
        for id in std::mem::take(&mut self.kernel.blocks[number]) {
            let renamed = &self.renamed;
            let operands = &mut self.kernel.statements[id.0 as usize].operands;
            operands.iter_mut().for_each(|o| *o = renamed[o.0 as usize]);
            let held = self.kernel.held(id);
            let is_loop = self.kernel.statement(id).code == Code::Loop;
            if !held.is_empty() {
                let changes = Changes::of(self.kernel, id);
                let kept = |known: &mut HashMap<Place, Known>| known.retain(|p, _| !changes.touch(p));
                if is_loop {
                    // By an earlier iteration.
                    kept(&mut known);
                }
                held.iter().for_each(|&block| self.block(block, known.clone()));
                kept(&mut known);
            } else if let Some(place) = Place::of(self.kernel, id) {
                let s = self.kernel.statement(id).clone();
                match s.code {
                    Code::InBounds => {}
                    Code::LoadAt => match known.get(&place).copied() {
                        Some(Known::Value(value)) => {
                            self.renamed[id.0 as usize] = value;
                            continue;
                        }
                        Some(Known::Written(value)) => {
                            let value = self.if_there(number, &s, value);
                            self.renamed[id.0 as usize] = value;
                            known.insert(place, Known::Value(value));
                            continue;
                        }
                        None => {
                            known.insert(place, Known::Value(id));
                        }
                    },
                    code => {
                        let changes = Changes::of(self.kernel, id);
                        known.retain(|p, _| !changes.touch(p));
                        if code == Code::StoreAt {
                            let value = s.operands[2];
                            let there = place.is_there(self.kernel);
                            let entry = if there { Known::Value(value) } else { Known::Written(value) };
                            known.insert(place, entry);
                        }
                    }
                }
            } else if self.kernel.statement(id).is_effect() {
                let changes = Changes::of(self.kernel, id);
                known.retain(|p, _| !changes.touch(p));
            }
            self.kernel.blocks[number].push(id);
        }
    }

    /// What reading gives of what was written there: zero where that is out of bounds.
    fn if_there(&mut self, block: usize, load: &Statement, value: Id) -> Id {
        let operands = smallvec![load.operands[0], load.operands[1]];
        let there = self.add(Statement { code: Code::InBounds, ty: Type::Bool, operands, imm: 0 });
        let operands = smallvec![there, value, self.zero(load.ty)];
        let value = self.add(Statement { code: Code::Select, ty: load.ty, operands, imm: 0 });
        self.kernel.blocks[block].extend([there, value]);
        value
    }
}
