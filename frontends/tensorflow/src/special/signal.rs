//! Frames of signals.

use ivy_core::{Array, Dtype, Result};
use ivy_frontend::specials::{Out, axis, cut, lengths, wrong};
use ivy_frontend::{Call, Fault, compute};

/// `require_complex(x)`: the tensor, if it is complex.
pub(crate) fn require_complex(call: &mut Call<'_>) -> Out {
    let x = call.array(0)?;
    if !x.dtype().is_complex() {
        let rule = format!("complex numbers are needed, not {}", x.dtype());
        return Err(call.refuse(Fault::Dtype, "input", None, rule));
    }
    Ok(x.into())
}

/// The numbers `i step + j` for `i` below a count and `j` below a length.
fn places(call: &Call<'_>, count: i64, length: i64, step: i64) -> Result<Array> {
    let rows = compute!(call, "arange", [0, count, 1], dtype = Dtype::INT64)?;
    let rows =
        compute!(call, "reshape", [&compute!(call, "multiply", [&rows, step])?], shape = vec![count, 1])?;
    let columns = compute!(call, "arange", [0, length, 1], dtype = Dtype::INT64)?;
    let all = compute!(call, "add", [&rows, &columns])?;
    compute!(call, "reshape", [&all], shape = vec![count * length])
}

/// `frame(signal, frame_length, frame_step, pad_end, pad_value, axis)`
pub(crate) fn frame(call: &mut Call<'_>) -> Out {
    let (x, length, step, pad_end) = (call.array(0)?, call.int(1)?, call.int(2)?, call.flag(3)?);
    let along = axis(call, call.int(5)?, x.ndim())?;
    if length < 1 || step < 1 {
        return Err(wrong(call, "frame_step", "frames and steps have one element and more"));
    }
    let n = x.shape()[along] as i64;
    let count = if pad_end {
        (n + step - 1) / step
    } else {
        ((n - length) / step + 1).max(0) * i64::from(n >= length)
    };
    let missing = ((count - 1) * step + length - n).max(0);
    let x = if pad_end && missing > 0 {
        let mut widths = vec![vec![0i64; 2]; x.ndim()];
        widths[along][1] = missing;
        compute!(call, "constant_pad", [&x], pad_width = widths, value = call.value(4))?
    } else {
        x
    };
    let frames = compute!(call, "take", [&x, &places(call, count, length, step)?], axis = along as i64)?;
    let mut shape = lengths(&frames);
    shape.splice(along..=along, [count, length]);
    Ok(compute!(call, "reshape", [&frames], shape = shape)?.into())
}

/// Frames added up, each a step behind the one before it.
fn overlapped(call: &Call<'_>, frames: &Array, step: i64) -> Result<Array> {
    let shape = lengths(frames);
    let &[ref outer @ .., count, length] = &shape[..] else {
        return Err(wrong(call, "signal", "frames along the last two axes are needed"));
    };
    if step < 1 {
        return Err(wrong(call, "frame_step", "one element and more"));
    }
    let (rows, all) = (outer.iter().product::<i64>(), ((count - 1) * step + length).max(0));
    let flat = compute!(call, "reshape", [frames], shape = vec![rows, count * length])?;
    let zeros = compute!(call, "zeros", [], shape = vec![rows, all], dtype = frames.dtype())?;
    let sum = compute!(call, "index_add", [&zeros, 1, &places(call, count, length, step)?, &flat])?;
    compute!(call, "reshape", [&sum], shape = [outer, &[all]].concat())
}

/// `overlap_and_add(signal, frame_step)`
pub(crate) fn overlap_and_add(call: &mut Call<'_>) -> Out {
    Ok(overlapped(call, &call.array(0)?, call.int(1)?)?.into())
}

/// `inverse_stft(stfts, frame_length, frame_step, fft_length)`: the frames times the Hann window, added up.
pub(crate) fn inverse_stft(call: &mut Call<'_>) -> Out {
    let (length, step) = (call.int(1)?, call.int(2)?);
    let points = match call.value(3).is_none() {
        true => (length.max(1) as u64).next_power_of_two() as i64,
        false => call.int(3)?,
    };
    let frames = compute!(call, "fft.irfft", [call.value(0)], n = points)?;
    let last = frames.ndim() - 1;
    let frames = if points < length {
        let mut widths = vec![vec![0i64; 2]; frames.ndim()];
        widths[last][1] = length - points;
        compute!(call, "constant_pad", [&frames], pad_width = widths)?
    } else {
        cut(&frames, last, 0, length, 1)?
    };
    // A window of an odd length has two equal ends in TensorFlow, whether it is periodic or not.
    let periodic = length % 2 == 0;
    let window =
        compute!(call, "hann_window", [], size = length, periodic = periodic, dtype = frames.dtype())?;
    let frames = compute!(call, "multiply", [&frames, &window])?;
    Ok(overlapped(call, &frames, step)?.into())
}
