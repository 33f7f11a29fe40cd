//! What a well-formed kernel is. Code generators rely on it, and passes keep it.
//!
//! 1. The statement `elements` is in the top block, once, and last; it names the second block.
//! 2. A statement is in one block, once. Every block but the top one is held by one statement:
//!    the second by `elements`, all others by a `rare` for each element. What `rare` holds has
//!    values, and is used inside of it and by its last operand only.
//! 3. Operands have values, and stand before their use in the same block or one around it.
//! 4. The number of operands, their types and the value's type follow the statement's [`Rule`].
//! 5. A constant sets no bit above its type's width.
//! 6. A load names an input and a part of it, and has its type; uniform inputs are read in the
//!    top block, all others for each element.
//! 7. A store names a result and has its parts' types; it runs for each element.
//! 8. Every result is stored exactly once. There is at least one.
//! 9. Parameters have one part or two, and truth values one. A step is one of [`STEPS`], of elements
//!    of one part; so are turned ones, which no kernel that folds has.
//! 10. Results are all elements, or all folds along rows, or all folds across them; what is folded
//!     is of a type that its join takes.

use super::{Access, Code, Id, Kernel, Place as Part, Rule, STEPS, Statement, Type};

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
        match p.access {
            Access::Step(step) if p.parts > 1 || !STEPS.contains(&(step as isize)) => {
                return broken(9, None, "a step is a small one, of elements of one part");
            }
            Access::Turned if p.parts > 1 => return broken(9, None, "turned elements have one part"),
            Access::Along(join) | Access::Across(join) if !join.takes(p.ty, p.parts) => {
                return broken(10, None, "a fold of a type that its join takes");
            }
            _ => {}
        }
    }
    let mut kinds = kernel.params.iter().filter(|p| p.access.is_result()).map(|p| match p.access {
        Access::Along(_) => 1,
        Access::Across(_) => 2,
        _ => 0,
    });
    if let Some(first) = kinds.next()
        && kinds.any(|kind| kind != first)
    {
        return broken(10, None, "results are of one kind");
    }
    let has = |access: fn(&Access) -> bool| kernel.params.iter().any(|p| access(&p.access));
    if has(|a| *a == Access::Turned) && has(|a| matches!(a, Access::Along(_) | Access::Across(_))) {
        return broken(9, None, "turned elements are not folded");
    }
    let elements = |id: &&Id| kernel.statements.get(id.0 as usize).is_some_and(|s| s.code == Code::Elements);
    let count = kernel.blocks.iter().flatten().filter(elements).count();
    let last = kernel.top().last().filter(elements);
    if count != 1 || last.is_none_or(|&id| kernel.statement(id).imm != BODY as u64) || kernel.blocks.len() < 2
    {
        return broken(1, None, "`elements` is once, last in the top block, and names the second block");
    }
    let mut walk = Walk {
        kernel,
        places: vec![Place::None; kernel.statements.len()],
        walked: vec![false; kernel.blocks.len()],
        stored: vec![0; kernel.params.len()],
    };
    walk.block(TOP)?;
    if (0..kernel.blocks.len()).any(|b| !walk.walked[b] && !kernel.blocks[b].is_empty()) {
        return broken(2, None, "a block is held by one statement");
    }
    let outputs = || kernel.params.iter().zip(&walk.stored).filter(|(p, _)| p.access.is_result());
    if outputs().any(|(_, &n)| n != 1) || outputs().next().is_none() {
        return broken(8, None, "every result is stored once");
    }
    Ok(())
}

const TOP: usize = 0;
const BODY: usize = 1;

/// Where a statement stands, seen from the one at hand.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    /// Further on, or nowhere.
    None,
    /// Before, in the same block or one around it.
    Visible,
    /// In a block that has ended.
    Gone,
}

struct Walk<'k> {
    kernel: &'k Kernel,
    places: Vec<Place>,
    walked: Vec<bool>,
    stored: Vec<u32>,
}

impl Walk<'_> {
    fn block(&mut self, number: usize) -> Result<(), Broken> {
        let kernel = self.kernel;
        self.walked[number] = true;
        for &id in &kernel.blocks[number] {
            let broken = |rule, what| Err(Broken { rule, statement: Some(id), what });
            match self.places.get(id.0 as usize) {
                None => return broken(2, "no such statement"),
                Some(Place::None) => {}
                Some(_) => return broken(2, "a statement is in one block, once"),
            }
            let s = kernel.statement(id);
            let held = kernel.held(id);
            if s.code == Code::Rare {
                // What is asked first stands before the block; the last operand may be in it.
                s.operands.iter().take(2).try_for_each(|&o| self.operand(id, o))?;
                if number == TOP {
                    return broken(2, "`rare` is for each element");
                }
                let Some(false) = held.and_then(|b| self.walked.get(b)) else {
                    return broken(2, "a block is held by one statement");
                };
                let block = held.unwrap_or(TOP);
                if kernel.blocks[block]
                    .iter()
                    .any(|&i| kernel.statements.get(i.0 as usize).is_some_and(|s| !s.has_value()))
                {
                    return broken(2, "what `rare` holds has values");
                }
                self.block(block)?;
            }
            s.operands.iter().try_for_each(|&o| self.operand(id, o))?;
            check(kernel, s, number, &mut self.stored).map_err(|(rule, what)| Broken {
                rule,
                statement: Some(id),
                what,
            })?;
            self.places[id.0 as usize] = Place::Visible;
            match (s.code, held) {
                (Code::Rare, Some(held)) => {
                    kernel.blocks[held].iter().for_each(|i| self.places[i.0 as usize] = Place::Gone);
                }
                (Code::Elements, _) => self.block(BODY)?,
                _ => {}
            }
        }
        Ok(())
    }

    fn operand(&self, id: Id, operand: Id) -> Result<(), Broken> {
        let broken = |what| Err(Broken { rule: 3, statement: Some(id), what });
        match self.places.get(operand.0 as usize) {
            Some(Place::Visible) if self.kernel.statement(operand).has_value() => Ok(()),
            Some(Place::Visible) => broken("an operand has no value"),
            _ => broken("an operand does not stand before its use"),
        }
    }
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
        (Rule::Ternary(set), [a, b, c]) => set.contains(*a) && a == b && b == c && s.ty == *a,
        (Rule::Compare(set), [a, b]) => set.contains(*a) && a == b && s.ty == Type::Bool,
        (Rule::Select | Rule::Rare, [c, a, b]) => *c == Type::Bool && a == b && s.ty == *a,
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
            let place = Part::of(s.imm);
            let Some(p) = kernel.params.get(place.param as usize) else {
                return Err((6, "no such parameter"));
            };
            if p.access.is_result() || place.part >= p.parts || s.ty != p.ty {
                return Err((6, "not an input of that part and type"));
            }
            match (p.access == Access::Uniform) == (block == 0) {
                true => Ok(()),
                false => Err((6, "uniform inputs are read once, others for each element")),
            }
        }
        Rule::Store => {
            let Some(p) = kernel.params.get(s.imm as usize) else { return Err((7, "no such parameter")) };
            if !p.access.is_result() || types.len() != p.parts as usize || types.iter().any(|&t| t != p.ty) {
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
