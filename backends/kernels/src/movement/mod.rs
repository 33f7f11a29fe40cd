//! Moving elements, by their width alone.

mod exchange;
mod index;
mod join;
mod nonzero;
mod pad;
mod partition;
mod raw;
mod scatter;
mod take;
mod walk;

pub use exchange::exchange;
pub use index::check_indices;
pub use join::{concat, set_slice, set_slice_in_place};
pub use nonzero::nonzero;
pub use pad::pad;
pub use scatter::{INDICES, scatter, scatter_in_place};
pub use take::{gather, take, take_along_axis};

use crate::layout::{Layout, invalid};
use crate::output::new_array;
use crate::types::match_width;
use ivy_core::host::{HostArray, HostView};
use ivy_core::{Dtype, Error, Result};
use std::mem::MaybeUninit;
use walk::{Axis, Plan, is_injective};

/// A copy of the elements in row-major order.
///
/// # Errors
/// No memory.
pub fn to_contiguous(x: HostView<'_>) -> Result<HostArray> {
    let shape = x.shape().into();
    match_width!(x.dtype().bytes(), T => {
        // SAFETY: the copy covers the whole shape, and moves values of the dtype as they are.
        unsafe {
            new_array::<T>("copy", x.dtype(), &shape, |out| copy_to(out, &Layout::contiguous(&shape), &x))
        }
    }, else => Err(no_width("copy", x.dtype())))
}

/// Copies a view to the places of a layout of the same shape.
fn copy_to<T: Copy + Send + Sync>(memory: &mut [MaybeUninit<T>], layout: &Layout, x: &HostView<'_>) {
    assert!(*layout.shape == *x.shape() && size_of::<T>() == x.dtype().bytes());
    if x.shape().contains(&0) {
        return;
    }
    let plan = Plan::new(&layout.shape, &layout.strides, x.strides());
    assert!(within(memory.len(), layout) && is_injective(&layout.shape, &layout.strides));
    // SAFETY: the target is within the memory and no place is there twice (just checked); the
    // source is valid by the view's own promise; `T` has its width and at most its alignment.
    unsafe {
        raw::Copy::new(&plan, memory.as_mut_ptr().cast::<T>().add(layout.offset), x.as_ptr().cast()).run()
    }
}

/// Writes a row-major matrix of so many columns from the row-major matrix that it is transposed.
pub(crate) fn copy_transposed<T: Copy + Send + Sync>(
    from: &[MaybeUninit<T>],
    to: &mut [MaybeUninit<T>],
    columns: usize,
) {
    let rows = to.len() / columns;
    assert!(from.len() == to.len() && rows * columns == to.len());
    let [down, along] = [(rows, columns as isize, 1), (columns, 1, rows as isize)];
    let axes = [down, along].map(|(len, to, from)| Axis { len, to, from });
    let plan = Plan { axes: axes[..].into(), to: 0, from: 0 };
    // SAFETY: both have so many elements (just checked), each at a place of its own; these move as they are.
    unsafe { raw::Copy::new(&plan, to.as_mut_ptr(), from.as_ptr()).run() }
}

/// True if every element of a layout without empty axes is one of `len`.
fn within(len: usize, layout: &Layout) -> bool {
    let (mut low, mut high) = (layout.offset as i128, layout.offset as i128);
    for (&n, &stride) in layout.shape.iter().zip(&layout.strides) {
        let reach = (n as i128 - 1) * stride as i128;
        if reach < 0 { low += reach } else { high += reach }
    }
    low >= 0 && high < len as i128
}

/// Makes an array's elements safe to overwrite: a copy, unless the memory is its own and each
/// element has its own place.
fn make_writable(x: &mut HostArray) -> Result<()> {
    if !is_injective(x.shape(), x.strides()) || x.buffer_mut().unique_bytes().is_none() {
        *x = to_contiguous(x.view())?;
    }
    Ok(())
}

fn no_width(function: &'static str, dtype: Dtype) -> Error {
    invalid(function, "dtype", dtype.to_string(), "elements are 1, 2, 4, 8 or 16 bytes wide")
}
