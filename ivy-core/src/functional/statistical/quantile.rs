//! Medians, quantiles and percentiles.

use crate::array::{Array, IntoOperand};
use crate::call::call_one;
use crate::function::{Axes, Body, Bound, Composition, Outputs};
use crate::functional::manipulation::slice_axes;
use crate::functional::precision::{downcast, upcast};
use crate::functional::statistical::standard::reduced_axes;
use crate::functional::{
    Filled, Reduce, Sort, Sum, Take, TakeAlongAxis, add, astype, ceil, divide, equal, floor, floor_divide,
    full, greater_equal, isnan, less_equal, logical_and, logical_not, maximum, multiply, permute_dims,
    reshape, round, sort, subtract, sum, take, take_along_axis, where_,
};
use crate::{AxisSlice, Dims, Dtype, ErrorKind, Result, Shape, params};
use smallvec::smallvec;

/// What [`quantile`] gives where a fraction lies between two elements.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Interpolation {
    /// What lies as far between them as the fraction does.
    #[default]
    Linear,
    /// The lower one.
    Lower,
    /// The higher one.
    Higher,
    /// Their mean.
    Midpoint,
    /// The nearer one; half way, the one at an even place.
    Nearest,
}

param_words! {
    Interpolation: "linear" => Linear, "lower" => Lower, "higher" => Higher, "midpoint" => Midpoint,
    "nearest" => Nearest
}

params! {
    /// Keyword arguments of [`quantile`] and [`percentile`].
    pub struct Quantile {
        /// The axes to reduce; all if not given.
        axis: Option<Axes> = None,
        /// Keep reduced axes, with length 1.
        flag keepdims,
        /// What stands for a fraction that lies between two elements.
        interpolation: Interpolation = Interpolation::Linear,
    }
}

/// Keyword arguments of [`percentile`], the same as of [`quantile`].
pub type Percentile = Quantile;
/// Keyword arguments of [`median`], those that all reductions have.
pub type Median = Reduce;
/// Keyword arguments of [`nanmedian`], the same as of [`median`].
pub type NanMedian = Reduce;

/// The elements that each result is made of, sorted along the first axis, and the results' shape.
pub(in crate::functional) struct Lines {
    function: &'static str,
    pub(in crate::functional) sorted: Array,
    shape: Shape,
}

impl Lines {
    pub(in crate::functional) fn new(
        call: &Composition<'_>,
        axis: &Option<Axes>,
        keepdims: bool,
    ) -> Result<Lines> {
        let (function, x) = (call.function.name, call.array(0));
        let axes = reduced_axes(function, axis, x.ndim())?;
        let kept: Vec<usize> = (0..x.ndim()).filter(|a| !axes.contains(a)).collect();
        let order: Vec<i64> = axes.iter().chain(&kept).map(|&a| a as i64).collect();
        let moved = if order.is_sorted() { x.clone() } else { permute_dims(x, order)? };
        let count = axes.iter().map(|&a| x.shape()[a]).product();
        let lines: Shape = std::iter::once(count).chain(kept.iter().map(|&a| x.shape()[a])).collect();
        let moved = if axes.len() == 1 { moved } else { reshape(moved, lines, ())? };
        let shape = match keepdims {
            true => (0..x.ndim()).map(|a| if axes.contains(&a) { 1 } else { x.shape()[a] }).collect(),
            false => kept.iter().map(|&a| x.shape()[a]).collect(),
        };
        let sorted = if count > 1 { sort(&moved, Sort::new().axis(0))? } else { moved };
        Ok(Lines { function, sorted, shape })
    }

    fn len(&self) -> usize {
        self.sorted.shape()[0]
    }

    /// One element of each line.
    fn at(&self, place: usize) -> Result<Array> {
        let mut axes: Dims<AxisSlice> =
            self.sorted.shape().iter().map(|&len| AxisSlice { start: 0, step: 1, len }).collect();
        axes[0] = AxisSlice { start: place, step: 1, len: 1 };
        slice_axes(self.function, &self.sorted, axes)
    }

