//! 1-D to 3-D convolutions, and the general one.

use super::spatial_axes::Span;
use super::{DataFormat, FilterFormat, Padding, PerAxis, invalid, mismatch, ordered};
use crate::array::{Array, IntoOperand, Operand};
use crate::call::call_one;
use crate::function::{Body, Bound, Composition, Outputs};
use crate::functional::{add, permute_dims, reshape};
use crate::{ConvOp, Dims, Op, Result, Shape, params, primitive};
use smallvec::smallvec;
use std::mem;

params! {
    /// Arguments of [`conv1d`], [`conv2d`] and [`conv3d`].
    pub struct Conv {
        /// How far the window moves; an argument of the function.
        strides: PerAxis = PerAxis::from(1),
        /// What stands around the spatial axes; an argument of the function.
        padding: Padding = Padding::Valid,
        /// Which axes of `x` and of the result are which.
        data_format: DataFormat = DataFormat::ChannelLast,
        /// Which axes of the filters are which.
        filter_format: FilterFormat = FilterFormat::ChannelLast,
        /// How far neighbours of `x` stand from each other; zeros lie between them.
        x_dilations: PerAxis = PerAxis::from(1),
        /// How far neighbours of the window stand from each other.
        dilations: PerAxis = PerAxis::from(1),
        /// A number for each output channel that is added.
        operand bias,
    }
}

params! {
    /// Arguments of [`conv_general_dilated`].
    pub struct ConvGeneral {
        /// How far the window moves; an argument of the function.
        strides: PerAxis = PerAxis::from(1),
        /// What stands around the spatial axes; an argument of the function.
        padding: Padding = Padding::Valid,
        /// How many spatial axes there are: 1, 2 or 3.
        dims: usize = 2usize,
        /// Which axes of `x` and of the result are which.
        data_format: DataFormat = DataFormat::ChannelLast,
        /// Which axes of the filters are which.
        filter_format: FilterFormat = FilterFormat::ChannelLast,
        /// Groups of channels: each group of output channels sees its own group of input channels.
        feature_group_count: usize = 1usize,
        /// How far neighbours of `x` stand from each other; zeros lie between them.
        x_dilations: PerAxis = PerAxis::from(1),
        /// How far neighbours of the window stand from each other.
        dilations: PerAxis = PerAxis::from(1),
        /// A number for each output channel that is added.
        operand bias,
    }
}

params! {
    /// Arguments of [`depthwise_conv2d`].
    pub struct DepthwiseConv {
        /// How far the window moves; an argument of the function.
        strides: PerAxis = PerAxis::from(1),
        /// What stands around the spatial axes; an argument of the function.
        padding: Padding = Padding::Valid,
        /// Which axes of `x` and of the result are which.
        data_format: DataFormat = DataFormat::ChannelLast,
        /// How far neighbours of the window stand from each other.
        dilations: PerAxis = PerAxis::from(1),
    }
}

describe! {
    CONV1D = "conv1d", Layer, Mixed, (x: Promoted, filters: Promoted, bias: Promoted optional), Promote -> [Compute],
    Bound::Matmul, params: Conv::new(), example: [&[1, 3, 2], &[2, 2, 1], &[1]],
    Body::Compose(|call| compose(call, 1))
}
describe! {
    CONV2D = "conv2d", Layer, Mixed, (x: Promoted, filters: Promoted, bias: Promoted optional), Promote -> [Compute],
    Bound::Matmul, params: Conv::new(), example: [&[1, 3, 3, 2], &[2, 2, 2, 1], &[1]],
    Body::Compose(|call| compose(call, 2))
}
describe! {
    CONV3D = "conv3d", Layer, Mixed, (x: Promoted, filters: Promoted, bias: Promoted optional), Promote -> [Compute],
    Bound::Matmul, params: Conv::new(), example: [&[1, 3, 3, 3, 2], &[2, 2, 2, 2, 1], &[1]],
    Body::Compose(|call| compose(call, 3))
}
describe! {
    CONV_GENERAL_DILATED = "conv_general_dilated", Layer, Mixed,
    (x: Promoted, filters: Promoted, bias: Promoted optional), Promote -> [Compute],
    Bound::Matmul, params: ConvGeneral::new(), example: [&[1, 3, 3, 2], &[2, 2, 2, 1], &[1]],
    Body::Compose(compose_general)
}
describe! {
    DEPTHWISE_CONV2D = "depthwise_conv2d", Layer, Mixed, (x: Promoted, filters: Promoted), Promote -> [Compute],
    Bound::Matmul, params: DepthwiseConv::new(), example: [&[1, 3, 3, 2], &[2, 2, 2]],
    Body::Compose(compose_depthwise)
}

