//! General functions: conversions to the host, in-place updates, clipping by norm.

use super::linalg::{VectorNorm, VectorOrder, vector_norm};
use super::{asarray, astype, broadcast_to, divide, greater, multiply, where_};
use crate::array::{Array, Index, IntoOperand, Operand, common_backend};
use crate::call::call_one;
use crate::function::{Body, Bound, Coefficient, Composition, Outputs};
use crate::functional::precision::{downcast, upcast};
use crate::host::HostArray;
use crate::{ErrorKind, Result, Scalar, Shape, context, params, shape as shapes};
use smallvec::smallvec;
use std::fmt;

/// Whether the argument is an array, or an expression that has given one; host scalars and errors are not.
///
/// ```
/// use ivy::prelude::*;
/// assert!(ivy::is_array(&ivy::zeros([1], ())?));
/// assert!(!ivy::is_array(2.5));
/// # Ok::<(), ivy::Error>(())
/// ```
pub fn is_array<'a>(x: impl IntoOperand<'a>) -> bool {
    x.as_array().is_some() || matches!(x.into_operand(), Operand::Array(_) | Operand::List(_))
}

/// The array of an operand; a host scalar has the default dtype of its value.
fn array_of<'a>(function: &'static str, x: impl IntoOperand<'a>) -> Result<Array> {
    match x.into_operand() {
        Operand::Array(array) => Ok(array.into_owned()),
        Operand::List(array) => Ok(array),
        Operand::Scalar(scalar) => asarray(scalar, ()),
        Operand::Failed(error) => Err(error),
        Operand::Absent => {
            let (value, rule) = ("nothing".into(), "an array or a number is needed");
            Err(ErrorKind::InvalidArgument { function, argument: "x", value, rule }.into())
        }
    }
}

/// Shape: the lengths of the axes; none of a host scalar.
///
/// ```
/// use ivy::prelude::*;
/// assert_eq!(ivy::shape(&ivy::zeros([2, 3], ())?)?[..], [2, 3]);
/// assert!(ivy::shape(1.5)?.is_empty());
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// That of an expression that failed; [`InvalidArgument`](ErrorKind::InvalidArgument) for nothing.
pub fn shape<'a>(x: impl IntoOperand<'a>) -> Result<Shape> {
    Ok(array_of("shape", x)?.shape().clone())
}

/// Conversion to a host scalar: the only element as a host scalar, whatever the dtype; a host scalar itself.
///
/// ```
/// use ivy::prelude::*;
/// assert_eq!(ivy::to_scalar(&Array::try_from([7i8])?)?, ivy::Scalar::Int(7));
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// [`ShapeMismatch`](ErrorKind::ShapeMismatch) if there is not exactly one element.
pub fn to_scalar<'a>(x: impl IntoOperand<'a>) -> Result<Scalar> {
    match x.as_scalar() {
        Some(scalar) => Ok(scalar),
        None => array_of("to_scalar", x)?.to_scalar(),
    }
}

/// Host scalars in lists, one level for each axis of an array.
#[derive(Clone, Debug, PartialEq)]
pub enum NestedList {
    /// An element, of an array without axes.
    Scalar(Scalar),
    /// What stands along the first axis.
    List(Vec<NestedList>),
}

impl fmt::Display for NestedList {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NestedList::Scalar(scalar) => scalar.fmt(f),
            NestedList::List(list) => {
                f.write_str("[")?;
                for (i, entry) in list.iter().enumerate() {
                    f.write_str(if i == 0 { "" } else { ", " })?;
                    entry.fmt(f)?;
                }
                f.write_str("]")
            }
        }
    }
}

/// Conversion to nested lists: the elements as host scalars in nested lists, one level for each axis.
///
/// ```
/// use ivy::NestedList;
/// use ivy::prelude::*;
/// let x = Array::try_from([[1i32, 2], [3, 4]])?;
/// assert_eq!(ivy::to_list(&x)?.to_string(), "[[1, 2], [3, 4]]");
/// assert_eq!(ivy::to_list(&ivy::full((), 2.5, ())?)?, NestedList::Scalar(2.5.into()));
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// What an evaluation that was pending gives.
pub fn to_list<'a>(x: impl IntoOperand<'a>) -> Result<NestedList> {
    let array = array_of("to_list", x)?;
    let host = array.to_host()?;
    nested(&host, host.shape(), 0)
}

/// The elements of some axes, from a place in row-major order on.
fn nested(host: &HostArray, shape: &[usize], start: usize) -> Result<NestedList> {
    let Some((&length, rest)) = shape.split_first() else {
        return host.scalar_at(start).map(NestedList::Scalar);
    };
    let step = rest.iter().fold(1usize, |step, &length| step.saturating_mul(length));
    (0..length).map(|i| nested(host, rest, start + i * step)).collect::<Result<_>>().map(NestedList::List)
}

params! {
    /// Keyword arguments of [`inplace_update`].
    pub struct InplaceUpdate {
        /// The result has the dtype of `x` instead of that of `val`.
        flag keep_input_dtype,
    }
}

