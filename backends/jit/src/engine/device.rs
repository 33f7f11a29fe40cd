//! Evaluation on a device: the same trace and the same jobs, with arrays in its memory.

use super::lock::Lock;
use super::rows_on_device::{Forms, Programs};
use super::{Engine, Launch, misfit};
use crate::cache::{Cache, Generator, number};
use crate::codegen::ptx::{self, Form, Nature, Shape as Walk};
use crate::environment::switch;
use crate::ir::{Access, Join, Kernel};
use crate::log::{Level, say};
use crate::passes;
use crate::runtime::cuda::{self, DeviceArray, Kept, Space, Wanted};
use crate::runtime::{Elements, Held};
use crate::schedule::{Direct, Job, kernel};
use ivy_core::host::HostArray;
use ivy_core::{Dims, Dtype, Result, Shape};
use smallvec::{SmallVec, smallvec};
use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// The environment variable that forbids host kernels on a device's arrays, if it is `off`.
const TRANSFERS: &str = "IVY_CUDA_TRANSFERS";

/// A device that an engine's arrays are on.
pub(super) struct DeviceState {
    /// What is kept on it.
    pub(super) kept: Arc<Kept>,
    kernels: Lock<Cache<Assembled>>,
    /// Programs over rows that were made.
    pub(super) programs: Programs,
    transfers: AtomicBool,
    timed: AtomicBool,
}

/// A kernel, and its code for each form that was needed.
struct Assembled {
    kernel: Kernel,
    hash: u64,
    nature: Nature,
    made: Lock<HashMap<Form, Arc<cuda::Kernel>>>,
    /// Of folds of whole rows.
    rows: Forms,
}

impl DeviceState {
    pub(super) fn take(&self, array: &HostArray) -> Result<Elements> {
        DeviceArray::upload(self.kept.device(), array).map(Elements::Device)
    }

    /// How many kernels it has.
    pub(super) fn kernels(&self) -> usize {
        self.kernels.take().len() + self.programs.take().len()
    }

    /// Starts something, and says how long that took: on the host, or, where launches are timed, on the device,
    /// which is waited for.
    pub(super) fn timed<T>(&self, start: impl FnOnce() -> Result<T>) -> Result<(T, Duration)> {
        let device = self.kept.device();
        let before = self.timed.load(Ordering::Relaxed).then(|| device.now()).transpose()?;
        let begin = Instant::now();
        let done = start()?;
        let run = match before {
            Some(before) => device.now()?.since(&before)?,
            None => begin.elapsed(),
        };
        Ok((done, run))
    }

    /// One value for all elements.
    pub(super) fn filled(&self, dtype: Dtype, shape: &Shape, words: &[u64; 2]) -> Result<Elements> {
        let strides = Dims::from_elem(0, shape.len());
        let array = DeviceArray::from_parts(self.kept.literal(*words)?, dtype, shape.clone(), strides, 0);
        array.map(Elements::Device).ok_or_else(|| misfit("full"))
    }
}

impl Engine {
    /// An engine whose arrays are on a device, and that computes there.
    pub fn on_device(kept: Arc<Kept>) -> Arc<Engine> {
        let transfers = switch(TRANSFERS, true);
        let on_device = DeviceState {
            kept,
            kernels: Lock::default(),
            programs: Lock::default(),
            transfers: AtomicBool::new(transfers),
            timed: AtomicBool::new(false),
        };
        // What is known without arrays, operations on literals, is computed by the interpreter.
        Engine::of(Generator::Interp, None, Some(on_device))
    }

    /// The device that its arrays are on, if it is not the processor.
    pub fn device(&self) -> Option<&Arc<cuda::Device>> {
        self.on_device.as_ref().map(|on_device| on_device.kept.device())
    }

    /// True if what has no kernel on the device may be computed on the host, with copies of the
    /// operands and the results.
    pub fn transfers(&self) -> bool {
        self.on_device.as_ref().is_none_or(|on_device| on_device.transfers.load(Ordering::Relaxed))
    }

    /// Allows that, or forbids it; gives what was before.
    pub fn set_transfers(&self, allowed: bool) -> bool {
        self.on_device.as_ref().is_none_or(|on_device| on_device.transfers.swap(allowed, Ordering::Relaxed))
    }

    /// Has launches on a device waited for and timed by its clock, for the history; gives what was
    /// before.
    pub fn set_timed(&self, timed: bool) -> bool {
        self.on_device.as_ref().is_some_and(|on_device| on_device.timed.swap(timed, Ordering::Relaxed))
    }

