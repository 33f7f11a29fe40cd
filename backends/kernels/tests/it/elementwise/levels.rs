//! The instruction-set levels give the same bits, and so do parts of an array of any length.

use ivy_core::host::{Buffer, HostArray};
use ivy_core::{BinaryOp, Dtype, Result, UnaryOp};
use ivy_kernels::elementwise::{binary, cast, unary};
use ivy_kernels::internals::{Isa, best, limit};

const COUNT: usize = 1531;

/// Bytes of `COUNT` elements: edge values of the dtype, then any bits.
fn sample(dtype: Dtype, seed: u64) -> Vec<u128> {
    let mut state = seed;
    let mut next = move || {
        state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
        let mut x = state ^ state >> 33;
        x = x.wrapping_mul(0xff51_afd7_ed55_8ccd);
        x ^ x >> 29
    };
    let part = |bits: u64, index: usize| -> u64 {
        let real = dtype.real_part();
        let moderate =
            ((bits >> 11) as f64 / 2f64.powi(50) - 4.0) * if index.is_multiple_of(5) { 30.0 } else { 1.0 };
        match (index % 4, real) {
            (0, _) => bits,
            (_, Dtype::BOOL) => bits & 1,
            (1, _) if !real.is_float() => (bits & 7).wrapping_sub(3),
            (_, Dtype::FLOAT64) => moderate.to_bits(),
            (_, Dtype::FLOAT32) => u64::from((moderate as f32).to_bits()),
            (_, Dtype::FLOAT16) => u64::from(half::f16::from_f64(moderate).to_bits()),
            (_, Dtype::BFLOAT16) => u64::from(half::bf16::from_f64(moderate).to_bits()),
            _ => bits,
        }
    };
    (0..COUNT)
        .map(|i| {
            let (low, high) = (part(next(), i), part(next(), i / 2));
            match dtype {
                Dtype::BOOL => u128::from(low & 1),
                Dtype::COMPLEX64 => u128::from(low as u32) | u128::from(high as u32) << 32,
                _ => u128::from(low) | u128::from(high) << 64,
            }
        })
        .collect()
}

fn array(dtype: Dtype, seed: u64) -> HostArray {
    let width = dtype.bytes();
    let bytes: Vec<u8> = sample(dtype, seed).iter().flat_map(|e| e.to_le_bytes()[..width].to_vec()).collect();
    HostArray::new(Buffer::copy_from(&bytes).unwrap(), dtype, COUNT.into()).unwrap()
}

/// Compares the results of an operation under every instruction set of this processor, if it takes the dtype: true then.
fn compare(name: &str, from: Dtype, compute: impl Fn() -> Result<HostArray>) -> bool {
    let Ok(_) = compute() else { return false };
    let results = limit::each(|| compute().unwrap());
    let baseline = results[0].1.buffer().bytes();
    let to = results[0].1.dtype();
    for (level, other) in &results[1..] {
        let pairs = baseline.chunks(to.bytes()).zip(other.buffer().bytes().chunks(to.bytes()));
        let mut differs = pairs.map(|(a, b)| {
            // Which NaN comes out is not promised.
            a != b && !(is_nan(a, to) && is_nan(b, to))
        });
        assert_eq!(differs.position(|differs| differs), None, "{name} {from} at {level:?}");
    }
    true
}

fn is_nan(bytes: &[u8], dtype: Dtype) -> bool {
    let word = |b: &[u8]| b.iter().rev().fold(0u64, |n, &b| n << 8 | u64::from(b));
    match dtype {
        Dtype::FLOAT16 => half::f16::from_bits(word(bytes) as u16).is_nan(),
        Dtype::BFLOAT16 => half::bf16::from_bits(word(bytes) as u16).is_nan(),
        Dtype::FLOAT32 => f32::from_bits(word(bytes) as u32).is_nan(),
        Dtype::FLOAT64 => f64::from_bits(word(bytes)).is_nan(),
        Dtype::COMPLEX64 => bytes.chunks(4).any(|p| is_nan(p, Dtype::FLOAT32)),
        Dtype::COMPLEX128 => bytes.chunks(8).any(|p| is_nan(p, Dtype::FLOAT64)),
        _ => false,
    }
}

#[test]
fn levels_agree_bit_by_bit() {
    for level in [Isa::Avx2, Isa::Avx512].into_iter().filter(|&level| level > best()) {
        eprintln!("skipped: this processor lacks {level:?}");
    }
    let mut compared = 0;
    let mut count = |took: bool| compared += usize::from(took);
    for dtype in Dtype::all() {
        let (a, b) = (array(dtype, 1), array(dtype, 2));
        for &op in UnaryOp::ALL {
            count(compare(op.name(), dtype, || unary(op, a.view())));
        }
        for &op in BinaryOp::ALL {
            count(compare(op.name(), dtype, || binary(op, a.view(), b.view())));
        }
        for to in Dtype::all() {
            count(compare(&format!("astype {to}"), dtype, || cast(a.view(), to)));
        }
    }
    assert!(compared > 600, "{compared} operations");
}
