//! Convolutions, and the convolutions that are their derivatives.

use super::{AxisSlice, Op};
use crate::{Dims, ErrorKind, Result, Shape};

/// A convolution `(x: [n, c, spatial...], w: [o, c / groups, window...]) -> [n, o, out...]` of one dtype:
///
/// `out[n, o, p] = sum over (i, t) of w[o, i, t] * x[n, i, p * stride + t * window_dilation - before]`
///
/// The window is not turned (a cross-correlation), `before` and what follows are zeros (or elements that are
/// cropped, where a padding is negative), and `x` has `input_dilation - 1` zeros between its elements. With
/// groups, each group of output channels reads its own group of input channels. With batch groups, each group
/// of output channels reads its own group of `n / batch_groups` entries of the batch, and the result's batch
/// is that much shorter. float16 and bfloat16 accumulate in float32, integers wrap.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ConvOp {
    /// How far the window moves along each spatial axis; its length is the number of spatial axes.
    pub strides: Dims,
    /// How many zeros stand before and after each spatial axis; a negative number takes elements away. They
    /// are put around the input after its dilation.
    pub padding: Dims<(i64, i64)>,
    /// How far neighbours of the input stand from each other.
    pub input_dilation: Dims,
    /// How far neighbours of the window stand from each other.
    pub window_dilation: Dims,
    /// Groups of input channels, which are as many groups of output channels.
    pub groups: usize,
    /// Groups of the batch, which are as many groups of output channels; one of both numbers is 1.
    pub batch_groups: usize,
}

/// A convolution of arranged operands: what is done with each of them before, in order, and with the result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ArrangedConv {
    /// Ops of one operand that make the convolution's input.
    pub input: Vec<Op>,
    /// Ops of one operand that make its window.
    pub window: Vec<Op>,
    /// The convolution.
    pub conv: ConvOp,
    /// Ops of one operand that arrange its result.
    pub result: Vec<Op>,
}

/// No length with its padding and dilation is above this, so that positions are numbers of 64 bits.
const LARGEST: i128 = 1 << 60;

impl ConvOp {
    /// A convolution with strides and dilations of 1, without padding and groups.
    pub fn new(spatial: usize) -> ConvOp {
        let ones = || Dims::from_elem(1, spatial);
        ConvOp {
            strides: ones(),
            padding: Dims::from_elem((0, 0), spatial),
            input_dilation: ones(),
            window_dilation: ones(),
            groups: 1,
            batch_groups: 1,
        }
    }

    /// How many spatial axes there are.
    pub fn spatial(&self) -> usize {
        self.strides.len()
    }

    /// The shape of the result for operands of these shapes.
    ///
    /// # Errors
    /// [`ErrorKind::ShapeMismatch`] for another number of axes or of channels;
    /// [`ErrorKind::InvalidArgument`] for a stride, dilation or number of groups of 0, lists of different
    /// lengths, groups that do not divide, a window without elements or larger than the padded input, and
    /// lengths beyond any axis.
    pub fn out_shape(&self, function: &'static str, x: &[usize], w: &[usize]) -> Result<Shape> {
        let spatial = self.spatial();
        let refuse = |argument, value: String, rule| -> crate::Error {
            ErrorKind::InvalidArgument { function, argument, value, rule }.into()
        };
        let lengths = [self.padding.len(), self.input_dilation.len(), self.window_dilation.len()];
        if spatial == 0 || lengths.iter().any(|&n| n != spatial) {
            let value = format!("{spatial} strides, {lengths:?} paddings and dilations");
            return Err(refuse("strides", value, "one entry for each of one or more spatial axes"));
        }
        for (argument, shape) in [("x", x), ("filters", w)] {
            if shape.len() != spatial + 2 {
                let (expected, actual) = (format!("{} axes", spatial + 2), shape.into());
                return Err(ErrorKind::ShapeMismatch { function, argument, expected, actual }.into());
            }
        }
        let (groups, batch_groups) = (self.groups, self.batch_groups);
        if groups == 0 || batch_groups == 0 || groups > 1 && batch_groups > 1 {
            let value = format!("{groups} and {batch_groups}");
            return Err(refuse("groups", value, "one group or more, of the channels or of the batch"));
        }
        if w[1].checked_mul(groups) != Some(x[1]) {
            let (expected, actual) = (format!("{} input channels in {groups} groups", x[1]), w.into());
            return Err(ErrorKind::ShapeMismatch { function, argument: "filters", expected, actual }.into());
        }
        if !w[0].is_multiple_of(groups * batch_groups) || !x[0].is_multiple_of(batch_groups) {
            let value = format!("{groups} and {batch_groups} for {} output channels", w[0]);
            return Err(refuse("groups", value, "the groups divide the output channels and the batch"));
        }
        let mut out = Dims::from_slice(&[x[0] / batch_groups, w[0]]);
        for axis in 0..spatial {
            out.push(
                self.out_len(axis, x[axis + 2], w[axis + 2])
                    .map_err(|(argument, value, rule)| refuse(argument, value, rule))?,
            );
        }
        Ok(out.into())
    }

