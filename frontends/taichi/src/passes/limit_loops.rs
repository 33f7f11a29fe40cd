//! Loops that ask for their next iteration end after so many, in debug mode: one without an end is an assertion that fails.

use super::edit::Edit;
use crate::ir::{Code, Data, Id, Ir};
use ivy_taichi_types::{BinaryOp, PrimitiveType};

const COUNT: PrimitiveType = PrimitiveType::I64;

/// True if a loop was given the limit of the kernel, which has none afterwards.
pub fn limit_loops(ir: &mut Ir) -> bool {
    let Some(limit) = ir.loop_limit.take() else { return false };
    let mut any = false;
    for block in ir.blocks_in_order() {
        let ids = std::mem::take(&mut ir.blocks[block]);
        let mut edit = Edit { ir, out: Vec::new(), span: None };
        for id in ids {
            let s = edit.ir.statement(id).clone();
            if s.code == Code::While {
                edit.span = s.span;
                let iterations = edit.push(Code::Alloca, Some(COUNT), &[], Data::None);
                let zero = edit.constant(COUNT, 0);
                edit.store(iterations, zero);
                counted(&mut edit, s.blocks[0], iterations, limit);
                any = true;
            }
            edit.out.push(id);
        }
        ir.blocks[block] = edit.out;
    }
    any
}

/// Counts the iterations where a loop asks for the next one.
fn counted(edit: &mut Edit<'_>, block: usize, iterations: Id, limit: u64) {
    let ids = std::mem::take(&mut edit.ir.blocks[block]);
    let outer = std::mem::take(&mut edit.out);
    for id in ids {
        let s = edit.ir.statement(id).clone();
        if s.code == Code::WhileControl {
            edit.span = s.span;
            let done = edit.load(iterations);
            let (most, one) = (edit.constant(COUNT, limit), edit.constant(COUNT, 1));
            let within = edit.binary(BinaryOp::CmpLt, PrimitiveType::U1, done, most);
            let said = Data::Text(format!("a loop has not ended after {limit} iterations"));
            edit.push(Code::Assert, None, &[within], said);
            let next = edit.binary(BinaryOp::Add, COUNT, done, one);
            edit.store(iterations, next);
            let more = edit.cast(s.operands[0], PrimitiveType::U1);
            let both = edit.binary(BinaryOp::BitAnd, PrimitiveType::U1, more, within);
            edit.ir.statement_mut(id).operands = vec![both];
        }
        edit.out.push(id);
    }
    edit.ir.blocks[block] = std::mem::replace(&mut edit.out, outer);
}
