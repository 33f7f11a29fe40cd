//! Reductions whose arguments or results no row can say.

use super::support::{Out, along, axis, cast, inexact, optional, range, reshaped, runtime, sliced, tensor};
use crate::autograd::requires_grad;
use ivy_core::functional as f;
use ivy_core::{Array, Dtype, Result};
use ivy_frontend::specials::subgradients::{gathered, root, vector_norm};
use ivy_frontend::specials::{
    distinct_parts, kth_least, lower_median, one, running_extremes, several, tuple,
};
use ivy_frontend::{Call, Value, compute, kw, views};

/// Axes to reduce: none of them means all, as `None` does.
pub(crate) fn dims(call: &mut Call<'_>) -> Out {
    Ok(match call.value(0) {
        value if value.items().is_some_and(|list| list.is_empty()) => Value::None,
        value => value.borrowed().into_owned(),
    })
}

fn dims_at(call: &Call<'_>, i: usize) -> Result<Option<Vec<i64>>> {
    Ok(call.ints(i)?.filter(|list| !list.is_empty()))
}

/// The axes of `std(input, unbiased)`, whose second argument may be the flag.
pub(crate) fn dim_of(call: &mut Call<'_>) -> Out {
    Ok(match call.value(0) {
        Value::Bool(_) => Value::None,
        value => value.borrowed().into_owned(),
    })
}

/// A truth value for each place; of uint8 it stays uint8.
pub(crate) fn bools(call: &mut Call<'_>) -> Out {
    let (x, result) = (tensor(call, 0)?, tensor(call, 1)?);
    let dtype = (x.dtype() == Dtype::UINT8).then_some(Dtype::UINT8);
    Ok(cast(&result, dtype)?.into())
}

fn extreme(call: &mut Call<'_>, name: &'static str) -> Out {
    let (x, keepdim) = (tensor(call, 0)?, call.flag(2)?);
    let pairwise = if name == "max" { "maximum" } else { "minimum" };
    if let Some(other) = optional(call, 3)?.or_else(|| call.value(1).as_array().cloned()) {
        return Ok(compute!(call, pairwise, [&x, &other])?.into());
    }
    if call.value(1).is_none() {
        return Ok(compute!(call, name, [&x])?.into());
    }
    let dim = call.int(1)?;
    axis(call, dim, x.ndim())?;
    if x.ndim() == 0 {
        return Ok(tuple([x.clone(), compute!(call, "zeros_like", [&x], dtype = Dtype::INT64)?]));
    }
    let place = if name == "max" { "argmax" } else { "argmin" };
    let values = compute!(call, name, [&x], axis = dim, keepdims = keepdim)?;
    let places = compute!(call, place, [&x], axis = dim, keepdims = keepdim)?;
    Ok(tuple([gathered(call, &x, dim, values, &places)?, places]))
}

/// `max`: of all elements, along an axis with the places, or of two tensors.
pub(crate) fn max(call: &mut Call<'_>) -> Out {
    extreme(call, "max")
}

/// `min`, likewise.
pub(crate) fn min(call: &mut Call<'_>) -> Out {
    extreme(call, "min")
}

/// The mean, of floats only unless a dtype is given.
pub(crate) fn mean(call: &mut Call<'_>) -> Out {
    averaged(call, "mean")
}

/// The mean of what is not NaN.
pub(crate) fn nanmean(call: &mut Call<'_>) -> Out {
    averaged(call, "nanmean")
}

fn averaged(call: &mut Call<'_>, name: &str) -> Out {
    let given = tensor(call, 0)?;
    if name == "nanmean" {
        inexact(call, &given)?;
    }
    let x = cast(&given, call.dtype(3)?)?;
    inexact(call, &x)?;
    Ok(compute!(call, name, [&x], axis = dims_at(call, 1)?, keepdims = call.flag(2)?)?.into())
}

