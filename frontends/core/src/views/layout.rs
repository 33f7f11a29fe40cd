//! Strided layouts: which elements of an array a view has.

use ivy_core::{Array, AxisSlice, Dims, Dtype, Index, Result, Shape, functional as f};

/// Elements of an array in row-major order, by an offset and a stride for each axis, both in elements.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Layout {
    /// The shape of the array.
    frame: Shape,
    offset: usize,
    shape: Shape,
    /// One for each axis of `shape`; 0 along what is broadcast.
    strides: Dims<isize>,
}

/// A layout as a basic index expression of the array in another shape of the same order.
struct Slicing {
    frame: Shape,
    /// For each axis of the frame its slice, or its position where no axis of the view moves along it.
    indices: Vec<Index>,
    /// The axes of the view along which it moves, in the order of the frame's axes.
    moving: Dims,
}

/// The row-major strides of a shape.
fn row_major(shape: &[usize]) -> Dims<isize> {
    let mut strides = Dims::from_elem(1, shape.len());
    for axis in (1..shape.len()).rev() {
        strides[axis - 1] = strides[axis] * shape[axis].max(1) as isize;
    }
    strides
}

impl Layout {
    /// All of an array.
    pub(super) fn whole(shape: &Shape) -> Layout {
        Layout { frame: shape.clone(), offset: 0, shape: shape.clone(), strides: row_major(shape) }
    }

    /// The lengths of the view's axes.
    pub(super) fn shape(&self) -> &Shape {
        &self.shape
    }

    /// The place of the first element.
    pub(super) fn offset(&self) -> usize {
        self.offset
    }

    /// The view's strides in elements.
    pub(super) fn strides(&self) -> &[isize] {
        &self.strides
    }

    /// Whether several places of the view are one element.
    pub(super) fn repeats(&self) -> bool {
        self.size() > 0 && self.shape.iter().zip(&self.strides).any(|(&n, &stride)| n > 1 && stride == 0)
    }

    /// Whether several places of the view are one element, which strides other than 0 may say as well: windows that overlap.
    pub(super) fn overlaps_itself(&self) -> bool {
        if self.size() == 0 {
            return false;
        }
        let mut axes: Dims<(usize, usize)> = self
            .shape
            .iter()
            .zip(&self.strides)
            .filter(|(n, _)| **n > 1)
            .map(|(&n, stride)| (stride.unsigned_abs(), n))
            .collect();
        axes.sort_unstable();
        // Each step is longer than all that the shorter ones reach together.
        let mut reach = 0;
        let apart = axes.iter().all(|&(stride, n)| {
            let is_longer = stride > reach;
            reach += stride * (n - 1);
            is_longer
        });
        if apart || self.repeats() {
            return !apart;
        }
        // More places than elements: windows that overlap are not counted one by one.
        if self.size() > self.frame.size() {
            return true;
        }
        let mut positions = self.positions();
        positions.sort_unstable();
        positions.windows(2).any(|pair| pair[0] == pair[1])
    }

    /// Whether it is all of the array, as it is.
    pub(super) fn is_whole(&self) -> bool {
        self.shape == self.frame && self.is_contiguous() && self.offset == 0
    }

    /// Whether the elements follow each other in row-major order.
    pub(super) fn is_contiguous(&self) -> bool {
        let expected = row_major(&self.shape);
        self.size() == 0
            || (0..self.shape.len()).all(|i| self.shape[i] == 1 || self.strides[i] == expected[i])
    }

    fn size(&self) -> usize {
        self.shape.size()
    }

    fn with(&self, offset: usize, shape: Shape, strides: Dims<isize>) -> Layout {
        Layout { frame: self.frame.clone(), offset, shape, strides }
    }

    /// The part of each axis that a slice has.
    pub(super) fn slice(&self, axes: &[AxisSlice]) -> Layout {
        let shape: Shape = axes.iter().map(|axis| axis.len).collect();
        let starts = axes.iter().zip(&self.strides).map(|(axis, &stride)| axis.start as isize * stride);
        // Of nothing the start may lie behind the end.
        let offset = if shape.size() == 0 { 0 } else { self.offset as isize + starts.sum::<isize>() };
        let strides = axes.iter().zip(&self.strides).map(|(axis, &stride)| axis.step * stride).collect();
        self.with(offset as usize, shape, strides)
    }

    /// Axis `axes[i]` as axis `i`.
    pub(super) fn permute(&self, axes: &[usize]) -> Layout {
        let shape = axes.iter().map(|&axis| self.shape[axis]).collect();
        self.with(self.offset, shape, axes.iter().map(|&axis| self.strides[axis]).collect())
    }

    /// The elements at affine positions: those of `start`, and along each new axis, of which there is the length, so many
    /// steps further along each axis of this layout.
    pub(super) fn affine(&self, start: &[usize], axes: &[(usize, Dims<isize>)]) -> Layout {
        let along = |steps: &[isize]| steps.iter().zip(&self.strides).map(|(n, stride)| n * stride).sum();
        let shape: Shape = axes.iter().map(|(len, _)| *len).collect();
        let moved: isize = start.iter().zip(&self.strides).map(|(&at, stride)| at as isize * stride).sum();
        let offset = if shape.size() == 0 { 0 } else { self.offset as isize + moved };
        self.with(offset as usize, shape, axes.iter().map(|(_, steps)| along(steps)).collect())
    }

