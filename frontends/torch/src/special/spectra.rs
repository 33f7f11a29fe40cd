//! Fourier transforms of several axes, and spectra of signals.

use super::support::{Out, iota, optional, reshaped, runtime, tensor};
use ivy_core::functional as f;
use ivy_core::{Array, Dtype, Index, Result};
use ivy_frontend::{Call, Value, compute};

/// Transforms along several axes: all, those named, or as many of the last ones as lengths are given.
pub(crate) fn fftn(call: &mut Call<'_>) -> Out {
    let (name, x) = (call.text(0)?.to_string(), tensor(call, 1)?);
    let norm = scaling(call, 4)?;
    Ok(along_axes(call, &name, &x, norm)?.into())
}

/// The transforms of a Hermitian signal's half to real numbers, `hfftn`, and their inverse: those of real signals, conjugated and with
/// the other direction's scaling.
pub(crate) fn hermitian_fftn(call: &mut Call<'_>) -> Out {
    let (inverse, x) = (call.text(0)? == "ihfftn", tensor(call, 1)?);
    let norm = match scaling(call, 4)?.as_str() {
        "backward" => "forward".to_string(),
        "forward" => "backward".to_string(),
        other => other.to_string(),
    };
    Ok(match inverse {
        true => f::conj(along_axes(call, "rfftn", &x, norm)?)?,
        false => along_axes(call, "irfftn", &f::conj(&x)?, norm)?,
    }
    .into())
}

fn scaling(call: &Call<'_>, i: usize) -> Result<String> {
    Ok(if call.value(i).is_none() { "backward".to_string() } else { call.text(i)?.to_string() })
}

/// By the lengths and axes of the third and fourth argument.
fn along_axes(call: &Call<'_>, name: &str, x: &Array, norm: String) -> Result<Array> {
    let (lengths, dims) = (call.ints(2)?, call.ints(3)?);
    let dims = dims.or_else(|| lengths.as_ref().map(|s| (-(s.len() as i64)..0).collect()));
    compute!(call, &format!("fft.{name}"), [x], s = lengths, axes = dims, norm = norm)
}

fn frames(call: &Call<'_>, i: usize) -> Result<(usize, usize, usize)> {
    let n_fft = call.int(i)?;
    let hop = if call.value(i + 1).is_none() { n_fft / 4 } else { call.int(i + 1)? };
    let length = if call.value(i + 2).is_none() { n_fft } else { call.int(i + 2)? };
    match n_fft > 0 && hop > 0 && (1..=n_fft).contains(&length) {
        true => Ok((n_fft as usize, hop as usize, length as usize)),
        false => Err(runtime(call, "n_fft", "expected 0 < win_length <= n_fft and hop_length > 0")),
    }
}

/// The window of `n_fft` elements, with zeros around a shorter one.
fn window(call: &Call<'_>, i: usize, n_fft: usize, length: usize, dtype: Dtype) -> Result<Array> {
    let own = match optional(call, i)? {
        Some(window) => window,
        None => compute!(call, "ones", [vec![length as i64]], dtype = dtype)?,
    };
    let before = ((n_fft - length) / 2) as i64;
    let after = (n_fft - length) as i64 - before;
    compute!(call, "constant_pad", [&own, vec![vec![before, after]]])
}

/// Transforms of overlapping frames of a signal.
pub(crate) fn stft(call: &mut Call<'_>) -> Out {
    let (mut x, (n_fft, hop, length)) = (tensor(call, 0)?, frames(call, 1)?);
    if call.value(9).is_none() || !call.flag(9)? {
        return Err(runtime(
            call,
            "return_complex",
            "stft requires the return_complex parameter be given as True for real inputs",
        ));
    }
    let (center, normalized) = (call.flag(5)?, call.flag(7)?);
    let onesided = call.value(8).is_none() || call.flag(8)?;
    if !matches!(x.ndim(), 1 | 2) {
        return Err(runtime(call, "input", format!("expected a 1D or 2D tensor, got {}D", x.ndim())));
    }
    let single = x.ndim() == 1;
    if single {
        x = reshaped(&x, [1, x.size()])?;
    }
    if center {
        let half = (n_fft / 2) as i64;
        let mode = match call.text(6)? {
            "replicate" => "edge",
            other => other,
        };
        x = compute!(call, "pad", [&x, vec![vec![0, 0], vec![half, half]]], mode = mode)?;
    }
    let len = x.shape()[1];
    if len < n_fft {
        return Err(runtime(call, "input", "the signal is shorter than a frame"));
    }
    let count = (len - n_fft) / hop + 1;
    let starts = reshaped(&f::multiply(iota(call, count)?, hop as i64)?, [count, 1])?;
    let pieces = compute!(call, "gather", [&x, &f::add(&starts, iota(call, n_fft)?)?], axis = 1)?;
    let framed = f::multiply(&pieces, window(call, 4, n_fft, length, x.dtype())?)?;
    let norm = if normalized { "ortho" } else { "backward" };
    let spectra = compute!(call, if onesided { "fft.rfft" } else { "fft.fft" }, [&framed], norm = norm)?;
    let turned = compute!(call, "matrix_transpose", [&spectra])?;
    Ok(match single {
        true => reshaped(&turned, turned.shape()[1..].to_vec())?,
        false => turned,
    }
    .into())
}

