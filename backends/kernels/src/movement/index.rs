//! Checked indices.

use super::to_contiguous;
use super::walk::Odometer;
use ivy_core::host::{HostArray, HostView, contiguous_strides};
use ivy_core::{Dims, Dtype, ErrorKind, Result, Shape, shape};

/// An array of indices along one axis, each of which the axis has.
pub(super) struct Indices<'a> {
    values: Values<'a>,
    length: i64,
    stride: isize,
}

enum Values<'a> {
    Borrowed(&'a [u8]),
    Copied(HostArray),
}

impl<'a> Indices<'a> {
    /// Checks that the indices are int64 and within an axis; negative ones count from the end.
    ///
    /// # Errors
    /// [`ErrorKind::DtypeMismatch`], or [`ErrorKind::IndexOutOfRange`] with the first position
    /// (in row-major order) that is out of range.
    pub fn new(
        function: &'static str,
        indices: &HostView<'a>,
        axis: usize,
        length: usize,
        stride: isize,
    ) -> Result<Indices<'a>> {
        if indices.dtype() != Dtype::INT64 {
            let (argument, expected, actual) = ("indices", Dtype::INT64, indices.dtype());
            return Err(ErrorKind::DtypeMismatch { function, argument, expected, actual }.into());
        }
        let values = match indices.contiguous_bytes() {
            Some(bytes) => Values::Borrowed(bytes),
            None => Values::Copied(to_contiguous(*indices)?),
        };
        let checked = Indices { values, length: length as i64, stride };
        let outside = |&&index: &&i64| index < -checked.length || index >= checked.length;
        let values = checked.values();
        // First a question without a branch, then the search.
        if values.iter().fold(false, |any, index| any | outside(&index)) {
            let position = values.iter().position(|index| outside(&index));
            let index = position.map_or(0, |position| values[position]);
            let index = index.into();
            return Err(ErrorKind::IndexOutOfRange { function, index, axis, length, position }.into());
        }
        Ok(checked)
    }

    pub fn values(&self) -> &[i64] {
        super::raw::indices(match &self.values {
            Values::Borrowed(bytes) => bytes,
            Values::Copied(array) => array.buffer().bytes(),
        })
    }

    /// The distance from the axis' start to the position that an index means.
    #[inline(always)]
    pub fn distance(&self, index: i64) -> isize {
        let at = index + (self.length & (index >> 63));
        // Strides of an array without elements may be any.
        (at as isize).wrapping_mul(self.stride)
    }
}

/// Checks that indices are int64 and within an axis of a length.
///
/// # Errors
/// [`ErrorKind::DtypeMismatch`]; [`ErrorKind::IndexOutOfRange`] with the first position that is.
pub fn check_indices(
    function: &'static str,
    indices: &HostView<'_>,
    axis: usize,
    length: usize,
) -> Result<()> {
    Indices::new(function, indices, axis, length, 0).map(drop)
}

/// Index arrays of one broadcast shape, one for each leading axis of a layout.
pub(super) struct Joint<'a> {
    pub shape: Shape,
    parts: Dims<Part<'a>>,
}

struct Part<'a> {
    indices: Indices<'a>,
    /// Strides under the broadcast shape; `None` if the array has that shape.
    strides: Option<Dims<isize>>,
}

impl<'a> Joint<'a> {
    /// # Errors
    /// [`ErrorKind::BroadcastShapes`], and those of [`Indices::new`] for the first array at fault.
    pub fn new(
        function: &'static str,
        lengths: &[usize],
        strides: &[isize],
        indices: &[HostView<'a>],
    ) -> Result<Joint<'a>> {
        let shapes: Dims<&[usize]> = indices.iter().map(HostView::shape).collect();
        let shape = shape::broadcast(function, &shapes)?;
        let part = |(axis, view): (usize, &HostView<'a>)| {
            let indices = Indices::new(function, view, axis, lengths[axis], strides[axis])?;
            let strides = (*view.shape() != *shape).then(|| broadcast_strides(view.shape(), &shape));
            Ok(Part { indices, strides })
        };
        let parts = indices.iter().enumerate().map(part).collect::<Result<_>>()?;
        Ok(Joint { shape, parts })
    }

    /// The distances from the layout's start to the places that the indices name together, of
    /// the indices from number `first` on.
    pub fn distances(&self, first: usize, out: &mut [isize]) {
        out.fill(0);
        for Part { indices, strides } in &self.parts {
            let values = indices.values();
            match strides {
                None => {
                    for (sum, &index) in out.iter_mut().zip(&values[first..]) {
                        *sum = sum.wrapping_add(indices.distance(index));
                    }
                }
                Some(strides) => {
                    let mut walk = Odometer::at(&self.shape, [strides], first);
                    for sum in &mut *out {
                        *sum = sum.wrapping_add(indices.distance(values[walk.offsets[0] as usize]));
                        walk.step();
                    }
                }
            }
        }
    }
}

/// Strides of a contiguous array of `shape` under a shape that it broadcasts to.
pub(super) fn broadcast_strides(shape: &[usize], to: &[usize]) -> Dims<isize> {
    let own = contiguous_strides(shape);
    let mut strides = Dims::from_elem(0, to.len() - shape.len());
    strides.extend(shape.iter().zip(own).map(|(&len, stride)| if len == 1 { 0 } else { stride }));
    strides
}
