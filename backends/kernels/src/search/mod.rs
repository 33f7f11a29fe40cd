//! Searching in sorted arrays, and the distinct elements.

mod unique;

pub use unique::unique;

use crate::{
    output::new_array,
    parallel::{PARALLEL, chunks, pays},
    sequence::Sequences,
    sort::{Keyed, match_sorted},
    types::match_dtype,
};
use ivy_core::host::{HostArray, HostView};
use ivy_core::{Dtype, Op, Result};
use std::mem::MaybeUninit;

/// For each element of `x` the int64 place where it goes in `sorted`, which is one-dimensional,
/// ascending and has `x`'s dtype: before equal elements, or after them if `right`. Zeros of
/// both signs are equal; NaN goes after every number.
///
/// ```
/// use ivy_core::host::HostArray;
/// let sorted = HostArray::from_vec(vec![1, 2, 2, 5], [4].into()).unwrap();
/// let x = HostArray::from_vec(vec![2, 9], [2].into()).unwrap();
/// let places = ivy_kernels::search::search_sorted(true, sorted.view(), x.view())?;
/// assert_eq!(places.to_vec::<i64>()?, [3, 4]);
/// # Ok::<(), ivy_core::Error>(())
/// ```
///
/// # Errors
/// A complex dtype, or two dtypes; no memory.
pub fn search_sorted(right: bool, sorted: HostView, x: HostView) -> Result<HostArray> {
    let name = Op::SearchSorted { right }.name();
    if sorted.dtype() != x.dtype() {
        return Err(crate::reduce::refused(name, sorted.dtype()));
    }
    match_sorted!(name, x.dtype(), T => search::<T>(name, right, sorted, x))
}

fn search<T: Keyed>(name: &'static str, right: bool, sorted: HostView, x: HostView) -> Result<HostArray> {
    let (sorted, queries) = (Sequences::<T>::flat(sorted), Sequences::<T>::flat(x));
    let key = |x: T| x.one_zero().key::<false>();
    let place = |x: T| {
        let wanted = key(x);
        let (mut low, mut len) = (0, sorted.len);
        // Everything before `low` goes before `x`, and nothing from `low + len` on.
        while len > 0 {
            let half = len / 2;
            let there = key(sorted.at(0, low + half));
            if there < wanted || right && there == wanted {
                low += half + 1;
                len -= half + 1;
            } else {
                len = half;
            }
        }
        low as i64
    };
    let fill = |out: &mut [MaybeUninit<i64>]| {
        const PART: usize = 1 << 12;
        let parallel = pays(out.len(), PARALLEL);
        chunks(parallel, out, PART, &|i, out| {
            let mut buffer = Vec::new();
            let queries = queries.part(0, i * PART..i * PART + out.len(), &mut buffer);
            queries.iter().zip(out).for_each(|(&x, to)| _ = to.write(place(x)));
        });
    };
    // SAFETY: every element is written.
    unsafe { new_array(name, Dtype::INT64, &x.shape().into(), fill) }
}
