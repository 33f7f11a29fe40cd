//! Running jobs on the processor: the kernel, made or found, and the memory it runs over.

use super::access::accesses;
use super::history::Launch;
use super::{Engine, Settings, misfit};
use crate::cache::prepare;
use crate::codegen::Ready;
use crate::ir::{Access, Join};
use crate::log::{Level, say, wants};
use crate::runtime::cpu::{Space, Written, fold, launch};
use crate::runtime::{Elements, is_unfinished};
use crate::schedule::{COLUMNS, Job, Meaning, kernel};
use ivy_core::host::{HostArray, HostView, contiguous_strides};
use ivy_core::{Dims, Dtype, ErrorKind, ReduceOp, Result, Shape};
use smallvec::{SmallVec, smallvec};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The results of a job.
pub(super) type Results = SmallVec<[HostArray; 1]>;

/// What a launch has written, as an array.
pub(super) fn array_of(Written { buffer, first }: Written, dtype: Dtype, shape: Shape) -> Option<HostArray> {
    if first == 0 {
        return HostArray::new(buffer, dtype, shape);
    }
    let strides = contiguous_strides(&shape);
    HostArray::from_parts(buffer, dtype, shape, strides, first / dtype.bytes())
}

/// Rows below this length are copied into order.
pub(super) const SHORT: usize = 32;

impl Engine {
    /// Runs a job whose nodes the caller has references to; says which index was out of range.
    pub(super) fn run_checked(&self, job: &Job) -> Result<SmallVec<[Elements; 1]>> {
        self.checked(job, |job| self.run(job))
    }

    /// Does something with a job whose nodes the caller has references to: again where loops had not
    /// ended, and says which index was out of range.
    pub(super) fn checked<T>(&self, job: &Job, run: impl Fn(&Job) -> Result<T>) -> Result<T> {
        ended(job, run).map_err(|error| match error.kind() {
            ErrorKind::IndexOutOfRange { .. } => self.out_of_range(job.checks()),
            _ => error,
        })
    }

    /// Runs a job in one kernel, where the engine's arrays are; gives all its results.
    pub(super) fn run(&self, job: &Job) -> Result<SmallVec<[Elements; 1]>> {
        match &self.on_device {
            None => Ok(self.run_here(job)?.into_iter().map(Elements::Host).collect()),
            Some(on_device) => {
                Ok(self.run_all_on_device(on_device, job)?.into_iter().map(Elements::Device).collect())
            }
        }
    }

    pub(super) fn filled(&self, dtype: Dtype, shape: &Shape, words: &[u64; 2]) -> Result<Elements> {
        match &self.on_device {
            None => filled(dtype, shape, words).map(Elements::Host),
            Some(on_device) => on_device.filled(dtype, shape, words),
        }
    }

    pub(super) fn reshaped(&self, elements: Elements, shape: &Shape) -> Result<Elements> {
        match (elements, &self.on_device) {
            (Elements::Host(array), _) => ivy_kernels::layout::reshape(&array, shape).map(Elements::Host),
            (elements, Some(on_device)) => {
                let array = Elements::Device(self.contiguous(on_device, elements)?);
                let (offset, strides) = (array.offset(), ivy_core::host::contiguous_strides(shape));
                array.view(shape.clone(), strides, offset).ok_or_else(|| misfit("reshape"))
            }
            (Elements::Device(_), None) => Err(misfit("reshape")),
        }
    }

