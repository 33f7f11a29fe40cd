//! One-hot encoding.

use crate::array::IntoOperand;
use crate::call::call_one;
use crate::function::{Body, Bound, Composition, Outputs};
use crate::functional::{Arange, Filled, arange, astype, equal, expand_dims, full, reshape, where_};
use crate::promotion::check_scalar;
use crate::{Array, Device, Dims, Dtype, Operand, Result, Scalar, Shape, params, shape};
use smallvec::smallvec;
use std::mem;

params! {
    /// Arguments of [`one_hot`].
    pub struct OneHot {
        /// How many values each index becomes.
        depth: usize = 2usize,
        /// Where the new axis stands in the result; the last one if not given.
        axis: Option<i64> = None,
        /// The dtype; if not given that of `on_value` and `off_value`, or the default dtype without these.
        dtype: Option<Dtype> = None,
        /// The device.
        device: Option<Device> = None,
        /// What stands at each index, a number or truth value; 1 if not given.
        operand on_value,
        /// What stands everywhere else; 0 if not given.
        operand off_value,
    }
}

describe! {
    ONE_HOT = "one_hot", Creation, Compositional,
    (indices: Index, on_value: Value optional, off_value: Value optional), Infer -> [Compute],
    Bound::Exact, params: OneHot::new(), example: [&[2]], Body::Compose(compose_one_hot)
}

fn compose_one_hot(call: &Composition<'_>) -> Result<Outputs> {
    let (function, indices, params) = (call.function.name, call.array(0), call.params::<OneHot>());
    let ndim = indices.ndim() + 1;
    let axis = shape::normalize_axis(function, params.axis.unwrap_or(-1), ndim)?;
    let mut dims = Dims::from_slice(indices.shape());
    dims.insert(axis, params.depth);
    Shape::from(dims).checked_size(function, Dtype::INT64)?;
    let mut own: Dims<i64> = smallvec![1; ndim];
    own[axis] = params.depth as i64;
    let numbers = reshape(arange(params.depth, Arange::new().dtype(Dtype::INT64))?, own.to_vec(), ())?;
    let on = equal(expand_dims(indices, axis as i64)?, numbers)?;
    if call.scalar(1).is_none() && call.scalar(2).is_none() {
        return Ok(smallvec![if call.compute.is_bool() { on } else { astype(on, call.compute)? }]);
    }
    let value = |i: usize, default: i128| {
        let value = call.scalar(i).unwrap_or(Scalar::Int(default));
        check_scalar(function, value, call.compute)?;
        full((), value, Filled::new().dtype(call.compute))
    };
    Ok(smallvec![where_(on, value(1, 1)?, value(2, 0)?)?])
}

/// One-hot encoding: each index as `depth` values along a new axis: `on_value` at the index, `off_value` everywhere
/// else. An index below 0 or not below `depth` has `off_value` everywhere.
///
/// ```
/// use ivy::{OneHot, prelude::*};
/// let labels = Array::try_from([2i64, 0, -1])?;
/// let rows = ivy::one_hot(&labels, 3, ())?;
/// assert_eq!(rows.to_vec::<f32>()?, [0.0, 0.0, 1.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0]);
/// let marks = ivy::one_hot(&labels, 3, OneHot::new().on_value(5).off_value(1).axis(0))?;
/// assert_eq!(marks.to_vec::<i32>()?, [1, 5, 1, 1, 1, 1, 5, 1, 1]);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// [`AxisOutOfRange`](crate::ErrorKind::AxisOutOfRange), counted in the result's axes;
/// [`ScalarOutOfRange`](crate::ErrorKind::ScalarOutOfRange) for a value that `dtype` does not hold,
/// [`CastRefused`](crate::ErrorKind::CastRefused) for a complex value and a real dtype;
/// [`SizeOverflow`](crate::ErrorKind::SizeOverflow), [`MemoryLimit`](crate::ErrorKind::MemoryLimit).
pub fn one_hot<'a>(indices: impl IntoOperand<'a>, depth: usize, params: impl Into<OneHot>) -> Result<Array> {
    let mut params = params.into().depth(depth);
    let [on, off] = [&mut params.on_value, &mut params.off_value].map(|x| mem::replace(x, Operand::Absent));
    call_one(&ONE_HOT, &[indices.into_operand(), on, off], &params)
}
