//! Differences, slopes and areas.

use super::help::{Out, at, axes_in, axis_in, cut, floats, tuple, type_error, value_error};
use ivy_core::functional as f;
use ivy_core::functional::{Concat, Sum};
use ivy_core::{Array, Dtype, Result};
use ivy_frontend::{Call, Value};

/// `a n axis prepend append`
pub fn diff(call: &mut Call<'_>) -> Out {
    let (mut x, n) = (call.array(0)?, call.int(1)?);
    if n == 0 {
        // As it was given: a list stays one.
        return Ok(call.value(0).clone().into_owned());
    }
    if n < 0 {
        return Err(value_error(call, "n", format!("order must be non-negative but got {n}")));
    }
    if x.ndim() == 0 {
        return Err(value_error(call, "a", "diff requires input that is at least one dimensional"));
    }
    let axis = axis_in(call, call.int(2)?, x.ndim())?;
    let mut parts = vec![x.clone()];
    for i in [3, 4] {
        if call.value(i).is_none() {
            continue;
        }
        let mut end = call.array(i)?;
        if end.ndim() == 0 {
            let mut shape: Vec<usize> = x.shape().iter().copied().collect();
            shape[axis] = 1;
            end = f::broadcast_to(end, shape)?;
        }
        if i == 3 { parts.insert(0, end) } else { parts.push(end) }
    }
    if parts.len() > 1 {
        let dtype = parts[1..].iter().try_fold(parts[0].dtype(), |d, x| f::result_type([d, x.dtype()]))?;
        let parts = parts.iter().map(|x| f::astype(x, dtype)).collect::<Result<Vec<_>>>()?;
        x = f::concat(&parts, Concat::new().axis(axis as i64))?;
    }
    for _ in 0..n {
        let (after, before) = (cut(&x, axis, Some(1), None)?, cut(&x, axis, None, Some(-1))?);
        x = if x.dtype().is_bool() { f::not_equal(after, before)? } else { f::subtract(after, before)? };
    }
    Ok(x.into())
}

/// `y x dx axis`
pub fn trapezoid(call: &mut Call<'_>) -> Out {
    let y = call.array(0)?;
    let axis = axis_in(call, call.int(3)?, y.ndim())?;
    let (after, before) = (cut(&y, axis, Some(1), None)?, cut(&y, axis, None, Some(-1))?);
    let heights = f::divide(f::add(after, before)?, 2.0)?;
    let areas = match call.value(1) {
        Value::None => f::multiply(heights, super::help::operand(call, 2)?)?,
        _ => {
            let x = call.array(1)?;
            let one = x.ndim() == 1;
            let along = if one { 0 } else { axis };
            let mut widths = f::subtract(cut(&x, along, Some(1), None)?, cut(&x, along, None, Some(-1))?)?;
            if one {
                let shape = (0..y.ndim()).map(|a| if a == axis { widths.size() as i64 } else { 1 });
                widths = f::reshape(&widths, shape.collect::<Vec<i64>>(), ())?;
            }
            f::multiply(heights, widths)?
        }
    };
    Ok(f::sum(areas, Sum::new().axis(axis as i64))?.into())
}

/// How far apart the elements along an axis are.
enum Spacing {
    Even(f64),
    /// The distances, along the axis.
    Uneven(Array),
}

/// `f varargs axis edge_order`
pub fn gradient(call: &mut Call<'_>) -> Out {
    let x = call.array(0)?;
    let x = if x.dtype().is_int() || x.dtype().is_bool() { floats(x)? } else { x };
    let one = matches!(call.value(2), Value::Int(_));
    let axes = axes_in(call, call.ints(2)?, x.ndim())?;
    let given = call.value(1).items().unwrap_or_default();
    if !matches!(given.len(), 0 | 1) && given.len() != axes.len() {
        return Err(type_error(call, "varargs", "invalid number of arguments"));
    }
    let edge = call.int(3)?;
    if !(1..=2).contains(&edge) {
        return Err(value_error(call, "edge_order", "'edge_order' greater than 2 not supported"));
    }
    let mut found = Vec::with_capacity(axes.len());
    for (i, &axis) in axes.iter().enumerate() {
        let length = x.shape()[axis];
        if (length as i64) < edge + 1 {
            let rule = "Shape of array too small to calculate a numerical gradient, at least (edge_order + 1) elements are required.";
            return Err(value_error(call, "f", rule));
        }
        let spacing = match given.get(i).or(if given.len() == 1 { given.first() } else { None }) {
            None => Spacing::Even(1.0),
            Some(value) => {
                let d = call.make_array(value, None)?;
                match d.ndim() {
                    0 => Spacing::Even(d.to_scalar()?.to_f64()),
                    1 if given.len() == 1 && axes.len() > 1 => {
                        return Err(type_error(call, "varargs", "invalid number of arguments"));
                    }
                    1 if d.size() == length => Spacing::Uneven(distances(&d)?),
                    1 => {
                        return Err(value_error(
                            call,
                            "varargs",
                            "when 1d, distances must match the length of the corresponding dimension",
                        ));
                    }
                    _ => return Err(value_error(call, "varargs", "distances must be either scalars or 1d")),
                }
            }
        };
        found.push(slope(&x, axis, &spacing, edge == 2)?);
    }
    if one || found.len() == 1 {
        return Ok(found.swap_remove(0).into());
    }
    Ok(tuple(found))
}

