//! Index maps: how the elements of a view are found in what it is a view of.

use ivy_core::host::contiguous_strides;
use ivy_core::{AxisSlice, Dims};
use smallvec::SmallVec;

/// `offset + steps[0] * x[0] + steps[1] * x[1] + ...` of coordinates `x`; steps that are left
/// out are 0.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Affine {
    /// The value at the origin.
    pub offset: isize,
    /// What a step along each axis adds.
    pub steps: Dims<isize>,
}

impl Affine {
    /// One coordinate times a step, of `rank`.
    fn along(rank: usize, axis: usize, step: isize, offset: isize) -> Affine {
        let mut steps = Dims::from_elem(0, rank);
        steps[axis] = step;
        Affine { offset, steps }
    }

    fn add(&mut self, other: &Affine, times: isize) {
        self.offset += other.offset * times;
        if self.steps.len() < other.steps.len() {
            self.steps.resize(other.steps.len(), 0);
        }
        self.steps.iter_mut().zip(&other.steps).for_each(|(a, b)| *a += b * times);
    }

    /// The least and the greatest value for coordinates in a shape; `None` in one without elements.
    pub fn range(&self, shape: &[usize]) -> Option<(isize, isize)> {
        let reach = |(&s, &length): (&isize, &usize)| Some(s * length.checked_sub(1)? as isize);
        let mut range = (self.offset, self.offset);
        for far in self.steps.iter().zip(shape).map(reach) {
            let far = far?;
            range = (range.0 + far.min(0), range.1 + far.max(0));
        }
        (!shape.contains(&0)).then_some(range)
    }

    /// The value of affine functions of other coordinates, put into this one.
    fn of(&self, inner: &[Affine]) -> Affine {
        let mut sum = Affine { offset: self.offset, steps: Dims::new() };
        self.steps.iter().zip(inner).filter(|(s, _)| **s != 0).for_each(|(&s, row)| sum.add(row, s));
        sum
    }
}

/// Where the element of a view with coordinates `x` stands in what it is a view of: a function
/// of `x` for each of its axes. Within the view's shape, all values lie within those axes.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Map {
    rows: SmallVec<[Affine; 4]>,
}

impl Map {
    /// Every axis at its own coordinate.
    pub fn same(rank: usize) -> Map {
        Map { rows: (0..rank).map(|a| Affine::along(rank, a, 1, 0)).collect() }
    }

    /// Each axis at one coordinate of `rank`, or at 0.
    pub fn pick(rank: usize, axes: impl IntoIterator<Item = Option<usize>>) -> Map {
        let row = |axis: Option<usize>| axis.map_or_else(Affine::default, |a| Affine::along(rank, a, 1, 0));
        Map { rows: axes.into_iter().map(row).collect() }
    }

    /// A part of each axis.
    pub fn slice(axes: &[AxisSlice]) -> Map {
        let row = |(a, s): (usize, &AxisSlice)| match s.len {
            0 | 1 => Affine { offset: s.start as isize, steps: Dims::new() },
            _ => Affine::along(axes.len(), a, s.step, s.start as isize),
        };
        Map { rows: axes.iter().enumerate().map(row).collect() }
    }

    /// Axis `i` is axis `axes[i]` of what is viewed.
    pub fn permute(axes: &[usize]) -> Map {
        let mut rows: SmallVec<[Affine; 4]> = SmallVec::from_elem(Affine::default(), axes.len());
        axes.iter().enumerate().for_each(|(i, &a)| rows[a] = Affine::along(axes.len(), i, 1, 0));
        Map { rows }
    }

    /// Axes count from the right; of those that are repeated, coordinate 0.
    pub fn broadcast(from: &[usize], to: &[usize]) -> Map {
        let row = |(i, &length): (usize, &usize)| match (to.len() + i).checked_sub(from.len()) {
            Some(axis) if length != 1 => Affine::along(to.len(), axis, 1, 0),
            _ => Affine::default(),
        };
        Map { rows: from.iter().enumerate().map(row).collect() }
    }

    /// The same elements in row-major order under another shape of the same size: there is a
    /// map if no axis of `to` covers several axes of `from`, but for those of length 1.
    pub fn reshape(from: &[usize], to: &[usize]) -> Option<Map> {
        let mut rows: SmallVec<[Affine; 4]> = SmallVec::from_elem(Affine::default(), from.len());
        if from.contains(&0) {
            return Some(Map { rows });
        }
        let mut next = (0..to.len()).rev().filter(|&a| to[a] != 1);
        for (i, &length) in from.iter().enumerate().rev().filter(|(_, l)| **l != 1) {
            let mut covered = 1;
            while covered < length {
                let axis = next.next()?;
                rows[i].add(&Affine::along(to.len(), axis, 1, 0), covered as isize);
                covered *= to[axis];
            }
            if covered != length {
                return None;
            }
        }
        Some(Map { rows })
    }

    /// Each axis so many elements earlier.
    pub fn before(&self, by: impl IntoIterator<Item = usize>) -> Map {
        let row = |(row, by): (&Affine, usize)| Affine { offset: row.offset - by as isize, ..row.clone() };
        Map { rows: self.rows.iter().zip(by).map(row).collect() }
    }

    /// The place along each axis.
    pub fn rows(&self) -> &[Affine] {
        &self.rows
    }

    /// This map of coordinates that another one gives.
    pub fn after(&self, inner: &Map) -> Map {
        Map { rows: self.rows.iter().map(|row| row.of(&inner.rows)).collect() }
    }

    /// Where the elements of an array with these strides stand.
    pub fn place(&self, strides: &[isize]) -> Affine {
        Affine { offset: 0, steps: strides.iter().copied().collect() }.of(&self.rows)
    }

    /// The number of the element in row-major order.
    pub fn order(&self, shape: &[usize]) -> Affine {
        self.place(&contiguous_strides(shape))
    }

    /// True if no axis of the view makes a difference.
    pub fn is_constant(&self) -> bool {
        self.rows.iter().all(|row| row.steps.iter().all(|&s| s == 0))
    }

    /// True if axis `axis` of the view makes no difference.
    pub fn ignores(&self, axis: usize) -> bool {
        self.rows.iter().all(|row| row.steps.get(axis).is_none_or(|&s| s == 0))
    }
}
