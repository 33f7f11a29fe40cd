//! Atomics on what nobody else can reach at the same time become loads and stores (T-51): those on variables, those of
//! serial tasks, and those on elements that each iteration of a task has by itself.

use super::edit::Edit;
use crate::ir::{Code, Data, Id, Ir, TaskKind};
use ivy_taichi_types::{AtomicOp, BinaryOp};

/// The operation on two values that an atomic is where nobody else writes.
pub const fn plain(op: AtomicOp) -> BinaryOp {
    match op {
        AtomicOp::Add => BinaryOp::Add,
        AtomicOp::Sub => BinaryOp::Sub,
        AtomicOp::Mul => BinaryOp::Mul,
        AtomicOp::Min => BinaryOp::Min,
        AtomicOp::Max => BinaryOp::Max,
        AtomicOp::BitAnd => BinaryOp::BitAnd,
        AtomicOp::BitOr => BinaryOp::BitOr,
        AtomicOp::BitXor => BinaryOp::BitXor,
    }
}

/// True if an atomic was demoted. Tasks over fields must be tasks over these still.
pub fn demote_atomics(ir: &mut Ir) -> bool {
    let tasks: Vec<(Id, TaskKind)> = ir.tasks().collect();
    let mut changed = false;
    for (task, kind) in tasks {
        let block = ir.statement(task).blocks[0];
        let within = ir.within(block);
        let own: Vec<bool> =
            (0..ir.fields.len()).map(|field| is_own(ir, task, kind, &within, field)).collect();
        let blocks: Vec<usize> = std::iter::once(block)
            .chain(within.iter().flat_map(|&id| ir.statement(id).blocks.clone()))
            .collect();
        for block in blocks {
            changed |= demote(ir, block, kind == TaskKind::Serial, &own);
        }
    }
    changed
}

/// True if each iteration of a task reaches elements of a field by the task's own indices only, all of them in one order.
pub(super) fn is_own(ir: &Ir, task: Id, kind: TaskKind, within: &[Id], field: usize) -> bool {
    let axes = match kind {
        TaskKind::Serial => return true,
        TaskKind::RangeFor { .. } | TaskKind::ListGen { .. } => 1,
        TaskKind::StructFor { field } => ir.fields[field].shape.len(),
    };
    // The numbers of a quant array's word are of several iterations.
    if ir.fields[field].packed.as_ref().is_some_and(|packed| !packed.within.is_empty()) {
        return false;
    }
    // A field may be there under two numbers; two of one tree stand at other addresses from their first element on.
    let is_same = |other: usize| {
        let [a, b] = [field, other].map(|n| &ir.fields[n]);
        a.memory == b.memory && a.components.iter().any(|c| b.components.contains(c))
    };
    let mut first: Option<Vec<usize>> = None;
    within.iter().all(|&id| {
        let s = ir.statement(id);
        let Data::Component { field: other, .. } = s.data else { return true };
        if s.code != Code::GlobalPtr || !is_same(other) {
            return true;
        }
        let of_axis = |&o: &Id| match (&ir.statement(o).data, ir.statement(o).code) {
            (Data::Number(axis), Code::LoopIndex) if ir.statement(o).operands[0] == task => Some(*axis),
            _ => None,
        };
        let Some(order) = s.operands.iter().map(of_axis).collect::<Option<Vec<usize>>>() else {
            return false;
        };
        let complete = (0..axes).all(|axis| order.contains(&axis));
        let same = *first.get_or_insert_with(|| order.clone()) == order;
        complete && same
    })
}

fn demote(ir: &mut Ir, block: usize, serial: bool, own: &[bool]) -> bool {
    let mut changed = false;
    let mut with = vec![None; ir.statements.len()];
    let ids = std::mem::take(&mut ir.blocks[block]);
    let mut edit = Edit { ir, out: Vec::new(), span: None };
    for id in ids {
        let s = edit.ir.statement(id).clone();
        let Data::Atomic(op) = s.data else {
            edit.out.push(id);
            continue;
        };
        let to = edit.ir.statement(s.operands[0]);
        let local = matches!(to.code, Code::Alloca | Code::Temporary);
        let alone = match to.data {
            Data::Component { field, .. } => serial || own[field],
            // What tasks share is one for all iterations.
            _ => serial || to.code == Code::Alloca,
        };
        if let (Some(ty), true) = (s.ty, alone) {
            edit.span = s.span;
            let (load, store) = if local {
                (Code::LocalLoad, Code::LocalStore)
            } else {
                (Code::GlobalLoad, Code::GlobalStore)
            };
            let before = edit.push(load, Some(ty), &[s.operands[0]], Data::None);
            let after = edit.binary(plain(op), ty, before, s.operands[1]);
            edit.push(store, None, &[s.operands[0], after], Data::None);
            with[id.index()] = Some(before);
            changed = true;
        } else {
            edit.out.push(id);
        }
    }
    ir.blocks[block] = edit.out;
    ir.replace(&with);
    changed
}
