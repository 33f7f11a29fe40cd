//! 1-D convolution and cross-correlation.

use crate::array::{Array, IntoOperand};
use crate::call::call_one;
use crate::function::{Body, Bound, Composition, Outputs};
use crate::functional::indexing::gather::mismatch;
use crate::functional::{Flip, conj, flip, reshape};
use crate::op::ConvOp;
use crate::{Op, Result, Shape, params, primitive};
use smallvec::smallvec;

/// Which sums of a convolution are given.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Overlap {
    /// Those in which the sequences have at least one element in common.
    #[default]
    Full,
    /// As many as the longer sequence has elements, from the middle of the full ones.
    Same,
    /// Those in which all of the shorter sequence lies within the longer one.
    Valid,
}

param_words! { Overlap: "full" => Full, "same" => Same, "valid" => Valid }

params! {
    /// Arguments of [`convolve`].
    pub struct Convolve {
        /// Which of the sums are given.
        mode: Overlap = Overlap::Full,
    }
}

params! {
    /// Arguments of [`correlate`].
    pub struct Correlate {
        /// Which of the sums are given.
        mode: Overlap = Overlap::Valid,
    }
}

/// `sum over i of w[i] * x[p + i - (m - 1)]` of `m` elements `w`, for `len` numbers `p` from `start` on.
fn sums(function: &'static str, x: &Array, w: &Array, start: usize, len: usize) -> Result<Array> {
    let (n, m) = (x.size(), w.size());
    let (before, behind) = (m - 1 - start, len as i64 + start as i64 - n as i64);
    let op = ConvOp { padding: smallvec![(before as i64, behind)], ..ConvOp::new(1) };
    let line = |x: &Array| reshape(x, Shape::from([1, 1, x.size()]), ());
    let found = primitive::run(function, &Op::Conv(op), &[&line(x)?, &line(w)?])?;
    reshape(found, Shape::from([len]), ())
}

/// Checks the operands and that the result can be as long as it is.
fn checked(call: &Composition<'_>) -> Result<(usize, usize)> {
    let function = call.function.name;
    for (i, argument) in [(0, "a"), (1, "v")] {
        let x = call.array(i);
        if x.ndim() != 1 || x.size() == 0 {
            return Err(mismatch(function, argument, "one axis, not empty".into(), x.shape()));
        }
    }
    let (n, m) = (call.array(0).size(), call.array(1).size());
    Shape::from([n.saturating_add(m - 1)]).checked_size(function, call.compute)?;
    Ok((n, m))
}

describe! {
    CONVOLVE = "convolve", General, Compositional, (a: Promoted, v: Promoted), Promote -> [Compute],
    Bound::Matmul, params: Convolve::new(), example: [&[2], &[2]], Body::Compose(compose_convolve)
}

fn compose_convolve(call: &Composition<'_>) -> Result<Outputs> {
    let (n, m) = checked(call)?;
    let (long, short) = (n.max(m), n.min(m));
    let (x, w) = if n >= m { (call.array(0), call.array(1)) } else { (call.array(1), call.array(0)) };
    let (start, len) = match call.params::<Convolve>().mode {
        Overlap::Full => (0, n + m - 1),
        Overlap::Same => ((short - 1) / 2, long),
        Overlap::Valid => (short - 1, long - short + 1),
    };
    Ok(smallvec![sums(call.function.name, x, &flip(w, Flip::new())?, start, len)?])
}

/// 1-D convolution of two sequences, `sum over i of a[i] * v[k - i]` for each `k` for which there is an `i`: the
/// coefficients of the product of two polynomials. Of these `n + m - 1` sums `mode` takes some. Integers wrap.
///
/// ```
/// use ivy::prelude::*;
/// use ivy::Overlap;
/// let (a, v) = (Array::try_from([1i32, 2, 3])?, Array::try_from([0i32, 1, 5])?);
/// assert_eq!(ivy::convolve(&a, &v, Overlap::Full)?.to_vec::<i32>()?, [0, 1, 7, 13, 15]);
/// assert_eq!(ivy::convolve(&a, &v, Overlap::Same)?.to_vec::<i32>()?, [1, 7, 13]);
/// assert_eq!(ivy::convolve(&a, &v, Overlap::Valid)?.to_vec::<i32>()?, [7]);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// [`ShapeMismatch`](crate::ErrorKind::ShapeMismatch) unless both have one axis and elements,
/// [`OutsideDomain`](crate::ErrorKind::OutsideDomain) for bool.
pub fn convolve<'a, 'b>(a: impl IntoOperand<'a>, v: impl IntoOperand<'b>, mode: Overlap) -> Result<Array> {
    call_one(&CONVOLVE, &[a.into_operand(), v.into_operand()], &Convolve { mode })
}

describe! {
    CORRELATE = "correlate", General, Compositional, (a: Promoted, v: Promoted), Promote -> [Compute],
    Bound::Matmul, params: Correlate::new(), example: [&[2], &[2]], Body::Compose(compose_correlate)
}

fn compose_correlate(call: &Composition<'_>) -> Result<Outputs> {
    let (n, m) = checked(call)?;
    let (long, short) = (n.max(m), n.min(m));
    let v = if call.compute.is_complex() { conj(call.array(1))? } else { call.array(1).clone() };
    let (start, len) = match call.params::<Correlate>().mode {
        Overlap::Full => (0, n + m - 1),
        // The middle of an even number of sums is that of the sums from the longer one's end.
        Overlap::Same => (if n >= m { (short - 1) / 2 } else { short / 2 }, long),
        Overlap::Valid => (short - 1, long - short + 1),
    };
    Ok(smallvec![sums(call.function.name, call.array(0), &v, start, len)?])
}

/// 1-D cross-correlation of two sequences, `sum over i of a[i + k] * conj(v[i])` for each `k`, from that which has only
/// the first element of `a` to that which has only its last. Of these `n + m - 1` sums `mode` takes some. Integers
/// wrap.
///
/// ```
/// use ivy::prelude::*;
/// use ivy::Overlap;
/// let (a, v) = (Array::try_from([1i32, 2, 3])?, Array::try_from([0i32, 1, 5])?);
/// assert_eq!(ivy::correlate(&a, &v, Overlap::Full)?.to_vec::<i32>()?, [5, 11, 17, 3, 0]);
/// assert_eq!(ivy::correlate(&a, &v, Overlap::Valid)?.to_vec::<i32>()?, [17]);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// [`ShapeMismatch`](crate::ErrorKind::ShapeMismatch) unless both have one axis and elements,
/// [`OutsideDomain`](crate::ErrorKind::OutsideDomain) for bool.
pub fn correlate<'a, 'b>(a: impl IntoOperand<'a>, v: impl IntoOperand<'b>, mode: Overlap) -> Result<Array> {
    call_one(&CORRELATE, &[a.into_operand(), v.into_operand()], &Correlate { mode })
}
