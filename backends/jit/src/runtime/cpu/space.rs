//! The iteration space of a launch: rows of elements, and how each input walks along them.

use super::view::View;
use crate::codegen::llvm::LANES;
use crate::ir::fold::COLUMNS;
use crate::ir::{Access, NEXT, Param, STEPS, Steps};
use crate::runtime::Reading;
use ivy_core::{Dims, Dtype};
use smallvec::SmallVec;
use std::marker::PhantomData;

/// Bytes of a line of the caches.
pub(crate) const LINE: usize = 64;
/// Shorter rows are not worth an access of their own for small steps.
const STEPPED: usize = 64;
/// Inputs that are this many bytes from each other are walked together.
const NEAR: usize = 64 << 10;
/// Fewer rows or columns are not worth turning.
const TILED: usize = 16;
/// Elements of rows in which what is beside each other is read once.
const LONG: usize = 256;
/// Bytes of rows whose whole lines are worth to be written past the caches, where others are left over.
const LINED: usize = 1 << 10;
/// Columns that are worth folding side by side.
const WIDE: usize = 32;

/// How an input is walked. Strides count elements.
#[derive(Clone, Debug)]
pub(super) struct Walk {
    pub(super) first: *const u8,
    pub(super) bytes: usize,
    /// Whether an element has several parts.
    pub(super) parts: bool,
    dtype: Dtype,
    pub(super) outer: Dims<isize>,
    pub(super) inner: isize,
    /// Down a column that is folded.
    pub(super) down: isize,
    /// How it is read.
    pub(super) reading: Reading,
}

impl Walk {
    /// True if its elements are side by side, each in one part.
    fn is_plain(&self) -> bool {
        self.is_in_order() && !self.parts
    }

    /// True if memory is read in order, as far as it is read.
    pub(super) fn is_in_order(&self) -> bool {
        self.inner == 1 && matches!(self.reading, Reading::Walked | Reading::Guarded | Reading::Rows(_))
    }
}

/// Rows of `inner` elements, for each index of the `outer` axes; results are row-major. Axes
/// that every input walks alike are one. Where columns are folded, each row stands for as many
/// as are folded into it.
///
/// It is made of views only, so that every address it leads to lies within their memory, or is one that
/// no kernel reads ([`View`]).
#[derive(Clone, Debug)]
pub struct Space<'a> {
    pub(super) outer: Dims,
    pub(super) inner: usize,
    /// The length of a column, if columns are folded.
    pub(super) down: Option<usize>,
    pub(super) inputs: SmallVec<[Walk; 6]>,
    memory: PhantomData<&'a [u8]>,
}

// SAFETY: the addresses are of shared memory that is only read while the borrow lasts.
unsafe impl Sync for Space<'_> {}

/// Some axes of all inputs, outermost first, each merged into the one before where all inputs
/// allow.
struct Axes {
    lengths: Dims,
    strides: SmallVec<[Dims<isize>; 6]>,
}

