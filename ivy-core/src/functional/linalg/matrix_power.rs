//! Integer powers of matrices.

use super::checks::squares;
use super::{inv, matmul};
use crate::array::IntoOperand;
use crate::call::call_one;
use crate::function::{Body, Bound, Composition, Outputs, ParamField, ParamValue};
use crate::functional::{broadcast_to, eye};
use crate::{Array, ErrorKind, Result, params};
use smallvec::smallvec;

/// A whole exponent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Exponent(pub i64);

impl From<i64> for Exponent {
    fn from(n: i64) -> Exponent {
        Exponent(n)
    }
}

impl ParamField for Exponent {
    const TYPE: &'static str = "int";
    fn from_value(value: ParamValue) -> Option<Exponent> {
        i64::from_value(value).map(Exponent)
    }

    fn variant(&self) -> u64 {
        // Inverses, nothing but ones, no product, products.
        match self.0 {
            ..0 => 0,
            0 => 1,
            1 => 2,
            _ => 3,
        }
    }
}

params! {
    /// The arguments of [`matrix_power`].
    pub struct MatrixPower {
        /// The exponent.
        n: Exponent = Exponent(1),
    }
}

describe! {
    MATRIX_POWER = "matrix_power", Linalg, Compositional, (x: Promoted), Promote -> [Compute],
    Bound::Matmul, params: MatrixPower::new(), example: [&[2, 2]], Body::Compose(compose)
}

fn compose(call: &Composition<'_>) -> Result<Outputs> {
    let (function, x, Exponent(n)) = (call.function.name, call.array(0), call.params::<MatrixPower>().n);
    let size = squares(function, "x", x.shape())?;
    if n < 0 && call.compute.is_int() {
        let (value, rule) = (n.to_string(), "integers have powers of 0 or more; cast x to a float first");
        return Err(ErrorKind::InvalidArgument { function, argument: "n", value, rule }.into());
    }
    if n == 0 {
        return Ok(smallvec![broadcast_to(eye(size, call.compute)?, x.shape().clone())?]);
    }
    let mut square = if n < 0 { inv(x)? } else { x.clone() };
    let mut left = n.unsigned_abs();
    let mut product: Option<Array> = None;
    loop {
        if left & 1 == 1 {
            product = Some(match &product {
                Some(product) => matmul(product, &square)?,
                None => square.clone(),
            });
        }
        left >>= 1;
        if left == 0 {
            break;
        }
        square = matmul(&square, &square)?;
    }
    Ok(product.into_iter().collect())
}

/// Matrix power: the product of `n` times the matrix; of `-n` times its inverse for a negative `n`, and the identity
/// for 0. Integers wrap.
///
/// ```
/// use ivy::prelude::*;
/// let x = Array::try_from([[1i32, 1], [1, 0]])?;
/// assert_eq!(ivy::linalg::matrix_power(&x, 5)?.to_vec::<i32>()?, [8, 5, 5, 3]);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// [`ShapeMismatch`](crate::ErrorKind::ShapeMismatch) for matrices that are not square,
/// [`SingularMatrix`](crate::ErrorKind::SingularMatrix) for a negative `n`,
/// [`InvalidArgument`](crate::ErrorKind::InvalidArgument) for a negative `n` and integers,
/// [`OutsideDomain`](crate::ErrorKind::OutsideDomain) for bool.
pub fn matrix_power<'a>(x: impl IntoOperand<'a>, n: impl Into<Exponent>) -> Result<Array> {
    call_one(&MATRIX_POWER, &[x.into_operand()], &MatrixPower::new().n(n))
}
