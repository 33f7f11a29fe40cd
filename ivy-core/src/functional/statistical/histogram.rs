//! Histograms and counts of integers.

use crate::array::{Array, IntoOperand, Operand};
use crate::call::{call, call_one};
use crate::function::{Axes, Body, Bound, Composition, Outputs, ParamField, ParamValue};
use crate::functional::manipulation::slice_axes;
use crate::functional::precision::{downcast, upcast};
use crate::functional::statistical::standard::reduced_axes;
use crate::functional::{
    Arange, Filled, Linspace, Max, Min, Sum, add, arange, astype, broadcast_to, concat, divide, equal, full,
    isnan, linspace, logical_not, max, maximum, min, minimum, multiply, permute_dims, reshape, searchsorted,
    subtract, sum, where_, zeros,
};
use crate::functional::{SearchSorted, Side};
use crate::{AxisSlice, Dtype, ErrorKind, Op, Result, Scalar, ScatterOp, Shape, params, primitive};
use smallvec::smallvec;
use std::mem;

/// The least and the greatest number that bins are to hold.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BinRange(pub f64, pub f64);

impl From<(f64, f64)> for BinRange {
    fn from((low, high): (f64, f64)) -> BinRange {
        BinRange(low, high)
    }
}

impl ParamField for BinRange {
    const TYPE: &'static str = "Sequence[float]";
    const RULE: &'static str = "two numbers are needed, the least and the greatest";

    fn from_value(value: ParamValue) -> Option<BinRange> {
        match value {
            ParamValue::Ints(list) => match list[..] {
                [low, high] => Some(BinRange(low as f64, high as f64)),
                _ => None,
            },
            ParamValue::Scalars(list) => match list[..] {
                [low, high] => Some(BinRange(low.to_f64(), high.to_f64())),
                _ => None,
            },
            _ => None,
        }
    }
}

params! {
    /// Keyword arguments of [`histogram`].
    pub struct Histogram {
        /// The axes along which elements are counted; all if not given.
        axis: Option<Axes> = None,
        /// Whether the first bin also has all that lies below it.
        flag extend_lower_interval,
        /// Whether the last bin also has all that lies above it.
        flag extend_upper_interval,
        /// The dtype of the results; a float.
        dtype: Option<Dtype> = None,
        /// The ends of bins that are given by their number; the least and the greatest element if not given.
        range: Option<BinRange> = None,
        /// The share of each bin, divided by its width, instead of numbers.
        flag density,
        /// How many bins of one width, as a whole number, or their edges, as an ascending array; 10 if not given.
        operand bins,
        /// What each element counts for, in the shape of the elements; 1 if not given.
        operand weights,
    }
}

/// The results of [`histogram`].
#[derive(Clone, Debug)]
pub struct HistogramResult {
    /// What lies in each bin; the bins are the first axis.
    pub histogram: Array,
    /// The edges of the bins, one more than there are of these.
    pub bin_edges: Array,
}

describe! {
    HISTOGRAM = "histogram", Statistical, Mixed, (a: Promoted, bins: Kept optional, weights: Kept optional),
    PromoteFloat -> [Counted, Compute], Bound::Sum, params: Histogram::new(), example: [&[2], &[3], &[2]],
    Body::Compose(compose_histogram)
}

fn invalid(
    call: &Composition<'_>,
    argument: &'static str,
    value: String,
    rule: &'static str,
) -> crate::Error {
    ErrorKind::InvalidArgument { function: call.function.name, argument, value, rule }.into()
}

