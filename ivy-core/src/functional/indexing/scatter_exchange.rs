//! Atomic scatters that return the previous values, under Dr.Jit's names.

use crate::array::{Array, IntoOperand};
use crate::call::call;
use crate::function::{Body, Bound, Composition, Outputs};
use crate::functional::indexing::active_lanes::{Spare, kept, lanes, nowhere, zeros};
use crate::functional::indexing::gather::mismatch;
use crate::functional::{Filled, equal, full, logical_and};
use crate::{ExchangeOp, Op, Operand, Result, Scalar, Shape, params, primitive};
use smallvec::{SmallVec, smallvec};
use std::mem;

params! {
    /// Keyword arguments of [`scatter_inc`], [`scatter_exch`] and [`scatter_cas`].
    pub struct ScatterInc {
        /// Which updates take place; it broadcasts to the indices' shape. Where it is false nothing is done,
        /// the index is not looked at, and what is said to have been there is 0.
        operand mask,
    }
}
/// Keyword arguments of [`scatter_exch`], the same as of [`scatter_inc`].
pub type ScatterExch = ScatterInc;
/// Keyword arguments of [`scatter_cas`], the same as of [`scatter_inc`].
pub type ScatterCas = ScatterInc;

/// The results of [`scatter_inc`] and [`scatter_exch`].
#[derive(Clone, Debug)]
pub struct Exchanged {
    /// What stood at the place of each update just before it, in the indices' shape.
    pub old: Array,
    /// The target after all updates.
    pub target: Array,
}

/// The results of [`scatter_cas`].
#[derive(Clone, Debug)]
pub struct Swapped {
    /// What stood at the place of each update just before it, in the indices' shape.
    pub old: Array,
    /// Whether that was equal to what the update expects, and so was replaced; bool.
    pub swapped: Array,
    /// The target after all updates.
    pub target: Array,
}

/// What stood at each place, the target after the updates, and which lanes are not left out.
struct Done {
    old: Array,
    target: Array,
    lanes: Option<Array>,
}

/// Does the updates of a call whose operands end with indices and mask; what is expected is the last value.
fn exchange(call: &Composition<'_>, op: ExchangeOp, values: &[&Array]) -> Result<Done> {
    let (function, target) = (call.function.name, call.array(0));
    let count = call.function.operands.len();
    let (indices, mask) = (call.array(count - 2), call.arrays[count - 1].as_ref());
    if target.ndim() != 1 {
        return Err(mismatch(function, "target", "one axis".into(), target.shape()));
    }
    let shape = indices.shape();
    let mut spread: SmallVec<[Array; 2]> = SmallVec::new();
    for (k, value) in values.iter().enumerate() {
        if crate::shape::broadcast(function, &[value.shape(), shape]).ok().as_ref() != Some(shape) {
            let argument = if k == 0 { "value" } else { "compare" };
            let expected = format!("one that broadcasts to {shape}");
            return Err(mismatch(function, argument, expected, value.shape()));
        }
        spread.push(primitive::run(function, &Op::BroadcastTo { shape: shape.clone() }, &[value])?);
    }
    let run = |target: &Array, indices: &Array| -> Result<[Array; 2]> {
        let mut operands: SmallVec<[&Array; 4]> = smallvec![target, indices];
        operands.extend(&spread);
        let mut values = primitive::run_all(function, &Op::Exchange { op }, &operands)?.into_iter();
        let mut next = || {
            let value = values.next().expect("an exchange has two results");
            Array::from_value(target.backend().clone(), value)
        };
        Ok([next(), next()])
    };
    let Some(mask) = mask else {
        let [target, old] = run(target, indices)?;
        return Ok(Done { old, target, lanes: None });
    };
    let lanes = lanes(function, mask, shape)?;
    if nowhere(function, std::slice::from_ref(indices), 0, target.shape(), &lanes)? {
        let (old, target) = (zeros(shape.clone(), target.dtype())?, target.clone());
        return Ok(Done { old, target, lanes: Some(lanes) });
    }
    let spare = Spare::new(function, std::slice::from_ref(indices), target.shape(), &lanes)?;
    let [after, old] = run(&spare.with(function, target)?, &spare.indices[0])?;
    let (old, target) = (kept(&old, &lanes)?, spare.without(function, &after)?);
    Ok(Done { old, target, lanes: Some(lanes) })
}

