//! Running kernels on a device, with memory from its pool for the results.
//!
//! # The promise
//! A [`Space`] leads to elements of its inputs' memory for every coordinate, of those that are guarded
//! where a kernel which fits it reads them, at every distance from there that such a kernel computes, and
//! that kernel reads no others, but what stands beside them in their memory, which is made of blocks of
//! [`super::pool`]; results have the memory that the space says. Whoever makes a space sees to
//! the first half, and keeps the inputs' memory until the launch was started: what is given back
//! then may be written only by what is launched later.

use super::super::fault;
use super::device::Kernel;
use super::failure::Failure;
use super::kept::Kept;
use super::pool::Memory;
use super::space::Space;
use crate::codegen::ptx::{ARGUMENT_BYTES, DEPTH, Shape, TILE, TILE_DEPTH, WARP, Walk};
use crate::ir::{Access, Param};
use ivy_core::{ErrorKind, Result};
use smallvec::SmallVec;

/// Threads of a block where they stand in one line.
pub(super) const THREADS: u32 = 256;
/// Blocks of a fold, or of a walk along lines, for each multiprocessor; what is left is done by the same threads.
pub(super) const WAVES: usize = 32;
/// The elements that a grid's threads compute at most at a time, so that numbers of 32 bits do not wrap;
/// what is left is done by the same threads. Below that, blocks that begin anew are better than threads
/// that go on: these wait for all that they have read.
const AT_A_TIME: usize = 1 << 30;

pub(super) fn unfit(space: &Space) -> ivy_core::Error {
    ErrorKind::InvalidArgument {
        function: "launch",
        argument: "space",
        value: format!("{space:?}"),
        rule: "a kernel runs over spaces of the kind that it was made for",
    }
    .into()
}

/// Starts a kernel for so many units of work.
pub(super) fn start(
    kernel: &Kernel,
    (shape, walk): (Shape, Walk),
    units: usize,
    words: &[u64],
) -> Result<(), Failure> {
    let device = kernel.device();
    let (threads, each) = match (shape, walk) {
        (Shape::Elements, Walk::Abreast { each, .. }) => ((THREADS, 1), (THREADS * each) as usize),
        (Shape::Elements, Walk::Tiles { .. }) => ((TILE, TILE_DEPTH), 1),
        (Shape::Along, _) => ((THREADS, 1), (THREADS / WARP) as usize),
        (Shape::Across, _) => ((WARP, DEPTH), 1),
    };
    let most = match shape {
        Shape::Elements | Shape::Across => AT_A_TIME / each,
        Shape::Along => device.processors as usize * WAVES,
    };
    let blocks = units.div_ceil(each).min(most) as u32;
    if blocks == 0 {
        return Ok(());
    }
    if words.len() * 8 <= ARGUMENT_BYTES {
        return device.start(kernel, blocks, threads, words);
    }
    let bytes: Vec<u8> = words.iter().flat_map(|w| w.to_ne_bytes()).collect();
    let memory = device.upload(&bytes)?;
    device.start(kernel, blocks, threads, &[memory.address()])
}

/// The flag of a kernel that has one, which is not set.
fn flag(kernel: &Kernel, params: &[Param]) -> Result<Option<Memory>, Failure> {
    let has = params.last().is_some_and(|p| p.access == Access::Flag);
    has.then(|| kernel.device().upload(&[0; 2])).transpose()
}

/// Waits for what was launched, and says whether it has set its flag.
fn check(kernel: &Kernel, flag: Option<Memory>) -> Result<()> {
    let Some(flag) = flag else { return Ok(()) };
    let bytes = kernel.device().download(&flag, 0, 2)?;
    match bytes.as_ref().map(|b| b.bytes()) {
        Some(&[index, iterations]) => fault([index, iterations]),
        _ => Err(Failure::Memory { bytes: 2, free: 0 }.into()),
    }
}

pub(super) fn memory(kernel: &Kernel, elements: usize, p: &Param) -> Result<Memory, Failure> {
    let none = || Failure::Memory { bytes: usize::MAX, free: kernel.device().free_memory() };
    let bytes = elements.checked_mul(p.bytes()).ok_or_else(none)?;
    Memory::new(kernel.device(), bytes)
}

/// Runs a kernel with these parameters, inputs first, whose results have every element, and gives
/// the results' memory, row-major, in the order of the parameters.
///
/// # Errors
/// No memory, and what a launch before ended with; [`ErrorKind::InvalidArgument`] for a space that
/// the kernel was not made for; [`ErrorKind::IndexOutOfRange`], without more, if a check failed.
pub fn launch(kernel: &Kernel, params: &[Param], space: &Space) -> Result<SmallVec<[Memory; 1]>> {
    if !space.fits(params) || space.shape() != Shape::Elements {
        return Err(unfit(space));
    }
    let results = params.iter().filter(|p| p.access.is_result());
    let results: SmallVec<[Memory; 1]> =
        results.map(|p| memory(kernel, space.results(), p)).collect::<Result<_, Failure>>()?;
    let flag = flag(kernel, params)?;
    let addresses: SmallVec<[u64; 4]> = results.iter().chain(&flag).map(Memory::address).collect();
    start(kernel, (Shape::Elements, space.walk()), space.units(), &space.words(params, &addresses))?;
    check(kernel, flag)?;
    Ok(results)
}

/// Runs a kernel with these parameters, inputs first and one result that is a fold, and gives the
/// result's memory.
///
/// # Errors
/// As [`launch`], and for a space that has nothing to fold.
pub fn fold(kept: &Kept, kernel: &Kernel, params: &[Param], space: &Space, wide: bool) -> Result<Memory> {
    let result = params.iter().find(|p| p.access.is_result());
    let result = result.filter(|_| space.fits(params) && space.blocks() > 0);
    let Some((result, Access::Along(join) | Access::Across(join))) = result.map(|p| (p, p.access)) else {
        return Err(unfit(space));
    };
    let mut count = space.blocks();
    let mut values = memory(kernel, space.results() * count, result)?;
    let flag = flag(kernel, params)?;
    let addresses: SmallVec<[u64; 2]> = [&values].into_iter().chain(&flag).map(Memory::address).collect();
    start(kernel, (space.shape(), space.walk()), space.units(), &space.words(params, &addresses))?;
    check(kernel, flag)?;
    while count > 1 {
        let groups = count.div_ceil(WARP as usize);
        let pairs = kept.pairs((result.ty, result.parts, join, space.form(wide).wide))?;
        let folded = memory(kernel, space.results() * groups, result)?;
        let units = space.results() * groups;
        let words = [units as u64, count as u64, groups as u64, values.address(), folded.address()];
        start(&pairs, (Shape::Along, Walk::SINGLE), units, &words)?;
        (values, count) = (folded, groups);
    }
    Ok(values)
}
