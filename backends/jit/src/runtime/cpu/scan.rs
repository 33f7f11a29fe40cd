//! Running sums and products of what a kernel computes: parts of each row are computed where their
//! results stand, and replaced by those while they are in a near cache.
//!
//! # Invariants
//!
//! Those of [`super::launch`]; a part of a row is computed by one task, and nobody else has to do with it meanwhile.

use super::flag::Flag;
use super::launch::{Shared, Written, arguments, range, room, seek, unfit};
use super::space::Space;
use super::tasks::are_worth;
use crate::codegen::{Argument, Code};
use crate::ir::{Access, Param};
use ivy_core::host::scratch;
use ivy_core::{Dtype, Result, ScanOp};
use ivy_kernels::parallel::tasks;
use ivy_kernels::scan::{Running, Source};
use std::ops::Range;

/// Bytes of the rows that a task has.
const TASK: usize = 128 << 10;

/// What is carried along the rows.
#[derive(Clone, Copy)]
pub struct Scan {
    /// How elements combine.
    pub op: ScanOp,
    /// The elements' dtype.
    pub dtype: Dtype,
    /// Whether the sum or product of nothing comes first, which makes rows longer by one.
    pub include_initial: bool,
}

/// Runs code of a kernel with these parameters, inputs first and then one result, and gives the running
/// sums or products of the rows that it computes.
///
/// # Errors
/// No memory, and [`ivy_core::ErrorKind::IndexOutOfRange`], without more, if a check failed;
/// [`ivy_core::ErrorKind::InvalidArgument`] for a space that the kernel was not made for.
pub fn scan(code: &dyn Code, params: &[Param], space: &Space<'_>, how: Scan) -> Result<Written> {
    let result = match params[space.inputs.len().min(params.len())..] {
        [result] | [result, Param { access: Access::Flag, .. }] if result.access == Access::Out => result,
        _ => return Err(unfit(space)),
    };
    // Parts of rows may be shorter than vectors.
    if !space.fits(params) || result.bytes() != how.dtype.bytes() || space.is_guarded() {
        return Err(unfit(space));
    }
    let (row, (of_line, lines)) = (space.inner, space.lines());
    let before = usize::from(how.include_initial);
    let (buffer, base, _) = room(of_line * lines, row + before, result, None, space)?;
    let mut all = arguments(space);
    all.push(Argument { base, stride: 1, row: 0 });
    let flag = Flag::default();
    all.push(flag.argument());
    let plan = Plan { running: Running::new(how.op, how.dtype)?, code, params, space, how, all: Shared(all) };
    let parallel = are_worth(code, of_line * lines * row);
    let threads = rayon::current_num_threads();
    let all_rows = || {
        // Of few rows each is several threads' work.
        if parallel && of_line * lines < threads {
            return (0..of_line * lines).for_each(|row| plan.row(row / of_line, row % of_line, threads));
        }
        let some = (TASK / (row.max(1) * result.bytes())).clamp(1, of_line.max(1));
        let parts = of_line.div_ceil(some);
        tasks(parallel, lines * parts, &|task| {
            let (line, first) = (task / parts, task % parts * some);
            (first..(first + some).min(of_line)).for_each(|number| plan.row(line, number, 1));
        });
    };
    scratch::guard("launch", all_rows)?;
    flag.result()?;
    // SAFETY: the rows' parts have been computed, and what is before them is written.
    Ok(Written { buffer: unsafe { buffer.assume_init() }, first: 0 })
}

/// What does not change from row to row.
struct Plan<'p> {
    running: Running,
    code: &'p dyn Code,
    params: &'p [Param],
    space: &'p Space<'p>,
    how: Scan,
    /// The arguments of the first row.
    all: Shared,
}

impl Plan<'_> {
    /// A row of a line, by so many threads.
    fn row(&self, line: usize, number: usize, threads: usize) {
        let (space, result) = (self.space, self.space.inputs.len());
        let (row, bytes) = (space.inner, self.how.dtype.bytes());
        let before = usize::from(self.how.include_initial);
        let mut own = self.all.clone();
        seek(space, &mut own.0, line, number);
        let first = (line * space.lines().0 + number) * (row + before);
        let begin = own.0[result].base.wrapping_add(first * bytes);
        if before > 0 {
            // SAFETY: the row's first element, which no other task writes.
            unsafe { self.running.initial(begin) };
        }
        own.0[result].base = begin.wrapping_add(before * bytes);
        if row == 0 {
            return;
        }
        let own = &own;
        let compute = |part: Range<usize>| {
            // SAFETY: elements of the row, which `line` asks one task for at a time; a part is longer than vectors are.
            unsafe { range(self.code, self.params, own.arguments(), 1, part) };
        };
        let to = own.arguments()[result].base;
        // SAFETY: room for the row, all of whose elements the code computes there.
        unsafe { self.running.line(Source::Written(&compute), to, row, threads) };
    }
}
