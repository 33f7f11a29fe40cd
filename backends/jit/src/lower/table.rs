//! Which operations have a form: asked of the forms themselves, once.

use super::{Parts, lower, memory};
use crate::ir::{Access, Builder, Param};
use crate::trace::Kind;
use ivy_core::{BinaryOp, Dtype, UnaryOp};
use std::collections::HashSet;
use std::sync::OnceLock;

/// True if an operation on operands of this dtype (the values, of a selection), with a result of
/// the dtype `to`, can be in a kernel.
pub fn supports(kind: Kind, from: Dtype, to: Dtype) -> bool {
    static FOUND: OnceLock<HashSet<(Kind, Dtype, Dtype)>> = OnceLock::new();
    FOUND.get_or_init(all).contains(&(kind, from, to))
}

fn all() -> HashSet<(Kind, Dtype, Dtype)> {
    let mut found = HashSet::new();
    for from in Dtype::all() {
        let unary = UnaryOp::ALL.iter().map(|&op| (Kind::Unary(op), op.result(from)));
        let binary = BinaryOp::ALL.iter().map(|&op| (Kind::Binary(op), op.result(from)));
        let casts = Dtype::all().map(|to| (Kind::Cast, Some(to)));
        let rest = [(Kind::Where, Some(from)), (Kind::Reshape, Some(from))];
        for (kind, to) in unary.chain(binary).chain(casts).chain(rest) {
            let Some(to) = to.filter(|&to| memory(to).is_some()) else { continue };
            if has_form(kind, from, to) {
                found.insert((kind, from, to));
            }
        }
    }
    found
}

/// Tries to write the operation.
fn has_form(kind: Kind, from: Dtype, to: Dtype) -> bool {
    let dtypes: &[Dtype] = match kind {
        Kind::Where => &[Dtype::BOOL, from, from],
        Kind::Binary(_) => &[from, from],
        _ => &[from],
    };
    let params: Option<Vec<Param>> = dtypes
        .iter()
        .map(|&d| memory(d).map(|(ty, parts)| Param { ty, parts, access: Access::Linear }))
        .collect();
    let Some(params) = params else { return false };
    let counts: Vec<u32> = params.iter().map(|p| p.parts).collect();
    let mut b = Builder::new(params);
    let operands: Vec<Parts> = counts
        .iter()
        .enumerate()
        .map(|(i, &n)| (0..n).map(|part| b.load(i as u32, part)).collect())
        .collect();
    let given: Vec<(Dtype, &Parts)> = dtypes.iter().copied().zip(&operands).collect();
    lower(&mut b, kind, to, &given).is_some()
}
