//! Programs over rows on the processor: their kernels, and one launch of all of them.

use super::launch::{SHORT, array_of};
use super::variable::State;
use super::{Engine, misfit};
use crate::codegen::Ready;
use crate::codegen::llvm::SIDE_BY_SIDE;
use crate::engine::history::Launch;
use crate::ir::Access;
use crate::log::{Level, say};
use crate::runtime::Elements;
use crate::runtime::cpu::{From, Piece, Space, View, asks, is_long, rows};
use crate::schedule::{self, Given, Program, is_large};
use crate::trace::NodeId;
use ivy_core::Result;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Longer rows, in bytes of the widest input, do not stay in a near cache.
const NEAR: usize = 256 << 10;

/// A program's results: the node that is asked for, and the folds besides.
pub(super) type Results = Vec<(NodeId, Elements)>;

impl Engine {
    /// A program for a node where fusion stops before another one, if that is a fold, or has fewer elements
    /// and may be made of one: a number for each row.
    pub(super) fn program(&self, trace: &mut State, id: NodeId, first: NodeId) -> Option<Program> {
        let settings = self.settings();
        let wanted = settings.rows && settings.fusion && settings.folds;
        // The end of a row that is no whole vector takes as long as one in each kernel: of short rows, what
        // computes most is better without folds, which have masks there.
        let whole = |row: usize| row.is_multiple_of(SIDE_BY_SIDE) || row >= 2 * SIDE_BY_SIDE;
        let merging = |row| settings.merging && (self.on_device.is_some() || whole(row));
        (wanted && trace.may_be_of_rows(first, id)).then(|| trace.program(id, merging)).flatten()
    }

    /// Runs a program, and gives what it has written; `None` if its rows are too short or too long
    /// for it, or are not found in one stride.
    pub(super) fn run_program(&self, program: &Program) -> Result<Option<Results>> {
        if let Some(on_device) = &self.on_device {
            return self.run_program_on_device(on_device, program);
        }
        if let Some(given) = self.run_program_by_columns(program)? {
            return Ok(Some(given));
        }
        let settings = self.settings();
        let (views, from) = program.inputs().ok_or_else(|| misfit("evaluate"))?;
        let Some(space) = Space::rows_of(&program.space, program.split, &views) else { return Ok(None) };
        let widest = views.iter().map(|v| v.dtype().bytes()).max().unwrap_or(1);
        let padded = program.pieces.iter().any(|piece| piece.job.is_padded());
        let short = match padded {
            _ if self.takes_short(settings) => 2,
            true => SIDE_BY_SIDE,
            false => SHORT,
        };
        if space.row() < short || space.row() * widest > NEAR {
            return Ok(None);
        }
        // Of short rows the beginnings and ends are most of the work.
        if settings.overlap
            && space.row() >= SIDE_BY_SIDE
            && is_long(&space)
            && let Some(program) = program.overlapping(self.writes_apart(program, &space))
        {
            // Its inputs are the same ones in another order.
            let (views, from) = program.inputs().ok_or_else(|| misfit("evaluate"))?;
            let Some(space) = Space::rows_of(&program.space, program.split, &views) else { return Ok(None) };
            return self.run_pieces(&program, &space, &views, &from).map(Some);
        }
        self.run_pieces(program, &space, &views, &from).map(Some)
    }

    /// True if elements go past the caches.
    fn streams(&self, given: &Given, space: &Space<'_>) -> bool {
        self.settings().streams
            && given.fold.is_none()
            && space.has_lines(given.dtype.bytes())
            && is_large(&given.shape, given.dtype)
    }

    /// True if what a program ends with has blocks of its own for the ends of its rows.
    fn writes_apart(&self, program: &Program, space: &Space<'_>) -> bool {
        let values = program.values();
        values.last().is_some_and(|last| self.streams(last, space) && !space.is_lines(last.dtype.bytes()))
    }

    /// Runs a program over the space of its inputs.
    fn run_pieces(
        &self,
        program: &Program,
        space: &Space<'_>,
        views: &[View<'_>],
        from: &[Vec<From>],
    ) -> Result<Results> {
        let (settings, values) = (self.settings(), program.values());
        let mut choice = self.choice_of(settings, space);
        choice.apart = values.last().is_some_and(|last| !space.is_lines(last.dtype.bytes()));
        let asks = asks(from.iter().zip(&program.pieces).map(|(from, piece)| (&from[..], piece.behind[0])));
        let mut made: Vec<(Arc<Ready>, bool)> = Vec::new();
        let mut gives: Vec<Vec<usize>> = Vec::new();
        for (number, piece) in program.pieces.iter().enumerate() {
            let result = |i: usize| {
                let given = &piece.gives[i];
                let last = given.value as usize + 1 == values.len();
                match given.fold {
                    Some(join) if settings.whole => Access::Row(join),
                    Some(join) => Access::Along(join),
                    None if last && self.streams(given, space) => Access::Stream,
                    None => Access::Out,
                }
            };
            let access = |i: usize| match from[number][i] {
                From::Outside(input) => {
                    space.access(input, settings.steps, false, settings.ahead && asks[number][i])
                }
                From::Value(value) if values[value].fold.is_some() => Access::Uniform,
                From::Value(_) => Access::Linear,
            };
            let meaning = piece.job.meaning_of(access, result, choice);
            made.push(self.ready(meaning, &piece.job)?);
            gives.push(piece.gives.iter().map(|given| given.value as usize).collect());
        }
        let parts = made.iter().zip(from).zip(&gives).zip(&program.pieces);
        let pieces: Vec<Piece<'_>> = parts
            .map(|((((ready, _), from), gives), piece)| Piece {
                code: &*ready.code,
                params: &ready.params,
                from,
                gives,
                behind: piece.behind,
            })
            .collect();
        let start = Instant::now();
        let written = rows(space, &pieces, settings.placing)?;
        self.log_program(program, views, &made, start.elapsed());
        let mut given = Results::new();
        for (value, written) in values.into_iter().zip(written) {
            let Some(written) = written else { continue };
            let array = array_of(written, value.dtype, value.shape.clone());
            let array = array.ok_or_else(|| misfit("evaluate"))?;
            given.push((value.node, Elements::Host(array)));
        }
        Ok(given)
    }

    fn log_program(&self, program: &Program, views: &[View<'_>], made: &[(Arc<Ready>, bool)], run: Duration) {
        let values = program.values();
        let Some(given) = values.last() else { return };
        let gives = |(_, piece): &(_, &schedule::Piece)| piece.gives.iter().any(|g| g.value == given.value);
        let Some(((last, _), _)) = made.iter().zip(&program.pieces).find(gives) else { return };
        let fresh = || made.iter().filter(|(_, hit)| !hit).map(|(ready, _)| ready);
        let launch = Launch {
            hash: last.hash,
            elements: program.space.size(),
            pieces: made.len(),
            operations: program.operations(),
            fold: given.fold.map(|join| join.name()),
            statements: made.iter().map(|(ready, _)| ready.statements).sum(),
            inputs: views.len(),
            outputs: 1,
            compile: fresh().map(|ready| ready.time).reduce(|a, b| a + b),
            loaded: fresh().all(|ready| ready.loaded),
            run,
        };
        say(
            Level::Info,
            format_args!(
                "launch {:016x}: {} elements, {} operations in {} pieces over rows, {} inputs, {run:?}",
                launch.hash, launch.elements, launch.operations, launch.pieces, launch.inputs,
            ),
        );
        self.history.take().add(launch);
    }
}
