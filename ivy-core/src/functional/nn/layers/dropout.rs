//! Dropout.

use super::{DataFormat, downcast, invalid, mismatch, upcast};
use crate::array::IntoOperand;
use crate::call::call_one;
use crate::function::{Body, Bound, Coefficient, Composition, Outputs};
use crate::functional::random::bits::Draw;
use crate::functional::{Seed, astype, divide, greater_equal, multiply, round, where_, zeros};
use crate::{Array, Dtype, ErrorKind, Result, Scalar, Shape, params, shape};
use smallvec::smallvec;

/// Refuses what is no probability.
pub(super) fn check_probability(function: &'static str, argument: &'static str, p: f64) -> Result<()> {
    match (0.0..=1.0).contains(&p) {
        true => Ok(()),
        false => Err(invalid(function, argument, p.to_string(), "a probability is from 0 to 1")),
    }
}

/// The array with zeros in place of elements, each with probability `p`: those of the shape, to which the array
/// broadcasts or which broadcasts to it. What stays is divided by `1 - p` where `scale` says so.
///
/// An element stays if a word of 32 bits is at least `p 2^32`, rounded: the probability is within 2^-33.
pub(super) fn thinned(
    draw: &mut Draw,
    x: &Array,
    p: &Coefficient,
    shape: &Shape,
    scale: bool,
) -> Result<Array> {
    const WORDS: f64 = (1u64 << 32) as f64;
    let Some(p) = p.constant() else {
        shape.checked_size(draw.function, Dtype::FLOAT64)?;
        let words = astype(draw.bits(shape, Dtype::UINT32)?, Dtype::FLOAT64)?;
        let least = round(multiply(p.like(&words)?, WORDS)?)?;
        let stays = greater_equal(words, least)?;
        // Where nothing stays, at 1, the divisor has no part in the derivative.
        let divisor = where_(&stays, p.rest()?.like(x)?, 1.0)?;
        let kept = if scale { divide(x, divisor)? } else { x.clone() };
        return where_(stays, kept, 0.0);
    };
    let least = (p * WORDS).round() as u64;
    if least == 0 {
        return Ok(x.clone());
    }
    if least > u64::from(u32::MAX) {
        return zeros(shape::broadcast(draw.function, &[&x.shape()[..], &shape[..]])?, x.dtype());
    }
    shape.checked_size(draw.function, Dtype::UINT32)?;
    let stays = greater_equal(draw.bits(shape, Dtype::UINT32)?, Scalar::Int(least.into()))?;
    let kept = if scale { multiply(x, 1.0 / (1.0 - p))? } else { x.clone() };
    where_(stays, kept, 0.0)
}

params! {
    /// Keyword arguments of [`dropout`].
    pub struct Dropout {
        /// How likely an element is left out. A derivative by it is that of `1 / (1 - prob)`, with the elements that stay.
        prob: Coefficient = Coefficient::Number(0.5),
        /// What stays is divided by `1 - prob`, so that the mean stays as well.
        scale: bool = true,
        /// A float dtype; that of the array if not given.
        dtype: Option<Dtype> = None,
        /// Whether this is training, without which nothing is left out.
        training: bool = true,
        /// Makes the call reproducible.
        seed: Option<Seed> = None,
        /// A shape that broadcasts to that of the array: elements along an axis of length 1 go together.
        noise_shape: Option<Shape> = None,
    }
}

describe! {
    DROPOUT = "dropout", Layer, Compositional, (x: Promoted), PromoteFloat -> [Compute],
    Bound::Composed(2.0), params: Dropout::new(), example: [&[2]], Body::Compose(compose)
}

fn compose(call: &Composition<'_>) -> Result<Outputs> {
    let (function, p, x) = (call.function.name, call.params::<Dropout>(), call.array(0));
    p.prob.check_share(function, "prob", 1.0, "a probability is from 0 to 1")?;
    if let Some(dtype) = p.dtype.filter(|d| !d.is_float()) {
        return Err(invalid(function, "dtype", dtype.to_string(), "a float dtype"));
    }
    let noise = p.noise_shape.as_ref().unwrap_or(x.shape());
    if noise.len() > x.ndim()
        || shape::broadcast(function, &[&noise[..], &x.shape()[..]]).ok().as_ref() != Some(x.shape())
    {
        let (expected, actual) = (format!("one that broadcasts to {}", x.shape()), noise.clone());
        let argument = "noise_shape";
        return Err(ErrorKind::ShapeMismatch { function, argument, expected, actual }.into());
    }
    if !p.training {
        return Ok(smallvec![x.clone()]);
    }
    let mut draw = Draw::new(call, p.seed)?;
    let y = thinned(&mut draw, &upcast(x)?, &p.prob, noise, p.scale)?;
    Ok(smallvec![downcast(y, call.compute)?])
}

/// Dropout: the array with zeros in place of elements that are chosen at random, each with probability `prob` (within
/// 2^-33) and independently of the others: `x / (1 - prob)` elsewhere, or `x` without `scale`. Its derivative is that
/// of the elements that stay. float16 and bfloat16 are computed in float32. In a function that is mapped by
/// [`vmap`](crate::functional::vmap), each entry has elements of its own left out, unless there is a `seed`.
///
/// ```
/// use ivy::{Dropout, prelude::*};
/// let x = ivy::ones([1000], ())?;
/// let y = ivy::dropout(&x, 0.25, Dropout::new().seed(1))?;
/// assert!((ivy::mean(&y, ())?.item::<f32>()? - 1.0).abs() < 0.1);
/// let rows = ivy::dropout(ivy::ones([4, 3], ())?, 0.5, Dropout::new().seed(1).noise_shape([4, 1]))?;
/// assert!(rows.to_vec::<f32>()?.chunks(3).all(|row| row == [0.0; 3] || row == [2.0; 3]));
/// assert_eq!(ivy::dropout(&x, 0.25, Dropout::new().training(false))?.to_vec::<f32>()?, [1.0; 1000]);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// [`InvalidArgument`](crate::ErrorKind::InvalidArgument) for what is no probability and for a dtype that is no float;
/// [`ShapeMismatch`](crate::ErrorKind::ShapeMismatch) for a `noise_shape` that does not broadcast to the array's shape;
/// [`OutsideDomain`](crate::ErrorKind::OutsideDomain) for complex numbers.
pub fn dropout<'a>(
    x: impl IntoOperand<'a>,
    prob: impl Into<Coefficient>,
    params: impl Into<Dropout>,
) -> Result<Array> {
    call_one(&DROPOUT, &[x.into_operand()], &Dropout { prob: prob.into(), ..params.into() })
}

