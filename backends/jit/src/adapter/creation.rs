//! Arrays of what their elements' numbers give: counters, and a few operations on them, in the kernels of
//! what they are for.

use super::backend::JitBackend;
use ivy_core::backend::{Backend, Value};
use ivy_core::{BinaryOp, Dtype, Op, Result, Scalar, Shape};

/// How the elements of a created array follow from their numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Plan {
    /// `first + i * step` in integers.
    Whole { first: i64, step: i64 },
    /// `first + i * step` in float64.
    Real { first: f64, step: f64 },
    /// `first + i * whole / parts` in float64; the last one is `end` itself, if there is one.
    Parts { first: f64, whole: f64, parts: f64, end: Option<f64> },
    /// Whether the numbers along two axes are so far apart.
    Diagonal { rows: usize, k: i64 },
}

/// True for an op that is noted as counters, if those are wanted.
pub(crate) fn counts(op: &Op) -> bool {
    plan(op).is_some()
}

/// How many elements the last axis has, and what they are; `None` for all else, for what has none, and
/// where the reference kernels go beyond 64 bits.
fn plan(op: &Op) -> Option<(usize, Dtype, Plan)> {
    match *op {
        Op::Arange { start, step, len, dtype } if len > 0 && !dtype.is_bool() => {
            let whole = |s: Scalar| match s {
                Scalar::Int(i) => Some(i),
                Scalar::Bool(b) => Some(i128::from(b)),
                _ => None,
            };
            let plan = match (whole(start), whole(step)) {
                (Some(first), Some(step)) => {
                    let last = step.checked_mul(len as i128 - 1)?.checked_add(first)?;
                    let (least, most) = dtype.int_range().unwrap_or((i128::MIN, i128::MAX));
                    let fits = |i: i128| i64::try_from(i).ok().filter(|_| (least..=most).contains(&i));
                    fits(last)?;
                    Plan::Whole { first: fits(first)?, step: i64::try_from(step).ok()? }
                }
                _ if matches!(start, Scalar::Complex(_)) || matches!(step, Scalar::Complex(_)) => {
                    return None;
                }
                _ => Plan::Real { first: start.to_f64(), step: step.to_f64() },
            };
            Some((len, dtype, plan))
        }
        Op::Linspace { start, stop, len, endpoint, dtype } if len > 1 && !dtype.is_complex() => {
            let (first, end) = (start.to_f64(), stop.to_f64());
            let (whole, parts) = (end - first, if endpoint { len - 1 } else { len } as f64);
            // Elsewhere the way is taken in two parts, or leads nowhere.
            let plain = (parts * whole).is_finite() && !dtype.is_bool();
            let end = endpoint.then_some(end);
            plain.then_some((len, dtype, Plan::Parts { first, whole, parts, end }))
        }
        Op::Eye { rows, cols, k, dtype } if rows > 0 && cols > 0 => {
            Some((cols, dtype, Plan::Diagonal { rows, k }))
        }
        _ => None,
    }
}

/// Notes the counters and operations of an op that [`counts`]; `None` for others, and where counters are
/// not wanted.
///
/// # Errors
/// Those of its parts.
pub(crate) fn counted(b: &JitBackend, op: &Op) -> Result<Option<Value>> {
    let Some((length, dtype, plan)) = plan(op) else { return Ok(None) };
    let Some(numbers) = b.counter(length)? else { return Ok(None) };
    let with = |op, x: &Value, number: Scalar| b.execute_scalar(op, x, number, false);
    let cast = |x: &Value, dtype| b.execute_one(&Op::Cast { dtype }, &[x]);
    let elements = match plan {
        Plan::Whole { first, step } => {
            let way = with(BinaryOp::Multiply, &numbers, step.into())?;
            with(BinaryOp::Add, &way, first.into())?
        }
        Plan::Real { first, step } => {
            let way = with(BinaryOp::Multiply, &cast(&numbers, Dtype::FLOAT64)?, step.into())?;
            b.execute_scalar(BinaryOp::Add, &way, first.into(), true)?
        }
        Plan::Parts { first, whole, parts, end } => {
            let full =
                |value: f64| Op::Full { shape: Shape::default(), dtype: Dtype::FLOAT64, value: value.into() };
            let at = |i: f64| with(BinaryOp::Equal, &numbers, (i as i64).into());
            let way = with(BinaryOp::Multiply, &cast(&numbers, Dtype::FLOAT64)?, whole.into())?;
            let way = with(BinaryOp::Divide, &way, parts.into())?;
            let mut all = b.execute_scalar(BinaryOp::Add, &way, first.into(), true)?;
            for (i, value) in [(0.0, Some(first)), (parts, end)] {
                let Some(value) = value else { continue };
                let value = b.execute_one(&full(value), &[])?;
                all = b.execute_one(&Op::Where, &[&at(i)?, &value, &all])?;
            }
            all
        }
        Plan::Diagonal { rows, k } => {
            let Some(down) = b.counter(rows)? else { return Ok(None) };
            let down = b.execute_one(&Op::Reshape { shape: [rows, 1].into() }, &[&down])?;
            // A sum beyond 64 bits is no number of a column either.
            let down = with(BinaryOp::Add, &down, k.into())?;
            b.execute_one(&Op::Binary(BinaryOp::Equal), &[&numbers, &down])?
        }
    };
    if elements.dtype == dtype { Ok(Some(elements)) } else { cast(&elements, dtype).map(Some) }
}
