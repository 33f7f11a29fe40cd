//! From an index expression and shapes to ops: a pure decision.
//!
//! Reading and writing share one plan. With `x` the array and `plan` its plan:
//!
//! - Reading: `x`, then [`Op::Slice`](crate::Op) by `plan.slices` (skipped if
//!   [`IndexPlan::takes_all`]), then `Reshape` to `plan.shape`. Without arrays that is the result.
//!   With arrays, `PermuteDims` by [`Advanced::front`], `Gather` over [`Advanced::indexed`] axes
//!   with the index arrays in order, `PermuteDims` by [`Advanced::to_place`].
//! - Writing: the value is broadcast to the shape of the result. Without arrays it is reshaped to
//!   [`IndexPlan::slice_shape`] and goes to `x` by `SetSlice`. With arrays it goes through the
//!   inverse of [`Advanced::to_place`] and by `Scatter` into what `Gather` would have read; that
//!   goes through the inverse of [`Advanced::front`], to [`IndexPlan::slice_shape`], and by
//!   `SetSlice` back into `x`.
//!
//! A mask takes part as the index arrays that `Nonzero` makes of it, once it has the shape
//! [`ArrayIndex::mask_shape`].

use crate::{AxisSlice, Dims, ErrorKind, Result, Shape, shape};

/// An entry of an index expression as far as a plan depends on it: arrays by their shape.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IndexKind<'a> {
    /// A position.
    Int(i64),
    /// Python's `start:stop:step`.
    Slice {
        /// The first position, or that at the end the step comes from.
        start: Option<i64>,
        /// The position before which it ends.
        stop: Option<i64>,
        /// The distance of positions, not 0.
        step: i64,
    },
    /// Full slices for what is left over.
    Ellipsis,
    /// A new axis.
    NewAxis,
    /// A bool array of this shape; it indexes as many axes as it has.
    Mask(&'a [usize]),
    /// An integer array of this shape; it indexes one axis.
    Array(&'a [usize]),
}

/// What an index expression does to arrays of one shape.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IndexPlan {
    /// The part of each axis that is selected, for `Op::Slice` and `Op::SetSlice`. An empty part
    /// starts at 0 with step 1, as does every part of one position but for its start.
    pub slices: Dims<AxisSlice>,
    /// The shape after slicing, without the axes of integers and with the new axes.
    pub shape: Shape,
    /// What arrays select of that; `None` if the expression has none.
    pub advanced: Option<Advanced>,
}

/// The part of a plan that comes from arrays. Axes are those of [`IndexPlan::shape`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Advanced {
    /// The arrays, in the order of the expression.
    pub arrays: Dims<ArrayIndex>,
    /// The permutation (as of `PermuteDims`) that brings the indexed axes to the front, in the
    /// order of the arrays, and leaves the others in order.
    pub front: Dims,
    /// The lengths of the axes that are not indexed, in order.
    pub rest: Shape,
    /// The common rank of the index arrays (a mask's are of rank 1).
    pub rank: usize,
    /// The shape to which the index arrays broadcast; `None` if the values of a mask decide it.
    pub index_shape: Option<Shape>,
    /// How many of `rest` stand before the axes of the index arrays in the result.
    pub at: usize,
}

/// One array of an index expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ArrayIndex {
    /// Its number among all the entries of the expression.
    pub entry: usize,
    /// The first axis that it indexes.
    pub axis: usize,
    /// The axis of the array itself that this is, for errors. (A zero-d mask indexes a new axis,
    /// and has the next one here.)
    pub source_axis: usize,
    /// For a mask, the shape to give it: its own, but `[1]` for a zero-d mask.
    pub mask_shape: Option<Shape>,
}

impl IndexPlan {
    /// The shape of the slice.
    pub fn slice_shape(&self) -> Shape {
        self.slices.iter().map(|s| s.len).collect()
    }

    /// True if the slice is the whole array, in order.
    pub fn takes_all(&self, shape: &[usize]) -> bool {
        self.slices.iter().zip(shape).all(|(s, &len)| s.start == 0 && s.step == 1 && s.len == len)
    }

    /// The shape of the result, given the shape to which the index arrays broadcast (any without
    /// arrays).
    pub fn result_shape(&self, index_shape: &[usize]) -> Shape {
        match &self.advanced {
            None => self.shape.clone(),
            Some(a) => {
                let (before, after) = a.rest.split_at(a.at);
                before.iter().chain(index_shape).chain(after).copied().collect()
            }
        }
    }
}

impl Advanced {
    /// How many axes are indexed: the number of index arrays once each mask is expanded.
    pub fn indexed(&self) -> usize {
        self.front.len() - self.rest.len()
    }

