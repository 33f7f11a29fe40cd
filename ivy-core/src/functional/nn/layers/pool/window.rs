//! Pooling windows along an axis, and how they are reduced.

use super::super::spatial_axes::Span;
use super::super::{DataFormat, Padding, PerAxis, invalid};
use super::first_extreme;
use crate::functional::manipulation::slice_along;
use crate::functional::{add, multiply, reshape};
use crate::{Array, AxisPad, Dims, Op, ReduceOp, Result, Scalar, Shape, primitive};
use smallvec::smallvec;

/// How the elements of a window are put together.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(in super::super) enum Fold {
    Sum,
    Product,
    Greatest,
    Least,
}

impl Fold {
    fn both(self, a: &Array, b: &Array) -> Result<Array> {
        match self {
            Fold::Sum => add(a, b),
            Fold::Product => multiply(a, b),
            Fold::Greatest => first_extreme::of_two(a, b, true),
            Fold::Least => first_extreme::of_two(a, b, false),
        }
    }

    /// The same of all elements along an axis, which falls away.
    fn along(self, function: &'static str, x: &Array, axis: usize) -> Result<Array> {
        let op = match self {
            Fold::Sum => ReduceOp::Sum,
            Fold::Product => ReduceOp::Prod,
            Fold::Greatest | Fold::Least => {
                return first_extreme::along(function, x, axis, self == Fold::Greatest);
            }
        };
        primitive::run(function, &Op::Reduce { op, axes: smallvec![axis], keepdims: false }, &[x])
    }
}

/// Windows along an axis.
#[derive(Clone, Copy, Debug)]
pub(in super::super) struct Window {
    pub(in super::super) axis: usize,
    /// How many elements a window has.
    pub(in super::super) size: usize,
    pub(in super::super) stride: usize,
    pub(in super::super) dilation: usize,
    /// What stands before and after the elements.
    pub(in super::super) padding: (usize, usize),
    /// How many windows there are.
    pub(in super::super) out: usize,
}

impl Window {
    /// Windows of the spatial axes of an array, as keyword arguments of pools have them.
    #[allow(clippy::too_many_arguments)]
    pub(super) fn all(
        function: &'static str,
        x: &Array,
        spatial: usize,
        format: DataFormat,
        kernel: &PerAxis,
        strides: &PerAxis,
        dilation: &PerAxis,
        padding: &Padding,
        ceil: bool,
    ) -> Result<Vec<Window>> {
        let axes = format.spatial_axes(function, x, spatial, "x")?;
        let sizes = kernel.of(function, "kernel", spatial, 1)?;
        let strides = strides.of(function, "strides", spatial, 1)?;
        let dilations = dilation.of(function, "dilation", spatial, 1)?;
        let span = |i: usize| Span {
            len: x.shape()[axes[i]],
            window: Span::dilated(sizes[i], dilations[i]),
            stride: strides[i],
        };
        let spans: Dims<Span> = (0..spatial).map(span).collect();
        let pairs = padding.of(function, &spans)?;
        (0..spatial)
            .map(|i| {
                let mut window = Window::new(function, axes[i], spans[i], pairs[i])?;
                (window.size, window.dilation) = (sizes[i], dilations[i]);
                if ceil {
                    window.round_up(spans[i]);
                }
                Ok(window)
            })
            .collect()
    }

    /// Windows of a length with its dilation; those that fit whole.
    pub(in super::super) fn new(
        function: &'static str,
        axis: usize,
        span: Span,
        (before, after): (i64, i64),
    ) -> Result<Window> {
        let side = |n: i64| match usize::try_from(n) {
            Ok(n) if n <= 1 << 60 => Ok(n),
            _ => {
                let rule = "so many elements as can be put there, not a negative number";
                Err(invalid(function, "padding", n.to_string(), rule))
            }
        };
        let padding = (side(before)?, side(after)?);
        let padded = span.len.saturating_add(padding.0 + padding.1);
        let Some(room) = padded.checked_sub(span.window) else {
            let value = format!("{} on {padded} elements", span.window);
            return Err(invalid(function, "kernel", value, "a window is not larger than the padded input"));
        };
        let out = room / span.stride + 1;
        Ok(Window { axis, size: span.window, stride: span.stride, dilation: 1, padding, out })
    }

    /// One more window, if elements are left for it and it begins among the elements or before them.
    fn round_up(&mut self, span: Span) {
        let padded = span.len + self.padding.0 + self.padding.1;
        let next = self.out.saturating_mul(self.stride);
        if (self.out - 1) * self.stride + span.window < padded && next < span.len + self.padding.0 {
            self.out += 1;
            self.padding.1 += next + span.window - padded;
        }
    }

    /// Each window's elements put together, of an array that has been padded.
    pub(in super::super) fn fold(&self, function: &'static str, x: &Array, fold: Fold) -> Result<Array> {
        let &Window { axis, size, stride, dilation, out, .. } = self;
        if size == 1 {
            return slice_along(function, x, axis, 0, stride as isize, out);
        }
        if size == stride && dilation == 1 && out > 0 {
            // No element is in two windows.
            let x = slice_along(function, x, axis, 0, 1, out * size)?;
            let mut shape = Dims::from_slice(x.shape());
            shape[axis] = out;
            shape.insert(axis + 1, size);
            let apart = reshape(&x, Shape::from(shape), ())?;
            return fold.along(function, &apart, axis + 1);
        }
        let part = |t: usize| slice_along(function, x, axis, t * dilation, stride as isize, out);
        (1..size).try_fold(part(0)?, |all, t| fold.both(&all, &part(t)?))
    }
}

/// The array with a value around its windows' axes.
pub(in super::super) fn padded(
    function: &'static str,
    x: &Array,
    windows: &[Window],
    value: Scalar,
) -> Result<Array> {
    if windows.iter().all(|w| w.padding == (0, 0)) {
        return Ok(x.clone());
    }
    let mut axes: Dims<AxisPad> = x.shape().iter().map(|_| AxisPad { before: 0, after: 0 }).collect();
    for w in windows {
        (axes[w.axis].before, axes[w.axis].after) = w.padding;
    }
    let longer = |(&len, pad): (&usize, &AxisPad)| len.saturating_add(pad.before).saturating_add(pad.after);
    let shape: Shape = x.shape().iter().zip(&axes).map(longer).collect();
    shape.checked_size(function, x.dtype())?;
    primitive::run(function, &Op::Pad { axes, value }, &[x])
}
