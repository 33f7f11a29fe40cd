//! Logarithmically spaced numbers.

use super::linspace::{fractions, spread_ends};
use crate::array::IntoOperand;
use crate::call::call_one;
use crate::function::{Body, Bound, Composition, Outputs};
use crate::functional::{add, astype, full, multiply, pow, subtract};
use crate::{Array, Device, Dtype, ErrorKind, Result, params};
use smallvec::smallvec;

params! {
    /// Arguments of [`logspace`].
    pub struct Logspace {
        /// How many numbers.
        num: usize = 2usize,
        /// The base of the powers.
        base: f64 = 10.0,
        /// Where the numbers of each pair of ends stand in the result, if the ends are arrays.
        axis: i64 = 0,
        /// Whether the power of the end is the last number.
        endpoint: bool = true,
        /// The dtype, a float; what the ends promote to if not given, and at least a float.
        dtype: Option<Dtype> = None,
        /// The device.
        device: Option<Device> = None,
    }
}

describe! {
    LOGSPACE = "logspace", Creation, Compositional, (start: Promoted, stop: Promoted), PromoteFloat -> [Compute],
    Bound::Composed(8.0), params: Logspace::new(), example: [&[2], &[2]], Body::Compose(compose_logspace)
}

fn compose_logspace(call: &Composition<'_>) -> Result<Outputs> {
    let (function, params) = (call.function.name, call.params::<Logspace>());
    if let Some(dtype) = params.dtype.filter(|d| !d.is_float()) {
        let (argument, value, rule) = ("dtype", dtype.to_string(), "powers need a float dtype");
        return Err(ErrorKind::InvalidArgument { function, argument, value, rule }.into());
    }
    // Host scalars are exact in float64, whatever the result's dtype is.
    let end = |i: usize| match call.scalar(i) {
        Some(value) => full((), value.to_f64(), Dtype::FLOAT64),
        None => astype(call.array(i), Dtype::FLOAT64),
    };
    let (start, stop) = (end(0)?, end(1)?);
    let (start, stop, along) = spread_ends(function, (&start, &stop), params.axis, params.num)?;
    // From 0 to 1, so that both ends are what they are.
    let along = fractions(params.num, params.endpoint, &along)?;
    let from = multiply(start, subtract(1.0, &along)?)?;
    let exponents = add(from, multiply(stop, &along)?)?;
    let powers = pow(full((), params.base, Dtype::FLOAT64)?, exponents)?;
    Ok(smallvec![if call.compute == Dtype::FLOAT64 { powers } else { astype(powers, call.compute)? }])
}

/// Logarithmically spaced numbers: `num` powers of `base` whose exponents are evenly spaced from `start` to `stop`,
/// with `stop` as the last exponent unless `endpoint` is false: `base^start, ..., base^stop`. The ends are numbers or
/// arrays that broadcast; of arrays, the numbers stand along the new axis `axis`. Computed in float64 and rounded once.
///
/// ```
/// use ivy::{Logspace, prelude::*};
/// assert_eq!(ivy::logspace(0, 2, 3, ())?.to_vec::<f32>()?, [1.0, 10.0, 100.0]);
/// let open = ivy::logspace(0, 3, 3, Logspace::new().base(2.0).endpoint(false))?;
/// assert_eq!(open.to_vec::<f32>()?, [1.0, 2.0, 4.0]);
/// let ends = Array::try_from([1.0f32, 2.0])?;
/// let rows = ivy::logspace(0, &ends, 2, Logspace::new().axis(-1))?;
/// assert_eq!(rows.to_vec::<f32>()?, [1.0, 10.0, 1.0, 100.0]);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// [`OutsideDomain`](crate::ErrorKind::OutsideDomain) for complex ends and bool,
/// [`InvalidArgument`](crate::ErrorKind::InvalidArgument) for a dtype that is no float,
/// [`BroadcastShapes`](crate::ErrorKind::BroadcastShapes), [`AxisOutOfRange`](crate::ErrorKind::AxisOutOfRange),
/// [`SizeOverflow`](crate::ErrorKind::SizeOverflow), [`MemoryLimit`](crate::ErrorKind::MemoryLimit).
pub fn logspace<'a, 'b>(
    start: impl IntoOperand<'a>,
    stop: impl IntoOperand<'b>,
    num: usize,
    params: impl Into<Logspace>,
) -> Result<Array> {
    call_one(&LOGSPACE, &[start.into_operand(), stop.into_operand()], &params.into().num(num))
}