/// A number of spatial axes that functions take.
pub(super) fn check_dims(function: &'static str, dims: usize) -> Result<usize> {
    match dims {
        1..=3 => Ok(dims),
        _ => Err(invalid(function, "dims", dims.to_string(), "1, 2 or 3 spatial axes")),
    }
}

fn compose(call: &Composition<'_>, spatial: usize) -> Result<Outputs> {
    let Conv { strides, padding, data_format, filter_format, x_dilations, dilations, .. } =
        call.params::<Conv>();
    let job = Job {
        function: call.function.name,
        spatial,
        strides,
        padding,
        data_format: *data_format,
        x_dilations,
        dilations,
        groups: 1,
    };
    let filters = job.filters(call.array(1), *filter_format)?;
    job.run(call.array(0), &filters, call.arrays[2].as_ref())
}

fn compose_general(call: &Composition<'_>) -> Result<Outputs> {
    let ConvGeneral { strides, padding, data_format, filter_format, x_dilations, dilations, .. } =
        call.params::<ConvGeneral>();
    let params = call.params::<ConvGeneral>();
    let job = Job {
        function: call.function.name,
        spatial: check_dims(call.function.name, params.dims)?,
        strides,
        padding,
        data_format: *data_format,
        x_dilations,
        dilations,
        groups: params.feature_group_count,
    };
    let filters = job.filters(call.array(1), *filter_format)?;
    job.run(call.array(0), &filters, call.arrays[2].as_ref())
}

fn compose_depthwise(call: &Composition<'_>) -> Result<Outputs> {
    let DepthwiseConv { strides, padding, data_format, dilations } = call.params::<DepthwiseConv>();
    let (filters, one) = (call.array(1), PerAxis::from(1));
    let &[height, width, channels] = &filters.shape()[..] else {
        return Err(mismatch(call.function.name, "filters", "3 axes".into(), filters));
    };
    let job = Job {
        function: call.function.name,
        spatial: 2,
        strides,
        padding,
        data_format: *data_format,
        x_dilations: &one,
        dilations,
        groups: channels.max(1),
    };
    // Each channel is a group of one, with a window of its own.
    let filters = reshape(permute_dims(filters, [2, 0, 1])?, Shape::from([channels, 1, height, width]), ())?;
    let filters =
        if channels == 0 { reshape(&filters, Shape::from([0, 0, height, width]), ())? } else { filters };
    job.run(call.array(0), &filters, None)
}

/// The arguments of a convolution.
struct Job<'a> {
    function: &'static str,
    spatial: usize,
    strides: &'a PerAxis,
    padding: &'a Padding,
    data_format: DataFormat,
    x_dilations: &'a PerAxis,
    dilations: &'a PerAxis,
    groups: usize,
}

impl Job<'_> {
    /// Filters with the output channels first, then the input channels, then the window.
    fn filters(&self, filters: &Array, format: FilterFormat) -> Result<Array> {
        let n = self.spatial + 2;
        if filters.ndim() != n {
            return Err(mismatch(self.function, "filters", format!("{n} axes"), filters));
        }
        match format {
            FilterFormat::ChannelFirst => Ok(filters.clone()),
            FilterFormat::ChannelLast => {
                ordered(filters, &[n - 1, n - 2].into_iter().chain(0..n - 2).collect::<Dims>())
            }
        }
    }

    fn run(&self, x: &Array, filters: &Array, bias: Option<&Array>) -> Result<Outputs> {
        let (function, spatial) = (self.function, self.spatial);
        let axes = self.data_format.spatial_axes(function, x, spatial, "x")?;
        let strides = self.strides.of(function, "strides", spatial, 1)?;
        let input_dilation = self.x_dilations.of(function, "x_dilations", spatial, 1)?;
        let window_dilation = self.dilations.of(function, "dilations", spatial, 1)?;
        let span = |i: usize| Span {
            len: Span::dilated(x.shape()[axes[i]], input_dilation[i]),
            window: Span::dilated(filters.shape()[i + 2], window_dilation[i]),
            stride: strides[i],
        };
        let spans: Dims<Span> = (0..spatial).map(span).collect();
        let padding = self.padding.of(function, &spans)?;
        let conv = ConvOp {
            strides,
            padding,
            input_dilation,
            window_dilation,
            groups: self.groups,
            batch_groups: 1,
        };
        let (to, back) = self.data_format.orders(function, spatial)?;
        let x = ordered(x, &to)?;
        let out = conv.out_shape(function, x.shape(), filters.shape())?;
        out.checked_size(function, x.dtype())?;
        finished(function, &conv, &x, filters, bias, &back)
    }
}

