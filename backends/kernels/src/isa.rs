//! One source, several instruction sets: a hot loop is compiled for each and the best that the
//! processor has is run. No variant reorders arithmetic, or fuses what is not fused in the source, so all give
//! the same bits.

/// A loop with its operands. `run` must be `#[inline(always)]`, as all that it calls, to be
/// compiled for the chosen instruction set.
pub(crate) trait Kernel {
    /// Whether it is worth a variant for each instruction set.
    const WIDE: bool = false;
    /// What the loop gives.
    type Output;
    /// Runs the loop.
    fn run(self) -> Self::Output;
}

/// The instruction sets that loops are compiled for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub enum Isa {
    /// What every processor of the target has.
    Baseline,
    /// 256-bit vectors, and fused multiply-add for those who ask for it.
    Avx2,
    /// 512-bit vectors: AVX-512 F, VL, BW and DQ; FMA, POPCNT, BMI1 and BMI2 with them.
    Avx512,
}

/// The best instruction set of this processor.
#[cfg(target_arch = "x86_64")]
fn found() -> Isa {
    let fma = is_x86_feature_detected!("fma");
    let avx512 = is_x86_feature_detected!("avx512f")
        && fma
        && is_x86_feature_detected!("avx512vl")
        && is_x86_feature_detected!("avx512bw")
        && is_x86_feature_detected!("avx512dq")
        && is_x86_feature_detected!("popcnt")
        && is_x86_feature_detected!("bmi1")
        && is_x86_feature_detected!("bmi2");
    match avx512 {
        true => Isa::Avx512,
        false if fma && is_x86_feature_detected!("avx2") => Isa::Avx2,
        false => Isa::Baseline,
    }
}

/// The best instruction set of this processor.
#[cfg(not(target_arch = "x86_64"))]
fn found() -> Isa {
    Isa::Baseline
}

/// The instruction set to use: the best one of this processor that [`limit`] allows.
pub fn best() -> Isa {
    found().min(limit::get())
}

/// Runs a kernel compiled for the best instruction set.
#[inline]
pub(crate) fn dispatch<K: Kernel>(kernel: K) -> K::Output {
    match best() {
        Isa::Avx512 if K::WIDE => run_on::<K, { Isa::Avx512 as u8 }>(kernel),
        Isa::Avx2 if K::WIDE => run_on::<K, { Isa::Avx2 as u8 }>(kernel),
        _ => kernel.run(),
    }
}

/// As [`dispatch`], but with 256 bits at most: for loops that read many rows at once and wait for
/// memory. Wider ones take longer runs from each row than the processor's read-ahead follows.
#[inline]
pub(crate) fn dispatch_rows<K: Kernel>(kernel: K) -> K::Output {
    match best() {
        Isa::Avx512 | Isa::Avx2 if K::WIDE => run_on::<K, { Isa::Avx2 as u8 }>(kernel),
        _ => kernel.run(),
    }
}

/// Runs a kernel compiled for one instruction set (an [`Isa`] as number).
///
/// # Panics
/// If the processor has not got it; choose by [`best`].
#[cfg(target_arch = "x86_64")]
#[inline]
pub(crate) fn run_on<K: Kernel, const ISA: u8>(kernel: K) -> K::Output {
    #[target_feature(enable = "avx2,fma")]
    fn avx2<K: Kernel>(kernel: K) -> K::Output {
        kernel.run()
    }
    #[target_feature(enable = "avx512f,avx512vl,avx512bw,avx512dq,fma")]
    fn avx512<K: Kernel>(kernel: K) -> K::Output {
        kernel.run()
    }
    const AVX2: u8 = Isa::Avx2 as u8;
    const AVX512: u8 = Isa::Avx512 as u8;
    assert!(found() as u8 >= ISA, "a variant that the processor cannot run");
    match ISA {
        // SAFETY: `found` has seen these features on this processor.
        AVX512 => unsafe { avx512(kernel) },
        // SAFETY: likewise.
        AVX2 => unsafe { avx2(kernel) },
        _ => kernel.run(),
    }
}

/// Runs a kernel.
#[cfg(not(target_arch = "x86_64"))]
#[inline]
pub(crate) fn run_on<K: Kernel, const ISA: u8>(kernel: K) -> K::Output {
    kernel.run()
}

/// Bytes of a line of the cache.
pub(crate) const LINE: usize = 64;

/// Asks for the cache line at an address that is read soon. Any address will do: those that may
/// not be read are passed over.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
pub(crate) fn prefetch<T>(at: *const T) {
    use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
    // SAFETY: a hint, which every x86-64 processor has; it neither reads nor faults.
    unsafe { _mm_prefetch::<_MM_HINT_T0>(at.cast()) };
}

/// Nothing: other processors look ahead by themselves.
#[cfg(not(target_arch = "x86_64"))]
#[inline(always)]
pub(crate) fn prefetch<T>(_: *const T) {}

/// A ceiling on the instruction set, for tests that compare the variants. It is global, which
/// does other tests no harm: the variants agree.
pub mod limit {
    use super::Isa;
    use std::sync::atomic::{AtomicU8, Ordering};

    static LIMIT: AtomicU8 = AtomicU8::new(Isa::Avx512 as u8);

    pub(super) fn get() -> Isa {
        match LIMIT.load(Ordering::Relaxed) {
            0 => Isa::Baseline,
            1 => Isa::Avx2,
            _ => Isa::Avx512,
        }
    }

    /// The results of a computation under each instruction set.
    pub fn each<R>(compute: impl Fn() -> R) -> Vec<(Isa, R)> {
        let results = [Isa::Baseline, Isa::Avx2, Isa::Avx512].map(|isa| {
            LIMIT.store(isa as u8, Ordering::Relaxed);
            (isa, compute())
        });
        results.into()
    }
}
