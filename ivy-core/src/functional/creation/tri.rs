//! Lower triangular matrices of ones.

use crate::array::Operand;
use crate::call::call_one;
use crate::function::{Body, Bound, Composition, Outputs};
use crate::functional::{Filled, Triangle, ones, tril};
use crate::{Array, Device, Dtype, Result, Shape, params};
use smallvec::smallvec;

params! {
    /// Arguments of [`tri`].
    pub struct Tri {
        /// How many rows.
        n_rows: usize = 2usize,
        /// How many columns; as many as rows if not given.
        n_cols: Option<usize> = None,
        /// The diagonal up to which there are ones: positive is above the main one, negative below.
        k: i64 = 0,
        /// The dtype.
        dtype: Option<Dtype> = None,
        /// The device.
        device: Option<Device> = None,
    }
}

describe! {
    TRI = "tri", Creation, Compositional, (), Default -> [Compute],
    Bound::Exact, params: Tri::new(), example: [], Body::Compose(compose_tri)
}

fn compose_tri(call: &Composition<'_>) -> Result<Outputs> {
    let params = call.params::<Tri>();
    let shape = Shape::from([params.n_rows, params.n_cols.unwrap_or(params.n_rows)]);
    shape.checked_size(call.function.name, call.compute)?;
    Ok(smallvec![tril(ones(shape, Filled::new().dtype(call.compute))?, Triangle::new().k(params.k))?])
}

/// Lower triangular matrix: ones on diagonal `k` and below it, and zeros above.
///
/// ```
/// use ivy::{Tri, prelude::*};
/// let x = ivy::tri(2, Tri::new().n_cols(3usize).k(1))?;
/// assert_eq!(x.to_vec::<f32>()?, [1.0, 1.0, 0.0, 1.0, 1.0, 1.0]);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// [`SizeOverflow`](crate::ErrorKind::SizeOverflow), [`MemoryLimit`](crate::ErrorKind::MemoryLimit).
pub fn tri(n_rows: usize, params: impl Into<Tri>) -> Result<Array> {
    call_one(&TRI, &[] as &[Operand<'_>], &params.into().n_rows(n_rows))
}
