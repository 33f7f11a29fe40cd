//! What was launched.

use std::collections::VecDeque;
use std::time::Duration;

/// Launches that are remembered.
const KEPT: usize = 4096;

/// One launch, of a kernel, of a program over rows, or of several kernels that are one work: the last one gives
/// it its number.
#[derive(Clone, Debug)]
pub struct Launch {
    /// The kernel's number: the same for the same kernel.
    pub hash: u64,
    /// The elements of the iteration space: of the result, or of what is folded.
    pub elements: usize,
    /// The kernels that it ran: one, the pieces of a program over rows, or the steps of a device's work that
    /// comes from no trace, an order, a scatter, running sums, a product.
    pub pieces: usize,
    /// The operations of the trace in it; what several pieces compute counts for each.
    pub operations: usize,
    /// How its elements are folded, if they are.
    pub fold: Option<&'static str>,
    /// The statements of the kernel; the instructions of those that come from no trace.
    pub statements: usize,
    /// The arrays and literals it reads.
    pub inputs: usize,
    /// The arrays it writes.
    pub outputs: usize,
    /// How long making the kernel took; `None` if it was there.
    pub compile: Option<Duration>,
    /// Whether its code was on disk, when it was made.
    pub loaded: bool,
    /// How long it ran.
    pub run: Duration,
}

/// What an engine has done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Counters {
    /// Nodes that were made: operations and literals that were noted, and arrays that were taken in. What
    /// a compiled function is replayed for has none.
    pub nodes: u64,
    /// Nodes that an equal one stood for.
    pub shared: u64,
    /// Nodes that live.
    pub live: usize,
    /// Kernels in memory.
    pub kernels: usize,
    /// Launches.
    pub launches: u64,
    /// Launches that had to make their kernel.
    pub compiled: u64,
    /// Those among them whose code was on disk.
    pub loaded: u64,
    /// Evaluations that were started for the program to go on meanwhile.
    pub started: u64,
}

#[derive(Default)]
pub(super) struct History {
    launches: VecDeque<Launch>,
    total: u64,
    compiled: u64,
    loaded: u64,
}

impl History {
    pub(super) fn add(&mut self, launch: Launch) {
        self.total += 1;
        self.compiled += u64::from(launch.compile.is_some());
        self.loaded += u64::from(launch.compile.is_some() && launch.loaded);
        if self.launches.len() == KEPT {
            self.launches.pop_front();
        }
        self.launches.push_back(launch);
    }

    pub(super) fn take(&mut self) -> Vec<Launch> {
        self.launches.drain(..).collect()
    }

    pub(super) fn totals(&self) -> [u64; 3] {
        [self.total, self.compiled, self.loaded]
    }
}