    /// The length of the result along a spatial axis; or an argument, its value and the rule that it breaks.
    fn out_len(
        &self,
        axis: usize,
        x: usize,
        w: usize,
    ) -> Result<usize, (&'static str, String, &'static str)> {
        let (stride, (low, high)) = (self.strides[axis], self.padding[axis]);
        let dilations = [self.input_dilation[axis], self.window_dilation[axis]];
        if stride == 0 {
            return Err(("strides", "0".into(), "a window moves by 1 or more"));
        }
        if dilations.contains(&0) {
            return Err(("dilations", "0".into(), "neighbours stand 1 or more from each other"));
        }
        if w == 0 {
            return Err(("filters", "0".into(), "a window has at least one element along each axis"));
        }
        let window = dilated(w, dilations[1]);
        let padded = dilated(x, dilations[0]).saturating_add(low.into()).saturating_add(high.into());
        let all = [window, padded, dilated(x, dilations[0]), low.into(), high.into(), stride as i128];
        if all.iter().any(|&n| !(-LARGEST..=LARGEST).contains(&n)) {
            let value = format!("({low}, {high})");
            return Err(("padding", value, "no length with padding and dilation is above 2^60"));
        }
        if padded < window {
            let value = format!("a window of {window} on {padded} elements");
            return Err(("padding", value, "the window is not larger than the padded input"));
        }
        Ok(((padded - window) / stride as i128) as usize + 1)
    }

    /// The linear map from the result's cotangent to the input's: `dx = conv(dy, w)` of operands that are
    /// arranged, for a convolution of an `x` and a `w` of these shapes, of which `x` has no empty spatial axis.
    ///
    /// The window is turned around and its channels are exchanged within each group; what were strides lie
    /// between the elements of `dy`, and the other way round. With `X` and `Y` the dilated lengths of `x` and
    /// `dy` and `k` that of the window, `k - 1 - before` zeros stand before `dy` and `X - Y + before` after it.
    /// Groups of the batch become groups of channels. For complex numbers no operand is conjugated here.
    ///
    /// # Errors
    /// Those of [`ConvOp::out_shape`].
    pub fn transpose_input(&self, function: &'static str, x: &[usize], w: &[usize]) -> Result<ArrangedConv> {
        let y = self.out_shape(function, x, w)?;
        let spatial = self.spatial();
        let padding = (0..spatial).map(|axis| {
            let low = self.padding[axis].0;
            let (x, y) =
                (dilated(x[axis + 2], self.input_dilation[axis]), dilated(y[axis + 2], self.strides[axis]));
            (dilated(w[axis + 2], self.window_dilation[axis]) as i64 - 1 - low, (x - y) as i64 + low)
        });
        let conv = ConvOp {
            strides: self.input_dilation.clone(),
            padding: padding.collect(),
            input_dilation: self.strides.clone(),
            window_dilation: self.window_dilation.clone(),
            groups: self.groups * self.batch_groups,
            batch_groups: 1,
        };
        let groups = conv.groups;
        let (outputs, inputs) = (w[0] / groups, w[1]);
        let shape = |lead: &[usize]| Op::Reshape { shape: lead.iter().chain(&w[2..]).copied().collect() };
        let mut axes: Dims<AxisSlice> = Dims::from_slice(&[
            AxisSlice { start: 0, step: 1, len: groups * inputs },
            AxisSlice { start: 0, step: 1, len: outputs },
        ]);
        axes.extend(w[2..].iter().map(|&len| AxisSlice { start: len - 1, step: -1, len }));
        let window = vec![
            shape(&[groups, outputs, inputs]),
            Op::PermuteDims { axes: [0, 2, 1].into_iter().chain(3..spatial + 3).collect() },
            shape(&[groups * inputs, outputs]),
            Op::Slice { axes },
        ];
        let mut result = Vec::new();
        if self.batch_groups > 1 {
            let lead = [x[0] / groups, groups, inputs];
            result = vec![
                Op::Reshape { shape: lead.iter().chain(&x[2..]).copied().collect() },
                Op::PermuteDims { axes: [1, 0].into_iter().chain(2..spatial + 3).collect() },
                Op::Reshape { shape: x.into() },
            ];
        }
        Ok(ArrangedConv { input: Vec::new(), window, conv, result })
    }

    /// The linear map from the result's cotangent to the window's: `dw = conv(x, dy)` of operands that are
    /// arranged, for a convolution of an `x` and a `w` of these shapes.
    ///
    /// Batch and channels are exchanged in all three; `dy` is the window, and what were strides lie between
    /// its elements, as the window's dilation becomes the stride. With `X`, `Y` and `k` the dilated lengths of
    /// `x`, `dy` and the window, `before` zeros stand before `x` as they did, and `k - 1 + Y - X - before`
    /// after it. Groups of channels become groups of the batch, and the other way round. For complex numbers
    /// no operand is conjugated here.
    ///
    /// # Errors
    /// Those of [`ConvOp::out_shape`].
    pub fn transpose_filter(&self, function: &'static str, x: &[usize], w: &[usize]) -> Result<ArrangedConv> {
        let y = self.out_shape(function, x, w)?;
        let spatial = self.spatial();
        let padding = (0..spatial).map(|axis| {
            let low = self.padding[axis].0;
            let (x, y) =
                (dilated(x[axis + 2], self.input_dilation[axis]), dilated(y[axis + 2], self.strides[axis]));
            (low, (dilated(w[axis + 2], self.window_dilation[axis]) - 1 + y - x) as i64 - low)
        });
        let conv = ConvOp {
            strides: self.window_dilation.clone(),
            padding: padding.collect(),
            input_dilation: self.input_dilation.clone(),
            window_dilation: self.strides.clone(),
            groups: self.batch_groups,
            batch_groups: self.groups,
        };
        let exchanged = || vec![Op::PermuteDims { axes: [1, 0].into_iter().chain(2..spatial + 2).collect() }];
        Ok(ArrangedConv { input: exchanged(), window: exchanged(), conv, result: exchanged() })
    }
}

/// The length of `len` elements with neighbours `dilation` from each other.
fn dilated(len: usize, dilation: usize) -> i128 {
    if len == 0 { 0 } else { (len as i128 - 1).saturating_mul(dilation as i128) + 1 }
}