    /// Elements of a device in row-major order.
    pub(super) fn contiguous(&self, on_device: &DeviceState, elements: Elements) -> Result<DeviceArray> {
        match elements {
            Elements::Device(array) if array.is_contiguous() => Ok(array),
            other => self.run_on_device(on_device, &Job::copy(other)),
        }
    }

    /// Runs a job in one kernel on the device; gives its first result.
    pub(super) fn run_on_device(&self, on_device: &DeviceState, job: &Job) -> Result<DeviceArray> {
        self.run_all_on_device(on_device, job)?.into_iter().next().ok_or_else(|| misfit("evaluate"))
    }

    /// Runs a job in one kernel on the device; gives all its results.
    pub(super) fn run_all_on_device(&self, on_device: &DeviceState, job: &Job) -> Result<Vec<DeviceArray>> {
        let (inputs, blocks) = job.walks(&on_device.kept)?;
        let space = match job.fold {
            None => Space::new(&job.space, &inputs).ok_or_else(|| misfit("evaluate"))?,
            Some((join, axes)) => match Space::folding(&job.space, axes, &inputs) {
                Some(space) => space,
                None => return self.fold_on_device(on_device, job, join, axes).map(|array| vec![array]),
            },
        };
        let result = match (job.fold, space.shape()) {
            (Some((join, _)), Walk::Along) => Access::Along(join),
            (Some((join, _)), _) => Access::Across(join),
            _ => Access::Out,
        };
        let arrays = self.launch_on_device(on_device, job, space, result);
        // Until now: what is given back may be written by what is launched next.
        drop(blocks);
        arrays
    }

    /// What is folded in no single step is written in order first.
    fn fold_on_device(
        &self,
        on_device: &DeviceState,
        job: &Job,
        join: Join,
        axes: u64,
    ) -> Result<DeviceArray> {
        let folded = |a: &usize| axes >> a & 1 > 0;
        let all = 0..job.space.len();
        let order: Vec<usize> =
            all.clone().filter(|a| !folded(a)).chain(all.clone().filter(folded)).collect();
        let count = all.filter(folded).count();
        let whole = self.run_on_device(on_device, &job.permuted(&order))?;
        let mut rest = Job::copy(Elements::Device(whole));
        let bits = (order.len() - count..order.len()).fold(0, |bits, a| bits | 1 << a);
        (rest.fold, rest.shape) = (Some((join, bits)), job.shape.clone());
        self.run_on_device(on_device, &rest)
    }

    fn launch_on_device(
        &self,
        on_device: &DeviceState,
        job: &Job,
        space: Space,
        result: Access,
    ) -> Result<Vec<DeviceArray>> {
        let settings = self.settings();
        let choice = self.choice(settings);
        let meaning = job.meaning(|i| space.access(i), result, choice);
        let found = on_device.kernels.take().find(&meaning);
        let assembled = match found {
            Some(found) => found,
            None => {
                let mut kernel = kernel(&meaning)?;
                passes::run(&mut kernel, passes::pipeline(choice));
                let hash = number(&kernel);
                let nature = Nature::of(&kernel);
                let made = Lock::default();
                let new = Arc::new(Assembled { kernel, hash, nature, made, rows: Forms::default() });
                on_device.kernels.take().insert(meaning, new)
            }
        };
        let processors = on_device.kept.device().processors;
        let wanted = Wanted { abreast: settings.abreast, tiles: settings.tiles, processors };
        let walk = space.best(&assembled.kernel.params, assembled.nature, wanted);
        let fold = job.fold.map(|(join, _)| join);
        let whole = settings.rows && matches!(result, Access::Along(_));
        let kernel = (&assembled.kernel, &assembled.rows);
        let rows = if whole { on_device.fold_rows(kernel, &space)? } else { None };
        let launched = match rows {
            Some((memory, compile, run)) => Launched { results: smallvec![memory], compile, run },
            None => self.start_on_device(on_device, &assembled, &space.walked(walk), fold.is_some())?,
        };
        self.log(Launch {
            hash: assembled.hash,
            elements: job.space.size(),
            pieces: 1,
            operations: job.len(),
            fold: fold.map(Join::name),
            statements: assembled.kernel.len(),
            inputs: job.inputs(),
            outputs: job.outputs.len(),
            compile: launched.compile,
            loaded: false,
            run: launched.run,
        });
        let arrays = launched.results.into_iter().zip(&job.outputs);
        let arrays = arrays.map(|(m, o)| DeviceArray::new(m, o.dtype, job.shape.clone()));
        arrays.map(|array| array.ok_or_else(|| misfit("evaluate"))).collect()
    }

