//! What a well-formed kernel is. Code generators rely on it, and passes keep it.
//!
//! 1. The statement `elements` is in the top block, once, and last; it names the second block.
//! 2. A statement is in one block, once. Every block but the top one is held by one statement:
//!    the second by `elements`, all others by a `rare`, a `loop` or an `if` for each element. What
//!    a block makes is used inside of it only; of `rare`, by its last operand as well.
//! 3. Operands have values, and stand before their use in the same block or one around it.
//! 4. The number of operands, their types and the value's type follow the statement's [`Rule`].
//! 5. A constant sets no bit above its type's width.
//! 6. A load names an input and a part of it, and has its type; what is the same along a row is read
//!    in the top block, all else for each element.
//! 7. A store names a result and has its parts' types; it stands in the second block itself.
//! 8. Every result is stored exactly once. There is at least one.
//! 9. Parameters have one part, complex ones and the flag two, and rows of a few elements, which are read and
//!    written as single elements are, at most [`PARTS`](super::PARTS). A step is one of [`STEPS`], of elements
//!    of one part; so are transposed ones, which no kernel that folds has. What is beside a parameter is
//!    of its type and one part, at most [`NEXT`](super::NEXT) elements after it; that one is read in order.
//! 10. Results are elements, and folds along rows of which either each block or each row has one; or they
//!     are all folds across rows. What is folded is of a type that its join takes.
//! 11. The block of a `loop` begins with a `carried` for each of its operands, in order and of its
//!     type; it has one `while`, and ends with a `next` of as many operands of these types. The
//!     three stand nowhere else.
//! 12. Both blocks of an `if` end with a `yield`, of the same types. It stands nowhere else.
//! 13. A `result` stands in the block of its loop or conditional, after it, and names something that
//!     this carries or gives, whose type it has.
//! 14. A `gather` names a part of an input that is gathered, and has its type; its operand is an i64.
//!     Nothing else reads such an input.
//! 15. A `check` names a part of the flag, and stands in the second block or one within. There is one
//!     flag at most, two bytes, which is the last parameter.
//! 16. A `load_where` names a part of an input that is guarded, and has its type; its operand is a truth
//!     value. In the top block it reads only what is the same along a row. Nothing else reads such an
//!     input. What is counted is an i64.
//!
//! Of kernels with [`Effects`](super::Effects), and of no others:
//!
//! 17. Parameters are uniform, counted one by one, memory, or the log, which comes last and holds i64; they
//!     have one part, and it is memory that lengths are guaranteed of. None is a result, and rule 8 asks for none. A block is a power of two, at most
//!     [`BLOCK`](super::BLOCK); it is 1 where elements run in order.
//! 18. What names memory of a parameter or of a block stands in the top block, what names an element's own in
//!     the second block itself. A parameter's has its type. An element's own has at least one element and at
//!     most [`OWN`](super::OWN); what a block shares has at most [`SHARED`](super::SHARED) bytes, all together.
//! 19. What reads or writes memory, or asks of it, names memory before all else, and nothing else does so. It
//!     is done for each element; the top block may ask. Atomics are for memory that others see. What is in
//!     the block of a `rare` changes no memory.
//! 20. A `barrier` stands where all elements of a block get: in the second block, or in the block of a loop
//!     that stands there, whose end is one for all.
//! 21. A function is a kernel with the caller's parameters and effects, which has no functions of its own, no memory of
//!     a block and no barrier. Its second block itself has `argument`s, of the types that it takes, and ends with `return`,
//!     of the types that it gives; these stand in functions only. Names are all different. The functions of a table,
//!     one at least, take and give the same.
//! 22. A `call` names a function, a `call_table` a table, for each element; a function calls those before it
//!     only. Operands are of the types that the function takes, after the place in the table, an i64. With its calls
//!     inlined, a kernel has at most [`INLINED`](super::INLINED) statements.

mod calls;
mod memory;

use super::{
    Access, Branches, Carried, Code, Id, Kernel, PARTS, Param, Place as Part, Rule, STEPS, Set, Statement,
    Type, varying,
};
use calls::Callable;
use std::collections::HashSet;

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
    calls::functions(kernel)?;
    one(kernel, Callable { root: kernel, count: kernel.calls.functions.len(), function: None })?;
    calls::size(kernel)
}

