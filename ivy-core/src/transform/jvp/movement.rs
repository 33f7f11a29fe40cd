//! Ops that move elements, which move tangents likewise, and those that are linear in each operand.

use super::{Linearized, Tangents, changes};
use crate::transform::ops::{add_some, reshape, run, select};
use crate::{Array, Op, Result, Scalar, Shape};
use smallvec::{SmallVec, smallvec};

pub(super) fn jvp(call: &Linearized<'_>) -> Result<Tangents> {
    let (op, x, t) = (call.op, call.x, call.t);
    let change = match op {
        Op::Where => select(x[0], &call.tangent(1)?, &call.tangent(2)?)?,
        Op::SetSlice { .. } => run(op, &[&call.tangent(0)?, &call.tangent(1)?])?,
        Op::Concat { .. } => {
            let all: SmallVec<[Array; 4]> = (0..x.len()).map(|i| call.tangent(i)).collect::<Result<_>>()?;
            run(op, &all.iter().collect::<Vec<_>>())?
        }
        Op::Unique => {
            let Some(t) = t[0] else { return Ok(smallvec![None; call.y.len()]) };
            let flat = reshape(t, Shape::from([t.size()]))?;
            let values = run(&Op::Take { axis: 0 }, &[&flat, call.y.get(1)?])?;
            return Ok(smallvec![Some(values), None, None, None]);
        }
        _ => {
            // The first operand is moved, by indices if there are others.
            let Some(t) = t[0].filter(|_| changes(x[0].dtype())) else { return Ok(smallvec![None]) };
            match op {
                Op::Pad { axes, .. } => {
                    let zero = if t.dtype().is_complex() {
                        Scalar::Complex(Default::default())
                    } else {
                        Scalar::Float(0.0)
                    };
                    run(&Op::Pad { axes: axes.clone(), value: zero }, &[t])?
                }
                Op::Sort { axis, descending } => {
                    let order = run(&Op::Argsort { axis: *axis, descending: *descending }, &[x[0]])?;
                    run(&Op::TakeAlongAxis { axis: *axis }, &[t, &order])?
                }
                _ => {
                    let operands: Vec<&Array> = std::iter::once(t).chain(x[1..].iter().copied()).collect();
                    run(op, &operands)?
                }
            }
        }
    };
    Ok(smallvec![Some(change)])
}

/// Ops that are linear in each operand: the sum over the operands of the op with the tangent of one.
pub(super) fn multilinear(call: &Linearized<'_>) -> Result<Tangents> {
    let mut change = None;
    for (i, t) in call.t.iter().enumerate() {
        if let Some(t) = t {
            let mut operands: SmallVec<[&Array; 2]> = call.x.iter().copied().collect();
            operands[i] = t;
            change = add_some(change, Some(run(call.op, &operands)?))?;
        }
    }
    Ok(smallvec![change])
}
