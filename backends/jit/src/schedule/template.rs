//! Jobs that are done again with other arrays in the place of some of their inputs.

use super::{Input, Job, Program, Source};
use crate::runtime::{Elements, Held};
use crate::trace::NodeId;
use ivy_core::host::HostView;
use smallvec::SmallVec;

/// A job, some of whose inputs are found by their number among arrays that each repetition has.
pub(crate) struct Template {
    pub(super) job: Job,
    pub(super) from: Vec<Option<u32>>,
}

/// Elements by number, as a repetition has them.
pub(crate) type Slots = SmallVec<[Option<Elements>; 8]>;

/// A program, likewise: for each piece, where its inputs come from.
pub(crate) struct ProgramTemplate {
    pub(super) program: Program,
    pub(super) from: Vec<Vec<Option<u32>>>,
}

impl Job {
    /// The job as a template: inputs that have a number are given each time, the others stay.
    pub(crate) fn template(mut self, number: impl Fn(NodeId) -> Option<u32>) -> Template {
        let from = self.leave_out(number);
        Template { job: self, from }
    }

    /// Leaves the inputs out that have a number: they are not kept alive.
    fn leave_out(&mut self, number: impl Fn(NodeId) -> Option<u32>) -> Vec<Option<u32>> {
        let given = |input: &mut Input| {
            let is_array = matches!(input.source, Source::Array(_));
            let number = number(input.node).filter(|_| is_array);
            if number.is_some() {
                input.source = Source::Literal([0; 2]);
            }
            number
        };
        self.inputs.iter_mut().map(given).collect()
    }

    /// Puts arrays where inputs were left out; `None` if one is missing.
    fn put_in(&mut self, from: &[Option<u32>], slots: &[Option<Elements>]) -> Option<()> {
        for (input, from) in self.inputs.iter_mut().zip(from) {
            if let Some(number) = from {
                input.source = Source::Array(slots.get(*number as usize)?.clone()?);
            }
        }
        Some(())
    }
}

impl Program {
    /// The program as a template.
    pub(crate) fn template(mut self, number: impl Fn(NodeId) -> Option<u32>) -> ProgramTemplate {
        let from = self.pieces.iter_mut().map(|piece| piece.job.leave_out(&number)).collect();
        ProgramTemplate { program: self, from }
    }
}

impl ProgramTemplate {
    /// The numbers that it asks for.
    pub(crate) fn numbers(&self) -> impl Iterator<Item = u32> + '_ {
        self.from.iter().flatten().flatten().copied()
    }

    /// The program on these arrays; `None` if one is missing.
    pub(crate) fn program(&self, slots: &[Option<Elements>]) -> Option<Program> {
        let mut program = self.program.clone();
        for (piece, from) in program.pieces.iter_mut().zip(&self.from) {
            piece.job.put_in(from, slots)?;
        }
        Some(program)
    }
}

impl Template {
    /// The numbers that it asks for.
    pub(crate) fn numbers(&self) -> impl Iterator<Item = u32> + '_ {
        self.from.iter().flatten().copied()
    }

    /// What is done each time.
    pub(crate) fn about(&self) -> &Job {
        &self.job
    }

    /// The job on these arrays; `None` if one is missing.
    pub(crate) fn job(&self, slots: &[Option<Elements>]) -> Option<Job> {
        let mut job = self.job.clone();
        job.put_in(&self.from, slots)?;
        Some(job)
    }

    /// The arrays among the inputs, in the host's memory and walked in the iteration space; `None`
    /// if one is missing, or has not got the elements.
    pub(crate) fn views<'a>(&'a self, slots: &'a [Option<Elements>]) -> Option<SmallVec<[HostView<'a>; 4]>> {
        let mut views = SmallVec::new();
        for (input, from) in self.job.inputs.iter().zip(&self.from) {
            let array = match (from, &input.source) {
                (Some(number), _) => slots.get(*number as usize)?.as_ref()?,
                (None, Source::Array(array)) => array,
                (None, Source::Literal(_)) => continue,
                (None, Source::Piece(_) | Source::Count) => return None,
            };
            let Elements::Host(array) = array else { return None };
            views.push(input.walk(array.buffer().bytes(), array.offset(), &self.job.space)?);
        }
        Some(views)
    }
}

impl Template {
    /// The inputs of a flat job on a device, each from its first element on; `None` if one is missing.
    pub(crate) fn held(&self, slots: &[Option<Elements>]) -> Option<SmallVec<[Held; 4]>> {
        let held = |(input, from): (&Input, &Option<u32>)| match from {
            Some(number) => held(input, slots.get(*number as usize)?.as_ref()?),
            None => own(input),
        };
        self.job.inputs.iter().zip(&self.from).map(held).collect()
    }
}

/// Elements in the place of an input.
fn held(input: &Input, elements: &Elements) -> Option<Held> {
    let Elements::Device(array) = elements else { return None };
    let first = usize::try_from(input.place.offset).ok()?.checked_add(array.offset())?;
    Some(Held::Device(array.memory().clone(), first.checked_mul(array.dtype().bytes())?))
}

/// What a launch over a row reads of an input, from its first element on.
fn own(input: &Input) -> Option<Held> {
    match &input.source {
        Source::Literal(words) => Some(Held::Literal(*words)),
        Source::Array(elements) => held(input, elements),
        Source::Piece(_) | Source::Count => None,
    }
}

impl Job {
    /// The inputs of a flat job on a device, each from its first element on.
    pub(crate) fn held(&self) -> Option<SmallVec<[Held; 4]>> {
        self.inputs.iter().map(own).collect()
    }
}

impl Job {
    /// For each input, the literal that it is, if it is one.
    pub(crate) fn literals(&self) -> impl Iterator<Item = Option<[u64; 2]>> + '_ {
        self.inputs.iter().map(|input| match input.source {
            Source::Literal(words) => Some(words),
            Source::Array(_) | Source::Piece(_) | Source::Count => None,
        })
    }
}
