//! Borders, and other sizes of images.

use super::convolutions::each;
use super::support::{Out, runtime, sliced, tensor};
use ivy_core::Result;
use ivy_core::functional as f;
use ivy_core::functional::{Factors, Interpolate, InterpolateMode, PerAxis};
use ivy_frontend::{Call, Fault, Value, compute};

/// Elements before and after those of the last axes, counted from the last one; negative numbers take some away.
pub(crate) fn pad(call: &mut Call<'_>) -> Out {
    let (mut x, pads, mode) =
        (tensor(call, 0)?, call.ints(1)?.unwrap_or_default(), call.text(2)?.to_string());
    if pads.len() % 2 != 0 || pads.len() > 2 * x.ndim() {
        return Err(runtime(
            call,
            "pad",
            "Padding length must be divisible by two and at most twice the number of dimensions",
        ));
    }
    let mut widths = vec![vec![0i64, 0]; x.ndim()];
    for (i, pair) in pads.chunks(2).enumerate() {
        let dim = x.ndim() - 1 - i;
        let len = x.shape()[dim] as i64;
        let (start, stop) = ((-pair[0]).max(0), len - (-pair[1]).max(0));
        if start > stop {
            return Err(runtime(call, "pad", "resulted in a negative output size"));
        }
        x = sliced(&x, dim, start as usize, stop as usize)?;
        let most = pair[0].max(pair[1]);
        if mode == "reflect" && most > 0 && most >= len {
            let rule = format!(
                "Padding size should be less than the corresponding input dimension, but got: padding ({}, {}) at dimension {dim} of input {}",
                pair[0],
                pair[1],
                x.shape()
            );
            return Err(runtime(call, "pad", rule));
        }
        if mode == "circular" && most > len {
            return Err(runtime(call, "pad", "Padding value causes wrapping around more than once."));
        }
        widths[dim] = vec![pair[0].max(0), pair[1].max(0)];
    }
    let mode = match mode.as_str() {
        "constant" => {
            let value = if call.value(3).is_none() { Value::Int(0) } else { call.value(3).borrowed() };
            return Ok(compute!(call, "constant_pad", [&x, widths], value = value)?.into());
        }
        "reflect" => "reflect",
        "replicate" => "edge",
        "circular" => "wrap",
        _ => {
            return Err(call.refuse(
                Fault::Missing,
                "mode",
                Some(call.value(2)),
                "one of constant, reflect, replicate, circular",
            ));
        }
    };
    Ok(compute!(call, "pad", [&x, widths], mode = mode)?.into())
}

/// Spatial axes of other lengths.
pub(crate) fn interpolate(call: &mut Call<'_>) -> Out {
    let (x, mode) = (tensor(call, 0)?, call.text(3)?.replace('-', "_"));
    let spatial = x.ndim().saturating_sub(2);
    let size = if call.value(1).is_none() { None } else { Some(each(call, 1, spatial)?) };
    if size.is_some() != call.value(2).is_none() {
        return Err(call.refuse(
            Fault::Value,
            "size",
            None,
            "either size or scale_factor should be defined, and not both",
        ));
    }
    let corners = match call.value(4) {
        Value::None => false,
        _ if matches!(mode.as_str(), "nearest" | "area" | "nearest_exact") => {
            return Err(call.refuse(
                Fault::Value,
                "align_corners",
                None,
                "can only be set with the interpolating modes",
            ));
        }
        _ => call.flag(4)?,
    };
    let again = if call.value(5).is_none() { None } else { Some(call.flag(5)?) };
    let mut params = Interpolate::new().mode(mode_of(call, &mode)?);
    (params.align_corners, params.antialias, params.recompute_scale_factor) = (corners, call.flag(6)?, again);
    let lengths: Option<PerAxis> = match size {
        Some(size) => Some(size.iter().map(|&n| n.max(0) as usize).collect::<Vec<_>>().into()),
        None => {
            params.scale_factor = Some(factors(call, spatial)?);
            None
        }
    };
    Ok(f::interpolate(&x, lengths, params)?.into())
}

fn mode_of(call: &Call<'_>, name: &str) -> Result<InterpolateMode> {
    Ok(match name {
        "nearest" => InterpolateMode::Nearest,
        "nearest_exact" => InterpolateMode::NearestExact,
        "linear" => InterpolateMode::Linear,
        "bilinear" => InterpolateMode::Bilinear,
        "trilinear" => InterpolateMode::Trilinear,
        "bicubic" => InterpolateMode::Bicubic,
        "area" => InterpolateMode::Area,
        _ => return Err(call.refuse(Fault::Missing, "mode", Some(call.value(3)), "no such mode")),
    })
}

/// A factor for all spatial axes, or one for each.
fn factors(call: &Call<'_>, spatial: usize) -> Result<Factors> {
    let Some(items) = call.value(2).items() else { return Ok(Factors::from(call.float(2)?)) };
    let all: Vec<f64> = items.iter().filter_map(|v| v.as_scalar()).map(|s| s.to_f64()).collect();
    match all[..] {
        [a] if spatial == 1 => Ok([a].into()),
        [a, b] if spatial == 2 => Ok([a, b].into()),
        [a, b, c] if spatial == 3 => Ok([a, b, c].into()),
        _ => Err(call.refuse(
            Fault::Value,
            "scale_factor",
            Some(call.value(2)),
            "one number for each spatial axis",
        )),
    }
}
