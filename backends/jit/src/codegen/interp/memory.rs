//! Between memory and registers: the interpreter's only unsafe code.
//!
//! # Invariant
//! Every address that is formed belongs to an element that the contract of
//! [`Code::run`](crate::codegen::Code::run) covers, of a part that the verifier has checked.

use super::lanes::Lanes;
use crate::codegen::Argument;
use crate::ir::{Access, Param, Steps};
use std::sync::atomic::{AtomicU8, Ordering};

/// Runs an expression with the block and the type of its elements in memory.
macro_rules! numbers {
    ($lanes:expr, $x:ident: $T:ident => $body:expr, bool $b:ident => $truth:expr) => {
        match $lanes {
            Lanes::Bool($b) => $truth,
            Lanes::I8($x) => {
                type $T = i8;
                $body
            }
            Lanes::I16($x) => {
                type $T = i16;
                $body
            }
            Lanes::I32($x) => {
                type $T = i32;
                $body
            }
            Lanes::I64($x) => {
                type $T = i64;
                $body
            }
            Lanes::U8($x) => {
                type $T = u8;
                $body
            }
            Lanes::U16($x) => {
                type $T = u16;
                $body
            }
            Lanes::U32($x) => {
                type $T = u32;
                $body
            }
            Lanes::U64($x) => {
                type $T = u64;
                $body
            }
            Lanes::F32($x) => {
                type $T = f32;
                $body
            }
            Lanes::F64($x) => {
                type $T = f64;
                $body
            }
            Lanes::Empty => {}
        }
    };
}
pub(super) use numbers;

/// Reads `count` elements from `begin` on, or one for all lanes of a uniform input.
///
/// # Safety
/// As [`crate::codegen::Code::run`], for this parameter and these elements.
pub(super) unsafe fn load(
    param: Param,
    part: u32,
    argument: Argument,
    begin: usize,
    count: usize,
    out: &mut Lanes,
) {
    if let Access::Counter(steps) = param.access {
        if let Lanes::I64(lanes) = out {
            let step = step_of(steps, argument) as i64;
            let first = argument.base as usize as i64;
            let number = |i: usize| first.wrapping_add(step.wrapping_mul((begin + i) as i64));
            lanes.iter_mut().enumerate().for_each(|(i, lane)| *lane = number(i));
        }
        return;
    }
    let parts = param.parts as isize;
    let step = parts
        * match param.access {
            Access::Strided | Access::Transposed => argument.stride as isize,
            Access::Step(step) | Access::StepAhead(step) => isize::from(step),
            _ => 1,
        };
    let first = step * begin as isize + part as isize;
    numbers!(out, lanes: T => {
        let base = argument.base.cast::<T>().cast_const();
        if param.access == Access::Uniform {
            // SAFETY: element 0 of a uniform input is there, by the contract.
            return lanes.fill(unsafe { base.offset(part as isize).read() });
        }
        if step == 1 {
            // SAFETY: the elements of the range are there, one after the other.
            let from = unsafe { std::slice::from_raw_parts(base.offset(first), count) };
            return lanes[..count].copy_from_slice(from);
        }
        for (i, lane) in lanes[..count].iter_mut().enumerate() {
            // SAFETY: element `begin + i` is there, at this distance.
            *lane = unsafe { base.offset(first + step * i as isize).read() };
        }
    }, bool lanes => {
        let base = argument.base.cast_const();
        if param.access == Access::Uniform {
            // SAFETY: as above.
            return lanes.fill(unsafe { base.offset(part as isize).read() } != 0);
        }
        for (i, lane) in lanes[..count].iter_mut().enumerate() {
            // SAFETY: as above.
            *lane = unsafe { base.offset(first + step * i as isize).read() } != 0;
        }
    })
}

/// Elements from one to the next.
fn step_of(steps: Steps, argument: Argument) -> isize {
    match steps {
        Steps::None => 0,
        Steps::One => 1,
        Steps::Any => argument.stride as isize,
    }
}

