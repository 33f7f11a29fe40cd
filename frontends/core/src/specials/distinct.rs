//! Distinct parts of arrays.

use super::{cut, several};
use crate::{Call, Value, compute, invoke};
use ivy_core::functional as f;
use ivy_core::{Array, Dtype, Result};

/// The distinct parts along an axis in lexical order, where each of them stands first, which of them each part is, and how
/// often each occurs.
///
/// # Errors
/// For complex numbers, which have no order.
pub fn distinct_parts(call: &Call<'_>, x: &Array, axis: usize) -> Result<[Array; 4]> {
    let rows = compute!(call, "moveaxis", [x], source = axis as i64, destination = 0)?;
    let count = rows.shape()[0];
    let width = rows.size().checked_div(count).unwrap_or(0);
    let table = compute!(call, "reshape", [&rows], shape = vec![count as i64, width as i64])?;
    // The first column decides first: `lexsort` has that key last.
    let mut keys = several(call, invoke!(call, "unstack", [&table], axis = 1)?)?;
    keys.reverse();
    let order = match keys.is_empty() {
        true => places(call, count)?,
        false => compute!(call, "lexsort", [keys])?,
    };
    let sorted = compute!(call, "take", [&table, &order], axis = 0)?;
    let (starts, run) = runs(call, &sorted)?;
    let first = compute!(call, "take", [&order, &starts], axis = 0)?;
    let values = compute!(call, "take", [&rows, &first], axis = 0)?;
    let values = compute!(call, "moveaxis", [&values], source = 0, destination = axis as i64)?;
    let back = compute!(call, "argsort", [&order])?;
    let inverse = compute!(call, "take", [&run, &back], axis = 0)?;
    let end = call.make_array(&Value::from([count]), Some(Dtype::INT64))?;
    let counts = compute!(call, "diff", [&compute!(call, "concat", [vec![&starts, &end]])?])?;
    Ok([values, first, inverse, counts])
}

fn places(call: &Call<'_>, count: usize) -> Result<Array> {
    compute!(call, "arange", [0, count as i64, 1], dtype = Dtype::INT64)
}

/// Where runs of equal rows begin, and the run of each row.
fn runs(call: &Call<'_>, rows: &Array) -> Result<(Array, Array)> {
    let count = rows.shape()[0] as i64;
    if count == 0 {
        let none = places(call, 0)?;
        return Ok((none.clone(), none));
    }
    let other = f::not_equal(cut(rows, 0, 1, count, 1)?, cut(rows, 0, 0, count - 1, 1)?)?;
    let other = compute!(call, "any", [&other], axis = 1)?;
    let begins = compute!(call, "concat", [vec![&call.make_array(&Value::from([true]), None)?, &other]])?;
    let starts = several(call, invoke!(call, "nonzero", [&begins])?)?.swap_remove(0);
    let run = compute!(call, "cumulative_sum", [&f::astype(&begins, Dtype::INT64)?])?;
    Ok((starts, f::subtract(&run, 1)?))
}
