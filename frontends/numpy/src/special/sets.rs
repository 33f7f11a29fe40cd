//! Sets of numbers: sorted, each once.

use super::casts::by_rule;
use super::help::{Out, axis_in, cut, flat, ints_beside, lengths, over, promoted, tuple, value_error};
use super::sorting::{order, sorted};
use ivy_core::functional as f;
use ivy_core::functional::{Concat, CumulativeSum, Diff, IsIn, Lexsort, Take};
use ivy_core::{Array, Dtype, Result};
use ivy_frontend::{Call, Value};

fn at(x: &Array, places: &Array) -> Result<Array> {
    f::take(x, places, Take::new().axis(0))
}

fn chosen(x: &Array, mask: &Array) -> Result<Array> {
    at(x, &f::nonzero(mask)?[0])
}

/// Arrays of different dtypes, one after the other.
pub(super) fn joined(parts: &[&Array]) -> Result<Array> {
    let dtype = parts[1..].iter().try_fold(parts[0].dtype(), |d, x| f::result_type([d, x.dtype()]))?;
    let parts = parts.iter().map(|x| f::astype(flat(x)?, dtype)).collect::<Result<Vec<_>>>()?;
    f::concat(&parts, Concat::new().axis(0))
}

/// Where a sorted row begins another value than the one before; NaN may be one value.
fn begins(sorted: &Array, equal_nan: bool) -> Result<Array> {
    let (before, after) = (cut(sorted, 0, None, Some(-1))?, cut(sorted, 0, Some(1), None)?);
    let mut differs = f::not_equal(&after, &before)?;
    if equal_nan && (sorted.dtype().is_float() || sorted.dtype().is_complex()) {
        differs =
            f::logical_and(differs, f::logical_not(f::logical_and(f::isnan(&after), f::isnan(&before))))?;
    }
    if differs.ndim() > 1 {
        let others: Vec<i64> = (1..differs.ndim() as i64).collect();
        differs = f::any(differs, over(Some(others.into()), false))?;
    }
    let first = f::ones([sorted.shape()[0].min(1)], f::Filled::new().dtype(Dtype::BOOL))?;
    f::concat([first, differs], Concat::new().axis(0))
}

struct Unique {
    values: Array,
    first: Array,
    inverse: Array,
    counts: Array,
}

/// The rows of an array along its first axis, each once, in order.
fn distinct(x: &Array, equal_nan: bool) -> Result<Unique> {
    let places = match x.ndim() {
        1 => order(x, 0)?,
        _ => {
            let rows = f::reshape(x, [x.shape()[0] as i64, -1], ())?;
            let columns = f::unstack(&rows, f::Unstack::new().axis(1))?;
            f::lexsort(columns.iter().rev(), Lexsort::new())?
        }
    };
    let sorted = at(x, &places)?;
    let begins = begins(&sorted, equal_nan)?;
    let starts = f::nonzero(&begins)?.swap_remove(0);
    let number =
        f::subtract(f::cumulative_sum(f::astype(&begins, Dtype::INT64), CumulativeSum::new().axis(0)), 1)?;
    let back = order(&places, 0)?;
    let length = ints_beside(x, vec![x.shape()[0] as i64])?;
    let ends = f::concat([&starts, &length], Concat::new().axis(0))?;
    Ok(Unique {
        values: at(&sorted, &starts)?,
        first: at(&places, &starts)?,
        inverse: at(&number, &back)?,
        counts: f::diff(ends, Diff::new())?,
    })
}

/// The elements of an array, each once, in order.
pub(super) fn values(x: &Array) -> Result<Array> {
    Ok(distinct(&flat(x)?, true)?.values)
}

/// `ar return_index return_inverse return_counts axis equal_nan`
pub fn unique(call: &mut Call<'_>) -> Out {
    let x = call.array(0)?;
    let equal_nan = call.flag(5)?;
    let (found, inverse) = match call.value(4) {
        Value::None => {
            let found = distinct(&flat(&x)?, equal_nan)?;
            let inverse = f::reshape(&found.inverse, lengths(x.shape()), ())?;
            (found, inverse)
        }
        _ => {
            let axis = axis_in(call, call.int(4)?, x.ndim())? as i64;
            let mut found = distinct(&f::moveaxis(&x, axis, 0)?, false)?;
            found.values = f::moveaxis(&found.values, 0, axis)?;
            let inverse = found.inverse.clone();
            (found, inverse)
        }
    };
    let mut all = vec![found.values];
    for (i, extra) in [(1, found.first), (2, inverse), (3, found.counts)] {
        if call.flag(i)? {
            all.push(extra);
        }
    }
    Ok(if all.len() == 1 { all.swap_remove(0).into() } else { tuple(all) })
}

