//! Rows of a few elements on the processor: one kernel over the rows, which has their columns side by side.

use super::launch::Results;
use super::{Engine, Settings, misfit, rows};
use crate::codegen::llvm::LANES;
use crate::ir::Access;
use crate::runtime::Elements;
use crate::runtime::cpu::Space;
use crate::schedule::{COLUMNS, Job, Program};
use ivy_core::Result;

/// Elements that are worth a kernel which is for rows of one length only.
const WORTH: usize = 1 << 14;
/// Rows for each operation, which is compiled once for each column, that are worth it.
const EACH: usize = 1 << 8;
/// Rows of the least line of them.
const LONG: usize = 8;

impl Engine {
    /// True if rows of so many elements are computed by columns, if that can be done: so much work in all.
    fn takes_columns(&self, settings: Settings, (elements, work): (usize, usize), row: usize) -> bool {
        let wanted = settings.columns && self.takes_short(settings) && (2..=COLUMNS).contains(&row);
        wanted && elements >= WORTH && elements / row >= EACH * (work / elements)
    }

    /// Runs a job that folds as many axes as there are from `split` on, or whose rows these are, if they are short; `None`
    /// for others. Folds of other axes than the last ones have a call for each lane of each row otherwise.
    pub(super) fn run_by_columns(
        &self,
        job: &Job,
        split: usize,
        settings: Settings,
    ) -> Result<Option<Results>> {
        let is_row = |axis: &usize| match job.fold {
            Some((_, axes)) => axes >> axis & 1 == 1,
            None => *axis >= split,
        };
        let row = (0..job.space.len()).filter(is_row).map(|axis| job.space[axis]).product();
        // Without folds, a row is a vector that is nearly full, or has whole ones.
        let most = if self.generator.has_masks() { LANES / 2 } else { LANES - 1 };
        let empty = job.fold.is_some() || row <= most;
        if !empty || !self.takes_columns(settings, (job.space.size(), job.work()), row) {
            return Ok(None);
        }
        let folded_last = job.folded_last();
        let (job, least) = folded_last.as_ref().map_or((job, LONG), |job| (job, 1));
        match job.by_columns(split).map(Job::with_places) {
            Some(columns) => self.run_columns(&columns, least, settings),
            None => Ok(None),
        }
    }

    /// Runs a program over short rows, but gives no folds besides; `None` for others.
    pub(super) fn run_program_by_columns(&self, program: &Program) -> Result<Option<rows::Results>> {
        let settings = self.settings();
        let row = program.space[program.split..].iter().product();
        if !self.takes_columns(settings, (program.space.size(), program.work()), row) {
            return Ok(None);
        }
        let Some((node, job)) = program.by_columns() else { return Ok(None) };
        let Some(results) = self.run_columns(&job, LONG, settings)? else { return Ok(None) };
        Ok(Some(results.into_iter().map(|array| (node, Elements::Host(array))).collect()))
    }

    /// Runs a job that draws random words by their blocks; `None` for others, and where that is not worth it.
    pub(super) fn run_by_blocks(&self, job: &Job, settings: Settings) -> Result<Option<Results>> {
        let Some(job) = Some(job).filter(|_| settings.draws).and_then(Job::in_blocks) else {
            return Ok(None);
        };
        self.run_by_columns(&job, job.space.len() - 1, settings)
    }

    fn run_columns(&self, job: &Job, least: usize, settings: Settings) -> Result<Option<Results>> {
        let views = job.walks_here()?;
        let space = Space::new(&job.space, &views).ok_or_else(|| misfit("evaluate"))?;
        if space.row() < least {
            return Ok(None);
        }
        let stream = settings.streams && job.is_large() && space.is_lines(job.dtype.bytes());
        self.launch(job, &space, if stream { Access::Stream } else { Access::Out }, settings).map(Some)
    }
}
