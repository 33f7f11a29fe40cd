//! Evenly spaced numbers between ends.

use crate::array::IntoOperand;
use crate::call::call_one;
use crate::function::{Body, Bound, Composition, Outputs};
use crate::functional::{add, arange, astype, divide, expand_dims, floor, full, multiply, reshape, subtract};
use crate::{Array, Device, Dims, Dtype, ErrorKind, Op, Result, Shape, params, primitive, shape};
use smallvec::smallvec;

params! {
    /// Keyword arguments of [`linspace`].
    pub struct Linspace {
        /// How many numbers.
        num: usize = 2,
        /// The dtype; that of the ends if not given, and at least a float. Numbers are rounded down to integers.
        dtype: Option<Dtype> = None,
        /// The device.
        device: Option<Device> = None,
        /// Whether the end is the last number.
        endpoint: bool = true,
        /// Where the numbers of each pair of ends stand in the result, if the ends are arrays.
        axis: i64 = -1,
    }
}

describe! {
    LINSPACE = "linspace", Creation, Mixed, (start: End, stop: End), InferFloat -> [Compute],
    Bound::Composed(4.0), params: Linspace::new(), example: [], Body::Compose(compose_linspace)
}

fn compose_linspace(call: &Composition<'_>) -> Result<Outputs> {
    let (function, params, dtype) = (call.function.name, call.params::<Linspace>(), call.compute);
    if dtype.is_bool() {
        let (argument, value, rule) =
            ("dtype", dtype.to_string(), "evenly spaced numbers need a numeric dtype");
        return Err(ErrorKind::InvalidArgument { function, argument, value, rule }.into());
    }
    if let (Some(start), Some(stop)) = (call.scalar(0), call.scalar(1)) {
        shape::normalize_axis(function, params.axis, 1)?;
        Shape::from([params.num]).checked_size(function, dtype)?;
        let between = |dtype: Dtype| {
            let (len, endpoint) = (params.num, params.endpoint);
            primitive::create(function, &Op::Linspace { start, stop, len, endpoint, dtype })
        };
        return Ok(smallvec![match dtype.is_int() {
            true => whole(between(Dtype::FLOAT64)?, dtype)?,
            false => between(dtype)?,
        }]);
    }
    let working = if dtype.is_complex() { Dtype::COMPLEX128 } else { Dtype::FLOAT64 };
    let end = |i: usize| match call.scalar(i) {
        Some(value) => full((), value, working),
        None => astype(call.array(i), working),
    };
    let spaced = linspace_of_arrays(function, params, end(0)?, end(1)?)?;
    Ok(smallvec![if dtype.is_int() { whole(spaced, dtype)? } else { astype(spaced, dtype)? }])
}

/// Floats rounded down.
fn whole(x: Array, dtype: Dtype) -> Result<Array> {
    astype(floor(x)?, dtype)
}

/// The ends of ranges with a new axis of length 1 in the results' shape, and the shape of what runs along it.
pub(super) fn spread_ends(
    function: &'static str,
    (start, stop): (&Array, &Array),
    axis: i64,
    num: usize,
) -> Result<(Array, Array, Dims<i64>)> {
    let lead = shape::broadcast(function, &[start.shape(), stop.shape()])?;
    let axis = shape::normalize_axis(function, axis, lead.len() + 1)?;
    let mut dims = Dims::from_slice(&lead);
    dims.insert(axis, num);
    Shape::from(dims).checked_size(function, Dtype::FLOAT64)?;
    let mut along: Dims<i64> = smallvec![1; lead.len() + 1];
    along[axis] = num as i64;
    let spread = |x: &Array| -> Result<Array> {
        let ones = std::iter::repeat_n(1, lead.len() - x.ndim());
        let own: Dims<i64> = ones.chain(x.shape().iter().map(|&d| d as i64)).collect();
        expand_dims(reshape(x, own.to_vec(), ())?, axis as i64)
    };
    Ok((spread(start)?, spread(stop)?, along))
}

/// `num` fractions from 0 to 1 along an axis of a shape.
pub(super) fn fractions(num: usize, endpoint: bool, along: &Dims<i64>) -> Result<Array> {
    let steps = if endpoint { num.saturating_sub(1) } else { num };
    divide(reshape(arange(num, Dtype::FLOAT64)?, along.to_vec(), ())?, steps.max(1) as f64)
}

fn linspace_of_arrays(function: &'static str, params: &Linspace, start: Array, stop: Array) -> Result<Array> {
    let (start, stop, along) = spread_ends(function, (&start, &stop), params.axis, params.num)?;
    let along = fractions(params.num, params.endpoint, &along)?;
    // Weights from 0 to 1, so that both ends are what they are.
    add(multiply(start, subtract(1.0, &along)?)?, multiply(stop, &along)?)
}

/// Evenly spaced numbers: `num` of them from `start` to `stop`, with `stop` as the last one unless `endpoint` is false.
/// The ends are numbers or arrays that broadcast; of arrays, the numbers stand along the new axis `axis`. Computed in
/// float64 (complex128 for complex ends) and rounded once, down for an integer `dtype`.
///
/// ```
/// use ivy::prelude::*;
/// assert_eq!(ivy::linspace(0, 1, 3, ())?.to_vec::<f32>()?, [0.0, 0.5, 1.0]);
/// let open = ivy::linspace(0, 1, 4, Linspace::new().endpoint(false))?;
/// assert_eq!(open.to_vec::<f32>()?, [0.0, 0.25, 0.5, 0.75]);
/// assert_eq!(ivy::linspace(1, 10, 5, Dtype::INT32)?.to_vec::<i32>()?, [1, 3, 5, 7, 10]);
/// let ends = Array::try_from([1.0f64, 2.0])?;
/// let rows = ivy::linspace(0, &ends, 3, ())?;
/// assert_eq!((rows.dtype(), rows.to_vec::<f64>()?), (Dtype::FLOAT64, vec![0.0, 0.5, 1.0, 0.0, 1.0, 2.0]));
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// [`OutsideDomain`](crate::ErrorKind::OutsideDomain) for bool ends,
/// [`InvalidArgument`](crate::ErrorKind::InvalidArgument) for the dtype bool,
/// [`CastRefused`](crate::ErrorKind::CastRefused) for complex ends and a real dtype,
/// [`BroadcastShapes`](crate::ErrorKind::BroadcastShapes), [`AxisOutOfRange`](crate::ErrorKind::AxisOutOfRange),
/// [`SizeOverflow`](crate::ErrorKind::SizeOverflow), [`MemoryLimit`](crate::ErrorKind::MemoryLimit).
pub fn linspace<'a, 'b>(
    start: impl IntoOperand<'a>,
    stop: impl IntoOperand<'b>,
    num: usize,
    params: impl Into<Linspace>,
) -> Result<Array> {
    let params = Linspace { num, ..params.into() };
    call_one(&LINSPACE, &[start.into_operand(), stop.into_operand()], &params)
}
