//! Cumulative log-sum-exp.

use crate::array::{Array, IntoOperand};
use crate::call::call_one;
use crate::function::{Body, Bound, Composition, Outputs};
use crate::functional::{AssociativeScan, associative_scan, astype, logaddexp};
use crate::{Dtype, Result, params, shape};
use smallvec::smallvec;

params! {
    /// Arguments of [`logcumsumexp`].
    pub struct LogCumSumExp {
        /// The axis; an argument of the function.
        axis: i64 = 0,
    }
}

describe! {
    LOGCUMSUMEXP = "logcumsumexp", Statistical, Mixed, (x: Promoted), PromoteFloat -> [Compute],
    Bound::Sum, params: LogCumSumExp::new(), example: [&[2]], Body::Compose(compose)
}

fn compose(call: &Composition<'_>) -> Result<Outputs> {
    let (x, compute) = (call.array(0), call.compute);
    let axis = shape::normalize_axis(call.function.name, call.params::<LogCumSumExp>().axis, x.ndim())?;
    // Small floats are rounded to 16 bits once (decision S18).
    let small = compute.bytes() == 2;
    let x = if small { astype(x, Dtype::FLOAT32)? } else { x.clone() };
    // Pairs are combined at their own scale: one scale for all would lose what is far below the greatest.
    let y = associative_scan(&x, |a, b| logaddexp(a, b), AssociativeScan::new().axis(axis as i64))?;
    Ok(smallvec![if small { astype(y, compute)? } else { y }])
}

/// Cumulative log-sum-exp along an axis: element `i` is `log(sum of exp(x[j]))` over `j` from 0 to `i`, without
/// overflow. Integers and bool give the default float dtype; float16 and bfloat16 are computed in float32.
///
/// ```
/// use ivy::prelude::*;
/// let y = ivy::logcumsumexp(&Array::try_from([-1000.0f32, 0.0, 0.0])?, 0)?.to_vec::<f32>()?;
/// assert!(y[0] == -1000.0 && y[1] == 0.0 && (y[2] - 2f32.ln()).abs() < 1e-6);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// [`AxisOutOfRange`](crate::ErrorKind::AxisOutOfRange), also for an array without axes;
/// [`OutsideDomain`](crate::ErrorKind::OutsideDomain) for complex numbers.
pub fn logcumsumexp<'a>(x: impl IntoOperand<'a>, axis: i64) -> Result<Array> {
    call_one(&LOGCUMSUMEXP, &[x.into_operand()], &LogCumSumExp::new().axis(axis))
}
