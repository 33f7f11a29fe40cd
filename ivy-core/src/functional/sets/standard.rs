//! Set functions of the Array API standard.

use crate::array::IntoOperand;
use crate::call::{call, call_one};
use crate::function::{Body, Bound, Composition, Outputs};
use crate::functional::sets::unique_slices::distinct;
use crate::functional::{equal, logical_not, minimum, ones, zeros};
use crate::{Array, AxisSlice, Dtype, Op, Result, Shape, params, primitive};
use smallvec::smallvec;

/// The results of [`unique_all`].
#[derive(Clone, Debug)]
pub struct UniqueAll {
    /// The distinct elements, ascending.
    pub values: Array,
    /// Index of each one's first occurrence in the flat array; int64.
    pub indices: Array,
    /// The index into `values` of each element, in the operand's shape; int64.
    pub inverse_indices: Array,
    /// How often each one occurs; int64.
    pub counts: Array,
}

params! {
    /// Keyword arguments of [`unique_all_with`].
    pub struct UniqueAllParams {
        /// The axis whose slices are compared; the elements of the flat array if not given.
        extended axis: Option<i64> = None,
        /// Whether values are ascending, as without it; in the order in which they first occur otherwise.
        extended by_value: Option<bool> = None,
    }
}

params! {
    /// Keyword arguments of [`unique_inverse_with`].
    pub struct UniqueInverseParams {
        /// The axis whose slices are compared; the elements of the flat array if not given.
        axis: Option<i64> = None,
    }
}

describe! {
    UNIQUE_ALL = "unique_all", Set, Primary, (x: Promoted), Promote -> [Compute, Index, Index, Index],
    Bound::Exact, params: UniqueAllParams::new(), example: [&[2]], Body::Op(|_| Ok(Op::Unique)),
    extended: |call| {
        let p = call.params::<UniqueAllParams>();
        let by_value = p.by_value.unwrap_or(true);
        let found = distinct(call.function.name, call.array(0), p.axis, by_value)?;
        Ok(smallvec![found.values, found.indices, found.inverse_indices, found.counts])
    }
}

/// Unique elements with indices, inverse and counts: the distinct elements, ascending, with first indices, inverse
/// indices and counts. Each NaN is distinct; 0.0 and -0.0 are one.
///
/// ```
/// use ivy::prelude::*;
/// let unique = ivy::unique_all(&Array::try_from([3i32, 1, 3])?)?;
/// assert_eq!(unique.values.to_vec::<i32>()?, [1, 3]);
/// assert_eq!(unique.indices.to_vec::<i64>()?, [1, 0]);
/// assert_eq!(unique.inverse_indices.to_vec::<i64>()?, [1, 0, 1]);
/// assert_eq!(unique.counts.to_vec::<i64>()?, [1, 2]);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// Those of the backend.
pub fn unique_all<'a>(x: impl IntoOperand<'a>) -> Result<UniqueAll> {
    unique_all_with(x, ())
}

/// [`unique_all`] of slices along an axis, which are compared element by element in row-major order, or in the order in
/// which values first occur. Of slices, `inverse_indices` has one axis.
///
/// ```
/// use ivy::prelude::*;
/// let x = Array::try_from([[2i32, 1], [0, 3], [2, 1]])?;
/// let rows = ivy::unique_all_with(&x, ivy::UniqueAllParams::new().axis(0))?;
/// assert_eq!(rows.values.to_vec::<i32>()?, [0, 3, 2, 1]);
/// assert_eq!(rows.inverse_indices.to_vec::<i64>()?, [1, 0, 1]);
/// let kept = ivy::unique_all_with(&x, ivy::UniqueAllParams::new().by_value(false))?;
/// assert_eq!(kept.values.to_vec::<i32>()?, [2, 1, 0, 3]);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// Those of the backend, and [`AxisOutOfRange`](crate::ErrorKind::AxisOutOfRange).
pub fn unique_all_with<'a>(x: impl IntoOperand<'a>, params: impl Into<UniqueAllParams>) -> Result<UniqueAll> {
    let mut outputs = call(&UNIQUE_ALL, &[x.into_operand()], &params.into())?.into_iter();
    let mut next = || outputs.next().expect("unique_all has four results");
    Ok(UniqueAll { values: next(), indices: next(), inverse_indices: next(), counts: next() })
}

