//! The distinct elements of an array.

use crate::{
    output::new_array,
    sequence::Sequences,
    small::Value,
    sort::{Keyed, order},
    types::match_dtype,
};
use ivy_core::host::{HostArray, HostView, scratch};
use ivy_core::{Dtype, Op, Result, Shape};
use num_complex::{Complex, Complex32, Complex64};
use std::mem::MaybeUninit;

/// The distinct elements of `x` in ascending order, the int64 index in the flat array where
/// each occurs first, for each element of `x` the index of its value (in `x`'s shape), and how
/// often each value occurs.
///
/// Zeros of both signs are one value (the one that occurs first stands for them); every NaN
/// is a value of its own, and they come last, in their order. Complex numbers are ordered by
/// their real, then their imaginary part; those with a NaN part come last.
///
/// ```
/// use ivy_core::host::HostArray;
/// let x = HostArray::from_vec(vec![3, 1, 3], [3].into()).unwrap();
/// let [values, indices, inverse, counts] = ivy_kernels::search::unique(x.view())?;
/// assert_eq!(values.to_vec::<i32>()?, [1, 3]);
/// assert_eq!(indices.to_vec::<i64>()?, [1, 0]);
/// assert_eq!(inverse.to_vec::<i64>()?, [1, 0, 1]);
/// assert_eq!(counts.to_vec::<i64>()?, [1, 2]);
/// # Ok::<(), ivy_core::Error>(())
/// ```
///
/// # Errors
/// No memory.
pub fn unique(x: HostView) -> Result<[HostArray; 4]> {
    match_dtype!(x.dtype(), real, T => distinct::<T>(x), else => match x.dtype() {
        Dtype::COMPLEX64 => distinct::<Complex32>(x),
        Dtype::COMPLEX128 => distinct::<Complex64>(x),
        _ => distinct::<u8>(x),
    })
}

/// An element of a set.
trait Distinct: Value {
    /// Calls `visit` with the index of each element, ascending, equal ones in their order.
    fn visit(all: &[Self], visit: impl FnMut(usize, usize));
    /// True for the same value, not NaN.
    fn same(self, other: Self) -> bool;
}

macro_rules! real {
    ($($t:ty),*) => {$(
        impl Distinct for $t {
            fn visit(all: &[$t], visit: impl FnMut(usize, usize)) {
                order::<$t, false>(all, visit);
            }
            fn same(self, other: $t) -> bool {
                self == other
            }
        }
    )*};
}
real!(i8, i16, i32, i64, u8, u16, u32, u64, half::bf16, half::f16, f32, f64);

impl<F: Keyed> Distinct for Complex<F>
where
    F: PartialEq,
    Complex<F>: Value,
{
    fn visit(all: &[Complex<F>], mut visit: impl FnMut(usize, usize)) {
        let key = |x: F| x.one_zero().key::<false>();
        let ranked = |(i, z): (usize, &Complex<F>)| (z.re.nan(), z.im.nan(), key(z.re), key(z.im), i);
        let mut keys: Vec<_> = scratch::collected(all.iter().enumerate().map(ranked));
        keys.sort_unstable();
        for (i, key) in keys.into_iter().enumerate() {
            visit(i, key.4);
        }
    }
    fn same(self, other: Complex<F>) -> bool {
        self.re == other.re && self.im == other.im
    }
}

fn distinct<T: Distinct>(x: HostView) -> Result<[HostArray; 4]> {
    let name = Op::Unique.name();
    let flat = Sequences::<T>::flat(x);
    let mut buffer = Vec::new();
    let all = scratch::guard(name, || flat.part(0, 0..flat.len, &mut buffer))?;
    let mut firsts: Vec<i64> = Vec::new();
    let mut counts: Vec<i64> = Vec::new();
    let fill = |inverse: &mut [MaybeUninit<i64>]| {
        T::visit(all, |_, index| {
            match (firsts.last(), counts.last_mut()) {
                (Some(&first), Some(count)) if all[first as usize].same(all[index]) => *count += 1,
                _ => {
                    // Both double when they are full.
                    scratch::reserve(&mut firsts, 1);
                    scratch::reserve(&mut counts, 1);
                    firsts.push(index as i64);
                    counts.push(1);
                }
            }
            inverse[index].write(firsts.len() as i64 - 1);
        });
    };
    // SAFETY: every index is visited once.
    let inverse = unsafe { new_array::<i64>(name, Dtype::INT64, &x.shape().into(), fill)? };
    let shape = Shape::from([firsts.len()]);
    let values = |out: &mut [MaybeUninit<T>]| {
        firsts.iter().zip(out).for_each(|(&first, to)| _ = to.write(all[first as usize]));
    };
    // SAFETY: there is a first occurrence for each element; bools are copied from `x`.
    let values = unsafe { new_array(name, x.dtype(), &shape, values)? };
    let array = |list: Vec<i64>| HostArray::from_vec(list, shape.clone()).expect("one entry a value");
    Ok([values, array(firsts), inverse, array(counts)])
}
