//! Transposed convolutions.

use super::conv::{check_dims, finished};
use super::spatial_axes::Span;
use super::{DataFormat, FilterFormat, Padding, PerAxis, invalid, mismatch};
use crate::array::{Array, IntoOperand, Operand};
use crate::call::call_one;
use crate::function::{Body, Bound, Composition, Outputs};
use crate::functional::manipulation::slice_along;
use crate::functional::{permute_dims, reshape};
use crate::{ConvOp, Dims, Result, Shape, params};
use std::mem;

params! {
    /// Arguments of [`conv1d_transpose`], [`conv2d_transpose`] and [`conv3d_transpose`].
    pub struct ConvTranspose {
        /// How far the window moves in the result; an argument of the function.
        strides: PerAxis = PerAxis::from(1),
        /// What is taken away around the result's spatial axes; an argument of the function.
        padding: Padding = Padding::Valid,
        /// The lengths of the result's spatial axes, or of all of its axes. If not given, `x * stride` with
        /// [`Padding::Same`], `x * stride` and what the window is longer than the stride with
        /// [`Padding::Valid`], and what is covered, less the padding, with pairs.
        output_shape: Option<Shape> = None,
        /// Which axes of the filters are which.
        filter_format: FilterFormat = FilterFormat::ChannelLast,
        /// Which axes of `x` and of the result are which.
        data_format: DataFormat = DataFormat::ChannelLast,
        /// How far neighbours of the window stand from each other.
        dilations: PerAxis = PerAxis::from(1),
        /// A number for each output channel that is added.
        operand bias,
    }
}

params! {
    /// Arguments of [`conv_general_transpose`].
    pub struct ConvGeneralTranspose {
        /// How far the window moves in the result; an argument of the function.
        strides: PerAxis = PerAxis::from(1),
        /// What is taken away around the result's spatial axes; an argument of the function.
        padding: Padding = Padding::Valid,
        /// How many spatial axes there are: 1, 2 or 3.
        dims: usize = 2usize,
        /// The lengths of the result's spatial axes; see [`ConvTranspose::output_shape`].
        output_shape: Option<Shape> = None,
        /// Which axes of the filters are which.
        filter_format: FilterFormat = FilterFormat::ChannelLast,
        /// Which axes of `x` and of the result are which.
        data_format: DataFormat = DataFormat::ChannelLast,
        /// How far neighbours of the window stand from each other.
        dilations: PerAxis = PerAxis::from(1),
        /// Groups of channels: each group of input channels reaches its own group of output channels.
        feature_group_count: usize = 1usize,
        /// A number for each output channel that is added.
        operand bias,
    }
}

describe! {
    CONV1D_TRANSPOSE = "conv1d_transpose", Layer, Mixed,
    (x: Promoted, filters: Promoted, bias: Promoted optional), Promote -> [Compute],
    Bound::Matmul, params: ConvTranspose::new(), example: [&[1, 3, 2], &[2, 1, 2], &[1]],
    Body::Compose(|call| compose(call, 1))
}
describe! {
    CONV2D_TRANSPOSE = "conv2d_transpose", Layer, Mixed,
    (x: Promoted, filters: Promoted, bias: Promoted optional), Promote -> [Compute],
    Bound::Matmul, params: ConvTranspose::new(), example: [&[1, 3, 3, 2], &[2, 2, 1, 2], &[1]],
    Body::Compose(|call| compose(call, 2))
}
describe! {
    CONV3D_TRANSPOSE = "conv3d_transpose", Layer, Mixed,
    (x: Promoted, filters: Promoted, bias: Promoted optional), Promote -> [Compute],
    Bound::Matmul, params: ConvTranspose::new(), example: [&[1, 2, 2, 2, 2], &[2, 2, 2, 1, 2], &[1]],
    Body::Compose(|call| compose(call, 3))
}
describe! {
    CONV_GENERAL_TRANSPOSE = "conv_general_transpose", Layer, Mixed,
    (x: Promoted, filters: Promoted, bias: Promoted optional), Promote -> [Compute],
    Bound::Matmul, params: ConvGeneralTranspose::new(), example: [&[1, 3, 3, 2], &[2, 2, 1, 2], &[1]],
    Body::Compose(compose_general)
}

