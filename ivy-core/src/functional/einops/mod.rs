//! Einops: axes rearranged, reduced and repeated by a pattern.

mod lengths;
pub mod parse;
mod plan;
mod reduction;

pub use lengths::AxesLengths;
pub use reduction::EinopsReduction;

use super::pattern_text::Text;
use super::{broadcast_to, permute_dims, reshape};
use crate::array::{Array, IntoOperand};
use crate::call::call_one;
use crate::function::{Body, Bound, Composition, Outputs};
use crate::{Result, Shape, params};
use plan::{Plan, Task};
use smallvec::smallvec;

params! {
    /// The arguments of [`einops_rearrange`] and [`einops_repeat`].
    pub struct EinopsRearrange {
        /// The axes of the operand and those of the result.
        pattern: String = String::from("a b -> b a"),
        /// The lengths of axes that do not follow from the operand's shape.
        axes_lengths: AxesLengths = AxesLengths::default(),
    }
}

/// The arguments of [`einops_repeat`], the same as of [`einops_rearrange`].
pub type EinopsRepeat = EinopsRearrange;

params! {
    /// The arguments of [`einops_reduce`].
    pub struct EinopsReduce {
        /// The axes of the operand and those of the result.
        pattern: String = String::from("a b -> b"),
        /// How elements are combined.
        reduction: EinopsReduction = EinopsReduction::Sum,
        /// The lengths of axes that do not follow from the operand's shape.
        axes_lengths: AxesLengths = AxesLengths::default(),
    }
}

describe! {
    EINOPS_REARRANGE = "einops_rearrange", General, Compositional, (x: Promoted), Promote -> [Compute],
    Bound::Exact, params: EinopsRearrange::new(), example: [&[2, 2]], Body::Compose(|call| arrange(call, Task::Rearrange))
}

describe! {
    EINOPS_REPEAT = "einops_repeat", General, Compositional, (x: Promoted), Promote -> [Compute],
    Bound::Exact, params: EinopsRepeat::new(), example: [&[2, 2]], Body::Compose(|call| arrange(call, Task::Repeat))
}

describe! {
    EINOPS_REDUCE = "einops_reduce", General, Compositional, (x: Promoted), Accumulate -> [Compute],
    Bound::Sum, params: EinopsReduce::new(), example: [&[2, 2]], Body::Compose(compose_reduce)
}

fn arrange(call: &Composition<'_>, task: Task) -> Result<Outputs> {
    let EinopsRearrange { pattern, axes_lengths } = call.params();
    let plan = plan(call, task, pattern, axes_lengths)?;
    let x = reshaped(call.array(0).clone(), &plan.elementary)?;
    Ok(smallvec![placed(&plan, x)?])
}

fn compose_reduce(call: &Composition<'_>) -> Result<Outputs> {
    let EinopsReduce { pattern, reduction, axes_lengths } = call.params();
    let plan = plan(call, Task::Reduce, pattern, axes_lengths)?;
    let x = reshaped(call.array(0).clone(), &plan.elementary)?;
    let x = reduction.of(call, &x, &plan.reduced)?;
    Ok(smallvec![placed(&plan, x)?])
}

fn plan(call: &Composition<'_>, task: Task, pattern: &str, lengths: &AxesLengths) -> Result<Plan> {
    let text = Text { function: call.function.name, argument: "pattern", text: pattern };
    let plan = Plan::new(text, task, &parse::parse(text)?, lengths, call.array(0).shape())?;
    Shape::from(&plan.result[..]).checked_size(text.function, call.compute)?;
    Ok(plan)
}

/// The elementary axes that are left in their order, with new ones between them, as the axes of the result.
fn placed(plan: &Plan, x: Array) -> Result<Array> {
    let mut left = plan.order.clone();
    left.sort_unstable();
    let place = |axis: &usize| left.iter().position(|own| own == axis).map_or(0, |at| at as i64);
    let order: Vec<i64> = plan.order.iter().map(place).collect();
    let x = if order.is_sorted() { x } else { permute_dims(x, order)? };
    let x = match plan.spread == plan.repeated {
        true => x,
        false => broadcast_to(reshaped(x, &plan.spread)?, Shape::from(&plan.repeated[..]))?,
    };
    reshaped(x, &plan.result)
}

fn reshaped(x: Array, shape: &[usize]) -> Result<Array> {
    match x.shape()[..] == *shape {
        true => Ok(x),
        false => reshape(x, Shape::from(shape), ()),
    }
}

