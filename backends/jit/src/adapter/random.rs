//! Random bits as nodes: words of the blocks that elements' numbers give, in the kernels of what they are for.

use super::backend::JitBackend;
use crate::cache::Generator;
use crate::engine::Variable;
use ivy_core::backend::{Backend, Value};
use ivy_core::{AxisSlice, BinaryOp, Dtype, Op, Result, Scalar, Shape};

/// Words of the longest draws that the interpreter computes: the reference kernels take a tenth of its time.
const INTERPRETED: usize = 1 << 12;

/// Notes a draw; `None` where the reference kernels make it: of nothing, of states that are not valid, which they
/// refuse, by the interpreter where it is long, and without the switch.
///
/// # Errors
/// Those of its parts.
pub(crate) fn drawn(b: &JitBackend, op: &Op, state: &Value) -> Result<Option<Value>> {
    let (Op::RandomBits { shape, dtype }, Some((&4, lead))) = (op, state.shape.split_last()) else {
        return Ok(None);
    };
    let engine = b.engine();
    let Some((_, whole)) = op.result(op.name(), &[(state.dtype, &state.shape)])?.pop() else {
        return Ok(None);
    };
    let size = whole.iter().try_fold(1usize, |n, &length| n.checked_mul(length));
    let interpreted = engine.device().is_none() && matches!(engine.generator(), Generator::Interp);
    let most = if interpreted { INTERPRETED } else { isize::MAX as usize / 16 };
    let words = matches!(*dtype, Dtype::UINT32 | Dtype::UINT64) && state.dtype == Dtype::UINT32;
    if !words || !engine.settings().draws || size.is_none_or(|n| n == 0 || n > most) {
        return Ok(None);
    }
    let Some(numbers) = b.counter(shape.size())? else { return Ok(None) };
    let numbers = match shape.len() {
        1 => numbers,
        _ => b.execute_one(&Op::Reshape { shape: shape.clone() }, &[&numbers])?,
    };
    let known = match state.data::<Variable>() {
        Some(of) if lead.is_empty() && engine.device().is_none() && of.is_evaluated() && !of.is_given() => {
            engine.evaluate(of)?.to_vec::<u32>().ok()
        }
        _ => None,
    };
    let half = |i: usize| match known.as_deref() {
        Some(&[a, c, d, e]) => {
            let [low, high] = if i == 0 { [a, c] } else { [d, e] };
            let value = Scalar::Int(i128::from(low) | i128::from(high) << 32);
            b.execute_one(&Op::Full { shape: Shape::default(), dtype: Dtype::UINT64, value }, &[])
        }
        _ => wide(b, state, lead, 2 * i, shape.len()),
    };
    b.random([&numbers, &half(0)?, &half(1)?], *dtype, whole).map(Some)
}

/// Two words of each state as one, with so many axes behind those of the states.
fn wide(b: &JitBackend, state: &Value, lead: &[usize], first: usize, behind: usize) -> Result<Value> {
    let shape: Shape = lead.iter().copied().chain(std::iter::repeat_n(1, behind)).collect();
    let word = |i: usize| {
        let whole = lead.iter().map(|&len| AxisSlice { start: 0, step: 1, len });
        let axes = whole.chain([AxisSlice { start: i, step: 1, len: 1 }]).collect();
        let word = b.execute_one(&Op::Slice { axes }, &[state])?;
        let word = b.execute_one(&Op::Reshape { shape: shape.clone() }, &[&word])?;
        b.execute_one(&Op::Cast { dtype: Dtype::UINT64 }, &[&word])
    };
    let high = b.execute_scalar(BinaryOp::BitwiseLeftShift, &word(first + 1)?, Scalar::Int(32), false)?;
    b.execute_one(&Op::Binary(BinaryOp::BitwiseOr), &[&word(first)?, &high])
}
