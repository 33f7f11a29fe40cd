//! Distinct and ordered elements, bins, and elements as host values.

use ivy_core::functional as f;
use ivy_core::{Array, Dtype, Index, Result};
use ivy_frontend::specials::{
    Out, axis, distinct_parts, kth_least, lengths, lower_median as median, running_extremes, several,
    subgradients, tuple, wrong,
};
use ivy_frontend::{Call, Fault, Value, compute, kw};

/// `seed(number)`: that of the generator which calls draw from.
pub(crate) fn seed(call: &mut Call<'_>) -> Out {
    f::seed(call.int(0)? as u64);
    Ok(Value::None)
}

/// `kthvalue(x, k, axis, keepdim)`: the `k`th least element, and its place.
pub(crate) fn kthvalue(call: &mut Call<'_>) -> Out {
    let (x, k, keepdim) = (call.array(0)?, call.int(1)?, call.flag(3)?);
    let along = axis(call, if call.value(2).is_none() { -1 } else { call.int(2)? }, x.ndim())?;
    if k < 1 || k > x.shape()[along] as i64 {
        return Err(wrong(call, "k", format!("from 1 to {}", x.shape()[along])));
    }
    let [value, place] = kth_least(call, &x, along, k)?;
    Ok(tuple(kept(call, [value, place], along, keepdim)?))
}

/// Values and places with an axis of length 1, which stays or not.
fn kept(call: &Call<'_>, both: [Array; 2], along: usize, keepdim: bool) -> Result<Vec<Array>> {
    let one = |x: Array| if keepdim { Ok(x) } else { compute!(call, "squeeze", [&x], axis = along as i64) };
    both.into_iter().map(one).collect()
}

/// `lower_median(x, axis, keepdim, ignores_nan)`: the lower one of two in the middle, and where it stands along the axis;
/// of all elements without one the element alone.
pub(crate) fn lower_median(call: &mut Call<'_>) -> Out {
    let (x, keepdim, ignores_nan) = (call.array(0)?, call.flag(2)?, call.flag(3)?);
    let axes = call.ints(1)?;
    if let Some(&[along]) = axes.as_deref().filter(|_| x.ndim() > 0) {
        let along = axis(call, along, x.ndim())?;
        let both = median(call, &x, along, ignores_nan)?;
        return Ok(tuple(kept(call, both, along, keepdim)?));
    }
    let flat = compute!(call, "reshape", [&x], shape = vec![-1i64])?;
    let [value, place] = median(call, &flat, 0, ignores_nan)?;
    let shape = if keepdim { vec![1i64; x.ndim()] } else { Vec::new() };
    let value = compute!(call, "reshape", [&value], shape = shape.clone())?;
    if axes.is_none() {
        return Ok(value.into());
    }
    Ok(tuple([value, compute!(call, "reshape", [&place], shape = shape)?]))
}

/// `running(name, x, axis)`: the greatest elements so far, or the least, and where they stand.
pub(crate) fn running(call: &mut Call<'_>) -> Out {
    let (name, x) = (call.text(0)?.to_string(), call.array(1)?);
    let along = axis(call, call.int(2)?, x.ndim())?;
    let [values, places] = running_extremes(call, &name, &x, along)?;
    Ok(tuple([subgradients::gathered(call, &x, along as i64, values, &places)?, places]))
}

/// `histogram(input, bins, min, max, weight, density)`: between the least and the greatest element if both ends are
/// equal; weights and densities are float32.
pub(crate) fn histogram(call: &mut Call<'_>) -> Out {
    let (x, bins) = (call.array(0)?, call.int(1)?);
    let (mut low, mut high) = (call.float(2)?, call.float(3)?);
    if low == high && x.size() > 0 {
        low = compute!(call, "min", [&x])?.to_scalar()?.to_f64();
        high = compute!(call, "max", [&x])?.to_scalar()?.to_f64();
    }
    if low == high {
        (low, high) = (low - 1.0, high + 1.0);
    }
    let (weights, density) = (call.value(4).borrowed(), call.flag(5)?);
    let counted = weights.is_none() && !density;
    let keywords = kw! { bins: bins, range: vec![low, high], weights: weights, density: density };
    let counts = several(call, call.core("histogram", &[(&x).into()], keywords)?)?.swap_remove(0);
    Ok(f::astype(&counts, if counted { Dtype::INT64 } else { Dtype::FLOAT32 })?.into())
}

