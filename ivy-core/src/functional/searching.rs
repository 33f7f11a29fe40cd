//! Searching.

use super::statistical::check_not_empty;
use crate::array::{IntoOperand, Operand};
use crate::call::{call, call_one};
use crate::function::{Body, Bound, Composition, Outputs, Request};
use crate::{Array, Dims, ErrorKind, Op, Result, params, primitive, shape};
use smallvec::smallvec;
use std::mem;

params! {
    /// Keyword arguments of [`argmax`] and [`argmin`].
    pub struct ArgMax {
        /// The axis to search; the flat array if not given.
        axis: Option<i64> = None,
        /// Keep the searched axis (all axes, without `axis`) with length 1.
        flag keepdims,
    }
}
/// Keyword arguments of [`argmin`], the same as of [`argmax`].
pub type ArgMin = ArgMax;

fn lower_arg(request: &Request<'_>, max: bool) -> Result<Op> {
    let (function, shape) = (request.function.name, request.shape(0));
    let params = request.params::<ArgMax>();
    let axis = params.axis.map(|a| shape::normalize_axis(function, a, shape.len())).transpose()?;
    let searched: Dims = match axis {
        Some(axis) => smallvec![axis],
        None => (0..shape.len()).collect(),
    };
    check_not_empty(function, shape, &searched)?;
    Ok(Op::ArgReduce { max, axis, keepdims: params.keepdims })
}

describe! {
    ARGMAX = "argmax", Searching, Primary, (x: Promoted), Promote -> [Index],
    Bound::Exact, params: ArgMax::new(), example: [&[2, 2]], Body::Op(|request| lower_arg(request, true))
}

/// Index of the first greatest element along an axis, or in the flat array; int64. The first
/// NaN, if there is one.
///
/// ```
/// use ivy::prelude::*;
/// let x = Array::try_from([[1.0f32, 3.0], [f32::NAN, 3.0]])?;
/// assert_eq!(ivy::argmax(&x, ArgMax::new().axis(0))?.to_vec::<i64>()?, [1, 0]);
/// assert_eq!(ivy::argmin(&x, ())?.item::<i64>()?, 2);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// [`EmptyReduction`](crate::ErrorKind::EmptyReduction) over no elements,
/// [`AxisOutOfRange`](crate::ErrorKind::AxisOutOfRange),
/// [`OutsideDomain`](crate::ErrorKind::OutsideDomain) for bool and complex numbers.
pub fn argmax<'a>(x: impl IntoOperand<'a>, params: impl Into<ArgMax>) -> Result<Array> {
    call_one(&ARGMAX, &[x.into_operand()], &params.into())
}

describe! {
    ARGMIN = "argmin", Searching, Primary, (x: Promoted), Promote -> [Index],
    Bound::Exact, params: ArgMin::new(), example: [&[2, 2]], Body::Op(|request| lower_arg(request, false))
}

/// Index of the first least element along an axis, or in the flat array; int64. The first NaN,
/// if there is one.
///
/// # Errors
/// As [`argmax`].
pub fn argmin<'a>(x: impl IntoOperand<'a>, params: impl Into<ArgMin>) -> Result<Array> {
    call_one(&ARGMIN, &[x.into_operand()], &params.into())
}

describe! {
    NONZERO = "nonzero", Searching, Primary, (x: Promoted), Promote -> [Index],
    Bound::Exact, params: (), example: [&[2, 2]], Body::Op(lower_nonzero)
}

fn lower_nonzero(request: &Request<'_>) -> Result<Op> {
    let shape = request.shape(0);
    if shape.is_empty() {
        let (expected, actual) = ("at least one axis".into(), shape.into());
        let function = request.function.name;
        return Err(ErrorKind::ShapeMismatch { function, argument: "x", expected, actual }.into());
    }
    Ok(Op::Nonzero)
}

