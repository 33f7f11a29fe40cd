//! The interpreter: always there. It runs a kernel statement by statement on blocks of
//! elements, so that choosing what to do is paid once for many elements.

mod lanes;
mod memory;

use super::Argument;
use crate::ir::{Access, Code, Id, Join, Kernel, Param, Place, Rule, Type};
use lanes::{BLOCK, Lanes};
use smallvec::{SmallVec, smallvec};
use std::collections::{HashMap, HashSet};

/// A statement with registers in place of values.
struct Step {
    code: Code,
    imm: u64,
    operands: smallvec::SmallVec<[u32; 3]>,
    out: u32,
}

/// A statement in the order of execution.
struct Line {
    id: Id,
    /// Of a statement that comes again after its block: how many steps that has, which are left
    /// out where no element needs them.
    skip: Option<usize>,
}

/// The statements of a block and of the blocks in it, one after the other.
fn flatten(kernel: &Kernel, ids: &[Id], lines: &mut Vec<Line>) {
    for &id in ids {
        if let Some(held) = kernel.held(id) {
            let at = lines.len();
            lines.push(Line { id, skip: Some(0) });
            flatten(kernel, &kernel.blocks[held], lines);
            lines[at].skip = Some(lines.len() - at - 1);
        }
        lines.push(Line { id, skip: None });
    }
}

/// A kernel as the interpreter runs it.
pub struct Program {
    params: Vec<Param>,
    /// Whether results are folds.
    folds: bool,
    registers: Vec<Type>,
    once: Vec<Step>,
    each: Vec<Step>,
}

impl Program {
    /// Prepares a kernel that [`crate::ir::verify`] accepts: values get registers, which are
    /// used again when their value has had its last use.
    pub fn new(kernel: &Kernel) -> Program {
        let mut program = Program {
            params: kernel.params.clone(),
            folds: kernel.params.iter().any(|p| matches!(p.access, Access::Along(_) | Access::Across(_))),
            registers: Vec::new(),
            once: Vec::new(),
            each: Vec::new(),
        };
        let mut places: HashMap<Id, u32> = HashMap::new();
        for &id in kernel.top() {
            let out = program.register(kernel.statement(id).ty);
            places.insert(id, out);
            let step = Self::step(kernel, id, &places, out);
            program.once.push(step);
        }
        let mut body = Vec::new();
        flatten(kernel, kernel.body(), &mut body);
        let inner: HashSet<Id> = body.iter().map(|line| line.id).collect();
        let mut last = HashMap::new();
        for (at, line) in body.iter().enumerate() {
            kernel.statement(line.id).operands.iter().for_each(|&o| {
                last.insert(o, at);
            });
        }
        let mut free: HashMap<Type, Vec<u32>> = HashMap::new();
        for (at, line) in body.iter().enumerate() {
            let statement = kernel.statement(line.id);
            if let Some(skip) = line.skip {
                let condition = places[&statement.operands[0]];
                program.each.push(Step {
                    code: Code::Elements,
                    imm: skip as u64,
                    operands: smallvec![condition],
                    out: 0,
                });
                continue;
            }
            // Taken before the operands are given back: a step never reads what it writes.
            let mut out = 0;
            if statement.has_value() {
                let old = free.get_mut(&statement.ty).and_then(Vec::pop);
                out = old.unwrap_or_else(|| program.register(statement.ty));
                places.insert(line.id, out);
            }
            let step = Self::step(kernel, line.id, &places, out);
            program.each.push(step);
            for o in &statement.operands {
                // Those of the top block stay. One that is used twice here is given back once.
                if inner.contains(o) && last.get(o) == Some(&at) {
                    last.remove(o);
                    free.entry(kernel.statement(*o).ty).or_default().push(places[o]);
                }
            }
        }
        program
    }

    fn register(&mut self, ty: Type) -> u32 {
        self.registers.push(ty);
        self.registers.len() as u32 - 1
    }

    fn step(kernel: &Kernel, id: Id, places: &HashMap<Id, u32>, out: u32) -> Step {
        let s = kernel.statement(id);
        Step { code: s.code, imm: s.imm, operands: s.operands.iter().map(|o| places[o]).collect(), out }
    }

    /// Runs one step on a block.
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
    ) {
        let operand = |i: usize| step.operands[i] as usize;
        match step.code.rule() {
            Rule::Constant => frame[step.out as usize].fill(step.imm),
            Rule::Load => {
                let Place { param, part } = Place::of(step.imm);
                let (param, argument) = (self.params[param as usize], arguments[param as usize]);
                // SAFETY: the caller's promise covers this parameter and these elements.
                unsafe { memory::load(param, part, argument, begin, count, &mut frame[step.out as usize]) };
            }
            Rule::Store => {
                let (param, argument) = (self.params[step.imm as usize], arguments[step.imm as usize]);
                for part in 0..param.parts {
                    let x = &frame[operand(part as usize)];
                    // SAFETY: likewise.
                    unsafe { memory::store(param.parts, part, argument, begin, count, x) };
                }
            }
            // Read by `run`: the number of steps to leave out.
            Rule::Elements => {}
            rule => {
                // Out of the frame while it is written: the others are only read.
                let mut out = std::mem::replace(&mut frame[step.out as usize], Lanes::Empty);
                match rule {
                    Rule::Unary(_) => lanes::unary(step.code, &frame[operand(0)], &mut out),
                    Rule::Binary(_) => {
                        lanes::binary(step.code, &frame[operand(0)], &frame[operand(1)], &mut out);
                    }
                    Rule::Compare(_) => {
                        lanes::compare(step.code, &frame[operand(0)], &frame[operand(1)], &mut out);
                    }
                    Rule::Select | Rule::Rare | Rule::Ternary(_) => {
                        let [a, b, c] = [0, 1, 2].map(|i| &frame[operand(i)]);
                        match rule {
                            Rule::Select => lanes::select(a, b, c, &mut out),
                            Rule::Rare => lanes::select(a, c, b, &mut out),
                            _ => lanes::fma(a, b, c, &mut out),
                        }
                    }
                    Rule::Convert => lanes::convert(&frame[operand(0)], &mut out),
                    _ => lanes::bitcast(&frame[operand(0)], &mut out),
                }
                frame[step.out as usize] = out;
            }
        }
    }
}

