//! Reductions with masks and starts, statistics, running sums.

use super::support::{
    Out, array, axes, axis, core, cut, default_int, dtype, float_of, inexact, ints, is_short_float, operand,
    product, raveled, shape,
};
use ivy_core::{Dtype, Result};
use ivy_frontend::{Call, Fault, Value, kw};

/// `reduce(name, a, axis, dtype, keepdims, initial, where, promote_integers)` of sum, prod, max and min.
pub(crate) fn reduce(call: &mut Call<'_>) -> Out {
    let name = call.text(0)?.to_string();
    let x = Value::from(call.array(1)?);
    reduced(
        call,
        &name,
        &x,
        call.value(2),
        call.dtype(3)?,
        call.flag(4)?,
        call.value(5),
        call.value(6),
        call.flag(7)?,
    )
}

/// Such a reduction: `initial` is one more element, and only those count where `mask` is true.
#[allow(clippy::too_many_arguments)]
pub(crate) fn reduced(
    call: &Call<'_>,
    name: &str,
    x: &Value<'_>,
    along: &Value<'_>,
    to: Option<Dtype>,
    keepdims: bool,
    initial: &Value<'_>,
    mask: &Value<'_>,
    promotes: bool,
) -> Out {
    let own = dtype(call, x)?;
    let sums = matches!(name, "sum" | "prod");
    let neutral = match (name, mask, initial) {
        ("prod", ..) => Value::Int(1),
        ("sum", ..) => Value::Int(0),
        (_, Value::None, _) => Value::None,
        (_, _, Value::None) => {
            let rule = "the reduction has no identity: a where mask needs initial";
            return Err(call.refuse(Fault::Value, "where", Some(mask), rule));
        }
        _ => core!(call, "astype", &array(call, initial)?, own)?,
    };
    let masked = match mask {
        Value::None => x.clone().into_owned(),
        _ => {
            let neutral = if sums { core!(call, "astype", &array(call, &neutral)?, own)? } else { neutral };
            core!(call, "where", mask, x, &neutral)?
        }
    };
    // Without promotion the result has the operand's dtype.
    let to = to.or_else(|| (sums && !promotes).then_some(own));
    let keywords = kw! { axis: along, keepdims: keepdims };
    let result = if sums {
        call.core(name, &[masked], keywords.with("dtype", to))?
    } else if !initial.is_none() && has_no_elements(call, &masked, along)? {
        // What is reduced has no element but the initial one.
        let sum = core!(call, "sum", &masked; axis: along, keepdims: keepdims, dtype: own)?;
        return core!(call, "full_like", &sum, initial);
    } else {
        call.core(name, &[masked], keywords)?
    };
    let start = match initial {
        Value::None => return Ok(result),
        value => core!(call, "astype", &array(call, value)?, dtype(call, &result)?)?,
    };
    match name {
        "sum" => core!(call, "add", &result, &start),
        "prod" => core!(call, "multiply", &result, &start),
        "max" => core!(call, "maximum", &result, &start),
        _ => core!(call, "minimum", &result, &start),
    }
}

fn has_no_elements(call: &Call<'_>, x: &Value<'_>, along: &Value<'_>) -> Result<bool> {
    let lengths = shape(call, x)?;
    Ok(reduced_axes(call, along, lengths.len())?.iter().any(|&a| lengths[a] == 0))
}

/// The axes that are reduced.
fn reduced_axes(call: &Call<'_>, along: &Value<'_>, ndim: usize) -> Result<Vec<usize>> {
    let given: Vec<i64> = match along {
        Value::None => return Ok((0..ndim).collect()),
        Value::Int(i) => vec![*i as i64],
        other => match other.items() {
            Some(list) => list.iter().filter_map(|v| v.as_scalar()).map(|s| s.to_i128() as i64).collect(),
            None => vec![array(call, other)?.to_scalar()?.to_i128() as i64],
        },
    };
    given.into_iter().map(|a| axis(call, a, ndim)).collect()
}

/// `without_nan(a, value)`: the array with another value in the place of what is no number.
pub(crate) fn without_nan(call: &mut Call<'_>) -> Out {
    let x = Value::from(call.array(0)?);
    filled(call, &x, call.value(1))
}

fn filled(call: &Call<'_>, x: &Value<'_>, value: &Value<'_>) -> Out {
    if !can_be_nan(dtype(call, x)?) {
        return Ok(x.clone().into_owned());
    }
    core!(call, "where", &core!(call, "isnan", x)?, value, x)
}

