//! Cumulative maximum and minimum, with indices.

use crate::array::{Array, IntoOperand};
use crate::call::call;
use crate::function::{Body, Bound, Composition, Outputs};
use crate::functional::manipulation::slice_along;
use crate::functional::{
    Arange, Flip, arange, astype, broadcast_to, flip, isnan, logical_and, logical_not, not_equal, reshape,
    subtract, where_,
};
use crate::{AxisPad, Dims, Dtype, Op, Result, Scalar, ScanOp, Shape, iinfo, params, primitive, shape};
use smallvec::smallvec;

params! {
    /// Keyword arguments of [`cummax`] and [`cummin`].
    pub struct CumulativeExtreme {
        /// The axis.
        axis: i64 = 0,
        /// Each result is of what stands before its element, which has no part in it.
        flag exclusive,
        /// From the end of the axis to its beginning.
        flag reverse,
        /// The dtype that the elements are compared in; that of `x` if not given. No complex one has an order.
        dtype: Option<Dtype> = None,
    }
}

/// Keyword arguments of [`cummax`].
pub type Cummax = CumulativeExtreme;
/// Keyword arguments of [`cummin`], the same as of [`cummax`].
pub type Cummin = CumulativeExtreme;

/// The results of [`cummax`] and [`cummin`].
#[derive(Clone, Debug)]
pub struct RunningExtremes {
    /// The extremes so far.
    pub values: Array,
    /// Where along the axis each one stands; int64.
    pub indices: Array,
}

describe! {
    CUMMAX = "cummax", Statistical, Mixed, (x: Promoted), LikeOperand -> [Compute, Position],
    Bound::Exact, params: Cummax::new(), example: [&[2]], Body::Compose(|call| compose(call, ScanOp::Max))
}

describe! {
    CUMMIN = "cummin", Statistical, Mixed, (x: Promoted), LikeOperand -> [Compute, Position],
    Bound::Exact, params: Cummin::new(), example: [&[2]], Body::Compose(|call| compose(call, ScanOp::Min))
}

fn compose(call: &Composition<'_>, op: ScanOp) -> Result<Outputs> {
    let (function, x) = (call.function.name, call.array(0));
    let &CumulativeExtreme { axis, exclusive, reverse, .. } = call.params::<CumulativeExtreme>();
    let axis = shape::normalize_axis(function, axis, x.ndim())?;
    // Truth values are counted as numbers, which have an order to run along.
    let x = if call.compute.is_bool() { astype(x, Dtype::UINT8)? } else { x.clone() };
    let reversed = |x: Array| if reverse { flip(&x, Flip::new().axis(axis as i64)) } else { Ok(x) };
    let line = Line { function, axis, len: x.shape()[axis] };
    let x = reversed(x)?;
    let scan = |op: ScanOp, x: &Array| {
        primitive::run(function, &Op::Scan { op, axis, include_initial: false }, &[x])
    };
    let values = scan(op, &x)?;
    let number = line.numbers(&x)?;
    let indices = match line.len {
        0 | 1 => number.clone(),
        _ => {
            let (before, after) = (line.part(&values, 0)?, line.part(&values, 1)?);
            // The first NaN stays, and so does its place.
            let changed = logical_and(not_equal(&after, &before)?, logical_not(isnan(&before)?)?)?;
            let changed = line.after_one(&changed, Scalar::Bool(false))?;
            scan(ScanOp::Max, &where_(changed, &number, 0)?)?
        }
    };
    let (values, indices) = match exclusive && line.len > 0 {
        false => (values, indices),
        true => {
            let first = extreme_of_nothing(x.dtype(), op)?;
            // What has nothing before it stands for itself.
            let shifted = line.after_one(&line.part(&indices, 0)?, Scalar::Int(0))?;
            (line.after_one(&line.part(&values, 0)?, first)?, shifted)
        }
    };
    let indices = if reverse { subtract(line.len as i64 - 1, indices)? } else { indices };
    let (values, indices) = (reversed(values)?, reversed(indices)?);
    Ok(smallvec![if call.compute.is_bool() { astype(values, Dtype::BOOL)? } else { values }, indices])
}

