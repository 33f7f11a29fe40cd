//! Covariances and correlations.

use crate::array::{Array, IntoOperand, Operand};
use crate::call::call_one;
use crate::function::{Body, Bound, Composition, Outputs};
use crate::functional::linalg::diagonal;
use crate::functional::precision::{downcast, upcast};
use crate::functional::{
    Concat, Mean, Sum, astype, clip, concat, divide, matmul, matrix_transpose, maximum, mean, multiply,
    reshape, sqrt, subtract, sum,
};
use crate::{Dtype, ErrorKind, Result, Shape, params};
use smallvec::smallvec;
use std::mem;

params! {
    /// Keyword arguments of [`cov`].
    #[allow(non_snake_case)]
    pub struct Cov {
        /// Whether rows are the variables and columns the observations; otherwise it is the other way round.
        #[allow(non_snake_case)]
        rowVar: bool = true,
        /// Whether the sum is divided by the number of observations instead of one less.
        flag bias,
        /// What is subtracted from the number of observations, whatever `bias` says.
        ddof: Option<i64> = None,
        /// The dtype of the result; a float.
        dtype: Option<Dtype> = None,
        /// More variables, with the same observations.
        operand x2,
        /// How often each observation was made; integers.
        operand fweights,
        /// How much each observation counts.
        operand aweights,
    }
}

describe! {
    COV = "cov", Statistical, Compositional,
    (x1: Promoted, x2: Promoted optional, fweights: Index optional, aweights: Kept optional),
    PromoteFloat -> [Compute], Bound::Sum, params: Cov::new(), example: [&[2, 3], &[2, 3], &[3], &[3]],
    Body::Compose(compose_cov)
}

fn compose_cov(call: &Composition<'_>) -> Result<Outputs> {
    let params = call.params::<Cov>();
    let given = |i: usize| call.arrays.get(i).and_then(Option::as_ref);
    let x = observations(call, given(1), params.rowVar)?;
    let less = params.ddof.unwrap_or(i64::from(!params.bias)) as f64;
    let weights = Weights { frequency: given(2), share: given(3) };
    let found = covariance(call, &x, &weights, less)?;
    Ok(smallvec![downcast(unless_alone(found)?, call.compute)?])
}

/// One variable a row, those of both operands.
fn observations(call: &Composition<'_>, more: Option<&Array>, rows: bool) -> Result<Array> {
    let function = call.function.name;
    let names = [call.function.operands[0].name, call.function.operands[1].name];
    let laid = |x: &Array, argument: &'static str| {
        let x = upcast(x)?;
        match x.ndim() {
            0 | 1 => reshape(&x, Shape::from([1, x.size()]), ()),
            2 if rows => Ok(x),
            2 => matrix_transpose(x),
            _ => {
                let (expected, actual) = ("two axes at most".into(), x.shape().clone());
                Err(ErrorKind::ShapeMismatch { function, argument, expected, actual }.into())
            }
        }
    };
    let x = laid(call.array(0), names[0])?;
    let Some(given) = more else { return Ok(x) };
    let more = laid(given, names[1])?;
    if more.shape()[1] != x.shape()[1] {
        let (expected, actual) = (format!("{} observations", x.shape()[1]), given.shape().clone());
        return Err(ErrorKind::ShapeMismatch { function, argument: names[1], expected, actual }.into());
    }
    concat([&x, &more], Concat::new().axis(0))
}

/// What observations count for.
struct Weights<'a> {
    frequency: Option<&'a Array>,
    share: Option<&'a Array>,
}

/// The covariances of the rows; `less` is subtracted from the number of observations.
fn covariance(call: &Composition<'_>, x: &Array, weights: &Weights<'_>, less: f64) -> Result<Array> {
    let count = x.shape()[1];
    let fitting = |w: Option<&Array>, argument: &'static str| -> Result<Option<Array>> {
        match w {
            None => Ok(None),
            Some(w) if w.shape()[..] == [count] => Ok(Some(astype(w, x.dtype())?)),
            Some(w) => {
                let (function, expected, actual) =
                    (call.function.name, format!("({count},)"), w.shape().clone());
                Err(ErrorKind::ShapeMismatch { function, argument, expected, actual }.into())
            }
        }
    };
    let frequency = fitting(weights.frequency, "fweights")?;
    let share = fitting(weights.share, "aweights")?;
    let all = match (&frequency, &share) {
        (None, None) => {
            let centred = subtract(x, mean(x, Mean::new().axis(1).keepdims())?)?;
            let product = matmul(&centred, matrix_transpose(&centred)?)?;
            return divide(product, (count as f64 - less).max(0.0));
        }
        (Some(frequency), Some(share)) => multiply(frequency, share)?,
        (Some(only), None) | (None, Some(only)) => only.clone(),
    };
    let whole = sum(&all, ())?;
    let centre = divide(sum(multiply(x, &all)?, Sum::new().axis(1).keepdims())?, &whole)?;
    let centred = subtract(x, centre)?;
    let product = matmul(multiply(&centred, &all)?, matrix_transpose(&centred)?)?;
    // Shares are no numbers of observations: what is subtracted is weighted like the rest.
    let lost = match &share {
        None => subtract(&whole, less)?,
        Some(share) => {
            let squares = sum(multiply(&all, share)?, ())?;
            subtract(&whole, multiply(divide(squares, &whole)?, less)?)?
        }
    };
    divide(product, maximum(lost, 0)?)
}

