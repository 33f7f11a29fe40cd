//! Axes with other elements: each a weighted sum of some that are there.

use crate::{Call, Fault, compute};
use ivy_core::functional as f;
use ivy_core::{Array, ErrorKind, Result};

/// The places of a new element's summands, each with its weight.
pub type Taps = Vec<(usize, f64)>;

/// An array whose elements along an axis are sums of those that are there, one for each of `taps`.
///
/// # Errors
/// For a new element without summands, and a place that is not there; no memory.
pub fn resampled(call: &Call<'_>, x: &Array, axis: usize, taps: &[Taps]) -> Result<Array> {
    if taps.iter().any(Vec::is_empty) {
        let rule = format!("axis {axis} of shape {} has no elements", x.shape());
        return Err(call.refuse(Fault::Value, "input", None, rule));
    }
    let mut column = vec![1i64; x.ndim()];
    column[axis] = taps.len() as i64;
    // The `k`th summand of each; what has fewer gets no more of its first one.
    let part = |k: usize| -> Result<Array> {
        let tap = |of: &Taps| of.get(k).copied().unwrap_or((of[0].0, 0.0));
        let (places, weights): (Vec<i64>, Vec<f64>) =
            taps.iter().map(|of| (tap(of).0 as i64, tap(of).1)).unzip();
        let part = compute!(call, "take", [x, &Array::from_vec(places, [taps.len()])?], axis = axis as i64)?;
        let weights = f::astype(Array::from_vec(weights, [taps.len()])?, x.dtype())?;
        compute!(call, "multiply", [&part, &compute!(call, "reshape", [&weights], shape = column.clone())?])
    };
    let mut sum = part(0)?;
    for k in 1..taps.iter().map(Vec::len).max().unwrap_or(0) {
        sum = compute!(call, "add", [&sum, &part(k)?])?;
    }
    Ok(sum)
}

/// The summands of each of `count` new elements.
///
/// # Errors
/// Without memory for as many.
pub fn taps(call: &Call<'_>, count: usize, of: impl FnMut(usize) -> Taps) -> Result<Vec<Taps>> {
    let mut all = Vec::new();
    let needs = count as u128 * size_of::<Taps>() as u128;
    all.try_reserve_exact(count).map_err(|_| ErrorKind::no_memory(call.entry.function, needs))?;
    all.extend((0..count).map(of));
    Ok(all)
}

/// The summands of linear interpolation at a place between `length` elements; what is beyond the ends is the end.
pub fn linear(length: usize, place: f64) -> Taps {
    let place = place.clamp(0.0, length.saturating_sub(1) as f64);
    let (low, part) = (place.floor() as usize, place - place.floor());
    let both = [(low, 1.0 - part), (low + 1, part)];
    both.into_iter().filter(|&(at, weight)| weight > 0.0 && at < length).collect()
}
