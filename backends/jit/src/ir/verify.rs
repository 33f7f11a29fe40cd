//! What a well-formed kernel is. Code generators rely on it, and passes keep it.
//!
//! 1. The statement `elements` is in the top block, once, and last; it names the second block.
//! 2. A statement is in one block, once.
//! 3. Operands have values, and stand before their use in the same block or in the top block.
//! 4. The number of operands, their types and the value's type follow the statement's [`Rule`].
//! 5. A constant sets no bit above its type's width.
//! 6. A load names an input and a part of it, and has its type; uniform inputs are read in the
//!    top block, all others for each element.
//! 7. A store names a result and has its parts' types; it runs for each element.
//! 8. Every result is stored exactly once. There is at least one.
//! 9. Parameters have one part or two, and truth values one.

use super::{Access, Code, Id, Kernel, Place, Rule, Statement, Type};

/// A broken rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Broken {
    /// The rule's number in the module's text.
    pub rule: u32,
    /// The statement, if it is one's fault.
    pub statement: Option<Id>,
    /// What is wrong.
    pub what: &'static str,
}

/// Checks a kernel.
///
/// # Errors
/// The first rule that is broken.
pub fn verify(kernel: &Kernel) -> Result<(), Broken> {
    let broken = |rule, statement, what| Err(Broken { rule, statement, what });
    for p in &kernel.params {
        if !(p.parts == 1 || p.parts == 2 && p.ty.is_float()) {
            return broken(9, None, "parameters have one part, complex ones two");
        }
    }
    if kernel.blocks.len() != 2 {
        return broken(1, None, "a kernel has two blocks");
    }
    // Where each statement stands: in no block yet, or in one.
    let mut seen = vec![None; kernel.statements.len()];
    let mut stored = vec![0u32; kernel.params.len()];
    let elements = |id: &&Id| kernel.statements.get(id.0 as usize).is_some_and(|s| s.code == Code::Elements);
    let count = kernel.blocks.iter().flatten().filter(elements).count();
    if count != 1 || kernel.top().last().filter(elements).is_none() {
        return broken(1, None, "`elements` is once, last in the top block");
    }
    for (number, block) in kernel.blocks.iter().enumerate() {
        for &id in block {
            let at = Some(id);
            let Some(place) = seen.get_mut(id.0 as usize) else { return broken(2, at, "no such statement") };
            if place.is_some() {
                return broken(2, at, "a statement is in one block, once");
            }
            let statement = kernel.statement(id);
            for o in &statement.operands {
                // The top block comes first, so what was seen is visible.
                if seen.get(o.0 as usize).copied().flatten().is_none() {
                    return broken(3, at, "an operand does not stand before its use");
                }
                if !kernel.statement(*o).has_value() {
                    return broken(3, at, "an operand has no value");
                }
            }
            check(kernel, statement, number, &mut stored).map_err(|(rule, what)| Broken {
                rule,
                statement: at,
                what,
            })?;
            seen[id.0 as usize] = Some(number);
        }
    }
    let outputs = || kernel.params.iter().zip(&stored).filter(|(p, _)| p.access == Access::Out);
    if outputs().any(|(_, &n)| n != 1) || outputs().next().is_none() {
        return broken(8, None, "every result is stored once");
    }
    Ok(())
}

fn check(
    kernel: &Kernel,
    s: &Statement,
    block: usize,
    stored: &mut [u32],
) -> Result<(), (u32, &'static str)> {
    let types: Vec<Type> = s.operands.iter().map(|&o| kernel.statement(o).ty).collect();
    let fits = match (s.code.rule(), types.as_slice()) {
        (Rule::Constant | Rule::Load, []) => true,
        (Rule::Elements, []) => s.imm == 1,
        (Rule::Store, _) => true,
        (Rule::Unary(set), [x]) => set.contains(*x) && s.ty == *x,
        (Rule::Binary(set), [a, b]) => set.contains(*a) && a == b && s.ty == *a,
        (Rule::Compare(set), [a, b]) => set.contains(*a) && a == b && s.ty == Type::Bool,
        (Rule::Select, [c, a, b]) => *c == Type::Bool && a == b && s.ty == *a,
        (Rule::Convert, [x]) => *x != s.ty,
        (Rule::Bitcast, [x]) => *x != s.ty && x.bits() == s.ty.bits(),
        _ => false,
    };
    if !fits {
        return Err((4, "operands or value do not follow the rule"));
    }
    match s.code.rule() {
        Rule::Constant if s.imm & !s.ty.mask() != 0 => Err((5, "a constant is wider than its type")),
        Rule::Load => {
            let place = Place::of(s.imm);
            let Some(p) = kernel.params.get(place.param as usize) else {
                return Err((6, "no such parameter"));
            };
            if p.access == Access::Out || place.part >= p.parts || s.ty != p.ty {
                return Err((6, "not an input of that part and type"));
            }
            match (p.access == Access::Uniform) == (block == 0) {
                true => Ok(()),
                false => Err((6, "uniform inputs are read once, others for each element")),
            }
        }
        Rule::Store => {
            let Some(p) = kernel.params.get(s.imm as usize) else { return Err((7, "no such parameter")) };
            if p.access != Access::Out || types.len() != p.parts as usize || types.iter().any(|&t| t != p.ty)
            {
                return Err((7, "not a result of these types"));
            }
            if block == 0 {
                return Err((7, "a store runs for each element"));
            }
            stored[s.imm as usize] += 1;
            Ok(())
        }
        _ => Ok(()),
    }
}