fn compose_histogram(call: &Composition<'_>) -> Result<Outputs> {
    let (function, params) = (call.function.name, call.params::<Histogram>());
    let x = upcast(call.array(0))?;
    let weights = call.arrays.get(2).and_then(Option::as_ref);
    if let Some(weights) = weights.filter(|w| w.shape() != x.shape()) {
        let (expected, actual) = (x.shape().to_string(), weights.shape().clone());
        return Err(ErrorKind::ShapeMismatch { function, argument: "weights", expected, actual }.into());
    }
    let edges = edges(call, &x)?;
    let bins = edges.size() - 1;
    // The axes that are counted along come first, as one.
    let axes = reduced_axes(function, &params.axis, x.ndim())?;
    let others: Vec<usize> = (0..x.ndim()).filter(|a| !axes.contains(a)).collect();
    let order: Vec<i64> = axes.iter().chain(&others).map(|&a| a as i64).collect();
    let rest: usize = others.iter().map(|&a| x.shape()[a]).product();
    let lines = Shape::from([axes.iter().map(|&a| x.shape()[a]).product(), rest]);
    let laid = |x: &Array| reshape(permute_dims(x, order.clone())?, &lines, ());
    let shape: Shape = std::iter::once(bins).chain(others.iter().map(|&a| x.shape()[a])).collect();
    let slots = Shape::from([(bins + 2).saturating_mul(rest)]);
    slots.checked_size(function, Dtype::FLOAT64)?;
    let x = laid(&x)?;
    let slot = slot(call, &x, &edges, bins)?;
    let slot = add(multiply(slot, rest as i64)?, arange(rest, Arange::new().dtype(Dtype::INT64))?)?;
    let counted = match weights {
        Some(weights) => laid(&astype(weights, x.dtype())?)?,
        None => broadcast_to(full([], 1, Filled::new().dtype(Dtype::INT64))?, &lines)?,
    };
    let all = scattered(function, slots, &counted, &slot)?;
    let rows = AxisSlice { start: rest, step: 1, len: bins * rest };
    let rows = if rows.len == 0 { AxisSlice { start: 0, ..rows } } else { rows };
    let inner = reshape(slice_axes(function, &all, smallvec![rows])?, Shape::from([bins, rest]), ())?;
    let mut found = astype(inner, x.dtype())?;
    if params.density {
        let part =
            |start: usize| slice_axes(function, &edges, smallvec![AxisSlice { start, step: 1, len: bins }]);
        let widths = subtract(part(usize::from(bins > 0))?, part(0)?)?;
        let total = sum(&found, Sum::new().axis(0).keepdims())?;
        found = divide(divide(found, reshape(widths, Shape::from([bins, 1]), ())?)?, total)?;
    }
    let found = astype(reshape(found, shape, ())?, params.dtype.unwrap_or(call.compute))?;
    Ok(smallvec![found, downcast(edges, call.compute)?])
}

/// The edges, in the dtype of the elements.
fn edges(call: &Composition<'_>, x: &Array) -> Result<Array> {
    let (function, range) = (call.function.name, call.params::<Histogram>().range);
    let count = match (call.scalar(1), call.arrays.get(1).and_then(Option::as_ref)) {
        (Some(Scalar::Int(count)), _) if count > 0 && count < i128::from(i32::MAX) => count as usize,
        (Some(other), _) => {
            return Err(invalid(
                call,
                "bins",
                other.to_string(),
                "a number of bins is a whole one of at least 1",
            ));
        }
        (None, Some(edges)) if edges.ndim() == 1 && edges.size() > 0 => return astype(edges, x.dtype()),
        (None, Some(edges)) => {
            let (argument, expected, actual) = ("bins", "one axis, not empty".into(), edges.shape().clone());
            return Err(ErrorKind::ShapeMismatch { function, argument, expected, actual }.into());
        }
        (None, None) => 10,
    };
    let ends = |low: f64, high: f64| linspace(low, high, count + 1, Linspace::new().dtype(x.dtype()));
    if let Some(BinRange(low, high)) = range {
        if !(low <= high && low.is_finite() && high.is_finite()) {
            let value = format!("({low}, {high})");
            return Err(invalid(call, "range", value, "two finite numbers are needed, the greater one last"));
        }
        return if low == high { ends(low - 0.5, high + 0.5) } else { ends(low, high) };
    }
    if x.size() == 0 {
        return ends(0.0, 1.0);
    }
    let (low, high) = (min(x, Min::new())?, max(x, Max::new())?);
    let apart = where_(equal(&low, &high)?, 0.5, 0.0)?;
    let apart = astype(apart, x.dtype())?;
    let (low, high) = (subtract(low, &apart)?, add(high, &apart)?);
    let parts = divide(arange(count, Arange::new().dtype(x.dtype()))?, count as f64)?;
    // The last edge is the greatest element itself, which rounding might miss.
    let first = add(multiply(subtract(&high, &low)?, parts)?, &low)?;
    concat([&first, &reshape(high, [1], ())?], ())
}