    /// NaN in the place of what was found in lines with a NaN, which is their last element.
    fn unless_nan(&self, found: Array) -> Result<Array> {
        where_(isnan(self.at(self.len() - 1)?)?, f64::NAN, found)
    }

    fn nothing(&self, call: &Composition<'_>, shape: Shape) -> Result<Array> {
        full(shape, f64::NAN, Filled::new().dtype(call.compute))
    }

    /// The quantile of one fraction.
    fn one(&self, call: &Composition<'_>, fraction: f64, interpolation: Interpolation) -> Result<Array> {
        if self.len() == 0 {
            return self.nothing(call, self.shape.clone());
        }
        let place = fraction * (self.len() - 1) as f64;
        let (mut low, mut high, mut part) = (place.floor(), place.ceil(), place - place.floor());
        match interpolation {
            Interpolation::Linear => {}
            Interpolation::Midpoint => part = 0.5,
            Interpolation::Lower => high = low,
            Interpolation::Higher => low = high,
            Interpolation::Nearest => (low, high) = (place.round_ties_even(), place.round_ties_even()),
        }
        let first = self.at(low as usize)?;
        let found = match low == high {
            true => first,
            false => downcast(
                weighted_sum(&upcast(&first)?, &upcast(&self.at(high as usize)?)?, 1.0 - part, part)?,
                call.compute,
            )?,
        };
        reshape(self.unless_nan(found)?, &self.shape, ())
    }

    /// The quantiles of an array of fractions, which are numbers of float64; their axes come first. `last` are the
    /// places of the last elements that count, of all lines or of each, and `rows` gives the elements at places of
    /// float64, whose first axis is that of the fractions. Of a line with a NaN they are NaN where `all_count`.
    pub(in crate::functional) fn several(
        &self,
        call: &Composition<'_>,
        q: &Array,
        last: &Array,
        interpolation: Interpolation,
        all_count: bool,
        rows: impl Fn(&Array) -> Result<Array>,
    ) -> Result<Array> {
        let shape: Shape = q.shape().iter().chain(self.shape.iter()).copied().collect();
        shape.checked_size(self.function, call.compute)?;
        if self.len() == 0 {
            return self.nothing(call, shape);
        }
        let column: Shape =
            std::iter::once(q.size()).chain(self.sorted.shape()[1..].iter().map(|_| 1)).collect();
        let q = reshape(q, column, ())?;
        let inside = logical_and(greater_equal(&q, 0)?, less_equal(&q, 1)?)?;
        let place = multiply(where_(&inside, &q, 0)?, last)?;
        let (low, high) = match interpolation {
            Interpolation::Linear | Interpolation::Midpoint => (floor(&place)?, ceil(&place)?),
            Interpolation::Lower => (floor(&place)?, floor(&place)?),
            Interpolation::Higher => (ceil(&place)?, ceil(&place)?),
            Interpolation::Nearest => (round(&place)?, round(&place)?),
        };
        let mut found = rows(&low)?;
        if matches!(interpolation, Interpolation::Linear | Interpolation::Midpoint) {
            let (first, second) = (upcast(&found)?, upcast(&rows(&high)?)?);
            let mixed = match interpolation {
                Interpolation::Midpoint => weighted_sum(&first, &second, 0.5, 0.5)?,
                _ => {
                    let part = subtract(&place, &low)?;
                    let rest = astype(subtract(1.0, &part)?, first.dtype())?;
                    weighted_sum(&first, &second, rest, astype(&part, first.dtype())?)?
                }
            };
            found = downcast(where_(equal(&low, &high)?, &first, mixed)?, call.compute)?;
        }
        let found = if all_count { self.unless_nan(found)? } else { found };
        reshape(where_(inside, found, f64::NAN)?, shape, ())
    }
}

/// `low * rest + high * part`.
fn weighted_sum<'a, 'b>(
    low: &Array,
    high: &Array,
    rest: impl IntoOperand<'a>,
    part: impl IntoOperand<'b>,
) -> Result<Array> {
    add(multiply(low, rest)?, multiply(high, part)?)
}