/// `ar1 ar2`
pub fn union(call: &mut Call<'_>) -> Out {
    Ok(values(&joined(&[&call.array(0)?, &call.array(1)?])?)?.into())
}

/// `ar1 ar2 assume_unique return_indices`
pub fn intersection(call: &mut Call<'_>) -> Out {
    let (mut a, mut b) = (flat(&call.array(0)?)?, flat(&call.array(1)?)?);
    let (unique, wants_places) = (call.flag(2)?, call.flag(3)?);
    let mut firsts = None;
    if !unique {
        let (x, y) = (distinct(&a, true)?, distinct(&b, true)?);
        (a, b) = (x.values, y.values);
        firsts = Some((x.first, y.first));
    }
    let both = joined(&[&a, &b])?;
    let places = order(&both, 0)?;
    let both = at(&both, &places)?;
    let same = f::equal(cut(&both, 0, Some(1), None)?, cut(&both, 0, None, Some(-1))?)?;
    let common = chosen(&cut(&both, 0, None, Some(-1))?, &same)?;
    if !wants_places {
        return Ok(common.into());
    }
    let in_a = chosen(&cut(&places, 0, None, Some(-1))?, &same)?;
    let in_b = f::subtract(chosen(&cut(&places, 0, Some(1), None)?, &same)?, a.size() as i64)?;
    let (in_a, in_b) = match firsts {
        Some((x, y)) => (at(&x, &in_a)?, at(&y, &in_b)?),
        None => (in_a, in_b),
    };
    Ok(tuple([common, in_a, in_b]))
}

/// `ar1 ar2 assume_unique`
pub fn difference(call: &mut Call<'_>) -> Out {
    let (a, b) = (flat(&call.array(0)?)?, flat(&call.array(1)?)?);
    let a = if call.flag(2)? { a } else { values(&a)? };
    Ok(chosen(&a, &is_in(&a, &b, true)?)?.into())
}

/// `ar1 ar2 assume_unique`
pub fn symmetric_difference(call: &mut Call<'_>) -> Out {
    let (mut a, mut b) = (flat(&call.array(0)?)?, flat(&call.array(1)?)?);
    if !call.flag(2)? {
        (a, b) = (values(&a)?, values(&b)?);
    }
    let both = sorted(&joined(&[&a, &b])?, 0)?;
    if both.size() == 0 {
        return Ok(both.into());
    }
    let begins = begins(&both, false)?;
    let last = f::ones([1], f::Filled::new().dtype(Dtype::BOOL))?;
    let ends = f::concat([cut(&begins, 0, Some(1), None)?, last], Concat::new().axis(0))?;
    Ok(chosen(&both, &f::logical_and(&begins, ends)?)?.into())
}

fn is_in(x: &Array, among: &Array, invert: bool) -> Result<Array> {
    let dtype = promoted(x, among)?;
    let params = if invert { IsIn::new().invert() } else { IsIn::new() };
    f::isin(f::astype(x, dtype)?, f::astype(flat(among)?, dtype)?, params)
}

/// `element test_elements invert kind`
pub fn isin(call: &mut Call<'_>) -> Out {
    let (x, among) = (call.array(0)?, call.array(1)?);
    match call.value(3) {
        Value::None => {}
        Value::Text(kind) if kind == "sort" => {}
        Value::Text(kind) if kind == "table" => {
            let whole = |x: &Array| x.dtype().is_int() || x.dtype().is_bool();
            if !whole(&x) || !whole(&among) {
                return Err(value_error(
                    call,
                    "kind",
                    "The 'table' method is only supported for boolean or integer arrays.",
                ));
            }
        }
        other => {
            return Err(value_error(
                call,
                "kind",
                format!("Invalid kind: {}. Please use None, 'sort' or 'table'.", other.told()),
            ));
        }
    }
    Ok(is_in(&x, &among, call.flag(2)?)?.into())
}

/// `ary to_end to_begin`
pub fn ediff1d(call: &mut Call<'_>) -> Out {
    let x = flat(&call.array(0)?)?;
    let apart = f::subtract(cut(&x, 0, Some(1), None)?, cut(&x, 0, None, Some(-1))?)?;
    let mut parts = vec![apart];
    for (i, first) in [(1, false), (2, true)] {
        if call.value(i).is_none() {
            continue;
        }
        let end = by_rule(call, &flat(&call.array(i)?)?, x.dtype(), "same_kind")?;
        if first {
            parts.insert(0, end);
        } else {
            parts.push(end);
        }
    }
    Ok(f::concat(&parts, Concat::new().axis(0))?.into())
}