/// Results of which those that are asked for stay; a single one by itself.
fn chosen(parts: Vec<(bool, Array)>, dtype: Dtype) -> Out {
    let cast =
        |(i, (_, part)): (usize, (bool, Array))| if i == 0 { Ok(part) } else { f::astype(&part, dtype) };
    let mut kept = { parts.into_iter().enumerate() }
        .filter(|(_, (wanted, _))| *wanted)
        .map(|part| cast(part).map(Value::from))
        .collect::<Result<Vec<_>>>()?;
    Ok(if kept.len() == 1 { kept.swap_remove(0) } else { Value::Tuple(kept) })
}

/// `unique(x, return_index, return_inverse, return_counts, axis, dtype)`: distinct elements, ascending, of the flat tensor
/// or of the parts along an axis.
pub(crate) fn unique(call: &mut Call<'_>) -> Out {
    let (x, dtype) = (call.array(0)?, call.dtype(5)?.unwrap_or(Dtype::INT64));
    let wanted = [call.flag(1)?, call.flag(2)?, call.flag(3)?];
    let flat = compute!(call, "reshape", [&x], shape = vec![-1i64])?;
    let (values, first, inverse, counts) = if call.value(4).is_none() {
        let parts = several(call, call.core("unique_all", &[(&flat).into()], kw! {})?)?;
        let [v, f, i, c] = <[Array; 4]>::try_from(parts).map_err(|_| wrong(call, "x", "no results"))?;
        (v, f, i, c)
    } else {
        let [v, f, i, c] = distinct_parts(call, &x, axis(call, call.int(4)?, x.ndim())?)?;
        (v, f, i, c)
    };
    chosen(vec![(true, values), (wanted[0], first), (wanted[1], inverse), (wanted[2], counts)], dtype)
}

/// `unique_consecutive(x, return_inverse, return_counts, axis, dtype)`
pub(crate) fn unique_consecutive(call: &mut Call<'_>) -> Out {
    let dtype = call.dtype(4)?.unwrap_or(Dtype::INT64);
    let wanted = [call.flag(1)?, call.flag(2)?];
    let keywords = kw! { axis: call.value(3).borrowed() };
    let parts = several(call, call.core("unique_consecutive", &[call.value(0).borrowed()], keywords)?)?;
    let [values, inverse, counts] =
        <[Array; 3]>::try_from(parts).map_err(|_| wrong(call, "x", "no results"))?;
    chosen(vec![(true, values), (wanted[0], inverse), (wanted[1], counts)], dtype)
}

/// `element(x, indices)`: the element at a place, or at a number in the flat tensor; the only one without any.
pub(crate) fn element(call: &mut Call<'_>) -> Out {
    let x = call.array(0)?;
    let places = call.ints(1)?.unwrap_or_default();
    let found = match places[..] {
        [] if x.size() == 1 => x,
        [at] if at >= 0 => compute!(call, "reshape", [&x], shape = vec![-1i64])?.get([Index::Int(at)])?,
        _ if places.len() > 1 && places.len() == x.ndim() => {
            x.get(places.iter().map(|&i| Index::Int(i)).collect::<Vec<_>>())?
        }
        _ => {
            return Err(call.refuse(
                Fault::Value,
                "args",
                Some(call.value(1)),
                "an index for each axis, or of one element",
            ));
        }
    };
    Ok(found.to_scalar()?.into())
}

/// `tolist(x)`: nested lists of host values.
pub(crate) fn tolist(call: &mut Call<'_>) -> Out {
    let x = call.array(0)?;
    let host = x.to_host()?;
    let flat = (0..x.size()).map(|i| host.scalar_at(i).map(Value::from)).collect::<Result<Vec<_>>>()?;
    Ok(nested(&lengths(&x), &mut flat.into_iter()))
}

fn nested(shape: &[i64], flat: &mut impl Iterator<Item = Value<'static>>) -> Value<'static> {
    match shape.split_first() {
        None => flat.next().unwrap_or(Value::None),
        Some((&n, inner)) => Value::List((0..n).map(|_| nested(inner, flat)).collect()),
    }
}
