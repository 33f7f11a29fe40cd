//! Pads.

use super::help::{Out, value_error};
use ivy_core::Scalar;
use ivy_frontend::{Call, Keywords, Value};

/// The keywords that each mode takes.
const MODES: [(&str, &[&str]); 11] = [
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

/// `array pad_width mode kwargs`
pub fn pad(call: &mut Call<'_>) -> Out {
    let mode = call.text(2)?;
    let Some((_, allowed)) = MODES.iter().find(|(name, _)| *name == mode) else {
        return Err(value_error(call, "mode", format!("mode '{mode}' is not supported")));
    };
    let x = call.array(0)?;
    let entries: &[(String, Value<'_>)] = match call.value(3) {
        Value::Dict(entries) => entries,
        _ => &[],
    };
    if let Some((name, _)) = entries.iter().find(|(name, _)| !allowed.contains(&name.as_str())) {
        return Err(value_error(call, name, format!("unsupported keyword arguments for mode '{mode}'")));
    }
    let given = |name: &str| entries.iter().find(|(known, _)| known == name).map(|(_, value)| value);
    let width = pairs(call, call.value(1), x.ndim(), "pad_width")?;
    let whole = |value: &Value<'_>| value.as_scalar().map(Scalar::to_i128);
    let numbers = width.iter().flat_map(|pair| pair.iter());
    if numbers.clone().any(|n| whole(n).is_some_and(|n| n < 0)) {
        return Err(value_error(call, "pad_width", "index can't contain negative values"));
    }
    let nested = |rows: Vec<[Value<'static>; 2]>| {
        Value::List(rows.into_iter().map(|pair| Value::List(pair.into())).collect())
    };
    let mut keywords = Keywords::new().with("mode", mode);
    for name in ["constant_values", "end_values"] {
        if let Some(value) = given(name) {
            keywords = keywords.with(name, nested(pairs(call, value, x.ndim(), name)?));
        }
    }
    if let Some(kind) = given("reflect_type") {
        keywords = keywords.with("reflect_type", kind.borrowed());
    }
    if allowed.contains(&"stat_length") {
        // Without a number all elements count.
        let longest = x.shape().iter().max().copied().unwrap_or(1);
        let all = Value::from(longest);
        let length = given("stat_length").filter(|v| !v.is_none()).unwrap_or(&all);
        let fit = |value: Value<'static>, axis: usize| match value.as_scalar().map(Scalar::to_i128) {
            Some(n) => Value::Int(n.min(x.shape()[axis] as i128)),
            None => value,
        };
        let rows = pairs(call, length, x.ndim(), "stat_length")?;
        let rows = rows.into_iter().enumerate().map(|(axis, pair)| pair.map(|value| fit(value, axis)));
        keywords = keywords.with("stat_length", nested(rows.collect()));
    }
    call.core("pad", &[Value::from(&x), nested(width)], keywords)
}

/// A pair for each axis: of one value, one pair, or as many pairs as there are axes.
fn pairs(
    call: &Call<'_>,
    value: &Value<'_>,
    ndim: usize,
    name: &str,
) -> ivy_core::Result<Vec<[Value<'static>; 2]>> {
    let wrong = || {
        value_error(call, name, format!("operands could not be broadcast together with shape ({ndim}, 2)"))
    };
    let listed;
    let value = match value {
        Value::Array(x) => {
            listed = call.core("to_list", &[Value::from(x.as_ref())], Keywords::new())?;
            &listed
        }
        other => other,
    };
    let own = |value: &Value<'_>| value.borrowed().into_owned();
    let Some(items) = value.items() else { return Ok(vec![[own(value), own(value)]; ndim]) };
    let pair = |items: &[Value<'_>]| match items {
        [one] => Ok([own(one), own(one)]),
        [before, after] => Ok([own(before), own(after)]),
        _ => Err(wrong()),
    };
    if items.iter().all(|item| item.items().is_none()) {
        return Ok(vec![pair(items)?; ndim]);
    }
    let rows = items.iter().map(|item| pair(item.items().unwrap_or(std::slice::from_ref(item))));
    let rows = rows.collect::<ivy_core::Result<Vec<_>>>()?;
    match rows.len() {
        1 => Ok(vec![rows[0].clone(); ndim]),
        n if n == ndim => Ok(rows),
        _ => Err(wrong()),
    }
}