    /// The permutation from what `Gather` gives (index axes first) to the result.
    pub fn to_place(&self) -> Dims {
        (self.rank..self.rank + self.at)
            .chain(0..self.rank)
            .chain(self.rank + self.at..self.rank + self.rest.len())
            .collect()
    }
}

/// The permutation that undoes another.
pub fn inverse_permutation(axes: &[usize]) -> Dims {
    let mut inverse = Dims::from_elem(0, axes.len());
    axes.iter().enumerate().for_each(|(to, &from)| inverse[from] = to);
    inverse
}

/// Python's slice of an axis, as positions that are all there.
///
/// # Errors
/// [`ErrorKind::InvalidArgument`] for a step of 0.
pub fn resolve_slice(
    function: &'static str,
    length: usize,
    start: Option<i64>,
    stop: Option<i64>,
    step: i64,
) -> Result<AxisSlice> {
    if step == 0 {
        return Err(invalid(function, "0".into(), "the step of a slice must not be 0"));
    }
    let (len, step) = (length as i128, i128::from(step));
    // Backwards, the bounds live one position lower: -1 is before the first position.
    let (low, high) = if step > 0 { (0, len) } else { (-1, len - 1) };
    let clamp = |bound: i64| {
        let bound = i128::from(bound);
        (if bound < 0 { bound + len } else { bound }).clamp(low, high)
    };
    let (first, last) = if step > 0 { (low, high) } else { (high, low) };
    let (start, stop) = (start.map_or(first, clamp), stop.map_or(last, clamp));
    let distance = if step > 0 { stop - start } else { start - stop };
    let count = if distance > 0 { (distance - 1) / step.abs() + 1 } else { 0 };
    Ok(match count {
        0 => AxisSlice { start: 0, step: 1, len: 0 },
        1 => AxisSlice { start: start as usize, step: 1, len: 1 },
        // Two positions fit, so the step is shorter than the axis.
        _ => AxisSlice { start: start as usize, step: step as isize, len: count as usize },
    })
}

/// The plan of an index expression for an array's shape.
///
/// Arrays index as in NumPy: their shapes broadcast, and the axes of that shape stand in the
/// place of the first array if all arrays and integers are neighbours in the expression, and
/// come first otherwise.
///
/// # Errors
/// [`ErrorKind::IndexOutOfRange`] for a position that its axis does not have,
/// [`ErrorKind::InvalidArgument`] for too many entries, two ellipses or a step of 0,
/// [`ErrorKind::ShapeMismatch`] for a mask with other lengths than the axes that it indexes, and
/// [`ErrorKind::BroadcastShapes`] for index arrays that do not broadcast.
pub fn plan_index(function: &'static str, shape: &[usize], indices: &[IndexKind<'_>]) -> Result<IndexPlan> {
    let used: usize = indices.iter().map(IndexKind::axes).sum();
    if used > shape.len() {
        let value = format!("{used} indexed axes for shape {}", Shape::from(shape));
        return Err(invalid(function, value, "there are more indices than axes"));
    }
    if indices.iter().filter(|i| **i == IndexKind::Ellipsis).count() > 1 {
        let rule = "an index expression has at most one ellipsis";
        return Err(invalid(function, "two ellipses".into(), rule));
    }
    let mut builder = Builder { function, source: shape, ..Builder::default() };
    for (entry, index) in indices.iter().enumerate() {
        if *index == IndexKind::Ellipsis {
            builder.full_axes(shape.len() - used);
        } else {
            builder.entry(entry, index)?;
        }
        builder.place.see(index, builder.shape.len() - builder.indexed.len());
    }
    builder.full_axes(shape.len() - builder.slices.len());
    builder.finish(indices)
}

impl IndexKind<'_> {
    /// How many axes of the array the entry takes up (an ellipsis by itself none).
    fn axes(&self) -> usize {
        match self {
            IndexKind::Int(_) | IndexKind::Slice { .. } | IndexKind::Array(_) => 1,
            IndexKind::Mask(shape) => shape.len(),
            IndexKind::Ellipsis | IndexKind::NewAxis => 0,
        }
    }

    fn is_array(&self) -> bool {
        matches!(self, IndexKind::Mask(_) | IndexKind::Array(_))
    }
}

fn invalid(function: &'static str, value: String, rule: &'static str) -> crate::Error {
    ErrorKind::InvalidArgument { function, argument: "indices", value, rule }.into()
}

/// Where the axes of the index arrays go: arrays and integers in one run keep their place.
#[derive(Default)]
struct Placement {
    /// Axes of the result before the first array or integer.
    before: usize,
    runs: usize,
    in_run: bool,
}