describe! {
    MEDIAN = "median", Statistical, Compositional, (input: Promoted), PromoteFloat -> [Compute],
    Bound::Composed(2.0), params: Median::new(), example: [&[2, 2]], Body::Compose(|call| {
        let params = call.params::<Median>();
        let lines = Lines::new(call, &params.axis, params.keepdims)?;
        Ok(smallvec![lines.one(call, 0.5, Interpolation::Linear)?])
    })
}

/// The median over axes: the middle one of the sorted elements, or the mean of the two in the middle. NaN where there
/// is a NaN, and of nothing.
///
/// ```
/// use ivy::prelude::*;
/// use ivy::Median;
/// let x = Array::try_from([[3.0f32, 1.0, 2.0], [4.0, 8.0, 6.0]])?;
/// assert_eq!(ivy::median(&x, ())?.item::<f32>()?, 3.5);
/// assert_eq!(ivy::median(&x, Median::new().axis(1))?.to_vec::<f32>()?, [2.0, 6.0]);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// [`AxisOutOfRange`](ErrorKind::AxisOutOfRange), [`RepeatedAxis`](ErrorKind::RepeatedAxis),
/// [`OutsideDomain`](ErrorKind::OutsideDomain) for complex numbers.
pub fn median<'a>(input: impl IntoOperand<'a>, params: impl Into<Median>) -> Result<Array> {
    call_one(&MEDIAN, &[input.into_operand()], &params.into())
}

describe! {
    NANMEDIAN = "nanmedian", Statistical, Compositional, (input: Promoted), PromoteFloat -> [Compute],
    Bound::Composed(2.0), params: NanMedian::new(), example: [&[2, 2]], Body::Compose(compose_nanmedian)
}

fn compose_nanmedian(call: &Composition<'_>) -> Result<Outputs> {
    let params = call.params::<NanMedian>();
    let lines = Lines::new(call, &params.axis, params.keepdims)?;
    if lines.len() == 0 {
        return Ok(smallvec![lines.nothing(call, lines.shape.clone())?]);
    }
    // NaN comes last, so that the others are in the front.
    let number = astype(logical_not(isnan(&lines.sorted)?)?, Dtype::INT64)?;
    let count = sum(number, Sum::new().axis(0).keepdims())?;
    let row = |place: Array| -> Result<Array> {
        let place = maximum(floor_divide(place, 2)?, 0)?;
        upcast(&take_along_axis(&lines.sorted, place, TakeAlongAxis::new().axis(0))?)
    };
    let (low, high) = (row(subtract(&count, 1)?)?, row(count)?);
    let found = where_(equal(&low, &high)?, &low, weighted_sum(&low, &high, 0.5, 0.5)?)?;
    Ok(smallvec![reshape(downcast(found, call.compute)?, &lines.shape, ())?])
}

/// The median over axes of the elements that are not NaN; NaN where all are.
///
/// ```
/// use ivy::prelude::*;
/// let x = Array::try_from([3.0f32, f32::NAN, 1.0])?;
/// assert_eq!(ivy::nanmedian(&x, ())?.item::<f32>()?, 2.0);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// As [`median`].
pub fn nanmedian<'a>(input: impl IntoOperand<'a>, params: impl Into<NanMedian>) -> Result<Array> {
    call_one(&NANMEDIAN, &[input.into_operand()], &params.into())
}

describe! {
    QUANTILE = "quantile", Statistical, Compositional, (a: Promoted, q: Kept), PromoteFloat -> [Compute],
    Bound::Composed(4.0), params: Quantile::new(), example: [&[2, 2], &[]],
    Body::Compose(|call| compose_quantile(call, 1.0))
}

describe! {
    PERCENTILE = "percentile", Statistical, Compositional, (a: Promoted, q: Kept), PromoteFloat -> [Compute],
    Bound::Composed(4.0), params: Percentile::new(), example: [&[2, 2], &[]],
    Body::Compose(|call| compose_quantile(call, 100.0))
}

