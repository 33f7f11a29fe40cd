//! Which operations have a form: asked of the forms themselves, each once.

use super::{Parts, lower, memory};
use crate::ir::{Access, Builder, Param};
use crate::kind::Kind;
use ivy_core::{BinaryOp, Dtype, UnaryOp};
use std::sync::atomic::{AtomicU8, Ordering};

/// More than there are dtypes.
const WIDTH: usize = 32;
const UNARY: usize = UnaryOp::ALL.len();
const ROWS: usize = UNARY + BinaryOp::ALL.len() + 3;

/// What is known: 0 is nothing yet, 1 is no, 2 is yes. An answer is the same whoever finds it.
static KNOWN: [AtomicU8; ROWS * WIDTH * WIDTH] = [const { AtomicU8::new(0) }; ROWS * WIDTH * WIDTH];

/// True if an operation on operands of this dtype (the values, of a selection), with a result of
/// the dtype `to`, can be in a kernel.
pub fn supports(kind: Kind, from: Dtype, to: Dtype) -> bool {
    let row = match kind {
        Kind::Unary(op) => op as usize,
        Kind::Binary(op) => UNARY + op as usize,
        Kind::Where => ROWS - 3,
        Kind::Cast => ROWS - 2,
        Kind::Reshape => ROWS - 1,
        _ => return false,
    };
    let Some(known) = KNOWN.get((row * WIDTH + from.index()) * WIDTH + to.index()) else {
        return is_supported(kind, from, to);
    };
    match known.load(Ordering::Relaxed) {
        0 => {
            let answer = is_supported(kind, from, to);
            known.store(1 + u8::from(answer), Ordering::Relaxed);
            answer
        }
        answer => answer == 2,
    }
}

fn is_supported(kind: Kind, from: Dtype, to: Dtype) -> bool {
    let result = match kind {
        Kind::Unary(op) => op.result(from),
        Kind::Binary(op) => op.result(from),
        Kind::Cast => Some(to),
        _ => Some(from),
    };
    result == Some(to) && memory(to).is_some() && has_form(kind, from, to)
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