describe! {
    SCATTER_INC = "scatter_inc", Indexing, Mixed,
    (target: Promoted, indices: Index, mask: Condition optional), Promote -> [Compute, Compute],
    Bound::Exact, params: ScatterInc::new(), example: [&[4], &[2]], Body::Compose(compose_inc)
}

fn compose_inc(call: &Composition<'_>) -> Result<Outputs> {
    let one = full(Shape::default(), Scalar::Int(1), Filled::new().dtype(call.compute))?;
    let done = exchange(call, ExchangeOp::Add, &[&one])?;
    Ok(smallvec![done.old, done.target])
}

describe! {
    SCATTER_EXCH = "scatter_exch", Indexing, Mixed,
    (target: Promoted, value: Promoted, indices: Index, mask: Condition optional),
    Promote -> [Compute, Compute], Bound::Exact, params: ScatterExch::new(),
    example: [&[4], &[2], &[2]], Body::Compose(compose_exch)
}

fn compose_exch(call: &Composition<'_>) -> Result<Outputs> {
    let done = exchange(call, ExchangeOp::Set, &[call.array(1)])?;
    Ok(smallvec![done.old, done.target])
}

describe! {
    SCATTER_CAS = "scatter_cas", Indexing, Mixed,
    (target: Promoted, compare: Promoted, value: Promoted, indices: Index, mask: Condition optional),
    Promote -> [Compute, Bool, Compute], Bound::Exact, params: ScatterCas::new(),
    example: [&[4], &[2], &[2], &[2]], Body::Compose(compose_cas)
}

fn compose_cas(call: &Composition<'_>) -> Result<Outputs> {
    let (compare, value) = (call.array(1), call.array(2));
    let done = exchange(call, ExchangeOp::Compare, &[value, compare])?;
    let equal = equal(&done.old, compare)?;
    let swapped = match &done.lanes {
        Some(lanes) => logical_and(&equal, lanes)?,
        None => equal,
    };
    Ok(smallvec![done.old, swapped, done.target])
}

/// Atomic increment: adds one to the elements of a target of one axis at `indices`, and says for each index what stood
/// at its place just before: numbers that no two updates of a place have in common, in the order of the indices, on
/// every backend. Integers wrap. With a mask, this hands out places to what is to be kept.
///
/// ```
/// use ivy::prelude::*;
/// let counters = ivy::zeros(3, Dtype::UINT32)?;
/// let done = ivy::scatter_inc(&counters, &Array::try_from([1i64, 1, 1])?, ())?;
/// assert_eq!(done.old.to_vec::<u32>()?, [0, 1, 2]);
/// assert_eq!(done.target.to_vec::<u32>()?, [0, 3, 0]);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// [`IndexOutOfRange`](crate::ErrorKind::IndexOutOfRange), with the first position;
/// [`ShapeMismatch`](crate::ErrorKind::ShapeMismatch) for a target that has not one axis, or a mask that does
/// not fit; [`OutsideDomain`](crate::ErrorKind::OutsideDomain) for elements that are no integers.
pub fn scatter_inc<'a, 'b>(
    target: impl IntoOperand<'a>,
    indices: impl IntoOperand<'b>,
    params: impl Into<ScatterInc>,
) -> Result<Exchanged> {
    let mut params = params.into();
    let mask = mem::replace(&mut params.mask, Operand::Absent);
    exchanged(call(&SCATTER_INC, &[target.into_operand(), indices.into_operand(), mask], &params)?)
}

