//! Where the greatest and least elements stand.

use super::{
    fold::{Fold, Max, Min, Widen},
    not_empty, reduced, refused,
    tree::{BLOCK, block},
};
use crate::{
    isa::{Kernel, dispatch},
    output::new_array,
    parallel::{PARALLEL, chunks, map, pays},
    sequence::Sequences,
    small::Value,
};
use half::{bf16, f16};
use ivy_core::host::{HostArray, HostView};
use ivy_core::{Dims, Dtype, Op, Result};
use std::mem::MaybeUninit;

/// A long sequence is searched in parts of this length.
const PART: usize = 1 << 15;

/// The int64 index of the first greatest (`max`) or least element along an axis, or in the
/// flat array; the index of the first NaN if there is one. With `keepdims` the reduced axes stay with
/// length 1.
///
/// ```
/// use ivy_core::host::HostArray;
/// let x = HostArray::from_vec(vec![1.0, 3.0, 3.0, 2.0], [2, 2].into()).unwrap();
/// let flat = ivy_kernels::reduce::arg_reduce(true, None, false, x.view())?;
/// assert_eq!(flat.to_vec::<i64>()?, [1]);
/// # Ok::<(), ivy_core::Error>(())
/// ```
///
/// # Errors
/// A complex dtype; [`ivy_core::ErrorKind::EmptyReduction`] over no elements; no memory.
pub fn arg_reduce(max: bool, axis: Option<usize>, keepdims: bool, x: HostView) -> Result<HostArray> {
    let name = Op::ArgReduce { max, axis, keepdims }.name();
    let axes: Dims = axis.map_or_else(|| (0..x.shape().len()).collect(), |a| Dims::from_slice(&[a]));
    not_empty(name, x, &axes)?;
    macro_rules! search {
        ($t:ty, $a:ty) => {
            if max {
                find(name, Max::<$t, $a>::new(), x, &axes, keepdims)
            } else {
                find(name, Min::<$t, $a>::new(), x, &axes, keepdims)
            }
        };
    }
    match x.dtype() {
        Dtype::BOOL | Dtype::UINT8 => search!(u8, u8),
        Dtype::UINT16 => search!(u16, u16),
        Dtype::UINT32 => search!(u32, u32),
        Dtype::UINT64 => search!(u64, u64),
        Dtype::INT8 => search!(i8, i8),
        Dtype::INT16 => search!(i16, i16),
        Dtype::INT32 => search!(i32, i32),
        Dtype::INT64 => search!(i64, i64),
        Dtype::FLOAT16 => search!(f16, f32),
        Dtype::BFLOAT16 => search!(bf16, f32),
        Dtype::FLOAT32 => search!(f32, f32),
        Dtype::FLOAT64 => search!(f64, f64),
        other => Err(refused(name, other)),
    }
}

/// A fold that keeps one of its two elements.
trait Choice: Fold {
    /// True if a later element takes the place of an earlier one.
    fn replaces(self, new: Self::Acc, old: Self::Acc) -> bool;
}

/// True for NaN.
// Only a NaN differs from itself.
#[allow(clippy::eq_op)]
#[inline(always)]
fn is_nan<A: PartialOrd + Copy>(x: A) -> bool {
    x != x
}

impl<T: Widen<A>, A: Copy + PartialOrd + Send + Sync> Choice for Max<T, A> {
    #[inline(always)]
    fn replaces(self, new: A, old: A) -> bool {
        !is_nan(old) && (new > old || is_nan(new))
    }
}

impl<T: Widen<A>, A: Copy + PartialOrd + Send + Sync> Choice for Min<T, A> {
    #[inline(always)]
    fn replaces(self, new: A, old: A) -> bool {
        !is_nan(old) && (new < old || is_nan(new))
    }
}

/// The chosen element of a part of a sequence, and its index in the sequence.
struct Search<'a, 'x, F: Fold> {
    fold: F,
    x: &'a Sequences<'x, F::In>,
    sequence: usize,
    start: usize,
    len: usize,
}

impl<F: Choice> Kernel for Search<'_, '_, F>
where
    F::Acc: PartialOrd,
{
    const WIDE: bool = F::WIDE;
    type Output = (F::Acc, usize);
    #[inline(always)]
    fn run(self) -> (F::Acc, usize) {
        let (fold, mut buffer) = (self.fold, Vec::new());
        let x = self.x.part(self.sequence, self.start..self.start + self.len, &mut buffer);
        let mut best = block(fold, &x[..BLOCK.min(x.len())]);
        let mut at = 0;
        for (i, part) in x.chunks(BLOCK).enumerate().skip(1) {
            let new = block(fold, part);
            if fold.replaces(new, best) {
                (best, at) = (new, i * BLOCK);
            }
        }
        let found = x[at..].iter().position(|&x| {
            let x = fold.load(x);
            x == best || is_nan(x)
        });
        (best, self.start + at + found.expect("the block holds what was chosen from it"))
    }
}

fn find<F: Choice>(
    name: &'static str,
    fold: F,
    x: HostView,
    axes: &[usize],
    keepdims: bool,
) -> Result<HostArray>
where
    F::Acc: PartialOrd,
    F::In: Value,
{
    let shape = reduced(x.shape(), axes, keepdims);
    let x = Sequences::<F::In>::new(x, axes);
    let parts = x.len.div_ceil(PART);
    let search = |sequence: usize, part: usize| {
        let start = part * PART;
        dispatch(Search { fold, x: &x, sequence, start, len: PART.min(x.len - start) })
    };
    let first = |a: (F::Acc, usize), b: (F::Acc, usize)| if fold.replaces(b.0, a.0) { b } else { a };
    let parallel = pays(x.count * x.len, PARALLEL);
    let fill = |out: &mut [MaybeUninit<i64>]| {
        if parts == 1 {
            let per_task = (PART / x.len).max(1);
            return chunks(parallel, out, per_task, &|task, out| {
                for (i, to) in out.iter_mut().enumerate() {
                    to.write(search(task * per_task + i, 0).1 as i64);
                }
            });
        }
        let found = map(parallel, x.count * parts, &|i| search(i / parts, i % parts));
        for (parts, to) in found.chunks_exact(parts).zip(out) {
            let found = parts.iter().copied().reduce(first).expect("at least one part");
            to.write(found.1 as i64);
        }
    };
    // SAFETY: every element is written.
    unsafe { new_array(name, Dtype::INT64, &shape, fill) }
}
