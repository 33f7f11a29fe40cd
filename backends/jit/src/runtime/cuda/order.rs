//! Numbers in order on a device, by their digits.
//!
//! # The promise
//! As in [`super::launch`]: the kernels read as many numbers as there are, which [`DeviceArray`] sees to, and
//! write as many places and the counts of all blocks, for which there is memory.

use super::array::DeviceArray;
use super::failure::Failure;
use super::own::Own;
use super::pool::Memory;
use super::uses::Uses;
use crate::codegen::ptx::WARP;
use crate::codegen::ptx::radix::{DIGITS, Numbers, Radix, THREADS, TILE};
use ivy_core::{Dtype, ErrorKind, Result, Shape};

/// Blocks for each multiprocessor: all of them look at the counts of all.
const WAVES: usize = 4;
/// The bits of a digit.
const BITS: u32 = DIGITS.trailing_zeros();

/// The numbers in the stable order of their lowest bits, and in it what goes with each, which is of uint32:
/// by default its place. The arrays are in row-major order.
///
/// # Errors
/// No memory, and what a launch before ended with; [`ErrorKind::InvalidArgument`] for numbers of another
/// dtype than uint32 and uint64, and for 2^31 of them or more.
pub fn order(
    kept: &Uses<'_>,
    keys: &DeviceArray,
    values: Option<&DeviceArray>,
    bits: u32,
) -> Result<[DeviceArray; 2]> {
    let count = keys.shape().size();
    let wide = match keys.dtype() {
        Dtype::UINT32 => false,
        Dtype::UINT64 => true,
        _ => return Err(unfit(keys)),
    };
    let fits = |x: &DeviceArray| x.is_contiguous() && x.shape().size() == count;
    let goes = |x: &DeviceArray| fits(x) && x.dtype() == Dtype::UINT32;
    if !fits(keys) || !values.is_none_or(goes) || count > i32::MAX as usize {
        return Err(unfit(keys));
    }
    let device = kept.device();
    let tiles = count.div_ceil(TILE as usize);
    let part = tiles.div_ceil(device.processors as usize * WAVES).max(1) * TILE as usize;
    let blocks = count.div_ceil(part);
    let room = |bytes: usize| Memory::new(device, bytes);
    let dtypes = [keys.dtype(), Dtype::UINT32];
    let counts = room((blocks + 1) * DIGITS as usize * 4)?;
    let (mut keys, mut values) = (keys.clone(), values.cloned());
    // One digit at least, so that there are places.
    for digit in 0..bits.div_ceil(BITS).max(1) {
        let [to, with] = dtypes.map(|dtype| room(count * dtype.bytes()));
        let ordered = [to?, with?];
        if count > 0 {
            let numbers = Numbers {
                count,
                part,
                shift: digit * BITS,
                keys: keys.address(),
                values: values.as_ref().map_or(0, DeviceArray::address),
                counts: counts.address(),
                ordered: [ordered[0].address(), ordered[1].address()],
            };
            let all = (blocks as u32, THREADS);
            let digits = (DIGITS / WARP, WARP);
            for (kind, (blocks, threads)) in
                [(Radix::Count(wide), all), (Radix::Sum, digits), (Radix::Place(wide), all)]
            {
                let kernel = kept.own(Own::Radix(kind))?;
                device.start(&kernel, blocks, (threads, 1), &numbers.words())?;
            }
        }
        let [to, with] = ordered;
        let array = |memory, dtype| DeviceArray::new(memory, dtype, Shape::from([count]));
        let (Some(to), Some(with)) = (array(to, dtypes[0]), array(with, dtypes[1])) else {
            return Err(Failure::Memory { bytes: count, free: device.free_memory() }.into());
        };
        (keys, values) = (to, Some(with));
    }
    match values {
        Some(values) => Ok([keys, values]),
        None => Err(unfit(&keys)),
    }
}

fn unfit(keys: &DeviceArray) -> ivy_core::Error {
    ErrorKind::InvalidArgument {
        function: "sort",
        argument: "keys",
        value: format!("{} of {}", keys.shape().size(), keys.dtype()),
        rule: "a device orders fewer than 2^31 numbers of uint32 or uint64, in row-major order",
    }
    .into()
}