/// Atomic exchange: puts values into a target of one axis at `indices`, and says for each index what stood at its place
/// just before: the value before it in the order of the indices, if there are several of one place. `value` broadcasts
/// to the shape of the indices. The dtype is that which target and value promote to.
///
/// ```
/// use ivy::prelude::*;
/// let target = Array::try_from([10i32, 20, 30])?;
/// let (values, places) = (Array::try_from([1i32, 2, 3])?, Array::try_from([2i64, 0, -1])?);
/// let done = ivy::scatter_exch(&target, &values, &places, ())?;
/// assert_eq!(done.old.to_vec::<i32>()?, [30, 10, 1]);
/// assert_eq!(done.target.to_vec::<i32>()?, [2, 20, 3]);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// [`IndexOutOfRange`](crate::ErrorKind::IndexOutOfRange), with the first position;
/// [`ShapeMismatch`](crate::ErrorKind::ShapeMismatch) for a target that has not one axis, a value or a mask
/// that does not fit; [`NoPromotion`](crate::ErrorKind::NoPromotion).
pub fn scatter_exch<'a, 'b, 'c>(
    target: impl IntoOperand<'a>,
    value: impl IntoOperand<'b>,
    indices: impl IntoOperand<'c>,
    params: impl Into<ScatterExch>,
) -> Result<Exchanged> {
    let mut params = params.into();
    let mask = mem::replace(&mut params.mask, Operand::Absent);
    let operands = [target.into_operand(), value.into_operand(), indices.into_operand(), mask];
    exchanged(call(&SCATTER_EXCH, &operands, &params)?)
}

fn exchanged(outputs: Outputs) -> Result<Exchanged> {
    let mut outputs = outputs.into_iter();
    let mut next = || outputs.next().expect("an exchange has two results");
    Ok(Exchanged { old: next(), target: next() })
}

/// Atomic compare-and-swap: puts each value into a target of one axis at its index if what stands there just then
/// equals `compare`, one update after the other in the order of the indices. `compare` and `value` broadcast to the
/// shape of the indices, and the dtype is that which all promote to. Equal is what [`equal`](crate::functional::equal)
/// calls so: zeros of either sign are, and NaN equals nothing.
///
/// ```
/// use ivy::{ScatterCas, prelude::*};
/// // Three want place 1, which is free while it is 0.
/// let owners = ivy::zeros(3, Dtype::INT32)?;
/// let (names, places) = (Array::try_from([7i32, 8, 9])?, Array::try_from([1i64, 1, 1])?);
/// let done = ivy::scatter_cas(&owners, 0, &names, &places, ())?;
/// assert_eq!(done.swapped.to_vec::<bool>()?, [true, false, false]);
/// assert_eq!(done.old.to_vec::<i32>()?, [0, 7, 7]);
/// assert_eq!(done.target.to_vec::<i32>()?, [0, 7, 0]);
/// // The first one gives up.
/// let without = ScatterCas::new().mask(&Array::try_from([false, true, true])?);
/// let done = ivy::scatter_cas(&owners, 0, &names, &places, without)?;
/// assert_eq!(done.swapped.to_vec::<bool>()?, [false, true, false]);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// As [`scatter_exch`].
pub fn scatter_cas<'a, 'b, 'c, 'd>(
    target: impl IntoOperand<'a>,
    compare: impl IntoOperand<'b>,
    value: impl IntoOperand<'c>,
    indices: impl IntoOperand<'d>,
    params: impl Into<ScatterCas>,
) -> Result<Swapped> {
    let mut params = params.into();
    let mask = mem::replace(&mut params.mask, Operand::Absent);
    let operands =
        [target.into_operand(), compare.into_operand(), value.into_operand(), indices.into_operand(), mask];
    let mut outputs = call(&SCATTER_CAS, &operands, &params)?.into_iter();
    let mut next = || outputs.next().expect("scatter_cas has three results");
    Ok(Swapped { old: next(), swapped: next(), target: next() })
}
