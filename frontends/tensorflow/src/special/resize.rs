//! Images of other sizes.

use super::images::{image, integers};
use ivy_core::functional as f;
use ivy_core::{Array, Dtype, Index, Result};
use ivy_frontend::specials::{Out, Taps, ordered, resampled, taps, wrong};
use ivy_frontend::{Call, compute};

/// `resize(images, size, method, antialias)`
pub(crate) fn resize(call: &mut Call<'_>) -> Out {
    let ((x, rows), size) = (image(call)?, call.ints(1)?.unwrap_or_default());
    let (method, antialias) = (call.text(2)?.to_ascii_lowercase(), call.flag(3)?);
    let size = match size[..] {
        [height, width] if height > 0 && width > 0 => [height, width],
        _ => return Err(wrong(call, "size", "a number of rows and of columns above 0")),
    };
    let batch = if rows == 0 { compute!(call, "expand_dims", [&x], axis = 0)? } else { x.clone() };
    let of: fn(usize, usize, usize) -> Taps = match &*method {
        // The nearest element is the element itself; all else are floats.
        "nearest" => return batched(nearest(call, &batch, size)?, rows),
        "bilinear" => return batched(filtered(call, &batch, size, "bilinear", antialias)?, rows),
        "bicubic" if antialias => return batched(filtered(call, &batch, size, "bicubic", true)?, rows),
        "bicubic" => cubic,
        "area" => area,
        _ => return Err(wrong(call, "method", "one of bilinear, nearest, bicubic and area")),
    };
    let mut resized = f::astype(&batch, Dtype::FLOAT32)?;
    for (axis, &count) in [1, 2].iter().zip(&size) {
        let (length, count) = (resized.shape()[*axis], count as usize);
        resized = resampled(call, &resized, *axis, &taps(call, count, |i| of(length, count, i))?)?;
    }
    batched(resized, rows)
}

/// A batch, or its only image where one was given.
fn batched(x: Array, rows: usize) -> Out {
    Ok(if rows == 0 { x.get([Index::Int(0)])? } else { x }.into())
}

/// What the core interpolates.
fn filtered(
    call: &Call<'_>,
    x: &Array,
    size: [i64; 2],
    mode: &'static str,
    antialias: bool,
) -> Result<Array> {
    let x = f::astype(ordered(call, x, vec![0, 3, 1, 2])?, Dtype::FLOAT32)?;
    let x = compute!(call, "interpolate", [&x], size = size.to_vec(), mode = mode, antialias = antialias)?;
    ordered(call, &x, vec![0, 2, 3, 1])
}

/// The elements at `floor((i + 1/2) length / size)` of rows and columns.
fn nearest(call: &Call<'_>, x: &Array, size: [i64; 2]) -> Result<Array> {
    let mut x = x.clone();
    for (axis, count) in [1usize, 2].into_iter().zip(size) {
        let length = x.shape()[axis] as f64;
        let place = |i: i64| ((i as f64 + 0.5) * length / count as f64).floor().min(length - 1.0) as i64;
        let places = integers(call, (0..count).map(place))?;
        x = compute!(call, "take", [&x, &places], axis = axis as i64)?;
    }
    Ok(x)
}

/// The parts of `length` old elements that the `i`th of `count` new ones covers, in single precision. Source: TensorFlow
/// 2.21's documentation of `tf.image.ResizeMethod.AREA`.
fn area(length: usize, count: usize, i: usize) -> Taps {
    let scale = length as f32 / count as f32;
    let (start, stop) = (i as f32 * scale, (i + 1) as f32 * scale);
    let part = |j: usize| ((j + 1) as f32).min(stop) - (j as f32).max(start);
    let reach = (start as usize).min(length.saturating_sub(1))..length.min(stop.ceil() as usize);
    reach.map(|j| (j, f64::from(part(j) / scale))).filter(|&(_, weight)| weight > 0.0).collect()
}

/// How many places between two elements the weights of the cubic are known at.
const OFFSETS: f32 = 1024.0;

/// The cubic of Keys with `a = -1/2`, at a distance from 0 to 2. Source: R. G. Keys, Cubic convolution interpolation for
/// digital image processing, 1981.
fn keys(distance: f32) -> f32 {
    const A: f32 = -0.5;
    let x = distance;
    if x <= 1.0 {
        ((A + 2.0) * x - (A + 3.0)) * x * x + 1.0
    } else {
        ((A * x - 5.0 * A) * x + 8.0 * A) * x - 4.0 * A
    }
}

/// The old elements around the `i`th new one, weighted by the cubic at the next of 1024 offsets as TensorFlow has it; of
/// those that are there, so that the weights add up to 1.
fn cubic(length: usize, count: usize, i: usize) -> Taps {
    let place = (i as f32 + 0.5) * (length as f32 / count as f32) - 0.5;
    let before = place.floor();
    let offset = ((place - before) * OFFSETS).round_ties_even() / OFFSETS;
    let all = [(-1.0, 1.0 + offset), (0.0, offset), (1.0, 1.0 - offset), (2.0, 2.0 - offset)];
    let there = all.into_iter().map(|(step, distance)| (before + step, keys(distance)));
    let there: Vec<(f32, f32)> = there.filter(|&(at, _)| at >= 0.0 && (at as usize) < length).collect();
    let sum: f32 = there.iter().map(|&(_, weight)| weight).sum();
    there.into_iter().map(|(at, weight)| (at as usize, f64::from(weight / sum))).collect()
}