fn compose(call: &Composition<'_>, spatial: usize) -> Result<Outputs> {
    let params = call.params::<ConvTranspose>();
    let job = Job {
        function: call.function.name,
        spatial,
        strides: &params.strides,
        padding: &params.padding,
        output_shape: params.output_shape.as_ref(),
        filter_format: params.filter_format,
        data_format: params.data_format,
        dilations: &params.dilations,
        groups: 1,
    };
    job.run(call)
}

fn compose_general(call: &Composition<'_>) -> Result<Outputs> {
    let params = call.params::<ConvGeneralTranspose>();
    let job = Job {
        function: call.function.name,
        spatial: check_dims(call.function.name, params.dims)?,
        strides: &params.strides,
        padding: &params.padding,
        output_shape: params.output_shape.as_ref(),
        filter_format: params.filter_format,
        data_format: params.data_format,
        dilations: &params.dilations,
        groups: params.feature_group_count,
    };
    job.run(call)
}

/// The arguments of a transposed convolution.
struct Job<'a> {
    function: &'static str,
    spatial: usize,
    strides: &'a PerAxis,
    padding: &'a Padding,
    output_shape: Option<&'a Shape>,
    filter_format: FilterFormat,
    data_format: DataFormat,
    dilations: &'a PerAxis,
    groups: usize,
}