/// The element in the middle of the order, the lower one of two, and its place.
pub(crate) fn median(call: &mut Call<'_>) -> Out {
    let (x, keepdim, ignore) = (tensor(call, 0)?, call.flag(2)?, call.flag(3)?);
    let all = call.value(1).is_none();
    let flat = match all || x.ndim() == 0 {
        true => reshaped(&x, [x.size()])?,
        false => x.clone(),
    };
    let dim = if all { 0 } else { axis(call, call.int(1)?, x.ndim())? };
    if flat.shape()[dim] == 0 {
        return match all && x.dtype().is_float() {
            true => Ok(compute!(call, "full", [Vec::<i64>::new(), f64::NAN], dtype = x.dtype())?.into()),
            false => Err(runtime(call, "input", "median of no elements")),
        };
    }
    let both = lower_median(call, &flat, dim, ignore)?;
    if all {
        return Ok(reshaped(&both[0], ivy_core::Shape::default())?.into());
    }
    picked(&x, dim, keepdim, both)
}

/// Values and places with an axis of length 1, which stays or not.
fn picked(x: &Array, dim: usize, keepdim: bool, both: [Array; 2]) -> Out {
    let mut shape = x.shape().to_vec();
    match keepdim {
        _ if x.ndim() == 0 => {}
        true => shape[dim] = 1,
        false => drop(shape.remove(dim)),
    }
    let both = both.iter().map(|x| reshaped(x, shape.clone())).collect::<Result<Vec<_>>>()?;
    Ok(tuple(both))
}

/// The `k`th least element along an axis, and its place.
pub(crate) fn kthvalue(call: &mut Call<'_>) -> Out {
    let (x, k, keepdim) = (tensor(call, 0)?, call.int(1)?, call.flag(3)?);
    let dim = axis(call, call.int(2)?, x.ndim())?;
    let line = if x.ndim() == 0 { reshaped(&x, [1])? } else { x.clone() };
    if k < 1 || k as usize > line.shape()[dim] {
        return Err(runtime(call, "k", "selected number k out of range"));
    }
    picked(&x, dim, keepdim, kth_least(call, &line, dim, k)?)
}

/// The element that occurs most often along an axis, the least of several, and where it stands last.
pub(crate) fn mode(call: &mut Call<'_>) -> Out {
    let (x, keepdim) = (tensor(call, 0)?, call.flag(2)?);
    let dim = axis(call, call.int(1)?, x.ndim())?;
    let line = if x.ndim() == 0 { reshaped(&x, [1])? } else { x.clone() };
    let moved = compute!(call, "moveaxis", [&line, dim as i64, -1])?;
    let sorted = compute!(call, "sort", [&moved], axis = -1)?;
    let pairs = f::equal(
        compute!(call, "expand_dims", [&sorted, -1])?,
        compute!(call, "expand_dims", [&sorted, -2])?,
    )?;
    let often = compute!(call, "count_nonzero", [&pairs], axis = -1)?;
    let first = compute!(call, "argmax", [&often], axis = -1, keepdims = true)?;
    let values = compute!(call, "take_along_axis", [&sorted, &first], axis = -1)?;
    let same = compute!(call, "flip", [&f::equal(&moved, &values)?], axis = -1)?;
    let behind = compute!(call, "argmax", [&cast(&same, Some(Dtype::UINT8))?], axis = -1, keepdims = true)?;
    let indices = f::subtract(line.shape()[dim] as i64 - 1, &behind)?;
    let back = |y: &Array| compute!(call, "moveaxis", [y, -1, dim as i64]);
    let (values, indices) = (back(&values)?, back(&indices)?);
    let values = gathered(call, &line, dim as i64, values, &indices)?;
    picked(&x, dim, keepdim, [values, indices])
}

