//! Pixel and channel shuffles, and gated linear units.

use super::{invalid, mismatch, ordered};
use crate::array::{Array, IntoOperand};
use crate::call::call_one;
use crate::function::{Body, Bound, Composition, Outputs};
use crate::functional::nn::activations::sigmoid;
use crate::functional::nn::{downcast, upcast};
use crate::functional::{multiply, reshape};
use crate::{Dims, Result, Shape, params, shape};
use smallvec::smallvec;

params! {
    /// Arguments of [`pixel_shuffle`] and [`pixel_unshuffle`].
    pub struct PixelShuffle {
        /// How many pixels a channel becomes along each of the two axes; an argument of the function.
        factor: usize = 1usize,
    }
}
/// Arguments of [`pixel_unshuffle`], the same as of [`pixel_shuffle`].
pub type PixelUnshuffle = PixelShuffle;

params! {
    /// Arguments of [`channel_shuffle`].
    pub struct ChannelShuffle {
        /// How many groups there are; an argument of the function.
        groups: usize = 1usize,
    }
}

params! {
    /// Keyword arguments of [`glu`].
    pub struct Glu {
        /// The axis whose halves are taken.
        axis: i64 = -1,
    }
}

describe! {
    PIXEL_SHUFFLE = "pixel_shuffle", Layer, Compositional, (x: Kept), LikeOperand -> [Compute],
    Bound::Exact, params: PixelShuffle::new(), example: [&[1, 4, 2, 3]], Body::Compose(|call| moved(call, true))
}

describe! {
    PIXEL_UNSHUFFLE = "pixel_unshuffle", Layer, Compositional, (x: Kept), LikeOperand -> [Compute],
    Bound::Exact, params: PixelUnshuffle::new(), example: [&[1, 1, 2, 4]], Body::Compose(|call| moved(call, false))
}

fn moved(call: &Composition<'_>, out: bool) -> Result<Outputs> {
    let (function, x) = (call.function.name, call.array(0));
    let r = call.params::<PixelShuffle>().factor;
    let n = x.ndim();
    if n < 3 {
        return Err(mismatch(function, "x", "channels, rows and columns".into(), x));
    }
    let lead = n - 3;
    let [c, h, w] = [x.shape()[lead], x.shape()[lead + 1], x.shape()[lead + 2]];
    let area = r.checked_mul(r).filter(|&a| a > 0);
    let fits = |area: usize| if out { c % area == 0 } else { h % r == 0 && w % r == 0 };
    let Some(area) = area.filter(|&area| fits(area)) else {
        let (value, rule) = (
            format!("{r} for {}", x.shape()),
            match out {
                true => "1 or more, whose square divides the number of channels",
                false => "1 or more, which divides rows and columns",
            },
        );
        return Err(invalid(function, "factor", value, rule));
    };
    let (apart, order, to): ([usize; 5], [usize; 5], [usize; 3]) = match out {
        true => ([c / area, r, r, h, w], [0, 3, 1, 4, 2], [c / area, h * r, w * r]),
        false => ([c, h / r, r, w / r, r], [0, 2, 4, 1, 3], [c * area, h / r, w / r]),
    };
    let with = |axes: &[usize]| -> Shape { x.shape()[..lead].iter().chain(axes).copied().collect() };
    let order: Dims = (0..lead).chain(order.into_iter().map(|a| a + lead)).collect();
    let y = ordered(&reshape(x, with(&apart), ())?, &order)?;
    Ok(smallvec![reshape(y, with(&to), ())?])
}

/// Pixel shuffle (depth to space): an array `[..., c r^2, h, w]` becomes `[..., c, h r, w r]`, where the `r^2` channels
/// of each new one are the pixels of a square of `r` rows and columns, in row-major order.
///
/// ```
/// use ivy::prelude::*;
/// let x = ivy::reshape(ivy::arange(4, ())?, [4, 1, 1], ())?;
/// let y = ivy::pixel_shuffle(&x, 2)?;
/// assert_eq!(y.shape().to_vec(), [1, 2, 2]);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// [`ShapeMismatch`](crate::ErrorKind::ShapeMismatch) for fewer than three axes;
/// [`InvalidArgument`](crate::ErrorKind::InvalidArgument) for a factor of 0 or one whose square does not divide the
/// number of channels.
pub fn pixel_shuffle<'a>(x: impl IntoOperand<'a>, upscale_factor: usize) -> Result<Array> {
    call_one(&PIXEL_SHUFFLE, &[x.into_operand()], &PixelShuffle::new().factor(upscale_factor))
}

