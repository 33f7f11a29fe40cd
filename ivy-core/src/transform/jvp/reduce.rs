//! Reductions.

use super::Linearized;
use crate::transform::ops::{
    binary, cast, div, flip, mul, permute, reduce, reshape, run, scale, slice, sub, sum, with_scalar,
};
use crate::{Array, BinaryOp, Dims, Op, ReduceOp, Result, ScanOp, Shape};
use smallvec::smallvec;

pub(super) fn jvp(op: ReduceOp, axes: &Dims, keepdims: bool, call: &Linearized<'_>) -> Result<Option<Array>> {
    let (x, Some(t)) = (call.x[0], call.t[0]) else { return Ok(None) };
    let total = |t: &Array| reduce(ReduceOp::Sum, t, axes.clone(), keepdims);
    Ok(Some(match op {
        ReduceOp::Sum | ReduceOp::Mean => reduce(op, t, axes.clone(), keepdims)?,
        ReduceOp::Prod => total(&mul(t, &product_of_others(x, axes)?)?)?,
        ReduceOp::Max | ReduceOp::Min => {
            // Elements that are equally great share it.
            let mut kept = Dims::from_slice(x.shape());
            axes.iter().for_each(|&a| kept[a] = 1);
            let chosen =
                cast(&binary(BinaryOp::Equal, x, &reshape(call.y.get(0)?, Shape::from(kept))?)?, x.dtype())?;
            // Of the count there are fewer than of the elements.
            let count = sum(&chosen, axes.clone(), keepdims)?;
            div(&total(&mul(t, &chosen)?)?, &count)?
        }
        ReduceOp::Var { correction } => {
            let count: usize = axes.iter().map(|&a| x.shape()[a]).product();
            let divisor = (count as f64 - f64::from_bits(correction)).max(0.0);
            let away = sub(x, &reduce(ReduceOp::Mean, x, axes.clone(), true)?)?;
            with_scalar(BinaryOp::Divide, &total(&mul(t, &scale(&away, 2.0)?)?)?, divisor)?
        }
        ReduceOp::All | ReduceOp::Any => return Ok(None),
    }))
}

/// For each element the product of those that are reduced with it, without a division: of all before it along
/// the axes, times all after it.
fn product_of_others(x: &Array, axes: &Dims) -> Result<Array> {
    if axes.is_empty() || x.size() == 0 {
        return crate::transform::ops::full(x, x.dtype(), x.shape().clone(), 1.0);
    }
    let order: Dims = (0..x.ndim()).filter(|a| !axes.contains(a)).chain(axes.iter().copied()).collect();
    let moved = permute(x, order.clone())?;
    let kept = x.ndim() - axes.len();
    let line: usize = moved.shape()[kept..].iter().product();
    let flat: Shape = moved.shape()[..kept].iter().copied().chain([line]).collect();
    let lines = reshape(&moved, flat)?;
    let before = |x: &Array| -> Result<Array> {
        let scan = Op::Scan { op: ScanOp::Prod, axis: kept, include_initial: true };
        slice(&run(&scan, &[x])?, kept, 0, line)
    };
    let after = flip(&before(&flip(&lines, kept)?)?, kept)?;
    let others = reshape(&mul(&before(&lines)?, &after)?, moved.shape().clone())?;
    let mut back: Dims = smallvec![0; order.len()];
    order.iter().enumerate().for_each(|(i, &a)| back[a] = i);
    permute(&others, back)
}
