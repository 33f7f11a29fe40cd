//! Sorting along an axis.

#[cfg(target_arch = "x86_64")]
mod avx512;
pub(crate) mod bits;
pub(crate) mod key;
#[cfg(target_arch = "x86_64")]
mod large;
mod ranked;

pub(crate) use key::Keyed;
pub(crate) use ranked::order;

use crate::{
    isa::{Kernel, dispatch},
    lines::map_lines,
    types::match_dtype,
};
use bits::Bits;
use ivy_core::host::{HostArray, HostView};
use ivy_core::{Dtype, Op, Result};
use std::{mem::MaybeUninit, slice};

/// Runs an expression with `$T` as the type of a dtype that sorts; bool as its bytes.
macro_rules! match_sorted {
    ($name:expr, $dtype:expr, $T:ident => $body:expr) => {
        match_dtype!($dtype, real, $T => $body, else => {
            if $dtype.is_bool() {
                type $T = u8;
                $body
            } else {
                Err($crate::reduce::refused($name, $dtype))
            }
        })
    };
}
pub(crate) use match_sorted;

/// `x` sorted along `axis`, least first or, if `descending`, greatest first. NaN comes last
/// both ways, false before true; the order of zeros of both signs is not promised.
///
/// ```
/// use ivy_core::host::HostArray;
/// let x = HostArray::from_vec(vec![2.0, f64::NAN, 3.0], [3].into()).unwrap();
/// let sorted = ivy_kernels::sort::sort(0, true, x.view())?;
/// assert_eq!(sorted.to_vec::<f64>()?[..2], [3.0, 2.0]);
/// # Ok::<(), ivy_core::Error>(())
/// ```
///
/// # Errors
/// A complex dtype; no memory.
pub fn sort(axis: usize, descending: bool, x: HostView) -> Result<HostArray> {
    let name = Op::Sort { axis, descending }.name();
    match_sorted!(name, x.dtype(), T => {
        let work = if descending { sort_line::<T, true> } else { sort_line::<T, false> };
        // SAFETY: `sort_line` writes every element, and of bools only such as it read.
        unsafe { map_lines::<T, T>(name, x, axis, x.shape()[axis], x.dtype(), work) }
    })
}

fn sort_line<T: Keyed, const DESCENDING: bool>(from: &[T], to: &mut [MaybeUninit<T>]) {
    assert!(from.len() == to.len());
    assert!(size_of::<T>() == size_of::<T::Key>() && align_of::<T>() == align_of::<T::Key>());
    // SAFETY: keys have the elements' layout.
    let to = unsafe { slice::from_raw_parts_mut(to.as_mut_ptr().cast::<MaybeUninit<T::Key>>(), to.len()) };
    let load = |at: usize, to: &mut [MaybeUninit<T::Key>]| {
        dispatch(ToKeys::<T, DESCENDING> { from: &from[at..at + to.len()], to });
    };
    // SAFETY: `ToKeys` writes every key.
    unsafe { T::Key::sort_from(to, &load, &|keys| dispatch(FromKeys::<T, DESCENDING>(keys))) };
}

/// Writes the keys of elements.
struct ToKeys<'a, T: Keyed, const DESCENDING: bool> {
    from: &'a [T],
    to: &'a mut [MaybeUninit<T::Key>],
}

impl<T: Keyed, const DESCENDING: bool> Kernel for ToKeys<'_, T, DESCENDING> {
    const WIDE: bool = size_of::<T>() >= 4;
    type Output = ();
    #[inline(always)]
    fn run(self) {
        for (x, to) in self.from.iter().zip(self.to) {
            to.write(x.key::<DESCENDING>());
        }
    }
}

/// Writes the elements in place of their keys.
struct FromKeys<'a, T: Keyed, const DESCENDING: bool>(&'a mut [T::Key]);

impl<T: Keyed, const DESCENDING: bool> Kernel for FromKeys<'_, T, DESCENDING> {
    const WIDE: bool = size_of::<T>() >= 4;
    type Output = ();
    #[inline(always)]
    fn run(self) {
        for key in self.0 {
            *key = T::from_key::<DESCENDING>(*key).bits();
        }
    }
}

/// The int64 indices that sort `x` along `axis`: equal elements (zeros of both signs are
/// equal, and so are all NaN) keep their order, also if `descending`; NaN comes last.
///
/// ```
/// use ivy_core::host::HostArray;
/// let x = HostArray::from_vec(vec![1u8, 2, 2], [3].into()).unwrap();
/// let order = ivy_kernels::sort::argsort(0, true, x.view())?;
/// assert_eq!(order.to_vec::<i64>()?, [1, 2, 0]);
/// # Ok::<(), ivy_core::Error>(())
/// ```
///
/// # Errors
/// A complex dtype; no memory.
pub fn argsort(axis: usize, descending: bool, x: HostView) -> Result<HostArray> {
    let name = Op::Argsort { axis, descending }.name();
    match_sorted!(name, x.dtype(), T => {
        let work = if descending { order_line::<T, true> } else { order_line::<T, false> };
        // SAFETY: `order_line` writes every element.
        unsafe { map_lines::<T, i64>(name, x, axis, x.shape()[axis], Dtype::INT64, work) }
    })
}

fn order_line<T: Keyed, const DESCENDING: bool>(from: &[T], to: &mut [MaybeUninit<i64>]) {
    order::<T, DESCENDING>(from, |i, index| _ = to[i].write(index as i64));
}