/// Pixel unshuffle (space to depth), the inverse of [`pixel_shuffle`]: an array `[..., c, h r, w r]` becomes
/// `[..., c r^2, h, w]`.
///
/// ```
/// use ivy::prelude::*;
/// let x = Array::try_from([[[1i32, 2], [3, 4]]])?;
/// let y = ivy::pixel_unshuffle(&x, 2)?;
/// assert_eq!((y.shape().to_vec(), y.to_vec::<i32>()?), (vec![4, 1, 1], vec![1, 2, 3, 4]));
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// [`ShapeMismatch`](crate::ErrorKind::ShapeMismatch) for fewer than three axes;
/// [`InvalidArgument`](crate::ErrorKind::InvalidArgument) for a factor that does not divide rows and columns.
pub fn pixel_unshuffle<'a>(x: impl IntoOperand<'a>, downscale_factor: usize) -> Result<Array> {
    call_one(&PIXEL_UNSHUFFLE, &[x.into_operand()], &PixelUnshuffle::new().factor(downscale_factor))
}

describe! {
    CHANNEL_SHUFFLE = "channel_shuffle", Layer, Compositional, (x: Kept), LikeOperand -> [Compute],
    Bound::Exact, params: ChannelShuffle::new(), example: [&[1, 4, 2]], Body::Compose(compose_channels)
}

fn compose_channels(call: &Composition<'_>) -> Result<Outputs> {
    let (function, x) = (call.function.name, call.array(0));
    let groups = call.params::<ChannelShuffle>().groups;
    if x.ndim() < 2 {
        return Err(mismatch(function, "x", "a batch and channels, at least".into(), x));
    }
    let c = x.shape()[1];
    if groups == 0 || c % groups != 0 {
        let value = format!("{groups} for {c} channels");
        return Err(invalid(function, "groups", value, "a number that divides that of the channels"));
    }
    let behind = &x.shape()[2..];
    let apart: Shape = [x.shape()[0], groups, c / groups].iter().chain(behind).copied().collect();
    let order: Dims = [0, 2, 1].into_iter().chain(3..behind.len() + 3).collect();
    let y = ordered(&reshape(x, apart, ())?, &order)?;
    Ok(smallvec![reshape(y, x.shape(), ())?])
}

/// Channel shuffle: the channels of an array `[n, c, ...]`, which stand in so many groups one behind the other, in
/// another order: the first of each group, then the second of each, and so on.
///
/// ```
/// use ivy::prelude::*;
/// let x = Array::try_from([[1i32, 2, 3, 4, 5, 6]])?;
/// assert_eq!(ivy::channel_shuffle(&x, 2)?.to_vec::<i32>()?, [1, 4, 2, 5, 3, 6]);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// [`ShapeMismatch`](crate::ErrorKind::ShapeMismatch) for fewer than two axes;
/// [`InvalidArgument`](crate::ErrorKind::InvalidArgument) for a number that does not divide that of the channels.
pub fn channel_shuffle<'a>(x: impl IntoOperand<'a>, groups: usize) -> Result<Array> {
    call_one(&CHANNEL_SHUFFLE, &[x.into_operand()], &ChannelShuffle::new().groups(groups))
}

describe! {
    GLU = "glu", Activation, Mixed, (x: Promoted), PromoteFloat -> [Compute],
    Bound::Composed(16.0), params: Glu::new(), example: [&[4]], Body::Compose(compose_glu)
}

fn compose_glu(call: &Composition<'_>) -> Result<Outputs> {
    let (function, x) = (call.function.name, upcast(call.array(0))?);
    let axis = shape::normalize_axis(function, call.params::<Glu>().axis, x.ndim())?;
    let len = x.shape()[axis];
    if len % 2 != 0 {
        return Err(mismatch(function, "x", format!("an even length of axis {axis}"), &x));
    }
    let half = |start: usize| {
        crate::functional::manipulation::slice_along(
            function,
            &x,
            axis,
            if len == 0 { 0 } else { start },
            1,
            len / 2,
        )
    };
    let y = multiply(half(0)?, sigmoid(half(len / 2)?, ())?)?;
    Ok(smallvec![downcast(y, call.compute)?])
}

/// Gated linear unit: the first half of an axis multiplied by the [`sigmoid`] of the second one.
///
/// ```
/// use ivy::prelude::*;
/// assert_eq!(ivy::glu(&Array::try_from([2.0f32, -4.0, 0.0, 0.0])?, ())?.to_vec::<f32>()?, [1.0, -2.0]);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// [`AxisOutOfRange`](crate::ErrorKind::AxisOutOfRange), also for an array without axes;
/// [`ShapeMismatch`](crate::ErrorKind::ShapeMismatch) for an odd length;
/// [`OutsideDomain`](crate::ErrorKind::OutsideDomain) for complex numbers.
pub fn glu<'a>(x: impl IntoOperand<'a>, params: impl Into<Glu>) -> Result<Array> {
    call_one(&GLU, &[x.into_operand()], &params.into())
}