fn can_be_nan(dtype: Dtype) -> bool {
    dtype.is_float() || dtype.is_complex()
}

/// `not_nan(a, where)`: where the elements are numbers, and the mask is true.
pub(crate) fn not_nan(call: &mut Call<'_>) -> Out {
    let x = Value::from(call.array(0)?);
    numbers(call, &x, call.value(1))
}

pub(super) fn numbers(call: &Call<'_>, x: &Value<'_>, mask: &Value<'_>) -> Out {
    if !can_be_nan(dtype(call, x)?) {
        return Ok(mask.clone().into_owned());
    }
    let there = core!(call, "logical_not", &core!(call, "isnan", x)?)?;
    match mask {
        Value::None => Ok(there),
        mask => core!(call, "logical_and", &there, mask),
    }
}

/// `nan_extreme(name, a, axis, keepdims, initial, where)`: NaN where there are no numbers.
pub(crate) fn nan_extreme(call: &mut Call<'_>) -> Out {
    let name = call.text(0)?.to_string();
    let x = Value::from(call.array(1)?);
    let (along, keepdims, initial, mask) = (call.value(2), call.flag(3)?, call.value(4), call.value(5));
    if !can_be_nan(dtype(call, &x)?) {
        return reduced(call, &name, &x, along, None, keepdims, initial, mask, true);
    }
    let beyond = Value::Float(if name == "max" { f64::NEG_INFINITY } else { f64::INFINITY });
    let (there, known) = (filled(call, &x, &beyond)?, core!(call, "isnan", &x)?);
    let found = reduced(call, &name, &there, along, None, keepdims, initial, mask, true)?;
    if !initial.is_none() || !mask.is_none() {
        return Ok(found);
    }
    let none = core!(call, "all", &known; axis: along, keepdims: keepdims)?;
    core!(call, "where", &none, f64::NAN, &found)
}

/// `mean(a, axis, dtype, keepdims, where)`
pub(crate) fn mean(call: &mut Call<'_>) -> Out {
    let x = Value::from(call.array(0)?);
    let to = call.dtype(2)?;
    let (mean, to) = (averaged(call, &x, call.value(1), to, call.flag(3)?, call.value(4))?, to);
    match to {
        Some(to) => core!(call, "astype", &mean, to),
        None => Ok(mean),
    }
}

/// The mean of the elements where the mask is true.
fn averaged(
    call: &Call<'_>,
    x: &Value<'_>,
    along: &Value<'_>,
    to: Option<Dtype>,
    keepdims: bool,
    mask: &Value<'_>,
) -> Out {
    let x = match to {
        Some(to) if can_be_nan(to) => core!(call, "astype", x, to)?,
        _ => inexact(call, x)?,
    };
    if mask.is_none() {
        return core!(call, "mean", &x; axis: along, keepdims: keepdims);
    }
    let total = reduced(call, "sum", &x, along, None, keepdims, &Value::None, mask, true)?;
    core!(
        call,
        "divide",
        &total,
        &core!(call, "astype", &counted(call, &x, along, keepdims, mask)?, dtype(call, &total)?)?
    )
}

/// How many elements count.
pub(super) fn counted(
    call: &Call<'_>,
    x: &Value<'_>,
    along: &Value<'_>,
    keepdims: bool,
    mask: &Value<'_>,
) -> Out {
    match mask {
        Value::None => {
            let lengths = shape(call, x)?;
            let along = reduced_axes(call, along, lengths.len())?;
            Ok(Value::Int(product(&along.iter().map(|&a| lengths[a]).collect::<Vec<_>>()).into()))
        }
        mask => {
            let wide = core!(call, "broadcast_to", &array(call, mask)?, ints(shape(call, x)?))?;
            core!(call, "sum", &wide; axis: along, keepdims: keepdims)
        }
    }
}

/// `variance(a, axis, dtype, ddof, keepdims, where, mean)`
pub(crate) fn variance(call: &mut Call<'_>) -> Out {
    let x = Value::from(call.array(0)?);
    spread(call, &x, call.value(5))
}

