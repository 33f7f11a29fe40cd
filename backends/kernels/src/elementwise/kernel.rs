//! Loops over contiguous elements: one generic loop for each number of operands, compiled for
//! each instruction set, behind a pointer type that forgets the element types.

use crate::isa::Isa;
use std::{marker::PhantomData, mem::MaybeUninit, slice};

/// A loop over `n` elements of `N` operands, given by their first elements and that of the result.
///
/// # Safety
/// For the kernel of a function from `In...` to `Out`: each operand points to `n` aligned,
/// initialized elements of its type, the last pointer to room for `n` elements of `Out` that
/// overlaps none of them, and the machine has the instruction set. All `n` results are written.
pub(crate) type Kernel<const N: usize> = unsafe fn([*const u8; N], *mut u8, usize, Isa);

/// A function of one element.
pub(crate) trait Map1 {
    type In: Copy;
    type Out: Copy;
    /// The widest instruction set that pays: loops are not compiled for more.
    const TOP: Isa = Isa::Avx2;
    /// Whether [`Map1::is_rare`] may be true.
    const HAS_RARE: bool = false;
    /// The result; meaningless where [`Map1::is_rare`].
    fn apply(x: Self::In) -> Self::Out;
    /// True for an element that needs [`Map1::rare`].
    #[inline(always)]
    fn is_rare(_: Self::In) -> bool {
        false
    }
    /// The result by a slow way.
    fn rare(x: Self::In) -> Self::Out {
        Self::apply(x)
    }
}

/// A function of two elements of one type.
pub(crate) trait Map2 {
    type In: Copy;
    type Out: Copy;
    /// The widest instruction set that pays.
    const TOP: Isa = Isa::Avx2;
    fn apply(a: Self::In, b: Self::In) -> Self::Out;
}

/// How many elements are looked through for rare ones at a time.
const STRETCH: usize = 256;

#[inline(always)]
fn loop1<F: Map1>(x: &[F::In], out: &mut [MaybeUninit<F::Out>]) {
    if !F::HAS_RARE {
        for (o, &x) in out.iter_mut().zip(x) {
            o.write(F::apply(x));
        }
        return;
    }
    for (out, x) in out.chunks_mut(STRETCH).zip(x.chunks(STRETCH)) {
        let mut any = false;
        for (o, &x) in out.iter_mut().zip(x) {
            o.write(F::apply(x));
            any |= F::is_rare(x);
        }
        if any {
            for (o, &x) in out.iter_mut().zip(x).filter(|(_, x)| F::is_rare(**x)) {
                o.write(F::rare(x));
            }
        }
    }
}

#[inline(always)]
fn loop2<F: Map2>(a: &[F::In], b: &[F::In], out: &mut [MaybeUninit<F::Out>]) {
    for ((o, &a), &b) in out.iter_mut().zip(a).zip(b) {
        o.write(F::apply(a, b));
    }
}

#[inline(always)]
fn loop_select<T: Copy>(c: &[u8], a: &[T], b: &[T], out: &mut [MaybeUninit<T>]) {
    for (((o, &c), &a), &b) in out.iter_mut().zip(c).zip(a).zip(b) {
        o.write(if c != 0 { a } else { b });
    }
}

#[cfg(target_arch = "x86_64")]
mod compiled {
    use super::{Map1, Map2, MaybeUninit, loop_select, loop1, loop2};

    macro_rules! levels {
        ($($one:ident $two:ident $three:ident $features:literal)*) => {$(
            #[target_feature(enable = $features)]
            pub(super) fn $one<F: Map1>(x: &[F::In], out: &mut [MaybeUninit<F::Out>]) {
                loop1::<F>(x, out)
            }
            #[target_feature(enable = $features)]
            pub(super) fn $two<F: Map2>(a: &[F::In], b: &[F::In], out: &mut [MaybeUninit<F::Out>]) {
                loop2::<F>(a, b, out)
            }
            #[target_feature(enable = $features)]
            pub(super) fn $three<T: Copy>(c: &[u8], a: &[T], b: &[T], out: &mut [MaybeUninit<T>]) {
                loop_select(c, a, b, out)
            }
        )*};
    }
    levels! {
        one_avx2 two_avx2 select_avx2 "avx2"
        one_avx512 two_avx512 _select_avx512 "avx512f,avx512vl,avx512bw,avx512dq"
    }
}

