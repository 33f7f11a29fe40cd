//! Counts: histograms, bins.

use super::support::{Out, array, core, cut, default_int, dtype, get, inexact, ints, raveled, shape};
use ivy_core::Dtype;
use ivy_frontend::{Call, Fault, Value, kw};

/// The edges of `bins` between the bounds of an array.
fn edges(call: &Call<'_>, a: &Value<'_>, bins: &Value<'_>, range: &Value<'_>) -> Out {
    if bins.as_array().is_some_and(|b| b.ndim() == 1) {
        return inexact(call, bins);
    }
    let count = match bins.as_scalar() {
        Some(count) => count.to_i128() as i64,
        None => return Err(call.refuse(Fault::Missing, "bins", Some(bins), "a number or an array of edges")),
    };
    let kind = dtype(call, &inexact(call, a)?)?;
    let (low, high) = match range.items() {
        Some([low, high]) => (array(call, low)?, array(call, high)?),
        _ => (array(call, &core!(call, "min", a)?)?, array(call, &core!(call, "max", a)?)?),
    };
    let (low, high) = (low.to_scalar()?.to_f64(), high.to_scalar()?.to_f64());
    let (low, high) = if low == high { (low - 0.5, high + 0.5) } else { (low, high) };
    let made = call.row("numpy.linspace", &[low.into(), high.into(), (count + 1).into()], kw! {})?;
    core!(call, "astype", &made, kind)
}

/// `histogram_bin_edges(a, bins, range)`
pub(crate) fn histogram_bin_edges(call: &mut Call<'_>) -> Out {
    let a = Value::from(call.array(0)?);
    edges(call, &a, call.value(1), call.value(2))
}

/// `histogram(a, bins, range, weights, density)`: counts, or sums of weights, and edges. The last bin has its end too.
pub(crate) fn histogram(call: &mut Call<'_>) -> Out {
    let a = raveled(call, &inexact(call, &call.array(0)?.into())?)?;
    let edges = edges(call, &a, call.value(1), call.value(2))?;
    let bins = shape(call, &edges)?[0] - 1;
    let weights = match call.value(3) {
        Value::None => core!(call, "ones_like", &a)?,
        given => raveled(call, &inexact(call, &array(call, given)?.into())?)?,
    };
    let place = core!(call, "searchsorted", &edges, &a; side: "right")?;
    let last = cut(call, &edges, 0, bins, bins + 1)?;
    let place = core!(call, "where", &core!(call, "equal", &a, &last)?, bins, &place)?;
    // Each element's bin as a row of zeros and a one: what is in no bin has zeros alone.
    let numbers = core!(call, "arange", 1, bins + 1; dtype: dtype(call, &place)?)?;
    let column = core!(call, "reshape", &place, ints([-1i64, 1]))?;
    let inside = core!(call, "astype", &core!(call, "equal", &column, &numbers)?, dtype(call, &weights)?)?;
    let column = core!(call, "reshape", &weights, ints([-1i64, 1]))?;
    let mut counts = core!(call, "sum", &core!(call, "multiply", &inside, &column)?; axis: 0)?;
    if call.flag(4)? {
        let widths = core!(call, "multiply", &core!(call, "diff", &edges)?, &core!(call, "sum", &counts)?)?;
        counts = core!(call, "divide", &counts, &widths)?;
    }
    Ok(Value::Tuple(vec![counts, edges]))
}

/// `bincount(x, weights, minlength, length)`: with a length, what is above it is left out, and negative counts as 0.
pub(crate) fn bincount(call: &mut Call<'_>) -> Out {
    let x = call.array(0)?;
    if !x.dtype().is_int() || x.ndim() != 1 {
        let rule = "integers of one axis are needed";
        return Err(call.refuse(Fault::Type, "x", Some(&(&x).into()), rule));
    }
    let floor = core!(call, "maximum", &x, 0)?;
    let length = match call.value(3) {
        Value::None if x.size() == 0 => call.int(2)?,
        Value::None => {
            (array(call, &core!(call, "max", &floor)?)?.to_scalar()?.to_i128() as i64 + 1).max(call.int(2)?)
        }
        _ => call.int(3)?,
    };
    let fits = core!(call, "less", &floor, length)?;
    let weights = match call.value(1) {
        Value::None => core!(call, "ones_like", &x; dtype: default_int())?,
        given => array(call, given)?.into(),
    };
    let weights = core!(call, "multiply", &weights, &core!(call, "astype", &fits, dtype(call, &weights)?)?)?;
    let to = dtype(call, &weights)?;
    let kept = core!(call, "minimum", &floor, (length - 1).max(0))?;
    let kept = core!(call, "astype", &kept, Dtype::INT64)?;
    let zeros = core!(call, "zeros", ints([length]); dtype: to)?;
    core!(call, "index_add", &zeros, 0, &kept, &weights)
}

/// `digitize(x, bins, right)`: also of bins that fall.
pub(crate) fn digitize(call: &mut Call<'_>) -> Out {
    let (x, bins) = (call.array(0)?, Value::from(call.array(1)?));
    let n = shape(call, &bins)?.first().copied().unwrap_or(0);
    let falls = n > 1 && {
        let ends = [get(call, &bins, Value::Int(0))?, get(call, &bins, Value::Int((n - 1).into()))?];
        array(call, &core!(call, "greater", &ends[0], &ends[1])?)?.to_scalar()?.to_bool()
    };
    let side = if call.flag(2)? { "left" } else { "right" };
    let common = core!(call, "result_type", &x, &bins)?;
    let (x, bins) = (core!(call, "astype", &x, &common)?, core!(call, "astype", &bins, &common)?);
    if !falls {
        return core!(call, "astype", &core!(call, "searchsorted", &bins, &x; side: side)?, Dtype::INT32);
    }
    let back = get(call, &bins, Value::Slice { start: None, stop: None, step: Some(-1) })?;
    let other = if side == "left" { "right" } else { "left" };
    let place = core!(call, "searchsorted", &back, &x; side: other)?;
    core!(call, "astype", &core!(call, "subtract", n, &place)?, Dtype::INT32)
}
