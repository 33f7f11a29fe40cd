//! Quantiles.

use super::reductions::{counted, numbers};
use super::support::{Out, array, core, dtype, inexact, ints, operand, shape};
use ivy_frontend::{Call, Value, kw};

/// `quantile(name, a, q, axis, keepdims, method)`: the nearest of two that are as near is the lower one.
pub(crate) fn quantile(call: &mut Call<'_>) -> Out {
    let name = call.text(0)?;
    let a = inexact(call, &operand(call, 1)?)?;
    let (q, along, keepdims) = (call.value(2), call.value(3), call.flag(4)?);
    let by = |interpolation: &str| {
        let keywords = kw! { axis: along, keepdims: keepdims, interpolation: interpolation };
        call.core(name, &[a.borrowed(), q.borrowed()], keywords)
    };
    let method = call.text(5)?;
    if method != "nearest" {
        return by(method);
    }
    let (low, high) = (by("lower")?, by("higher")?);
    let own = dtype(call, &a)?;
    let q = core!(call, "astype", &array(call, q)?, own)?;
    let q = if name.ends_with("percentile") { core!(call, "divide", &q, 100)? } else { q };
    let mask = if name.starts_with("nan") { numbers(call, &a, &Value::None)? } else { Value::None };
    let count = counted(call, &a, along, keepdims, &mask)?;
    let count = core!(call, "astype", &array(call, &count)?, own)?;
    // The axes of `q` come first.
    let rest = shape(call, &low)?.len().saturating_sub(shape(call, &q)?.len());
    let q = core!(call, "reshape", &q, ints(shape(call, &q)?.into_iter().chain([1i64].repeat(rest))))?;
    let place = core!(call, "multiply", &q, &core!(call, "subtract", &count, 1)?)?;
    let beyond = core!(call, "subtract", &place, &core!(call, "floor", &place)?)?;
    core!(call, "where", &core!(call, "less_equal", &beyond, 0.5)?, &low, &high)
}
