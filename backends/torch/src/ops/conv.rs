//! Convolutions by libtorch's own.

use super::reduce::sum_of_products;
use super::{Call, Run};
use ivy_core::{ConvOp, Dims};
use tch::Tensor;

/// The convolution, of those that [`crate::support`] says libtorch has.
pub(super) fn conv(call: &Call<'_>, op: &ConvOp) -> Run {
    let signed = |numbers: &[usize]| -> Dims<i64> { numbers.iter().map(|&n| n as i64).collect() };
    let (strides, dilations) = (signed(&op.strides), signed(&op.window_dilation));
    let none = Dims::<i64>::from_elem(0, op.spatial());
    // Its padding is the same on both sides, and never negative.
    let even = op.padding.iter().all(|&(low, high)| low == high && low >= 0);
    let padding: Dims<i64> = op.padding.iter().map(|p| if even { p.0 } else { 0 }).collect();
    // From the last axis to the first.
    let around: Dims<i64> = op.padding.iter().rev().flat_map(|&(low, high)| [low, high]).collect();
    sum_of_products(call, |x, w| {
        let padded = if even { None } else { Some(x.f_constant_pad_nd(&around[..])?) };
        let x = padded.as_ref().unwrap_or(x);
        let (groups, bias) = (op.groups as i64, None::<Tensor>);
        Ok(x.f_convolution(w, bias, &strides[..], &padding[..], &dilations[..], false, &none[..], groups)?)
    })
}
