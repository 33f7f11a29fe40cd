//! Adaptive pooling.

use super::super::{DataFormat, PerAxis, downcast, invalid, upcast};
use super::first_extreme;
use crate::array::{Array, IntoOperand};
use crate::call::call_one;
use crate::function::{Body, Bound, Composition, Outputs};
use crate::functional::{Mean, Sum, Take, astype, divide, mean, reshape, sum, take, where_};
use crate::{Dims, Dtype, Result, Shape, params};
use smallvec::smallvec;

params! {
    /// Arguments of [`adaptive_avg_pool1d`], [`adaptive_avg_pool2d`] and [`adaptive_max_pool2d`].
    pub struct AdaptivePool {
        /// How many windows there are along each spatial axis; an argument of the function.
        output_size: PerAxis = PerAxis::from(1),
        /// Which axes are which; if not given as Ivy has it, channels first for [`adaptive_avg_pool1d`] and
        /// [`adaptive_max_pool2d`], and last for [`adaptive_avg_pool2d`].
        data_format: Option<DataFormat> = None,
    }
}

describe! {
    ADAPTIVE_AVG_POOL1D = "adaptive_avg_pool1d", Layer, Mixed, (input: Promoted), PromoteFloat -> [Compute],
    Bound::Sum, params: AdaptivePool::new(), example: [&[1, 3, 2]],
    Body::Compose(|call| compose(call, 1, false, DataFormat::ChannelFirst))
}
describe! {
    ADAPTIVE_AVG_POOL2D = "adaptive_avg_pool2d", Layer, Mixed, (input: Promoted), PromoteFloat -> [Compute],
    Bound::Sum, params: AdaptivePool::new(), example: [&[1, 3, 3, 2]],
    Body::Compose(|call| compose(call, 2, false, DataFormat::ChannelLast))
}
describe! {
    ADAPTIVE_MAX_POOL2D = "adaptive_max_pool2d", Layer, Mixed, (input: Promoted), Promote -> [Compute],
    Bound::Exact, params: AdaptivePool::new(), example: [&[1, 3, 3, 2]],
    Body::Compose(|call| compose(call, 2, true, DataFormat::ChannelFirst))
}

fn compose(call: &Composition<'_>, spatial: usize, greatest: bool, default: DataFormat) -> Result<Outputs> {
    let (function, p, given) = (call.function.name, call.params::<AdaptivePool>(), call.array(0));
    // Without a batch, there is one of one entry.
    let alone = given.ndim() == spatial + 1;
    let x = match alone {
        true => {
            let shape: Shape = [1].iter().chain(given.shape().iter()).copied().collect();
            reshape(given, shape, ())?
        }
        false => given.clone(),
    };
    let axes = p.data_format.unwrap_or(default).spatial_axes(function, &x, spatial, "input")?;
    let sizes = p.output_size.of(function, "output_size", spatial, 1)?;
    let mut pooled = if greatest { x } else { upcast(&x)? };
    for (&axis, &out) in axes.iter().zip(&sizes) {
        pooled = match greatest {
            true => greatest_of(function, &pooled, axis, out)?,
            false => averaged(function, &pooled, axis, out)?,
        };
    }
    if alone {
        pooled = reshape(&pooled, Shape::from(&pooled.shape()[1..]), ())?;
    }
    Ok(smallvec![downcast(pooled, call.compute)?])
}

/// The first element of window `i` of `out`, and the one after its last.
fn bounds(i: usize, out: usize, len: usize) -> (usize, usize) {
    let at = |i: usize| i as u128 * len as u128;
    ((at(i) / out as u128) as usize, at(i + 1).div_ceil(out as u128) as usize)
}

/// The elements of windows side by side: those of window `i` along a new axis after `axis`, which has as many as
/// the longest window, and how many of them there are. Those of shorter ones are followed by their last one again.
fn gathered(
    function: &'static str,
    x: &Array,
    axis: usize,
    out: usize,
) -> Result<(Array, Vec<usize>, usize)> {
    let len = x.shape()[axis];
    if len == 0 {
        let value = x.shape().to_string();
        return Err(invalid(function, "input", value, "a window has at least one element"));
    }
    let size = len / out + 2;
    Shape::from([out, size]).checked_size(function, Dtype::INT64)?;
    let windows: Vec<(usize, usize)> = (0..out).map(|i| bounds(i, out, len)).collect();
    let longest = windows.iter().map(|(begin, end)| end - begin).max().unwrap_or(1);
    let places: Vec<i64> = windows
        .iter()
        .flat_map(|&(begin, end)| (0..longest).map(move |j| (begin + j).min(end - 1) as i64))
        .collect();
    let apart = take(x, Array::from_vec(places, out * longest)?, Take::new().axis(axis as i64))?;
    let counts = windows.iter().map(|(begin, end)| end - begin).collect();
    Ok((reshape(&apart, split(x, axis, out, longest), ())?, counts, longest))
}

fn split(x: &Array, axis: usize, out: usize, size: usize) -> Shape {
    let mut shape = Dims::from_slice(x.shape());
    shape[axis] = out;
    shape.insert(axis + 1, size);
    shape.into()
}

