//! The interpreter: always there. It runs a kernel statement by statement on blocks of
//! elements, so that choosing what to do is paid once for many elements.

mod access;
mod lanes;
mod memory;
mod plan;

use super::Argument;
use crate::ir::{Access, Code, Effects, Join, Kernel, Param, Place, Rule, Type};
use lanes::{BLOCK, Lanes};
use plan::{Plan, Room};
use smallvec::SmallVec;

/// What is done with registers, in order.
enum Step {
    /// A statement.
    Do { code: Code, imm: u64, operands: SmallVec<[u32; 3]>, out: u32 },
    /// Which elements are at work: those of `within` for which the condition is `wanted`. Goes on at
    /// `to` if there are none.
    Test { condition: u32, wanted: bool, within: Option<u32>, mask: u32, to: usize },
    /// Registers as others, each pair's first as its second.
    Copy(Vec<(u32, u32)>),
    /// Registers as others, each pair's first as its second, for the elements at work.
    Merge { mask: u32, pairs: Vec<(u32, u32)> },
    /// Sets a flag, and goes on at `to`, if a condition is false for an element at work.
    Check { flag: Place, condition: u32, within: Option<u32>, to: usize },
    /// Goes on elsewhere.
    Go(usize),
    /// Which elements there are.
    First { mask: u32 },
    /// A register of zeros.
    Clear(u32),
    /// Reads or writes memory, or asks of it, for the elements at work.
    Access { code: Code, memory: Memory, operands: SmallVec<[u32; 3]>, within: Option<u32>, out: u32 },
}

/// About how many nanoseconds a step takes of so many lanes.
pub const fn step_time(lanes: usize) -> u64 {
    40 + lanes as u64
}

/// Memory that a kernel names.
#[derive(Clone, Copy)]
enum Memory {
    /// A parameter's.
    Param(usize),
    /// Of each element's own, in a register.
    Own(u32),
    /// Of all elements at hand, in a register.
    Shared(u32),
}

/// A kernel as the interpreter runs it.
pub struct Program {
    params: Vec<Param>,
    effects: Option<Effects>,
    registers: Vec<(Type, Room)>,
    once: Vec<Step>,
    each: Vec<Step>,
}

impl Program {
    /// Prepares a kernel that [`crate::ir::verify`] accepts.
    pub fn new(kernel: &Kernel) -> Program {
        let Plan { registers, once, each, .. } = Plan::of(kernel);
        Program { params: kernel.params.clone(), effects: kernel.effects, registers, once, each }
    }

    /// Registers for so many elements at a time.
    fn frame(&self, lanes: usize) -> Vec<Lanes> {
        let room = |&(ty, room): &(Type, Room)| {
            let count = match room {
                Room::Value => lanes,
                Room::Own(count) => lanes * count,
                Room::Shared(count) => count,
            };
            Lanes::new(ty, count)
        };
        self.registers.iter().map(room).collect()
    }

    /// Runs one step on a block; gives the number of the next one, if it is not the one after it.
    ///
    /// # Safety
    /// As [`super::Code::run`], for the elements from `begin` on.
    unsafe fn execute(
        &self,
        step: &Step,
        frame: &mut [Lanes],
        arguments: &[Argument],
        begin: usize,
        count: usize,
    ) -> Option<usize> {
        match step {
            Step::Do { code, imm, operands, out } => {
                // SAFETY: the caller's promise.
                unsafe { self.statement((*code, *imm), operands, *out, frame, arguments, (begin, count)) };
                None
            }
            Step::Test { condition, wanted, within, mask, to } => {
                let mut out = std::mem::replace(&mut frame[*mask as usize], Lanes::Empty);
                let within = within.map(|w| &frame[w as usize]);
                lanes::mask(&frame[*condition as usize], *wanted, within, &mut out);
                let any = out.any(count);
                frame[*mask as usize] = out;
                if any { None } else { Some(*to) }
            }
            Step::Copy(pairs) => {
                for &(to, from) in pairs {
                    let mut out = std::mem::replace(&mut frame[to as usize], Lanes::Empty);
                    lanes::copy(&frame[from as usize], &mut out);
                    frame[to as usize] = out;
                }
                None
            }
            Step::Merge { mask, pairs } => {
                for &(to, from) in pairs {
                    let mut out = std::mem::replace(&mut frame[to as usize], Lanes::Empty);
                    lanes::merge(&frame[*mask as usize], &frame[from as usize], &mut out);
                    frame[to as usize] = out;
                }
                None
            }
            Step::Check { flag, condition, within, to } => {
                let within = within.map(|w| &frame[w as usize]);
                if !lanes::any_false(&frame[*condition as usize], within, count) {
                    return None;
                }
                // SAFETY: the caller's promise, for the flag.
                unsafe { memory::set(arguments[flag.param as usize], flag.part) };
                Some(*to)
            }
            Step::Go(to) => Some(*to),
            Step::First { mask } => {
                frame[*mask as usize].first(count);
                None
            }
            Step::Clear(register) => {
                frame[*register as usize].fill(0);
                None
            }
            Step::Access { code, memory, operands, within, out } => {
                let param = if let Memory::Param(n) = memory { Some(arguments[*n]) } else { None };
                let access = access::Access { code: *code, memory: *memory, operands, within: *within };
                // SAFETY: the caller's promise, for the memory of a parameter.
                unsafe { access.run(frame, param, count, *out) };
                None
            }
        }
    }

