//! Running sums and products on a device, in the order of the reference kernels.
//!
//! # The promise
//! As in [`super::launch`]: the kernels read the elements, which [`DeviceArray`] sees to, and write the
//! results, and a slot for each part of a line, for which there is memory.

use super::array::DeviceArray;
use super::failure::Failure;
use super::launch::{THREADS, WAVES};
use super::own::Own;
use super::pool::Memory;
use super::uses::Uses;
use crate::codegen::ptx::WARP;
use crate::codegen::ptx::scan::{Numbers, PARTS, Part, Walk};
use crate::lower;
use ivy_core::{Dims, Dtype, ErrorKind, Op, Result, ScanOp, Shape};

/// Lines that keep a device busy with a thread for each.
const MANY: usize = 1 << 12;
/// Rows that keep it busy with a warp for each.
const SOME: usize = 1 << 10;
/// Lines that one thread each is worth going along, and elements of a line of which that is not so.
const FEW: usize = 4;
const LONE: usize = 1 << 14;
/// Parts of lines, where those are wanted, of a line and of all; and the elements that make one.
const OF_LINE: usize = 1 << 13;
const OF_ALL: usize = 1 << 16;
const LONG: usize = 128;

/// What a kernel for them is made for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Scan {
    op: ScanOp,
    dtype: Dtype,
    walk: Walk,
}

impl Scan {
    /// Its function; `None` for a dtype that has none.
    pub(super) fn function(self, name: &str) -> Option<String> {
        Some(self.walk.function(&lower::running(self.op, self.dtype)?, name))
    }
}

/// True if the host, with copies there and back, is faster than threads that each go along a line: few lines
/// that are long, whose order is one after the other.
pub fn is_lone(shape: &[usize], dtype: Dtype, axis: usize) -> bool {
    let length = shape.get(axis).copied().unwrap_or(0);
    let lines = shape.iter().product::<usize>() / length.max(1);
    !dtype.is_int() && lines < FEW && length >= LONE
}

/// True if lines along an axis are faster as rows: they are few, and must be gone along in order.
pub fn wants_rows(shape: &[usize], dtype: Dtype, axis: usize) -> bool {
    let Some((before, behind)) = shape.get(axis + 1..).map(|behind| (&shape[..axis], behind)) else {
        return false;
    };
    let inner = behind.iter().product::<usize>();
    inner > 1 && !dtype.is_int() && before.iter().product::<usize>() * inner < MANY
}

/// The running sums or products of an array in row-major order along an axis, as [`Op::Scan`] has them.
/// The results may be in another order.
///
/// # Errors
/// A dtype that has none, an axis that is not there, no memory, and what a launch before ended with.
pub fn scan(kept: &Uses<'_>, op: ScanOp, x: &DeviceArray, axis: usize, initial: bool) -> Result<DeviceArray> {
    let dtype = x.dtype();
    let (Some(&length), false, true) = (x.shape().get(axis), dtype.is_bool(), x.is_contiguous()) else {
        return Err(ErrorKind::InvalidArgument {
            function: Op::Scan { op, axis, include_initial: initial }.name(),
            argument: "axis",
            value: axis.to_string(),
            rule: "an axis of numbers in row-major order",
        }
        .into());
    };
    let mut shape = Dims::from_slice(x.shape());
    shape[axis] += usize::from(initial);
    let shape = Shape::from(shape.to_vec());
    let device = kept.device();
    let bytes = shape.checked_size("scan", dtype)? * dtype.bytes();
    let to = Memory::new(device, bytes)?;
    if bytes > 0 {
        let inner: usize = x.shape()[axis + 1..].iter().product();
        let from = x.address();
        let lines = x.shape()[..axis].iter().product::<usize>() * inner;
        let numbers = Numbers {
            units: lines,
            length,
            inner,
            parts: (1, length),
            lines,
            initial: usize::from(initial),
            from,
            to: to.address(),
            totals: [0; 2],
        };
        run(kept, op, dtype, numbers)?;
    }
    let array = DeviceArray::new(to, dtype, shape);
    array.ok_or_else(|| Failure::Memory { bytes, free: device.free_memory() }.into())
}

/// Chooses the kernels for some lines, and starts them.
fn run(kept: &Uses<'_>, op: ScanOp, dtype: Dtype, numbers: Numbers) -> Result<(), Failure> {
    let device = kept.device();
    let start = |walk: Walk, numbers: Numbers| {
        let kernel = kept.own(Own::Scan(Scan { op, dtype, walk }))?;
        // Few threads are spread over the device.
        let spread = numbers.units.div_ceil(device.processors as usize).next_multiple_of(WARP as usize);
        let (threads, each) = match walk {
            Walk::Rows(_) => (WARP as usize, 1),
            _ => (spread.min(THREADS as usize), spread.min(THREADS as usize)),
        };
        let blocks = numbers.units.div_ceil(each).min(device.processors as usize * WAVES);
        device.start(&kernel, blocks as u32, (threads as u32, 1), &numbers.words())
    };
    let Numbers { length, inner, lines, .. } = numbers;
    if dtype.is_int() && lines < MANY && length >= 2 * LONG {
        let parts = (OF_ALL.div_ceil(lines)).min(OF_LINE).min(length / LONG).next_multiple_of(PARTS);
        let slots = || Memory::new(device, lines * parts * 8);
        let (total, before) = (slots()?, slots()?);
        let all = Numbers {
            units: lines * parts,
            parts: (parts, length.div_ceil(parts)),
            totals: [total.address(), before.address()],
            ..numbers
        };
        start(Walk::Line(Part::Total), all)?;
        start(Walk::Before, Numbers { units: lines, ..all })?;
        return start(Walk::Line(Part::Rest), all);
    }
    if inner > 1 {
        return start(Walk::Line(Part::Whole), numbers);
    }
    let rows = if lines >= SOME { WARP } else { 1 };
    start(Walk::Rows(rows), Numbers { units: lines.div_ceil(rows as usize), ..numbers })
}
