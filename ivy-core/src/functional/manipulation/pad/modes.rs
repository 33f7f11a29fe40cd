//! `pad`: NumPy's modes.

use super::edge_values::{Statistic, odd_reflection, ramp};
use super::interior::{PadAmounts, dilated};
use super::{ConstantPad, PadConstants, PadValues, StatLength, constant_pad, padded, zero_pad};
use crate::array::{Array, IntoOperand};
use crate::call::call_one;
use crate::function::{Body, Bound, Coefficient, Composition, Outputs, plain_scalar};
use crate::functional::manipulation::slice_along;
use crate::functional::manipulation::{broadcast_to, check_lengths, concat};
use crate::functional::{Concat, Take, take, where_, zeros};
use crate::promotion::check_scalar;
use crate::{AxisPad, Dims, Dtype, DtypeSet, ErrorKind, Result, Scalar, ScalarKind, Shape, params};
use smallvec::smallvec;

/// What [`pad`] puts before and after the elements of an axis, here 1 2 3, three at each end.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum PadMode {
    /// A value: 0 0 0 **1 2 3** 0 0 0.
    #[default]
    Constant,
    /// A value around the elements and between them, here one: 0 0 0 **1 0 2 0 3** 0 0 0.
    Dilated,
    /// The nearest element: 1 1 1 **1 2 3** 3 3 3.
    Edge,
    /// Values that nobody is to read; they are zeros.
    Empty,
    /// A ramp from the end value, which is the first or last element, to the nearest element; here
    /// from 7: 7 5 3 **1 2 3** 4 5 7.
    LinearRamp,
    /// The greatest of the nearest elements, here of all: 3 3 3 **1 2 3** 3 3 3.
    Maximum,
    /// The mean of the nearest elements, here of all: 2 2 2 **1 2 3** 2 2 2.
    Mean,
    /// The median of the nearest elements, here of all: 2 2 2 **1 2 3** 2 2 2.
    Median,
    /// The least of the nearest elements, here of all: 1 1 1 **1 2 3** 1 1 1.
    Minimum,
    /// The elements mirrored at the ends, which are not repeated: 2 3 2 **1 2 3** 2 1 2.
    Reflect,
    /// The elements mirrored, the ends with them: 3 2 1 **1 2 3** 3 2 1.
    Symmetric,
    /// The elements again from the other end: 1 2 3 **1 2 3** 1 2 3.
    Wrap,
}

impl PadMode {
    /// Which of `len` elements, at least one, stands at a place that counts from the first one, in a
    /// mode that repeats elements.
    fn source(self, place: i64, len: i64) -> i64 {
        let mirrored = |period: i64, last: i64| {
            let at = place.rem_euclid(period);
            if at < len { at } else { last - at }
        };
        match self {
            PadMode::Wrap => place.rem_euclid(len),
            PadMode::Symmetric => mirrored(2 * len, 2 * len - 1),
            PadMode::Reflect if len > 1 => mirrored(2 * len - 2, 2 * len - 2),
            _ => place.clamp(0, len - 1),
        }
    }

    fn statistic(self) -> Option<Statistic> {
        match self {
            PadMode::Maximum => Some(Statistic::Maximum),
            PadMode::Mean => Some(Statistic::Mean),
            PadMode::Median => Some(Statistic::Median),
            PadMode::Minimum => Some(Statistic::Minimum),
            _ => None,
        }
    }
}

param_words! {
    PadMode: "constant" => Constant, "dilated" => Dilated, "edge" => Edge, "empty" => Empty, "linear_ramp" => LinearRamp,
    "maximum" => Maximum, "mean" => Mean, "median" => Median, "minimum" => Minimum, "reflect" => Reflect,
    "symmetric" => Symmetric, "wrap" => Wrap
}

/// What [`PadMode::Reflect`] and [`PadMode::Symmetric`] make of what they mirror.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum ReflectType {
    /// It stays as it is: 3 2 **1 2 3** 2 1.
    #[default]
    Even,
    /// Odd reflection, `2 * edge - x`: -1 0 **1 2 3** 4 5.
    Odd,
}

param_words! { ReflectType: "even" => Even, "odd" => Odd }