impl Placement {
    /// Takes note of an entry, after which `rest` axes that are not indexed have been seen.
    fn see(&mut self, index: &IndexKind<'_>, rest: usize) {
        let advanced = index.is_array() || matches!(index, IndexKind::Int(_));
        if advanced && !self.in_run {
            self.runs += 1;
            if self.runs == 1 {
                self.before = rest;
            }
        }
        self.in_run = advanced;
    }
}

#[derive(Default)]
struct Builder<'a> {
    function: &'static str,
    source: &'a [usize],
    slices: Dims<AxisSlice>,
    shape: Dims,
    arrays: Dims<ArrayIndex>,
    /// The axes of `shape` that arrays index, in order.
    indexed: Dims,
    place: Placement,
}

impl Builder<'_> {
    fn keep(&mut self, slice: AxisSlice) {
        self.shape.push(slice.len);
        self.slices.push(slice);
    }

    fn full_axes(&mut self, count: usize) {
        for _ in 0..count {
            self.keep(AxisSlice { start: 0, step: 1, len: self.source[self.slices.len()] });
        }
    }

    fn entry(&mut self, entry: usize, index: &IndexKind<'_>) -> Result<()> {
        let (function, axis) = (self.function, self.slices.len());
        match *index {
            IndexKind::Int(index) => {
                let length = self.source[axis];
                let start = if index < 0 { index as i128 + length as i128 } else { index as i128 };
                if !(0..length as i128).contains(&start) {
                    let index = index.into();
                    return Err(
                        ErrorKind::IndexOutOfRange { function, index, axis, length, position: None }.into()
                    );
                }
                self.slices.push(AxisSlice { start: start as usize, step: 1, len: 1 });
            }
            IndexKind::Slice { start, stop, step } => {
                let slice = resolve_slice(function, self.source[axis], start, stop, step)?;
                self.keep(slice);
            }
            IndexKind::NewAxis => self.shape.push(1),
            IndexKind::Array(_) => {
                self.array(entry, None);
                self.index_axes(1);
            }
            // A zero-d mask selects all or nothing along a new axis.
            IndexKind::Mask([]) => {
                self.array(entry, Some(Shape::from([1])));
                self.indexed.push(self.shape.len());
                self.shape.push(1);
            }
            IndexKind::Mask(mask) => {
                let wanted = &self.source[axis..axis + mask.len()];
                // A mask without elements selects nothing, whatever the axis has.
                if !mask.iter().zip(wanted).all(|(&len, &axis)| len == axis || len == 0) {
                    let expected = format!("{} (the axes from {axis} on)", Shape::from(wanted));
                    let actual = Shape::from(mask);
                    return Err(ErrorKind::ShapeMismatch {
                        function,
                        argument: "the mask",
                        expected,
                        actual,
                    }
                    .into());
                }
                self.array(entry, Some(Shape::from(mask)));
                self.index_axes(mask.len());
            }
            // The caller knows how many axes it stands for.
            IndexKind::Ellipsis => {}
        }
        Ok(())
    }

    fn array(&mut self, entry: usize, mask_shape: Option<Shape>) {
        let (axis, source_axis) = (self.shape.len(), self.slices.len());
        self.arrays.push(ArrayIndex { entry, axis, source_axis, mask_shape });
    }

    /// Takes whole axes for an array to index.
    fn index_axes(&mut self, count: usize) {
        let first = self.shape.len();
        self.indexed.extend(first..first + count);
        self.full_axes(count);
    }

    fn finish(self, indices: &[IndexKind<'_>]) -> Result<IndexPlan> {
        let Builder { function, slices, shape, arrays, indexed, place, .. } = self;
        let shape = Shape::from(shape);
        if arrays.is_empty() {
            return Ok(IndexPlan { slices, shape, advanced: None });
        }
        let mut integers: Dims<&[usize]> = Dims::new();
        let mut masked = false;
        for index in indices {
            match index {
                IndexKind::Array(shape) => integers.push(shape),
                IndexKind::Mask(_) => masked = true,
                _ => {}
            }
        }
        let known = shape::broadcast(function, &integers)?;
        let rest_axes: Dims = (0..shape.len()).filter(|axis| !indexed.contains(axis)).collect();
        let advanced = Advanced {
            arrays,
            front: indexed.iter().chain(&rest_axes).copied().collect(),
            rest: rest_axes.iter().map(|&axis| shape[axis]).collect(),
            rank: known.len().max(usize::from(masked)),
            index_shape: (!masked).then_some(known),
            at: if place.runs == 1 { place.before } else { 0 },
        };
        Ok(IndexPlan { slices, shape, advanced: Some(advanced) })
    }
}
