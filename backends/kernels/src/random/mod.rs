//! Random bits by Philox4x32-10, whose blocks are numbered: any of them is computed by itself, on any thread.

use crate::layout::invalid;
use crate::output::new_array;
use crate::parallel::{PARALLEL, chunks};
use ivy_core::host::{HostArray, HostView};
use ivy_core::philox;
use ivy_core::{Dims, Dtype, Result, Shape};
use std::mem::MaybeUninit;

/// Blocks that are computed side by side: the compiler makes vectors of them.
const LANES: usize = 16;

/// Elements of a task: a multiple of what the lanes give.
const TASK: usize = 1 << 14;

/// Which blocks a draw takes its words from: the key, and the upper half of the counters.
#[derive(Clone, Copy)]
struct State {
    key: [u32; 2],
    high: [u32; 2],
}

impl State {
    #[inline(always)]
    fn block(self, number: u64) -> [u32; 4] {
        philox([number as u32, (number >> 32) as u32, self.high[0], self.high[1]], self.key)
    }
}

/// An element of a draw, made of the words of a block.
trait Drawn: Copy + Send + Sync {
    /// How many a block has.
    const OF_BLOCK: usize;
    /// One of them.
    fn of(block: [u32; 4], which: usize) -> Self;
}

impl Drawn for u32 {
    const OF_BLOCK: usize = 4;
    #[inline(always)]
    fn of(block: [u32; 4], which: usize) -> u32 {
        block[which]
    }
}

impl Drawn for u64 {
    const OF_BLOCK: usize = 2;
    #[inline(always)]
    fn of(block: [u32; 4], which: usize) -> u64 {
        u64::from(block[2 * which]) | u64::from(block[2 * which + 1]) << 32
    }
}

/// Random words of a shape for each state: [`ivy_core::Op::RandomBits`].
///
/// # Errors
/// A state that is not of uint32 or whose last axis is not of length 4, a dtype that is not uint32 or uint64, and
/// want of memory.
pub fn random_bits(shape: &Shape, dtype: Dtype, state: HostView<'_>) -> Result<HostArray> {
    const NAME: &str = "random_bits";
    let Some((&4, lead)) = state.shape().split_last() else {
        return Err(invalid(NAME, "state", format!("{:?}", state.shape()), "the last axis has length 4"));
    };
    if state.dtype() != Dtype::UINT32 {
        return Err(invalid(NAME, "state", state.dtype().to_string(), "uint32"));
    }
    let words = crate::to_contiguous(state)?.to_vec::<u32>()?;
    let states: Vec<State> =
        words.chunks_exact(4).map(|w| State { key: [w[0], w[1]], high: [w[2], w[3]] }).collect();
    let dims: Dims = lead.iter().chain(shape.iter()).copied().collect();
    let all = Shape::from(dims);
    match dtype {
        // SAFETY: `fill` writes every element.
        Dtype::UINT32 => unsafe { new_array::<u32>(NAME, dtype, &all, |out| fill(out, &states)) },
        // SAFETY: `fill` writes every element.
        Dtype::UINT64 => unsafe { new_array::<u64>(NAME, dtype, &all, |out| fill(out, &states)) },
        other => Err(invalid(NAME, "dtype", other.to_string(), "uint32 or uint64")),
    }
}

/// Fills the part of each state, which are of one length.
fn fill<T: Drawn>(out: &mut [MaybeUninit<T>], states: &[State]) {
    if out.is_empty() {
        return;
    }
    let each = out.len() / states.len();
    if states.len() > 1 && each < TASK {
        // Many short draws: a task has several of them.
        let together = (TASK / each).max(1);
        return chunks(out.len() > PARALLEL / 4, out, together * each, &|task, part| {
            for (draw, &state) in part.chunks_mut(each).zip(&states[task * together..]) {
                run(draw, state, 0);
            }
        });
    }
    for (draw, &state) in out.chunks_mut(each).zip(states) {
        chunks(each > PARALLEL / 4, draw, TASK, &|task, part| {
            run(part, state, (task * (TASK / T::OF_BLOCK)) as u64);
        });
    }
}

/// Elements from the first one of a block on.
fn run<T: Drawn>(out: &mut [MaybeUninit<T>], state: State, first: u64) {
    let mut number = first;
    let mut groups = out.chunks_exact_mut(LANES * T::OF_BLOCK);
    for group in &mut groups {
        let mut words = [[0u32; LANES]; 4];
        for lane in 0..LANES {
            let block = state.block(number + lane as u64);
            for (to, word) in words.iter_mut().zip(block) {
                to[lane] = word;
            }
        }
        for (lane, to) in group.chunks_exact_mut(T::OF_BLOCK).enumerate() {
            for (which, to) in to.iter_mut().enumerate() {
                to.write(T::of(words.map(|word| word[lane]), which));
            }
        }
        number += LANES as u64;
    }
    for to in groups.into_remainder().chunks_mut(T::OF_BLOCK) {
        let block = state.block(number);
        for (which, to) in to.iter_mut().enumerate() {
            to.write(T::of(block, which));
        }
        number += 1;
    }
}
