//! Normalization: to mean 0 and variance 1 over some axes, or to norm 1. Statistics of float16 and bfloat16 are
//! those of float32, and the results are rounded once.

mod batch;
mod group;
mod layer;
mod local_response;
mod lp_normalize;
mod renorm;
mod rms;

pub use batch::{BatchNorm, InstanceNorm, Normalized, batch_norm, instance_norm};
pub use group::{GroupNorm, group_norm};
pub use layer::{LayerNorm, layer_norm};
pub use local_response::{LocalResponseNorm, local_response_norm};
pub use lp_normalize::{L1Normalize, L2Normalize, LpNormalize, l1_normalize, l2_normalize, lp_normalize};
pub use renorm::{Renorm, renorm};
pub use rms::{RmsNorm, rms_norm};

use super::{DataFormat, mismatch, upcast};
use crate::function::{Axes, Composition};
use crate::functional::{Mean, Var, add, divide, mean, multiply, sqrt, subtract, var};
use crate::{Array, Dims, Result, Shape};

/// Where an array's channels are.
struct Channels {
    /// Their axis.
    axis: usize,
    /// How many there are.
    count: usize,
    /// The axes between the batch and the channels, or behind them.
    spatial: Dims,
}

impl Channels {
    fn of(function: &'static str, x: &Array, format: DataFormat) -> Result<Channels> {
        let n = x.ndim();
        if n < 2 {
            return Err(mismatch(function, "x", "a batch axis and one of channels, at least".into(), x));
        }
        let first = format.is_first(function, n - 2)?;
        let (axis, spatial) = if first { (1, (2..n).collect()) } else { (n - 1, (1..n - 1).collect()) };
        Ok(Channels { axis, count: x.shape()[axis], spatial })
    }

    /// A shape in which one number of each channel broadcasts with the array.
    fn aligned(&self) -> Shape {
        let behind = if self.axis == 1 { self.spatial.len() } else { 0 };
        [self.count].into_iter().chain(std::iter::repeat_n(1, behind)).collect()
    }

    /// Operand `i`, widened: a number of each channel.
    fn numbers(&self, call: &Composition<'_>, i: usize) -> Result<Option<Array>> {
        let Some(x) = &call.arrays[i] else { return Ok(None) };
        if x.shape()[..] != [self.count] {
            return Err(mismatch(
                call.function.name,
                call.function.operand(i).name,
                format!("({},)", self.count),
                x,
            ));
        }
        upcast(x).map(Some)
    }
}

fn axes(list: &[usize]) -> Axes {
    Axes(list.iter().map(|&a| a as i64).collect())
}

/// Mean and variance over axes, which stay with length 1 if `keepdims`.
fn moments(x: &Array, over: &[usize], keepdims: bool) -> Result<(Array, Array)> {
    let axis = Some(axes(over));
    let mean = mean(x, Mean { axis: axis.clone(), keepdims, dtype: None })?;
    Ok((mean, var(x, Var { axis, keepdims, correction: 0.0.into() })?))
}

/// `(x - mean) scale / sqrt(variance + eps) + offset`, where the quotient is of arrays that are smaller than `x`.
fn standardized(
    x: &Array,
    (mean, variance): (&Array, &Array),
    eps: f64,
    (scale, offset): (Option<Array>, Option<Array>),
) -> Result<Array> {
    let deviation = sqrt(add(variance, eps)?)?;
    let factor = match scale {
        Some(scale) => divide(scale, deviation)?,
        None => divide(1, deviation)?,
    };
    let y = multiply(subtract(x, mean)?, factor)?;
    offset.map_or(Ok(y.clone()), |offset| add(y, offset))
}