/// Norms of vectors and, by name, of matrices: `torch.norm`.
pub(crate) fn norm(call: &mut Call<'_>) -> Out {
    let x = cast(&tensor(call, 0)?, call.dtype(4)?)?;
    inexact(call, &x)?;
    let (dims, keepdim) = (dims_at(call, 2)?, call.flag(3)?);
    let order = match call.value(1) {
        Value::None => 2.0,
        Value::Text(name) if name == "fro" => 2.0,
        Value::Text(name) if name == "nuc" => {
            return Ok(compute!(call, "linalg.matrix_norm", [&x], ord = "nuc", keepdims = keepdim)?.into());
        }
        _ => call.float(1)?,
    };
    Ok(vector_norm(call, &x, order, dims, keepdim)?.into())
}

/// Quantiles, with NaN or without.
pub(crate) fn quantile(call: &mut Call<'_>) -> Out {
    let x = tensor(call, 0)?;
    if !x.dtype().is_float() {
        return Err(runtime(call, "input", "quantile() input tensor must be either float or double dtype"));
    }
    let q = cast(&call.array(1)?, Some(x.dtype()))?;
    let outside = f::logical_or(f::less(&q, 0.0)?, f::greater(&q, 1.0)?)?;
    if outside.is_any_true()? {
        return Err(runtime(call, "q", "quantile() q values must be in the range [0, 1]"));
    }
    let name = if call.flag(5)? { "nanquantile" } else { "quantile" };
    let (dim, keepdim, how) = (call.ints(2)?, call.flag(3)?, call.text(4)?.to_string());
    let result = compute!(call, name, [&x, &q], axis = dim, keepdims = keepdim, interpolation = how)?;
    Ok(cast(&result, Some(x.dtype()))?.into())
}

/// Standard deviation or variance: `correction`, or the older `unbiased`, also in the place of the axes.
pub(crate) fn spread(call: &mut Call<'_>) -> Out {
    let (name, x) = (call.text(0)?.to_string(), tensor(call, 1)?);
    inexact(call, &x)?;
    let (dims, unbiased) = match call.value(2) {
        Value::Bool(flag) => (None, Some(*flag)),
        _ => (dims_at(call, 2)?, if call.value(3).is_none() { None } else { Some(call.flag(3)?) }),
    };
    let correction = match call.value(5) {
        Value::None => f64::from(u8::from(unbiased != Some(false))),
        _ => call.float(5)?,
    };
    let keepdim = call.flag(4)?;
    let variance = |x: &Array, name: &str| {
        compute!(call, name, [x], axis = dims.clone(), keepdims = keepdim, correction = correction)
    };
    // A variance of small floats may overflow where its root does not.
    if name == "std" && x.dtype().bits() >= 32 && requires_grad(&x) && !x.dtype().is_complex() {
        return Ok(root(&variance(&x, "var")?)?.into());
    }
    if !x.dtype().is_complex() {
        return Ok(variance(&x, &name)?.into());
    }
    let both = f::add(variance(&f::real(&x)?, "var")?, variance(&f::imag(&x)?, "var")?)?;
    Ok(if name == "std" { root(&both)? } else { both }.into())
}

/// The distinct elements or parts in their order, where each went, and how often each occurs.
pub(crate) fn unique(call: &mut Call<'_>) -> Out {
    let (x, inverse, counts) = (tensor(call, 0)?, call.flag(1)?, call.flag(2)?);
    if call.value(3).is_none() {
        let found = several(call, call.core("unique_all", &[(&x).into()], kw! {})?)?;
        return Ok(chosen(&found[0], inverse.then_some(&found[2]), counts.then_some(&found[3])));
    }
    let dim = axis(call, call.int(3)?, x.ndim())?;
    let [values, _, index, times] = distinct_parts(call, &x, dim)?;
    Ok(chosen(&values, inverse.then_some(&index), counts.then_some(&times)))
}

fn chosen(values: &Array, inverse: Option<&Array>, counts: Option<&Array>) -> Value<'static> {
    match (inverse, counts) {
        (None, None) => values.clone().into(),
        _ => tuple([Some(values), inverse, counts].into_iter().flatten().cloned()),
    }
}

