//! Switches of the optimisations. They change no bit of a result.

use crate::environment::switch;
use crate::passes::Choice;
use std::sync::LazyLock;

/// The environment variable that says whether kernels are interpreted first: `on`, as it is, or `off`.
const TIERED_VARIABLE: &str = "IVY_JIT_TIERED";

macro_rules! switches {
    ($($(#[$doc:meta])* $name:ident)*) => {
        /// What the engine does beside what it must.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub struct Settings { $($(#[$doc])* pub $name: bool,)* }

        impl Settings {
            /// The switches' names, in order.
            pub const NAMES: &[&str] = &[$(stringify!($name)),*];

            /// The switches in order, the first one in the lowest bit.
            pub fn bits(self) -> u64 {
                [$(self.$name),*].iter().rev().fold(0, |bits, &on| bits << 1 | u64::from(on))
            }

            /// The switches in order, the first one in the lowest bit.
            #[inline]
            pub fn of(bits: u64) -> Settings {
                let mut left = bits;
                let mut next = || {
                    let on = left & 1 > 0;
                    left >>= 1;
                    on
                };
                Settings { $($name: next(),)* }
            }
        }
    };
}

switches! {
    /// Operations on literals, and those that change nothing, are not noted.
    folding
    /// Equal operations are one node.
    numbering
    /// Operations wait for others; else each is done at once.
    fusion
    /// What is flat and small, and has a kernel, is launched without a space; else as all else is.
    direct
    /// Views of what is pending are maps in its kernel; else it is evaluated first.
    views
    /// Folds are fused with what they fold; else that is evaluated first.
    folds
    /// Folds along the same rows, and what is made of them, run on a few rows at a time; else each
    /// runs over all.
    rows
    /// Pieces of such a program that need the same elements are one kernel; else one each.
    merging
    /// What such a program ends with runs in one kernel with what it begins with on the next rows; else
    /// one after the other.
    overlap
    /// Kernels that fold rows put a row's blocks together; else the launch does.
    whole
    /// Elements at indices are read in the kernel of what they are for; else by the reference kernels.
    gathers
    /// What stands around elements is put there in the kernel of what it is for; else by the reference
    /// kernels.
    pads
    /// Two arrays one after the other, as `roll` has them, are joined in the kernel of what they are for; else
    /// by the reference kernels.
    joins
    /// What is small and there is padded and joined by the reference kernels at once, where nothing is recorded;
    /// else in the kernel of what it is for.
    small
    /// What numbers elements, as `arange` does, is counted in the kernel of what it is for; else the
    /// reference kernels write it.
    counters
    /// Random bits are computed in the kernel of what they are for; else the reference kernels write them.
    draws
    /// Updates put at places, and running sums and products, wait until they are read; else they are
    /// done at once.
    deferred
    /// What a sum or product runs along is computed in parts, in its launch; else it is evaluated first.
    scans
    /// What the program holds when a kernel has computed it is written the second time, and what is made of that at
    /// once; else it is computed each time.
    materialize
    /// Kernels have a bounded number of statements: what is beyond is evaluated when it is noted; else what is fused may be
    /// of any length, and LLVM takes a time for it that grows faster than that.
    bounded
    /// What is evaluated together and has one shape is computed in one kernel; else in one each.
    together
    /// Small steps through memory are whole vectors, of which some lanes are taken.
    steps
    /// Inputs a few elements from each other in memory are read once; else each by itself.
    beside
    /// Large results are written past the caches.
    streams
    /// Rows that are a little larger than a near cache are walked from the end every other time.
    turning
    /// Large results begin where they follow what is read at the greatest distance within a page, and
    /// lines with lines; else where their memory begins.
    placing
    /// Rows that stand side by side are transposed in tiles, squares that mirror each other one after the
    /// other, also on a device; else they are read element by element.
    tiles
    /// Folds, and what goes past the caches, ask memory for what they read later.
    ahead
    /// Products of matrices of real floats are computed in packed tiles; else element by element.
    products
    /// Loops and conditionals are recorded, and parts of kernels; else they run step by step.
    loops
    /// Loops do not carry what is not needed, or never changes.
    state
    /// What is the same each time a loop is repeated is computed before it.
    hoisting
    /// Elements that go on in a loop when most of those beside them have ended are put together, on the
    /// processor; else all wait for the last one of their vector.
    packing
    /// LLVM does as little as it can for long blocks without branches, which is faster done.
    quick
    /// Kernels are interpreted until they have run for as long as making machine code of them takes, where that
    /// can be said; else it is made before they run. `IVY_JIT_TIERED=off` turns it off at first.
    tiered
    /// Loops and elementary functions are computed for several vectors side by side, which wait together;
    /// on a device, a thread computes several elements side by side.
    abreast
    /// Some of the square roots of float32 that stand side by side are multiplied, while the processor divides for
    /// the others; else it divides for all.
    roots
    /// Where roots are, what the next vector's are taken of is computed before those at hand; else vectors are
    /// computed one after the other.
    pipelined
    /// Whether a greatest or least element of a row is to be NaN is noted beside it; else it is asked of
    /// each join.
    notes
    /// Rows that are folded with little to do are so two at a time, by x86-64 processors without AVX-512; else one
    /// after the other.
    twins
    /// float16 is converted by the processor, where it can; else by integer arithmetic.
    halves
    /// Kernels have a form for rows that are shorter than a vector; else what is read in such rows is copied
    /// into order first, and padded by the reference kernels.
    short
    /// Rows of a few elements are computed by columns, those of several rows in a vector, where there are many;
    /// else a vector has one row.
    columns
    /// Compiled functions are replayed for arguments of a kind, and iterations of loops that run step by step are;
    /// else they are called each time.
    replay
    /// Large launches that nobody waits for run beside the program; else in the call.
    asynchronous
}

impl Settings {
    /// The passes that are to be run.
    pub(super) const fn passes(self) -> Choice {
        let Settings { state, hoisting, packing, quick, tiered, abreast, notes, halves, twins, .. } = self;
        let (short, apart, roots, pipelined) = (false, false, false, false);
        Choice {
            promotion: true,
            selects: true,
            forwarding: true,
            state,
            hoisting,
            quick,
            tiered,
            abreast,
            notes,
            halves,
            short,
            apart,
            packing,
            twins,
            scalar: true,
            roots,
            pipelined,
        }
    }
}

impl Default for Settings {
    fn default() -> Settings {
        static TIERED: LazyLock<bool> = LazyLock::new(|| switch(TIERED_VARIABLE, true));
        Settings { tiered: *TIERED, ..Settings::of(u64::MAX) }
    }
}