params! {
    /// Arguments of [`pad`].
    pub struct Pad {
        /// How many elements are put before and after each axis; with [`PadMode::Dilated`] also between them.
        pad_width: PadAmounts = PadAmounts::from(1),
        /// What they are.
        mode: PadMode = PadMode::Constant,
        /// How many elements at each end [`PadMode::Maximum`], `Mean`, `Median` and `Minimum` are of; as
        /// Ivy has it, one. [`StatLength::WHOLE`] is what NumPy does if nothing is given.
        stat_length: StatLength = StatLength::from(1),
        /// The values of [`PadMode::Constant`]. An array without axes is the one value; by it there is a derivative.
        constant_values: PadConstants = PadConstants::Values(PadValues::from(0)),
        /// The values that [`PadMode::LinearRamp`] leads to.
        end_values: PadValues = PadValues::from(0),
        /// What [`PadMode::Reflect`] and [`PadMode::Symmetric`] make of what they mirror.
        reflect_type: ReflectType = ReflectType::Even,
    }
}

describe! {
    PAD = "pad", Manipulation, Compositional, (input: Kept), LikeOperand -> [Compute],
    Bound::Sum, params: Pad::new(), example: [&[2]], Body::Compose(compose_pad)
}

fn compose_pad(call: &Composition<'_>) -> Result<Outputs> {
    let (function, params, x) = (call.function.name, call.params::<Pad>(), call.array(0));
    if params.mode == PadMode::Dilated {
        return Ok(smallvec![dilated(function, x, &params.pad_width, params.single_constant(call)?)?]);
    }
    let widths = params.pad_width.pairs(function)?.of_axes(function, "pad_width", x.ndim())?;
    let values = |values: &PadValues, argument| {
        let values = values.of_axes(function, argument, x.ndim())?;
        values.iter().flat_map(|&(a, b)| [a, b]).try_for_each(|v| check_value(function, v, call.compute))?;
        Ok::<_, crate::Error>(values)
    };
    match params.mode {
        PadMode::Constant => {
            let constants = match &params.constant_values {
                PadConstants::Values(constants) => constants,
                PadConstants::Array(value) => match plain_scalar(value) {
                    Some(value) => &PadValues::from(value),
                    None => return Ok(smallvec![constant_array(x, &widths, value)?]),
                },
            };
            return Ok(smallvec![constant(x, &widths, &values(constants, "constant_values")?)?]);
        }
        PadMode::Empty => return Ok(smallvec![zero_pad(x, &widths[..])?]),
        _ => {}
    }
    let axes: Dims<AxisPad> = widths.iter().map(|&(before, after)| AxisPad { before, after }).collect();
    check_lengths(function, call.compute, &padded(x.shape(), &axes))?;
    if (0..x.ndim()).any(|axis| x.shape()[axis] == 0 && widths[axis] != (0, 0)) {
        let (value, rule) = (x.shape().to_string(), "there is no element to repeat along an empty axis");
        return Err(ErrorKind::InvalidArgument { function, argument: "input", value, rule }.into());
    }
    if x.size() == 0 {
        return Ok(smallvec![zero_pad(x, &widths[..])?]);
    }
    let mut longer = x.clone();
    for axis in (0..x.ndim()).filter(|&axis| widths[axis] != (0, 0)) {
        let here = Here { function, axis, width: widths[axis] };
        longer = match params.mode {
            PadMode::LinearRamp => here.ramps(&longer, values(&params.end_values, "end_values")?[axis])?,
            PadMode::Reflect | PadMode::Symmetric
                if params.reflect_type == ReflectType::Odd && x.shape()[axis] > 1 =>
            {
                here.odd_reflected(&longer, params.mode == PadMode::Symmetric)?
            }
            mode => match mode.statistic() {
                Some(statistic) => {
                    let lengths = params.stat_length.of_axes(function, x.ndim())?;
                    here.statistics(&longer, statistic, lengths[axis])?
                }
                None => here.repeated(&longer, mode)?,
            },
        };
    }
    Ok(smallvec![longer])
}

impl Pad {
    /// The one value that stands everywhere.
    fn single_constant(&self, call: &Composition<'_>) -> Result<Scalar> {
        let function = call.function.name;
        let one = match &self.constant_values {
            PadConstants::Values(values) => values.single(),
            PadConstants::Array(value) => plain_scalar(value),
        };
        let Some(value) = one else {
            let (argument, value) = ("constant_values", self.constant_values.to_string());
            let rule = "one number in the mode `dilated`";
            return Err(ErrorKind::InvalidArgument { function, argument, value, rule }.into());
        };
        check_value(function, value, call.compute)?;
        Ok(value)
    }
}

