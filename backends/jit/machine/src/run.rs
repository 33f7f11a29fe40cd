//! Runs a function for every thread of a grid, block after block. The warps of a block run by themselves up to a
//! barrier, where they wait for the others.

use crate::memory::Memory;
use crate::parse::{Fault, Function, fault};
use crate::warp::{WARP, Warp};

/// How many blocks there are, and how many threads in one.
#[derive(Clone, Copy, Debug)]
pub struct Grid {
    /// Blocks along each axis.
    pub blocks: [u32; 3],
    /// Threads of a block along each axis.
    pub threads: [u32; 3],
    /// The bytes of memory that threads of a block share, besides what the function says.
    pub shared: usize,
}

pub(crate) struct Block<'r> {
    pub(crate) function: &'r Function,
    pub(crate) grid: Grid,
    pub(crate) number: [u32; 3],
    pub(crate) argument: &'r [u8],
    pub(crate) shared: Vec<u8>,
}

/// Runs a function with an argument.
///
/// # Errors
/// What PTX does not specify, what reads or writes no memory of the device, and what waits for ever.
pub fn launch(function: &Function, grid: Grid, argument: &[u8], memory: &mut Memory) -> Result<(), Fault> {
    let per_block = grid.threads.iter().map(|&n| n as usize).product::<usize>();
    if argument.len() != function.argument
        || per_block == 0
        || per_block > 1024
        || grid.blocks.contains(&0)
        || function.threads.is_some_and(|most| per_block > most as usize)
    {
        return fault("a launch with another argument, or of too many or no threads");
    }
    if grid.shared > 0 && !function.shares {
        return fault("shared memory for a function that has no use for it");
    }
    let threads: Vec<[u32; 3]> = numbers(grid.threads).collect();
    let mut warps: Vec<Warp> = threads.chunks(WARP).map(|numbers| Warp::new(function, numbers)).collect();
    let mut block = Block { function, grid, number: [0; 3], argument, shared: Vec::new() };
    for number in numbers(grid.blocks) {
        block.number = number;
        block.shared.clear();
        block.shared.resize(function.shared + grid.shared, 0xa5);
        warps.iter_mut().for_each(Warp::restart);
        block.run(&mut warps, memory)?;
    }
    Ok(())
}

/// All numbers below some along each axis, the first axis fastest.
fn numbers([x, y, z]: [u32; 3]) -> impl Iterator<Item = [u32; 3]> {
    (0..z).flat_map(move |c| (0..y).flat_map(move |b| (0..x).map(move |a| [a, b, c])))
}

impl Block<'_> {
    fn run(&mut self, warps: &mut [Warp], memory: &mut Memory) -> Result<(), Fault> {
        loop {
            for warp in warps.iter_mut() {
                warp.advance(self, memory)?;
            }
            if warps.iter().all(Warp::is_done) {
                return Ok(());
            }
            // A barrier is for every thread of the block.
            let at = warps[0].barrier()?;
            for warp in warps.iter_mut() {
                if warp.barrier()? != at {
                    return fault("threads wait at different barriers");
                }
                warp.pass();
            }
        }
    }
}
