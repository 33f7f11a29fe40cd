//! Linear layers.

use super::mismatch;
use crate::array::{Array, IntoOperand, Operand};
use crate::call::call_one;
use crate::function::{Body, Bound, Composition, Outputs};
use crate::functional::{add, matmul, matrix_transpose, reshape};
use crate::{Dims, Result, Shape, params};
use smallvec::smallvec;
use std::mem;

params! {
    /// Keyword arguments of [`linear`].
    pub struct Linear {
        /// A number for each output feature that is added.
        operand bias,
    }
}

describe! {
    LINEAR = "linear", Layer, Mixed, (x: Promoted, weight: Promoted, bias: Promoted optional), Promote -> [Compute],
    Bound::Matmul, params: Linear::new(), example: [&[2, 3], &[2, 3], &[2]], Body::Compose(compose)
}

fn compose(call: &Composition<'_>) -> Result<Outputs> {
    let (function, x, weight) = (call.function.name, call.array(0), call.array(1));
    if weight.ndim() < 2 {
        return Err(mismatch(function, "weight", "at least 2 axes".into(), weight));
    }
    let (outer, [outputs, inputs]) = split(weight.shape());
    if x.ndim() <= outer.len() || x.shape()[..outer.len()] != *outer || x.shape()[x.ndim() - 1] != inputs {
        let expected = format!("leading axes {} and {inputs} features at the end", Shape::from(outer));
        return Err(mismatch(function, "x", expected, x));
    }
    let bias = call.arrays[2].as_ref();
    let of_bias: Dims = outer.iter().copied().chain([outputs]).collect();
    if let Some(bias) = bias.filter(|b| b.shape()[..] != of_bias[..]) {
        return Err(mismatch(function, "bias", Shape::from(of_bias).to_string(), bias));
    }
    // The axes between the outer ones and the features are the rows of one matrix for each weight.
    let inner = &x.shape()[outer.len()..x.ndim() - 1];
    let shaped = |middle: &[usize], last: usize| -> Shape {
        outer.iter().chain(middle).copied().chain([last]).collect()
    };
    let rows = [inner.iter().product()];
    let x2 = if inner.len() == 1 || outer.is_empty() && !inner.is_empty() {
        x.clone()
    } else {
        reshape(x, shaped(&rows, inputs), ())?
    };
    let mut y = matmul(&x2, matrix_transpose(weight)?)?;
    if let Some(bias) = bias {
        let bias = if outer.is_empty() { bias.clone() } else { reshape(bias, shaped(&[1], outputs), ())? };
        y = add(&y, &bias)?;
    }
    let shape = shaped(inner, outputs);
    Ok(smallvec![if *y.shape() == shape { y } else { reshape(&y, shape, ())? }])
}

fn split(shape: &[usize]) -> (&[usize], [usize; 2]) {
    let (outer, last) = shape.split_at(shape.len() - 2);
    (outer, [last[0], last[1]])
}

/// Linear layer: `x weight^T + bias`: sums of `weight[o, i] * x[..., i]`. The weight is `[o, i]`; with leading axes,
/// these are also the first ones of `x` and of the bias, and each has a weight of its own.
///
/// ```
/// use ivy::{Linear, prelude::*};
/// let x = Array::try_from([[1.0f32, 2.0], [3.0, 4.0]])?;
/// let weight = Array::try_from([[1.0f32, 10.0]])?;
/// assert_eq!(ivy::linear(&x, &weight, ())?.to_vec::<f32>()?, [21.0, 43.0]);
/// let bias = Linear::new().bias(Array::try_from([0.5f32])?);
/// assert_eq!(ivy::linear(&x, &weight, bias)?.to_vec::<f32>()?, [21.5, 43.5]);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// [`ShapeMismatch`](crate::ErrorKind::ShapeMismatch), [`OutsideDomain`](crate::ErrorKind::OutsideDomain) for bool.
pub fn linear<'a, 'b>(
    x: impl IntoOperand<'a>,
    weight: impl IntoOperand<'b>,
    params: impl Into<Linear>,
) -> Result<Array> {
    let mut params = params.into();
    let bias = mem::replace(&mut params.bias, Operand::Absent);
    call_one(&LINEAR, &[x.into_operand(), weight.into_operand(), bias], &params)
}
