//! Code that is interpreted until it has run for as long as making machine code of it takes: a kernel that runs once, of a
//! few elements, is done long before LLVM were.

use super::interp::{Program, step_time};
use super::llvm::{Limits, Machine};
use super::{Argument, Code};
use crate::ir::fold::BLOCK;
use crate::ir::{self, Kernel};
use crate::log::{Level, say};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

/// What makes machine code of a kernel, or says why there is none.
pub type Make = Box<dyn Fn(&Kernel) -> Result<Machine, String> + Send + Sync>;

/// The part of the time that LLVM takes after which it is asked: what has run for so long will run on.
const PART: u64 = 4;

/// A kernel in its first tier, the interpreter, until it is worth its second, machine code.
pub struct Tiered {
    kernel: Kernel,
    hash: u64,
    make: Make,
    limits: Limits,
    program: Program,
    has_loop: bool,
    /// The second tier, once it was made; `None` where that failed.
    machine: OnceLock<Option<Machine>>,
    /// Nanoseconds that the first tier took so far.
    spent: AtomicU64,
}

impl Tiered {
    /// True if a kernel may be interpreted first. How long one with a loop takes is known when it has ended, so it may be
    /// given up and done anew, which what is folded may not: its results may be in the memory of what it reads.
    pub fn fits(kernel: &Kernel) -> bool {
        let folds = |p: &ir::Param| p.access.along().is_some() || matches!(p.access, ir::Access::Across(_));
        let has_loop = kernel.has(ir::Code::Loop);
        kernel.effects.is_none() && !(has_loop && kernel.params.iter().any(folds))
    }

    /// A kernel that [`Tiered::fits`], with its number, and what makes code of it that has `limits`.
    pub fn new(kernel: Kernel, hash: u64, limits: Limits, make: Make) -> Tiered {
        let program = Program::new(&kernel);
        let has_loop = kernel.has(ir::Code::Loop);
        let (machine, spent) = (OnceLock::new(), AtomicU64::new(0));
        Tiered { kernel, hash, make, limits, program, has_loop, machine, spent }
    }

    /// About how many nanoseconds LLVM takes, measured: 4 ms for the smallest kernel, and 0.08 ms for each statement.
    fn making(&self) -> u64 {
        4_000_000 + 80_000 * self.kernel.len() as u64
    }

    /// About how many nanoseconds a range takes to interpret, if no loop goes round.
    fn interpreting(&self, elements: usize, rows: usize) -> u64 {
        let (whole, rest) = ((elements / BLOCK) as u64, elements % BLOCK);
        let each = whole * step_time(BLOCK) + if rest > 0 { step_time(rest) } else { 0 };
        self.kernel.len() as u64 * rows as u64 * each
    }

    fn second(&self) -> Option<&Machine> {
        let make = || {
            let start = Instant::now();
            let made = (self.make)(&self.kernel);
            let (hash, statements, time) = (self.hash, self.kernel.len(), start.elapsed());
            match &made {
                Ok(_) => say(
                    Level::Info,
                    format_args!("compiled {hash:016x} by llvm: {statements} statements in {time:?}"),
                ),
                Err(reason) => say(
                    Level::Warn,
                    format_args!("LLVM refused the kernel {hash:016x}, which stays interpreted: {reason}"),
                ),
            }
            made.ok()
        };
        self.machine.get_or_init(make).as_ref()
    }
}

impl Code for Tiered {
    fn least(&self) -> usize {
        self.limits.least
    }

    fn least_rows(&self) -> usize {
        self.limits.rows
    }

    fn twins(&self) -> bool {
        self.limits.twins
    }

    fn cost(&self) -> usize {
        self.limits.cost
    }

    unsafe fn run(&self, arguments: &[Argument], begin: usize, end: usize, rows: usize) {
        let interpreted = || {
            let left = (self.making() / PART).checked_sub(self.spent.load(Ordering::Relaxed))?;
            if self.interpreting(end - begin, rows) > left {
                return None;
            }
            let left = if self.has_loop { left } else { u64::MAX };
            let start = Instant::now();
            // SAFETY: the caller's promise; the interpreter takes ranges of any size.
            let done = unsafe { self.program.run_within(arguments, (begin, end), rows, left) };
            self.spent.fetch_add(start.elapsed().as_nanos() as u64, Ordering::Relaxed);
            done.then_some(())
        };
        if self.machine.get().is_none() && interpreted().is_some() {
            return;
        }
        match self.second() {
            // SAFETY: the caller's promise, by the limits that the machine code has.
            Some(machine) => unsafe { machine.run(arguments, begin, end, rows) },
            // SAFETY: the caller's promise.
            None => unsafe { self.program.run(arguments, begin, end, rows) },
        }
    }
}
