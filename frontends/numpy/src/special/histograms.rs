//! Histograms.

use super::help::{Out, beside, cut, flat, floats, holds, integers, occurs, reals, type_error, value_error};
use super::rules_of_bins::width;
use super::sorting::{order, search, sorted};
use ivy_core::functional as f;
use ivy_core::functional::{Bincount, Concat, CumulativeSum, Diff, Filled, Side, Take};
use ivy_core::{Array, Dtype, Result};
use ivy_frontend::{Call, Keywords, Value};

/// The ends of the bins: those given, or of the elements; an interval of nothing gets a length of 1.
fn ends(call: &Call<'_>, x: &Array, range: &Value<'_>) -> Result<(f64, f64)> {
    let (low, high) = match range {
        Value::None if x.size() == 0 => (0.0, 1.0),
        Value::None => {
            let number = |x: Result<Array>| -> Result<f64> { Ok(x?.to_scalar()?.to_f64()) };
            let x = floats(x.clone())?;
            (number(f::min(&x, ()))?, number(f::max(&x, ()))?)
        }
        given => {
            let bounds = reals(&call.make_array(given, None)?)?;
            let [low, high] = bounds[..] else {
                return Err(value_error(call, "range", "two numbers are needed"));
            };
            if low > high {
                return Err(value_error(call, "range", "max must be larger than min in range parameter."));
            }
            (low, high)
        }
    };
    if !low.is_finite() || !high.is_finite() {
        return Err(value_error(call, "range", format!("range of [{low}, {high}] is not finite")));
    }
    Ok(if low == high { (low - 0.5, high + 0.5) } else { (low, high) })
}

/// Equally spaced edges of `count` bins.
fn spaced(call: &Call<'_>, x: &Array, low: f64, high: f64, count: usize) -> Result<Array> {
    let dtype = if x.dtype().is_float() { x.dtype() } else { Dtype::FLOAT64 };
    let given = [Value::Float(low), Value::Float(high), Value::from(count + 1)];
    let edges = call.row("linspace", &given, Keywords::new().with("dtype", dtype))?;
    let edges = call.to_array(&edges)?;
    let (before, after) = (cut(&edges, 0, None, Some(-1))?, cut(&edges, 0, Some(1), None)?);
    if occurs(f::greater_equal(before, after))? {
        return Err(value_error(
            call,
            "bins",
            format!("Too many bins for data range. Cannot create {count} finite-sized bins."),
        ));
    }
    Ok(edges)
}

/// The edges of bins: of a number, an array, or the name of a rule.
fn edges(call: &Call<'_>, x: &Array, bins: &Value<'_>, range: &Value<'_>, weighted: bool) -> Result<Array> {
    if let Some(rule) = bins.as_text() {
        if weighted {
            let told = "Automated estimation of the number of bins is not supported for weighted data";
            return Err(type_error(call, "weights", told));
        }
        let (low, high) = ends(call, x, range)?;
        let inside: Vec<f64> = reals(x)?.into_iter().filter(|v| (low..=high).contains(v)).collect();
        let known = width(rule, if inside.is_empty() { &[0.0] } else { &inside }, low, high);
        let Some(mut width) = known else {
            return Err(value_error(call, "bins", format!("'{rule}' is not a valid estimator for `bins`")));
        };
        if !x.dtype().is_float() && width > 0.0 {
            width = width.max(1.0);
        }
        let count =
            if inside.is_empty() || width <= 0.0 { 1 } else { ((high - low) / width).ceil() as usize };
        return spaced(call, x, low, high, count.max(1));
    }
    let given = call.make_array(bins, None)?;
    match given.ndim() {
        0 => {
            if given.dtype().is_float() {
                return Err(type_error(call, "bins", "`bins` must be an integer, a string, or an array"));
            }
            let count = integers(&given)?[0];
            let (low, high) = ends(call, x, range)?;
            match usize::try_from(count) {
                Ok(count) if count > 0 => spaced(call, x, low, high, count),
                _ => Err(value_error(call, "bins", "`bins` must be positive, when an integer")),
            }
        }
        1 => {
            let (before, after) = (cut(&given, 0, None, Some(-1))?, cut(&given, 0, Some(1), None)?);
            if holds(f::less_equal(before, after))? {
                return Ok(given);
            }
            Err(value_error(call, "bins", "`bins` must increase monotonically, when an array"))
        }
        _ => Err(value_error(call, "bins", "`bins` must be 1d, when an array")),
    }
}

