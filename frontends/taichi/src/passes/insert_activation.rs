//! Before an element below sparse nodes is written, its cells are put in use (T-35); reads activate nothing.

use super::edit::Edit;
use crate::ir::{Code, Data, FieldInfo, Id, Ir, TaskKind};

/// True if a write activates.
pub fn insert_activation(ir: &mut Ir) -> bool {
    let tasks: Vec<(Id, TaskKind)> = ir.tasks().collect();
    let mut any = false;
    for (task, kind) in tasks {
        let block = ir.statement(task).blocks[0];
        let within = ir.within(block);
        let inner = within.iter().flat_map(|&id| ir.statement(id).blocks.clone());
        let blocks: Vec<usize> = std::iter::once(block).chain(inner).collect();
        for block in blocks {
            any |= insert(ir, block, task, kind);
        }
    }
    any
}

fn insert(ir: &mut Ir, block: usize, task: Id, kind: TaskKind) -> bool {
    let mut any = false;
    let ids = std::mem::take(&mut ir.blocks[block]);
    let mut edit = Edit { ir, out: Vec::new(), span: None };
    // What was put in use last, in this block: fields of equal levels at equal indices.
    let mut last: Option<(usize, Vec<Id>)> = None;
    for id in ids {
        let s = edit.ir.statement(id);
        let writes = matches!(s.code, Code::GlobalStore | Code::Atomic | Code::CompareAndSwap);
        if !s.blocks.is_empty() || s.code == Code::Deactivate {
            last = None;
        }
        if let (Code::Activate, Data::Component { field, .. }) = (s.code, &s.data) {
            last = Some((*field, s.operands.clone()));
        }
        let pointer = writes.then(|| edit.ir.statement(s.operands[0]).clone());
        if let Some(pointer) = pointer.filter(|pointer| pointer.code == Code::GlobalPtr)
            && let Data::Component { field, .. } = pointer.data
            && !edit.ir.fields[field].levels().is_empty()
            && !is_visited(edit.ir, task, kind, field, &pointer.operands)
        {
            let fields = &edit.ir.fields;
            let again = last.as_ref().is_some_and(|(other, indices)| {
                *indices == pointer.operands && are_alike(&fields[*other], &fields[field])
            });
            if !again {
                edit.span = edit.ir.statement(id).span;
                edit.push(Code::Activate, None, &pointer.operands, Data::Component { field, component: 0 });
                any = true;
            }
            last = Some((field, pointer.operands));
        }
        edit.out.push(id);
    }
    ir.blocks[block] = edit.out;
    any
}

/// Whether two fields have their elements in the same cells of the same sparse nodes.
fn are_alike(a: &FieldInfo, b: &FieldInfo) -> bool {
    let (Some(x), Some(y)) = (&a.sparse, &b.sparse) else { return false };
    let parts = |info: &FieldInfo| info.digits.iter().map(|d| (d.axis, d.below, d.count)).collect::<Vec<_>>();
    x.first == y.first && x.levels == y.levels && a.shape == b.shape && parts(a) == parts(b)
}

/// Whether the cells of an element are those that the task is at: it visits cells in use only.
fn is_visited(ir: &Ir, task: Id, kind: TaskKind, field: usize, indices: &[Id]) -> bool {
    let TaskKind::StructFor { field: over } = kind else { return false };
    let own = |(axis, &o): (usize, &Id)| {
        let of = ir.statement(o);
        of.code == Code::LoopIndex && of.operands[0] == task && of.data == Data::Number(axis)
    };
    // One that takes its cell out of use may put it in use again.
    let stays = || {
        ir.within(ir.statement(task).blocks[0]).iter().all(|&id| ir.statement(id).code != Code::Deactivate)
    };
    are_alike(&ir.fields[over], &ir.fields[field]) && indices.iter().enumerate().all(own) && stays()
}