fn distances(x: &Array) -> Result<Array> {
    let x = floats(x.clone())?;
    f::subtract(cut(&x, 0, Some(1), None)?, cut(&x, 0, None, Some(-1))?)
}

/// The slope inside by the elements on both sides, at the ends by the nearest two or three.
fn slope(x: &Array, axis: usize, spacing: &Spacing, second: bool) -> Result<Array> {
    let slice = |start: i64, stop: i64| cut(x, axis, Some(start), (stop != 0).then_some(stop));
    let n = x.shape()[axis] as i64;
    let element = |i: i64| cut(x, axis, Some(i), (i != -1).then_some(i + 1));
    // Distances in the shape of the elements' axis.
    let shaped = |d: Array| {
        let shape = (0..x.ndim()).map(|a| if a == axis { d.size() as i64 } else { 1 });
        f::reshape(&d, shape.collect::<Vec<i64>>(), ())
    };
    let scale = |x: Array, by: f64| f::divide(x, by);
    let (before, here, after) = (slice(0, -2)?, slice(1, -1)?, slice(2, 0)?);
    let inside = match spacing {
        Spacing::Even(d) => scale(f::subtract(&after, &before)?, 2.0 * d)?,
        Spacing::Uneven(d) => {
            let (d1, d2) = (shaped(cut(d, 0, None, Some(-1))?)?, shaped(cut(d, 0, Some(1), None)?)?);
            let both = f::add(&d1, &d2)?;
            let a = f::divide(f::negative(&d2)?, f::multiply(&d1, &both)?)?;
            let b = f::divide(f::subtract(&d2, &d1)?, f::multiply(&d1, &d2)?)?;
            let c = f::divide(&d1, f::multiply(&d2, both)?)?;
            f::add(f::add(f::multiply(a, before)?, f::multiply(b, here)?)?, f::multiply(c, after)?)?
        }
    };
    let distance = |i: i64| match spacing {
        Spacing::Even(d) => Ok::<f64, ivy_core::Error>(*d),
        Spacing::Uneven(d) => Ok(at(d, 0, i)?.to_scalar()?.to_f64()),
    };
    let end = |places: [i64; 3], signs: f64, d1: f64, d2: f64| -> Result<Array> {
        let [p, q, r] = places;
        if !second {
            return scale(f::multiply(f::subtract(element(q)?, element(p)?)?, signs)?, d1);
        }
        // The parabola through three elements, at the outer one.
        let a = -(2.0 * d1 + d2) / (d1 * (d1 + d2));
        let b = (d1 + d2) / (d1 * d2);
        let c = -d1 / (d2 * (d1 + d2));
        let sum = f::add(f::multiply(element(p)?, a)?, f::multiply(element(q)?, b)?)?;
        f::multiply(f::add(sum, f::multiply(element(r)?, c)?)?, signs)
    };
    let first = end([0, 1, 2], 1.0, distance(0)?, if n > 2 { distance(1)? } else { 1.0 })?;
    let last = end([-1, -2, -3], -1.0, distance(-1)?, if n > 2 { distance(-2)? } else { 1.0 })?;
    let dtype = if x.dtype().is_float() || x.dtype().is_complex() { x.dtype() } else { Dtype::FLOAT64 };
    let parts = [first, inside, last].map(|part| f::astype(part, dtype));
    f::concat(parts.into_iter().collect::<Result<Vec<_>>>()?, Concat::new().axis(axis as i64))
}