/// `nan_variance(a, axis, dtype, ddof, keepdims, where, mean)`
pub(crate) fn nan_variance(call: &mut Call<'_>) -> Out {
    let x = Value::from(call.array(0)?);
    let mask = numbers(call, &x, call.value(5))?;
    let (zeroed, free) = (filled(call, &x, &Value::Int(0))?, call.int(3)?);
    let out = spread(call, &zeroed, &mask)?;
    let count = counted(call, &x, call.value(1), call.flag(4)?, &mask)?;
    core!(call, "where", &core!(call, "greater", &array(call, &count)?, free)?, &out, f64::NAN)
}

/// The mean of the squared distances from the mean; the divisor is less by `ddof`.
fn spread(call: &Call<'_>, x: &Value<'_>, mask: &Value<'_>) -> Out {
    let (along, to, ddof, keepdims) = (call.value(1), call.dtype(2)?, call.float(3)?, call.flag(4)?);
    let own = dtype(call, x)?;
    let result = to.unwrap_or(if can_be_nan(own) { own } else { float_of(own) });
    // Short floats are summed in float32 and rounded once.
    let computed = if is_short_float(result) { Dtype::FLOAT32 } else { result };
    let computed = match own {
        own if own.is_complex() && !computed.is_complex() => own,
        _ => computed,
    };
    let x = core!(call, "astype", x, computed)?;
    let mean = match call.value(6) {
        Value::None => averaged(call, &x, along, None, true, mask)?,
        given => given.clone().into_owned(),
    };
    let apart = core!(call, "subtract", &x, &mean)?;
    let squares = if computed.is_complex() {
        let (re, im) = (core!(call, "real", &apart)?, core!(call, "imag", &apart)?);
        core!(call, "add", &core!(call, "square", &re)?, &core!(call, "square", &im)?)?
    } else {
        core!(call, "square", &apart)?
    };
    let total = reduced(call, "sum", &squares, along, None, keepdims, &Value::None, mask, true)?;
    let divisor = match counted(call, &x, along, keepdims, mask)? {
        Value::Int(n) => Value::Float((n as f64 - ddof).max(0.0)),
        counts => {
            let counts = core!(call, "astype", &counts, dtype(call, &total)?)?;
            core!(call, "maximum", &core!(call, "subtract", &counts, ddof)?, 0.0)?
        }
    };
    let out = core!(call, "divide", &total, &divisor)?;
    if is_short_float(result) { core!(call, "astype", &out, result) } else { Ok(out) }
}

/// `average(a, axis, weights, returned, keepdims)`
pub(crate) fn average(call: &mut Call<'_>) -> Out {
    let x = inexact(call, &call.array(0)?.into())?;
    let (along, returned, keepdims) = (call.value(1), call.flag(3)?, call.flag(4)?);
    let lengths = shape(call, &x)?;
    let (mean, total) = match call.value(2) {
        Value::None => {
            let mean = core!(call, "mean", &x; axis: along, keepdims: keepdims)?;
            let count = counted(call, &x, along, keepdims, &Value::None)?;
            let total = core!(call, "full_like", &mean, &count)?;
            (mean, total)
        }
        given => {
            let weights = inexact(call, &array(call, given)?.into())?;
            let own = shape(call, &weights)?;
            let weights = if own == lengths {
                weights
            } else {
                let along = match along {
                    Value::Int(a) => axis(call, *a as i64, lengths.len())?,
                    _ => {
                        return Err(call.refuse(
                            Fault::Value,
                            "weights",
                            Some(given),
                            "an axis must be given",
                        ));
                    }
                };
                if own != [lengths[along]] {
                    let rule = "must be of the array's shape, or of one axis of its length";
                    return Err(call.refuse(Fault::Value, "weights", Some(given), rule));
                }
                let column = (0..lengths.len()).map(|a| if a == along { -1i64 } else { 1 });
                let column = core!(call, "reshape", &weights, ints(column))?;
                core!(call, "broadcast_to", &column, ints(lengths.clone()))?
            };
            let total = core!(call, "sum", &weights; axis: along, keepdims: keepdims)?;
            let sum =
                core!(call, "sum", &core!(call, "multiply", &x, &weights)?; axis: along, keepdims: keepdims)?;
            let mean = core!(call, "divide", &sum, &total)?;
            (mean, total)
        }
    };
    Ok(if returned { Value::Tuple(vec![mean, total]) } else { mean })
}

