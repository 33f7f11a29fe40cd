//! Mode-n matricization and its inverse.

use super::{moveaxis, reshape};
use crate::array::{Array, IntoOperand};
use crate::call::call_one;
use crate::function::{Body, Bound, Composition, Outputs};
use crate::{Dims, ErrorKind, Result, Shape, params, shape};
use smallvec::smallvec;

params! {
    /// Arguments of [`unfold`].
    pub struct Unfold {
        /// The axis that becomes that of the rows.
        mode: i64 = 0,
    }
}

params! {
    /// Keyword arguments of [`partial_unfold`].
    pub struct PartialUnfold {
        /// The axis that becomes that of the rows, counted behind those that are skipped.
        mode: i64 = 0,
        /// How many axes at the beginning stay as they are.
        skip_begin: usize = 1usize,
        /// How many axes at the end stay as they are.
        skip_end: usize = 0usize,
        /// The rows stand one behind the other, along one axis.
        flag ravel_tensors,
    }
}

params! {
    /// Arguments of [`fold`] and [`partial_fold`].
    pub struct Fold {
        /// The axis of the rows, counted behind those that are skipped; an argument of the function.
        mode: i64 = 0,
        /// The shape of the result; an argument of the function.
        shape: Shape = Shape::from(()),
        /// How many axes at the beginning stay as they are.
        skip_begin: usize = 0usize,
    }
}

describe! {
    UNFOLD = "unfold", Manipulation, Compositional, (x: Kept), LikeOperand -> [Compute],
    Bound::Exact, params: Unfold::new(), example: [&[2, 3, 2]],
    Body::Compose(|call| {
        let mode = call.params::<Unfold>().mode;
        compose_unfold(call, &PartialUnfold { mode, skip_begin: 0, ..PartialUnfold::new() })
    })
}

describe! {
    PARTIAL_UNFOLD = "partial_unfold", Manipulation, Compositional, (x: Kept), LikeOperand -> [Compute],
    Bound::Exact, params: PartialUnfold::new(), example: [&[2, 3, 2]],
    Body::Compose(|call| compose_unfold(call, call.params()))
}

fn compose_unfold(call: &Composition<'_>, p: &PartialUnfold) -> Result<Outputs> {
    let (function, x) = (call.function.name, call.array(0));
    let n = x.ndim();
    let Some(kept) = p.skip_begin.checked_add(p.skip_end).filter(|&kept| kept < n) else {
        let (argument, actual) = ("x", x.shape().clone());
        let expected = "an axis more than are skipped".into();
        return Err(ErrorKind::ShapeMismatch { function, argument, expected, actual }.into());
    };
    let mode = p.skip_begin + shape::normalize_axis(function, p.mode, n - kept)?;
    let (end, own) = (n - p.skip_end, x.shape());
    let others = (p.skip_begin..end).filter(|&a| a != mode).map(|a| own[a]).product::<usize>();
    let mut to = Dims::from_slice(&own[..p.skip_begin]);
    match p.ravel_tensors {
        true => to.push(own[mode] * others),
        false => to.extend([own[mode], others]),
    }
    to.extend(own[end..].iter().copied());
    let fronted = moveaxis(x, mode as i64, p.skip_begin as i64)?;
    Ok(smallvec![reshape(fronted, Shape::from(to), ())?])
}

/// Mode-n matricization: an array as a matrix whose rows are its parts along an axis: `[n, size / n]`, each row in
/// row-major order.
///
/// ```
/// use ivy::prelude::*;
/// let x = Array::try_from([[1i32, 2, 3], [4, 5, 6]])?;
/// assert_eq!(ivy::unfold(&x, 1)?.to_vec::<i32>()?, [1, 4, 2, 5, 3, 6]);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// [`AxisOutOfRange`](crate::ErrorKind::AxisOutOfRange), [`ShapeMismatch`](crate::ErrorKind::ShapeMismatch) for an array
/// without axes.
pub fn unfold<'a>(x: impl IntoOperand<'a>, mode: i64) -> Result<Array> {
    call_one(&UNFOLD, &[x.into_operand()], &Unfold::new().mode(mode))
}