impl Job<'_> {
    fn run(&self, call: &Composition<'_>) -> Result<Outputs> {
        let (function, spatial, x) = (self.function, self.spatial, call.array(0));
        let axes = self.data_format.spatial_axes(function, x, spatial, "x")?;
        let (to, back) = self.data_format.orders(function, spatial)?;
        let strides = self.strides.of(function, "strides", spatial, 1)?;
        let dilations = self.dilations.of(function, "dilations", spatial, 1)?;
        let channels = x.shape()[to[1]];
        let filters = self.filters(call.array(1), channels)?;
        let asked = self.asked(&axes)?;
        let mut padding = Dims::<(i64, i64)>::new();
        for i in 0..spatial {
            let len = x.shape()[axes[i]];
            let window = Span::dilated(filters.shape()[i + 2], dilations[i]);
            let between = Span::dilated(len, strides[i]);
            let (out, before) =
                self.out(i, len, between, window, strides[i], asked.as_ref().map(|a| a[i]))?;
            padding.push((window as i64 - 1 - before, out - between as i64 + before));
        }
        let conv = ConvOp {
            strides: Dims::from_elem(1, spatial),
            padding,
            input_dilation: strides,
            window_dilation: dilations,
            groups: self.groups,
            batch_groups: 1,
        };
        let x = super::ordered(x, &to)?;
        let out = conv.out_shape(function, x.shape(), filters.shape())?;
        out.checked_size(function, x.dtype())?;
        finished(function, &conv, &x, &filters, call.arrays[2].as_ref(), &back)
    }

    /// Filters with the output channels first, then the input channels of a group, and the window reversed.
    fn filters(&self, filters: &Array, channels: usize) -> Result<Array> {
        let (function, n, groups) = (self.function, self.spatial + 2, self.groups);
        if filters.ndim() != n {
            return Err(mismatch(function, "filters", format!("{n} axes"), filters));
        }
        if groups == 0 || !channels.is_multiple_of(groups) {
            let value = format!("{groups} for {channels} channels");
            return Err(invalid(function, "feature_group_count", value, "groups divide the input channels"));
        }
        // Input channels, output channels of a group, window.
        let (inputs, outputs) = match self.filter_format {
            FilterFormat::ChannelFirst => (0, 1),
            FilterFormat::ChannelLast => (n - 1, n - 2),
        };
        let axes = [inputs, outputs].into_iter().chain((0..n).filter(|&a| a != inputs && a != outputs));
        let mut reversed = super::ordered(filters, &axes.collect::<Dims>())?;
        if reversed.shape()[0] != channels {
            return Err(mismatch(function, "filters", format!("{channels} input channels"), filters));
        }
        for axis in 2..n {
            let len = reversed.shape()[axis];
            if len > 1 {
                reversed = slice_along(function, &reversed, axis, len - 1, -1, len)?;
            }
        }
        let window = Dims::from_slice(&reversed.shape()[2..]);
        let outputs = reversed.shape()[1];
        let shaped = |lead: &[usize]| Shape::from(lead.iter().chain(&window).copied().collect::<Dims>());
        let grouped = reshape(&reversed, shaped(&[groups, channels / groups, outputs]), ())?;
        let order: Vec<i64> = [0, 2, 1].into_iter().chain(3..n as i64 + 1).collect();
        reshape(permute_dims(&grouped, order)?, shaped(&[groups * outputs, channels / groups]), ())
    }

    /// The lengths of the result's spatial axes, if they were given.
    fn asked(&self, axes: &[usize]) -> Result<Option<Dims>> {
        let Some(shape) = self.output_shape else { return Ok(None) };
        match shape.len() {
            n if n == self.spatial => Ok(Some(Dims::from_slice(shape))),
            n if n == self.spatial + 2 => Ok(Some(axes.iter().map(|&a| shape[a]).collect())),
            _ => {
                let rule = "one length for each spatial axis, or for each axis";
                Err(invalid(self.function, "output_shape", shape.to_string(), rule))
            }
        }
    }

    /// The result's length along an axis, and how much of what is covered is taken away before it.
    fn out(
        &self,
        axis: usize,
        len: usize,
        between: usize,
        window: usize,
        stride: usize,
        asked: Option<usize>,
    ) -> Result<(i64, i64)> {
        let function = self.function;
        let whole = |n: usize| match i64::try_from(n) {
            Ok(n) if n < 1 << 60 => Ok(n),
            _ => Err(invalid(function, "strides", n.to_string(), "no length is above 2^60")),
        };
        let covered = whole(between.saturating_add(window.saturating_sub(1)))?;
        let default = match self.padding {
            Padding::Valid => {
                whole(len.saturating_mul(stride).saturating_add(window.saturating_sub(stride)))?
            }
            Padding::Same | Padding::SameLower => whole(len.saturating_mul(stride))?,
            Padding::Explicit(_) => {
                let span = Span { len, window, stride };
                let (before, after) = self.padding.of(function, &vec![span; self.spatial])?[axis];
                covered.saturating_sub(before).saturating_sub(after)
            }
        };
        let out = asked.map_or(Ok(default), whole)?;
        let span = Span { len: usize::try_from(out).unwrap_or(0), window, stride };
        let (before, after) = self.padding.of(function, &vec![span; self.spatial])?[axis];
        let fits = |n: i64| (-(1 << 60)..1 << 60).contains(&n);
        if out <= 0 || !fits(before) || !fits(after) {
            let value = format!("{out} with padding ({before}, {after})");
            return Err(invalid(function, "padding", value, "something is left of what is covered"));
        }
        // The convolution that this one is the transposed one of takes such a result to the input's length.
        let steps = (out + before + after - window as i64).div_euclid(stride as i64) + 1;
        if asked.is_some() && steps != len as i64 {
            let value = format!("{out} for an input of {len}");
            let rule =
                "a convolution with these strides and this padding takes the result to the input's length";
            return Err(invalid(function, "output_shape", value, rule));
        }
        Ok((out, before))
    }
}

