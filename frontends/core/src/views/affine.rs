//! Views at affine positions: diagonals and windows.

use super::View;
use super::layout::Layout;
use super::tracking::{Source, Tracked};
use crate::wrapper;
use ivy_core::{Array, Dims, ErrorKind, Result};

/// A new axis: its length, and how many steps further along each axis of the array its elements lie.
pub type AffineAxis = (usize, Dims<isize>);

/// The elements of an array at affine positions: those of `start`, and along each new axis, of which there is the length,
/// so many steps further along each axis of the array. Of a [tracked](super::Viewing::track) argument it is a view: diagonals and
/// windows.
///
/// ```
/// use ivy_core::Array;
/// # use ivy_backend_ndarray as _;
/// let x = Array::from_vec((0..9).collect::<Vec<i32>>(), [3, 3])?;
/// let diagonal = ivy_frontend::views::affine(&x, &[0, 0], &[(3, [1, 1].into_iter().collect())])?;
/// assert_eq!(diagonal.to_vec::<i32>()?, [0, 4, 8]);
/// # Ok::<(), ivy_core::Error>(())
/// ```
///
/// # Errors
/// Those of an index out of range, where the positions leave the array; what reading it gives.
pub fn affine(x: &Array, start: &[usize], axes: &[AffineAxis]) -> Result<Array> {
    let inside = |axis: usize| -> Result<()> {
        let reach = |(n, steps): &AffineAxis| steps[axis] * (*n as isize - 1);
        let first = start[axis] as isize;
        let least = first + axes.iter().map(reach).filter(|n| *n < 0).sum::<isize>();
        let most = first + axes.iter().map(reach).filter(|n| *n > 0).sum::<isize>();
        let len = x.shape()[axis];
        match least >= 0 && most < len as isize {
            true => Ok(()),
            false => Err(ErrorKind::IndexOutOfRange {
                function: "affine",
                axis,
                index: if least < 0 { least } else { most } as i128,
                length: len,
                position: None,
            }
            .into()),
        }
    };
    if axes.iter().all(|(n, _)| *n > 0) {
        (0..x.ndim()).try_for_each(inside)?;
    }
    let Some(noted) = wrapper::noted::<Source>(x) else {
        return Layout::whole(x.shape()).affine(start, axes).read(x);
    };
    let elements = affine(&noted.below(), start, axes)?;
    let of =
        |tracked: &Tracked| Tracked { argument: tracked.argument, view: tracked.view.affine(start, axes) };
    Ok(wrapper::with_note(&elements, noted.note.as_ref().map(of)))
}

/// A diagonal of two axes as the last one, in place of both: a view of a [tracked](super::Viewing::track) argument.
///
/// # Errors
/// As [`affine`].
pub fn diagonal(x: &Array, offset: i64, [rows, columns]: [usize; 2]) -> Result<Array> {
    let skipped = usize::try_from(offset.unsigned_abs()).unwrap_or(usize::MAX);
    let (row, column) = if offset < 0 { (skipped, 0) } else { (0, skipped) };
    let left = |axis: usize, first: usize| x.shape()[axis].saturating_sub(first);
    let len = left(rows, row).min(left(columns, column));
    let mut start = vec![0; x.ndim()];
    if len > 0 {
        (start[rows], start[columns]) = (row, column);
    }
    let steps = |moves: &dyn Fn(usize) -> bool| (0..x.ndim()).map(|axis| isize::from(moves(axis))).collect();
    let others = (0..x.ndim()).filter(|&axis| axis != rows && axis != columns);
    let mut axes: Vec<AffineAxis> = others.map(|own| (x.shape()[own], steps(&|axis| axis == own))).collect();
    axes.push((len, steps(&|axis| axis == rows || axis == columns)));
    affine(x, &start, &axes)
}

/// Windows of a length along an axis, `step` elements apart, with their elements along a new last axis: a view of a
/// [tracked](super::Viewing::track) argument. There are those that fit whole.
///
/// # Errors
/// As [`affine`].
pub fn windows(x: &Array, axis: usize, size: usize, step: usize) -> Result<Array> {
    let along = |own: usize, n: usize| (0..x.ndim()).map(|i| if i == own { n as isize } else { 0 }).collect();
    let mut axes: Vec<AffineAxis> =
        x.shape().iter().enumerate().map(|(own, &n)| (n, along(own, 1))).collect();
    axes[axis] = ((x.shape()[axis] + 1).saturating_sub(size).div_ceil(step.max(1)), along(axis, step));
    axes.push((size, along(axis, 1)));
    affine(x, &vec![0; x.ndim()], &axes)
}

/// The view that a [tracked](super::Viewing::track) argument of a call is; `None` for other arrays.
pub fn tracked_view(x: &Array) -> Option<&View> {
    wrapper::noted::<Source>(x)?.note.as_ref().map(|tracked| &tracked.view)
}

impl View {
    fn affine(&self, start: &[usize], axes: &[AffineAxis]) -> View {
        self.with(self.last.affine(start, axes))
    }
}
