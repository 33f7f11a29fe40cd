//! Powers of whole numbers that are known, as products: `x ** 2` is `x * x`, which is rounded once.

use super::edit::Edit;
use crate::ir::{Data, Id, Ir};
use crate::number;
use ivy_taichi_types::{BinaryOp, PrimitiveType};

/// The greatest exponent that becomes products: more of them are no faster, and less exact.
const MOST: i128 = 16;

/// True if a power was replaced.
pub fn demote_powers(ir: &mut Ir) -> bool {
    let mut changed = false;
    for block in 0..ir.blocks.len() {
        let mut with = vec![None; ir.statements.len()];
        let ids = std::mem::take(&mut ir.blocks[block]);
        let mut edit = Edit { ir, out: Vec::new(), span: None };
        for id in ids {
            match exponent(edit.ir, id) {
                Some((ty, x, exponent)) => {
                    edit.span = edit.ir.statement(id).span;
                    with[id.index()] = Some(product(&mut edit, ty, x, exponent));
                    changed = true;
                }
                None => edit.out.push(id),
            }
        }
        ir.blocks[block] = edit.out;
        ir.replace(&with);
    }
    changed
}

/// The type, the base and the exponent of a power of a known whole number; of integers not of a negative one.
fn exponent(ir: &Ir, id: Id) -> Option<(PrimitiveType, Id, i128)> {
    let s = ir.statement(id);
    let (Data::Binary(BinaryOp::Pow), Some(ty)) = (&s.data, s.ty) else { return None };
    let (x, by) = (s.operands[0], s.operands[1]);
    let (of, bits) = (ir.statement(by).ty?, ir.constant(by)?);
    let exponent = match number::real(of, bits) {
        Some(real) if real.fract() == 0.0 && real.abs() <= MOST as f64 => real as i128,
        Some(_) => return None,
        None => number::integer(of, bits),
    };
    let fits = ir.statement(x).ty == Some(ty) && exponent.abs() <= MOST && (ty.is_real() || exponent >= 0);
    (fits && ty != PrimitiveType::F16).then_some((ty, x, exponent))
}

/// A power by squares.
fn product(edit: &mut Edit<'_>, ty: PrimitiveType, x: Id, exponent: i128) -> Id {
    let one = |edit: &mut Edit<'_>| match ty {
        PrimitiveType::F32 => edit.constant(ty, u64::from(1f32.to_bits())),
        PrimitiveType::F64 => edit.constant(ty, 1f64.to_bits()),
        _ => edit.constant(ty, 1),
    };
    let (mut rest, mut square, mut result) = (exponent.unsigned_abs(), x, None);
    while rest > 0 {
        if rest & 1 == 1 {
            result = Some(result.map_or(square, |before| edit.binary(BinaryOp::Mul, ty, before, square)));
        }
        rest >>= 1;
        if rest > 0 {
            square = edit.binary(BinaryOp::Mul, ty, square, square);
        }
    }
    match (result, exponent < 0) {
        (Some(result), false) => result,
        (Some(result), true) => {
            let one = one(edit);
            edit.binary(BinaryOp::TrueDiv, ty, one, result)
        }
        (None, _) => one(edit),
    }
}