macro_rules! transposed {
    ($($(#[$doc:meta])* $name:ident = $function:ident, $params:ident;)*) => {
        $(
            $(#[$doc])*
            ///
            /// # Errors
            /// [`ShapeMismatch`](crate::ErrorKind::ShapeMismatch) for another number of axes or of channels;
            /// [`InvalidArgument`](crate::ErrorKind::InvalidArgument) for a stride or dilation of 0, a number of
            /// them or of pairs that is not that of the spatial axes, a data format of another number of these,
            /// groups that do not divide, a padding that leaves nothing, and an `output_shape` that a convolution
            /// does not take to the input's; [`OutsideDomain`](crate::ErrorKind::OutsideDomain) for bool.
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
transposed! {
    /// 1-D transposed convolution along one axis: each element of `x` adds the window, times itself, to the result at
    /// its place times the stride. `x` is `[n, w, i]`, the filters are `[window, o, i]`; with
    /// [`FilterFormat::ChannelFirst`] `[i, o, window]`. A padding is that of the convolution which takes the result's
    /// shape to that of `x`: so much is taken away at both ends.
    ///
    /// ```
    /// use ivy::{Padding, prelude::*};
    /// let x = Array::try_from([[[1.0f32], [2.0]]])?;
    /// let filters = Array::try_from([[[1.0f32]], [[10.0]], [[100.0]]])?;
    /// let y = ivy::conv1d_transpose(&x, &filters, 2, Padding::Valid, ())?;
    /// assert_eq!(y.to_vec::<f32>()?, [1.0, 10.0, 102.0, 20.0, 200.0]);
    /// let same = ivy::conv1d_transpose(&x, &filters, 2, Padding::Same, ())?;
    /// assert_eq!(same.to_vec::<f32>()?, [1.0, 10.0, 102.0, 20.0]);
    /// # Ok::<(), ivy::Error>(())
    /// ```
    conv1d_transpose = CONV1D_TRANSPOSE, ConvTranspose;
    /// 2-D transposed convolution along two axes, as [`conv1d_transpose`]: `x` is `[n, h, w, i]`, the filters are
    /// `[height, width, o, i]`; with [`FilterFormat::ChannelFirst`] `[i, o, height, width]`.
    ///
    /// ```
    /// use ivy::{Padding, prelude::*};
    /// let x = ivy::ones([1, 28, 28, 3], Dtype::FLOAT32)?;
    /// let filters = ivy::ones([3, 3, 6, 3], Dtype::FLOAT32)?;
    /// let y = ivy::conv2d_transpose(&x, &filters, 2, Padding::Same, ())?;
    /// assert_eq!(y.shape().to_string(), "(1, 56, 56, 6)");
    /// # Ok::<(), ivy::Error>(())
    /// ```
    conv2d_transpose = CONV2D_TRANSPOSE, ConvTranspose;
    /// 3-D transposed convolution along three axes, as [`conv1d_transpose`]: `x` is `[n, d, h, w, i]`, the filters are
    /// `[depth, height, width, o, i]`; with [`FilterFormat::ChannelFirst`] `[i, o, depth, height, width]`.
    ///
    /// ```
    /// use ivy::{Padding, prelude::*};
    /// let x = ivy::ones([1, 2, 2, 2, 3], Dtype::FLOAT32)?;
    /// let y = ivy::conv3d_transpose(&x, ivy::ones([2, 2, 2, 1, 3], Dtype::FLOAT32)?, 2, Padding::Valid, ())?;
    /// assert_eq!(y.shape().to_string(), "(1, 4, 4, 4, 1)");
    /// # Ok::<(), ivy::Error>(())
    /// ```
    conv3d_transpose = CONV3D_TRANSPOSE, ConvTranspose;
    /// Grouped and dilated transposed convolution over `dims` spatial axes, as [`conv1d_transpose`]: the filters have
    /// `o / groups` output channels, and each group of input channels reaches its own group of the output's.
    ///
    /// ```
    /// use ivy::{ConvGeneralTranspose, Padding, prelude::*};
    /// let x = Array::try_from([[[1.0f32, 2.0], [3.0, 4.0]]])?;
    /// let filters = Array::try_from([[[10.0f32, 100.0]]])?;
    /// let groups = ConvGeneralTranspose::new().dims(1usize).feature_group_count(2usize);
    /// let y = ivy::conv_general_transpose(&x, &filters, 1, Padding::Valid, groups)?;
    /// assert_eq!(y.to_vec::<f32>()?, [10.0, 200.0, 30.0, 400.0]);
    /// # Ok::<(), ivy::Error>(())
    /// ```
    conv_general_transpose = CONV_GENERAL_TRANSPOSE, ConvGeneralTranspose;
}
