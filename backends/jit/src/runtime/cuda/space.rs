//! The iteration space of a launch on a device, and the words by which a kernel walks it.

use crate::codegen::ptx::{Form, Shape, WARP, Walk, Words};
use crate::ir::{Access, Param, fold::BLOCK};
use crate::runtime::Reading;
use ivy_core::Dims;
use smallvec::SmallVec;

/// Columns that are worth folding side by side.
const WIDE: usize = 32;
/// Numbers below this have the short index form.
const NARROW: u128 = 1 << 31;

/// An input: where its first element is, and how many elements a step along each axis moves.
#[derive(Clone, Debug)]
pub struct Input {
    /// The address of the element at the origin.
    pub address: u64,
    /// How its elements are read.
    pub reading: Reading,
    /// For each axis of the space.
    pub steps: Dims<isize>,
}

/// Axes that every input walks alike are one: those around a row, the row, and, where columns are
/// folded, the column.
#[derive(Clone, Debug)]
pub struct Space {
    lengths: Dims,
    inputs: SmallVec<[Input; 6]>,
    shape: Shape,
    walk: Walk,
}

/// Some axes, each merged into the one before where all inputs allow.
struct Axes {
    lengths: Dims,
    steps: Vec<Dims<isize>>,
}

impl Axes {
    fn new(shape: &[usize], inputs: &[Input], chosen: impl Fn(usize) -> bool) -> Axes {
        let mut axes = Axes { lengths: Dims::new(), steps: vec![Dims::new(); inputs.len()] };
        for (axis, &length) in shape.iter().enumerate().filter(|(a, l)| chosen(*a) && **l != 1) {
            let alike = |(i, s): (&Input, &Dims<isize>)| s.last() == Some(&(i.steps[axis] * length as isize));
            match axes.lengths.last_mut() {
                Some(last) if inputs.iter().zip(&axes.steps).all(alike) => {
                    *last *= length;
                    axes.steps.iter_mut().for_each(|s| s.truncate(s.len() - 1));
                }
                _ => axes.lengths.push(length),
            }
            inputs.iter().zip(&mut axes.steps).for_each(|(i, s)| s.push(i.steps[axis]));
        }
        axes
    }

    /// Adds another's axis behind these; one of length 1 if that has none.
    fn push(&mut self, other: &Axes, axis: usize) {
        self.lengths.push(other.lengths.get(axis).copied().unwrap_or(1));
        for (to, from) in self.steps.iter_mut().zip(&other.steps) {
            to.push(from.get(axis).copied().unwrap_or(0));
        }
    }

    fn space(self, inputs: &[Input], shape: Shape) -> Space {
        let walk = |(i, steps): (&Input, Dims<isize>)| Input { steps, ..*i };
        let inputs = inputs.iter().zip(self.steps).map(walk).collect();
        Space { lengths: self.lengths, inputs, shape, walk: Walk::SINGLE }
    }
}

impl Space {
    /// The space of a shape; `None` if an input has another number of axes.
    pub fn new(shape: &[usize], inputs: &[Input]) -> Option<Space> {
        if inputs.iter().any(|i| i.steps.len() != shape.len()) {
            return None;
        }
        let mut axes = Axes::new(shape, inputs, |_| true);
        if axes.lengths.is_empty() {
            let none = Axes { lengths: Dims::new(), steps: vec![Dims::new(); inputs.len()] };
            axes.push(&none, 0);
        }
        Some(axes.space(inputs, Shape::Elements))
    }

    /// The space of a fold over the axes that `folded` has a bit for; `None` if an input has another
    /// number of axes, or what is folded has no one step.
    pub fn folding(shape: &[usize], folded: u64, inputs: &[Input]) -> Option<Space> {
        if inputs.iter().any(|i| i.steps.len() != shape.len()) {
            return None;
        }
        let chosen = |axis: usize| folded >> axis & 1 > 0;
        let mut kept = Axes::new(shape, inputs, |a| !chosen(a));
        let along = Axes::new(shape, inputs, chosen);
        if along.lengths.len() > 1 {
            return None;
        }
        // Columns side by side are better than steps through memory, for most of the inputs.
        let read = |(s, i): &(&Dims<isize>, &Input)| s.last() == Some(&1) && i.reading != Reading::Counted;
        let count = |axes: &Axes| axes.steps.iter().zip(inputs).filter(read).count();
        let columns = count(&kept) > count(&along) && kept.lengths.last().is_some_and(|&l| l >= WIDE);
        kept.push(&along, 0);
        Some(kept.space(inputs, if columns { Shape::Across } else { Shape::Along }))
    }

