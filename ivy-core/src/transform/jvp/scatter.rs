//! Updates of places.

use super::Linearized;
use crate::transform::ops::{add, add_some, binary, cast, div, full, mul, run, zeros_like};
use crate::{Array, BinaryOp, Op, Result, ScatterOp};

pub(super) fn jvp(axes: usize, op: ScatterOp, call: &Linearized<'_>) -> Result<Array> {
    let (x, updates, indices) = (call.x[0], call.x[1], &call.x[2..]);
    let write = |into: &Array, op: ScatterOp, values: &Array| {
        let all: Vec<&Array> = [into, values].into_iter().chain(indices.iter().copied()).collect();
        run(&Op::Scatter { axes, op }, &all)
    };
    let read = |from: &Array| {
        let all: Vec<&Array> = std::iter::once(from).chain(indices.iter().copied()).collect();
        run(&Op::Gather { axes }, &all)
    };
    match op {
        ScatterOp::Set | ScatterOp::Add => write(&call.tangent(0)?, op, &call.tangent(1)?),
        ScatterOp::Mul => {
            let of_x = call.t[0].map(|t| write(t, op, updates)).transpose()?;
            // What the others make of a place is its result over the update.
            let of_updates = match call.t[1] {
                Some(t) => {
                    let others = div(&read(&call.y[0])?, updates)?;
                    Some(write(&zeros_like(x)?, ScatterOp::Add, &mul(t, &others)?)?)
                }
                None => None,
            };
            Ok(add_some(of_x, of_updates)?.unwrap_or(zeros_like(x)?))
        }
        ScatterOp::Min | ScatterOp::Max => {
            // Those that are what stayed share its change.
            let y = &call.y[0];
            let from_x = cast(&binary(BinaryOp::Equal, x, y)?, x.dtype())?;
            let from_updates = cast(&binary(BinaryOp::Equal, updates, &read(y)?)?, x.dtype())?;
            let count = write(&from_x, ScatterOp::Add, &from_updates)?;
            // A NaN is nobody's.
            let one = full(x, x.dtype(), Default::default(), 1.0)?;
            let count = binary(BinaryOp::Maximum, &count, &one)?;
            let of_x = mul(&call.tangent(0)?, &from_x)?;
            let of_updates = mul(&call.tangent(1)?, &from_updates)?;
            div(&add(&of_x, &write(&zeros_like(x)?, ScatterOp::Add, &of_updates)?)?, &count)
        }
        // Of integers, which do not change.
        ScatterOp::And | ScatterOp::Or => zeros_like(x),
    }
}
