//! List generation: a task over a field below sparse nodes is one over the list of the innermost node's cells in use, which tasks before it
//! make, level by level, each of the list of the level above (T-40).

use super::cells::Cell;
use super::edit::Edit;
use crate::ir::{Code, Data, FieldInfo, Id, Ir, Limit, Sparse, TOP, TaskKind};
use ivy_taichi_types::{AtomicOp, PrimitiveType};

const LONG: Option<PrimitiveType> = Some(PrimitiveType::I64);

/// Puts the tasks that make the lists of a field's levels before one over the field; the temporary that holds how many elements this one
/// has, the cells in use times the elements of each.
pub fn generate(ir: &mut Ir, task: Id, field: usize, sparse: &Sparse) -> usize {
    let info = ir.fields[field].clone();
    let span = ir.statement(task).span;
    let mut edit = Edit { ir, out: Vec::new(), span };
    let mut above: Option<usize> = None;
    for number in 0..sparse.levels.len() {
        let end = match above {
            None => Limit::Known(sparse.levels[number].total),
            Some(length) => Limit::Temporary(product(&mut edit, length, inner(sparse, number, &info))),
        };
        let length = temporary(&mut edit);
        let made = edit.push(
            Code::Offloaded,
            None,
            &[],
            Data::Task(TaskKind::ListGen { field, level: number, end }),
        );
        let block = edit.ir.statement(made).blocks[0];
        edit.within(block, |edit| element(edit, made, sparse, number, inner(sparse, number, &info), length));
        above = Some(length);
    }
    let last = sparse.levels.len();
    let end = product(&mut edit, above.unwrap_or(0), inner(sparse, last, &info));
    let tasks = edit.out;
    let at = ir.blocks[TOP].iter().position(|&id| id == task).unwrap_or(0);
    ir.blocks[TOP].splice(at..at, tasks);
    end
}

/// The number of the cell that an element of a task is, among all cells of the level; behind the last level, of the field's elements.
pub fn number(edit: &mut Edit<'_>, sparse: &Sparse, level: usize, cells: i64, element: Id) -> Id {
    let Some(above) = level.checked_sub(1).map(|above| &sparse.levels[above]) else { return element };
    let (place, rest) = edit.divided(element, cells);
    let first = edit.int(above.entry);
    let place = edit.binary(ivy_taichi_types::BinaryOp::Add, PrimitiveType::I64, first, place);
    let entry = edit.element(sparse.lists(), place);
    let cell = edit.load_element(entry);
    edit.scaled(cell, cells, rest)
}

/// The cells of a level in each of the level above; behind the last level, the field's elements in each.
pub fn inner(sparse: &Sparse, level: usize, info: &FieldInfo) -> i64 {
    let total = |level: usize| sparse.levels.get(level).map_or_else(|| info.cells(), |level| level.total);
    total(level) / level.checked_sub(1).map_or(1, total)
}

/// Adds the element's cell to the list of its level, if it is in use.
fn element(edit: &mut Edit<'_>, task: Id, sparse: &Sparse, level: usize, cells: i64, length: usize) {
    let element = edit.push(Code::LoopIndex, LONG, &[task], Data::Number(0));
    let cell = number(edit, sparse, level, cells, element);
    let level = &sparse.levels[level];
    let mark = edit.mark(sparse, level, Cell { number: cell, inside: None });
    let active = edit.is_marked(level, &mark);
    edit.when(active, |edit| {
        let (length, one) = (edit.push(Code::Temporary, LONG, &[], Data::Number(length)), edit.int(1));
        let place = edit.atomic(AtomicOp::Add, length, one);
        let first = edit.int(level.entry);
        let place = edit.binary(ivy_taichi_types::BinaryOp::Add, PrimitiveType::I64, first, place);
        let entry = edit.element(sparse.lists(), place);
        edit.store_element(entry, cell);
    });
}

fn temporary(edit: &mut Edit<'_>) -> usize {
    edit.ir.temporaries.push(PrimitiveType::I64);
    edit.ir.temporaries.len() - 1
}

/// A temporary that a serial task sets to so many times another one.
fn product(edit: &mut Edit<'_>, length: usize, times: i64) -> usize {
    let product = temporary(edit);
    let task = edit.push(Code::Offloaded, None, &[], Data::Task(TaskKind::Serial));
    let block = edit.ir.statement(task).blocks[0];
    edit.within(block, |edit| {
        let from = edit.push(Code::Temporary, LONG, &[], Data::Number(length));
        let (count, times) = (edit.load(from), edit.int(times));
        let count = edit.binary(ivy_taichi_types::BinaryOp::Mul, PrimitiveType::I64, count, times);
        let to = edit.push(Code::Temporary, LONG, &[], Data::Number(product));
        edit.store(to, count);
    });
    product
}
