//! If-conversion: short branches that compute values only become selects, so that vectors take both at once.

use crate::ir::{Branches, Code, Id, Kernel, Rule};
use smallvec::smallvec;

/// The most statements of a branch that is computed also where it is not taken: about what asking whether any lane takes it costs.
const SHORT: usize = 6;

/// Replaces conditionals of short branches without effects by their statements and selects.
pub fn if_convert(kernel: &mut Kernel) {
    if kernel.has(Code::If) {
        let mut chosen = vec![None; kernel.statements.len()];
        block(kernel, 0, &mut chosen);
    }
}

/// By conditional that is gone, its condition and what its branches give.
type Chosen = Vec<Option<(Id, [Vec<Id>; 2])>>;

fn block(kernel: &mut Kernel, number: usize, chosen: &mut Chosen) {
    for id in std::mem::take(&mut kernel.blocks[number]) {
        for held in kernel.held(id) {
            block(kernel, held, chosen);
        }
        let s = kernel.statement(id).clone();
        match s.code {
            Code::If => {
                let Branches { then, otherwise } = Branches::of(s.imm);
                let branches = [then, otherwise].map(|b| b as usize);
                if branches.iter().all(|&b| is_short(kernel, b)) {
                    let given = branches.map(|b| {
                        let mut ids = std::mem::take(&mut kernel.blocks[b]);
                        let end = ids.pop().map(|end| kernel.statement(end).operands.to_vec());
                        kernel.blocks[number].extend(ids);
                        end.unwrap_or_default()
                    });
                    chosen[id.0 as usize] = Some((s.operands[0], given));
                    continue;
                }
            }
            Code::Result => {
                if let Some((condition, [then, otherwise])) = &chosen[s.operands[0].0 as usize] {
                    let n = s.imm as usize;
                    let operands = smallvec![*condition, then[n], otherwise[n]];
                    let select = &mut kernel.statements[id.0 as usize];
                    (select.code, select.operands, select.imm) = (Code::Select, operands, 0);
                }
            }
            _ => {}
        }
        kernel.blocks[number].push(id);
    }
}

/// True for few statements that cost little where nobody needs them, and change nothing.
fn is_short(kernel: &Kernel, number: usize) -> bool {
    let ids = &kernel.blocks[number];
    let is_cheap = |&id: &Id| {
        let s = kernel.statement(id);
        match s.code.rule() {
            Rule::Constant
            | Rule::Compare(_)
            | Rule::Select
            | Rule::Convert
            | Rule::Bitcast
            | Rule::Yield => true,
            Rule::Unary(_) => s.code != Code::Sqrt,
            Rule::Binary(_) => !matches!(s.code, Code::Div | Code::Rem),
            _ => false,
        }
    };
    ids.len() <= SHORT + 1 && ids.iter().all(is_cheap)
}
