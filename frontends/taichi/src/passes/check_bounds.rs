//! Each index of a field is checked before it is used, in debug mode (T-37).

use super::edit::Edit;
use crate::ir::{Code, Data, Id, Ir};
use ivy_taichi_types::{BinaryOp, PrimitiveType};

/// True if there was an index to check.
pub fn check_bounds(ir: &mut Ir) -> bool {
    let mut any = false;
    for block in ir.blocks_in_order() {
        let ids = std::mem::take(&mut ir.blocks[block]);
        let mut edit = Edit { ir, out: Vec::new(), span: None };
        // The operands of the check that stands last.
        let mut checked: Vec<Id> = Vec::new();
        for id in ids {
            let s = edit.ir.statement(id).clone();
            if s.code == Code::CheckBounds {
                checked = s.operands[1..].to_vec();
            }
            let indexes = matches!(
                s.code,
                Code::GlobalPtr
                    | Code::Activate
                    | Code::IsActive
                    | Code::Deactivate
                    | Code::Length
                    | Code::Append
            );
            if let Data::Component { field, .. } = &s.data
                && indexes
                && checked != s.operands
            {
                edit.span = s.span;
                let info = edit.ir.fields[*field].clone();
                let mut fits = None;
                for (axis, &index) in s.operands.iter().enumerate() {
                    let least = edit.constant(PrimitiveType::I32, 0);
                    let end = edit.constant(PrimitiveType::I32, info.shape[axis] as u64 & 0xffff_ffff);
                    let above = edit.binary(BinaryOp::CmpGe, PrimitiveType::U1, index, least);
                    let below = edit.binary(BinaryOp::CmpLt, PrimitiveType::U1, index, end);
                    for holds in [above, below] {
                        fits = Some(match fits {
                            None => holds,
                            Some(before) => edit.binary(BinaryOp::BitAnd, PrimitiveType::U1, before, holds),
                        });
                    }
                }
                if let Some(fits) = fits {
                    let marks = vec!["{}"; s.operands.len()].join(", ");
                    let sizes: Vec<String> = info.shape.iter().map(i64::to_string).collect();
                    let (kernel, name, sizes) = (&edit.ir.name, &info.name, sizes.join(", "));
                    let said = format!(
                        "(kernel={kernel}) Accessing field ({name}) of size ({sizes}) with indices ({marks})"
                    );
                    let operands: Vec<_> = std::iter::once(fits).chain(s.operands.iter().copied()).collect();
                    edit.push(Code::CheckBounds, None, &operands, Data::Text(said));
                    any = true;
                }
            }
            edit.out.push(id);
        }
        ir.blocks[block] = edit.out;
    }
    any
}
