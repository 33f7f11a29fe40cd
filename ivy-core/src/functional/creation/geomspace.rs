//! Geometric sequences.

use crate::array::IntoOperand;
use crate::call::call_one;
use crate::function::{Body, Bound, Composition, Outputs};
use crate::functional::{
    abs, arange, astype, divide, equal, expand_dims, full, multiply, pow, reshape, sign, subtract, where_,
};
use crate::{Array, Device, Dims, Dtype, ErrorKind, Result, Scalar, Shape, params, shape};
use smallvec::smallvec;

params! {
    /// Arguments of [`geomspace`].
    pub struct Geomspace {
        /// How many numbers.
        num: usize = 50usize,
        /// Whether the end is the last number.
        endpoint: bool = true,
        /// The dtype, a float; what the ends promote to if not given, and at least a float.
        dtype: Option<Dtype> = None,
        /// Where the numbers of each pair of ends stand in the result, if the ends are arrays.
        axis: i64 = 0,
        /// The device.
        device: Option<Device> = None,
    }
}

describe! {
    GEOMSPACE = "geomspace", Creation, Compositional, (start: Promoted, stop: Promoted), PromoteFloat -> [Compute],
    Bound::Composed(8.0), params: Geomspace::new(), example: [&[2], &[2]], Body::Compose(compose_geomspace)
}

fn compose_geomspace(call: &Composition<'_>) -> Result<Outputs> {
    let (function, params) = (call.function.name, call.params::<Geomspace>());
    let refused = |argument, value: String, rule| -> crate::Error {
        ErrorKind::InvalidArgument { function, argument, value, rule }.into()
    };
    if let Some(dtype) = params.dtype.filter(|d| !d.is_float()) {
        return Err(refused("dtype", dtype.to_string(), "quotients need a float dtype"));
    }
    let ends: [Option<f64>; 2] = [call.scalar(0), call.scalar(1)].map(|end| end.map(Scalar::to_f64));
    if let Some(zero) = [("start", ends[0]), ("stop", ends[1])].iter().find(|end| end.1 == Some(0.0)) {
        return Err(refused(zero.0, "0".into(), "no multiple of 0 is another number"));
    }
    if let [Some(start), Some(stop)] = ends
        && start * stop.signum() < 0.0
    {
        return Err(refused("stop", stop.to_string(), "both ends are of one sign"));
    }
    // Host scalars are exact in float64, whatever the result's dtype is.
    let end = |i: usize| match ends[i] {
        Some(value) => full((), value, Dtype::FLOAT64),
        None => astype(call.array(i), Dtype::FLOAT64),
    };
    let (start, stop) = (end(0)?, end(1)?);
    let lead = shape::broadcast(function, &[start.shape(), stop.shape()])?;
    let axis = shape::normalize_axis(function, params.axis, lead.len() + 1)?;
    let mut dims = Dims::from_slice(&lead);
    dims.insert(axis, params.num);
    Shape::from(dims).checked_size(function, Dtype::FLOAT64)?;
    let mut own: Dims<i64> = smallvec![1; lead.len() + 1];
    own[axis] = params.num as i64;
    let steps = if params.endpoint { params.num.saturating_sub(1) } else { params.num };
    let along = divide(reshape(arange(params.num, Dtype::FLOAT64)?, own.to_vec(), ())?, steps.max(1) as f64)?;
    let spread = |x: Array| -> Result<Array> {
        let ones = std::iter::repeat_n(1, lead.len() - x.ndim());
        let own: Dims<i64> = ones.chain(x.shape().iter().map(|&d| d as i64)).collect();
        expand_dims(reshape(x, own.to_vec(), ())?, axis as i64)
    };
    let (start, stop) = (spread(start)?, spread(stop)?);
    // Powers of both ends, so that both are what they are and no quotient of them overflows.
    let from = pow(abs(&start)?, subtract(1.0, &along)?)?;
    let sizes = multiply(from, pow(abs(&stop)?, along)?)?;
    let signs = sign(&start)?;
    let one_sign = equal(multiply(&signs, sign(&stop)?)?, 1)?;
    let found = where_(one_sign, multiply(sizes, signs)?, f64::NAN)?;
    Ok(smallvec![if call.compute == Dtype::FLOAT64 { found } else { astype(found, call.compute)? }])
}

/// Geometric sequence: `num` numbers from `start` to `stop`, with `stop` as the last one unless `endpoint` is false, of
/// which each is the same multiple of the one before it. The ends are numbers or arrays that broadcast; of arrays, the
/// numbers stand along the new axis `axis`, and ends of different signs or 0 give NaN. Computed in float64 and rounded
/// once.
///
/// ```
/// use ivy::{Geomspace, prelude::*};
/// assert_eq!(ivy::geomspace(-1, -1000, 4, ())?.to_vec::<f32>()?, [-1.0, -10.0, -100.0, -1000.0]);
/// let open = ivy::geomspace(1, 16, 4, Geomspace::new().endpoint(false))?;
/// assert_eq!(open.to_vec::<f32>()?, [1.0, 2.0, 4.0, 8.0]);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// [`InvalidArgument`](crate::ErrorKind::InvalidArgument) for numbers of different signs or 0, and for a dtype that is
/// no float; [`OutsideDomain`](crate::ErrorKind::OutsideDomain) for complex ends and bool,
/// [`BroadcastShapes`](crate::ErrorKind::BroadcastShapes), [`AxisOutOfRange`](crate::ErrorKind::AxisOutOfRange),
/// [`SizeOverflow`](crate::ErrorKind::SizeOverflow), [`MemoryLimit`](crate::ErrorKind::MemoryLimit).
pub fn geomspace<'a, 'b>(
    start: impl IntoOperand<'a>,
    stop: impl IntoOperand<'b>,
    num: usize,
    params: impl Into<Geomspace>,
) -> Result<Array> {
    call_one(&GEOMSPACE, &[start.into_operand(), stop.into_operand()], &params.into().num(num))
}
