//! Checked indices.

use super::to_contiguous;
use super::walk::Odometer;
use crate::isa::{Kernel, dispatch};
use crate::parallel;
use crate::small::Value;
use ivy_core::host::{HostArray, HostView, contiguous_strides, scratch};
use ivy_core::{Dims, Dtype, ErrorKind, Result, Shape, shape};

/// A type of indices.
pub(super) trait Index: Value + Into<i64> {}

impl Index for i32 {}
impl Index for u32 {}
impl Index for i64 {}

/// Runs an expression with `$I` as the type of some checked indices.
macro_rules! match_index {
    ($dtype:expr, $I:ident => $body:expr) => {
        match $dtype {
            Dtype::INT32 => {
                type $I = i32;
                $body
            }
            Dtype::UINT32 => {
                type $I = u32;
                $body
            }
            _ => {
                type $I = i64;
                $body
            }
        }
    };
}

/// An array of indices along one axis, each of which the axis has.
pub(super) struct Indices<'a> {
    values: Values<'a>,
    dtype: Dtype,
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
    /// (in row-major order) that is out of range; [`ErrorKind::Interrupted`].
    pub fn new(
        function: &'static str,
        indices: &HostView<'a>,
        axis: usize,
        length: usize,
        stride: isize,
    ) -> Result<Indices<'a>> {
        Indices::of(function, indices, &[Dtype::INT64], axis, length, stride)
    }

    /// As [`Indices::new`], of one of some dtypes, which are int64, int32 and uint32 at most.
    fn of(
        function: &'static str,
        indices: &HostView<'a>,
        dtypes: &[Dtype],
        axis: usize,
        length: usize,
        stride: isize,
    ) -> Result<Indices<'a>> {
        let dtype = indices.dtype();
        if !dtypes.contains(&dtype) {
            let (argument, expected, actual) = ("indices", Dtype::INT64, dtype);
            return Err(ErrorKind::DtypeMismatch { function, argument, expected, actual }.into());
        }
        let values = match indices.contiguous_bytes() {
            Some(bytes) => Values::Borrowed(bytes),
            None => Values::Copied(to_contiguous(*indices)?),
        };
        let checked = Indices { values, dtype, length: length as i64, stride };
        match scratch::guard(function, || match_index!(dtype, I => checked.outside::<I>()))? {
            Some((position, index)) => {
                let (index, position) = (index.into(), Some(position));
                Err(ErrorKind::IndexOutOfRange { function, index, axis, length, position }.into())
            }
            None => Ok(checked),
        }
    }

    /// The first index that is out of range, and its position.
    fn outside<I: Index>(&self) -> Option<(usize, i64)> {
        let values = self.typed::<I>();
        let length = self.length;
        // First a question without a branch, then the search.
        if !parallel::any(values, &|part: &[I]| dispatch(Outside { part, length })) {
            return None;
        }
        let mut found = values.iter().map(|&index| index.into()).enumerate();
        found.find(|&(_, index): &(usize, i64)| index < -length || index >= length)
    }

    fn bytes(&self) -> &[u8] {
        match &self.values {
            Values::Borrowed(bytes) => bytes,
            Values::Copied(array) => array.buffer().bytes(),
        }
    }

    fn typed<I: Index>(&self) -> &[I] {
        super::raw::indices(self.bytes())
    }

    /// The indices of [`Indices::new`].
    pub fn values(&self) -> &[i64] {
        self.typed()
    }

    /// The distance from the axis' start to the position that an index means.
    #[inline(always)]
    pub fn distance(&self, index: i64) -> isize {
        let at = index + (self.length & (index >> 63));
        // Strides of an array without elements may be any.
        (at as isize).wrapping_mul(self.stride)
    }
}

/// Whether any of some indices is not of an axis of a length.
struct Outside<'a, I> {
    part: &'a [I],
    length: i64,
}

impl<I: Index> Kernel for Outside<'_, I> {
    const WIDE: bool = true;
    type Output = bool;

    #[inline(always)]
    fn run(self) -> bool {
        let length = self.length;
        let outside = |index: i64| (index < -length) | (index >= length);
        self.part.iter().fold(false, |any, &index| any | outside(index.into()))
    }
}

/// Adds the distances that some indices mean.
struct Distances<'a, 'b, I> {
    indices: &'a Indices<'b>,
    values: &'a [I],
    sums: &'a mut [isize],
}

impl<I: Index> Kernel for Distances<'_, '_, I> {
    const WIDE: bool = true;
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let indices = self.indices;
        for (sum, &index) in self.sums.iter_mut().zip(self.values) {
            *sum = sum.wrapping_add(indices.distance(index.into()));
        }
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
    /// Of indices of these dtypes, which are int64, int32 and uint32 at most.
    ///
    /// # Errors
    /// [`ErrorKind::BroadcastShapes`], and those of [`Indices::new`] for the first array at fault.
    pub fn new(
        function: &'static str,
        dtypes: &[Dtype],
        lengths: &[usize],
        strides: &[isize],
        indices: &[HostView<'a>],
    ) -> Result<Joint<'a>> {
        let shapes: Dims<&[usize]> = indices.iter().map(HostView::shape).collect();
        let shape = shape::broadcast(function, &shapes)?;
        let part = |(axis, view): (usize, &HostView<'a>)| {
            let indices = Indices::of(function, view, dtypes, axis, lengths[axis], strides[axis])?;
            let strides = (*view.shape() != *shape).then(|| broadcast_strides(view.shape(), &shape));
            Ok(Part { indices, strides })
        };
        let parts = indices.iter().enumerate().map(part).collect::<Result<_>>()?;
        Ok(Joint { shape, parts })
    }

    /// The lowest of all distances that there may be, and how many there are from it to the highest; `None` of no places.
    pub fn reach(&self) -> Option<(isize, usize)> {
        self.parts.iter().try_fold((0, 1), |(lowest, span), Part { indices, .. }| {
            let steps = isize::try_from(indices.length.checked_sub(1)?).ok()?;
            let far = steps.checked_mul(indices.stride)?;
            (steps >= 0).then_some((lowest + far.min(0), span + far.unsigned_abs()))
        })
    }

    /// The distances from the layout's start to the places that the indices name together, of
    /// the indices from number `first` on.
    pub fn distances(&self, first: usize, out: &mut [isize]) {
        out.fill(0);
        for part in &self.parts {
            match_index!(part.indices.dtype, I => self.add::<I>(part, first, out));
        }
    }

    /// Adds the distances of an index array.
    fn add<I: Index>(&self, Part { indices, strides }: &Part<'_>, first: usize, sums: &mut [isize]) {
        let values = indices.typed::<I>();
        let Some(strides) = strides else {
            return dispatch(Distances { indices, values: &values[first..], sums });
        };
        let mut walk = Odometer::at(&self.shape, [strides], first);
        for sum in sums {
            *sum = sum.wrapping_add(indices.distance(values[walk.offsets[0] as usize].into()));
            walk.step();
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