    /// Runs a job in one kernel on the processor.
    pub(super) fn run_here(&self, job: &Job) -> Result<Results> {
        let views = job.walks_here()?;
        let settings = self.settings();
        if let Some((join, axes)) = job.fold {
            let split = job.space.len() - axes.count_ones() as usize;
            if let Some(results) = self.run_by_columns(job, split, settings)? {
                return Ok(results);
            }
            let Some(mut space) = Space::folding(&job.space, axes, &views) else {
                return self.fold_in_order(job, join, axes).map(|array| smallvec![array]);
            };
            job.reach(&mut space);
            let result = match space.folds_columns() {
                true => Access::Across(join),
                false if settings.whole => Access::Row(join),
                false => Access::Along(join),
            };
            return self.launch(job, &space, result, settings);
        }
        if let Some(results) = self.run_by_blocks(job, settings)? {
            return Ok(results);
        }
        let mut space = Space::new(&job.space, &views).ok_or_else(|| misfit("evaluate"))?;
        if space.rows() > 1 {
            // Of axes that are no row together, several may be one of the kernel's.
            for split in (0..=job.split(space.row())).rev() {
                if job.space[split..].iter().product::<usize>() > COLUMNS {
                    break;
                }
                if let Some(results) = self.run_by_columns(job, split, settings)? {
                    return Ok(results);
                }
            }
        }
        // Short rows are copied into order first: each would be a call of its own.
        if space.rows() > 1 && space.row() < SHORT && !self.takes_short(settings) {
            return self.run_in_order(job, settings);
        }
        job.reach(&mut space);
        let lines = job.outputs.iter().all(|output| space.has_lines(output.dtype.bytes()));
        let stream = settings.streams && lines && job.is_large() && !space.gathers_rows();
        self.launch(job, &space, if stream { Access::Stream } else { Access::Out }, settings)
    }