/// How many of the sorted elements are before each edge; the last edge belongs to the last bin.
fn before(sorted: &Array, edges: &Array) -> Result<Array> {
    let first = search(sorted, &cut(edges, 0, None, Some(-1))?, Side::Left)?;
    let last = search(sorted, &cut(edges, 0, Some(-1), None)?, Side::Right)?;
    f::concat([first, last], Concat::new().axis(0))
}

/// `a bins range density weights`
pub fn histogram(call: &mut Call<'_>) -> Out {
    let x = call.array(0)?;
    let weights = if call.value(4).is_none() { None } else { Some(call.array(4)?) };
    if weights.as_ref().is_some_and(|w| w.shape() != x.shape()) {
        return Err(value_error(call, "weights", "weights should have the same shape as a."));
    }
    let x = flat(&x)?;
    let edges = edges(call, &x, call.value(1), call.value(2), weights.is_some())?;
    let counts = match weights {
        None => f::diff(before(&sorted(&x, 0)?, &edges)?, Diff::new())?,
        Some(weights) => {
            let places = order(&x, 0)?;
            let take = |x: &Array, places: &Array| f::take(x, places, Take::new().axis(0));
            let weights = take(&flat(&weights)?, &places)?;
            let running = f::cumulative_sum(&weights, CumulativeSum::new().axis(0).dtype(weights.dtype()))?;
            let nothing = f::zeros([1], Filled::new().dtype(weights.dtype()))?;
            let running = f::concat([nothing, running], Concat::new().axis(0))?;
            f::diff(take(&running, &before(&take(&x, &places)?, &edges)?)?, Diff::new())?
        }
    };
    if !call.flag(3)? {
        return Ok((counts, edges).into());
    }
    let widths = floats(f::diff(&edges, Diff::new())?)?;
    let total = f::sum(&counts, ())?;
    Ok((f::divide(f::divide(&counts, widths)?, total)?, edges).into())
}

/// `a bins range weights`
pub fn histogram_bin_edges(call: &mut Call<'_>) -> Out {
    let x = flat(&call.array(0)?)?;
    Ok(edges(call, &x, call.value(1), call.value(2), !call.value(3).is_none())?.into())
}

/// The bins of samples of several dimensions, which are columns.
fn several(
    call: &Call<'_>,
    columns: &[Array],
    bins: &[Value<'_>],
    ranges: &[Value<'_>],
    density: bool,
    weights: Option<Array>,
) -> Result<(Array, Vec<Array>)> {
    let Some(first) = columns.first() else {
        return Err(value_error(call, call.name(0), "samples have one dimension at least"));
    };
    let samples = first.size();
    let mut all = Vec::with_capacity(columns.len());
    let mut place = beside(first, vec![0i64; samples], [samples])?;
    let mut inside = beside(first, vec![true; samples], [samples])?;
    let mut shape = Vec::with_capacity(columns.len());
    for (axis, x) in columns.iter().enumerate() {
        let edges = edges(call, x, &bins[axis], ranges.get(axis).unwrap_or(&Value::None), false)?;
        let count = edges.size() as i64 - 1;
        let at = f::subtract(search(&edges, x, Side::Right)?, 1)?;
        // The last edge belongs to the last bin.
        let at = f::where_(f::equal(x, super::help::at(&edges, 0, -1)?), count - 1, at)?;
        let within = f::logical_and(f::greater_equal(&at, 0), f::less(&at, count))?;
        inside = f::logical_and(inside, &within)?;
        place = f::add(f::multiply(place, count)?, f::where_(within, at, 0)?)?;
        shape.push(count);
        all.push(edges);
    }
    let kept = f::nonzero(&inside)?.swap_remove(0);
    let take = |x: &Array| f::take(x, &kept, Take::new().axis(0));
    let size = shape.iter().try_fold(1i64, |size, &count| size.checked_mul(count));
    let size = size.ok_or_else(|| value_error(call, "bins", "there are too many bins"))?;
    let mut params = Bincount::new().minlength(size as usize);
    if let Some(weights) = &weights {
        params = params.weights(take(&f::astype(weights, Dtype::FLOAT64)?)?);
    }
    let mut counts = f::astype(f::bincount(take(&place)?, params)?, Dtype::FLOAT64)?;
    counts = f::reshape(counts, shape.clone(), ())?;
    if density {
        let total = f::sum(&counts, ())?;
        for (axis, edges) in all.iter().enumerate() {
            let along = (0..shape.len()).map(|a| if a == axis { shape[axis] } else { 1 });
            let widths = f::reshape(floats(f::diff(edges, Diff::new())?)?, along.collect::<Vec<i64>>(), ())?;
            counts = f::divide(counts, widths)?;
        }
        counts = f::divide(counts, total)?;
    }
    Ok((counts, all))
}

/// A value for each dimension: as many as there are, or one for all.
fn each<'a>(value: &Value<'a>, dims: usize) -> Vec<Value<'a>> {
    match value.items() {
        Some(items) => items.to_vec(),
        None => vec![value.clone(); dims],
    }
}

