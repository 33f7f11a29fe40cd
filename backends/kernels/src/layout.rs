//! The ops that need no memory: another shape, other strides, the same buffer.

use crate::movement::to_contiguous;
use ivy_core::host::{HostArray, HostView, contiguous_strides};
use ivy_core::{AxisSlice, Dims, ErrorKind, Result, Shape};

/// Where elements stand in a buffer.
#[derive(Clone, Debug)]
pub(crate) struct Layout {
    pub shape: Shape,
    pub strides: Dims<isize>,
    pub offset: usize,
}

impl Layout {
    pub(crate) fn of(x: &HostArray) -> Layout {
        Layout { shape: x.shape().clone(), strides: x.strides().into(), offset: x.offset() }
    }

    pub(crate) fn of_view(x: &HostView<'_>) -> Layout {
        Layout { shape: x.shape().into(), strides: x.strides().into(), offset: x.offset() }
    }

    pub(crate) fn contiguous(shape: &[usize]) -> Layout {
        Layout { shape: shape.into(), strides: contiguous_strides(shape), offset: 0 }
    }

    /// The layout over a view's bytes; it was derived from the view's own.
    pub(crate) fn view<'a>(&'a self, x: &HostView<'a>) -> HostView<'a> {
        HostView::new(x.bytes(), x.dtype(), &self.shape, &self.strides, self.offset)
            .expect("a layout derived from a view stays within its bytes")
    }

    fn array(self, x: &HostArray) -> HostArray {
        HostArray::from_parts(x.buffer().clone(), x.dtype(), self.shape, self.strides, self.offset)
            .expect("a layout derived from an array stays within its buffer")
    }

    /// Row-major order under another shape, or `None` where that needs a copy.
    pub(crate) fn reshaped(self, shape: &Shape) -> Result<Option<Layout>> {
        if shape.size() != self.shape.size() {
            return Err(ErrorKind::ShapeMismatch {
                function: "reshape",
                argument: "shape",
                expected: format!("a shape of {} elements", self.shape.size()),
                actual: shape.clone(),
            }
            .into());
        }
        let strides = reshaped_strides(&self.shape, &self.strides, shape);
        Ok(strides.map(|strides| Layout { shape: shape.clone(), strides, offset: self.offset }))
    }

    pub(crate) fn broadcast(self, shape: &Shape) -> Result<Layout> {
        let refused = || ErrorKind::BroadcastShapes {
            function: "broadcast_to",
            shapes: vec![self.shape.clone(), shape.clone()],
        };
        let lead = shape.len().checked_sub(self.shape.len()).ok_or_else(refused)?;
        let mut strides = Dims::from_elem(0, shape.len());
        for (axis, (&len, &stride)) in self.shape.iter().zip(&self.strides).enumerate() {
            if len == shape[lead + axis] {
                strides[lead + axis] = stride;
            } else if len != 1 {
                return Err(refused().into());
            }
        }
        Ok(Layout { shape: shape.clone(), strides, offset: self.offset })
    }

    pub(crate) fn permuted(self, axes: &[usize]) -> Result<Layout> {
        let ndim = self.shape.len();
        let each_once = (0..ndim).all(|a| axes.contains(&a));
        if axes.len() != ndim || !each_once {
            return Err(invalid("permute_dims", "axes", format!("{axes:?}"), "each axis is named once"));
        }
        Ok(Layout {
            shape: axes.iter().map(|&a| self.shape[a]).collect(),
            strides: axes.iter().map(|&a| self.strides[a]).collect(),
            offset: self.offset,
        })
    }

