//! Random orthogonal matrices.

use super::Seed;
use super::bits::{Draw, check_result, working};
use super::normal::standard_normal;
use crate::call::call_one;
use crate::function::{Body, Bound, Composition, Outputs};
use crate::functional::linalg::{diagonal, qr};
use crate::functional::{astype, expand_dims, less, matrix_transpose, negative, where_, zeros};
use crate::{Array, Device, Dtype, ErrorKind, Result, Shape, params};
use smallvec::smallvec;

params! {
    /// Keyword arguments of [`orthogonal`].
    pub struct Orthogonal {
        /// The shape: a matrix or a stack of them.
        shape: Shape = Shape::from([1, 1]),
        /// A float dtype; the default float dtype if not given.
        dtype: Option<Dtype> = None,
        /// The device.
        device: Option<Device> = None,
        /// Makes the call reproducible.
        seed: Option<Seed> = None,
    }
}

describe! {
    ORTHOGONAL = "orthogonal", Random, Compositional, (), InferFloat -> [Compute],
    Bound::Residual, params: Orthogonal::new(), example: [], Body::Compose(compose)
}

fn compose(call: &Composition<'_>) -> Result<Outputs> {
    let (params, function) = (call.params::<Orthogonal>(), call.function.name);
    let shape = &params.shape;
    let [lead @ .., rows, columns] = &shape[..] else {
        let (expected, actual) = ("at least 2 axes".into(), shape.clone());
        return Err(ErrorKind::ShapeMismatch { function, argument: "shape", expected, actual }.into());
    };
    check_result(call, shape)?;
    if shape.size() == 0 {
        return Ok(smallvec![zeros(shape, call.compute)?]);
    }
    let (long, short) = (*rows.max(columns), *rows.min(columns));
    let tall: Shape = lead.iter().copied().chain([long, short]).collect();
    let mut draw = Draw::new(call, params.seed)?;
    let states = [draw.state()?, draw.state()?];
    let x = standard_normal(function, [&states[0], &states[1]], &tall, working(call.compute))?;
    let factors = qr(x, ())?;
    // Signs such that the factor beside it has a positive diagonal, without which some matrices are more likely.
    let flipped = expand_dims(less(diagonal(&factors.r, ())?, 0.0)?, -2)?;
    let q = where_(flipped, negative(&factors.q), &factors.q)?;
    let q = if rows < columns { matrix_transpose(q)? } else { q };
    Ok(smallvec![astype(q, call.compute)?])
}

/// Random orthogonal matrices: matrices with orthonormal columns, or orthonormal rows where there are fewer of these,
/// all equally likely: the factor `q` of a matrix of standard normal numbers `q r`, where `r` has a positive diagonal.
///
/// ```
/// use ivy::{Orthogonal, prelude::*};
/// let q = ivy::orthogonal([3, 2], Orthogonal::new().seed(1))?;
/// let product = ivy::matmul(ivy::matrix_transpose(&q)?, &q)?.to_vec::<f32>()?;
/// assert!(product.iter().zip([1.0, 0.0, 0.0, 1.0]).all(|(x, y)| (x - y).abs() < 1e-5));
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// [`ShapeMismatch`](crate::ErrorKind::ShapeMismatch) for fewer than two axes,
/// [`InvalidArgument`](crate::ErrorKind::InvalidArgument) for a dtype that is no float,
/// [`SizeOverflow`](crate::ErrorKind::SizeOverflow).
pub fn orthogonal(shape: impl Into<Shape>, params: impl Into<Orthogonal>) -> Result<Array> {
    let params = Orthogonal { shape: shape.into(), ..params.into() };
    call_one(&ORTHOGONAL, &[] as &[crate::array::Operand<'_>], &params)
}