    /// Runs the elements of a kernel with effects, each once.
    ///
    /// # Safety
    /// As [`super::Code::run`], for a single row.
    unsafe fn effects(&self, effects: Effects, arguments: &[Argument], begin: usize, end: usize) {
        let lanes = match effects {
            Effects { serial: true, .. } => 1,
            Effects { block: 1, .. } => BLOCK,
            Effects { block, .. } => block as usize,
        };
        let mut frame = self.frame(lanes);
        for step in &self.once {
            // SAFETY: the caller's promise; the top block reads uniform inputs only.
            unsafe { self.execute(step, &mut frame, arguments, begin, lanes) };
        }
        let mut left = u64::MAX;
        for at in (begin..end).step_by(lanes) {
            // SAFETY: the caller's promise covers these elements.
            unsafe { self.body(&mut frame, arguments, (at, lanes.min(end - at)), &mut left, |_, _| {}) };
        }
    }

    /// Runs a statement on a block.
    ///
    /// # Safety
    /// As [`super::Code::run`], for the elements from `begin` on.
    unsafe fn statement(
        &self,
        (code, imm): (Code, u64),
        operands: &[u32],
        out: u32,
        frame: &mut [Lanes],
        arguments: &[Argument],
        (begin, count): (usize, usize),
    ) {
        let operand = |i: usize| operands[i] as usize;
        match code.rule() {
            Rule::Constant => frame[out as usize].fill(imm),
            Rule::Load => {
                let Place { param, part } = Place::of(imm);
                let (param, argument) = (self.params[param as usize], arguments[param as usize]);
                // SAFETY: the caller's promise covers this parameter and these elements.
                unsafe { memory::load(param, part, argument, begin, count, &mut frame[out as usize]) };
            }
            Rule::LoadWhere => {
                let Place { param, part } = Place::of(imm);
                let (param, argument) = (self.params[param as usize], arguments[param as usize]);
                let mut value = std::mem::replace(&mut frame[out as usize], Lanes::Empty);
                let wanted = &frame[operand(0)];
                // SAFETY: the caller's promise covers these elements where they are wanted.
                unsafe { memory::load_where(param, part, argument, (begin, count), wanted, &mut value) };
                frame[out as usize] = value;
            }
            Rule::Gather => {
                let Place { param, part } = Place::of(imm);
                let (param, argument) = (self.params[param as usize], arguments[param as usize]);
                let mut value = std::mem::replace(&mut frame[out as usize], Lanes::Empty);
                let distances = &frame[operand(0)];
                // SAFETY: the caller's promise covers what these distances lead to.
                unsafe { memory::gather(param, part, argument, (begin, count), distances, &mut value) };
                frame[out as usize] = value;
            }
            Rule::Store => {
                let (param, argument) = (self.params[imm as usize], arguments[imm as usize]);
                for part in 0..param.parts {
                    let x = &frame[operand(part as usize)];
                    // SAFETY: likewise.
                    unsafe { memory::store(param.parts, part, argument, begin, count, x) };
                }
            }
            // Steps of their own stand for what the blocks of these do.
            Rule::Elements
            | Rule::Check
            | Rule::Loop
            | Rule::Carried
            | Rule::While
            | Rule::Next
            | Rule::If
            | Rule::Yield
            | Rule::Argument
            | Rule::Return
            | Rule::Call
            | Rule::CallTable
            | Rule::Result
            | Rule::Memory
            | Rule::Alloca
            | Rule::Shared
            | Rule::LoadAt
            | Rule::StoreAt
            | Rule::Atomic(_)
            | Rule::Cas
            | Rule::InBounds
            | Rule::Barrier => {}
            rule => {
                // Out of the frame while it is written: the others are only read.
                let mut value = std::mem::replace(&mut frame[out as usize], Lanes::Empty);
                match rule {
                    Rule::Unary(_) => lanes::unary(code, &frame[operand(0)], &mut value),
                    Rule::Binary(_) => {
                        lanes::binary(code, &frame[operand(0)], &frame[operand(1)], &mut value);
                    }
                    Rule::Compare(_) => {
                        lanes::compare(code, &frame[operand(0)], &frame[operand(1)], &mut value);
                    }
                    Rule::Select | Rule::Rare | Rule::Ternary(_) => {
                        let [a, b, c] = [0, 1, 2].map(|i| &frame[operand(i)]);
                        match rule {
                            Rule::Select => lanes::select(a, b, c, &mut value),
                            Rule::Rare => lanes::select(a, c, b, &mut value),
                            _ => lanes::fma(a, b, c, &mut value),
                        }
                    }
                    Rule::Convert => lanes::convert(&frame[operand(0)], &mut value),
                    Rule::Between(..) => lanes::half(&frame[operand(0)], &mut value),
                    _ => lanes::bitcast(&frame[operand(0)], &mut value),
                }
                frame[out as usize] = value;
            }
        }
    }
}

