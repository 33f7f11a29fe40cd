//! Base-2 exponentials and log-add-exp, and products with logarithms.

use crate::Result;
use crate::array::{Array, IntoOperand};
use crate::call::{binary, unary};
use crate::function::{Body, Bound, Composition, Outputs};
use crate::functional::precision::{downcast, upcast};
use crate::functional::{
    add, divide, equal, less_equal, log, log1p, logical_and, logical_or, maximum, minimum, multiply, pow,
    subtract, where_,
};
use smallvec::smallvec;
use std::f64::consts::LN_2;

describe! {
    EXP2 = "exp2", Elementwise, Compositional, (x: Promoted), PromoteFloat -> [Compute],
    Bound::Ulp { float32: 1.5, float64: 2.5 }, params: (), example: [&[2]],
    Body::Compose(|call| Ok(smallvec![pow(2.0, call.array(0))?]))
}

/// Base-2 exponential: 2 to the power of each element.
///
/// ```
/// use ivy::prelude::*;
/// assert_eq!(ivy::exp2(&Array::try_from([3i32, -1])?)?.to_vec::<f32>()?, [8.0, 0.5]);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// [`OutsideDomain`](crate::ErrorKind::OutsideDomain) for complex numbers, and the backend's refusal.
pub fn exp2<'a>(x: impl IntoOperand<'a>) -> Result<Array> {
    unary(&EXP2, x)
}

describe! {
    LOGADDEXP2 = "logaddexp2", Elementwise, Compositional, (x1: Promoted, x2: Promoted),
    PromoteFloat -> [Compute], Bound::Composed(4.0), params: (), example: [&[2], &[2]],
    Body::Compose(compose_logaddexp2)
}

fn compose_logaddexp2(call: &Composition<'_>) -> Result<Outputs> {
    let (x1, x2) = (&upcast(call.array(0))?, &upcast(call.array(1))?);
    let top = maximum(x1, x2)?;
    // Two equal infinities have no difference.
    let gap = where_(equal(x1, x2)?, 0.0, subtract(minimum(x1, x2)?, &top)?)?;
    let more = divide(log1p(pow(2.0, gap)?)?, LN_2)?;
    Ok(smallvec![downcast(add(top, more)?, call.compute)?])
}

/// Base-2 log-add-exp: `log2(2^x1 + 2^x2)` without overflow between. The error is a few units of the greater operand.
///
/// ```
/// use ivy::prelude::*;
/// let x = Array::try_from([1000.0f32, -1000.0])?;
/// assert_eq!(ivy::logaddexp2(&x, &x)?.to_vec::<f32>()?, [1001.0, -999.0]);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// As [`logaddexp`](crate::functional::logaddexp).
pub fn logaddexp2<'a, 'b>(x1: impl IntoOperand<'a>, x2: impl IntoOperand<'b>) -> Result<Array> {
    binary(&LOGADDEXP2, x1, x2)
}

describe! {
    XLOGY = "xlogy", Elementwise, Compositional, (x: Promoted, y: Promoted), PromoteFloat -> [Compute],
    Bound::Ulp { float32: 3.0, float64: 5.0 }, params: (), example: [&[2], &[2]], Body::Compose(compose_xlogy)
}

fn compose_xlogy(call: &Composition<'_>) -> Result<Outputs> {
    let (x, y) = (call.array(0), call.array(1));
    let unbounded = logical_or(less_equal(y, 0)?, equal(y, f64::INFINITY)?)?;
    // A logarithm that is taken is a number, so that derivatives are as well.
    let taken = where_(logical_and(equal(x, 0)?, unbounded)?, 1.0, y)?;
    Ok(smallvec![multiply(x, log(taken)?)?])
}

/// Product with a logarithm: `x * log(y)`, and 0 where `x` is 0 and `y` is not NaN.
///
/// ```
/// use ivy::prelude::*;
/// let x = Array::try_from([0.0f32, 2.0])?;
/// let y = ivy::xlogy(&x, &Array::try_from([0.0f32, 4.0])?)?.to_vec::<f32>()?;
/// assert!(y[0] == 0.0 && (y[1] - 2.0 * 4f32.ln()).abs() < 1e-6);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// [`OutsideDomain`](crate::ErrorKind::OutsideDomain) for complex numbers, and as for any function of two operands.
pub fn xlogy<'a, 'b>(x: impl IntoOperand<'a>, y: impl IntoOperand<'b>) -> Result<Array> {
    binary(&XLOGY, x, y)
}