/// The results of [`unique_counts`].
#[derive(Clone, Debug)]
pub struct UniqueCounts {
    /// The distinct elements, ascending.
    pub values: Array,
    /// How often each one occurs; int64.
    pub counts: Array,
}

describe! {
    UNIQUE_COUNTS = "unique_counts", Set, Mixed, (x: Promoted), Promote -> [Compute, Index],
    Bound::Exact, params: (), example: [&[2]],
    Body::Compose(|call| unique_all(call.array(0)).map(|u| smallvec![u.values, u.counts]))
}

/// Unique elements with counts: the distinct elements, ascending, and how often each occurs; see [`unique_all`].
///
/// ```
/// use ivy::prelude::*;
/// let x = Array::try_from([3i32, 1, 3])?;
/// assert_eq!(ivy::unique_counts(&x)?.counts.to_vec::<i64>()?, [1, 2]);
/// assert_eq!(ivy::unique_inverse(&x)?.inverse_indices.to_vec::<i64>()?, [1, 0, 1]);
/// assert_eq!(ivy::unique_values(&x)?.to_vec::<i32>()?, [1, 3]);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// Those of the backend.
pub fn unique_counts<'a>(x: impl IntoOperand<'a>) -> Result<UniqueCounts> {
    let mut outputs = call(&UNIQUE_COUNTS, &[x.into_operand()], &())?.into_iter();
    let mut next = || outputs.next().expect("unique_counts has two results");
    Ok(UniqueCounts { values: next(), counts: next() })
}

/// The results of [`unique_inverse`].
#[derive(Clone, Debug)]
pub struct UniqueInverse {
    /// The distinct elements, ascending.
    pub values: Array,
    /// The index into `values` of each element, in the operand's shape; int64.
    pub inverse_indices: Array,
}

describe! {
    UNIQUE_INVERSE = "unique_inverse", Set, Mixed, (x: Promoted), Promote -> [Compute, Index],
    Bound::Exact, params: UniqueInverseParams::new(), example: [&[2]],
    Body::Compose(|call| {
        let axis = call.params::<UniqueInverseParams>().axis;
        let found = distinct(call.function.name, call.array(0), axis, true)?;
        Ok(smallvec![found.values, found.inverse_indices])
    })
}

/// Unique elements with inverse indices: the distinct elements, ascending, and the index among them of each element;
/// see [`unique_all`].
///
/// # Errors
/// Those of the backend.
pub fn unique_inverse<'a>(x: impl IntoOperand<'a>) -> Result<UniqueInverse> {
    unique_inverse_with(x, ())
}

/// [`unique_inverse`] of slices along an axis, as [`unique_all_with`] has them.
///
/// ```
/// use ivy::prelude::*;
/// let x = Array::try_from([[1i32, 0, 1], [2, 5, 2]])?;
/// let columns = ivy::unique_inverse_with(&x, ivy::UniqueInverseParams::new().axis(1))?;
/// assert_eq!(columns.values.to_vec::<i32>()?, [0, 1, 5, 2]);
/// assert_eq!(columns.inverse_indices.to_vec::<i64>()?, [1, 0, 1]);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// As [`unique_all_with`].
pub fn unique_inverse_with<'a>(
    x: impl IntoOperand<'a>,
    params: impl Into<UniqueInverseParams>,
) -> Result<UniqueInverse> {
    let mut outputs = call(&UNIQUE_INVERSE, &[x.into_operand()], &params.into())?.into_iter();
    let mut next = || outputs.next().expect("unique_inverse has two results");
    Ok(UniqueInverse { values: next(), inverse_indices: next() })
}

describe! {
    UNIQUE_VALUES = "unique_values", Set, Mixed, (x: Promoted), Promote -> [Compute],
    Bound::Exact, params: (), example: [&[2]],
    Body::Compose(|call| unique_all(call.array(0)).map(|u| smallvec![u.values]))
}

