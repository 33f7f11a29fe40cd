//! Arrays with a border of one value.

use super::{copy_to, no_width};
use crate::elementwise;
use crate::layout::{Layout, invalid};
use crate::output::new_array;
use crate::types::match_width;
use ivy_core::host::{HostArray, HostView};
use ivy_core::{AxisPad, Result, Scalar, Shape};

/// `x` with the scalar before and after each axis.
///
/// # Errors
/// [`ivy_core::ErrorKind::InvalidArgument`] unless there is one entry an axis, or no memory.
pub fn pad(axes: &[AxisPad], value: Scalar, x: HostView<'_>) -> Result<HostArray> {
    const NAME: &str = "pad";
    if axes.len() != x.shape().len() {
        let value = format!("{} of {} axes", axes.len(), x.shape().len());
        return Err(invalid(NAME, "axes", value, "one entry an axis"));
    }
    let longer = |(&len, pad): (&usize, &AxisPad)| len.saturating_add(pad.before).saturating_add(pad.after);
    let shape: Shape = x.shape().iter().zip(axes).map(longer).collect();
    let one = elementwise::full(&Shape::default(), x.dtype(), value)?;
    match_width!(x.dtype().bytes(), T => {
        // SAFETY: the borders and the operand cover the shape: along each axis, what lies within the
        // operand on the axes before it.
        unsafe {
            new_array::<T>(NAME, x.dtype(), &shape, |out| {
                let mut inner = Layout::contiguous(&shape);
                for (axis, pad) in axes.iter().enumerate() {
                    let (len, step) = (x.shape()[axis], inner.strides[axis] as usize);
                    for (first, count) in [(0, pad.before), (pad.before + len, pad.after)] {
                        let mut border = inner.clone();
                        border.shape = with(&inner.shape, axis, count);
                        border.offset += first * step;
                        fill(out, &border, &one);
                    }
                    inner.shape = with(&inner.shape, axis, len);
                    inner.offset += pad.before * step;
                }
                copy_to(out, &inner, &x);
            })
        }
    }, else => Err(no_width(NAME, x.dtype())))
}

/// A shape with another length of an axis.
fn with(shape: &Shape, axis: usize, length: usize) -> Shape {
    shape.iter().enumerate().map(|(a, &len)| if a == axis { length } else { len }).collect()
}

/// Copies one element to all places of a layout.
fn fill<T: Copy + Send + Sync>(memory: &mut [std::mem::MaybeUninit<T>], places: &Layout, one: &HostArray) {
    let everywhere = Layout {
        shape: places.shape.clone(),
        strides: places.shape.iter().map(|_| 0).collect(),
        offset: one.offset(),
    };
    copy_to(memory, places, &everywhere.view(&one.view()));
}
