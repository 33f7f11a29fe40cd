//! Searching functions of the Array API standard.

use crate::array::{IntoOperand, Operand};
use crate::call::{call, call_one};
use crate::function::{Body, Bound, Composition, Outputs, Request};
use crate::functional::statistical::max_min::check_not_empty;
use crate::functional::{Filled, Flip, astype, concat, flip, full, reshape, subtract};
use crate::{Array, Dims, Dtype, ErrorKind, Op, Result, Shape, params, primitive, shape};
use smallvec::smallvec;
use std::mem;

params! {
    /// Keyword arguments of [`argmax`] and [`argmin`].
    pub struct ArgMax {
        /// The axis to search; the flat array if not given.
        axis: Option<i64> = None,
        /// Keep the searched axis (all axes, without `axis`) with length 1.
        flag keepdims,
        /// The dtype of the positions; int64 if not given.
        extended dtype: Option<Dtype> = None,
        /// Whether the last of equal elements is found.
        extended flag select_last_index,
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

/// The positions of the last of equal elements, or in another dtype.
fn extended_arg(call: &Composition<'_>, max: bool) -> Result<Outputs> {
    let (function, x, params) = (call.function.name, call.array(0), call.params::<ArgMax>());
    let plain = ArgMax { dtype: None, select_last_index: false, ..params.clone() };
    let search = |x: &Array| if max { argmax(x, plain.clone()) } else { argmin(x, plain.clone()) };
    let places = match params.select_last_index {
        false => search(x)?,
        true => {
            // Counted from the other end, the last one is the first.
            let axis = params.axis.map(|a| shape::normalize_axis(function, a, x.ndim())).transpose()?;
            let len = axis.map_or(x.size(), |a| x.shape()[a]);
            let flipped = match axis {
                Some(axis) => flip(x, Flip::new().axis(axis as i64))?,
                None => flip(reshape(x, x.shape().clone(), ())?, ())?,
            };
            subtract(len as i64 - 1, search(&flipped)?)?
        }
    };
    Ok(smallvec![positions(places, params.dtype)?])
}

/// Positions in the dtype that is asked for.
pub(in crate::functional) fn positions(places: Array, dtype: Option<Dtype>) -> Result<Array> {
    match dtype {
        Some(dtype) if dtype != places.dtype() => astype(places, dtype),
        _ => Ok(places),
    }
}

describe! {
    ARGMAX = "argmax", Searching, Primary, (x: Promoted), Promote -> [Index],
    Bound::Exact, params: ArgMax::new(), example: [&[2, 2]], Body::Op(|request| lower_arg(request, true)),
    extended: |call| extended_arg(call, true)
}

/// Argmax: index of the first greatest element along an axis, or in the flat array; int64. The first NaN, if there is
/// one.
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
    Bound::Exact, params: ArgMin::new(), example: [&[2, 2]], Body::Op(|request| lower_arg(request, false)),
    extended: |call| extended_arg(call, false)
}

/// Argmin: index of the first least element along an axis, or in the flat array; int64. The first NaN, if there is one.
///
/// # Errors
/// As [`argmax`].
pub fn argmin<'a>(x: impl IntoOperand<'a>, params: impl Into<ArgMin>) -> Result<Array> {
    call_one(&ARGMIN, &[x.into_operand()], &params.into())
}

params! {
    /// Keyword arguments of [`nonzero_with`].
    pub struct NonzeroParams {
        /// How many places are given: those beyond are left out, and what lacks is `fill_value`.
        extended size: Option<usize> = None,
        /// The index that stands where there are fewer places than `size`.
        fill_value: i64 = 0,
    }
}

describe! {
    NONZERO = "nonzero", Searching, Primary, (x: Promoted), Promote -> [Index],
    Bound::Exact, params: NonzeroParams::new(), example: [&[2, 2]], Body::Op(lower_nonzero),
    extended: |call| {
        let &NonzeroParams { size, fill_value } = call.params::<NonzeroParams>();
        let all = nonzero(call.array(0))?;
        let Some(size) = size else { return Ok(all.into()) };
        Shape::from([size]).checked_size(call.function.name, Dtype::INT64)?;
        let fitted = |places: Array| {
            let found = places.size().min(size);
            let kept = places.get(crate::s![..found as i64])?;
            let rest = full(size - found, fill_value, Filled::new().dtype(Dtype::INT64))?;
            concat([kept, rest], ())
        };
        all.into_iter().map(fitted).collect()
    }
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

/// Indices of non-zero elements: where the elements that are not zero stand: one int64 array of indices for each axis,
/// in row-major order. NaN is not zero. Of a mask of one axis, that is the places of what it keeps.
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

/// [`nonzero`] with keyword arguments: so many places whatever the elements are.
///
/// ```
/// use ivy::prelude::*;
/// let x = Array::try_from([0i32, 1, 2])?;
/// let places = ivy::nonzero_with(&x, ivy::NonzeroParams::new().size(3usize).fill_value(-1))?;
/// assert_eq!(places[0].to_vec::<i64>()?, [1, 2, -1]);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// As [`nonzero`].
pub fn nonzero_with<'a>(x: impl IntoOperand<'a>, params: impl Into<NonzeroParams>) -> Result<Vec<Array>> {
    Ok(call(&NONZERO, &[x.into_operand()], &params.into())?.into_vec())
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
        /// The dtype of the positions; int64 if not given.
        ret_dtype: Option<Dtype> = None,
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
    let &SearchSorted { side, ret_dtype, .. } = call.params::<SearchSorted>();
    let right = side == Side::Right;
    let places = primitive::run(function, &Op::SearchSorted { right }, &[&sorted, x2])?;
    Ok(smallvec![positions(places, ret_dtype)?])
}

/// Binary search: where each element of `x2` goes in the ascending `x1` to keep it ascending; int64, in the shape of
/// `x2`. NaN goes last.
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