/// Runs of equal elements or parts, each once.
pub(crate) fn unique_consecutive(call: &mut Call<'_>) -> Out {
    let (x, inverse, counts) = (tensor(call, 0)?, call.flag(1)?, call.flag(2)?);
    let found = several(
        call,
        call.core("unique_consecutive", &[(&x).into()], kw! { axis: call.value(3).borrowed() })?,
    )?;
    let values = found[0].clone();
    let index = reshaped(
        &found[1],
        if call.value(3).is_none() { x.shape().clone() } else { found[1].shape().clone() },
    )?;
    Ok(chosen(&values, inverse.then_some(&index), counts.then_some(&found[2])))
}

/// How many elements fall into each of equal bins.
pub(crate) fn histc(call: &mut Call<'_>) -> Out {
    let (x, bins) = (tensor(call, 0)?, call.int(1)?);
    let (mut low, mut high) = (call.float(2)?, call.float(3)?);
    if !x.dtype().is_float() || bins < 1 {
        return Err(runtime(call, "input", "histc needs floats, and at least one bin"));
    }
    if low == high && x.size() > 0 {
        (low, high) = (f::min(&x, ())?.to_scalar()?.to_f64(), f::max(&x, ())?.to_scalar()?.to_f64());
    }
    if low == high {
        (low, high) = (low - 1.0, high + 1.0);
    }
    let edges = compute!(call, "linspace", [low, high, bins + 1], dtype = x.dtype())?;
    let hits = counted(call, &reshaped(&x, [x.size()])?, &edges, None)?;
    Ok(cast(&hits, Some(x.dtype()))?.into())
}

/// The number, or the weight, of the elements between neighbouring edges; the last bin has its upper edge.
fn counted(call: &Call<'_>, x: &Array, edges: &Array, weight: Option<&Array>) -> Result<Array> {
    let bins = edges.size() - 1;
    let place = f::subtract(compute!(call, "searchsorted", [edges, x], side = "right")?, 1)?;
    let last = edges.get([ivy_core::Index::Int(-1)])?;
    let place = f::where_(f::equal(x, &last)?, bins as i64 - 1, &place)?;
    let inside = f::logical_and(f::greater_equal(&place, 0)?, f::less(&place, bins as i64)?)?;
    let place = f::where_(&inside, &place, 0)?;
    let weight = match weight {
        Some(weight) => f::where_(&inside, weight, 0.0)?,
        None => cast(&inside, Some(Dtype::FLOAT64))?,
    };
    compute!(call, "bincount", [&place], weights = &weight, minlength = bins as i64)
}