/// Where the elements that are not zero stand: one int64 array of indices for each axis, in
/// row-major order. NaN is not zero. Of a mask of one axis, that is the places of what it keeps.
///
/// ```
/// use ivy::prelude::*;
/// let x = Array::try_from([[0i32, 1], [2, 0]])?;
/// let places = ivy::nonzero(&x)?;
/// assert_eq!(places[0].to_vec::<i64>()?, [0, 1]);
/// assert_eq!(places[1].to_vec::<i64>()?, [1, 0]);
/// let kept = ivy::nonzero(&Array::try_from([true, false, true])?)?.remove(0);
/// assert_eq!(kept.to_vec::<i64>()?, [0, 2]);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// [`ShapeMismatch`](crate::ErrorKind::ShapeMismatch) for an array without axes.
#[doc(alias = "compress")]
pub fn nonzero<'a>(x: impl IntoOperand<'a>) -> Result<Vec<Array>> {
    Ok(call(&NONZERO, &[x.into_operand()], &())?.into_vec())
}

/// On which side of equal elements a value is put in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Side {
    /// Before them.
    #[default]
    Left,
    /// After them.
    Right,
}

param_words! { Side: "left" => Left, "right" => Right }

params! {
    /// Keyword arguments of [`searchsorted`].
    pub struct SearchSorted {
        /// Where values go that are there already.
        side: Side = Side::Left,
        /// Integer indices that sort `x1`, as [`argsort`](crate::functional::argsort) gives them.
        operand sorter,
    }
}

describe! {
    SEARCHSORTED = "searchsorted", Searching, Mixed, (x1: Promoted, x2: Promoted, sorter: Index optional),
    Promote -> [Index], Bound::Exact, params: SearchSorted::new(), example: [&[2], &[2], &[2]],
    Body::Compose(compose_searchsorted)
}

fn compose_searchsorted(call: &Composition<'_>) -> Result<Outputs> {
    let function = call.function.name;
    let (x1, x2) = (call.array(0), call.array(1));
    let mismatch = |argument, expected: String, actual: &Array| -> crate::Error {
        let actual = actual.shape().clone();
        ErrorKind::ShapeMismatch { function, argument, expected, actual }.into()
    };
    if x1.ndim() != 1 {
        return Err(mismatch("x1", "one axis".into(), x1));
    }
    let sorted = match &call.arrays[2] {
        None => x1.clone(),
        Some(sorter) if sorter.shape() != x1.shape() => {
            return Err(mismatch("sorter", x1.shape().to_string(), sorter));
        }
        Some(sorter) => primitive::run(function, &Op::Take { axis: 0 }, &[x1, sorter])?,
    };
    let right = call.params::<SearchSorted>().side == Side::Right;
    Ok(smallvec![primitive::run(function, &Op::SearchSorted { right }, &[&sorted, x2])?])
}

/// Where each element of `x2` goes in the ascending `x1` to keep it ascending; int64, in the
/// shape of `x2`. NaN goes last.
///
/// ```
/// use ivy::prelude::*;
/// let x = Array::try_from([30i32, 10, 20])?;
/// let sorter = ivy::argsort(&x, ())?;
/// let keywords = SearchSorted::new().sorter(&sorter).side(Side::Right);
/// let values = Array::try_from([5i32, 20, 99])?;
/// assert_eq!(ivy::searchsorted(&x, &values, keywords)?.to_vec::<i64>()?, [0, 2, 3]);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// [`ShapeMismatch`](crate::ErrorKind::ShapeMismatch) if `x1` has not one axis, or the sorter
/// another shape; [`IndexOutOfRange`](crate::ErrorKind::IndexOutOfRange) in the sorter;
/// [`OutsideDomain`](crate::ErrorKind::OutsideDomain) for bool and complex numbers.
pub fn searchsorted<'a, 'b>(
    x1: impl IntoOperand<'a>,
    x2: impl IntoOperand<'b>,
    params: impl Into<SearchSorted>,
) -> Result<Array> {
    let mut params = params.into();
    let sorter = mem::replace(&mut params.sorter, Operand::Absent);
    call_one(&SEARCHSORTED, &[x1.into_operand(), x2.into_operand(), sorter], &params)
}
