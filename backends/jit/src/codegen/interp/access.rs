//! What kernels with effects read and write.
//!
//! # Invariant
//! An address is formed of a number that is below the number of elements, which of a parameter's memory
//! the contract of [`Code::run`](crate::codegen::Code::run) promises, and of a register is its length.

use super::lanes::{Lanes, combine};
use super::memory::numbers;
use super::{Argument, Memory};
use crate::ir::{Code, Type};
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

/// A statement, with its registers.
pub(super) struct Access<'s> {
    pub(super) code: Code,
    pub(super) memory: Memory,
    /// The number, and values.
    pub(super) operands: &'s [u32],
    /// Which elements are at work.
    pub(super) within: Option<u32>,
}

/// Elements of memory.
struct Cells {
    base: *mut u8,
    /// How many of them a number may be of.
    length: usize,
    /// From one to the next, and whether each lane has its own beside those of the others.
    step: usize,
}

impl Cells {
    /// The place that a lane's number leads to.
    fn place(&self, index: i64, lane: usize) -> Option<usize> {
        let index = usize::try_from(index).ok().filter(|&index| index < self.length)?;
        Some(if self.step == 1 { index } else { index * self.step + lane })
    }
}

impl Access<'_> {
    /// Runs it for `count` elements.
    ///
    /// # Safety
    /// As [`crate::codegen::Code::run`], for the argument of the parameter, if memory is one's.
    pub(super) unsafe fn run(&self, frame: &mut [Lanes], param: Option<Argument>, count: usize, out: u32) {
        let lanes = frame[self.operands[0] as usize].raw().0;
        let register = match self.memory {
            Memory::Own(register) | Memory::Shared(register) => Some(register as usize),
            Memory::Param(_) => None,
        };
        // Out of the frame while they are written.
        let mut memory = register.map(|r| std::mem::replace(&mut frame[r], Lanes::Empty));
        let stores = self.code == Code::StoreAt;
        let mut value = match stores {
            true => Lanes::Empty,
            false => std::mem::replace(&mut frame[out as usize], Lanes::Empty),
        };
        let cells = match (memory.as_mut().map(Lanes::raw), self.memory) {
            (Some((all, base)), Memory::Own(_)) => Cells { base, length: all / lanes, step: lanes },
            (Some((length, base)), _) => Cells { base, length, step: 1 },
            (None, _) => {
                let argument = param.map_or((std::ptr::null_mut(), 0), |a| (a.base, a.stride));
                Cells { base: argument.0, length: usize::try_from(argument.1).unwrap_or(0), step: 1 }
            }
        };
        let operand = |n: usize| &frame[self.operands[n] as usize];
        let within = self.within.map(|mask| &frame[mask as usize]);
        if let Lanes::I64(index) = operand(0) {
            let at_work = |lane: usize| !matches!(within, Some(Lanes::Bool(mask)) if !mask[lane]);
            let place = |lane: usize| cells.place(index[lane], lane);
            let wanted = |lane: usize| place(lane).filter(|_| at_work(lane));
            // SAFETY: what the cells have, by the caller's promise.
            unsafe {
                match self.code {
                    Code::InBounds => {
                        (0..index.len()).for_each(|i| value.set_bits(i, u64::from(place(i).is_some())));
                    }
                    Code::LoadAt => load(&cells, wanted, count, &mut value),
                    Code::StoreAt => store(&cells, wanted, count, operand(1)),
                    code => {
                        let ty = type_of(&value);
                        let last = self.operands.len() - 1;
                        for lane in 0..count {
                            let expected = (last == 2).then(|| operand(1).bits(lane));
                            let x = operand(last).bits(lane);
                            let next = |old: u64| match expected {
                                Some(expected) if expected != old => old,
                                Some(_) => x,
                                None => combine(code, ty, old, x),
                            };
                            let old = wanted(lane).map_or(0, |at| update(&cells, ty.bytes(), at, next));
                            value.set_bits(lane, old);
                        }
                    }
                }
            }
        }
        if let (Some(register), Some(memory)) = (register, memory) {
            frame[register] = memory;
        }
        if !stores {
            frame[out as usize] = value;
        }
    }
}

fn type_of(lanes: &Lanes) -> Type {
    match lanes {
        Lanes::I32(_) => Type::I32,
        Lanes::U32(_) => Type::U32,
        Lanes::F32(_) => Type::F32,
        Lanes::I64(_) => Type::I64,
        Lanes::F64(_) => Type::F64,
        // Atomics are of types of 32 and 64 bits.
        _ => Type::U64,
    }
}

/// Reads those of `count` elements that are wanted; the others are zero.
///
/// # Safety
/// Places are those of elements that are there.
unsafe fn load(cells: &Cells, wanted: impl Fn(usize) -> Option<usize>, count: usize, out: &mut Lanes) {
    numbers!(out, lanes: T => {
        for (i, lane) in lanes[..count].iter_mut().enumerate() {
            // SAFETY: the element is there.
            *lane = wanted(i).map_or(T::default(), |at| unsafe { cells.base.cast::<T>().add(at).read() });
        }
    }, bool lanes => {
        for (i, lane) in lanes[..count].iter_mut().enumerate() {
            // SAFETY: likewise.
            *lane = wanted(i).is_some_and(|at| unsafe { cells.base.add(at).read() } != 0);
        }
    })
}

/// Writes those of `count` elements that are wanted, the first one first.
///
/// # Safety
/// Places are those of elements that are there.
unsafe fn store(cells: &Cells, wanted: impl Fn(usize) -> Option<usize>, count: usize, x: &Lanes) {
    numbers!(x, lanes: T => {
        for (i, lane) in lanes[..count].iter().enumerate() {
            if let Some(at) = wanted(i) {
                // SAFETY: the element is there.
                unsafe { cells.base.cast::<T>().add(at).write(*lane) };
            }
        }
    }, bool lanes => {
        for (i, lane) in lanes[..count].iter().enumerate() {
            if let Some(at) = wanted(i) {
                // SAFETY: likewise.
                unsafe { cells.base.add(at).write(u8::from(*lane)) };
            }
        }
    })
}

/// Replaces an element of 4 or 8 bytes by what is made of it, as one step that no other thread sees a part
/// of; gives what was there.
///
/// # Safety
/// The element is there, and aligned.
unsafe fn update(cells: &Cells, bytes: usize, at: usize, next: impl Fn(u64) -> u64) -> u64 {
    let order = Ordering::AcqRel;
    // SAFETY: the caller's promise; other threads change it by atomics only.
    unsafe {
        if bytes == 4 {
            let cell = AtomicU32::from_ptr(cells.base.cast::<u32>().add(at));
            let done = cell.fetch_update(order, Ordering::Acquire, |old| Some(next(u64::from(old)) as u32));
            u64::from(done.unwrap_or_else(|old| old))
        } else {
            let cell = AtomicU64::from_ptr(cells.base.cast::<u64>().add(at));
            cell.fetch_update(order, Ordering::Acquire, |old| Some(next(old))).unwrap_or_else(|old| old)
        }
    }
}