#[inline(never)]
fn one_baseline<F: Map1>(x: &[F::In], out: &mut [MaybeUninit<F::Out>]) {
    loop1::<F>(x, out)
}

#[inline(never)]
fn two_baseline<F: Map2>(a: &[F::In], b: &[F::In], out: &mut [MaybeUninit<F::Out>]) {
    loop2::<F>(a, b, out)
}

/// The [`Kernel`] of a [`Map1`].
///
/// # Safety
/// That of [`Kernel`].
pub(crate) unsafe fn run1<F: Map1>([x]: [*const u8; 1], out: *mut u8, n: usize, isa: Isa) {
    // SAFETY: the caller's promise.
    let (x, out) =
        unsafe { (slice::from_raw_parts(x.cast::<F::In>(), n), slice::from_raw_parts_mut(out.cast(), n)) };
    match isa.min(F::TOP) {
        // SAFETY: the caller's promise about the instruction set.
        #[cfg(target_arch = "x86_64")]
        Isa::Avx512 => unsafe { compiled::one_avx512::<F>(x, out) },
        // SAFETY: likewise.
        #[cfg(target_arch = "x86_64")]
        Isa::Avx2 => unsafe { compiled::one_avx2::<F>(x, out) },
        _ => one_baseline::<F>(x, out),
    }
}

/// The [`Kernel`] of a [`Map2`].
///
/// # Safety
/// That of [`Kernel`].
pub(crate) unsafe fn run2<F: Map2>([a, b]: [*const u8; 2], out: *mut u8, n: usize, isa: Isa) {
    // SAFETY: the caller's promise.
    let (a, b, out) = unsafe {
        let a = slice::from_raw_parts(a.cast::<F::In>(), n);
        (a, slice::from_raw_parts(b.cast::<F::In>(), n), slice::from_raw_parts_mut(out.cast(), n))
    };
    match isa.min(F::TOP) {
        // SAFETY: the caller's promise about the instruction set.
        #[cfg(target_arch = "x86_64")]
        Isa::Avx512 => unsafe { compiled::two_avx512::<F>(a, b, out) },
        // SAFETY: likewise.
        #[cfg(target_arch = "x86_64")]
        Isa::Avx2 => unsafe { compiled::two_avx2::<F>(a, b, out) },
        _ => two_baseline::<F>(a, b, out),
    }
}

/// The [`Kernel`] that takes the second operand where the first, of bytes, is not 0, else the third.
///
/// # Safety
/// That of [`Kernel`].
pub(crate) unsafe fn run_select<T: Copy>([c, a, b]: [*const u8; 3], out: *mut u8, n: usize, isa: Isa) {
    // SAFETY: the caller's promise.
    let (c, a, b, out) = unsafe {
        let (c, a) = (slice::from_raw_parts(c, n), slice::from_raw_parts(a.cast::<T>(), n));
        (c, a, slice::from_raw_parts(b.cast::<T>(), n), slice::from_raw_parts_mut(out.cast(), n))
    };
    match isa {
        #[cfg(target_arch = "x86_64")]
        // SAFETY: the caller's promise about the instruction set.
        Isa::Avx2 | Isa::Avx512 => unsafe { compiled::select_avx2(c, a, b, out) },
        _ => loop_select(c, a, b, out),
    }
}

/// The element itself.
pub(crate) struct Identity<T>(PhantomData<T>);

impl<T: Copy> Map1 for Identity<T> {
    type In = T;
    type Out = T;
    const TOP: Isa = Isa::Baseline;
    #[inline(always)]
    fn apply(x: T) -> T {
        x
    }
}