/// Reads those of `count` elements from `begin` on that are wanted; the others are zero.
///
/// # Safety
/// As [`crate::codegen::Code::run`], for this parameter and those elements.
pub(super) unsafe fn load_where(
    param: Param,
    part: u32,
    argument: Argument,
    (begin, count): (usize, usize),
    wanted: &Lanes,
    out: &mut Lanes,
) {
    let (Lanes::Bool(wanted), Some(steps)) = (wanted, param.access.guarded()) else { return };
    let (step, parts) = (step_of(steps, argument), param.parts as isize);
    let place = |i: usize| step * (begin + i) as isize * parts + part as isize;
    numbers!(out, lanes: T => {
        let base = argument.base.cast::<T>().cast_const();
        for (i, lane) in lanes[..count].iter_mut().enumerate() {
            // SAFETY: element `begin + i` is there, since it is wanted.
            *lane = if wanted[i] { unsafe { base.wrapping_offset(place(i)).read() } } else { T::default() };
        }
    }, bool lanes => {
        let base = argument.base.cast_const();
        for (i, lane) in lanes[..count].iter_mut().enumerate() {
            // SAFETY: as above.
            *lane = wanted[i] && unsafe { base.wrapping_offset(place(i)).read() } != 0;
        }
    })
}

/// Reads `count` elements from `begin` on, each at its own distance.
///
/// # Safety
/// As [`crate::codegen::Code::run`], for this parameter, these elements and their distances.
pub(super) unsafe fn gather(
    param: Param,
    part: u32,
    argument: Argument,
    (begin, count): (usize, usize),
    distances: &Lanes,
    out: &mut Lanes,
) {
    let Lanes::I64(distances) = distances else { return };
    let Access::Gather(steps) = param.access else { return };
    let step = step_of(steps, argument);
    let parts = param.parts as isize;
    let place = |i: usize| (step * (begin + i) as isize + distances[i] as isize) * parts + part as isize;
    numbers!(out, lanes: T => {
        let base = argument.base.cast::<T>().cast_const();
        for (i, lane) in lanes[..count].iter_mut().enumerate() {
            // SAFETY: the element that element `begin + i` wants is there, at this place.
            *lane = unsafe { base.offset(place(i)).read() };
        }
    }, bool lanes => {
        let base = argument.base.cast_const();
        for (i, lane) in lanes[..count].iter_mut().enumerate() {
            // SAFETY: as above.
            *lane = unsafe { base.offset(place(i)).read() } != 0;
        }
    })
}

/// Sets a part of a flag, which other threads may set at the same time.
///
/// # Safety
/// As [`crate::codegen::Code::run`], for this parameter.
pub(super) unsafe fn set(argument: Argument, part: u32) {
    // SAFETY: a byte of the launch's own, which is only ever written as an atomic one.
    unsafe { AtomicU8::from_ptr(argument.base.add(part as usize)) }.store(1, Ordering::Relaxed);
}

/// Writes `count` elements from `begin` on.
///
/// # Safety
/// As [`crate::codegen::Code::run`], for this parameter and these elements.
pub(super) unsafe fn store(parts: u32, part: u32, argument: Argument, begin: usize, count: usize, x: &Lanes) {
    let step = parts as usize;
    numbers!(x, lanes: T => {
        let base = argument.base.cast::<T>();
        for (i, lane) in lanes[..count].iter().enumerate() {
            // SAFETY: element `begin + i` is writable, and its part lies within it.
            unsafe { base.add((begin + i) * step + part as usize).write(*lane) };
        }
    }, bool lanes => {
        for (i, lane) in lanes[..count].iter().enumerate() {
            // SAFETY: as above.
            unsafe { argument.base.add((begin + i) * step + part as usize).write(u8::from(*lane)) };
        }
    })
}
