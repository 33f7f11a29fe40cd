//! Rows of a few elements: what is done for each of their elements as a job over the rows, in which an
//! operation is done once for each column, and a fold is the joins of its columns in the order of
//! [`crate::ir::fold`]. So vectors are full, which hold a column of some rows.
//!
//! What stands in rows in memory is read and written as elements of as many parts; other columns are inputs
//! of their own.

use super::rows::{Program, bits};
use super::{Do, Input, Job, Output, STEP, Source, Step};
use crate::ir::{Join, PARTS, fold};
use crate::lower::memory;
use crate::runtime::{Elements, Reading};
use crate::trace::{Affine, Kind, NONE, NodeId};
use ivy_core::{BinaryOp, Dims, Dtype, Shape};
use smallvec::{SmallVec, smallvec};
use std::collections::HashMap;

/// Elements of the longest such rows.
pub(crate) const COLUMNS: usize = 31;
// Each column is a lane of its own, and a row one block: so its fold is the lanes' in halves.
const _: () = assert!(COLUMNS <= fold::LANES && COLUMNS <= PARTS as usize);
/// Steps of the largest such job: it is compiled for one length of rows only.
const MOST: usize = 512;

/// The numbers of a value: of each column, or of one for all.
type Numbers = SmallVec<[u32; COLUMNS]>;

/// A job that is being made.
struct Columns<'j> {
    /// The space whose rows are short, and the first of its axes that is along a row.
    space: &'j Shape,
    split: usize,
    inputs: Vec<Input>,
    steps: Vec<Step>,
    /// Inputs that were taken in.
    known: Vec<(&'j Input, Numbers)>,
    /// What pieces have given.
    values: HashMap<u32, Numbers>,
}

/// Of how many values an output consists that are written side by side.
pub(super) fn together(steps: &[Step], mut number: u32) -> u32 {
    let mut count = 1;
    while let Some(Step { what: Do::Append, operands, .. }) =
        steps.get((number ^ STEP) as usize).filter(|_| number & STEP != 0)
    {
        (number, count) = (operands[0], count + 1);
    }
    count
}

impl Job {
    /// How many elements it computes.
    pub(crate) fn elements(&self) -> usize {
        self.space.size().saturating_mul(self.columns)
    }

    /// The first of the axes whose elements are a row of so many.
    pub(crate) fn split(&self, row: usize) -> usize {
        let is_row = |&split: &usize| self.space[split..].iter().product::<usize>() == row;
        (0..self.space.len()).rev().find(is_row).unwrap_or(0)
    }

    /// It with the folded axes as its last ones; `None` if they are, or nothing is folded.
    pub(crate) fn folded_last(&self) -> Option<Job> {
        let (_, axes) = self.fold?;
        let all = self.space.len();
        let split = all - axes.count_ones() as usize;
        if axes == bits(split, all) {
            return None;
        }
        let mut order: Dims = (0..all).collect();
        order.sort_by_key(|axis| axes >> axis & 1);
        let mut job = self.clone();
        job.fold = job.fold.map(|(join, _)| (join, bits(split, all)));
        job.space = order.iter().map(|&axis| self.space[axis]).collect();
        for (to, input) in job.inputs.iter_mut().zip(&self.inputs) {
            to.place.steps =
                order.iter().map(|&axis| input.place.steps.get(axis).copied()).collect::<Option<_>>()?;
        }
        Some(job)
    }

    /// The job over rows, of the axes from `split` on, if these are short and it does operations only.
    pub(crate) fn by_columns(&self, split: usize) -> Option<Job> {
        if !self.is_plain()
            || self.fold.is_some() && self.outputs.len() > 1
            || self.fold.is_some_and(|(_, axes)| axes != bits(split, self.space.len()))
        {
            return None;
        }
        let mut columns = Columns::new(&self.space, split)?;
        let given = columns.take_in(self)?;
        let given: Vec<_> = given.into_iter().zip(&self.outputs).collect();
        columns.done(given, self.fold.map(|(join, _)| join), self.shape.clone())
    }
}