    /// Repeated along axes of length 1 and new leading axes.
    pub(super) fn broadcast(&self, shape: &Shape) -> Layout {
        let new = shape.len() - self.shape.len();
        let stride = |axis: usize| match axis.checked_sub(new) {
            Some(own) if self.shape[own] == shape[axis] => self.strides[own],
            _ => 0,
        };
        self.with(self.offset, shape.clone(), (0..shape.len()).map(stride).collect())
    }

    /// The same elements in the same order under another shape, where strides can say that: each run of axes whose
    /// elements are evenly spaced is split and joined at will.
    pub(super) fn reshape(&self, shape: &Shape) -> Option<Layout> {
        if self.size() == 0 {
            return Some(self.with(0, shape.clone(), row_major(shape)));
        }
        let old: Vec<(usize, isize)> =
            self.shape.iter().copied().zip(self.strides.iter().copied()).filter(|&(n, _)| n > 1).collect();
        let mut strides: Dims<isize> = Dims::from_elem(0, shape.len());
        let (mut from, mut to) = (0, 0);
        while from < old.len() {
            // The fewest axes of both sides with as many elements.
            let (first_old, first_new) = (from, to);
            let (mut have, mut want) = (old[from].0, 1);
            from += 1;
            loop {
                if want < have || to < shape.len() && shape[to] == 1 {
                    want *= *shape.get(to)?;
                    to += 1;
                } else if have < want {
                    have *= old.get(from)?.0;
                    from += 1;
                } else {
                    break;
                }
            }
            let even = |pair: &[(usize, isize)]| pair[0].1 == pair[1].1 * pair[1].0 as isize;
            if !old[first_old..from].windows(2).all(even) {
                return None;
            }
            let mut stride = old[from - 1].1;
            for axis in (first_new..to).rev() {
                strides[axis] = stride;
                stride *= shape[axis] as isize;
            }
        }
        Some(self.with(self.offset, shape.clone(), strides))
    }

    /// The first and the last element of the array that it has; `None` for an empty one.
    pub(super) fn bounds(&self) -> Option<(usize, usize)> {
        if self.size() == 0 {
            return None;
        }
        let (mut least, mut most) = (self.offset as isize, self.offset as isize);
        for (&n, &stride) in self.shape.iter().zip(&self.strides) {
            let reach = (n as isize - 1) * stride;
            if reach < 0 { least += reach } else { most += reach }
        }
        Some((least as usize, most as usize))
    }

    /// The positions of the elements in the array, in the order of the view.
    pub(super) fn positions(&self) -> Vec<i64> {
        let mut positions = vec![self.offset as i64];
        if self.size() == 0 {
            return Vec::new();
        }
        for (&n, &stride) in self.shape.iter().zip(&self.strides) {
            let steps = |&at: &i64| (0..n as i64).map(move |i| at + i * stride as i64);
            positions = positions.iter().flat_map(steps).collect();
        }
        positions
    }

    /// The elements of the view.
    pub(super) fn read(&self, x: &Array) -> Result<Array> {
        if self.size() == self.frame.size() && self.offset == 0 && self.is_contiguous() {
            return framed(x.clone(), &self.shape);
        }
        if self.repeats() {
            let once = self.once();
            return f::broadcast_to(once.read(x)?, self.shape.clone());
        }
        let shape: Vec<i64> = lengths(&self.shape);
        let Some(slicing) = self.slicing() else {
            let found = f::take(flat(x)?, self.places(x)?, f::Take::new().axis(0))?;
            return f::reshape(found, shape, ());
        };
        let mut found = framed(x.clone(), &slicing.frame)?.get(&slicing.indices)?;
        // From the order of the frame's axes to that of the view's.
        let mut order: Vec<i64> = (0..slicing.moving.len() as i64).collect();
        order.sort_by_key(|&i| slicing.moving[i as usize]);
        if !order.is_sorted() {
            found = f::permute_dims(found, order)?;
        }
        if found.shape() != &self.shape {
            found = f::reshape(found, shape, ())?;
        }
        Ok(found)
    }