/// Batched matricization: [`unfold`] of each entry along the first axes, of which there are `skip_begin`; `skip_end`
/// axes at the end stay as well.
///
/// ```
/// use ivy::{PartialUnfold, prelude::*};
/// let x = ivy::ones([2, 3, 4, 5], ())?;
/// let rows = PartialUnfold::new();
/// assert_eq!(ivy::partial_unfold(&x, rows.clone().mode(1))?.shape().to_vec(), [2, 4, 15]);
/// assert_eq!(ivy::partial_unfold(&x, rows.skip_end(1usize).ravel_tensors())?.shape().to_vec(), [2, 12, 5]);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// [`AxisOutOfRange`](crate::ErrorKind::AxisOutOfRange), [`ShapeMismatch`](crate::ErrorKind::ShapeMismatch) for an array
/// with no axis but those that are skipped.
pub fn partial_unfold<'a>(x: impl IntoOperand<'a>, params: impl Into<PartialUnfold>) -> Result<Array> {
    call_one(&PARTIAL_UNFOLD, &[x.into_operand()], &params.into())
}

describe! {
    FOLD = "fold", Manipulation, Compositional, (x: Kept), LikeOperand -> [Compute],
    Bound::Exact, params: Fold::new().shape([2, 3]), example: [&[2, 3]], Body::Compose(compose_fold)
}

describe! {
    PARTIAL_FOLD = "partial_fold", Manipulation, Compositional, (x: Kept), LikeOperand -> [Compute],
    Bound::Exact, params: Fold::new().shape([2, 3]).skip_begin(1usize), example: [&[2, 3]],
    Body::Compose(compose_fold)
}

fn compose_fold(call: &Composition<'_>) -> Result<Outputs> {
    let (function, x, p) = (call.function.name, call.array(0), call.params::<Fold>());
    let size = p.shape.checked_size(function, call.compute)?;
    if p.skip_begin >= p.shape.len() || size != x.size() {
        let (value, rule) =
            (format!("{} for {}", p.shape, x.shape()), "as many elements, and an axis more than are skipped");
        return Err(ErrorKind::InvalidArgument { function, argument: "shape", value, rule }.into());
    }
    let mode = p.skip_begin + shape::normalize_axis(function, p.mode, p.shape.len() - p.skip_begin)?;
    let mut fronted = Dims::from_slice(&p.shape);
    let rows = fronted.remove(mode);
    fronted.insert(p.skip_begin, rows);
    let x = reshape(x, Shape::from(fronted), ())?;
    Ok(smallvec![moveaxis(x, p.skip_begin as i64, mode as i64)?])
}

/// Inverse of mode-n matricization: the array of a shape that [`unfold`] along an axis makes this matrix of.
///
/// ```
/// use ivy::prelude::*;
/// let x = Array::try_from([[1i32, 4], [2, 5], [3, 6]])?;
/// assert_eq!(ivy::fold(&x, 1, [2, 3])?.to_vec::<i32>()?, [1, 2, 3, 4, 5, 6]);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// [`InvalidArgument`](crate::ErrorKind::InvalidArgument) for a shape with another number of elements or without axes,
/// [`AxisOutOfRange`](crate::ErrorKind::AxisOutOfRange).
pub fn fold<'a>(x: impl IntoOperand<'a>, mode: i64, shape: impl Into<Shape>) -> Result<Array> {
    call_one(&FOLD, &[x.into_operand()], &Fold::new().mode(mode).shape(shape))
}

/// Inverse of batched matricization: the array of a shape that [`partial_unfold`] makes this one of, behind
/// `skip_begin` axes.
///
/// ```
/// use ivy::prelude::*;
/// let x = Array::try_from([[[1i32, 3], [2, 4]]])?;
/// assert_eq!(ivy::partial_fold(&x, 1, [1, 2, 2], 1)?.to_vec::<i32>()?, [1, 2, 3, 4]);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// Those of [`fold`].
pub fn partial_fold<'a>(
    x: impl IntoOperand<'a>,
    mode: i64,
    shape: impl Into<Shape>,
    skip_begin: usize,
) -> Result<Array> {
    let params = Fold::new().mode(mode).shape(shape).skip_begin(skip_begin);
    call_one(&PARTIAL_FOLD, &[x.into_operand()], &params)
}