params! {
    /// Keyword arguments of [`dropout1d`], [`dropout2d`] and [`dropout3d`].
    pub struct ChannelDropout {
        /// How likely a channel is left out.
        prob: f64 = 0.5,
        /// Whether this is training, without which nothing is left out.
        training: bool = true,
        /// Where the channels stand.
        data_format: DataFormat = DataFormat::ChannelLast,
        /// Makes the call reproducible.
        seed: Option<Seed> = None,
    }
}

fn compose_channels(call: &Composition<'_>, spatial: usize) -> Result<Outputs> {
    let (function, p, x) = (call.function.name, call.params::<ChannelDropout>(), call.array(0));
    check_probability(function, "prob", p.prob)?;
    let first = p.data_format.is_first(function, spatial)?;
    let Some(batch) = x.ndim().checked_sub(spatial + 1).filter(|&batch| batch <= 1) else {
        return Err(mismatch(function, "x", format!("{} or {} axes", spatial + 1, spatial + 2), x));
    };
    if !p.training {
        return Ok(smallvec![x.clone()]);
    }
    let channels = if first { batch } else { x.ndim() - 1 };
    let lengths = x.shape().iter().enumerate();
    let noise: Shape = lengths.map(|(i, &n)| if i < batch || i == channels { n } else { 1 }).collect();
    let mut draw = Draw::new(call, p.seed)?;
    let y = thinned(&mut draw, &upcast(x)?, &p.prob.into(), &noise, true)?;
    Ok(smallvec![downcast(y, call.compute)?])
}

macro_rules! channel_dropout {
    ($($(#[$doc:meta])* $name:ident = $description:ident: $spatial:literal, $example:expr;)*) => {
        $(
            describe! {
                $description = stringify!($name), Layer, Compositional, (x: Promoted), PromoteFloat -> [Compute],
                Bound::Composed(2.0), params: ChannelDropout::new(), example: [$example],
                Body::Compose(|call| compose_channels(call, $spatial))
            }

            $(#[$doc])*
            ///
            /// # Errors
            /// [`InvalidArgument`](crate::ErrorKind::InvalidArgument) for what is no probability and for a format
            /// with another number of spatial axes; [`ShapeMismatch`](crate::ErrorKind::ShapeMismatch) for an array
            /// with another number of axes; [`OutsideDomain`](crate::ErrorKind::OutsideDomain) for complex numbers.
            pub fn $name<'a>(
                x: impl IntoOperand<'a>,
                prob: f64,
                params: impl Into<ChannelDropout>,
            ) -> Result<Array> {
                call_one(&$description, &[x.into_operand()], &ChannelDropout { prob, ..params.into() })
            }
        )*
    };
}

channel_dropout! {
    /// 1-D channel dropout: the array with zeros in place of whole channels, each with probability `prob`, and
    /// `x / (1 - prob)` elsewhere. The array is `[n, w, c]` or `[w, c]`; `[n, c, w]` or `[c, w]` where channels come
    /// first.
    ///
    /// ```
    /// use ivy::{ChannelDropout, prelude::*};
    /// let y = ivy::dropout1d(ivy::ones([5, 1], ())?, 0.5, ChannelDropout::new().seed(3))?.to_vec::<f32>()?;
    /// assert!(y == [0.0; 5] || y == [2.0; 5]);
    /// # Ok::<(), ivy::Error>(())
    /// ```
    dropout1d = DROPOUT1D: 1, &[2, 2];
    /// 2-D channel dropout: the array with zeros in place of whole channels, each with probability `prob`, and
    /// `x / (1 - prob)` elsewhere. The array is `[n, h, w, c]` or `[h, w, c]`; channels stand before the spatial axes
    /// where they come first.
    ///
    /// ```
    /// use ivy::prelude::*;
    /// let y = ivy::dropout2d(ivy::ones([2, 2, 3], ())?, 1.0, ())?;
    /// assert_eq!(y.to_vec::<f32>()?, [0.0; 12]);
    /// # Ok::<(), ivy::Error>(())
    /// ```
    dropout2d = DROPOUT2D: 2, &[2, 2, 2];
    /// 3-D channel dropout: the array with zeros in place of whole channels, each with probability `prob`, and
    /// `x / (1 - prob)` elsewhere. The array is `[n, d, h, w, c]` or `[d, h, w, c]`; channels stand before the spatial
    /// axes where they come first.
    ///
    /// ```
    /// use ivy::{ChannelDropout, prelude::*};
    /// let x = ivy::ones([1, 2, 2, 3], ())?;
    /// let y = ivy::dropout3d(&x, 0.5, ChannelDropout::new().training(false))?;
    /// assert_eq!(y.to_vec::<f32>()?, [1.0; 12]);
    /// # Ok::<(), ivy::Error>(())
    /// ```
    dropout3d = DROPOUT3D: 3, &[1, 2, 2, 2];
}