/// The bin of each element counted from 1; 0 below all, and one more than there are above, and of NaN.
fn slot(call: &Composition<'_>, x: &Array, edges: &Array, bins: usize) -> Result<Array> {
    let params = call.params::<Histogram>();
    let found = searchsorted(edges, x, SearchSorted::new().side(Side::Right))?;
    let last = slice_axes(call.function.name, edges, smallvec![AxisSlice { start: bins, step: 1, len: 1 }])?;
    let mut slot = where_(equal(x, last)?, bins as i64, found)?;
    if params.extend_lower_interval {
        slot = maximum(slot, 1)?;
    }
    let number = logical_not(isnan(x)?)?;
    match params.extend_upper_interval {
        true => where_(number, minimum(&slot, bins as i64)?, bins as i64 + 1),
        false => where_(number, &slot, bins as i64 + 1),
    }
}

/// Updates added at places of zeros.
fn scattered(function: &'static str, shape: Shape, updates: &Array, places: &Array) -> Result<Array> {
    let flat = |x: &Array| reshape(x, Shape::from([x.size()]), ());
    let op = Op::Scatter { axes: 1, op: ScatterOp::Add };
    primitive::run(function, &op, &[&zeros(shape, updates.dtype())?, &flat(updates)?, &flat(places)?])
}

/// Histogram: how many elements lie in each of some bins. A bin has its lower edge and not its upper one, but for the
/// last one, which has both; what lies in none, and NaN, is not counted. Bins are given by their number, and are then
/// of one width between the least and the greatest element or the ends of `range`, or by their edges. With `weights`
/// the weights of the elements are added, and `density` gives shares divided by the bins' widths, whose integral is 1.
///
/// ```
/// use ivy::prelude::*;
/// use ivy::Histogram;
/// let x = Array::try_from([0.0f32, 1.0, 1.5, 4.0])?;
/// let found = ivy::histogram(&x, Histogram::new().bins(2))?;
/// assert_eq!(found.histogram.to_vec::<f32>()?, [3.0, 1.0]);
/// assert_eq!(found.bin_edges.to_vec::<f32>()?, [0.0, 2.0, 4.0]);
/// let whole = ivy::histogram(&x, Histogram::new().bins(2).dtype(Dtype::INT32))?;
/// assert_eq!(whole.histogram.to_vec::<i32>()?, [3, 1]);
/// let edges = Array::try_from([1.0f32, 2.0, 3.0])?;
/// let found = ivy::histogram(&x, Histogram::new().bins(&edges).extend_upper_interval())?;
/// assert_eq!(found.histogram.to_vec::<f32>()?, [2.0, 1.0]);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// [`InvalidArgument`](ErrorKind::InvalidArgument) for a number of bins below 1 or a range that is none,
/// [`ShapeMismatch`](ErrorKind::ShapeMismatch) for edges with more than one axis and for weights of another shape,
/// [`AxisOutOfRange`](ErrorKind::AxisOutOfRange), [`SizeOverflow`](ErrorKind::SizeOverflow).
pub fn histogram<'a>(a: impl IntoOperand<'a>, params: impl Into<Histogram>) -> Result<HistogramResult> {
    let mut params = params.into();
    let bins = mem::replace(&mut params.bins, Operand::Absent);
    let weights = mem::replace(&mut params.weights, Operand::Absent);
    let mut outputs = call(&HISTOGRAM, &[a.into_operand(), bins, weights], &params)?.into_iter();
    let mut next = || outputs.next().expect("histogram has two results");
    Ok(HistogramResult { histogram: next(), bin_edges: next() })
}