/// In-place update: the array that holds `val`, broadcast to the shape of `x`, in its place. Arrays are values
/// (decision S29): `x` itself stays, and it is the result that has the new elements. Its dtype is that of `val`, or
/// with `keep_input_dtype` that of `x`; a host scalar has the dtype of `x` in both cases, if that is of a kind that
/// holds it.
///
/// ```
/// use ivy::prelude::*;
/// use ivy::InplaceUpdate;
/// let x = Array::try_from([1i32, 2])?;
/// let y = ivy::inplace_update(&x, &Array::try_from([2.5f32, 3.5])?, ())?;
/// assert_eq!(y.to_vec::<f32>()?, [2.5, 3.5]);
/// let kept = ivy::inplace_update(&x, &y, InplaceUpdate::new().keep_input_dtype())?;
/// assert_eq!((kept.to_vec::<i32>()?, x.to_vec::<i32>()?), (vec![2, 3], vec![1, 2]));
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// [`ShapeMismatch`](ErrorKind::ShapeMismatch) for values that do not broadcast to the shape of `x`,
/// [`BackendMismatch`](ErrorKind::BackendMismatch), [`CastRefused`](ErrorKind::CastRefused) from complex to real.
pub fn inplace_update<'a>(
    x: &Array,
    val: impl IntoOperand<'a>,
    params: impl Into<InplaceUpdate>,
) -> Result<Array> {
    const NAME: &str = "inplace_update";
    context::check_inplace(NAME, x)?;
    let val = match val.as_scalar() {
        Some(scalar) => {
            let mut updated = x.clone();
            updated.set([Index::Ellipsis], scalar)?;
            return Ok(updated);
        }
        None => {
            let val = array_of(NAME, val)?;
            let backend = common_backend([x, &val])?;
            val.lift_to(NAME, &backend)?.into_owned()
        }
    };
    if shapes::broadcast(NAME, &[val.shape(), x.shape()]).ok().as_ref() != Some(x.shape()) {
        let (expected, actual) = (format!("one that broadcasts to {}", x.shape()), val.shape().clone());
        return Err(ErrorKind::ShapeMismatch { function: NAME, argument: "val", expected, actual }.into());
    }
    let cast = params.into().keep_input_dtype && val.dtype() != x.dtype();
    let val = if cast { astype(val, x.dtype())? } else { val };
    if val.shape() == x.shape() { Ok(val) } else { broadcast_to(val, x.shape()) }
}

params! {
    /// Arguments of [`clip_vector_norm`].
    pub struct ClipVectorNorm {
        /// The greatest norm; an argument of the function.
        max_norm: Coefficient = Coefficient::Number(1.0),
        /// The order of the norm.
        p: VectorOrder = VectorOrder(Coefficient::Number(2.0)),
    }
}

describe! {
    CLIP_VECTOR_NORM = "clip_vector_norm", General, Compositional, (x: Promoted), PromoteFloat -> [Compute],
    Bound::Sum, params: ClipVectorNorm::new(), example: [&[2]], Body::Compose(compose_clip_vector_norm)
}

fn compose_clip_vector_norm(call: &Composition<'_>) -> Result<Outputs> {
    let (function, ClipVectorNorm { max_norm, p }) = (call.function.name, call.params::<ClipVectorNorm>());
    max_norm.check(function, "max_norm", |norm| norm >= 0.0, "a number of 0 or more")?;
    p.0.check(function, "p", |p| !p.is_nan(), "the order of a norm is a number")?;
    let x = upcast(call.array(0))?;
    let norm = vector_norm(&x, VectorNorm::new().ord(p.clone()))?;
    let long = greater(&norm, max_norm.like(&x)?)?;
    // A norm that is not clipped may be 0.
    let factor = divide(max_norm.like(&x)?, where_(&long, &norm, 1.0)?)?;
    let scaled = multiply(&x, factor)?;
    Ok(smallvec![downcast(where_(long, scaled, &x)?, call.compute)?])
}

/// Clipping by norm: the array, seen as one vector, scaled so that its norm is `max_norm`, where it is longer:
/// `x * max_norm / vector_norm(x)`. Otherwise, also where the norm is NaN, it stays as it is.
///
/// ```
/// use ivy::prelude::*;
/// let x = Array::try_from([3.0f32, 4.0])?;
/// assert_eq!(ivy::clip_vector_norm(&x, 2.5, ())?.to_vec::<f32>()?, [1.5, 2.0]);
/// assert_eq!(ivy::clip_vector_norm(&x, 9.0, ())?.to_vec::<f32>()?, [3.0, 4.0]);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// [`InvalidArgument`](ErrorKind::InvalidArgument) for a `max_norm` below 0 or NaN and for an order that is NaN;
/// [`EmptyReduction`](ErrorKind::EmptyReduction) for the greatest or least magnitude of nothing.
pub fn clip_vector_norm<'a>(
    x: impl IntoOperand<'a>,
    max_norm: impl Into<Coefficient>,
    params: impl Into<ClipVectorNorm>,
) -> Result<Array> {
    let params = ClipVectorNorm { max_norm: max_norm.into(), ..params.into() };
    call_one(&CLIP_VECTOR_NORM, &[x.into_operand()], &params)
}
