//! Checked indices.

use super::to_contiguous;
use super::walk::Odometer;
use ivy_core::host::{HostView, contiguous_strides};
use ivy_core::{Dims, Dtype, ErrorKind, Result, Shape, shape};

/// The distance from the axis' start to each indexed position, in the index array's row-major
/// order. Negative indices count from the end.
///
/// # Errors
/// [`ErrorKind::IndexOutOfRange`] with the first position that the axis does not have.
pub(super) fn offsets(
    function: &'static str,
    indices: &HostView<'_>,
    axis: usize,
    length: usize,
    stride: isize,
) -> Result<Vec<isize>> {
    if indices.dtype() != Dtype::INT64 {
        return Err(ErrorKind::DtypeMismatch {
            function,
            argument: "indices",
            expected: Dtype::INT64,
            actual: indices.dtype(),
        }
        .into());
    }
    let copy;
    let bytes = match indices.contiguous_bytes() {
        Some(bytes) => bytes,
        None => {
            copy = to_contiguous(*indices)?;
            copy.buffer().bytes()
        }
    };
    let mut out = with_capacity(function, bytes.len() / 8)?;
    for (position, bytes) in bytes.chunks_exact(8).enumerate() {
        let index = i64::from_ne_bytes(bytes.try_into().expect("chunks of 8"));
        let at = if index < 0 { index + length as i64 } else { index };
        if !(0..length as i64).contains(&at) {
            let position = Some(position);
            return Err(ErrorKind::IndexOutOfRange { function, index, axis, length, position }.into());
        }
        // Strides of an array without elements may be any.
        out.push((at as isize).wrapping_mul(stride));
    }
    Ok(out)
}

/// The offsets that several index arrays, one for each leading axis of a layout, choose
/// together, and the shape that they broadcast to.
pub(super) fn joint_offsets(
    function: &'static str,
    lengths: &[usize],
    strides: &[isize],
    indices: &[HostView<'_>],
) -> Result<(Shape, Vec<isize>)> {
    let shapes: Dims<&[usize]> = indices.iter().map(|view| view.shape()).collect();
    let lead = shape::broadcast(function, &shapes)?;
    let parts = indices
        .iter()
        .enumerate()
        .map(|(axis, view)| offsets(function, view, axis, lengths[axis], strides[axis]))
        .collect::<Result<Dims<Vec<isize>>>>()?;
    if let [_] = shapes.as_slice() {
        return Ok((lead, parts.into_iter().next().expect("one part for one array")));
    }
    let size = lead.checked_size(function, Dtype::INT64)?;
    let mut total: Vec<isize> = with_capacity(function, size)?;
    total.resize(size, 0);
    for (part, shape) in parts.iter().zip(shapes) {
        if *shape == *lead {
            total.iter_mut().zip(part).for_each(|(sum, &offset)| *sum = sum.wrapping_add(offset));
        } else if size > 0 {
            let strides = broadcast_strides(shape, &lead);
            let mut walk = Odometer::at(&lead, [&strides], 0);
            for sum in &mut total {
                *sum = sum.wrapping_add(part[walk.offsets[0] as usize]);
                walk.step();
            }
        }
    }
    Ok((lead, total))
}

/// Strides of a contiguous array of `shape` under a shape that it broadcasts to.
pub(super) fn broadcast_strides(shape: &[usize], to: &[usize]) -> Dims<isize> {
    let own = contiguous_strides(shape);
    let mut strides = Dims::from_elem(0, to.len() - shape.len());
    strides.extend(shape.iter().zip(own).map(|(&len, stride)| if len == 1 { 0 } else { stride }));
    strides
}

fn with_capacity(function: &'static str, len: usize) -> Result<Vec<isize>> {
    let mut out = Vec::new();
    let bytes = len as u128 * size_of::<isize>() as u128;
    out.try_reserve_exact(len).map_err(|_| ErrorKind::MemoryLimit {
        function,
        bytes,
        limit: isize::MAX as u128,
    })?;
    Ok(out)
}
