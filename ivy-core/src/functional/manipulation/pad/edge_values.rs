//! Padding values that are computed: statistics, ramps and reflections, in NumPy's order of roundings.

use crate::array::Array;
use crate::function::Axes;
use crate::functional::manipulation::slice_along;
use crate::functional::{
    Any, Arange, Max, Mean, Min, Sort, add, any, arange, astype, divide, equal, floor, isnan, logical_or,
    max, mean, min, multiply, reshape, round, sort, subtract, where_,
};
use crate::{Dtype, Result, Scalar, ScalarKind};
use num_complex::Complex64;

/// A statistic of what stands at one end of an axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Statistic {
    Maximum,
    Mean,
    Median,
    Minimum,
}

impl Statistic {
    /// The statistic along an axis, which stays with length 1, in the array's own dtype: integers are
    /// rounded to the nearest, ties to even.
    pub(super) fn of(self, function: &'static str, x: &Array, axis: usize) -> Result<Array> {
        let along = axis as i64;
        match self {
            Statistic::Maximum => max(x, Max::new().axis(along).keepdims()),
            Statistic::Minimum => min(x, Min::new().axis(along).keepdims()),
            Statistic::Mean => mean_of(x, axis),
            // Of nothing, it is what the mean is.
            Statistic::Median if x.shape()[axis] == 0 => mean_of(x, axis),
            Statistic::Median => {
                let sorted = sort(x, Sort::new().axis(along))?;
                let last = x.shape()[axis] - 1;
                let (low, high) = (last / 2, last.div_ceil(2));
                let median = mean_of(&slice_along(function, &sorted, axis, low, 1, high - low + 1)?, axis)?;
                if !x.dtype().is_float() {
                    return Ok(median);
                }
                // NaN is sorted to the end, and is the median of what has one.
                let greatest = slice_along(function, &sorted, axis, last, 1, 1)?;
                where_(isnan(&greatest)?, &greatest, median)
            }
        }
    }
}

fn mean_of(x: &Array, axis: usize) -> Result<Array> {
    let dtype = x.dtype();
    let accumulator = match dtype {
        Dtype::FLOAT16 | Dtype::BFLOAT16 => Dtype::FLOAT32,
        _ if dtype.is_float() || dtype.is_complex() => dtype,
        _ => Dtype::FLOAT64,
    };
    let mean = mean(astype(x, accumulator)?, Mean::new().axis(axis as i64).keepdims())?;
    astype(if dtype.is_int() { round(mean)? } else { mean }, dtype)
}

/// So many numbers along an axis from an end value towards an edge, which has length 1 there and is not
/// reached. They are computed in float64 or complex128; integers are rounded down.
pub(super) fn ramp(edge: &Array, end: Scalar, len: usize, axis: usize) -> Result<Array> {
    let dtype = edge.dtype();
    let (accumulator, end, count) = if dtype.is_complex() {
        let of = |x: f64| Scalar::Complex(Complex64::new(x, 0.0));
        (Dtype::COMPLEX128, Scalar::Complex(end.to_complex()), of(1.0 / len as f64))
    } else {
        (Dtype::FLOAT64, Scalar::Float(end.to_f64()), Scalar::Float(len as f64))
    };
    // A complex number is divided by multiplication.
    let share = |x: &Array| match count.kind() {
        ScalarKind::Complex => multiply(x, count),
        _ => divide(x, count),
    };
    let mut along = vec![1; edge.ndim()];
    along[axis] = len as i64;
    let numbers = reshape(arange(len as i64, Arange::new().dtype(Dtype::FLOAT64))?, Axes::from(along), ())?;
    let numbers = astype(numbers, accumulator)?;
    let whole = subtract(astype(edge, accumulator)?, end)?;
    let step = share(&whole)?;
    // Where a step is lost to underflow, or there is none, all parts are taken of the whole way.
    let lost = any(equal(&step, Scalar::Int(0))?, Any::new())?;
    let way = where_(lost, multiply(share(&numbers)?, &whole)?, multiply(&numbers, &step)?)?;
    let ramp = add(way, end)?;
    astype(if dtype.is_int() { floor(ramp)? } else { ramp }, dtype)
}

/// Odd reflection at an edge: `2 edge - mirrored`.
pub(super) fn odd_reflection(edge: &Array, mirrored: &Array) -> Result<Array> {
    if edge.dtype().is_bool() {
        // Of numbers 0 and 1 and taken as a truth value, like NumPy's.
        return logical_or(edge, mirrored);
    }
    subtract(add(edge, edge)?, mirrored)
}