/// Counts and edges of bins.
pub(crate) fn histogram(call: &mut Call<'_>) -> Out {
    let (x, density) = (tensor(call, 0)?, call.flag(4)?);
    let x = reshaped(&x, [x.size()])?;
    if !x.dtype().is_float() {
        return Err(runtime(call, "input", "histogram needs floats"));
    }
    let edges = match call.value(1).as_array() {
        Some(edges) if edges.ndim() != 1 || edges.size() == 0 => {
            let rule = "bins tensor should have one dimension, and one element at least";
            return Err(runtime(call, "bins", rule));
        }
        Some(edges) => edges.clone(),
        None => {
            let given = call.value(2).items().map(<[Value<'_>]>::to_vec);
            let ends = match given.as_deref() {
                Some([low, high]) => [low, high].map(|v| v.as_scalar().map_or(f64::NAN, |s| s.to_f64())),
                _ => {
                    [f::min(&x, ())?, f::max(&x, ())?].map(|v| v.to_scalar().map_or(f64::NAN, |s| s.to_f64()))
                }
            };
            let bins = call.int(1)?;
            if bins <= 0 {
                return Err(runtime(call, "bins", format!("bins must be > 0, but got {bins}")));
            }
            let wide = if ends[0] == ends[1] { [ends[0] - 0.5, ends[1] + 0.5] } else { ends };
            compute!(call, "linspace", [wide[0], wide[1], bins + 1], dtype = x.dtype())?
        }
    };
    let weight = optional(call, 3)?.map(|w| reshaped(&w, [w.size()])).transpose()?;
    let mut hits = cast(&counted(call, &x, &edges, weight.as_ref())?, Some(x.dtype()))?;
    if density {
        hits = f::divide(&hits, f::multiply(f::sum(&hits, ())?, compute!(call, "diff", [&edges])?)?)?;
    }
    Ok(tuple([hits, edges]))
}

/// The running integral by trapezoids.
pub(crate) fn cumulative_trapezoid(call: &mut Call<'_>) -> Out {
    let y = tensor(call, 0)?;
    super::support::has_axes(call, 0, &y)?;
    let dim = axis(call, call.int(3)?, y.ndim())?;
    let count = y.shape()[dim];
    if count == 0 {
        return Ok(y.into());
    }
    let pairs = f::add(sliced(&y, dim, 1, count)?, sliced(&y, dim, 0, count - 1)?)?;
    let width = match optional(call, 1)? {
        Some(x) if x.ndim() == 1 && y.ndim() > 1 => {
            let mut shape = vec![1; y.ndim()];
            shape[dim] = count - 1;
            reshaped(&compute!(call, "diff", [&x])?, shape)?
        }
        Some(x) => compute!(call, "diff", [&x], axis = dim as i64 - y.ndim() as i64)?,
        None => call.to_array(if call.value(2).is_none() { &Value::Float(1.0) } else { call.value(2) })?,
    };
    let areas = f::divide(f::multiply(&pairs, &width)?, 2.0)?;
    Ok(compute!(call, "cumulative_sum", [&areas], axis = dim as i64)?.into())
}

/// Elements in order along an axis, and where they stood.
pub(crate) fn sort(call: &mut Call<'_>) -> Out {
    let (x, descending) = (tensor(call, 0)?, call.flag(2)?);
    let dim = axis(call, call.int(1)?, x.ndim())? as i64;
    if x.ndim() == 0 {
        return Ok(tuple([x.clone(), compute!(call, "zeros_like", [&x], dtype = Dtype::INT64)?]));
    }
    let order = compute!(call, "argsort", [&x], axis = dim, descending = descending)?;
    Ok(tuple([compute!(call, "take_along_axis", [&x, &order], axis = dim)?, order]))
}

/// Where values belong in sorted rows.
pub(crate) fn searchsorted(call: &mut Call<'_>) -> Out {
    let (mut sorted, values) = (tensor(call, 0)?, call.array(1)?);
    let side = match call.value(4) {
        Value::None if call.flag(3)? => "right",
        Value::None => "left",
        _ => call.text(4)?,
    };
    if let Some(order) = optional(call, 5)? {
        sorted = compute!(call, "take_along_axis", [&sorted, &order], axis = -1)?;
    }
    let places = match sorted.ndim() {
        1 => compute!(call, "searchsorted", [&sorted, &values], side = side)?,
        _ => {
            let (row, value) = (
                compute!(call, "expand_dims", [&sorted, -2])?,
                compute!(call, "expand_dims", [&values, -1])?,
            );
            let before = if side == "right" { f::less_equal(&row, &value)? } else { f::less(&row, &value)? };
            compute!(call, "count_nonzero", [&before], axis = -1)?
        }
    };
    let dtype = if call.flag(2)? { Dtype::INT32 } else { Dtype::INT64 };
    Ok(cast(&places, Some(dtype))?.into())
}

/// The indices of elements that are not zero, a row each.
pub(crate) fn nonzero(call: &mut Call<'_>) -> Out {
    let x = tensor(call, 0)?;
    if x.ndim() == 0 {
        let count = usize::from(x.to_scalar()?.to_bool());
        return Ok(compute!(call, "zeros", [vec![count as i64, 0]], dtype = Dtype::INT64)?.into());
    }
    let places = several(call, call.core("nonzero", &[(&x).into()], kw! {})?)?;
    let places: Vec<Value<'_>> = places.iter().map(Value::from).collect();
    Ok(one(call, call.core("stack", &[Value::List(places)], kw! { axis: -1 })?)?.into())
}

/// The sums over broadcast axes that bring a tensor to a shape.
pub(crate) fn sum_to_size(call: &mut Call<'_>) -> Out {
    let x = tensor(call, 0)?;
    let shape = call.ints(1)?.unwrap_or_default();
    let extra = x.ndim().checked_sub(shape.len());
    let fits = |extra: usize| {
        let own = &x.shape()[extra..];
        own.iter().zip(&shape).all(|(&have, &want)| want == 1 || have as i64 == want)
    };
    let Some(extra) = extra.filter(|&extra| fits(extra)) else {
        return Err(runtime(call, "size", "is not expandable to the shape of the tensor"));
    };
    let mut axes: Vec<i64> = (0..extra as i64).collect();
    let narrow = shape.iter().enumerate().filter(|&(i, &want)| want == 1 && x.shape()[extra + i] != 1);
    axes.extend(narrow.map(|(i, _)| (extra + i) as i64));
    let sums = compute!(call, "sum", [&x], axis = axes, dtype = x.dtype())?;
    let shape: Vec<usize> = shape.iter().map(|&n| n as usize).collect();
    Ok(reshaped(&sums, shape)?.into())
}

/// Overlapping windows of a length along an axis, as a new last axis.
pub(crate) fn windows(call: &mut Call<'_>) -> Out {
    let x = tensor(call, 0)?;
    let dim = axis(call, call.int(1)?, x.ndim())?;
    let (size, step) = (call.int(2)?, call.int(3)?);
    let len = x.shape().get(dim).copied().unwrap_or(1) as i64;
    if step < 1 {
        return Err(runtime(call, "step", format!("step is {step} but must be > 0")));
    }
    if size < 0 || size > len {
        return Err(runtime(
            call,
            "size",
            format!("maximum size for tensor at dimension {dim} is {len} but size is {size}"),
        ));
    }
    match x.ndim() {
        // A tensor without axes is a window of one element, or of none.
        0 => Ok(sliced(&reshaped(&x, [1])?, 0, 0, size as usize)?.into()),
        _ => Ok(views::windows(&x, dim, size as usize, step as usize)?.into()),
    }
}

/// A part of a tensor along an axis, from a start of a length.
pub(crate) fn narrow(call: &mut Call<'_>) -> Out {
    let x = tensor(call, 0)?;
    let dim = axis(call, call.int(1)?, x.ndim())?;
    let (start, length) = (call.int(2)?, call.int(3)?);
    let len = x.shape().get(dim).copied().unwrap_or(0) as i64;
    let first = if start < 0 { start + len } else { start };
    if x.ndim() == 0 || first < 0 || length < 0 || first + length > len {
        return Err(runtime(
            call,
            "start",
            format!("start ({start}) + length ({length}) exceeds dimension size ({len})"),
        ));
    }
    Ok(x.get(along(x.ndim(), dim, range(first as usize, (first + length) as usize, 1)))?.into())
}

fn running(call: &mut Call<'_>, name: &str) -> Out {
    let x = tensor(call, 0)?;
    let dim = axis(call, call.int(1)?, x.ndim())?;
    if x.ndim() == 0 {
        return Ok(tuple([x.clone(), compute!(call, "zeros_like", [&x], dtype = Dtype::INT64)?]));
    }
    let [values, places] = running_extremes(call, name, &x, dim)?;
    Ok(tuple([gathered(call, &x, dim as i64, values, &places)?, places]))
}

/// The greatest element so far along an axis, and where it stands.
pub(crate) fn cummax(call: &mut Call<'_>) -> Out {
    running(call, "cummax")
}

/// The least, likewise.
pub(crate) fn cummin(call: &mut Call<'_>) -> Out {
    running(call, "cummin")
}
