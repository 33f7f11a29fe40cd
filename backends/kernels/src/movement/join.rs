//! Putting arrays into parts of another.

use super::{copy_to, make_writable, no_width, raw, to_contiguous};
use crate::layout::{Layout, invalid};
use crate::output::new_array;
use crate::types::match_width;
use ivy_core::host::{HostArray, HostView};
use ivy_core::{AxisSlice, Dims, Error, ErrorKind, Result, Shape};

/// Arrays of one dtype, whose shapes differ along `axis` at most, joined along it.
///
/// # Errors
/// [`ErrorKind::InvalidArgument`] without operands, [`ErrorKind::AxisOutOfRange`],
/// [`ErrorKind::DtypeMismatch`] or [`ErrorKind::ShapeMismatch`] for operands that do not fit
/// the first, or no memory.
pub fn concat(axis: usize, arrays: &[HostView<'_>]) -> Result<HostArray> {
    const NAME: &str = "concat";
    let Some((first, rest)) = arrays.split_first() else {
        return Err(invalid(NAME, "arrays", "[]".into(), "at least one array is needed"));
    };
    if axis >= first.shape().len() {
        return Err(ErrorKind::AxisOutOfRange {
            function: NAME,
            axis: axis as i64,
            ndim: first.shape().len(),
        }
        .into());
    }
    let mut dims = Dims::from_slice(first.shape());
    for x in rest {
        check_dtype(NAME, "arrays", first, x)?;
        let same = |(i, (a, b)): (usize, (&usize, &usize))| i == axis || a == b;
        if x.shape().len() != dims.len() || !x.shape().iter().zip(first.shape()).enumerate().all(same) {
            let expected = format!("{} but for axis {axis}", Shape::from(first.shape()));
            return Err(shape_mismatch(NAME, "arrays", expected, x.shape()));
        }
        dims[axis] = dims[axis].saturating_add(x.shape()[axis]);
    }
    let shape = Shape::from(dims);
    match_width!(first.dtype().bytes(), T => {
        // SAFETY: the operands cover the axis without a gap, and so the whole shape.
        unsafe {
            new_array::<T>(NAME, first.dtype(), &shape, |out| {
                let mut part = Layout::contiguous(&shape);
                let step = part.strides[axis] as usize;
                for x in arrays {
                    part.shape = x.shape().into();
                    copy_to(out, &part, x);
                    part.offset += x.shape()[axis] * step;
                }
            })
        }
    }, else => Err(no_width(NAME, first.dtype())))
}

/// `x` with the slice replaced by `value`, which has the slice's shape.
///
/// # Errors
/// [`ErrorKind::InvalidArgument`] for a slice outside of `x`, [`ErrorKind::DtypeMismatch`] or
/// [`ErrorKind::ShapeMismatch`] for a value that does not fit, or no memory.
pub fn set_slice(axes: &[AxisSlice], x: HostView<'_>, value: HostView<'_>) -> Result<HostArray> {
    check_slice(axes, &x, &value)?;
    let mut out = to_contiguous(x)?;
    set_slice_in_place(&mut out, axes, value)?;
    Ok(out)
}

/// Replaces the slice of `x` by `value`: in place if `x` alone holds its memory, else in a copy
/// that `x` becomes.
///
/// # Errors
/// As [`set_slice`]; `x` is unchanged then.
pub fn set_slice_in_place(x: &mut HostArray, axes: &[AxisSlice], value: HostView<'_>) -> Result<()> {
    check_slice(axes, &x.view(), &value)?;
    make_writable(x)?;
    let part = Layout::of(x).sliced("set_slice", axes)?;
    let dtype = x.dtype();
    let bytes = x.buffer_mut().unique_bytes().expect("make_writable left a memory of our own");
    match_width!(dtype.bytes(), T => {
        copy_to(raw::elements_mut::<T>(bytes), &part, &value);
        Ok(())
    }, else => Err(no_width("set_slice", dtype)))
}

fn check_slice(axes: &[AxisSlice], x: &HostView<'_>, value: &HostView<'_>) -> Result<()> {
    let part = Layout::of_view(x).sliced("set_slice", axes)?;
    check_dtype("set_slice", "value", x, value)?;
    if *part.shape != *value.shape() {
        return Err(shape_mismatch("set_slice", "value", part.shape.to_string(), value.shape()));
    }
    Ok(())
}

pub(super) fn check_dtype(
    function: &'static str,
    argument: &'static str,
    x: &HostView<'_>,
    other: &HostView<'_>,
) -> Result<()> {
    if x.dtype() == other.dtype() {
        return Ok(());
    }
    Err(ErrorKind::DtypeMismatch { function, argument, expected: x.dtype(), actual: other.dtype() }.into())
}

pub(super) fn shape_mismatch(
    function: &'static str,
    argument: &'static str,
    expected: String,
    actual: &[usize],
) -> Error {
    ErrorKind::ShapeMismatch { function, argument, expected, actual: actual.into() }.into()
}