/// `cumulative(name, a, axis, dtype)`: flat for `axis=None`; the dtype of integers is kept.
pub(crate) fn cumulative(call: &mut Call<'_>) -> Out {
    let name = call.text(0)?;
    let x = Value::from(call.array(1)?);
    let (x, along) = match call.value(2) {
        Value::None => (raveled(call, &x)?, 0),
        _ => (x, call.int(2)?),
    };
    let own = dtype(call, &x)?;
    let to = call.dtype(3)?.unwrap_or(if own.is_bool() { default_int() } else { own });
    match name {
        "sum" => core!(call, "cumsum", &x; axis: along, dtype: to),
        _ => core!(call, "cumprod", &x; axis: along, dtype: to),
    }
}

/// `diff(a, n, axis, prepend, append)`: truth values by whether they differ.
pub(crate) fn diff(call: &mut Call<'_>) -> Out {
    let x = operand(call, 0)?;
    let lengths = shape(call, &x)?;
    let n = call.int(1)?;
    if n < 0 || lengths.is_empty() {
        let rule = "n is at least 0, of an array with an axis";
        return Err(call.refuse(Fault::Value, "n", Some(call.value(1)), rule));
    }
    let along = axis(call, call.int(2)?, lengths.len())?;
    let wide = |i: usize| -> Result<Option<Value<'static>>> {
        if call.value(i).is_none() {
            return Ok(None);
        }
        let given = operand(call, i)?;
        if !shape(call, &given)?.is_empty() {
            return Ok(Some(given));
        }
        let mut one = lengths.clone();
        one[along] = 1;
        core!(call, "broadcast_to", &given, ints(one)).map(Some)
    };
    let parts: Vec<_> = [wide(3)?, Some(x), wide(4)?].into_iter().flatten().collect();
    let mut x = if parts.len() > 1 { core!(call, "concat", parts; axis: along)? } else { parts[0].clone() };
    for _ in 0..n {
        let length = shape(call, &x)?[along];
        let (after, before) =
            (cut(call, &x, along, 1, length)?, cut(call, &x, along, 0, (length - 1).max(0))?);
        x = if dtype(call, &x)?.is_bool() {
            core!(call, "not_equal", &after, &before)?
        } else {
            core!(call, "subtract", &after, &before)?
        };
    }
    Ok(x)
}

/// `gradient(f, spacings, axis)`
pub(crate) fn gradient(call: &mut Call<'_>) -> Out {
    let f = inexact(call, &call.array(0)?.into())?;
    let ndim = shape(call, &f)?.len();
    let along = axes(call, 2, ndim)?;
    let spacings = call.value(1).items().unwrap_or_default();
    let spacing = |i: usize| match spacings {
        [] => Ok(Value::Float(1.0)),
        [one] => call.typed(one),
        all if all.len() == along.len() => call.typed(&all[i]),
        _ => Err(call.refuse(Fault::Type, "varargs", None, "one spacing, or one for each axis")),
    };
    let slopes = along
        .iter()
        .enumerate()
        .map(|(i, &a)| slope(call, &f, a, &spacing(i)?))
        .collect::<Result<Vec<_>>>()?;
    Ok(match (&slopes[..], call.value(2)) {
        ([one], _) => one.clone(),
        _ => Value::List(slopes),
    })
}

