//! One source, several instruction sets: a hot loop is compiled for each and the best that the
//! processor has is run. No variant may fuse or reorder arithmetic, so all give the same bits.

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
pub(crate) enum Isa {
    /// What every processor of the target has.
    Baseline,
    /// 256-bit vectors.
    Avx2,
    /// 512-bit vectors.
    Avx512,
}

/// The best instruction set of this processor.
#[cfg(target_arch = "x86_64")]
pub(crate) fn best() -> Isa {
    let avx512 = is_x86_feature_detected!("avx512f")
        && is_x86_feature_detected!("avx512vl")
        && is_x86_feature_detected!("avx512bw")
        && is_x86_feature_detected!("avx512dq");
    let found = match avx512 {
        true => Isa::Avx512,
        false if is_x86_feature_detected!("avx2") => Isa::Avx2,
        false => Isa::Baseline,
    };
    #[cfg(test)]
    return found.min(limit::get());
    #[cfg(not(test))]
    found
}

/// The best instruction set of this processor.
#[cfg(not(target_arch = "x86_64"))]
pub(crate) fn best() -> Isa {
    Isa::Baseline
}

/// Runs a kernel compiled for the best instruction set.
#[cfg(target_arch = "x86_64")]
#[inline]
pub(crate) fn dispatch<K: Kernel>(kernel: K) -> K::Output {
    #[target_feature(enable = "avx2")]
    fn avx2<K: Kernel>(kernel: K) -> K::Output {
        kernel.run()
    }
    #[target_feature(enable = "avx512f,avx512vl,avx512bw,avx512dq")]
    fn avx512<K: Kernel>(kernel: K) -> K::Output {
        kernel.run()
    }
    if !K::WIDE {
        return kernel.run();
    }
    match best() {
        // SAFETY: `best` has found these features on this processor.
        Isa::Avx512 => unsafe { avx512(kernel) },
        // SAFETY: likewise.
        Isa::Avx2 => unsafe { avx2(kernel) },
        Isa::Baseline => kernel.run(),
    }
}

/// Runs a kernel compiled for the best instruction set.
#[cfg(not(target_arch = "x86_64"))]
#[inline]
pub(crate) fn dispatch<K: Kernel>(kernel: K) -> K::Output {
    kernel.run()
}

/// A ceiling on the instruction set, for tests that compare the variants. It is global, which
/// does other tests no harm: the variants agree.
#[cfg(test)]
pub(crate) mod limit {
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
    pub(crate) fn each<R>(compute: impl Fn() -> R) -> Vec<(Isa, R)> {
        let results = [Isa::Baseline, Isa::Avx2, Isa::Avx512].map(|isa| {
            LIMIT.store(isa as u8, Ordering::Relaxed);
            (isa, compute())
        });
        results.into()
    }
}
