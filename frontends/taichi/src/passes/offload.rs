//! A kernel becomes a sequence of tasks: each outermost `for` is one, and what stands between them is serial ones. What
//! several tasks use is written to memory that they share, but for constants and arguments, which each has itself.

use super::edit::Edit;
use crate::ir::{Code, Data, Id, Ir, Limit, Statement, TOP, TaskKind};
use crate::number;
use ivy_taichi_types::{BinaryOp, PrimitiveType};
use std::collections::{BTreeMap, HashMap};

/// True if it was not done before.
pub fn offload(ir: &mut Ir) -> bool {
    if ir.tasks().next().is_some() || ir.blocks[TOP].is_empty() {
        return false;
    }
    let ids = std::mem::take(&mut ir.blocks[TOP]);
    ir.temporaries = ir.result.into_iter().collect();
    let mut edit = Edit { ir, out: Vec::new(), span: None };
    let mut serial: Option<Id> = None;
    for id in ids {
        let s = edit.ir.statement(id).clone();
        edit.span = s.span;
        match (s.code, &s.data) {
            (Code::StructFor, &Data::Component { field, .. }) => {
                serial = None;
                task(&mut edit, id, s.blocks[0], TaskKind::StructFor { field });
            }
            (Code::RangeFor, Data::None) => range(&mut edit, id, &mut serial),
            _ => {
                let into = serial_block(&mut edit, &mut serial);
                edit.ir.blocks[into].push(id);
            }
        }
    }
    ir.blocks[TOP] = edit.out;
    results(ir);
    share(ir);
    true
}

/// The block of the serial task that is being written.
fn serial_block(edit: &mut Edit<'_>, serial: &mut Option<Id>) -> usize {
    let id =
        *serial.get_or_insert_with(|| edit.push(Code::Offloaded, None, &[], Data::Task(TaskKind::Serial)));
    edit.ir.statement(id).blocks[0]
}

/// A loop as a task that has its block.
fn task(edit: &mut Edit<'_>, of: Id, block: usize, kind: TaskKind) {
    let s = edit.ir.statement_mut(of);
    (s.code, s.data, s.operands, s.blocks) = (Code::Offloaded, Data::Task(kind), Vec::new(), vec![block]);
    edit.out.push(of);
}

/// A range of known bounds, or one from 0 on whose length a serial task computes.
fn range(edit: &mut Edit<'_>, id: Id, serial: &mut Option<Id>) {
    let s = edit.ir.statement(id).clone();
    let known = |n: usize| {
        let (ty, bits) = (edit.ir.statement(s.operands[n]).ty?, edit.ir.constant(s.operands[n])?);
        i64::try_from(number::integer(ty, bits)).ok()
    };
    if let (Some(begin), Some(end)) = (known(0), known(1)) {
        *serial = None;
        let end = Limit::Known(end);
        return task(edit, id, s.blocks[0], TaskKind::RangeFor { begin, end });
    }
    let slot = edit.ir.temporaries.len();
    edit.ir.temporaries.push(PrimitiveType::I64);
    let before = serial_block(edit, serial);
    let outer = std::mem::take(&mut edit.out);
    let wide = Some(PrimitiveType::I64);
    let [begin, end] = [0, 1].map(|n| edit.cast(s.operands[n], PrimitiveType::I64));
    let count = edit.binary(BinaryOp::Sub, PrimitiveType::I64, end, begin);
    let to = edit.push(Code::Temporary, wide, &[], Data::Number(slot));
    edit.store(to, count);
    let written = std::mem::replace(&mut edit.out, outer);
    edit.ir.blocks[before].extend(written);
    *serial = None;
    // Its indices are so many from the first on.
    for inner in edit.ir.within(s.blocks[0]) {
        let of = edit.ir.statement(inner).clone();
        if of.code == Code::LoopIndex && of.operands[0] == id {
            let number = edit.ir.add(Statement { ty: wide, ..of.clone() });
            let sum = edit.ir.add(Statement {
                code: Code::Binary,
                ty: wide,
                operands: vec![number, begin],
                data: Data::Binary(BinaryOp::Add),
                ..of
            });
            let s = edit.ir.statement_mut(inner);
            (s.code, s.operands, s.data) = (Code::Cast, vec![sum], Data::None);
            let block = block_of(edit.ir, inner);
            insert_before(edit.ir, block, inner, &[number, sum]);
        }
    }
    let end = Limit::Temporary(slot);
    task(edit, id, s.blocks[0], TaskKind::RangeFor { begin: 0, end });
}

/// The block that a statement is in.
fn block_of(ir: &Ir, id: Id) -> usize {
    ir.blocks.iter().position(|block| block.contains(&id)).unwrap_or(TOP)
}

