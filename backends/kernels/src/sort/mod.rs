//! Sorting along an axis.

mod key;
mod ranked;

pub(crate) use key::Keyed;
use ranked::Ranked;
pub(crate) use ranked::order;

use crate::{lines::map_lines, types::match_dtype};
use ivy_core::host::{HostArray, HostView};
use ivy_core::{Dtype, Op, Result};
use std::mem::MaybeUninit;

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
    let mut keys: Vec<T::Key> = from.iter().map(|x| x.key::<DESCENDING>()).collect();
    keys.sort_unstable();
    for (key, to) in keys.into_iter().zip(to) {
        to.write(T::from_key::<DESCENDING>(key));
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

fn order_line<T: Ranked, const DESCENDING: bool>(from: &[T], to: &mut [MaybeUninit<i64>]) {
    order::<T, DESCENDING>(from, |i, index| _ = to[i].write(index as i64));
}