fn weights_of(call: &Call<'_>, i: usize) -> Result<Option<Array>> {
    if call.value(i).is_none() { Ok(None) } else { Ok(Some(flat(&call.array(i)?)?)) }
}

/// `x y bins range density weights`
pub fn histogram2d(call: &mut Call<'_>) -> Out {
    let (x, y) = (flat(&call.array(0)?)?, flat(&call.array(1)?)?);
    if x.size() != y.size() {
        return Err(value_error(call, "x", "x and y must have the same length."));
    }
    // One or two entries are the dimensions' own; more are edges of both.
    let bins = match call.value(2).items() {
        Some(items) if items.len() != 1 && items.len() != 2 => vec![call.value(2).clone(); 2],
        _ => each(call.value(2), 2),
    };
    let bins = if bins.len() == 1 { vec![bins[0].clone(); 2] } else { bins };
    let (counts, edges) =
        several(call, &[x, y], &bins, &each(call.value(3), 2), call.flag(4)?, weights_of(call, 5)?)?;
    Ok(Value::Tuple(std::iter::once(counts).chain(edges).map(Value::from).collect()))
}

/// `sample bins range density weights`
pub fn histogramdd(call: &mut Call<'_>) -> Out {
    let columns = match call.value(0) {
        Value::Tuple(_) | Value::List(_) if call.array(0)?.ndim() == 1 => vec![call.array(0)?],
        Value::List(_) => f::unstack(f::matrix_transpose(call.array(0)?)?, ())?,
        Value::Tuple(_) => call.arrays(0)?,
        _ => {
            let x = call.array(0)?;
            let x = if x.ndim() < 2 { f::reshape(&x, [-1, 1], ())? } else { x };
            f::unstack(x, f::Unstack::new().axis(1))?
        }
    };
    let bins = each(call.value(1), columns.len());
    if bins.len() != columns.len() {
        return Err(value_error(
            call,
            "bins",
            "The dimension of bins must be equal to the dimension of the sample x.",
        ));
    }
    let ranges = each(call.value(2), columns.len());
    let (counts, edges) = several(call, &columns, &bins, &ranges, call.flag(3)?, weights_of(call, 4)?)?;
    Ok(Value::Tuple(vec![counts.into(), super::help::tuple(edges)]))
}

/// `x weights minlength`
pub fn bincount(call: &mut Call<'_>) -> Out {
    let x = call.array(0)?;
    if x.ndim() != 1 {
        return Err(value_error(call, "x", "object of too small depth for desired array"));
    }
    if matches!(call.value(0), Value::Array(_)) && !x.dtype().is_int() && !x.dtype().is_bool() {
        let rule = format!("Cannot cast array data from {} to int64 according to the rule 'safe'", x.dtype());
        return Err(type_error(call, "x", rule));
    }
    let x = f::astype(x, Dtype::INT64)?;
    if occurs(f::less(&x, 0))? {
        return Err(value_error(call, "x", "'list' argument must have no negative elements"));
    }
    let least = usize::try_from(call.int(2)?)
        .map_err(|_| value_error(call, "minlength", "'minlength' must not be negative"))?;
    let mut params = Bincount::new().minlength(least);
    if !call.value(1).is_none() {
        let weights = f::astype(call.array(1)?, Dtype::FLOAT64)?;
        if weights.shape() != x.shape() {
            return Err(value_error(call, "weights", "The weights and list don't have the same length."));
        }
        params = params.weights(weights);
    }
    Ok(f::bincount(x, params)?.into())
}