/// Puts statements before one of a block.
fn insert_before(ir: &mut Ir, block: usize, id: Id, new: &[Id]) {
    let at = ir.blocks[block].iter().position(|&other| other == id).unwrap_or(0);
    ir.blocks[block].splice(at..at, new.iter().copied());
}

/// The kernel's result goes to the first of what tasks share.
fn results(ir: &mut Ir) {
    for block in ir.blocks_in_order() {
        let ids = std::mem::take(&mut ir.blocks[block]);
        let mut edit = Edit { ir, out: Vec::new(), span: None };
        for id in ids {
            let s = edit.ir.statement(id).clone();
            if s.code == Code::Result {
                edit.span = s.span;
                let to = edit.push(Code::Temporary, edit.ir.result, &[], Data::Number(0));
                edit.store(to, s.operands[0]);
            } else {
                edit.out.push(id);
            }
        }
        ir.blocks[block] = edit.out;
    }
}

/// Where a value that another task has made comes from.
#[derive(Clone, Copy)]
enum Shared {
    /// Made anew.
    Again,
    /// Written to memory, under a number.
    Slot(usize),
}

/// Makes the values known that tasks use of others.
fn share(ir: &mut Ir) {
    let tasks: Vec<usize> = ir.tasks().map(|(id, _)| ir.statement(id).blocks[0]).collect();
    let mut home: HashMap<Id, usize> = HashMap::new();
    for (n, &block) in tasks.iter().enumerate() {
        home.extend(ir.within(block).into_iter().map(|id| (id, n)));
    }
    let mut shared: BTreeMap<Id, Shared> = BTreeMap::new();
    for (n, &block) in tasks.iter().enumerate() {
        for id in ir.within(block) {
            for o in ir.statement(id).operands.clone() {
                if home.get(&o).is_some_and(|&other| other != n) && !shared.contains_key(&o) {
                    let of = ir.statement(o);
                    let again = matches!(of.code, Code::Constant | Code::Argument | Code::Temporary);
                    let how = match of.ty.filter(|_| !again) {
                        None => Shared::Again,
                        Some(ty) => {
                            ir.temporaries.push(ty);
                            Shared::Slot(ir.temporaries.len() - 1)
                        }
                    };
                    shared.insert(o, how);
                }
            }
        }
    }
    for (n, &block) in tasks.iter().enumerate() {
        fetch(ir, block, n, &home, &shared);
    }
    keep(ir, &shared);
}

/// Gives a task its own of what others have made.
fn fetch(ir: &mut Ir, block: usize, task: usize, home: &HashMap<Id, usize>, shared: &BTreeMap<Id, Shared>) {
    let mut own: HashMap<Id, Id> = HashMap::new();
    let mut first = Vec::new();
    let ids = ir.within(block);
    for id in ids {
        for at in 0..ir.statement(id).operands.len() {
            let o = ir.statement(id).operands[at];
            let Some(&how) = shared.get(&o).filter(|_| home.get(&o) != Some(&task)) else { continue };
            let mine = *own.entry(o).or_insert_with(|| {
                let of = ir.statement(o).clone();
                let mut edit = Edit { ir, out: Vec::new(), span: of.span };
                let mine = match how {
                    Shared::Again => edit.push(of.code, of.ty, &[], of.data.clone()),
                    Shared::Slot(slot) => {
                        let from = edit.push(Code::Temporary, of.ty, &[], Data::Number(slot));
                        if of.code == Code::Alloca { from } else { edit.load(from) }
                    }
                };
                first.append(&mut edit.out);
                mine
            });
            ir.statement_mut(id).operands[at] = mine;
        }
    }
    ir.blocks[block].splice(0..0, first);
}

/// Writes shared values where they are made; shared variables are what is shared.
fn keep(ir: &mut Ir, shared: &BTreeMap<Id, Shared>) {
    for (&id, &how) in shared {
        let Shared::Slot(slot) = how else { continue };
        if ir.statement(id).code == Code::Alloca {
            let s = ir.statement_mut(id);
            (s.code, s.data) = (Code::Temporary, Data::Number(slot));
            continue;
        }
        let (ty, span, block) = (ir.statement(id).ty, ir.statement(id).span, block_of(ir, id));
        let mut edit = Edit { ir, out: Vec::new(), span };
        let to = edit.push(Code::Temporary, ty, &[], Data::Number(slot));
        edit.store(to, id);
        let new = edit.out;
        let at = ir.blocks[block].iter().position(|&other| other == id).map_or(0, |n| n + 1);
        ir.blocks[block].splice(at..at, new);
    }
}
