//! Programs over rows on a device, and folds of many rows: their kernels in one function, and one launch of it.

use super::device::DeviceState;
use super::lock::Lock;
use super::rows::Results;
use super::{Engine, History, Launch, misfit};
use crate::cache::{Cache, digest, number};
use crate::codegen::From;
use crate::codegen::ptx::{self, Piece, RowsForm, Shape as Walk};
use crate::ir::{Access, Kernel};
use crate::log::{Level, say};
use crate::passes;
use crate::runtime::Elements;
use crate::runtime::cuda::{self, DeviceArray, Rows, Space};
use crate::schedule::{Meaning, Program, kernel};
use ivy_core::Result;
use std::collections::HashMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// What a program's function does: its kernels, where their inputs come from, and what they give.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(super) struct Sense {
    pieces: Vec<(Meaning, Vec<From>, Vec<usize>)>,
}

/// A program's kernels, and its code for each form that was needed.
pub(super) struct Together {
    kernels: Vec<Kernel>,
    hash: u64,
    made: Forms,
}

/// The code of pieces over rows, for each form that was needed.
#[derive(Default)]
pub(super) struct Forms(Lock<HashMap<RowsForm, Arc<cuda::Kernel>>>);

impl Forms {
    /// The code for a form, and how long making it took, if it was not there.
    fn code(
        &self,
        device: &Arc<cuda::Device>,
        pieces: &[Piece<'_>],
        form: &RowsForm,
    ) -> Result<(Arc<cuda::Kernel>, Option<Duration>)> {
        if let Some(found) = self.0.take().get(form) {
            return Ok((found.clone(), None));
        }
        let start = Instant::now();
        let function = ptx::program(pieces, form, ptx::FUNCTION);
        let code = Arc::new(device.kernel(&format!("{}\n{function}", ptx::HEADER))?);
        self.0.take().insert(form.clone(), code.clone());
        Ok((code, Some(start.elapsed())))
    }
}

/// Rows for each multiprocessor that are enough for all of them: of fewer, a row is folded by several blocks of
/// threads.
const MANY: usize = 2;

/// Programs by what they do.
pub(super) type Programs = Lock<Cache<Together, Sense>>;

impl Engine {
    /// Runs a program in one launch on the device, and gives what it has written; `None` if there is no
    /// function for it.
    pub(super) fn run_program_on_device(
        &self,
        on_device: &DeviceState,
        program: &Program,
    ) -> Result<Option<Results>> {
        let (inputs, blocks, from) = program.walks(&on_device.kept)?;
        let axes = (program.split..program.space.len()).fold(0, |bits, axis| bits | 1 << axis);
        let Some(space) = Space::folding(&program.space, axes, &inputs) else { return Ok(None) };
        if space.shape() != Walk::Along {
            return Ok(None);
        }
        let values = program.values();
        let choice = self.settings().passes();
        let sense = |(piece, from): (&crate::schedule::Piece, Vec<From>)| {
            let access = |i: usize| match from[i] {
                From::Outside(input) => space.access(input),
                From::Value(value) if values[value].fold.is_some() => Access::Uniform,
                From::Value(_) => Access::Linear,
            };
            let result = |i: usize| piece.gives[i].fold.map_or(Access::Out, Access::Along);
            let gives = piece.gives.iter().map(|given| given.value as usize).collect();
            (piece.job.meaning_of(access, result, choice), from.clone(), gives)
        };
        let sense = Sense { pieces: program.pieces.iter().zip(from).map(sense).collect() };
        let together = on_device.together(&sense, choice)?;
        let pieces: Vec<Piece<'_>> = (together.kernels.iter().zip(&sense.pieces))
            .map(|(kernel, (_, from, gives))| Piece { kernel, from, gives })
            .collect();
        let device = on_device.kept.device();
        let Some(rows) = Rows::new(device, &space, &pieces) else { return Ok(None) };
        let (code, compile) = together.made.code(device, &pieces, &rows.form)?;
        let (memory, run) = on_device.timed(|| rows.launch(&code))?;
        // Until now: what is given back may be written by what is launched next.
        drop(blocks);
        let statements = together.kernels.iter().map(Kernel::len).sum();
        let launch = Launch {
            hash: together.hash,
            elements: program.space.size(),
            pieces: pieces.len(),
            operations: program.operations(),
            fold: values.last().and_then(|given| given.fold).map(|join| join.name()),
            statements,
            inputs: inputs.len(),
            outputs: 1,
            compile,
            loaded: false,
            run,
        };
        say(
            Level::Info,
            format_args!(
                "launch {:016x} on cuda:{}: {} elements, {} operations in {} pieces over rows, {} inputs, {}",
                launch.hash,
                device.number,
                launch.elements,
                launch.operations,
                launch.pieces,
                launch.inputs,
                if compile.is_none() { "cache hit" } else { "cache miss" }
            ),
        );
        History::add(&mut self.history.take(), launch);
        let mut given = Results::new();
        for (value, memory) in values.into_iter().zip(memory) {
            let Some(memory) = memory else { continue };
            let array = DeviceArray::new(memory, value.dtype, value.shape.clone());
            given.push((value.node, Elements::Device(array.ok_or_else(|| misfit("evaluate"))?)));
        }
        Ok(Some(given))
    }
}

impl DeviceState {
    /// Folds each of many rows as a whole, in one launch: the memory of the result, how long assembling took, if
    /// it was not there, and the launch; `None` if there is no function for it.
    pub(super) fn fold_rows(
        &self,
        (kernel, made): (&Kernel, &Forms),
        space: &Space,
    ) -> Result<Option<(cuda::Memory, Option<Duration>, Duration)>> {
        let device = self.kept.device();
        if space.rows() < MANY * device.processors as usize {
            return Ok(None);
        }
        let from: Vec<From> = (0..kernel.params.len().saturating_sub(1)).map(From::Outside).collect();
        let pieces = [Piece { kernel, from: &from, gives: &[0] }];
        let Some(rows) = Rows::new(device, space, &pieces) else { return Ok(None) };
        let (code, compile) = made.code(device, &pieces, &rows.form)?;
        let (mut memory, run) = self.timed(|| rows.launch(&code))?;
        Ok(memory.pop().flatten().map(|memory| (memory, compile, run)))
    }

    /// A program's kernels.
    fn together(&self, sense: &Sense, choice: passes::Choice) -> Result<Arc<Together>> {
        if let Some(found) = self.programs.take().find(sense) {
            return Ok(found);
        }
        let mut kernels = Vec::new();
        for (meaning, ..) in &sense.pieces {
            let mut kernel = kernel(meaning)?;
            passes::run(&mut kernel, passes::pipeline(choice));
            kernels.push(kernel);
        }
        let hashes: Vec<u8> = kernels.iter().flat_map(|kernel| number(kernel).to_le_bytes()).collect();
        let made = Arc::new(Together { kernels, hash: digest(&hashes, 0), made: Forms::default() });
        Ok(self.programs.take().insert(sense.clone(), made))
    }
}