/// The mean of each of `out` windows that cover an axis.
pub(in super::super) fn averaged(
    function: &'static str,
    x: &Array,
    axis: usize,
    out: usize,
) -> Result<Array> {
    let len = x.shape()[axis];
    let of = axis as i64 + 1;
    if out == len {
        return Ok(x.clone());
    }
    if len > 0 && len.is_multiple_of(out) {
        return mean(reshape(x, split(x, axis, out, len / out), ())?, Mean::new().axis(of));
    }
    let (apart, counts, longest) = gathered(function, x, axis, out)?;
    let shaped = |last: usize, values: Array| {
        let mut shape = Dims::from_elem(1, apart.ndim());
        (shape[axis], shape[axis + 1]) = (out, last);
        reshape(&values, Shape::from(shape), ())
    };
    let inside: Vec<bool> = counts.iter().flat_map(|&n| (0..longest).map(move |j| j < n)).collect();
    let inside = shaped(longest, Array::from_vec(inside, out * longest)?)?;
    let sums = sum(where_(&inside, &apart, 0)?, Sum::new().axis(of).keepdims())?;
    let counts: Vec<f64> = counts.iter().map(|&n| n as f64).collect();
    let counts = astype(shaped(1, Array::from_vec(counts, out)?)?, x.dtype().real_part())?;
    let means = divide(&sums, &counts)?;
    let mut shape = Dims::from_slice(x.shape());
    shape[axis] = out;
    reshape(&means, Shape::from(shape), ())
}

fn greatest_of(function: &'static str, x: &Array, axis: usize, out: usize) -> Result<Array> {
    if out == x.shape()[axis] {
        return Ok(x.clone());
    }
    let (apart, ..) = gathered(function, x, axis, out)?;
    first_extreme::along(function, &apart, axis + 1, true)
}

macro_rules! pools {
    ($($(#[$doc:meta])* $name:ident = $function:ident;)*) => {
        $(
            $(#[$doc])*
            ///
            /// # Errors
            /// [`ShapeMismatch`](crate::ErrorKind::ShapeMismatch) for another number of axes;
            /// [`InvalidArgument`](crate::ErrorKind::InvalidArgument) for no windows, a number of lengths that is
            /// not that of the spatial axes, a data format of another number of these, and an axis without elements.
            pub fn $name<'a>(
                input: impl IntoOperand<'a>,
                output_size: impl Into<PerAxis>,
                params: impl Into<AdaptivePool>,
            ) -> Result<Array> {
                let params = AdaptivePool { output_size: output_size.into(), ..params.into() };
                call_one(&$function, &[input.into_operand()], &params)
            }
        )*
    };
}
pools! {
    /// 1-D adaptive average pooling over `output_size` windows that cover an axis of length `n`: window `i` is from
    /// `floor(i n / size)` to before `ceil((i + 1) n / size)`. The input is `[n, c, w]`, or `[n, w, c]` with
    /// [`DataFormat::Nwc`]; the batch may be absent.
    ///
    /// ```
    /// use ivy::prelude::*;
    /// let x = Array::try_from([[[1.0f32, 2.0, 6.0]]])?;
    /// assert_eq!(ivy::adaptive_avg_pool1d(&x, 2, ())?.to_vec::<f32>()?, [1.5, 4.0]);
    /// # Ok::<(), ivy::Error>(())
    /// ```
    adaptive_avg_pool1d = ADAPTIVE_AVG_POOL1D;
    /// 2-D adaptive average pooling over windows that cover two axes, as [`adaptive_avg_pool1d`]: the input is
    /// `[n, h, w, c]`, or `[n, c, h, w]` with [`DataFormat::Nchw`].
    ///
    /// ```
    /// use ivy::{AdaptivePool, DataFormat, prelude::*};
    /// let x = Array::from_vec((0..16).map(|i| i as f32).collect(), [1, 1, 4, 4])?;
    /// let format = AdaptivePool::new().data_format(DataFormat::Nchw);
    /// let y = ivy::adaptive_avg_pool2d(&x, [2, 1], format)?;
    /// assert_eq!(y.to_vec::<f32>()?, [3.5, 11.5]);
    /// # Ok::<(), ivy::Error>(())
    /// ```
    adaptive_avg_pool2d = ADAPTIVE_AVG_POOL2D;
    /// 2-D adaptive max pooling over windows that cover two axes, those of [`adaptive_avg_pool2d`]; the input is
    /// `[n, c, h, w]`, or `[n, h, w, c]` with [`DataFormat::Nhwc`].
    ///
    /// ```
    /// use ivy::prelude::*;
    /// let x = Array::from_vec((0..9).collect::<Vec<i32>>(), [1, 1, 3, 3])?;
    /// assert_eq!(ivy::adaptive_max_pool2d(&x, 2, ())?.to_vec::<i32>()?, [4, 5, 7, 8]);
    /// # Ok::<(), ivy::Error>(())
    /// ```
    adaptive_max_pool2d = ADAPTIVE_MAX_POOL2D;
}