    /// Starts a kernel; waits for it only where launches are timed.
    fn start_on_device(
        &self,
        on_device: &DeviceState,
        assembled: &Assembled,
        space: &Space,
        folds: bool,
    ) -> Result<Launched> {
        let (code, compile) = assembled.code(on_device, space.form(false))?;
        let params = &assembled.kernel.params;
        let start = || match folds {
            true => Ok(smallvec![cuda::fold(&on_device.kept, &code, params, space, false)?]),
            false => cuda::launch(&code, params, space),
        };
        let (results, run) = on_device.timed(start)?;
        Ok(Launched { results, compile, run })
    }

    /// Launches what is flat on the device, if it has the kernel.
    pub(super) fn direct_on_device(
        &self,
        on_device: &DeviceState,
        direct: &Direct,
        (dtype, shape): (Dtype, Shape),
    ) -> Result<Option<(Elements, Launch)>> {
        let Some(assembled) = on_device.kernels.take().find(&direct.meaning) else { return Ok(None) };
        self.row_on_device(on_device, &assembled, (direct.len(), direct.row), &direct.inputs, (dtype, shape))
    }

    /// Launches a kernel of some operations over a row; `None` if it is for another kind of space.
    fn row_on_device(
        &self,
        on_device: &DeviceState,
        assembled: &Assembled,
        (operations, row): (usize, usize),
        inputs: &[Held],
        (dtype, shape): (Dtype, Shape),
    ) -> Result<Option<(Elements, Launch)>> {
        let mut compile = None;
        let code = || {
            let (code, time) = assembled.code(on_device, cuda::FLAT)?;
            compile = time;
            Ok(code)
        };
        let start = || cuda::row(&on_device.kept, &assembled.kernel.params, row, inputs, code);
        let (result, run) = on_device.timed(start)?;
        let array = result.and_then(|memory| DeviceArray::new(memory, dtype, shape));
        let launch = Launch {
            hash: assembled.hash,
            elements: row,
            pieces: 1,
            operations,
            fold: None,
            statements: assembled.kernel.len(),
            inputs: inputs.len(),
            outputs: 1,
            compile,
            loaded: false,
            run,
        };
        Ok(array.map(|array| (Elements::Device(array), launch)))
    }
}

/// A launch over one row of a device, to be done again.
pub(super) struct Flat {
    assembled: Arc<Assembled>,
    row: usize,
}

impl Engine {
    /// A job as such a launch, if it is one, and has a kernel.
    pub(super) fn rerun_on_device(&self, on_device: &DeviceState, job: &Job) -> Option<Flat> {
        if job.fold.is_some() || job.gathers() {
            return None;
        }
        let (walks, _blocks) = job.walks(&on_device.kept).ok()?;
        let space = Space::new(&job.space, &walks).filter(|space| space.form(false) == cuda::FLAT)?;
        let meaning = job.meaning(|i| space.access(i), Access::Out, self.choice(self.settings()));
        let (assembled, row) = (on_device.kernels.take().find(&meaning)?, job.space.size());
        cuda::is_row(&on_device.kept, &assembled.kernel.params, row, &job.held()?)
            .then_some(Flat { assembled, row })
    }

    /// Launches a job once more, on these inputs.
    ///
    /// # Errors
    /// Those of a launch.
    pub(super) fn flat_on_device(&self, flat: &Flat, job: &Job, inputs: &[Held]) -> Result<Elements> {
        let on_device = self.on_device.as_ref().ok_or_else(|| misfit("compile"))?;
        let operations = (job.len(), flat.row);
        let done = self.row_on_device(
            on_device,
            &flat.assembled,
            operations,
            inputs,
            (job.dtype, job.shape.clone()),
        )?;
        let (array, launch) = done.ok_or_else(|| misfit("compile"))?;
        self.log(launch);
        Ok(array)
    }
}

/// What a launch on a device gives, how long assembling took, if it was not there, and how long it took.
struct Launched {
    results: SmallVec<[cuda::Memory; 1]>,
    compile: Option<Duration>,
    run: Duration,
}

impl Assembled {
    /// The code for a form, and how long making it took, if it was not there.
    fn code(&self, on_device: &DeviceState, form: Form) -> Result<(Arc<cuda::Kernel>, Option<Duration>)> {
        if let Some(found) = self.made.take().get(&form) {
            return Ok((found.clone(), None));
        }
        let start = Instant::now();
        let code = Arc::new(on_device.kept.device().kernel(&ptx::module(&self.kernel, form))?);
        self.made.take().insert(form, code.clone());
        let time = start.elapsed();
        say(
            Level::Info,
            format_args!("assembled {:016x}: {} statements in {time:?}", self.hash, self.kernel.len()),
        );
        Ok((code, Some(time)))
    }
}
