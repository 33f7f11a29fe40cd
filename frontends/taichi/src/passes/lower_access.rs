//! Elements of fields by their indices become elements by their number in memory (T-49).

use super::edit::Edit;
use crate::ir::{Code, Ir};
use ivy_taichi_types::PrimitiveType;

/// True if there was an access to lower.
pub fn lower_access(ir: &mut Ir) -> bool {
    let mut any = false;
    for block in ir.blocks_in_order() {
        let ids = std::mem::take(&mut ir.blocks[block]);
        let mut edit = Edit { ir, out: Vec::new(), span: None };
        for id in ids {
            let s = edit.ir.statement(id).clone();
            if s.code == Code::GlobalPtr {
                edit.span = s.span;
                let number = edit.push(Code::Linearize, Some(PrimitiveType::I64), &s.operands, s.data);
                let s = edit.ir.statement_mut(id);
                (s.code, s.operands) = (Code::ElementPtr, vec![number]);
                any = true;
            }
            edit.out.push(id);
        }
        ir.blocks[block] = edit.out;
    }
    any
}