    /// The same space, of which a kernel's thread computes so much at a time: what [`Space::best`] has
    /// found for it, or another of its walks.
    pub fn walked(mut self, walk: Walk) -> Space {
        self.walk = walk;
        self
    }

    /// What a kernel's thread computes at a time.
    pub fn walk(&self) -> Walk {
        self.walk
    }

    /// The length of each axis, the row the last one where that is folded.
    pub(super) fn lengths(&self) -> &[usize] {
        &self.lengths
    }

    /// The inputs.
    pub(super) fn inputs(&self) -> &[Input] {
        &self.inputs
    }

    /// What its results are.
    pub fn shape(&self) -> Shape {
        self.shape
    }

    /// How many axes stand around a row.
    pub(super) fn outer(&self) -> usize {
        self.lengths.len() - 1 - usize::from(self.shape == Shape::Across)
    }

    /// How a kernel for this space finds the elements of an input.
    pub fn access(&self, input: usize) -> Access {
        let Input { reading, steps, .. } = &self.inputs[input];
        reading.access(steps[self.outer()])
    }

    /// The rows.
    pub fn rows(&self) -> usize {
        self.lengths[..self.outer()].iter().product()
    }

    /// The elements of the result: of what is folded, one for each row or column.
    pub fn results(&self) -> usize {
        match self.shape {
            Shape::Along => self.rows(),
            _ => self.rows() * self.lengths[self.outer()],
        }
    }

    /// The blocks of what is folded into one element.
    pub fn blocks(&self) -> usize {
        match (self.shape, self.lengths.last()) {
            (Shape::Elements, _) | (_, None) => 1,
            (_, Some(length)) => length.div_ceil(BLOCK),
        }
    }

    /// The units of a kernel's work: elements, tiles, warps or blocks of threads.
    pub fn units(&self) -> usize {
        match self.shape {
            Shape::Elements => match self.walk {
                Walk::Abreast { .. } => self.results(),
                Walk::Tiles { axis, mirrored, .. } => self.tiles(axis, mirrored),
            },
            Shape::Along => self.rows() * self.blocks(),
            Shape::Across => self.rows() * self.blocks() * self.lengths[self.outer()].div_ceil(WARP as usize),
        }
    }

    /// The form of a kernel for this space: the long one if it must be, or is asked for.
    pub fn form(&self, wide: bool) -> Form {
        let far = |i: &Input| -> u128 {
            let steps = i.steps.iter().zip(&self.lengths);
            steps.map(|(s, &l)| s.unsigned_abs() as u128 * l.saturating_sub(1) as u128).sum()
        };
        let values = self.results() as u128 * self.blocks() as u128;
        let numbers = self.inputs.iter().map(far).chain(self.lengths.iter().map(|&l| l as u128));
        let most = numbers.chain([values, self.units() as u128]).max().unwrap_or(0);
        Form { outer: self.outer(), wide: wide || most >= NARROW, walk: self.walk }
    }

    /// True if a kernel with these parameters, the inputs first, may run over this space.
    pub fn fits(&self, params: &[Param]) -> bool {
        let count = self.inputs.len();
        params.len() > count
            && Shape::of(params) == self.shape
            && params[count..].iter().all(|p| p.access.is_written())
            && params[..count]
                .iter()
                .zip(&self.inputs)
                .enumerate()
                .all(|(i, (p, input))| [self.access(i), input.reading.general()].contains(&p.access))
    }

    /// The argument of a kernel with these parameters: its results, and then its flag, are at the
    /// addresses.
    pub fn words(&self, params: &[Param], written: &[u64]) -> Vec<u64> {
        let form = self.form(false);
        let words = Words::new(params, form);
        let mut list = Vec::with_capacity(words.count(params));
        list.extend([self.units() as u64, self.blocks() as u64]);
        list.extend(self.lengths.iter().map(|&l| l as u64));
        for input in &self.inputs {
            list.push(input.address);
            list.extend(input.steps.iter().map(|&s| s as u64));
        }
        list.extend(written);
        list
    }
}