/// What a fold has so far: lanes for each part, two that take turns.
struct Total {
    param: u32,
    join: Join,
    part: u32,
    lanes: [Lanes; 2],
}

impl Program {
    fn totals(&self) -> Vec<Total> {
        let mut totals = Vec::new();
        for (param, p) in self.params.iter().enumerate() {
            if let Access::Along(join) | Access::Across(join) = p.access {
                let lanes = || [Lanes::new(p.ty), Lanes::new(p.ty)];
                let total = |part| Total { param: param as u32, join, part, lanes: lanes() };
                totals.extend((0..p.parts).map(total));
            }
        }
        totals
    }

    /// Runs the body on a block; what it stores to be folded goes to `fold`.
    ///
    /// # Safety
    /// As [`super::Code::run`], for the elements from `begin` on, of one row.
    unsafe fn body(
        &self,
        frame: &mut [Lanes],
        arguments: &[Argument],
        (begin, count): (usize, usize),
        mut fold: impl FnMut(&Step, &[Lanes]),
    ) {
        let mut next = 0;
        while let Some(step) = self.each.get(next) {
            next += 1;
            match step.code {
                Code::Elements => {
                    if !frame[step.operands[0] as usize].any(count) {
                        next += step.imm as usize;
                    }
                }
                Code::Store if self.folds => fold(step, frame),
                // SAFETY: the caller's promise.
                _ => unsafe { self.execute(step, frame, arguments, begin, count) },
            }
        }
    }

    /// Where a row's parameters are.
    fn row(&self, arguments: &[Argument], row: usize) -> SmallVec<[Argument; 8]> {
        let moved = |(a, p): (&Argument, &Param)| {
            let offset = a.row as isize * row as isize * p.bytes() as isize;
            Argument { base: a.base.wrapping_offset(offset), ..*a }
        };
        arguments.iter().zip(&self.params).map(moved).collect()
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
        let mut frame: Vec<Lanes> = self.registers.iter().map(|&ty| Lanes::new(ty)).collect();
        let across = self.params.iter().any(|p| matches!(p.access, Access::Across(_)));
        let mut totals = self.totals();
        let blocks = (begin..end).step_by(BLOCK).map(|at| (at, BLOCK.min(end - at)));
        if across {
            for block in blocks {
                let start = |t: &mut Total| {
                    let ty = self.params[t.param as usize].ty;
                    t.lanes.iter_mut().for_each(|l| l.fill(t.join.identity(ty)));
                };
                totals.iter_mut().for_each(start);
                for r in 0..rows {
                    let row = self.row(arguments, r);
                    // SAFETY: the caller's promise covers this row, and this block of it.
                    unsafe {
                        self.once.iter().for_each(|s| self.execute(s, &mut frame, &row, block.0, BLOCK));
                        self.body(&mut frame, &row, block, |step, frame| {
                            for t in totals.iter_mut().filter(|t| u64::from(t.param) == step.imm) {
                                let x = &frame[step.operands[t.part as usize] as usize];
                                lanes::join(t.join, &mut t.lanes[r % 2], x);
                            }
                        });
                    }
                }
                for t in &mut totals {
                    let [even, odd] = &mut t.lanes;
                    lanes::join(t.join, even, odd);
                    let argument = arguments[t.param as usize];
                    let parts = self.params[t.param as usize].parts;
                    // SAFETY: likewise.
                    unsafe { memory::store(parts, t.part, argument, block.0, block.1, even) };
                }
            }
            return;
        }
        for r in 0..rows {
            let row = self.row(arguments, r);
            for step in &self.once {
                // SAFETY: the caller's promise; the top block reads uniform inputs only.
                unsafe { self.execute(step, &mut frame, &row, begin, BLOCK) };
            }
            for block in blocks.clone() {
                // SAFETY: the caller's promise covers this block.
                unsafe {
                    self.body(&mut frame, &row, block, |step, frame| {
                        for t in totals.iter_mut().filter(|t| u64::from(t.param) == step.imm) {
                            let p = self.params[t.param as usize];
                            let x = &frame[step.operands[t.part as usize] as usize];
                            let identity = t.join.identity(p.ty);
                            lanes::fold_block(t.join, x, block.1, identity, &mut t.lanes[0]);
                            let argument = row[t.param as usize];
                            memory::store(p.parts, t.part, argument, block.0 / BLOCK, 1, &t.lanes[0]);
                        }
                    });
                }
            }
        }
    }
}
