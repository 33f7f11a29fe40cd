//! Matrix exponentials.

use crate::array::IntoOperand;
use crate::call::call_one;
use crate::function::{Body, Bound, Composition, Outputs};
use crate::functional::linalg::solve;
use crate::functional::precision::{downcast, upcast};
use crate::functional::{
    Eye, Filled, Max, Sum, abs, add, any, astype, ceil, divide, eye, full, isfinite, less, log2, matmul, max,
    maximum, multiply, pow, stop_gradient, subtract, sum, where_, while_loop,
};
use crate::{Array, ErrorKind, Result};
use smallvec::smallvec;

/// The coefficients of the Padé approximant of degree 13, from that of the highest power down.
const PADE: [f64; 14] = [
    1.0,
    182.0,
    16_380.0,
    960_960.0,
    40_840_800.0,
    1_323_241_920.0,
    33_522_128_640.0,
    670_442_572_800.0,
    10_559_470_521_600.0,
    129_060_195_264_000.0,
    1_187_353_796_428_800.0,
    7_771_770_303_897_600.0,
    32_382_376_266_240_000.0,
    64_764_752_532_480_000.0,
];

/// The norm to which matrices are halved. The approximant is exact to float64 up to 5.37 (N. Higham, "The scaling and
/// squaring method for the matrix exponential revisited", 2005), but its denominator loses digits on the way there.
const REACH: f64 = 2.0;

describe! {
    MATRIX_EXP = "matrix_exp", LinearAlgebra, Compositional, (x: Promoted), PromoteFloat -> [Compute],
    Bound::Matmul, params: (), example: [&[2, 2]], Body::Compose(compose)
}

fn compose(call: &Composition<'_>) -> Result<Outputs> {
    let given = call.array(0);
    let square = matches!(given.shape()[..], [.., m, n] if m == n);
    if !square {
        let (expected, actual) = ("a square matrix in the last two axes".into(), given.shape().clone());
        let function = call.function.name;
        return Err(ErrorKind::ShapeMismatch { function, argument: "x", expected, actual }.into());
    }
    if given.size() == 0 {
        return Ok(smallvec![given.clone()]);
    }
    let x = upcast(given)?;
    let sums = sum(abs(&x)?, Sum::new().axis(-2).keepdims())?;
    // How often a matrix is halved is a whole number, which does not change with it.
    let norm = stop_gradient(&max(sums, Max::new().axis(-1).keepdims())?)?;
    let finite = isfinite(&norm)?;
    let halvings = maximum(ceil(log2(divide(where_(&finite, &norm, 0.0)?, REACH)?)?)?, 0.0)?;
    let scale = astype(pow(2.0, multiply(&halvings, -1.0)?)?, x.dtype())?;
    let scaled = multiply(where_(&finite, &x, 0.0)?, scale)?;
    let iteration = full([], 0.0, Filled::new().dtype(halvings.dtype()))?;
    let [_, found] = while_loop(
        |[iteration, _]| any(less(iteration, &halvings)?, ()),
        |[iteration, y]| Ok([add(iteration, 1.0)?, where_(less(iteration, &halvings)?, matmul(y, y)?, y)?]),
        [iteration, approximant(&scaled)?],
    )?;
    Ok(smallvec![downcast(where_(finite, found, f64::NAN)?, call.compute)?])
}

/// The quotient of polynomials `(V - U)^-1 (V + U)`, `U` the odd powers.
fn approximant(x: &Array) -> Result<Array> {
    let n = x.shape()[x.ndim() - 1];
    // All in units of the last coefficient, so that nothing is far from 1.
    let c = |power: usize| PADE[13 - power] / PADE[13];
    let one = eye(n, Eye::new().dtype(x.dtype()))?;
    let x2 = matmul(x, x)?;
    let x4 = matmul(&x2, &x2)?;
    let x6 = matmul(&x4, &x2)?;
    let powers = |highest: [f64; 3]| -> Result<Array> {
        let [a, b, d] = highest;
        add(add(multiply(&x6, a)?, multiply(&x4, b)?)?, multiply(&x2, d)?)
    };
    let part = |odd: usize| -> Result<Array> {
        let high = matmul(&x6, powers([c(12 + odd), c(10 + odd), c(8 + odd)])?)?;
        let low = add(powers([c(6 + odd), c(4 + odd), c(2 + odd)])?, multiply(&one, c(odd))?)?;
        add(high, low)
    };
    let (even, odd) = (part(0)?, matmul(x, part(1)?)?);
    solve(subtract(&even, &odd)?, add(&even, &odd)?)
}

/// Matrix exponential of square matrices: the sum of `x^k / k!`. By scaling and squaring with the Padé approximant of
/// degree 13, each matrix of a stack as often as it needs. NaN for a matrix that is not finite.
///
/// ```
/// use ivy::prelude::*;
/// let x = Array::try_from([[0.0f64, 1.0], [0.0, 0.0]])?;
/// assert_eq!(ivy::matrix_exp(&x)?.to_vec::<f64>()?, [1.0, 1.0, 0.0, 1.0]);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// [`ShapeMismatch`](ErrorKind::ShapeMismatch) for matrices that are not square.
pub fn matrix_exp<'a>(x: impl IntoOperand<'a>) -> Result<Array> {
    call_one(&MATRIX_EXP, &[x.into_operand()], &())
}