params! {
    /// Keyword arguments of [`bincount`].
    pub struct Bincount {
        /// The least length of the result.
        minlength: usize = 0usize,
        /// What each element counts for, in the shape of the elements; 1 if not given.
        operand weights,
    }
}

describe! {
    BINCOUNT = "bincount", Statistical, Mixed, (x: Index, weights: Promoted optional), Count -> [Compute],
    Bound::Sum, params: Bincount::new(), example: [&[2], &[2]], Body::Compose(compose_bincount)
}

fn compose_bincount(call: &Composition<'_>) -> Result<Outputs> {
    let (function, x) = (call.function.name, call.array(0));
    let mismatch = |argument, expected: String, actual: &Shape| -> crate::Error {
        ErrorKind::ShapeMismatch { function, argument, expected, actual: actual.clone() }.into()
    };
    if x.ndim() != 1 {
        return Err(mismatch("x", "one axis".into(), x.shape()));
    }
    let weights = match call.arrays.get(1).and_then(Option::as_ref) {
        None => None,
        Some(weights) if weights.shape() == x.shape() => Some(upcast(weights)?),
        Some(weights) => return Err(mismatch("weights", x.shape().to_string(), weights.shape())),
    };
    // Without values any length is as good as another.
    let known = x.size() > 0 && !x.backend().is_abstract();
    let length = match known {
        false => 0,
        true => {
            let (least, greatest) = (min(x, ())?.item::<i64>()?, max(x, ())?.item::<i64>()?);
            if least < 0 {
                return Err(invalid(call, "x", least.to_string(), "no number that is counted is negative"));
            }
            (greatest as usize).saturating_add(1)
        }
    };
    let shape = Shape::from([length.max(call.params::<Bincount>().minlength)]);
    shape.checked_size(function, Dtype::INT64)?;
    let counted = match weights {
        Some(weights) => weights,
        None => full(x.shape(), 1, Filled::new().dtype(call.compute))?,
    };
    Ok(smallvec![downcast(scattered(function, shape, &counted, x)?, call.compute)?])
}

/// Counts of non-negative integers: how often each number from 0 on is an element, or the sums of the weights of those
/// elements. The result has one more element than the greatest number, or `minlength` if that is more: its length
/// depends on the elements, which are evaluated. Numbers of elements are int64; weights have the dtype of their
/// [`sum`].
///
/// ```
/// use ivy::prelude::*;
/// use ivy::Bincount;
/// let x = Array::try_from([1i32, 3, 1])?;
/// assert_eq!(ivy::bincount(&x, ())?.to_vec::<i64>()?, [0, 2, 0, 1]);
/// let weights = Array::try_from([0.5f32, 1.0, 2.0])?;
/// assert_eq!(ivy::bincount(&x, Bincount::new().weights(&weights))?.to_vec::<f32>()?, [0.0, 2.5, 0.0, 1.0]);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// [`InvalidArgument`](ErrorKind::InvalidArgument) for a negative number,
/// [`ShapeMismatch`](ErrorKind::ShapeMismatch) unless there is one axis, and for weights of another shape,
/// [`OutsideDomain`](ErrorKind::OutsideDomain) for what are no integers,
/// [`SizeOverflow`](ErrorKind::SizeOverflow), [`MemoryLimit`](ErrorKind::MemoryLimit).
pub fn bincount<'a>(x: impl IntoOperand<'a>, params: impl Into<Bincount>) -> Result<Array> {
    let mut params = params.into();
    let weights = mem::replace(&mut params.weights, Operand::Absent);
    call_one(&BINCOUNT, &[x.into_operand(), weights], &params)
}