/// The fraction of `whole` that a number `q` is; `None` for an array.
///
/// # Errors
/// [`ErrorKind::InvalidArgument`] for one that is not in 0 to 1.
pub(in crate::functional) fn fraction_of(call: &Composition<'_>, whole: f64) -> Result<Option<f64>> {
    let Some(q) = call.scalar(1) else { return Ok(None) };
    let fraction = q.to_f64() / whole;
    if !(0.0..=1.0).contains(&fraction) {
        let rule = if whole == 1.0 { "a fraction from 0 to 1 is needed" } else { "from 0 to 100 is needed" };
        let (function, value) = (call.function.name, q.to_string());
        return Err(ErrorKind::InvalidArgument { function, argument: "q", value, rule }.into());
    }
    Ok(Some(fraction))
}

/// The quantiles of fractions of `whole`.
fn compose_quantile(call: &Composition<'_>, whole: f64) -> Result<Outputs> {
    let params = call.params::<Quantile>();
    let lines = Lines::new(call, &params.axis, params.keepdims)?;
    if let Some(fraction) = fraction_of(call, whole)? {
        return Ok(smallvec![lines.one(call, fraction, params.interpolation)?]);
    }
    let q = astype(call.array(1), Dtype::FLOAT64)?;
    let q = if whole == 1.0 { q } else { divide(q, whole)? };
    let last = full([], lines.len().saturating_sub(1) as f64, Filled::new().dtype(Dtype::FLOAT64))?;
    // All lines are read at the same places.
    let rows = |at: &Array| {
        let at = reshape(astype(at, Dtype::INT64)?, Shape::from([at.size()]), ())?;
        take(&lines.sorted, at, Take::new().axis(0))
    };
    Ok(smallvec![lines.several(call, &q, &last, params.interpolation, true, rows)?])
}

/// Quantile: what stands at fractions `q` of the sorted elements: of `n` elements, at place `q (n - 1)` counted from 0.
/// Between two places `interpolation` decides. The axes of `q` come first in the result; a number has none. NaN where
/// there is a NaN, of nothing, and for elements of an array `q` that are not in 0 to 1.
///
/// ```
/// use ivy::prelude::*;
/// use ivy::{Interpolation, Quantile};
/// let x = Array::try_from([1.0f32, 2.0, 4.0])?;
/// assert_eq!(ivy::quantile(&x, 0.75, ())?.item::<f32>()?, 3.0);
/// let several = ivy::quantile(&x, &Array::try_from([0.0f64, 0.25, 1.0])?, ())?;
/// assert_eq!(several.to_vec::<f32>()?, [1.0, 1.5, 4.0]);
/// let lower = ivy::quantile(&x, 0.75, Quantile::new().interpolation(Interpolation::Lower))?;
/// assert_eq!(lower.item::<f32>()?, 2.0);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// [`InvalidArgument`](ErrorKind::InvalidArgument) for a number `q` that is not in 0 to 1, and as [`median`].
pub fn quantile<'a, 'b>(
    a: impl IntoOperand<'a>,
    q: impl IntoOperand<'b>,
    params: impl Into<Quantile>,
) -> Result<Array> {
    call_one(&QUANTILE, &[a.into_operand(), q.into_operand()], &params.into())
}

/// Percentile: the quantiles of `q / 100`.
///
/// ```
/// use ivy::prelude::*;
/// let x = Array::try_from([1.0f32, 2.0, 4.0])?;
/// assert_eq!(ivy::percentile(&x, 50, ())?.item::<f32>()?, 2.0);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// As [`quantile`], with 100 in the place of 1.
pub fn percentile<'a, 'b>(
    a: impl IntoOperand<'a>,
    q: impl IntoOperand<'b>,
    params: impl Into<Percentile>,
) -> Result<Array> {
    call_one(&PERCENTILE, &[a.into_operand(), q.into_operand()], &params.into())
}