    /// Runs a job on copies of its inputs in order, what is counted among them; what is gathered from stays
    /// as it is.
    pub(super) fn run_in_order(&self, job: &Job, settings: Settings) -> Result<Results> {
        let unwalked = (job.gathers() || job.counts()).then(|| job.unwalked()).transpose()?;
        let job = unwalked.as_ref().unwrap_or(job);
        let views = job.views()?;
        let arrays = views.iter().enumerate().map(|(i, view)| match job.is_gathered(i) {
            true => Ok(None),
            false => ivy_kernels::to_contiguous(*view).map(Some),
        });
        let arrays = arrays.collect::<Result<SmallVec<[Option<HostArray>; 4]>>>()?;
        let both = arrays.iter().zip(&views);
        let views: SmallVec<[HostView<'_>; 4]> =
            both.map(|(array, view)| array.as_ref().map_or(*view, HostArray::view)).collect();
        let mut space = Space::new(&job.space, &views).ok_or_else(|| misfit("evaluate"))?;
        job.reach(&mut space);
        self.launch(job, &space, Access::Out, settings)
    }

    /// What is folded in no single stride is computed, and folded by the reference kernels.
    pub(super) fn fold_in_order(&self, job: &Job, join: Join, axes: u64) -> Result<HostArray> {
        let whole = self.run_here(&job.unfolded())?.remove(0);
        let op = match join {
            Join::Add => ReduceOp::Sum,
            Join::Mul => ReduceOp::Prod,
            Join::Max => ReduceOp::Max,
            Join::Min => ReduceOp::Min,
            Join::And => ReduceOp::All,
            Join::Or => ReduceOp::Any,
        };
        let axes: Dims = (0..job.space.len()).filter(|a| axes >> a & 1 > 0).collect();
        let folded = ivy_kernels::reduce::reduce(op, &axes, false, whole.view())?;
        ivy_kernels::layout::reshape(&folded, &job.shape)
    }

    /// The kernel of a meaning, and whether it was there.
    pub(super) fn ready(&self, meaning: Meaning, job: &Job) -> Result<(Arc<Ready>, bool)> {
        if let Some(ready) = self.cache.take().find(&meaning) {
            return Ok((ready, true));
        }
        let kernel = kernel(&meaning)?;
        let ready = Arc::new(prepare(self.generator, kernel, meaning.passes, self.disk.as_ref()));
        self.log_kernel(&ready, job);
        Ok((self.cache.take().insert(meaning, ready), false))
    }

    pub(super) fn launch(
        &self,
        job: &Job,
        space: &Space<'_>,
        result: Access,
        settings: Settings,
    ) -> Result<Results> {
        let accesses = accesses(job, space, result, settings);
        let access = |i: usize| accesses[i];
        let mut choice = self.choice_of(settings, space);
        choice.apart = result == Access::Stream && !space.is_lines(job.dtype.bytes());
        // Columns wait together.
        choice.abreast &= !job.is_by_columns();
        let meaning = job.meaning(access, result, choice);
        let (ready, hit) = self.ready(meaning, job)?;
        let start = Instant::now();
        let written = match job.fold {
            Some(_) => smallvec![Written { buffer: fold(&*ready.code, &ready.params, space)?, first: 0 }],
            None => launch(&*ready.code, &ready.params, space, settings.placing)?,
        };
        self.log_launch(&ready, job, job.len(), hit, start.elapsed());
        let arrays = written
            .into_iter()
            .zip(&job.outputs)
            .map(|(written, output)| array_of(written, output.dtype, job.shape.clone()));
        arrays.map(|array| array.ok_or_else(|| misfit("evaluate"))).collect()
    }

    pub(super) fn log_launch(&self, ready: &Ready, job: &Job, operations: usize, hit: bool, run: Duration) {
        self.log(Launch {
            hash: ready.hash,
            elements: job.elements(),
            pieces: 1,
            operations,
            fold: job.fold.map(|(join, _)| join.name()),
            statements: ready.statements,
            inputs: job.inputs(),
            outputs: job.outputs.len(),
            compile: if hit { None } else { Some(ready.time) },
            loaded: ready.loaded,
            run,
        });
    }

    /// Notes a launch of one kernel, and says so.
    pub(super) fn log(&self, launch: Launch) {
        if wants(Level::Info) {
            let Launch { hash, elements, operations, fold, inputs, compile, run, .. } = launch;
            let fold = fold.map_or_else(String::new, |name| format!(" and {name}"));
            let place =
                self.device().map_or_else(String::new, |device| format!(" on cuda:{}", device.number));
            let found = if compile.is_none() { "cache hit" } else { "cache miss" };
            say(
                Level::Info,
                format_args!(
                    "launch {hash:016x}{place}: {elements} elements, {operations} operations{fold}, {inputs} inputs, \
                     {found}, {run:?}"
                ),
            );
        }
        self.history.take().add(launch);
    }

    pub(super) fn log_kernel(&self, ready: &Ready, job: &Job) {
        if let Some(reason) = &ready.fallback {
            say(
                Level::Warn,
                format_args!(
                    "LLVM refused a kernel of {} operations, which is interpreted: {reason}",
                    job.len()
                ),
            );
        }
        let (hash, count, time) = (ready.hash, ready.statements, ready.time);
        if ready.is_tiered {
            return say(Level::Info, format_args!("interpreted at first: {hash:016x}, {count} statements"));
        }
        let name = self.generator.name();
        say(Level::Info, format_args!("compiled {hash:016x} by {name}: {count} statements in {time:?}"));
    }
}

/// Does something with a job, again where loops had not ended.
pub(super) fn ended<T>(job: &Job, run: impl Fn(&Job) -> Result<T>) -> Result<T> {
    let mut longer: Option<Job> = None;
    loop {
        let job = longer.as_ref().unwrap_or(job);
        match run(job) {
            Err(error) if is_unfinished(&error) => longer = Some(job.longer().ok_or(error)?),
            done => return done,
        }
    }
}

/// An array of one value.
fn filled(dtype: Dtype, shape: &Shape, words: &[u64; 2]) -> Result<HostArray> {
    let bytes: SmallVec<[u8; 16]> = words.iter().flat_map(|w| w.to_ne_bytes()).collect();
    if bytes[..dtype.bytes()].iter().all(|&byte| byte == 0) {
        return ivy_kernels::elementwise::zeros(shape, dtype);
    }
    let one = ivy_core::host::Buffer::copy_from(&bytes[..dtype.bytes()]);
    let one = one.and_then(|b| HostArray::new(b, dtype, Shape::default())).ok_or_else(|| misfit("full"))?;
    let view = ivy_kernels::layout::broadcast_to(&one, shape)?;
    ivy_kernels::to_contiguous(view.view())
}