/// Rearrangement by a pattern: the same elements with other axes: a pattern names the axes of the operand, and after an
/// arrow those of the result.
///
/// - `h w -> w h` is the transpose.
/// - Names in parentheses are one axis, of which the last name is the fastest: `b h w -> b (h w)` joins two axes, and
///   `b (h w) -> b h w` takes one apart, where the length of `h` or of `w` is given.
/// - `...` stands for all other axes; in the result also in parentheses, where they become one.
/// - `1` or `()` is an axis of length 1, which may stand on one side only.
///
/// ```
/// use ivy::prelude::*;
/// let x = ivy::arange(12, ())?;
/// let y = ivy::einops_rearrange(&x, "(h w) -> w h 1", [("h", 3)])?;
/// assert_eq!(y.shape().to_string(), "(4, 3, 1)");
/// assert_eq!(y.get(ivy::s![0, .., 0])?.to_vec::<i32>()?, [0, 4, 8]);
/// let back = ivy::einops_rearrange(&y, "w ... -> (... w)", ())?;
/// assert_eq!(back.to_vec::<i32>()?, x.to_vec::<i32>()?);
/// let wrong = ivy::einops_rearrange(&x, "a -> a b", ()).unwrap_err();
/// assert!(wrong.to_string().contains("at character 7, `b`"));
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// [`InvalidArgument`](crate::ErrorKind::InvalidArgument) for a pattern that is none, that has axes on one side only, or
/// that does not go with the operand's number of axes: it names the place in the text; and for a length of an axis that
/// the pattern does not have. [`ShapeMismatch`](crate::ErrorKind::ShapeMismatch) for axes of other lengths than are given.
pub fn einops_rearrange<'a>(
    x: impl IntoOperand<'a>,
    pattern: impl Into<String>,
    axes_lengths: impl Into<AxesLengths>,
) -> Result<Array> {
    let params = EinopsRearrange::new().pattern(pattern).axes_lengths(axes_lengths);
    call_one(&EINOPS_REARRANGE, &[x.into_operand()], &params)
}

/// Reduction by a pattern: the elements combined over the axes that the result lacks: a pattern as that of
/// [`einops_rearrange`], in which axes may stand before the arrow only. Those may be written as their lengths:
/// `(h 2) (w 2) -> h w` pools blocks of 2 by 2.
///
/// The dtypes are those of the function of the reduction's name: a sum of small integers widens, a mean of integers is
/// of the default float dtype, `any` and `all` give bool.
///
/// ```
/// use ivy::prelude::*;
/// use ivy::EinopsReduction;
/// let x = Array::try_from([[1i32, 2, 3, 4], [5, 6, 7, 8]])?;
/// let pooled = ivy::einops_reduce(&x, "(h 2) (w 2) -> h w", EinopsReduction::Max, ())?;
/// assert_eq!(pooled.to_vec::<i32>()?, [6, 8]);
/// let means = ivy::einops_reduce(&x, "h (w n) -> n", EinopsReduction::Mean, [("n", 2)])?;
/// assert_eq!(means.to_vec::<f32>()?, [4.0, 5.0]);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// As [`einops_rearrange`]; [`EmptyReduction`](crate::ErrorKind::EmptyReduction) for the least or greatest of nothing,
/// [`OutsideDomain`](crate::ErrorKind::OutsideDomain) for those of complex numbers.
pub fn einops_reduce<'a>(
    x: impl IntoOperand<'a>,
    pattern: impl Into<String>,
    reduction: EinopsReduction,
    axes_lengths: impl Into<AxesLengths>,
) -> Result<Array> {
    let params = EinopsReduce::new().pattern(pattern).reduction(reduction).axes_lengths(axes_lengths);
    call_one(&EINOPS_REDUCE, &[x.into_operand()], &params)
}

/// Repetition by a pattern: the elements repeated along new axes: a pattern as that of [`einops_rearrange`], in which
/// axes whose lengths are given may stand after the arrow only. Those may be written as their lengths: `h w -> h w 3`.
///
/// In parentheses the place of the new axis says what is repeated: `w -> (w n)` repeats each element, `w -> (n w)` all.
///
/// ```
/// use ivy::prelude::*;
/// let x = Array::try_from([1i32, 2])?;
/// assert_eq!(ivy::einops_repeat(&x, "w -> (w n)", [("n", 2)])?.to_vec::<i32>()?, [1, 1, 2, 2]);
/// assert_eq!(ivy::einops_repeat(&x, "w -> (2 w)", ())?.to_vec::<i32>()?, [1, 2, 1, 2]);
/// assert_eq!(ivy::einops_repeat(&x, "w -> 3 w", ())?.shape().to_string(), "(3, 2)");
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// As [`einops_rearrange`]; [`SizeOverflow`](crate::ErrorKind::SizeOverflow).
pub fn einops_repeat<'a>(
    x: impl IntoOperand<'a>,
    pattern: impl Into<String>,
    axes_lengths: impl Into<AxesLengths>,
) -> Result<Array> {
    let params = EinopsRepeat::new().pattern(pattern).axes_lengths(axes_lengths);
    call_one(&EINOPS_REPEAT, &[x.into_operand()], &params)
}