impl Axes {
    fn new(shape: &[usize], inputs: &[View<'_>], chosen: impl Fn(usize) -> bool) -> Axes {
        let mut lengths = Dims::<usize>::new();
        let mut strides: SmallVec<[Dims<isize>; 6]> = inputs.iter().map(|_| Dims::new()).collect();
        for (axis, &length) in shape.iter().enumerate().filter(|(a, l)| chosen(*a) && **l != 1) {
            let alike =
                |(v, s): (&View<'_>, &Dims<isize>)| s.last() == Some(&(v.strides[axis] * length as isize));
            match lengths.last_mut() {
                Some(last) if inputs.iter().zip(&strides).all(alike) => {
                    *last *= length;
                    strides.iter_mut().for_each(|s| s.truncate(s.len() - 1));
                }
                _ => lengths.push(length),
            }
            inputs.iter().zip(&mut strides).for_each(|(v, s)| s.push(v.strides[axis]));
        }
        Axes { lengths, strides }
    }

    /// Takes the last axis out: its length, and its stride for each input.
    fn pop(&mut self) -> (usize, SmallVec<[isize; 6]>) {
        let length = self.lengths.pop().unwrap_or(1);
        (length, self.strides.iter_mut().map(|s| s.pop().unwrap_or(0)).collect())
    }
}

impl<'a> Space<'a> {
    /// The space of a shape; `None` if an input has another shape.
    pub fn new<V: Copy + Into<View<'a>>>(shape: &[usize], inputs: &[V]) -> Option<Space<'a>> {
        let inputs = &views(shape, inputs)?;
        let uniform = |v: &View<'_>| v.strides.iter().all(|&s| s == 0);
        if inputs.iter().all(|v| uniform(v) || v.is_contiguous()) {
            let walks = inputs.iter().map(|v| walk(v, Dims::new(), isize::from(!uniform(v)), 0)).collect();
            let inner = shape.iter().product();
            return Some(Space { outer: Dims::new(), inner, down: None, inputs: walks, memory: PhantomData });
        }
        let mut axes = Axes::new(shape, inputs, |_| true);
        let (inner, steps) = axes.pop();
        let walks = inputs.iter().zip(axes.strides).zip(steps).map(|((v, s), i)| walk(v, s, i, 0));
        let inputs = walks.collect();
        Some(Space { inner, inputs, outer: axes.lengths, down: None, memory: PhantomData })
    }

    /// The space of a fold over the axes that `folded` has a bit for: its rows are what is folded,
    /// or its columns. `None` if an input has another shape, or what is folded has no one stride.
    pub fn folding<V: Copy + Into<View<'a>>>(
        shape: &[usize],
        folded: u64,
        inputs: &[V],
    ) -> Option<Space<'a>> {
        let inputs = &views(shape, inputs)?;
        let chosen = |axis: usize| folded >> axis & 1 > 0;
        let (mut kept, mut along) =
            (Axes::new(shape, inputs, |a| !chosen(a)), Axes::new(shape, inputs, chosen));
        if along.lengths.len() > 1 {
            return None;
        }
        let (length, steps) = along.pop();
        // Columns side by side are better than steps through memory, for most of the inputs.
        let last = |s: &Dims<isize>| s.last().copied().unwrap_or(0);
        let read = |v: &View<'_>| v.reading != Reading::Counted;
        let sided = kept.strides.iter().zip(inputs).filter(|(s, v)| last(s) == 1 && read(v)).count();
        let plain = steps.iter().zip(inputs).filter(|&(&s, v)| s == 1 && read(v)).count();
        if sided > plain && kept.lengths.last().is_some_and(|&l| l >= WIDE) {
            let (inner, across) = kept.pop();
            let walks = inputs.iter().zip(kept.strides).zip(across.iter().zip(&steps));
            let inputs = walks.map(|((v, s), (&i, &d))| walk(v, s, i, d)).collect();
            let (outer, down) = (kept.lengths, Some(length));
            return Some(Space { outer, inner, down, inputs, memory: PhantomData });
        }
        let walks = inputs.iter().zip(kept.strides).zip(steps).map(|((v, s), i)| walk(v, s, i, 0));
        let inputs = walks.collect();
        Some(Space { outer: kept.lengths, inner: length, down: None, inputs, memory: PhantomData })
    }

