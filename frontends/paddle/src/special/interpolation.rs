//! Images of other sizes, as Paddle writes their arguments.

use super::layers::{first, spatial};
use ivy_core::{Array, Result};
use ivy_frontend::specials::{Out, lengths, linear, ordered, per_axis, resampled, taps, wrong};
use ivy_frontend::{Call, Fault, compute};

/// The lengths of the spatial axes of a result, and how far the old places of two neighbours are apart on each.
struct Sizes {
    lengths: Vec<i64>,
    steps: Vec<f64>,
}

impl Sizes {
    /// Of the arguments `size` and `scale_factor`, and the lengths that there are.
    fn of(call: &Call<'_>, own: &[i64]) -> Result<Sizes> {
        let n = own.len();
        if !call.value(1).is_none() {
            let lengths = per_axis(call, 1, "size", n, 1)?;
            if lengths.iter().any(|&length| length < 1) {
                return Err(wrong(call, "size", "numbers above 0"));
            }
            let steps = own.iter().zip(&lengths).map(|(&old, &new)| old as f64 / new as f64).collect();
            return Ok(Sizes { lengths, steps });
        }
        let given = match call.value(2).items() {
            Some(items) if items.len() == n => items.to_vec(),
            Some(_) => return Err(wrong(call, "scale_factor", format!("a factor for each of {n} axes"))),
            None => vec![call.value(2).clone(); n],
        };
        let factors: Option<Vec<f64>> = given.iter().map(|f| f.as_scalar().map(|s| s.to_f64())).collect();
        let factors = factors.filter(|all| all.iter().all(|f| *f > 0.0));
        let factors = factors.ok_or_else(|| wrong(call, "scale_factor", "numbers above 0, or a size"))?;
        let lengths =
            factors.iter().zip(own).map(|(factor, &length)| (factor * length as f64) as i64).collect();
        Ok(Sizes { lengths, steps: factors.iter().map(|factor| 1.0 / factor).collect() })
    }

    /// Whether the steps lead from one end of an image to the other.
    fn are_whole(&self, x: &Array) -> bool {
        let own = x.shape()[2..].iter();
        own.zip(&self.lengths).zip(&self.steps).all(|((&old, &new), &step)| step == old as f64 / new as f64)
    }
}

/// `interpolate(x, size, scale_factor, mode, align_corners, align_mode, data_format)`
pub(crate) fn interpolate(call: &mut Call<'_>) -> Out {
    let x = call.array(0)?;
    let n = spatial(call, &x)?;
    let channels_first = call.value(6).is_none() || first(call, call.text(6)?)?;
    if channels_first {
        return Ok(resized(call, &x)?.into());
    }
    let last = n as i64 + 1;
    let x = ordered(call, &x, [0, last].into_iter().chain(1..last).collect())?;
    let x = resized(call, &x)?;
    Ok(ordered(call, &x, std::iter::once(0).chain(2..=last).chain([1]).collect())?.into())
}

/// An image of another size; the channels come first.
fn resized(call: &Call<'_>, x: &Array) -> Result<Array> {
    let sizes = Sizes::of(call, &lengths(x)[2..])?;
    let (mode, corners) = (call.text(3)?.to_ascii_lowercase(), call.flag(4)?);
    let smooth = matches!(&*mode, "linear" | "bilinear" | "trilinear");
    if !smooth && !matches!(&*mode, "bicubic" | "nearest" | "area") {
        let rule = "linear, bilinear, trilinear, bicubic, nearest, area";
        return Err(call.refuse(Fault::Value, "mode", Some(call.value(3)), rule));
    }
    if !smooth || corners {
        let corners = corners && (smooth || mode == "bicubic");
        let size = sizes.lengths;
        return compute!(call, "interpolate", [x], size = size, mode = mode, align_corners = corners);
    }
    // The centres of elements stand at halves, which the core has where steps are those of the lengths, or at whole numbers.
    let start = match call.int(5)? {
        0 if sizes.are_whole(x) => {
            return compute!(call, "interpolate", [x], size = sizes.lengths, mode = mode);
        }
        0 => 0.5,
        1 => 0.0,
        _ => return Err(call.refuse(Fault::Value, "align_mode", Some(call.value(5)), "0 or 1")),
    };
    let mut x = x.clone();
    for (axis, (&count, step)) in (2..).zip(sizes.lengths.iter().zip(&sizes.steps)) {
        let length = x.shape()[axis];
        let place = |i: usize| (i as f64 + start) * step - start;
        let taps = taps(call, count as usize, |i| linear(length, place(i)))?;
        x = resampled(call, &x, axis, &taps)?;
    }
    Ok(x)
}
