//! A task over a dense field is one over a range of numbers, from which the indices follow (T-42); below sparse nodes the
//! numbers are those of the cells in use. Where the field has cells beyond its extents, these are left out.

use super::edit::Edit;
use super::lists;
use crate::ir::{Code, Data, FieldInfo, Id, Ir, Limit, TaskKind};
use ivy_taichi_types::{BinaryOp, PrimitiveType};

/// True if a task was demoted.
pub fn demote_struct_for(ir: &mut Ir) -> bool {
    let tasks: Vec<(Id, usize)> = ir
        .tasks()
        .filter_map(|(id, kind)| match kind {
            TaskKind::StructFor { field } => Some((id, field)),
            _ => None,
        })
        .collect();
    for &(id, number) in &tasks {
        let field = ir.fields[number].clone();
        demote(ir, id, number, &field);
    }
    !tasks.is_empty()
}

fn demote(ir: &mut Ir, task: Id, number: usize, field: &FieldInfo) {
    let sparse = field.sparse.as_ref().filter(|sparse| !sparse.levels.is_empty());
    let end = match sparse {
        None => Limit::Known(field.cells()),
        Some(sparse) => Limit::Temporary(lists::generate(ir, task, number, sparse)),
    };
    ir.statement_mut(task).data = Data::Task(TaskKind::RangeFor { begin: 0, end });
    let block = ir.statement(task).blocks[0];
    let body = std::mem::take(&mut ir.blocks[block]);
    let span = ir.statement(task).span;
    let mut edit = Edit { ir, out: Vec::new(), span };
    let element = edit.push(Code::LoopIndex, Some(PrimitiveType::I64), &[task], Data::Number(0));
    let number = sparse.map_or(element, |sparse| {
        let last = sparse.levels.len();
        lists::number(&mut edit, sparse, last, lists::inner(sparse, last, field), element)
    });
    let indices: Vec<Id> = (0..field.shape.len()).map(|axis| index(&mut edit, field, axis, number)).collect();
    let mut inside: Option<Id> = None;
    for (axis, (&index, &extent)) in indices.iter().zip(&field.shape).enumerate() {
        if field.room(axis) > extent {
            let end = edit.constant(PrimitiveType::I32, extent as u64);
            let fits = edit.binary(BinaryOp::CmpLt, PrimitiveType::U1, index, end);
            inside = Some(match inside {
                None => fits,
                Some(before) => edit.binary(BinaryOp::BitAnd, PrimitiveType::U1, before, fits),
            });
        }
    }
    let into = inside.map(|inside| {
        let choice = edit.push(Code::If, None, &[inside], Data::None);
        edit.ir.statement(choice).blocks[0]
    });
    let head = edit.out;
    ir.blocks[block] = head;
    let target = into.unwrap_or(block);
    let mut with = vec![None; ir.statements.len()];
    for id in body {
        ir.blocks[target].push(id);
    }
    for id in ir.within(block) {
        let s = ir.statement(id);
        if s.code == Code::LoopIndex
            && s.operands[0] == task
            && id != element
            && let Data::Number(axis) = s.data
        {
            with[id.index()] = Some(indices[axis]);
        }
    }
    direct(ir, block, field, task, number);
    ir.replace(&with);
    for block in ir.blocks_in_order() {
        ir.blocks[block].retain(|id| !matches!(with.get(id.index()), Some(Some(_))));
    }
}

/// Elements by the task's own indices, of fields that are laid out as the one it is over, are those of its numbers.
fn direct(ir: &mut Ir, block: usize, over: &FieldInfo, task: Id, number: Id) {
    let inner: Vec<usize> = std::iter::once(block)
        .chain(ir.within(block).iter().flat_map(|&id| ir.statement(id).blocks.clone()))
        .collect();
    for block in inner {
        let ids = std::mem::take(&mut ir.blocks[block]);
        let mut edit = Edit { ir, out: Vec::new(), span: None };
        for id in ids {
            let s = edit.ir.statement(id).clone();
            let own = |(axis, &o): (usize, &Id)| {
                let of = edit.ir.statement(o);
                of.code == Code::LoopIndex && of.operands[0] == task && of.data == Data::Number(axis)
            };
            if let (Code::GlobalPtr, &Data::Component { field, component }) = (s.code, &s.data)
                && s.operands.iter().enumerate().all(own)
                && let Some(step) = steps(over, &edit.ir.fields[field])
            {
                edit.span = s.span;
                let first = edit.ir.fields[field].components[component];
                let step = edit.constant(PrimitiveType::I64, step as u64);
                let place = edit.binary(BinaryOp::Mul, PrimitiveType::I64, number, step);
                let first = edit.constant(PrimitiveType::I64, first as u64);
                let place = edit.binary(BinaryOp::Add, PrimitiveType::I64, place, first);
                let s = edit.ir.statement_mut(id);
                (s.code, s.operands) = (Code::ElementPtr, vec![place]);
            }
            edit.out.push(id);
        }
        ir.blocks[block] = edit.out;
    }
}

/// How far apart the elements of a field are whose numbers are neighbours in another, if that is the same everywhere.
fn steps(over: &FieldInfo, field: &FieldInfo) -> Option<i64> {
    let alike = over.digits.len() == field.digits.len()
        && over
            .digits
            .iter()
            .zip(&field.digits)
            .all(|(a, b)| (a.axis, a.below, a.count) == (b.axis, b.below, b.count));
    let step = field.digits.last().map_or(1, |d| d.stride);
    let inner = |n: usize| field.digits[n + 1..].iter().map(|d| d.count).product::<i64>();
    (alike && field.digits.iter().enumerate().all(|(n, d)| d.stride == step * inner(n))).then_some(step)
}

/// An index of the cell of a number, in the order of memory.
fn index(edit: &mut Edit<'_>, field: &FieldInfo, axis: usize, number: Id) -> Id {
    const WIDE: PrimitiveType = PrimitiveType::I64;
    let mut sum: Option<Id> = None;
    for (n, digit) in field.digits.iter().enumerate().filter(|(_, d)| d.axis == axis) {
        let inner: i64 = field.digits[n + 1..].iter().map(|d| d.count).product();
        let mut part = number;
        if inner > 1 {
            let by = edit.constant(WIDE, inner as u64);
            part = edit.binary(BinaryOp::Div, WIDE, part, by);
        }
        if n > 0 {
            let count = edit.constant(WIDE, digit.count as u64);
            part = edit.binary(BinaryOp::RawMod, WIDE, part, count);
        }
        if digit.below > 1 {
            let below = edit.constant(WIDE, digit.below as u64);
            part = edit.binary(BinaryOp::Mul, WIDE, part, below);
        }
        sum = Some(match sum {
            None => part,
            Some(before) => edit.binary(BinaryOp::Add, WIDE, before, part),
        });
    }
    let sum = sum.unwrap_or(number);
    edit.cast(sum, PrimitiveType::I32)
}
