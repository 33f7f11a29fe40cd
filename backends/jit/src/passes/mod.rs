//! What makes kernels smaller before code is made of them. A pass is a function from kernel to
//! kernel that keeps what [`crate::ir::verify`] checks; the pipeline is data.

mod alias;
mod dead;
mod forward;
mod hoist;
mod if_convert;
mod inline;
mod mem2reg;
mod overwritten;
mod same;
mod simplify;
mod state;

pub use dead::dead;
pub use forward::forward;
pub use hoist::hoist;
pub use if_convert::if_convert;
pub use inline::inline;
pub use mem2reg::mem2reg;
pub use overwritten::overwritten;
pub use same::same;
pub use simplify::simplify;
pub use state::state;

use crate::ir::Kernel;
use crate::log::{Level, say};

/// A named pass.
#[derive(Clone, Copy, Debug)]
pub struct Pass {
    /// The name, for logs.
    pub name: &'static str,
    /// What it does.
    pub run: fn(&mut Kernel),
    /// Whether it runs, if that can be chosen.
    wanted: fn(Choice) -> bool,
}

/// Which of the passes that can be left out run, and how much is left to LLVM and the processor.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Choice {
    /// Loops do not carry what is not needed, or never changes.
    pub state: bool,
    /// What is the same each time a loop is repeated is computed before it.
    pub hoisting: bool,
    /// Local variables of kernels with effects become values.
    pub promotion: bool,
    /// Short branches of kernels become selects, and what is known of integers is not computed.
    pub selects: bool,
    /// What an element has read or written is not read again, and what is written over is not written.
    pub forwarding: bool,
    /// LLVM does as little as it can for long blocks without branches.
    pub quick: bool,
    /// Kernels are interpreted until machine code has become worth its making.
    pub tiered: bool,
    /// Several vectors of what waits for the step before are computed side by side.
    pub abreast: bool,
    /// NaN is noted beside what is greatest or least of a row.
    pub notes: bool,
    /// float16 is converted by the processor.
    pub halves: bool,
    /// Rows have fewer elements than a vector.
    pub short: bool,
    /// Rows of what goes past the caches are no whole lines of these.
    pub apart: bool,
    /// Elements that go on in a loop when most have ended are put together.
    pub packing: bool,
    /// Rows that are folded with little to do are so two at a time.
    pub twins: bool,
    /// Some vectors of square roots are multiplied.
    pub roots: bool,
    /// Elements are taken one by one where vectors would be put together of single elements of memory.
    pub scalar: bool,
    /// Those of a vector are taken when what the next vector's are taken of is computed.
    pub pipelined: bool,
}

impl Choice {
    /// All that kernels with effects have.
    pub const EFFECTS: Choice = Choice {
        state: true,
        hoisting: true,
        promotion: true,
        selects: true,
        forwarding: true,
        quick: false,
        tiered: false,
        abreast: false,
        notes: false,
        halves: false,
        short: false,
        apart: false,
        packing: false,
        twins: false,
        scalar: true,
        roots: false,
        pipelined: false,
    };
}

/// The passes, in the order in which they run.
pub const PIPELINE: &[Pass] = &[
    Pass { name: "inline", run: inline, wanted: |_| true },
    Pass { name: "mem2reg", run: mem2reg, wanted: |choice| choice.promotion },
    Pass { name: "if_convert", run: if_convert, wanted: |choice| choice.selects },
    Pass { name: "simplify", run: simplify, wanted: |choice| choice.selects },
    Pass { name: "forward", run: forward, wanted: |choice| choice.forwarding },
    Pass { name: "overwritten", run: overwritten, wanted: |choice| choice.forwarding },
    Pass { name: "state", run: state, wanted: |choice| choice.state },
    Pass { name: "hoist", run: hoist, wanted: |choice| choice.hoisting },
    Pass { name: "same", run: same, wanted: |_| true },
    Pass { name: "dead", run: dead, wanted: |_| true },
];

/// The passes that are wanted.
pub fn pipeline(choice: Choice) -> impl Iterator<Item = &'static Pass> {
    PIPELINE.iter().filter(move |pass| (pass.wanted)(choice))
}

/// Runs passes one after the other; the log has what each leaves.
pub fn run<'a>(kernel: &mut Kernel, passes: impl IntoIterator<Item = &'a Pass>) {
    for pass in passes {
        (pass.run)(kernel);
        debug_assert_eq!(crate::ir::verify(kernel), Ok(()), "after the pass `{}`:\n{kernel}", pass.name);
        say(Level::Debug, format_args!("after the pass `{}`:\n{kernel}", pass.name));
    }
}
