//! Segments, distinct elements, polynomials.

use ivy_core::functional as f;
use ivy_core::{Array, Dtype, Result};
use ivy_frontend::specials::{Out, lengths, several, tuple, wrong};
use ivy_frontend::{Call, compute, kw};

/// The elements of `data` combined by segment, and 1 for each segment that has none, in a shape that broadcasts.
fn combined(call: &Call<'_>, kind: &str, data: &Array, ids: &Array, count: i64) -> Result<(Array, Array)> {
    if !data.shape().starts_with(ids.shape()) {
        let rule = format!("shape {} does not begin with that of the ids, {}", data.shape(), ids.shape());
        return Err(wrong(call, "data", rule));
    }
    let mut flat = vec![ids.size() as i64];
    flat.extend(&lengths(data)[ids.ndim()..]);
    let (data, ids) = (
        compute!(call, "reshape", [data], shape = flat)?,
        compute!(call, "reshape", [ids], shape = vec![-1i64])?,
    );
    let name = match kind {
        "sqrt_n" => "unsorted_segment_sum",
        "max" => "unsorted_segment_max",
        "min" => "unsorted_segment_min",
        "prod" => "unsorted_segment_prod",
        "mean" => "unsorted_segment_mean",
        _ => "unsorted_segment_sum",
    };
    let result = compute!(call, name, [&data, &ids], num_segments = count)?;
    let ones = compute!(call, "ones_like", [&ids], dtype = Dtype::INT64)?;
    let counts = compute!(call, "unsorted_segment_sum", [&ones, &ids], num_segments = count)?;
    let mut column = vec![1i64; result.ndim()];
    column[0] = count;
    Ok((result, compute!(call, "reshape", [&counts], shape = column)?))
}

/// `unsorted_segments(kind, data, segment_ids, num_segments)`: of floats, what has no elements is the greatest or least
/// finite number.
pub(crate) fn unsorted_segments(call: &mut Call<'_>) -> Out {
    let (kind, data, ids, count) = (call.text(0)?.to_string(), call.array(1)?, call.array(2)?, call.int(3)?);
    let (result, counts) = combined(call, &kind, &data, &ids, count)?;
    if kind == "sqrt_n" {
        let width = compute!(call, "sqrt", [&compute!(call, "astype", [&counts, result.dtype()])?])?;
        return Ok(compute!(call, "divide", [&result, &compute!(call, "maximum", [&width, 1])?])?.into());
    }
    if !matches!(&*kind, "max" | "min") || !result.dtype().is_float() {
        return Ok(result.into());
    }
    let info = ivy_core::finfo(result.dtype())?;
    let none = compute!(call, "equal", [&counts, 0])?;
    Ok(compute!(call, "where", [&none, if kind == "max" { info.min } else { info.max }, &result])?.into())
}

/// `segments(kind, data, segment_ids)`: ids ascend, and a segment without elements is 0, or 1 of products.
pub(crate) fn segments(call: &mut Call<'_>) -> Out {
    let (kind, data, ids) = (call.text(0)?.to_string(), call.array(1)?, call.array(2)?);
    let numbers = f::astype(&ids, Dtype::INT64)?.to_vec::<i64>()?;
    if numbers.windows(2).any(|pair| pair[0] > pair[1]) {
        return Err(wrong(call, "segment_ids", "they ascend"));
    }
    let count = numbers.last().map_or(0, |last| last + 1);
    let (result, counts) = combined(call, &kind, &data, &ids, count)?;
    if !matches!(&*kind, "max" | "min") {
        return Ok(result.into());
    }
    let none = compute!(call, "equal", [&counts, 0])?;
    Ok(compute!(call, "where", [&none, 0, &result])?.into())
}

/// `unique(x, out_idx, counts)`: distinct elements in the order of their first occurrence.
pub(crate) fn unique(call: &mut Call<'_>) -> Out {
    let (x, dtype, counted) = (call.array(0)?, call.dtype(1)?.unwrap_or(Dtype::INT32), call.flag(2)?);
    if x.ndim() != 1 {
        return Err(wrong(call, "x", "a vector is needed"));
    }
    let parts = several(call, call.core("unique_all", &[(&x).into()], kw! {})?)?;
    let [values, first, inverse, counts] =
        <[Array; 4]>::try_from(parts).map_err(|_| wrong(call, "x", "no results"))?;
    let order = compute!(call, "argsort", [&first])?;
    let place = compute!(call, "argsort", [&order])?;
    let values = compute!(call, "take", [&values, &order], axis = 0)?;
    let indices = f::astype(compute!(call, "take", [&place, &inverse], axis = 0)?, dtype)?;
    if !counted {
        return Ok(tuple([values, indices]));
    }
    let counts = f::astype(compute!(call, "take", [&counts, &order], axis = 0)?, dtype)?;
    Ok(tuple([values, indices, counts]))
}

/// `polyval(coeffs, x)`: Horner's rule from the first coefficient on; 0 without any.
pub(crate) fn polyval(call: &mut Call<'_>) -> Out {
    let (coeffs, x) = (call.arrays(0)?, call.array(1)?);
    let mut coeffs = coeffs.into_iter();
    let Some(mut sum) = coeffs.next() else { return Ok(compute!(call, "zeros_like", [&x])?.into()) };
    for next in coeffs {
        sum = compute!(call, "add", [&compute!(call, "multiply", [&sum, &x])?, &next])?;
    }
    Ok(sum.into())
}