    /// Replaces the elements of the view. Storage that nobody else holds is written in place; after an error the array is
    /// as before.
    pub(super) fn write(&self, x: &mut Array, value: Array) -> Result<()> {
        if self.is_whole() {
            *x = framed(value, x.shape())?;
            return Ok(());
        }
        if self.size() == 0 {
            return Ok(());
        }
        let Some(slicing) = self.slicing() else {
            let index = Index::Array(self.places(x)?);
            return set_in(x, &Shape::from([self.frame.size()]), &[index], flat(&value)?);
        };
        let mut value = value;
        if slicing.moving.len() != self.shape.len() {
            let mut axes = slicing.moving.clone();
            axes.sort_unstable();
            let moved: Vec<i64> = axes.iter().map(|&axis| self.shape[axis] as i64).collect();
            value = f::reshape(value, moved, ())?;
        }
        // From the order of the view's axes to that of the frame's.
        let rank = |axis: usize| slicing.moving.iter().filter(|&&other| other < axis).count() as i64;
        let order: Vec<i64> = slicing.moving.iter().map(|&axis| rank(axis)).collect();
        if !order.is_sorted() {
            value = f::permute_dims(value, order)?;
        }
        set_in(x, &slicing.frame, &slicing.indices, value)
    }

    /// Without repetition: of length 1 where the strides are 0.
    fn once(&self) -> Layout {
        let shape = self.shape.iter().zip(&self.strides);
        let shape = shape.map(|(&n, &stride)| if stride == 0 { n.min(1) } else { n }).collect();
        self.with(self.offset, shape, self.strides.clone())
    }

    fn places(&self, like: &Array) -> Result<Array> {
        let positions = self.positions();
        let numbers: Vec<ivy_core::Scalar> =
            positions.iter().map(|&at| ivy_core::Scalar::Int(at.into())).collect();
        crate::from_scalars(&numbers, Shape::from([numbers.len()]), like.backend(), Dtype::INT64)
    }

    fn slicing(&self) -> Option<Slicing> {
        if self.size() == 0 {
            return None;
        }
        // A diagonal is evenly spaced in a row of all elements.
        let flat = || self.slicing_of(&Shape::from([self.frame.size()]));
        self.slicing_of(&self.frame).or_else(|| self.slicing_of(&self.own_frame()?)).or_else(flat)
    }

    /// The array's elements in axes as long as the distances of the view's strides.
    fn own_frame(&self) -> Option<Shape> {
        let mut strides: Vec<usize> = self
            .shape
            .iter()
            .zip(&self.strides)
            .filter(|(n, _)| **n > 1)
            .map(|(_, s)| s.unsigned_abs())
            .collect();
        strides.sort_unstable_by(|a, b| b.cmp(a));
        strides.dedup();
        let mut frame = Dims::new();
        let mut rest = self.frame.size();
        for stride in strides {
            if stride == 0 || !rest.is_multiple_of(stride) {
                return None;
            }
            frame.push(rest / stride);
            rest = stride;
        }
        frame.push(rest);
        Some(frame.into_iter().collect())
    }

    fn slicing_of(&self, frame: &Shape) -> Option<Slicing> {
        let along = row_major(frame);
        let mut rest = self.offset;
        let digits: Dims = along
            .iter()
            .map(|&stride| {
                let digit = rest / stride as usize;
                rest %= stride as usize;
                digit
            })
            .collect();
        let mut mover: Dims<Option<(usize, isize)>> = Dims::from_elem(None, frame.len());
        for (axis, (&n, &stride)) in self.shape.iter().zip(&self.strides).enumerate() {
            if n == 1 {
                continue;
            }
            let fits = |i: &usize| {
                let last = digits[*i] as isize + stride / along[*i] * (n as isize - 1);
                frame[*i] > 1 && stride % along[*i] == 0 && (0..frame[*i] as isize).contains(&last)
            };
            let found = (0..frame.len()).find(fits)?;
            if mover[found].replace((axis, stride / along[found])).is_some() {
                return None;
            }
        }
        let index = |(i, moving): (usize, &Option<(usize, isize)>)| {
            let start = digits[i] as i64;
            match moving {
                None => Index::Int(start),
                Some((axis, step)) => {
                    let stop = start + *step as i64 * self.shape[*axis] as i64;
                    // Below the first position there is no number for the bound.
                    let stop = (stop >= 0).then_some(stop);
                    Index::Slice { start: Some(start), stop, step: *step as i64 }
                }
            }
        };
        let indices = mover.iter().enumerate().map(index).collect();
        let moving = mover.iter().flatten().map(|&(axis, _)| axis).collect();
        Some(Slicing { frame: frame.clone(), indices, moving })
    }
}

pub(super) fn lengths(shape: &[usize]) -> Vec<i64> {
    shape.iter().map(|&n| n as i64).collect()
}

fn flat(x: &Array) -> Result<Array> {
    framed(x.clone(), &Shape::from([x.size()]))
}

fn framed(x: Array, frame: &Shape) -> Result<Array> {
    if x.shape() == frame { Ok(x) } else { f::reshape(x, lengths(frame), ()) }
}

/// Replaces elements of an array in another shape of the same order.
fn set_in(x: &mut Array, frame: &Shape, indices: &[Index], value: Array) -> Result<()> {
    if x.shape() == frame {
        return x.set(indices, value);
    }
    let shape = x.shape().clone();
    // The only handle of the elements is the one that is written to.
    *x = f::reshape(&*x, lengths(frame), ())?;
    let written = x.set(indices, value);
    *x = f::reshape(&*x, lengths(&shape), ())?;
    written
}
