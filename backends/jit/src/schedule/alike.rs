//! Whether two jobs that are to be done again do the same: operation by operation, with the same constants.
//! Nodes have other numbers in each.

use super::{Check, Input, Job, ProgramTemplate, Source, Template};

impl Template {
    /// True if another one does the same.
    pub(crate) fn is_like(&self, other: &Template) -> bool {
        self.from == other.from && self.job.is_like(&other.job)
    }
}

impl ProgramTemplate {
    /// True if another one does the same.
    pub(crate) fn is_like(&self, other: &ProgramTemplate) -> bool {
        let (a, b) = (&self.program, &other.program);
        let mut pieces = a.pieces.iter().zip(&b.pieces);
        (&self.from, &a.space, a.split, a.pieces.len()) == (&other.from, &b.space, b.split, b.pieces.len())
            && pieces.all(|(a, b)| {
                let mut gives = a.gives.iter().zip(&b.gives);
                (a.behind, a.gives.len()) == (b.behind, b.gives.len())
                    && gives.all(|(a, b)| {
                        (a.value, a.fold, a.dtype, &a.shape) == (b.value, b.fold, b.dtype, &b.shape)
                    })
                    && a.job.is_like(&b.job)
            })
    }
}

impl Job {
    fn is_like(&self, other: &Job) -> bool {
        let mut inputs = self.inputs.iter().zip(&other.inputs);
        let mut outputs = self.outputs.iter().zip(&other.outputs);
        let mut checks = self.checks.iter().zip(&other.checks);
        let counts = |job: &Job| {
            [job.inputs.len(), job.outputs.len(), job.checks.len(), job.pads.len(), job.space.len()]
        };
        (&self.steps, self.fold, &self.space, self.iterations)
            == (&other.steps, other.fold, &other.space, other.iterations)
            && (&self.shape, self.dtype, counts(self)) == (&other.shape, other.dtype, counts(other))
            && outputs.all(|(a, b)| (a.dtype, a.number) == (b.dtype, b.number))
            && checks.all(|(a, b)| match (a, b) {
                (Check::Index(a), Check::Index(b)) => {
                    (a.asked.function, a.axis, a.length) == (b.asked.function, b.axis, b.length)
                }
                (Check::Loop(..), Check::Loop(..)) => true,
                _ => false,
            })
            && inputs.all(|(a, b)| a.is_like(b))
    }
}

impl Input {
    fn is_like(&self, other: &Input) -> bool {
        let sources = match (&self.source, &other.source) {
            (Source::Array(a), Source::Array(b)) => a.are(b),
            (Source::Literal(a), Source::Literal(b)) => a == b,
            (Source::Piece(a), Source::Piece(b)) => a == b,
            (Source::Count, Source::Count) => true,
            _ => false,
        };
        sources && (self.dtype, &self.place, self.reading) == (other.dtype, &other.place, other.reading)
    }
}