/// A kernel without its functions, or a function.
fn one(kernel: &Kernel, callable: Callable<'_>) -> Result<(), Broken> {
    let broken = |rule, statement, what| Err(Broken { rule, statement, what });
    for p in &kernel.params {
        let pair = p.parts == 2 && (p.ty.is_float() || p.access == Access::Flag);
        let plain = |a| {
            matches!(a, Access::Uniform | Access::Linear | Access::Strided | Access::Out | Access::Stream)
        };
        if !(p.parts == 1 || pair || plain(p.access) && (1..=PARTS).contains(&p.parts)) {
            return broken(9, None, "parameters have one part, complex ones and the flag two, rows a few");
        }
        match p.access {
            Access::Step(step) | Access::StepAhead(step)
                if p.parts > 1 || !STEPS.contains(&(step as isize)) =>
            {
                return broken(9, None, "a step is a small one, of elements of one part");
            }
            Access::Beside { leader, by } | Access::GuardedBeside { leader, by }
                if !kernel.follows(p, leader, by) =>
            {
                return broken(9, None, "what is beside a parameter is near one of its type, read in order");
            }
            Access::GuardedAhead if p.parts > 1 => {
                return broken(9, None, "memory is asked for elements of one part");
            }
            Access::Counter(_) if (p.ty, p.parts) != (Type::I64, 1) => {
                return broken(16, None, "what is counted is an i64");
            }
            Access::Transposed if p.parts > 1 => return broken(9, None, "transposed elements have one part"),
            Access::Along(join) | Access::Row(join) | Access::Across(join) if !join.takes(p.ty, p.parts) => {
                return broken(10, None, "a fold of a type that its join takes");
            }
            _ => {}
        }
    }
    let flags = kernel.params.iter().rev().skip(1).filter(|p| p.access == Access::Flag).count();
    if flags > 0 || kernel.params.last().is_some_and(|p| p.access == Access::Flag && *p != Param::FLAG) {
        return broken(15, None, "one flag, two bytes, is the last parameter");
    }
    let has = |access: fn(&Access) -> bool| kernel.params.iter().any(|p| access(&p.access));
    let kinds: [fn(&Access) -> bool; 4] = [
        |a| matches!(a, Access::Out | Access::Stream),
        |a| matches!(a, Access::Along(_)),
        |a| matches!(a, Access::Row(_)),
        |a| matches!(a, Access::Across(_)),
    ];
    let [elements, blocks, rows, columns] = kinds.map(has);
    if blocks && rows || columns && (elements || blocks || rows) {
        return broken(10, None, "results are of kinds that are written together");
    }
    if has(|a| *a == Access::Transposed) && (blocks || rows || columns) {
        return broken(9, None, "transposed elements are not folded");
    }
    memory::effects(kernel)?;
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
        expected: HashSet::new(),
        shared: 0,
        callable,
    };
    walk.block(TOP)?;
    if (0..kernel.blocks.len()).any(|b| !walk.walked[b] && !kernel.blocks[b].is_empty()) {
        return broken(2, None, "a block is held by one statement");
    }
    let outputs = || kernel.params.iter().zip(&walk.stored).filter(|(p, _)| p.access.is_result());
    if outputs().any(|(_, &n)| n != 1) || outputs().next().is_none() && kernel.effects.is_none() {
        return broken(8, None, "every result is stored once");
    }
    if kernel.has(Code::Barrier) {
        memory::barriers(kernel, BODY, &varying(kernel))?;
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
    /// The statements that blocks of loops and conditionals begin and end with, and that end loops.
    expected: HashSet<Id>,
    /// The bytes that a block's elements share so far.
    shared: u64,
    callable: Callable<'k>,
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
            let rule = s.code.rule();
            // What is asked first stands before the block; the last operand may be in it.
            let before = if rule == Rule::Rare { 2 } else { usize::MAX };
            match rule {
                Rule::Result => self.result(id, number)?,
                _ if s.memory().is_some() => self.access(id, number)?,
                _ => s.operands.iter().take(before).try_for_each(|&o| self.operand(id, o))?,
            }
            if matches!(rule, Rule::Rare | Rule::Loop | Rule::If) {
                if number == TOP {
                    return broken(2, "blocks but the second are held for each element");
                }
                self.insides(id)?;
                for held in s.blocks() {
                    if self.walked.get(held) != Some(&false) {
                        return broken(2, "a block is held by one statement");
                    }
                    self.block(held)?;
                    if rule != Rule::Rare {
                        self.leave(held);
                    }
                }
            }
            if rule == Rule::Rare {
                if kernel.has_effect(id) {
                    return broken(19, "a block for what is rare changes no memory");
                }
                s.operands.iter().skip(2).try_for_each(|&o| self.operand(id, o))?;
                s.blocks().into_iter().for_each(|held| self.leave(held));
            }
            if s.names_memory() {
                self.names(id, number)?;
            }
            let fits = check(kernel, s, number, &mut self.stored);
            fits.and_then(|()| calls::check(kernel, id, number, self.callable))
                .map_err(|(rule, what)| Broken { rule, statement: Some(id), what })?;
            if matches!(rule, Rule::Carried | Rule::While | Rule::Next | Rule::Yield)
                && !self.expected.contains(&id)
            {
                let rule = if rule == Rule::Yield { 12 } else { 11 };
                return broken(rule, "it stands in its place in a block of a loop or conditional only");
            }
            self.places[id.0 as usize] = Place::Visible;
            if rule == Rule::Elements {
                self.block(BODY)?;
            }
        }
        Ok(())
    }

    /// What a block has made is not seen any more.
    fn leave(&mut self, number: usize) {
        self.kernel.blocks[number].iter().for_each(|i| self.places[i.0 as usize] = Place::Gone);
    }

    /// The statements that blocks of loops and conditionals must have, and may.
    fn insides(&mut self, id: Id) -> Result<(), Broken> {
        let kernel = self.kernel;
        let broken = |rule, what| Err(Broken { rule, statement: Some(id), what });
        let s = kernel.statement(id);
        let types = |ids: &[Id]| -> Option<Vec<Type>> {
            ids.iter().map(|o| kernel.statements.get(o.0 as usize).map(|s| s.ty)).collect()
        };
        let of = |block: usize, code: Code| {
            let ids = kernel.blocks.get(block).map_or(&[][..], Vec::as_slice);
            let is = move |id: &&Id| kernel.statements.get(id.0 as usize).is_some_and(|s| s.code == code);
            (ids, is)
        };
        match s.code.rule() {
            Rule::Loop => {
                let block = s.imm as usize;
                let (ids, is_carried) = of(block, Code::Carried);
                let carried: Vec<Id> = ids.iter().take_while(is_carried).copied().collect();
                let in_order = carried.iter().enumerate().all(|(index, &c)| {
                    kernel.statement(c).imm == Carried { block: block as u32, index: index as u32 }.imm()
                });
                if !in_order || types(&carried) != types(&s.operands) {
                    return broken(11, "what a loop carries is what it begins with");
                }
                let tests: Vec<Id> = ids.iter().filter(of(block, Code::While).1).copied().collect();
                let next = ids.last().filter(of(block, Code::Next).1);
                let (Some(&next), [test]) = (next, &tests[..]) else {
                    return broken(11, "a loop has one `while`, and ends with `next`");
                };
                if types(&kernel.statement(next).operands) != types(&s.operands) {
                    return broken(11, "what a loop carries next is of the same types");
                }
                self.expected.extend(carried);
                self.expected.extend([*test, next]);
            }
            Rule::If => {
                let blocks = s.blocks();
                let ends: Vec<Id> = (blocks.iter())
                    .filter_map(|&b| of(b, Code::Yield).0.last().filter(of(b, Code::Yield).1).copied())
                    .collect();
                let [then, otherwise] = ends[..] else {
                    return broken(12, "a branch ends with `yield`");
                };
                let given = |id| types(&kernel.statement(id).operands);
                if given(then).is_none() || given(then) != given(otherwise) {
                    return broken(12, "both branches give the same types");
                }
                self.expected.extend([then, otherwise]);
            }
            _ => {}
        }
        Ok(())
    }

    /// A statement that takes something out of a loop or a conditional.
    fn result(&self, id: Id, block: usize) -> Result<(), Broken> {
        let kernel = self.kernel;
        let s = kernel.statement(id);
        let broken = |what| Err(Broken { rule: 13, statement: Some(id), what });
        let &[of] = &s.operands[..] else { return broken("one operand") };
        if self.places.get(of.0 as usize) != Some(&Place::Visible) || !kernel.blocks[block].contains(&of) {
            return broken("a loop or conditional of the same block, before it");
        }
        let source = kernel.statement(of);
        let given = match source.code.rule() {
            Rule::Loop => source.operands.get(s.imm as usize),
            Rule::If => {
                let last = kernel.blocks[Branches::of(source.imm).then as usize].last();
                last.and_then(|&end| kernel.statement(end).operands.get(s.imm as usize))
            }
            Rule::Call | Rule::CallTable => {
                let types = self.callable.root.calls.results(source);
                return match types.and_then(|types| types.get(s.imm as usize)) {
                    Some(ty) if *ty == s.ty => Ok(()),
                    _ => broken("something that a function gives, of its type"),
                };
            }
            _ => None,
        };
        match given {
            Some(&given) if kernel.statement(given).ty == s.ty => Ok(()),
            _ => broken("something that is carried or given, of its type"),
        }
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
        (Rule::Gather, [d]) => *d == Type::I64,
        (Rule::LoadWhere, [c]) => *c == Type::Bool,
        (Rule::Check, [c]) => *c == Type::Bool,
        (Rule::Store, _) => true,
        (Rule::Unary(set), [x]) => set.contains(*x) && s.ty == *x,
        (Rule::Binary(set), [a, b]) => set.contains(*a) && a == b && s.ty == *a,
        (Rule::Ternary(set), [a, b, c]) => set.contains(*a) && a == b && b == c && s.ty == *a,
        (Rule::Compare(set), [a, b]) => set.contains(*a) && a == b && s.ty == Type::Bool,
        (Rule::Select | Rule::Rare, [c, a, b]) => *c == Type::Bool && a == b && s.ty == *a,
        (Rule::Loop | Rule::Next | Rule::Yield, _) => true,
        (Rule::Carried, []) => true,
        (Rule::While | Rule::If, [c]) => *c == Type::Bool,
        (Rule::Result, [_]) => true,
        (Rule::Convert, [x]) => *x != s.ty,
        (Rule::Bitcast, [x]) => *x != s.ty && x.bits() == s.ty.bits(),
        (Rule::Between(from, to), [x]) => *x == from && s.ty == to,
        (Rule::Memory | Rule::Alloca | Rule::Shared | Rule::Barrier | Rule::Argument, []) => true,
        (Rule::Return | Rule::Call | Rule::CallTable, _) => true,
        (Rule::LoadAt, [m, i]) => *i == Type::I64 && s.ty == *m,
        (Rule::StoreAt, [m, i, x]) => *i == Type::I64 && x == m,
        (Rule::Atomic(set), [m, i, x]) => set.contains(*m) && *i == Type::I64 && x == m && s.ty == *m,
        (Rule::Cas, [m, i, e, x]) => {
            Set::Word.contains(*m) && *i == Type::I64 && e == m && x == m && s.ty == *m
        }
        (Rule::InBounds, [_, i]) => *i == Type::I64 && s.ty == Type::Bool,
        _ => false,
    };
    if !fits {
        return Err((4, "operands or value do not follow the rule"));
    }
    match s.code.rule() {
        Rule::Barrier if block == TOP || kernel.effects.is_none() => {
            Err((20, "a barrier is for each element of a kernel with effects"))
        }
        Rule::Constant if s.imm & !s.ty.mask() != 0 => Err((5, "a constant is wider than its type")),
        Rule::Gather => {
            let place = Part::of(s.imm);
            let p = kernel.params.get(place.param as usize);
            match p.filter(|p| matches!(p.access, Access::Gather(_))) {
                Some(p) if place.part < p.parts && s.ty == p.ty => Ok(()),
                _ => Err((14, "not an input that is gathered, of that part and type")),
            }
        }
        Rule::LoadWhere => {
            let place = Part::of(s.imm);
            let p = kernel.params.get(place.param as usize);
            match p.filter(|p| p.access.guarded().is_some()) {
                Some(p) if block == TOP && !p.access.is_uniform() => {
                    Err((16, "the top block reads what is the same along a row"))
                }
                Some(p) if place.part < p.parts && s.ty == p.ty => Ok(()),
                _ => Err((16, "not an input that is guarded, of that part and type")),
            }
        }
        Rule::Check => {
            let place = Part::of(s.imm);
            match kernel.params.get(place.param as usize) {
                Some(p) if p.access == Access::Flag && place.part < p.parts && block != TOP => Ok(()),
                _ => Err((15, "a check names a part of the flag, and runs for each element")),
            }
        }
        Rule::Load => {
            let place = Part::of(s.imm);
            let Some(p) = kernel.params.get(place.param as usize) else {
                return Err((6, "no such parameter"));
            };
            if p.access.is_written() || place.part >= p.parts || s.ty != p.ty {
                return Err((6, "not an input of that part and type"));
            }
            match p.access {
                Access::Gather(_) => return Err((14, "what is gathered is read by that alone")),
                access if access.guarded().is_some() => {
                    return Err((16, "what is guarded is read where that is true"));
                }
                _ => {}
            }
            match p.access.is_uniform() == (block == TOP) {
                true => Ok(()),
                false => Err((6, "uniform inputs are read once, others for each element")),
            }
        }
        Rule::Store => {
            let Some(p) = kernel.params.get(s.imm as usize) else { return Err((7, "no such parameter")) };
            if !p.access.is_result() || types.len() != p.parts as usize || types.iter().any(|&t| t != p.ty) {
                return Err((7, "not a result of these types"));
            }
            if block != BODY {
                return Err((7, "a store runs for each element, once"));
            }
            stored[s.imm as usize] += 1;
            Ok(())
        }
        _ => Ok(()),
    }
}