/// Refuses a value that no element of the dtype comes of.
fn check_value(function: &'static str, value: Scalar, dtype: Dtype) -> Result<()> {
    if value.kind() == ScalarKind::Complex && !dtype.is_complex() && !dtype.is_bool() {
        let (rule, remedy) = ("a complex number has no real value", "Give its real part");
        return Err(
            ErrorKind::CastRefused { function, from: Dtype::COMPLEX128, to: dtype, rule, remedy }.into()
        );
    }
    check_scalar(function, value, dtype)
}

/// Values around an array; those of later axes stand in the corners.
fn constant(x: &Array, widths: &[(usize, usize)], values: &[(Scalar, Scalar)]) -> Result<Array> {
    let around = |x: &Array, widths: &[(usize, usize)], value: Scalar| {
        constant_pad(x, widths, ConstantPad::new().value(value))
    };
    let one = values.first().map_or(Scalar::Int(0), |v| v.0);
    if values.iter().all(|&(before, after)| before == one && after == one) {
        return around(x, widths, one);
    }
    let mut longer = x.clone();
    for (axis, (&(before, after), &(first, last))) in widths.iter().zip(values).enumerate() {
        for (width, value) in [((before, 0), first), ((0, after), last)] {
            let mut here = vec![(0, 0); x.ndim()];
            here[axis] = width;
            longer = around(&longer, &here, value)?;
        }
    }
    Ok(longer)
}

/// The element of an array around an array, as its dtype.
fn constant_array(x: &Array, widths: &[(usize, usize)], value: &Array) -> Result<Array> {
    let outside = ConstantPad::new().value(true);
    let outside = constant_pad(zeros(x.shape(), Dtype::BOOL)?, widths, outside)?;
    let value = Coefficient::Array(value.clone()).like(x)?;
    where_(outside, value, zero_pad(x, widths)?)
}

/// An axis that is made longer, and by how much at its ends.
struct Here {
    function: &'static str,
    axis: usize,
    width: (usize, usize),
}

impl Here {
    /// The elements of `x` along the axis, from a place on and with a step.
    fn part(&self, x: &Array, start: usize, step: isize, len: usize) -> Result<Array> {
        slice_along(self.function, x, self.axis, start, step, len)
    }

    fn len(&self, x: &Array) -> usize {
        x.shape()[self.axis]
    }

    /// An array between what is put before and after it.
    fn concatenated(&self, before: Option<Array>, x: &Array, after: Option<Array>) -> Result<Array> {
        let parts = before.iter().chain([x]).chain(&after);
        concat(parts, Concat::new().axis(self.axis as i64))
    }

    /// Elements by number, in a mode that repeats them.
    fn repeated(&self, x: &Array, mode: PadMode) -> Result<Array> {
        let (len, (before, after)) = (self.len(x), self.width);
        let places = len + before + after;
        // The indices are one more array of the axis's length.
        Shape::from([places]).checked_size(self.function, Dtype::INT64)?;
        let first = -(before as i64);
        let sources: Vec<i64> =
            (first..first + places as i64).map(|place| mode.source(place, len as i64)).collect();
        take(x, Array::from_vec(sources, places)?, Take::new().axis(self.axis as i64))
    }

    /// Ramps from values to the first and last element.
    fn ramps(&self, x: &Array, (first, last): (Scalar, Scalar)) -> Result<Array> {
        let (before, after) = self.width;
        let up = match before {
            0 => None,
            _ => Some(ramp(&self.part(x, 0, 1, 1)?, first, before, self.axis)?),
        };
        let down = match after {
            0 => None,
            _ => {
                let ramp = ramp(&self.part(x, self.len(x) - 1, 1, 1)?, last, after, self.axis)?;
                Some(self.part(&ramp, after - 1, -1, after)?)
            }
        };
        self.concatenated(up, x, down)
    }

