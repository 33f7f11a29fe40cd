//! Pads: those of the core, and those by statistics of an edge.

use super::support::{Out, axis, core, cut, dtype, ints, operand, shape};
use ivy_core::Result;
use ivy_frontend::{Call, Fault, Value, kw};

/// `pad(array, pad_width, mode, keywords)`
pub(crate) fn pad(call: &mut Call<'_>) -> Out {
    const KEYWORDS: [(&str, &[&str]); 11] = [
        ("constant", &["constant_values"]),
        ("edge", &[]),
        ("empty", &[]),
        ("linear_ramp", &["end_values"]),
        ("maximum", &["stat_length"]),
        ("mean", &["stat_length"]),
        ("median", &["stat_length"]),
        ("minimum", &["stat_length"]),
        ("reflect", &["reflect_type"]),
        ("symmetric", &["reflect_type"]),
        ("wrap", &[]),
    ];
    let (x, width, mode) = (operand(call, 0)?, call.value(1), call.text(2)?);
    let Some((_, known)) = KEYWORDS.iter().find(|(name, _)| *name == mode) else {
        return Err(call.refuse(Fault::Missing, "mode", Some(call.value(2)), "there is no such mode"));
    };
    let Value::Dict(given) = call.value(3) else { return core!(call, "pad", &x, width; mode: mode) };
    if let Some((name, value)) = given.iter().find(|(name, _)| !known.contains(&name.as_str())) {
        let rule = format!("unsupported keyword argument for mode '{mode}'");
        return Err(call.refuse(Fault::Value, name, Some(value), rule));
    }
    if known.contains(&"stat_length") {
        let lengths = given.iter().map(|(_, value)| value).find(|value| !value.is_none());
        return by_statistics(call, x, mode, lengths);
    }
    let mut keywords = kw! { mode: if mode == "empty" { "constant" } else { mode } };
    for (name, value) in given {
        if !value.is_none() {
            keywords = keywords.with(name, value);
        }
    }
    call.core("pad", &[x, width.borrowed()], keywords)
}

/// The pairs of a pad's argument, one an axis: of a number, of one pair for all axes, or of a pair for each.
fn pairs(call: &Call<'_>, name: &str, given: &Value<'_>, ndim: usize) -> Result<Vec<[i64; 2]>> {
    let wrong = || {
        call.refuse(Fault::Value, name, Some(given), "a number, a pair, or a pair for each axis is needed")
    };
    let whole = |v: &Value<'_>| v.as_scalar().map(|s| s.to_i128() as i64).ok_or_else(wrong);
    let pair = |v: &Value<'_>| match v.items() {
        None => whole(v).map(|n| [n, n]),
        Some([one]) => whole(one).map(|n| [n, n]),
        Some([low, high]) => Ok([whole(low)?, whole(high)?]),
        Some(_) => Err(wrong()),
    };
    match given.items() {
        Some(list) if list.iter().any(|v| v.items().is_some()) => match list {
            [one] => Ok(vec![pair(one)?; ndim]),
            all if all.len() == ndim => all.iter().map(pair).collect(),
            _ => Err(wrong()),
        },
        _ => Ok(vec![pair(given)?; ndim]),
    }
}

/// Each axis in turn with a statistic of its first elements before it, and one of its last after it: of all of them
/// without `stat_length`.
fn by_statistics(call: &Call<'_>, x: Value<'static>, mode: &str, lengths: Option<&Value<'_>>) -> Out {
    let mut x = x;
    let ndim = shape(call, &x)?.len();
    let widths = pairs(call, "pad_width", call.value(1), ndim)?;
    let lengths = lengths.map(|given| pairs(call, "stat_length", given, ndim)).transpose()?;
    for (place, [low, high]) in widths.into_iter().enumerate() {
        let place = axis(call, place as i64, ndim)?;
        let have = shape(call, &x)?[place];
        let [first, last] = lengths.as_ref().map_or([have, have], |all| all[place]);
        if low < 0 || high < 0 || first < 1 || last < 1 {
            let rule = "widths are not negative, and statistics are of one element at least";
            return Err(call.refuse(Fault::Value, "pad_width", Some(call.value(1)), rule));
        }
        let before = statistic(call, &cut(call, &x, place, 0, first.min(have))?, place, mode)?;
        let after = statistic(call, &cut(call, &x, place, (have - last).max(0), have)?, place, mode)?;
        let wide = |edge: &Value<'_>, width: i64| {
            let mut lengths = shape(call, edge)?;
            lengths[place] = width;
            core!(call, "broadcast_to", edge, ints(lengths))
        };
        x = core!(call, "concat", vec![wide(&before, low)?, x, wide(&after, high)?]; axis: place)?;
    }
    Ok(x)
}

/// A statistic along an axis, which stays, in the array's dtype: integers are rounded.
fn statistic(call: &Call<'_>, x: &Value<'_>, place: usize, mode: &str) -> Out {
    let keywords = kw! { axis: place, keepdims: true };
    let path = match mode {
        "maximum" => "numpy.max",
        "minimum" => "numpy.min",
        "mean" => "numpy.mean",
        _ => "numpy.median",
    };
    let found = call.row(path, &[x.borrowed()], keywords)?;
    let own = dtype(call, x)?;
    if own == dtype(call, &found)? {
        return Ok(found);
    }
    let found = if own.is_int() { core!(call, "round", &found)? } else { found };
    core!(call, "astype", &found, own)
}