    pub(crate) fn sliced(mut self, function: &'static str, axes: &[AxisSlice]) -> Result<Layout> {
        let fits = |(slice, &len): (&AxisSlice, &usize)| {
            let last = slice.start as i128 + (slice.len as i128 - 1) * slice.step as i128;
            slice.len == 0 || slice.start < len && (0..len as i128).contains(&last)
        };
        if axes.len() != self.shape.len() || !axes.iter().zip(self.shape.iter()).all(fits) {
            let rule = "one entry an axis, with every position within the axis";
            return Err(invalid(function, "axes", format!("{axes:?} of shape {}", self.shape), rule));
        }
        // The first position of an empty slice may lie outside.
        if axes.iter().all(|slice| slice.len > 0) {
            let first: isize =
                axes.iter().zip(&self.strides).map(|(slice, &s)| slice.start as isize * s).sum();
            self.offset = self.offset.wrapping_add_signed(first);
        }
        for (stride, slice) in self.strides.iter_mut().zip(axes) {
            // A step over nothing may be too large to multiply.
            *stride = if slice.len > 1 { *stride * slice.step } else { 0 };
        }
        self.shape = axes.iter().map(|slice| slice.len).collect();
        Ok(self)
    }
}

pub(crate) fn invalid(
    function: &'static str,
    argument: &'static str,
    value: String,
    rule: &'static str,
) -> ivy_core::Error {
    ErrorKind::InvalidArgument { function, argument, value, rule }.into()
}

/// Strides that give a new shape the same row-major order, if there are any: each new axis
/// must lie within a run of old axes that follow each other without a gap.
fn reshaped_strides(old: &[usize], strides: &[isize], new: &[usize]) -> Option<Dims<isize>> {
    if new.contains(&0) {
        return Some(contiguous_strides(new));
    }
    let mut runs: Dims<(usize, isize)> = Dims::new();
    for (&len, &stride) in old.iter().zip(strides).filter(|(len, _)| **len != 1) {
        match runs.last_mut() {
            Some(run) if run.1 == stride.wrapping_mul(len as isize) => *run = (run.0 * len, stride),
            _ => runs.push((len, stride)),
        }
    }
    let mut out = Dims::from_elem(0, new.len());
    let (mut left, mut step) = (1, 1);
    for (axis, &len) in new.iter().enumerate().rev().filter(|(_, len)| **len != 1) {
        if left == 1 {
            (left, step) = runs.pop()?;
        }
        if left % len != 0 {
            return None;
        }
        out[axis] = step;
        left /= len;
        step = step.wrapping_mul(len as isize);
    }
    Some(out)
}

/// The elements in row-major order under another shape of the same size: over the same buffer
/// where strides allow, else a copy.
///
/// # Errors
/// [`ErrorKind::ShapeMismatch`] if the sizes differ, or no memory for the copy.
pub fn reshape(x: &HostArray, shape: &Shape) -> Result<HostArray> {
    if let Some(layout) = Layout::of(x).reshaped(shape)? {
        return Ok(layout.array(x));
    }
    let copy = to_contiguous(x.view())?;
    Ok(Layout { shape: shape.clone(), strides: contiguous_strides(shape), offset: 0 }.array(&copy))
}

/// The elements repeated along axes of length 1 and new leading axes, over the same buffer.
///
/// # Errors
/// [`ErrorKind::BroadcastShapes`].
pub fn broadcast_to(x: &HostArray, shape: &Shape) -> Result<HostArray> {
    Ok(Layout::of(x).broadcast(shape)?.array(x))
}

/// Axis `axes[i]` as axis `i`, over the same buffer.
///
/// # Errors
/// [`ErrorKind::InvalidArgument`] if `axes` is no permutation.
pub fn permute_dims(x: &HostArray, axes: &[usize]) -> Result<HostArray> {
    Ok(Layout::of(x).permuted(axes)?.array(x))
}

/// The elements of a slice, over the same buffer.
///
/// # Errors
/// [`ErrorKind::InvalidArgument`] if a position lies outside its axis.
pub fn slice(x: &HostArray, axes: &[AxisSlice]) -> Result<HostArray> {
    Ok(Layout::of(x).sliced("slice", axes)?.array(x))
}