/// The convolution of an input with its channels before its spatial axes, in the order `back`, and its bias.
pub(super) fn finished(
    function: &'static str,
    conv: &ConvOp,
    x: &Array,
    filters: &Array,
    bias: Option<&Array>,
    back: &[usize],
) -> Result<Outputs> {
    let channels = filters.shape()[0];
    if let Some(bias) = bias.filter(|b| b.shape()[..] != [channels]) {
        return Err(mismatch(function, "bias", format!("({channels},)"), bias));
    }
    let y = primitive::run(function, &Op::Conv(conv.clone()), &[x, filters])?;
    let Some(bias) = bias else { return Ok(smallvec![ordered(&y, back)?]) };
    let mut shape = Dims::from_elem(1, y.ndim());
    shape[1] = channels;
    Ok(smallvec![ordered(&add(&y, reshape(bias, Shape::from(shape), ())?)?, back)?])
}

macro_rules! convolutions {
    ($($(#[$doc:meta])* $name:ident = $function:ident, $params:ident;)*) => {
        $(
            $(#[$doc])*
            ///
            /// # Errors
            /// [`ShapeMismatch`](crate::ErrorKind::ShapeMismatch) for another number of axes or of channels;
            /// [`InvalidArgument`](crate::ErrorKind::InvalidArgument) for a stride or dilation of 0, a number of
            /// them or of pairs that is not that of the spatial axes, a data format of another number of these,
            /// groups that do not divide, and a window that is larger than the padded input;
            /// [`OutsideDomain`](crate::ErrorKind::OutsideDomain) for bool.
            pub fn $name<'a, 'b>(
                x: impl IntoOperand<'a>,
                filters: impl IntoOperand<'b>,
                strides: impl Into<PerAxis>,
                padding: impl Into<Padding>,
                params: impl Into<$params>,
            ) -> Result<Array> {
                let mut params =
                    $params { strides: strides.into(), padding: padding.into(), ..params.into() };
                let bias = mem::replace(&mut params.bias, Operand::Absent);
                call_one(&$function, &[x.into_operand(), filters.into_operand(), bias], &params)
            }
        )*
    };
}
convolutions! {
    /// 1-D convolution along one axis: sums of `filters[t, i, o] * x[n, p * stride + t * dilation, i]` over the
    /// window's places `t` and the input channels `i`. The window is not reversed (cross-correlation). `x` is `[n, w, i]`, the filters
    /// are `[window, i, o]` and the result is `[n, w', o]`; with [`DataFormat::Ncw`] `[n, i, w]` and `[n, o, w']`, with
    /// [`FilterFormat::ChannelFirst`] `[o, i, window]`. float16 and bfloat16 accumulate in float32, integers wrap.
    ///
    /// ```
    /// use ivy::{Conv, DataFormat, Padding, prelude::*};
    /// let x = Array::try_from([[[1.0f32], [2.0], [4.0]]])?;
    /// let filters = Array::try_from([[[1.0f32]], [[10.0]]])?;
    /// let y = ivy::conv1d(&x, &filters, 1, Padding::Valid, ())?;
    /// assert_eq!((y.shape().to_string(), y.to_vec::<f32>()?), ("(1, 2, 1)".into(), vec![21.0, 42.0]));
    /// let same = ivy::conv1d(&x, &filters, 1, Padding::Same, Conv::new().bias(Array::try_from([0.5f32])?))?;
    /// assert_eq!(same.to_vec::<f32>()?, [21.5, 42.5, 4.5]);
    /// # Ok::<(), ivy::Error>(())
    /// ```
    conv1d = CONV1D, Conv;
    /// 2-D convolution along two axes, as [`conv1d`]: `x` is `[n, h, w, i]`, the filters are `[height, width, i, o]`
    /// and the result is `[n, h', w', o]`; with [`DataFormat::Nchw`] `[n, i, h, w]` and `[n, o, h', w']`, with
    /// [`FilterFormat::ChannelFirst`] `[o, i, height, width]`.
    ///
    /// ```
    /// use ivy::{Conv, DataFormat, FilterFormat, prelude::*};
    /// let image = Array::from_vec((0..9).map(|i| i as f32).collect(), [1, 1, 3, 3])?;
    /// let blur = ivy::ones([1, 1, 2, 2], Dtype::FLOAT32)?;
    /// let formats = Conv::new().data_format(DataFormat::Nchw).filter_format(FilterFormat::ChannelFirst);
    /// let y = ivy::conv2d(&image, &blur, 1, [(0, 0), (0, 0)], formats)?;
    /// assert_eq!(y.to_vec::<f32>()?, [8.0, 12.0, 20.0, 24.0]);
    /// # Ok::<(), ivy::Error>(())
    /// ```
    conv2d = CONV2D, Conv;
    /// 3-D convolution along three axes, as [`conv1d`]: `x` is `[n, d, h, w, i]`, the filters are
    /// `[depth, height, width, i, o]`; with [`DataFormat::Ncdhw`] `[n, i, d, h, w]`, with
    /// [`FilterFormat::ChannelFirst`] `[o, i, depth, height, width]`.
    ///
    /// ```
    /// use ivy::{Padding, prelude::*};
    /// let x = ivy::ones([1, 2, 2, 2, 3], Dtype::FLOAT32)?;
    /// let y = ivy::conv3d(&x, ivy::ones([2, 2, 2, 3, 1], Dtype::FLOAT32)?, 1, Padding::Valid, ())?;
    /// assert_eq!((y.ndim(), y.to_vec::<f32>()?), (5, vec![24.0]));
    /// # Ok::<(), ivy::Error>(())
    /// ```
    conv3d = CONV3D, Conv;
    /// Grouped and dilated convolution over `dims` spatial axes, as [`conv1d`]: the filters have `i / groups` input
    /// channels, and each group of output channels sees its own group of the input's.
    ///
    /// ```
    /// use ivy::{ConvGeneral, Padding, prelude::*};
    /// let x = Array::try_from([[[1.0f32, 2.0], [3.0, 4.0]]])?;
    /// let filters = Array::try_from([[[10.0f32, 100.0]]])?;
    /// let groups = ConvGeneral::new().dims(1usize).feature_group_count(2usize);
    /// let y = ivy::conv_general_dilated(&x, &filters, 1, Padding::Valid, groups)?;
    /// assert_eq!(y.to_vec::<f32>()?, [10.0, 200.0, 30.0, 400.0]);
    /// # Ok::<(), ivy::Error>(())
    /// ```
    conv_general_dilated = CONV_GENERAL_DILATED, ConvGeneral;
}

/// 2-D depthwise convolution, of each channel by itself: `x` is `[n, h, w, i]` or `[n, i, h, w]`, as the data format
/// says, and the filters are `[height, width, i]`.
///
/// ```
/// use ivy::{Padding, prelude::*};
/// let x = Array::try_from([[[[1.0f32, 2.0], [3.0, 4.0]]]])?;
/// let filters = Array::try_from([[[1.0f32, 10.0]]])?;
/// let y = ivy::depthwise_conv2d(&x, &filters, 1, Padding::Valid, ())?;
/// assert_eq!(y.to_vec::<f32>()?, [1.0, 20.0, 3.0, 40.0]);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// As [`conv2d`].
pub fn depthwise_conv2d<'a, 'b>(
    x: impl IntoOperand<'a>,
    filters: impl IntoOperand<'b>,
    strides: impl Into<PerAxis>,
    padding: impl Into<Padding>,
    params: impl Into<DepthwiseConv>,
) -> Result<Array> {
    let params = DepthwiseConv { strides: strides.into(), padding: padding.into(), ..params.into() };
    call_one(&DEPTHWISE_CONV2D, &[x.into_operand(), filters.into_operand()], &params)
}