/// Unique elements: the distinct elements, ascending; see [`unique_all`].
///
/// # Errors
/// Those of the backend.
pub fn unique_values<'a>(x: impl IntoOperand<'a>) -> Result<Array> {
    crate::call::unary(&UNIQUE_VALUES, x)
}

params! {
    /// Keyword arguments of [`isin`].
    pub struct IsIn {
        /// True where an element is absent, instead of present.
        flag invert,
        /// Whether no element occurs twice in either array. Nothing depends on it here.
        flag assume_unique,
    }
}

describe! {
    ISIN = "isin", Set, Mixed, (x1: Promoted, x2: Promoted), Promote -> [Bool],
    Bound::Exact, params: IsIn::new(), example: [&[2], &[2]], Body::Compose(compose_isin)
}

/// Set membership: whether each element of `x1` occurs in `x2`, after promotion; NaN occurs nowhere, and the zeros are
/// one.
///
/// ```
/// use ivy::prelude::*;
/// let (x, set) = (Array::try_from([1i32, 2, 3])?, Array::try_from([3i32, 1])?);
/// assert_eq!(ivy::isin(&x, &set, ())?.to_vec::<bool>()?, [true, false, true]);
/// assert_eq!(ivy::isin(&x, 2, IsIn::new().invert())?.to_vec::<bool>()?, [true, false, true]);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// [`NoPromotion`](crate::ErrorKind::NoPromotion),
/// [`ScalarOutOfRange`](crate::ErrorKind::ScalarOutOfRange), and those of the backend.
pub fn isin<'a, 'b>(
    x1: impl IntoOperand<'a>,
    x2: impl IntoOperand<'b>,
    params: impl Into<IsIn>,
) -> Result<Array> {
    call_one(&ISIN, &[x1.into_operand(), x2.into_operand()], &params.into())
}

/// Looks each element up in the sorted set: `n log m` steps, where comparing all pairs would
/// take `n m`.
fn compose_isin(call: &Composition<'_>) -> Result<Outputs> {
    let function = call.function.name;
    let invert = call.params::<IsIn>().invert;
    let run = |op: Op, operands: &[&Array]| primitive::run(function, &op, operands);
    let (mut x, set) = (call.array(0).clone(), call.array(1));
    let mut set = run(Op::Reshape { shape: set.size().into() }, &[set])?;
    let last = match set.size() {
        0 if invert => return Ok(smallvec![ones(x.shape(), Dtype::BOOL)?]),
        0 => return Ok(smallvec![zeros(x.shape(), Dtype::BOOL)?]),
        size => size - 1,
    };
    if call.compute.is_complex() {
        (x, set) = ranks(function, &x, &set)?;
    }
    let set = run(Op::Sort { axis: 0, descending: false }, &[&set])?;
    let places = run(Op::SearchSorted { right: false }, &[&set, &x])?;
    let found = run(Op::Gather { axes: 1 }, &[&set, &minimum(places, last)?])?;
    let present = equal(found, &x)?;
    Ok(smallvec![if invert { logical_not(present)? } else { present }])
}

/// Complex numbers have no order to search by: the ranks of their distinct values do. Each
/// NaN has a rank of its own.
fn ranks(function: &'static str, x: &Array, set: &Array) -> Result<(Array, Array)> {
    let run = |op: Op, operands: &[&Array]| primitive::run(function, &op, operands);
    let (n, m) = (x.size(), set.size());
    let flat = run(Op::Reshape { shape: n.into() }, &[x])?;
    let joined = run(Op::Concat { axis: 0 }, &[&flat, set])?;
    let ranks = unique_inverse(joined)?.inverse_indices;
    let part = |start: usize, len: usize| {
        run(Op::Slice { axes: smallvec![AxisSlice { start, step: 1, len }] }, &[&ranks])
    };
    let x = run(Op::Reshape { shape: Shape::from(x.shape()) }, &[&part(0, n)?])?;
    Ok((x, part(n, m)?))
}