/// The slope along an axis: by the second order inside, by the first at both ends.
fn slope(call: &Call<'_>, f: &Value<'_>, along: usize, spacing: &Value<'_>) -> Out {
    let lengths = shape(call, f)?;
    let n = lengths[along];
    if n < 2 {
        return Err(call.refuse(
            Fault::Value,
            "f",
            Some(f),
            "at least two elements along the axis are needed",
        ));
    }
    let part = |start: i64, stop: i64| cut(call, f, along, start, stop);
    let uneven = shape(call, spacing)?.len() == 1;
    let steps = if uneven {
        let column = (0..lengths.len()).map(|a| if a == along { -1i64 } else { 1 });
        let steps = core!(call, "diff", spacing)?;
        Some(core!(call, "reshape", &inexact(call, &steps)?, ints(column))?)
    } else {
        None
    };
    let step = |i: i64| match &steps {
        Some(steps) => cut(call, steps, along, i, i + 1),
        None => Ok(spacing.clone().into_owned()),
    };
    let first = core!(call, "divide", &core!(call, "subtract", &part(1, 2)?, &part(0, 1)?)?, &step(0)?)?;
    let last = core!(call, "subtract", &part(n - 1, n)?, &part(n - 2, n - 1)?)?;
    let last = core!(call, "divide", &last, &step(n - 2)?)?;
    let (before, at, after) = (part(0, (n - 2).max(0))?, part(1, n - 1)?, part(2, n)?);
    let inside = match &steps {
        None => {
            let twice = core!(call, "multiply", spacing, 2.0)?;
            core!(call, "divide", &core!(call, "subtract", &after, &before)?, &twice)?
        }
        Some(steps) => {
            let (h, k) = (cut(call, steps, along, 0, n - 2)?, cut(call, steps, along, 1, n - 1)?);
            let both = core!(call, "add", &h, &k)?;
            let a =
                core!(call, "divide", &core!(call, "negative", &k)?, &core!(call, "multiply", &h, &both)?)?;
            let b =
                core!(call, "divide", &core!(call, "subtract", &k, &h)?, &core!(call, "multiply", &h, &k)?)?;
            let c = core!(call, "divide", &h, &core!(call, "multiply", &k, &both)?)?;
            let sum = core!(
                call,
                "add",
                &core!(call, "multiply", &a, &before)?,
                &core!(call, "multiply", &b, &at)?
            )?;
            core!(call, "add", &sum, &core!(call, "multiply", &c, &after)?)?
        }
    };
    core!(call, "concat", vec![first, inside, last]; axis: along)
}

/// `covariance(m, y, rowvar, bias, ddof, fweights, aweights)`
pub(crate) fn covariance(call: &mut Call<'_>) -> Out {
    let m = rows(call, 0)?;
    let ddof = if call.value(4).is_none() { 1 - i64::from(call.flag(3)?) } else { call.int(4)? };
    let x = match call.value(1) {
        Value::None => m,
        _ => core!(call, "concat", vec![m, rows(call, 1)?])?,
    };
    let own = dtype(call, &x)?;
    let weight = |i: usize| match call.value(i) {
        Value::None => Ok(None),
        given => core!(call, "astype", &array(call, given)?, own).map(Some),
    };
    let (f, a) = (weight(5)?, weight(6)?);
    let w = match (&f, &a) {
        (Some(f), Some(a)) => Some(core!(call, "multiply", f, a)?),
        (one, other) => one.clone().or(other.clone()),
    };
    let count = shape(call, &x)?[1];
    let (mean, divisor) = match &w {
        None => (core!(call, "mean", &x; axis: 1, keepdims: true)?, Value::Float((count - ddof) as f64)),
        Some(w) => {
            let total = core!(call, "sum", w)?;
            let mean = core!(call, "sum", &core!(call, "multiply", &x, w)?; axis: 1, keepdims: true)?;
            let mean = core!(call, "divide", &mean, &total)?;
            let taken = match (&a, ddof) {
                (_, 0) => Value::Int(0),
                (None, _) => Value::Int(ddof.into()),
                (Some(a), _) => {
                    let sum = core!(call, "sum", &core!(call, "multiply", w, a)?)?;
                    core!(call, "divide", &core!(call, "multiply", &sum, ddof)?, &total)?
                }
            };
            (mean, core!(call, "subtract", &total, &taken)?)
        }
    };
    let apart = core!(call, "subtract", &x, &mean)?;
    let weighted = match &w {
        None => apart.clone(),
        Some(w) => core!(call, "multiply", &apart, w)?,
    };
    let turned = core!(call, "matrix_transpose", &weighted)?;
    let turned = if own.is_complex() { core!(call, "conj", &turned)? } else { turned };
    let out = core!(call, "divide", &core!(call, "matmul", &apart, &turned)?, &divisor)?;
    let single = shape(call, &out)? == [1, 1];
    if single { core!(call, "reshape", &out, Value::Tuple(Vec::new())) } else { Ok(out) }
}

/// The variables of argument `i` of a covariance, a row each.
fn rows(call: &Call<'_>, i: usize) -> Out {
    let x = inexact(call, &call.array(i)?.into())?;
    let lengths = shape(call, &x)?;
    let x = match lengths.len() {
        0 | 1 => core!(call, "reshape", &x, ints([1i64, -1]))?,
        2 => x,
        _ => return Err(call.refuse(Fault::Value, "m", Some(&x), "has more than 2 dimensions")),
    };
    if call.flag(2)? || lengths.len() < 2 { Ok(x) } else { core!(call, "matrix_transpose", &x) }
}