impl Program {
    /// All of it as one job over the rows, which gives the last value only; `None` if rows are not short,
    /// or that would be too large.
    pub(crate) fn by_columns(&self) -> Option<(NodeId, Job)> {
        let mut columns = Columns::new(&self.space, self.split)?;
        let last = self.values().pop()?;
        for piece in &self.pieces {
            if !piece.job.is_plain() {
                return None;
            }
            for ((given, numbers), output) in
                piece.gives.iter().zip(columns.take_in(&piece.job)?).zip(&piece.job.outputs)
            {
                if given.value == last.value {
                    let job = columns.done(vec![(numbers, output)], given.fold, given.shape.clone())?;
                    return Some((given.node, job));
                }
                let numbers = match given.fold {
                    Some(join) => smallvec![columns.folded(join, output.dtype, &numbers)],
                    None => numbers,
                };
                columns.values.insert(given.value, numbers);
            }
        }
        None
    }
}

impl<'j> Columns<'j> {
    fn new(space: &'j Shape, split: usize) -> Option<Columns<'j>> {
        let columns: usize = space.get(split..)?.iter().product();
        (2..=COLUMNS).contains(&columns).then(|| Columns {
            space,
            split,
            inputs: Vec::new(),
            steps: Vec::new(),
            known: Vec::new(),
            values: HashMap::new(),
        })
    }

    fn count(&self) -> usize {
        self.space[self.split..].iter().product()
    }

    /// Takes in a job's operations; gives the numbers of its outputs.
    fn take_in(&mut self, job: &'j Job) -> Option<Vec<Numbers>> {
        let count = self.count();
        let inputs = job.inputs.iter().map(|input| self.input(input)).collect::<Option<Vec<_>>>()?;
        let mut steps: Vec<Numbers> = Vec::with_capacity(job.steps.len());
        for step in &job.steps {
            let of = |number: u32| match number & STEP {
                0 => &inputs[number as usize],
                _ => &steps[(number ^ STEP) as usize],
            };
            let operands = step.operands.iter().filter(|&&o| o != NONE);
            let each = if operands.clone().all(|&o| of(o).len() == 1) { 1 } else { count };
            let numbers = (0..each).map(|c| {
                let operands = step.operands.map(|o| if o == NONE { NONE } else { column(of(o), c) });
                (step.what, step.dtype, operands)
            });
            let numbers: SmallVec<[_; COLUMNS]> = numbers.collect();
            steps.push(numbers.into_iter().map(|(what, dtype, o)| self.step(what, dtype, o)).collect());
        }
        if self.steps.len() > MOST {
            return None;
        }
        let of = |output: &Output| match output.number & STEP {
            0 => inputs[output.number as usize].clone(),
            _ => steps[(output.number ^ STEP) as usize].clone(),
        };
        Some(job.outputs.iter().map(of).collect())
    }

    fn step(&mut self, what: Do, dtype: Dtype, operands: [u32; 3]) -> u32 {
        self.steps.push(Step { what, dtype, operands });
        STEP | (self.steps.len() as u32 - 1)
    }

    fn push(&mut self, input: Input) -> u32 {
        self.inputs.push(input);
        self.inputs.len() as u32 - 1
    }

    /// The numbers of an input's columns.
    fn input(&mut self, input: &'j Input) -> Option<Numbers> {
        if let Source::Piece(value) = input.source {
            return self.values.get(&value).cloned();
        }
        if let Some((_, numbers)) = self.known.iter().find(|(known, _)| known.is(input)) {
            return Some(numbers.clone());
        }
        if !matches!(input.reading, Reading::Walked | Reading::Counted) {
            return None;
        }
        let numbers = self.read(input)?;
        self.known.push((input, numbers.clone()));
        Some(numbers)
    }

    fn read(&mut self, input: &Input) -> Option<Numbers> {
        let (down, along) = input.place.steps.split_at_checked(self.split)?;
        let row = &self.space[self.split..];
        let mut places: SmallVec<[isize; COLUMNS]> = SmallVec::new();
        ivy_core::host::for_each_offset(row, along, |place| places.push(place));
        let at = |place: isize, steps: Dims<isize>, reading: Reading| Input {
            place: Affine { offset: input.place.offset + place, steps },
            reading,
            ..input.clone()
        };
        if places.iter().all(|&place| place == 0) {
            return Some(smallvec![self.push(at(0, down.into(), input.reading))]);
        }
        // Columns may be the same elements, as those of a broadcast axis are.
        let mut apart = places.clone();
        apart.sort_unstable();
        apart.dedup();
        let row = apart.len();
        let parts = memory(input.dtype).map_or(u32::MAX, |(_, parts)| parts) as usize * row;
        let in_rows = matches!(input.source, Source::Array(Elements::Host(_)))
            && input.reading == Reading::Walked
            && parts <= COLUMNS
            && apart.iter().enumerate().all(|(c, &place)| place == c as isize)
            && down.iter().all(|step| step % row as isize == 0);
        let numbers: Numbers = if in_rows {
            let steps = down.iter().map(|step| step / row as isize).collect();
            let number = self.push(at(0, steps, Reading::Rows(row as u8)));
            (0..row).map(|c| self.step(Do::Column(c as u8), input.dtype, [number, NONE, NONE])).collect()
        } else {
            apart.iter().map(|&place| self.push(at(place, down.into(), input.reading))).collect()
        };
        let of = |place| numbers[apart.binary_search(place).unwrap_or_default()];
        Some(places.iter().map(of).collect())
    }

    /// The joins of all columns: lanes in halves. A sum begins at 0.
    fn folded(&mut self, join: Join, dtype: Dtype, numbers: &Numbers) -> u32 {
        let mut all: Numbers = (0..self.count()).map(|c| column(numbers, c)).collect();
        let mut half = fold::LANES / 2;
        while half > 0 {
            for lane in 0..all.len().saturating_sub(half) {
                let operands = [all[lane], all[lane + half], NONE];
                all[lane] = self.step(Do::Apply(Kind::Fold(join)), dtype, operands);
            }
            all.truncate(half);
            half /= 2;
        }
        if join != Join::Add || !(dtype.is_float() || dtype.is_complex()) {
            return all[0];
        }
        let place = Affine { offset: 0, steps: Dims::from_elem(0, self.split) };
        let source = Source::Literal([0; 2]);
        let zero = self.push(Input { node: NONE, dtype, source, place, reading: Reading::Walked });
        self.step(Do::Apply(Kind::Binary(BinaryOp::Add)), dtype, [all[0], zero, NONE])
    }

    /// The job that gives what has these numbers, folded or as rows.
    fn done(mut self, given: Vec<(Numbers, &Output)>, join: Option<Join>, shape: Shape) -> Option<Job> {
        let columns = self.count();
        let mut outputs = SmallVec::<[Output; 1]>::new();
        for (numbers, output) in given {
            let dtype = output.dtype;
            let number = match join {
                Some(join) => self.folded(join, dtype, &numbers),
                None if memory(dtype)?.1 as usize * columns > COLUMNS => return None,
                None => {
                    let append = |row, c| self.step(Do::Append, dtype, [row, column(&numbers, c), NONE]);
                    (1..columns).fold(numbers[0], append)
                }
            };
            outputs.push(Output { number, ..output.clone() });
        }
        let dtype = outputs.first()?.dtype;
        Some(Job {
            space: self.space[..self.split].into(),
            inputs: self.inputs,
            steps: self.steps,
            fold: None,
            shape,
            dtype,
            outputs,
            checks: Vec::new(),
            pads: SmallVec::new(),
            iterations: None,
            uneven: false,
            columns,
        })
    }
}

/// The number of a column.
fn column(numbers: &Numbers, column: usize) -> u32 {
    numbers[if numbers.len() == 1 { 0 } else { column }]
}
