//! Kernels made of other kernels, block by block through the first cache: a narrow type goes
//! through the loops of a wider one, and only the conversions are its own. This keeps the
//! number of compiled loops small.

use super::kernel::{Map1, Map2, run1, run2};
use crate::isa::Isa;
use std::mem::MaybeUninit;

/// Elements in a block.
const BLOCK: usize = 512;

/// Room for a block of any type of up to 8 bytes.
#[repr(align(64))]
struct Block([MaybeUninit<u64>; BLOCK]);

impl Block {
    #[inline(always)]
    fn new() -> Block {
        Block([MaybeUninit::uninit(); BLOCK])
    }

    #[inline(always)]
    fn start(&mut self) -> *mut u8 {
        self.0.as_mut_ptr().cast()
    }
}

/// The parts of `0..n`, as starts and lengths.
#[inline(always)]
fn blocks(n: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..n).step_by(BLOCK).map(move |start| (start, BLOCK.min(n - start)))
}

/// The [`Kernel`](super::kernel::Kernel) of `Last` after `First`.
///
/// # Safety
/// That of [`Kernel`](super::kernel::Kernel), for `First`'s operand and `Last`'s result.
pub(super) unsafe fn run_chain<First: Map1, Last: Map1<In = First::Out>>(
    [x]: [*const u8; 1],
    out: *mut u8,
    n: usize,
    isa: Isa,
) {
    const { assert!(size_of::<First::Out>() <= 8) };
    let mut middle = Block::new();
    for (at, count) in blocks(n) {
        // SAFETY: the parts of the caller's memory, and a block that holds `count` elements,
        // which the first kernel writes and the last one reads.
        unsafe {
            run1::<First>([x.add(at * size_of::<First::In>())], middle.start(), count, isa);
            run1::<Last>([middle.start()], out.add(at * size_of::<Last::Out>()), count, isa);
        }
    }
}

/// The [`Kernel`](super::kernel::Kernel) of a function between two conversions.
///
/// # Safety
/// That of [`Kernel`](super::kernel::Kernel), for `Widen`'s operand and `Narrow`'s result.
pub(super) unsafe fn run_widened1<Widen: Map1, F: Map1<In = Widen::Out>, Narrow: Map1<In = F::Out>>(
    [x]: [*const u8; 1],
    out: *mut u8,
    n: usize,
    isa: Isa,
) {
    const { assert!(size_of::<Widen::Out>() <= 8 && size_of::<F::Out>() <= 8) };
    let (mut wide, mut result) = (Block::new(), Block::new());
    for (at, count) in blocks(n) {
        // SAFETY: as in `run_chain`.
        unsafe {
            run1::<Widen>([x.add(at * size_of::<Widen::In>())], wide.start(), count, isa);
            run1::<F>([wide.start()], result.start(), count, isa);
            run1::<Narrow>([result.start()], out.add(at * size_of::<Narrow::Out>()), count, isa);
        }
    }
}

/// The [`Kernel`](super::kernel::Kernel) of a function of two operands between conversions.
///
/// # Safety
/// That of [`Kernel`](super::kernel::Kernel), for `Widen`'s operand and `Narrow`'s result.
pub(super) unsafe fn run_widened2<Widen: Map1, F: Map2<In = Widen::Out>, Narrow: Map1<In = F::Out>>(
    [a, b]: [*const u8; 2],
    out: *mut u8,
    n: usize,
    isa: Isa,
) {
    const { assert!(size_of::<Widen::Out>() <= 8 && size_of::<F::Out>() <= 8) };
    let (mut wide_a, mut wide_b, mut result) = (Block::new(), Block::new(), Block::new());
    for (at, count) in blocks(n) {
        let from = at * size_of::<Widen::In>();
        // SAFETY: as in `run_chain`.
        unsafe {
            run1::<Widen>([a.add(from)], wide_a.start(), count, isa);
            run1::<Widen>([b.add(from)], wide_b.start(), count, isa);
            run2::<F>([wide_a.start(), wide_b.start()], result.start(), count, isa);
            run1::<Narrow>([result.start()], out.add(at * size_of::<Narrow::Out>()), count, isa);
        }
    }
}