/// What a fold has so far, for each part, and what comes before that.
struct Total {
    param: u32,
    join: Join,
    part: u32,
    fold: Lanes,
    before: Lanes,
    /// What runs of a power of two of a row's blocks fold to.
    runs: Vec<Lanes>,
}

impl Total {
    /// Takes in a block of a row, the fold at hand, which has this number.
    fn push(&mut self, number: usize) {
        for _ in 0..number.trailing_ones() {
            self.pop();
        }
        self.runs.push(std::mem::replace(&mut self.fold, Lanes::Empty));
        self.fold = self.runs[self.runs.len() - 1].clone();
    }

    /// Joins the last run with what comes after it; `None` if there is none.
    fn pop(&mut self) -> Option<()> {
        let mut run = self.runs.pop()?;
        lanes::join(self.join, &mut run, &self.fold);
        self.fold = run;
        Some(())
    }

    /// The fold of all blocks of a row; a sum begins at 0.
    fn finish(&mut self) {
        self.runs.pop();
        while self.pop().is_some() {}
        if self.join == Join::Add {
            self.before.fill(0);
            lanes::join(Join::Add, &mut self.fold, &self.before);
        }
    }
}

impl Program {
    fn totals(&self) -> Vec<Total> {
        let mut totals = Vec::new();
        for (param, p) in self.params.iter().enumerate() {
            if let Access::Along(join) | Access::Row(join) | Access::Across(join) = p.access {
                let lanes = || Lanes::new(p.ty, BLOCK);
                let (param, runs) = (param as u32, Vec::new);
                let total = |part| Total { param, join, part, fold: lanes(), before: lanes(), runs: runs() };
                totals.extend((0..p.parts).map(total));
            }
        }
        totals
    }

    /// Runs the body on a block; what it stores to be folded goes to `fold`. It ends early, with `false`, when it has taken
    /// what `left` says that it may.
    ///
    /// # Safety
    /// As [`super::Code::run`], for the elements from `begin` on, of one row.
    unsafe fn body(
        &self,
        frame: &mut [Lanes],
        arguments: &[Argument],
        (begin, count): (usize, usize),
        left: &mut u64,
        mut fold: impl FnMut((u64, &[u32]), &[Lanes]),
    ) -> bool {
        let mut next = 0;
        while let Some(step) = self.each.get(next) {
            next += 1;
            match left.checked_sub(step_time(count)) {
                Some(rest) => *left = rest,
                None => return false,
            }
            match step {
                Step::Do { code: Code::Store, imm, operands, .. } if self.is_fold(*imm) => {
                    fold((*imm, operands), frame);
                }
                _ => {
                    // SAFETY: the caller's promise.
                    let to = unsafe { self.execute(step, frame, arguments, begin, count) };
                    next = to.unwrap_or(next);
                }
            }
        }
        true
    }

    /// True if what is stored for a parameter is folded.
    fn is_fold(&self, param: u64) -> bool {
        let access = self.params[param as usize].access;
        access.along().is_some() || matches!(access, Access::Across(_))
    }

    /// Where a row's parameters are.
    fn row(&self, arguments: &[Argument], row: usize) -> SmallVec<[Argument; 8]> {
        let moved = |(a, p): (&Argument, &Param)| {
            let offset = a.row as isize * row as isize * p.bytes() as isize;
            Argument { base: a.base.wrapping_offset(offset), ..*a }
        };
        arguments.iter().zip(&self.params).map(moved).collect()
    }

