//! Run-length encoding.

use crate::array::{Array, IntoOperand};
use crate::call::call;
use crate::function::{Axes, Body, Bound, Composition, Outputs};
use crate::functional::manipulation::join::joined;
use crate::functional::manipulation::{flat, reshape, slice_axes, whole};
use crate::functional::{
    Any, Filled, any, astype, cumulative_sum, full, nonzero, not_equal, subtract, zeros,
};
use crate::{Dtype, Op, Result, Shape, params, primitive, shape};
use smallvec::smallvec;

params! {
    /// Keyword arguments of [`unique_consecutive`].
    pub struct UniqueConsecutiveParams {
        /// The axis whose parts are compared; the elements of the flat array if not given.
        axis: Option<i64> = None,
    }
}

/// The results of [`unique_consecutive`].
#[derive(Clone, Debug)]
pub struct UniqueConsecutive {
    /// The first of each run of equal ones.
    pub output: Array,
    /// For each element (or part along the axis) the number of its run; int64.
    pub inverse_indices: Array,
    /// How long each run is; int64.
    pub counts: Array,
}

describe! {
    UNIQUE_CONSECUTIVE = "unique_consecutive", Set, Mixed, (x: Promoted), Promote -> [Compute, Index, Index],
    Bound::Exact, params: UniqueConsecutiveParams::new(), example: [&[2]], Body::Compose(compose_runs)
}

fn compose_runs(call: &Composition<'_>) -> Result<Outputs> {
    let function = call.function.name;
    let (x, axis) = match call.params::<UniqueConsecutiveParams>().axis {
        Some(axis) => {
            let x = call.array(0).clone();
            let axis = shape::normalize_axis(function, axis, x.ndim())?;
            (x, axis)
        }
        None => (flat(call.array(0))?, 0),
    };
    let inverse_shape = match call.params::<UniqueConsecutiveParams>().axis {
        Some(_) => Shape::from([x.shape()[axis]]),
        None => call.array(0).shape().clone(),
    };
    let len = x.shape()[axis];
    if len == 0 {
        let none = || zeros(0, Dtype::INT64);
        return Ok(smallvec![x, reshape(none()?, inverse_shape, ())?, none()?]);
    }
    let part = |x: &Array, axis: usize, start: usize, len: usize| {
        let mut axes = whole(x.shape());
        (axes[axis].start, axes[axis].len) = (if len == 0 { 0 } else { start }, len);
        slice_axes(function, x, axes)
    };
    // True where a run begins.
    let mut changes = not_equal(part(&x, axis, 1, len - 1)?, part(&x, axis, 0, len - 1)?)?;
    if x.ndim() > 1 {
        let others: Vec<i64> = (0..x.ndim()).filter(|&a| a != axis).map(|a| a as i64).collect();
        changes = any(&changes, Any::new().axis(Axes::from(others)))?;
    }
    let begins = joined(function, &[full(1, true, Filled::new().dtype(Dtype::BOOL))?, changes], 0)?;
    let starts = nonzero(&begins)?.remove(0);
    let output = primitive::run(function, &Op::Take { axis }, &[&x, &starts])?;
    let numbers = subtract(cumulative_sum(astype(&begins, Dtype::INT64)?, ())?, 1)?;
    let count = starts.size();
    let end = full(1, len as i64, Filled::new().dtype(Dtype::INT64))?;
    let ends = joined(function, &[part(&starts, 0, 1, count - 1)?, end], 0)?;
    Ok(smallvec![output, reshape(numbers, inverse_shape, ())?, subtract(ends, &starts)?])
}

/// Run-length encoding: the first of each run of equal elements that follow each other, the run that each element
/// belongs to, and how long the runs are. With an axis, the parts along it are compared as wholes. NaN equals nothing,
/// so that each is a run of its own; the zeros are equal. How many runs there are depends on the elements, which are
/// evaluated.
///
/// ```
/// use ivy::{UniqueConsecutiveParams, prelude::*};
/// let runs = ivy::unique_consecutive(&Array::try_from([1i32, 1, 2, 1])?, ())?;
/// assert_eq!(runs.output.to_vec::<i32>()?, [1, 2, 1]);
/// assert_eq!(runs.inverse_indices.to_vec::<i64>()?, [0, 0, 1, 2]);
/// assert_eq!(runs.counts.to_vec::<i64>()?, [2, 1, 1]);
/// let rows = Array::try_from([[1i32, 2], [1, 2], [3, 2]])?;
/// let runs = ivy::unique_consecutive(&rows, UniqueConsecutiveParams::new().axis(0))?;
/// assert_eq!(runs.output.to_vec::<i32>()?, [1, 2, 3, 2]);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// [`AxisOutOfRange`](crate::ErrorKind::AxisOutOfRange).
pub fn unique_consecutive<'a>(
    x: impl IntoOperand<'a>,
    params: impl Into<UniqueConsecutiveParams>,
) -> Result<UniqueConsecutive> {
    let mut outputs = call(&UNIQUE_CONSECUTIVE, &[x.into_operand()], &params.into())?.into_iter();
    let mut next = || outputs.next().expect("unique_consecutive has three results");
    Ok(UniqueConsecutive { output: next(), inverse_indices: next(), counts: next() })
}
