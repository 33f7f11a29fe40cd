//! Algebraic simplification of kernels with effects, and constant propagation by intervals: what the guarantees of launches decide is
//! not computed for each element.

use crate::ir::{Code, Id, Interval, Kernel, Operands, Type, bits, intervals};
use smallvec::smallvec;

/// Makes constants of integers and truth values that can be one number only; replaces choices by what is chosen, remainders
/// of what is less than the divisor by that, and truth values that were integers in between by themselves.
pub fn simplify(kernel: &mut Kernel) {
    if kernel.effects.is_none() {
        return;
    }
    let found = intervals(kernel);
    let renamed = (0..kernel.statements.len() as u32).map(Id).collect();
    let mut pass = Pass { found, renamed, constants: Vec::new() };
    pass.block(kernel, 0);
    // Before all that may use them.
    kernel.blocks[0].splice(0..0, pass.constants);
}

struct Pass {
    found: Vec<Option<Interval>>,
    renamed: Vec<Id>,
    constants: Vec<Id>,
}

/// What takes the place of a statement's value.
enum Simpler {
    /// Another value.
    Same(Id),
    /// Another operation.
    As(Code, Operands),
}

impl Pass {
    fn block(&mut self, kernel: &mut Kernel, number: usize) {
        for id in std::mem::take(&mut kernel.blocks[number]) {
            for held in kernel.held(id) {
                self.block(kernel, held);
            }
            let known = self.number(id);
            let s = &mut kernel.statements[id.0 as usize];
            s.operands.iter_mut().for_each(|o| *o = self.renamed[o.0 as usize]);
            if let Some(number) = known.filter(|_| s.is_pure() && s.code != Code::Constant) {
                (s.code, s.imm) = (Code::Constant, bits(s.ty, number));
                s.operands.clear();
                self.constants.push(id);
                continue;
            }
            loop {
                match self.simpler(kernel, id) {
                    Some(Simpler::Same(same)) => self.renamed[id.0 as usize] = same,
                    Some(Simpler::As(code, operands)) => {
                        let s = &mut kernel.statements[id.0 as usize];
                        (s.code, s.operands, s.imm) = (code, operands, 0);
                        continue;
                    }
                    None => kernel.blocks[number].push(id),
                }
                break;
            }
        }
    }

    /// The only number that an integer or truth value may be.
    fn number(&self, id: Id) -> Option<i64> {
        self.found[id.0 as usize].and_then(Interval::number)
    }

    fn simpler(&self, kernel: &Kernel, id: Id) -> Option<Simpler> {
        let s = kernel.statement(id);
        let number = |n: usize| self.number(s.operands[n]);
        let same = |n: usize| Some(Simpler::Same(s.operands[n]));
        match s.code {
            Code::Select => match (number(0), s.operands[0], s.operands[1], s.operands[2]) {
                (Some(0), ..) => same(2),
                (Some(_), ..) => same(1),
                (None, _, x, y) if x == y => same(1),
                (None, c, x, y) if s.ty == Type::Bool && y == c => {
                    Some(Simpler::As(Code::And, smallvec![c, x]))
                }
                (None, c, x, y) if s.ty == Type::Bool && x == c => {
                    Some(Simpler::As(Code::Or, smallvec![c, y]))
                }
                _ => None,
            },
            Code::Rem => {
                let (a, by) = (self.found[s.operands[0].0 as usize]?, number(1)?);
                if a.least >= 0 && a.most < by { same(0) } else { None }
            }
            Code::And if s.ty == Type::Bool && number(0) == Some(1) => same(1),
            Code::And if s.ty == Type::Bool && number(1) == Some(1) => same(0),
            Code::Add | Code::Sub if s.ty.is_int() && number(1) == Some(0) => same(0),
            Code::Add if s.ty.is_int() && number(0) == Some(0) => same(1),
            Code::Ne if number(1) == Some(0) => truth(kernel, s.operands[0]).map(Simpler::Same),
            Code::Eq if number(1) == Some(0) => {
                truth(kernel, s.operands[0]).map(|truth| Simpler::As(Code::Not, smallvec![truth]))
            }
            Code::Convert if s.ty == Type::Bool => {
                let from = kernel.statement(s.operands[0]);
                match (truth(kernel, s.operands[0]), from.code) {
                    (Some(truth), _) => Some(Simpler::Same(truth)),
                    (None, Code::Select) => {
                        let [x, y] = [1, 2].map(|n| truth(kernel, from.operands[n]));
                        Some(Simpler::As(Code::Select, smallvec![from.operands[0], x?, y?]))
                    }
                    _ => None,
                }
            }
            _ => None,
        }
    }
}

/// The truth value that a value is made of: it is not zero where that is true.
fn truth(kernel: &Kernel, id: Id) -> Option<Id> {
    let s = kernel.statement(id);
    match s.code {
        _ if s.ty == Type::Bool => Some(id),
        // One bit is kept by all types.
        Code::Convert if kernel.statement(s.operands[0]).ty == Type::Bool => Some(s.operands[0]),
        _ => None,
    }
}