    /// A statistic of the first and one of the last elements.
    fn statistics(&self, x: &Array, statistic: Statistic, lengths: (usize, usize)) -> Result<Array> {
        if statistic != Statistic::Mean && x.dtype().is_complex() {
            let (function, operand, dtype) = (self.function, "input", x.dtype());
            let allowed = DtypeSet::ALL - DtypeSet::COMPLEX;
            let remedy = "Take `real`, `imag` or `abs` of it first".into();
            return Err(ErrorKind::OutsideDomain { function, operand, dtype, allowed, remedy }.into());
        }
        let len = self.len(x);
        let (first, last) = (lengths.0.min(len), lengths.1.min(len));
        let without = matches!(statistic, Statistic::Maximum | Statistic::Minimum);
        if (first == 0 || last == 0) && (without || !(x.dtype().is_float() || x.dtype().is_complex())) {
            let rule = "not 0, unless for a mean or median of floats, which are NaN";
            let (argument, value) = ("stat_length", format!("({first}, {last})"));
            return Err(ErrorKind::InvalidArgument { function: self.function, argument, value, rule }.into());
        }
        let filled = |width: usize, start: usize, len: usize| {
            if width == 0 {
                return Ok(None);
            }
            let value = statistic.of(self.function, &self.part(x, start, 1, len)?, self.axis)?;
            let mut shape = Dims::from_slice(x.shape());
            shape[self.axis] = width;
            broadcast_to(value, Shape::from(shape)).map(Some)
        };
        let (before, after) = self.width;
        self.concatenated(filled(before, 0, first)?, x, filled(after, len - last, last)?)
    }

    /// Odd reflections at both edges, again and again where that is not enough: each time
    /// of whole periods of the elements that are there.
    fn odd_reflected(&self, x: &Array, edge_too: bool) -> Result<Array> {
        let ((mut before, mut after), own) = (self.width, self.len(x));
        let mut longer = x.clone();
        while before > 0 || after > 0 {
            let len = self.len(&longer);
            let (most, skip) = match edge_too {
                true => (len / own * own, 0),
                false => ((len - 1) / (own - 1) * (own - 1), 1),
            };
            let (first, last) = (most.min(before), most.min(after));
            let up = match first {
                0 => None,
                _ => {
                    let mirrored = self.part(&longer, first - 1 + skip, -1, first)?;
                    Some(odd_reflection(&self.part(&longer, 0, 1, 1)?, &mirrored)?)
                }
            };
            let down = match last {
                0 => None,
                _ => {
                    let mirrored = self.part(&longer, len - 1 - skip, -1, last)?;
                    Some(odd_reflection(&self.part(&longer, len - 1, 1, 1)?, &mirrored)?)
                }
            };
            longer = self.concatenated(up, &longer, down)?;
            (before, after) = (before - first, after - last);
        }
        Ok(longer)
    }
}

/// Padding: elements put before and after those of each axis, in one of NumPy's ways ([`PadMode`]); where those of one
/// axis meet those of another, later axes go by what the earlier ones have put.
///
/// ```
/// use ivy::{Pad, PadMode, StatLength, prelude::*};
/// let x = Array::try_from([1i32, 2, 3])?;
/// let mirrored = ivy::pad(&x, (2, 1), Pad::new().mode(PadMode::Reflect))?;
/// assert_eq!(mirrored.to_vec::<i32>()?, [3, 2, 1, 2, 3, 2]);
/// let ramps = ivy::pad(&x, 2, Pad::new().mode(PadMode::LinearRamp).end_values((5, -1)))?;
/// assert_eq!(ramps.to_vec::<i32>()?, [5, 3, 1, 2, 3, 1, -1]);
/// let middle = ivy::pad(&x, (0, 1), Pad::new().mode(PadMode::Mean).stat_length(StatLength::WHOLE))?;
/// assert_eq!(middle.to_vec::<i32>()?, [1, 2, 3, 2]);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// Those of [`constant_pad`]; [`InvalidArgument`](crate::ErrorKind::InvalidArgument) for an axis
/// without elements and a mode that needs them, and for statistics of no elements;
/// [`OutsideDomain`](crate::ErrorKind::OutsideDomain) for complex numbers and a mode that needs
/// their order.
pub fn pad<'a>(
    input: impl IntoOperand<'a>,
    pad_width: impl Into<PadAmounts>,
    params: impl Into<Pad>,
) -> Result<Array> {
    call_one(&PAD, &[input.into_operand()], &Pad { pad_width: pad_width.into(), ..params.into() })
}