    /// The space of a program over rows: those of the axes from `split` on, whose elements are
    /// all inputs' in one stride. `None` if they are not, or an input has another shape.
    pub fn rows_of<V: Copy + Into<View<'a>>>(
        shape: &[usize],
        split: usize,
        inputs: &[V],
    ) -> Option<Space<'a>> {
        let inputs = &views(shape, inputs)?;
        let (kept, mut along) =
            (Axes::new(shape, inputs, |a| a < split), Axes::new(shape, inputs, |a| a >= split));
        if along.lengths.len() > 1 {
            return None;
        }
        let (inner, steps) = along.pop();
        let walks = inputs.iter().zip(kept.strides).zip(steps).map(|((v, s), i)| walk(v, s, i, 0));
        let inputs = walks.collect();
        Some(Space { outer: kept.lengths, inner, down: None, inputs, memory: PhantomData })
    }

    /// How a kernel for this space finds the elements of an input; small steps and rows that stand
    /// side by side by accesses of their own, if wanted, and what is in order with memory asked ahead.
    pub fn access(&self, input: usize, steps: bool, tiles: bool, ahead: bool) -> Access {
        let walk = &self.inputs[input];
        if walk.reading != Reading::Walked {
            // Vectors side by side at distances need rows that have some.
            return match walk.reading.access(walk.inner) {
                Access::Gather(Steps::One) if self.inner < STEPPED => Access::Gather(Steps::Any),
                Access::Guarded(Steps::One) if ahead && self.down.is_none() && !walk.parts => {
                    Access::GuardedAhead
                }
                access => access,
            };
        }
        let ahead = ahead && (self.down.is_none() || self.inner >= COLUMNS);
        let aside = walk.outer.last() == Some(&1) && self.lines().0 >= TILED && self.inner >= TILED;
        match walk.inner {
            0 => Access::Uniform,
            1 if ahead && !walk.parts => Access::Ahead,
            1 => Access::Linear,
            s if steps && !walk.parts && self.inner >= STEPPED && STEPS.contains(&s) => {
                if ahead {
                    Access::StepAhead(s as i8)
                } else {
                    Access::Step(s as i8)
                }
            }
            _ if tiles && aside && !walk.parts => Access::Transposed,
            _ => Access::Strided,
        }
    }

    /// Says that an input is not read where it is walked, but at distances from there.
    ///
    /// # Safety
    /// The distances that the kernels of this space compute for an element, added to where the
    /// element is walked, lead to elements of the memory that the input's view is of.
    pub unsafe fn gather(&mut self, input: usize) {
        self.inputs[input].reading = Reading::Gathered;
    }

    /// True if elements of an input are not there everywhere: then no row may be shorter than a vector of
    /// code.
    pub(crate) fn is_guarded(&self) -> bool {
        self.inputs.iter().any(|w| w.reading == Reading::Guarded)
    }

    /// True if an input is read in vectors at distances: then no row may be shorter than those.
    pub fn gathers_rows(&self) -> bool {
        (0..self.inputs.len()).any(|i| self.access(i, false, false, false) == Access::Gather(Steps::One))
    }

    /// True if no other input is walked likewise a little further on, so that it is the first to reach
    /// what memory is to be asked for.
    pub fn leads(&self, input: usize) -> bool {
        let walk = &self.inputs[input];
        let before = |w: &Walk| {
            let distance = (w.first as usize).wrapping_sub(walk.first as usize);
            matches!(w.reading, Reading::Walked | Reading::Guarded)
                && (w.inner, &w.outer, w.bytes) == (walk.inner, &walk.outer, walk.bytes)
                && (1..NEAR).contains(&distance)
        };
        !self.inputs.iter().any(before)
    }

    /// How a kernel for this space finds the elements of an input beside those of another one, if they
    /// are few elements from each other in rows of some length.
    pub fn beside(&self, input: usize) -> Option<Access> {
        let wanted = self.down.is_none() && self.inner >= LONG && self.inputs[input].is_plain();
        let others = 0..if wanted { self.inputs.len().min(usize::from(u8::MAX)) } else { 0 };
        let leads = |i: usize| others.clone().all(|j| self.after(i, j).is_none());
        let found = |j: usize| Some((j, self.after(input, j)?)).filter(|_| leads(j));
        let (leader, by) = others.clone().find_map(found)?;
        let leader = leader as u8;
        Some(match self.inputs[input].reading {
            Reading::Guarded => Access::GuardedBeside { leader, by },
            _ => Access::Beside { leader, by },
        })
    }

    /// How many elements an input stands after another one that is walked likewise, if it is near.
    fn after(&self, input: usize, other: usize) -> Option<u8> {
        let (walk, other) = (&self.inputs[input], &self.inputs[other]);
        let distance = (walk.first as usize).wrapping_sub(other.first as usize);
        let near =
            distance.is_multiple_of(walk.bytes) && (1..=NEXT.into()).contains(&(distance / walk.bytes));
        let alike = near && other.is_plain() && (walk.dtype, &walk.outer) == (other.dtype, &other.outer);
        alike.then_some((distance / walk.bytes) as u8)
    }

    /// The number of rows.
    pub fn rows(&self) -> usize {
        self.outer.iter().product()
    }

    /// The elements of a row.
    pub fn row(&self) -> usize {
        self.inner
    }

    /// True if there is one row only, and no axis but that.
    pub(super) fn is_row(&self) -> bool {
        self.outer.is_empty()
    }

    /// True if rows of results of elements of so many bytes are whole lines of the caches, or so long that
    /// it pays to write those in them past the caches, and apart from these what is before and after.
    pub fn has_lines(&self, bytes: usize) -> bool {
        self.is_lines(bytes) || self.inner * bytes >= LINED
    }

    /// True if rows of results of elements of so many bytes are whole lines of the caches, or one row.
    pub fn is_lines(&self, bytes: usize) -> bool {
        self.outer.is_empty() || (self.inner * bytes).is_multiple_of(LINE)
    }

    /// True if columns are folded, not rows.
    pub fn folds_columns(&self) -> bool {
        self.down.is_some()
    }

    /// How many elements of a row stand before the first whose vector begins a line of the caches, in
    /// the input with the widest elements that are side by side. Fewer than a vector has; 0 if that is
    /// not so in every row alike, for it and for a result of elements of so many bytes.
    pub(super) fn lead(&self, bytes: usize) -> usize {
        let plain = |w: &&Walk| w.is_in_order() && !w.parts;
        let widest = self.inputs.iter().filter(plain).max_by_key(|w| w.bytes);
        let Some(w) = widest.filter(|w| (w.first as usize).is_multiple_of(w.bytes)) else { return 0 };
        let whole = |elements: usize, bytes: usize| (elements * bytes).is_multiple_of(LINE);
        let alike = w.outer.iter().all(|s| whole(s.unsigned_abs(), w.bytes)) && whole(self.inner, bytes);
        match self.outer.is_empty() || alike {
            true => lead(w.first as usize, w.bytes),
            false => 0,
        }
    }

    /// How far the first element is from the whole lines of the cache, of the rows that are adjacent in an input that is transposed.
    pub(super) fn lead_of_rows(&self) -> usize {
        let is_transposed =
            |w: &&Walk| w.inner != 1 && w.reading == Reading::Walked && w.outer.last() == Some(&1);
        let transposed = self.inputs.iter().find(is_transposed);
        transposed.map_or(0, |w| lead(w.first as usize, w.bytes))
    }

    /// The rows next to each other that one call computes, and how many times there are so many.
    pub(super) fn lines(&self) -> (usize, usize) {
        let rows = self.outer.last().copied().unwrap_or(1);
        (rows, self.outer.iter().rev().skip(1).product())
    }

    /// True if a kernel with these parameters, the inputs first, may run over this space.
    pub(super) fn fits(&self, params: &[Param]) -> bool {
        params.len() > self.inputs.len()
            && params[self.inputs.len()..].iter().all(|p| p.access.is_written())
            && params[..self.inputs.len()].iter().enumerate().all(|(i, p)| self.takes(i, *p))
    }

    /// True if a kernel may find the elements of an input like this.
    pub(super) fn takes(&self, input: usize, p: Param) -> bool {
        let walk = &self.inputs[input];
        let ahead = p.access.asks();
        let known = |steps, tiles| self.access(input, steps, tiles, ahead);
        let plain = walk.reading.general();
        let known = [known(true, true), known(true, false), known(false, true), plain];
        p.bytes() == walk.bytes && (known.contains(&p.access) || self.beside(input) == Some(p.access))
    }
}

/// How many elements stand before the first whose vector begins a line.
fn lead(first: usize, bytes: usize) -> usize {
    let vector = (bytes * LANES).min(LINE);
    (vector - first % vector) % vector / bytes
}

/// Inputs of a space of a shape; `None` if one has another shape.
fn views<'a, V: Copy + Into<View<'a>>>(shape: &[usize], inputs: &[V]) -> Option<SmallVec<[View<'a>; 6]>> {
    let views: SmallVec<[View<'a>; 6]> = inputs.iter().map(|&v| v.into()).collect();
    views.iter().all(|v| v.shape == shape && v.strides.len() == shape.len()).then_some(views)
}

fn walk(view: &View<'_>, outer: Dims<isize>, inner: isize, down: isize) -> Walk {
    let View { first, dtype, reading, .. } = *view;
    Walk {
        first,
        bytes: view.bytes(),
        parts: dtype.is_complex() || reading.columns() > 1,
        dtype,
        outer,
        inner,
        down,
        reading,
    }
}