/// The signal whose frames have given transforms: their overlapping sum over that of the windows' squares.
pub(crate) fn istft(call: &mut Call<'_>) -> Out {
    let (spectra, (n_fft, hop, length)) = (tensor(call, 0)?, frames(call, 1)?);
    let (center, normalized) = (call.flag(5)?, call.flag(6)?);
    if !matches!(spectra.ndim(), 2 | 3) || spectra.size() == 0 {
        let rule = format!("expected a tensor with 2 or 3 dimensions and elements, got {}", spectra.shape());
        return Err(runtime(call, "input", rule));
    }
    let onesided = match call.value(7) {
        Value::None => spectra.shape()[spectra.ndim() - 2] != n_fft || n_fft == 1,
        _ => call.flag(7)?,
    };
    let single = spectra.ndim() == 2;
    let spectra = match single {
        true => compute!(call, "expand_dims", [&spectra, 0])?,
        false => spectra,
    };
    let norm = if normalized { "ortho" } else { "backward" };
    let turned = compute!(call, "matrix_transpose", [&spectra])?;
    let frames = match onesided {
        true => compute!(call, "fft.irfft", [&turned], n = n_fft as i64, norm = norm)?,
        false => f::real(compute!(call, "fft.ifft", [&turned], n = n_fft as i64, norm = norm)?)?,
    };
    let window = window(call, 4, n_fft, length, frames.dtype())?;
    let count = frames.shape()[1];
    let whole = n_fft + hop * (count - 1);
    let starts = reshaped(&f::multiply(iota(call, count)?, hop as i64)?, [count, 1])?;
    let places = reshaped(&f::add(&starts, iota(call, n_fft)?)?, [count * n_fft])?;
    let squares = f::broadcast_to(f::square(&window)?, [count, n_fft])?;
    let size = whole as i64;
    let weights =
        compute!(call, "scatter_flat", [&places, &reshaped(&squares, [count * n_fft])?], size = size)?;
    let framed = f::multiply(&frames, &window)?;
    let mut signals = Vec::new();
    for i in 0..framed.shape()[0] {
        let line = reshaped(&framed.get([Index::Int(i as i64)])?, [count * n_fft])?;
        signals.push(compute!(call, "scatter_flat", [&places, &line], size = size)?);
    }
    let signals = compute!(call, "stack", [signals.iter().collect::<Vec<_>>()])?;
    let start = if center { n_fft / 2 } else { 0 };
    let stop = match call.value(8) {
        Value::None if center => whole - n_fft / 2,
        Value::None => whole,
        _ => start + call.int(8)?.max(0) as usize,
    };
    let missing = stop.saturating_sub(whole) as i64;
    let cut = stop.min(whole);
    let weights = super::support::sliced(&weights, 0, start, cut)?;
    if f::less(f::abs(&weights)?, 1e-11)?.is_any_true()? {
        return Err(runtime(call, "window", "window overlap add min: 1"));
    }
    let signals = f::divide(super::support::sliced(&signals, 1, start, cut)?, &weights)?;
    let signals = compute!(call, "constant_pad", [&signals, vec![vec![0, 0], vec![0, missing]]])?;
    Ok(match single {
        true => reshaped(&signals, [signals.size()])?,
        false => signals,
    }
    .into())
}