/// What no number is beyond in the other direction.
fn extreme_of_nothing(dtype: Dtype, op: ScanOp) -> Result<Scalar> {
    let least = op == ScanOp::Max;
    if dtype.is_int() {
        let info = iinfo(dtype)?;
        return Ok(Scalar::Int(if least { info.min } else { info.max }));
    }
    Ok(Scalar::Float(if least { f64::NEG_INFINITY } else { f64::INFINITY }))
}

/// The axis along which it runs.
struct Line {
    function: &'static str,
    axis: usize,
    len: usize,
}

impl Line {
    /// All but one along the axis, from a place on.
    fn part(&self, x: &Array, start: usize) -> Result<Array> {
        slice_along(self.function, x, self.axis, start, 1, self.len - 1)
    }

    /// The array behind one element along the axis.
    fn after_one(&self, x: &Array, value: Scalar) -> Result<Array> {
        let mut axes: Dims<AxisPad> = smallvec![AxisPad { before: 0, after: 0 }; x.ndim()];
        axes[self.axis].before = 1;
        primitive::run(self.function, &Op::Pad { axes, value }, &[x])
    }

    /// The places along the axis, in the array's shape.
    fn numbers(&self, x: &Array) -> Result<Array> {
        let mut column: Dims = smallvec![1; x.ndim()];
        column[self.axis] = self.len;
        let number = arange(self.len, Arange::new().dtype(Dtype::INT64))?;
        broadcast_to(reshape(number, Shape::from(column), ())?, x.shape())
    }
}

/// Cumulative maximum: the greatest elements so far along an axis, and where they stand: the first of equal ones. The
/// first NaN stays. With `exclusive` each result is of the elements before its own; where there is none it is negative
/// infinity, the least number of an integer dtype or false, at its own index. With `reverse` it runs from the end.
///
/// ```
/// use ivy::prelude::*;
/// use ivy::Cummax;
/// let x = Array::try_from([1i32, 3, 2, 3, 5])?;
/// let running = ivy::cummax(&x, ())?;
/// assert_eq!(running.values.to_vec::<i32>()?, [1, 3, 3, 3, 5]);
/// assert_eq!(running.indices.to_vec::<i64>()?, [0, 1, 1, 1, 4]);
/// let back = ivy::cummax(&x, Cummax::new().reverse())?;
/// assert_eq!(back.indices.to_vec::<i64>()?, [4, 4, 4, 4, 4]);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// [`AxisOutOfRange`](crate::ErrorKind::AxisOutOfRange), also for an array without axes;
/// [`OutsideDomain`](crate::ErrorKind::OutsideDomain) for complex numbers and
/// a complex `dtype`.
pub fn cummax<'a>(x: impl IntoOperand<'a>, params: impl Into<Cummax>) -> Result<RunningExtremes> {
    let mut outputs = call(&CUMMAX, &[x.into_operand()], &params.into())?.into_iter();
    let mut next = || outputs.next().expect("cummax has two results");
    Ok(RunningExtremes { values: next(), indices: next() })
}

/// Cumulative minimum: the least elements so far along an axis, and where they stand, as [`cummax`] has the greatest;
/// where there is none, positive infinity, the greatest number of an integer dtype or true.
///
/// ```
/// use ivy::prelude::*;
/// let running = ivy::cummin(&Array::try_from([2i32, 3, 1])?, ())?;
/// assert_eq!(running.values.to_vec::<i32>()?, [2, 2, 1]);
/// assert_eq!(running.indices.to_vec::<i64>()?, [0, 0, 2]);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// As [`cummax`].
pub fn cummin<'a>(x: impl IntoOperand<'a>, params: impl Into<Cummin>) -> Result<RunningExtremes> {
    let mut outputs = call(&CUMMIN, &[x.into_operand()], &params.into())?.into_iter();
    let mut next = || outputs.next().expect("cummin has two results");
    Ok(RunningExtremes { values: next(), indices: next() })
}
