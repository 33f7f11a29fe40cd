//! Updates of places.

use super::Linearized;
use crate::transform::ops::{
    add_some, binary, cast, div, full, mul, run, select, sub, with_scalar, zeros_like,
};
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
            let of_updates = match call.t[1] {
                Some(t) => {
                    let others = others(x, updates, call.y.get(0)?, &write, &read)?;
                    Some(write(&zeros_like(x)?, ScatterOp::Add, &mul(t, &others)?)?)
                }
                None => None,
            };
            Ok(add_some(of_x, of_updates)?.unwrap_or(zeros_like(x)?))
        }
        ScatterOp::Min | ScatterOp::Max => {
            // Those that are what stayed share its change.
            let y = call.y.get(0)?;
            let from_x = cast(&binary(BinaryOp::Equal, x, y)?, x.dtype())?;
            let from_updates = cast(&binary(BinaryOp::Equal, updates, &read(y)?)?, x.dtype())?;
            let count = write(&from_x, ScatterOp::Add, &from_updates)?;
            // A NaN is nobody's.
            let one = full(x, x.dtype(), Default::default(), 1.0)?;
            let count = binary(BinaryOp::Maximum, &count, &one)?;
            let of_x = call.t[0].map(|t| mul(t, &from_x)).transpose()?;
            let of_updates = call.t[1].map(|t| {
                let change = mul(t, &from_updates)?;
                write(&zeros_like(x)?, ScatterOp::Add, &change)
            });
            match add_some(of_x, of_updates.transpose()?)? {
                Some(change) => div(&change, &count),
                None => zeros_like(x),
            }
        }
        // Of integers, which do not change.
        ScatterOp::And | ScatterOp::Or => zeros_like(x),
    }
}

/// What each update of a product is multiplied with: the element before, and all other updates of its place.
///
/// Where an update is not 0 that is the result over it. Where it is the only 0 of its place, it is the product without
/// the zeros; where there is one more, that times the other one, which is the sum of both less its own: 0, but it
/// changes. A third one leaves nothing of first or second order.
fn others(
    x: &Array,
    updates: &Array,
    y: &Array,
    write: &dyn Fn(&Array, ScatterOp, &Array) -> Result<Array>,
    read: &dyn Fn(&Array) -> Result<Array>,
) -> Result<Array> {
    let number = |value: f64| full(x, x.dtype(), Default::default(), value);
    let (zero, one) = (number(0.0)?, number(1.0)?);
    let none = with_scalar(BinaryOp::Equal, updates, 0.0)?;
    let nonzero = select(&none, &one, updates)?;
    let product = read(&write(x, ScatterOp::Mul, &nonzero)?)?;
    let zeros = select(&none, updates, &zero)?;
    let in_place = |values: &Array| read(&write(&zeros_like(x)?, ScatterOp::Add, values)?);
    let count = in_place(&cast(&none, x.dtype())?)?;
    let other = sub(&in_place(&zeros)?, &zeros)?;
    let second = select(&with_scalar(BinaryOp::Equal, &count, 2.0)?, &other, &zero)?;
    let rest = select(&with_scalar(BinaryOp::Equal, &count, 1.0)?, &one, &second)?;
    select(&none, &mul(&product, &rest)?, &div(&read(y)?, &nonzero)?)
}