/// The variance of a single variable has no axes.
fn unless_alone(x: Array) -> Result<Array> {
    if x.shape()[..] == [1, 1] { reshape(x, Shape::default(), ()) } else { Ok(x) }
}

/// Covariance matrix: the covariances of variables: the element at `i` and `j` is the mean of the products of the
/// differences of variables `i` and `j` from their means, where the sum is divided by one less than there are
/// observations, or by what `bias` and `ddof` say. A one-dimensional array is one variable. A single variable gives its
/// variance, without axes.
///
/// With weights `w = fweights * aweights` means and sums are weighted, and divided by
/// `sum(w) - ddof * sum(w * aweights) / sum(w)`. A divisor below 0 counts as 0.
///
/// ```
/// use ivy::prelude::*;
/// use ivy::Cov;
/// let x = Array::try_from([[1.0f32, 2.0, 3.0], [6.0, 4.0, 2.0]])?;
/// assert_eq!(ivy::cov(&x, ())?.to_vec::<f32>()?, [1.0, -2.0, -2.0, 4.0]);
/// let times = Array::try_from([1i64, 0, 1])?;
/// assert_eq!(ivy::cov(&x, Cov::new().fweights(&times).bias())?.to_vec::<f32>()?, [1.0, -2.0, -2.0, 4.0]);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// [`ShapeMismatch`](ErrorKind::ShapeMismatch) for more than two axes, other numbers of observations, or weights that
/// are not one for each; [`OutsideDomain`](ErrorKind::OutsideDomain) for complex numbers.
pub fn cov<'a>(x1: impl IntoOperand<'a>, params: impl Into<Cov>) -> Result<Array> {
    let mut params = params.into();
    let mut taken =
        |operand: fn(&mut Cov) -> &mut Operand<'static>| mem::replace(operand(&mut params), Operand::Absent);
    let (x2, fweights) = (taken(|p| &mut p.x2), taken(|p| &mut p.fweights));
    let aweights = taken(|p| &mut p.aweights);
    call_one(&COV, &[x1.into_operand(), x2, fweights, aweights], &params)
}

params! {
    /// Keyword arguments of [`corrcoef`].
    pub struct Corrcoef {
        /// Whether rows are the variables and columns the observations; otherwise it is the other way round.
        rowvar: bool = true,
        /// More variables, with the same observations.
        operand y,
    }
}

describe! {
    CORRCOEF = "corrcoef", Statistical, Compositional, (x: Promoted, y: Promoted optional),
    PromoteFloat -> [Compute], Bound::Sum, params: Corrcoef::new(), example: [&[2, 3], &[2, 3]],
    Body::Compose(compose_corrcoef)
}

fn compose_corrcoef(call: &Composition<'_>) -> Result<Outputs> {
    let x =
        observations(call, call.arrays.get(1).and_then(Option::as_ref), call.params::<Corrcoef>().rowvar)?;
    let found = covariance(call, &x, &Weights { frequency: None, share: None }, 1.0)?;
    let spread = sqrt(diagonal(&found, ())?)?;
    let column = reshape(&spread, Shape::from([spread.size(), 1]), ())?;
    let found = clip(divide(divide(found, column)?, spread)?, -1.0, 1.0)?;
    Ok(smallvec![downcast(unless_alone(found)?, call.compute)?])
}

/// Correlation matrix: Pearson's correlation coefficients of variables: covariances as of [`cov`], divided by the
/// standard deviations of both variables. NaN of a variable that does not vary.
///
/// ```
/// use ivy::prelude::*;
/// let x = Array::try_from([[1.0f32, 2.0, 3.0], [6.0, 4.0, 2.0]])?;
/// assert_eq!(ivy::corrcoef(&x, ())?.to_vec::<f32>()?, [1.0, -1.0, -1.0, 1.0]);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// As [`cov`].
pub fn corrcoef<'a>(x: impl IntoOperand<'a>, params: impl Into<Corrcoef>) -> Result<Array> {
    let mut params = params.into();
    let y = mem::replace(&mut params.y, Operand::Absent);
    call_one(&CORRCOEF, &[x.into_operand(), y], &params)
}