    /// As [`super::Code::run`], of a kernel without effects, but for about so many nanoseconds at most: `false` if it ended
    /// early, with some elements written.
    ///
    /// # Safety
    /// As [`super::Code::run`].
    pub unsafe fn run_within(
        &self,
        arguments: &[Argument],
        (begin, end): (usize, usize),
        rows: usize,
        mut left: u64,
    ) -> bool {
        let mut frame = self.frame(BLOCK);
        let across = self.params.iter().any(|p| matches!(p.access, Access::Across(_)));
        let mut totals = self.totals();
        let blocks = (begin..end).step_by(BLOCK).map(|at| (at, BLOCK.min(end - at)));
        if across {
            for block in blocks {
                let start = |t: &mut Total| {
                    t.fold.fill(t.join.identity(self.params[t.param as usize].ty));
                };
                totals.iter_mut().for_each(start);
                for r in 0..rows {
                    let row = self.row(arguments, r);
                    // SAFETY: the caller's promise covers this row, and this block of it.
                    unsafe {
                        for step in &self.once {
                            self.execute(step, &mut frame, &row, block.0, BLOCK);
                        }
                        let done = self.body(&mut frame, &row, block, &mut left, |(param, parts), frame| {
                            for t in totals.iter_mut().filter(|t| u64::from(t.param) == param) {
                                let x = &frame[parts[t.part as usize] as usize];
                                lanes::join(t.join, &mut t.fold, x);
                            }
                        });
                        if !done {
                            return false;
                        }
                    }
                }
                for t in &mut totals {
                    let (p, argument) = (self.params[t.param as usize], arguments[t.param as usize]);
                    let mut first = &mut t.fold;
                    if argument.stride != 0 {
                        let base =
                            argument.base.wrapping_offset(argument.stride as isize * p.ty.bytes() as isize);
                        let before = Argument { base, ..argument };
                        // SAFETY: likewise, for what comes before.
                        unsafe { memory::load(p, t.part, before, block.0, block.1, &mut t.before) };
                        lanes::join(t.join, &mut t.before, &t.fold);
                        first = &mut t.before;
                    }
                    // SAFETY: likewise.
                    unsafe { memory::store(p.parts, t.part, argument, block.0, block.1, first) };
                }
            }
            return true;
        }
        for r in 0..rows {
            let row = self.row(arguments, r);
            for step in &self.once {
                // SAFETY: the caller's promise; the top block reads uniform inputs only.
                unsafe { self.execute(step, &mut frame, &row, begin, BLOCK) };
            }
            for block in blocks.clone() {
                // SAFETY: the caller's promise covers this block.
                let done = unsafe {
                    self.body(&mut frame, &row, block, &mut left, |(param, parts), frame| {
                        for t in totals.iter_mut().filter(|t| u64::from(t.param) == param) {
                            let p = self.params[t.param as usize];
                            let x = &frame[parts[t.part as usize] as usize];
                            let identity = t.join.identity(p.ty);
                            lanes::fold_block(t.join, x, block.1, identity, &mut t.fold);
                            let argument = row[t.param as usize];
                            match p.access {
                                Access::Row(_) => t.push((block.0 - begin) / BLOCK),
                                _ => {
                                    let number = block.0 / BLOCK;
                                    memory::store(p.parts, t.part, argument, number, 1, &t.fold);
                                }
                            }
                        }
                    })
                };
                if !done {
                    return false;
                }
            }
            let whole = |t: &&mut Total| matches!(self.params[t.param as usize].access, Access::Row(_));
            for t in totals.iter_mut().filter(whole) {
                t.finish();
                let (p, argument) = (self.params[t.param as usize], row[t.param as usize]);
                // SAFETY: the row's number, which is writable.
                unsafe { memory::store(p.parts, t.part, argument, 0, 1, &t.fold) };
            }
        }
        true
    }
}

impl super::Code for Program {
    fn least(&self) -> usize {
        1
    }

    fn cost(&self) -> usize {
        // A pass over memory each.
        self.each.len() * 8
    }

    unsafe fn run(&self, arguments: &[Argument], begin: usize, end: usize, rows: usize) {
        match self.effects {
            // SAFETY: the caller's promise.
            Some(effects) => unsafe { self.effects(effects, arguments, begin, end) },
            // SAFETY: the caller's promise.
            None => unsafe {
                self.run_within(arguments, (begin, end), rows, u64::MAX);
            },
        }
    }
}
