//! Every operation and dtype against a slow evaluation of its own.

use super::{array, nearest_bf16, nearest_f16};
use half::{bf16, f16};
use ivy_core::host::HostArray;
use ivy_core::{BinaryOp, Dtype, UnaryOp};
use ivy_kernels::elementwise::*;

#[test]
fn every_operation_takes_the_dtypes_that_it_declares() {
    for dtype in Dtype::all() {
        let x = full(&[3].into(), dtype, ivy_core::Scalar::Int(1)).unwrap();
        for &op in UnaryOp::ALL {
            match op.result(dtype) {
                Some(result) => {
                    assert_eq!(unary(op, x.view()).unwrap().dtype(), result, "{} {dtype}", op.name())
                }
                None => assert!(unary(op, x.view()).is_err(), "{} {dtype}", op.name()),
            }
        }
        for &op in BinaryOp::ALL {
            match op.result(dtype) {
                Some(result) => {
                    let y = binary(op, x.view(), x.view()).unwrap();
                    assert_eq!(y.dtype(), result, "{} {dtype}", op.name());
                }
                None => assert!(binary(op, x.view(), x.view()).is_err(), "{} {dtype}", op.name()),
            }
        }
        for to in Dtype::all() {
            let allowed = !dtype.is_complex() || to.is_complex() || to.is_bool();
            assert_eq!(cast(x.view(), to).is_ok(), allowed, "{dtype} to {to}");
        }
    }
}

#[test]
fn small_floats_round_as_the_half_crate_rounds() {
    let all: Vec<u16> = (0..=u16::MAX).collect();
    let halves = array(&all.iter().map(|&b| f16::from_bits(b)).collect::<Vec<_>>());
    let brains = array(&all.iter().map(|&b| bf16::from_bits(b)).collect::<Vec<_>>());
    let wide = cast(halves.view(), Dtype::FLOAT64).unwrap().to_vec::<f64>().unwrap();
    for (x, &bits) in wide.iter().zip(&all) {
        let expected = f16::from_bits(bits).to_f64();
        assert!(x.to_bits() == expected.to_bits() || x.is_nan() && expected.is_nan(), "{bits:x}");
    }
    for dtype in [Dtype::FLOAT32, Dtype::FLOAT64] {
        let there = cast(halves.view(), dtype).unwrap();
        let back = cast(there.view(), Dtype::FLOAT16).unwrap().to_vec::<f16>().unwrap();
        assert!(
            back.iter().zip(&all).all(|(x, &b)| x.to_bits() == b || x.is_nan() && f16::from_bits(b).is_nan())
        );
        let there = cast(brains.view(), dtype).unwrap();
        let back = cast(there.view(), Dtype::BFLOAT16).unwrap().to_vec::<bf16>().unwrap();
        assert!(
            back.iter()
                .zip(&all)
                .all(|(x, &b)| x.to_bits() == b || x.is_nan() && bf16::from_bits(b).is_nan())
        );
    }
}

#[test]
fn floats_round_once_as_read_off_other_libraries() {
    for line in include_str!("rounding.txt").lines().filter(|line| !line.starts_with('#')) {
        let (from, rest) = line.split_once(' ').unwrap();
        let codes: Vec<Option<u64>> = rest.split(' ').map(|w| u64::from_str_radix(w, 16).ok()).collect();
        let (x, wide) = match (from, codes[0].unwrap()) {
            ("float32", bits) => {
                (array(&[f32::from_bits(bits as u32)]), f64::from(f32::from_bits(bits as u32)))
            }
            (_, bits) => (array(&[f64::from_bits(bits)]), f64::from_bits(bits)),
        };
        let brain = cast(x.view(), Dtype::BFLOAT16).unwrap().to_vec::<bf16>().unwrap()[0];
        let half = cast(x.view(), Dtype::FLOAT16).unwrap().to_vec::<f16>().unwrap()[0];
        if wide.is_nan() {
            assert!(brain.is_nan() && half.is_nan(), "{line}");
            continue;
        }
        assert_eq!(brain.to_bits(), codes[1].map_or(nearest_bf16(wide), |c| c as u16), "{line}");
        assert_eq!((half.to_bits(), nearest_f16(wide)), (codes[2].unwrap() as u16, half.to_bits()), "{line}");
    }
}

/// Integers around every power of two and its halves, within a dtype's range.
fn integers(dtype: Dtype) -> Vec<i128> {
    let (min, max) = dtype.int_range().unwrap();
    let powers = (0..64).flat_map(|e| {
        [1i128 << e, (1 << e) + (1 << e >> 1), (1 << e) + (1 << e >> 8), (1 << e) + (1 << e >> 11)]
    });
    let mut all: Vec<i128> = powers
        .flat_map(|p| [p - 1, p, p + 1, -p - 1, -p, -p + 1])
        .chain([0, min, max, 65504, 65519, 65520, 65521])
        .filter(|i| (min..=max).contains(i))
        .collect();
    all.sort_unstable();
    all.dedup();
    all
}

/// Runs an expression with `$T` as the Rust type of an integer dtype.
macro_rules! with_int {
    ($dtype:expr, $T:ident => $body:expr) => {
        with_int!(@match $dtype, $T, $body, INT8 i8, INT16 i16, INT32 i32, INT64 i64, UINT8 u8, UINT16 u16, UINT32 u32,
            UINT64 u64)
    };
    (@match $dtype:expr, $T:ident, $body:expr, $($constant:ident $t:ty),*) => {
        match $dtype {
            $(Dtype::$constant => {
                type $T = $t;
                $body
            })*
            other => panic!("{other} is no integer dtype"),
        }
    };
}

/// An array of an integer dtype, and its elements' values.
fn integer_array(dtype: Dtype, values: &[i128]) -> HostArray {
    with_int!(dtype, T => array(&values.iter().map(|&i| i as T).collect::<Vec<T>>()))
}

fn integer_values(x: &HostArray) -> Vec<i128> {
    with_int!(x.dtype(), T => x.to_vec::<T>().unwrap().iter().map(|&i| i as i128).collect())
}

#[test]
fn integers_convert_with_one_rounding_and_wrap() {
    for from in Dtype::all().filter(|d| d.is_int()) {
        let values = integers(from);
        let x = integer_array(from, &values);
        for to in Dtype::all().filter(|d| d.is_int()) {
            let modulus = 1i128 << to.bits();
            let least = to.int_range().unwrap().0;
            let wrapped: Vec<i128> = values.iter().map(|i| (i - least).rem_euclid(modulus) + least).collect();
            assert_eq!(integer_values(&cast(x.view(), to).unwrap()), wrapped, "{from} to {to}");
        }
        // An integer of at most 64 bits is the sum of two float64, so that the nearest 16-bit
        // float to the first, nudged towards the second, is the nearest to the integer.
        let nudged = |i: i128| {
            let near = i as f64;
            match (i - near as i128).signum() {
                1 => near.next_up(),
                -1 => near.next_down(),
                _ => near,
            }
        };
        let halves = cast(x.view(), Dtype::FLOAT16).unwrap().to_vec::<f16>().unwrap();
        let brains = cast(x.view(), Dtype::BFLOAT16).unwrap().to_vec::<bf16>().unwrap();
        let singles = cast(x.view(), Dtype::FLOAT32).unwrap().to_vec::<f32>().unwrap();
        let doubles = cast(x.view(), Dtype::FLOAT64).unwrap().to_vec::<f64>().unwrap();
        let pairs = cast(x.view(), Dtype::COMPLEX64).unwrap().to_vec::<num_complex::Complex32>().unwrap();
        let truths = cast(x.view(), Dtype::BOOL).unwrap().to_vec::<bool>().unwrap();
        for (i, &value) in values.iter().enumerate() {
            assert_eq!(halves[i].to_bits(), nearest_f16(nudged(value)), "{value} of {from}");
            assert_eq!(brains[i].to_bits(), nearest_bf16(nudged(value)), "{value} of {from}");
            assert_eq!((singles[i], doubles[i]), (value as f32, value as f64));
            assert_eq!((pairs[i].re, pairs[i].im, truths[i]), (value as f32, 0.0, value != 0));
        }
    }
}

#[test]
fn floats_truncate_and_saturate_to_integers() {
    let mut values =
        vec![0.0, -0.0, 0.9, -0.9, 1.5, -1.5, f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 1e300, -1e300];
    values.extend((0..70).flat_map(|e| {
        [2f64.powi(e), 2f64.powi(e) - 1.0, -(2f64.powi(e)), -(2f64.powi(e)) - 1.0, 2f64.powi(e) * 1.375]
    }));
    for from in Dtype::all().filter(|d| d.is_float()) {
        let x = cast(array(&values).view(), from).unwrap();
        let exact = cast(x.view(), Dtype::FLOAT64).unwrap().to_vec::<f64>().unwrap();
        for to in Dtype::all().filter(|d| d.is_int()) {
            let (min, max) = to.int_range().unwrap();
            let expected: Vec<i128> = exact.iter().map(|&x| (x as i128).clamp(min, max)).collect();
            assert_eq!(integer_values(&cast(x.view(), to).unwrap()), expected, "{from} to {to}");
        }
        let truths = cast(x.view(), Dtype::BOOL).unwrap().to_vec::<bool>().unwrap();
        assert!(truths.iter().zip(&exact).all(|(&t, &x)| t == (x != 0.0)));
    }
}

/// What an operation on integers gives, before it wraps to the dtype.
fn integer_truth(op: BinaryOp, dtype: Dtype, a: i128, b: i128) -> i128 {
    let bits = dtype.bits() as i128;
    let outside = !(0..bits).contains(&b);
    match op {
        BinaryOp::Add => a + b,
        BinaryOp::Subtract => a - b,
        BinaryOp::Multiply => a.wrapping_mul(b),
        BinaryOp::BitwiseAnd => a & b,
        BinaryOp::BitwiseOr => a | b,
        BinaryOp::BitwiseXor => a ^ b,
        BinaryOp::BitwiseLeftShift => {
            if outside {
                0
            } else {
                a.wrapping_shl(b as u32)
            }
        }
        BinaryOp::BitwiseRightShift => {
            if outside {
                if a < 0 { -1 } else { 0 }
            } else {
                a >> b
            }
        }
        BinaryOp::Equal => i128::from(a == b),
        BinaryOp::NotEqual => i128::from(a != b),
        BinaryOp::Greater => i128::from(a > b),
        BinaryOp::GreaterEqual => i128::from(a >= b),
        BinaryOp::Less => i128::from(a < b),
        BinaryOp::LessEqual => i128::from(a <= b),
        BinaryOp::Maximum => a.max(b),
        BinaryOp::Minimum => a.min(b),
        BinaryOp::Gcd if b == 0 => a.abs(),
        BinaryOp::Gcd => integer_truth(BinaryOp::Gcd, dtype, b, a % b),
        BinaryOp::Lcm if a == 0 || b == 0 => 0,
        BinaryOp::Lcm => (a / integer_truth(BinaryOp::Gcd, dtype, a, b)).abs().wrapping_mul(b.abs()),
        BinaryOp::FloorDivide if b == 0 => 0,
        BinaryOp::FloorDivide => a.div_euclid(b) - i128::from(b < 0 && a.rem_euclid(b) != 0),
        BinaryOp::Remainder if b == 0 => 0,
        BinaryOp::Remainder => a - b * integer_truth(BinaryOp::FloorDivide, dtype, a, b),
        BinaryOp::Pow if b < 0 => match a {
            1 => 1,
            -1 => {
                if b % 2 == 0 {
                    1
                } else {
                    -1
                }
            }
            _ => 0,
        },
        BinaryOp::Pow => {
            // Modulo 2^64, by the binary digits of the exponent from the first on.
            let modulus = 1i128 << 64;
            let square = |x: i128| ((x as u128 * x as u128) % modulus as u128) as i128;
            let base = a.rem_euclid(modulus);
            (0..64).rev().fold(1, |power, bit| {
                let power = square(power);
                if b >> bit & 1 == 1 {
                    ((power as u128 * base as u128) % modulus as u128) as i128
                } else {
                    power
                }
            })
        }
        _ => unreachable!("{} does not take integers", op.name()),
    }
}

#[test]
fn integer_operations_give_what_wide_integers_give() {
    for dtype in Dtype::all().filter(|d| d.is_int()) {
        let (min, max) = dtype.int_range().unwrap();
        let values: Vec<i128> = match dtype.bits() {
            8 => (min..=max).collect(),
            _ => integers(dtype)
                .into_iter()
                .step_by(7)
                .chain([min, -1, 0, 1, 2, 3, 17, max])
                .filter(|i| (min..=max).contains(i))
                .collect(),
        };
        let n = values.len();
        let row = integer_array(dtype, &values);
        let firsts: Vec<i128> = values.iter().flat_map(|&a| vec![a; n]).collect();
        let flat = integer_array(dtype, &firsts);
        let column = HostArray::new(flat.buffer().clone(), dtype, [n, n].into()).unwrap();
        for &op in BinaryOp::ALL {
            let Some(to) = op.result(dtype) else { continue };
            let got = binary(op, column.view(), row.view()).unwrap();
            let got = if to.is_bool() { cast(got.view(), Dtype::INT64).unwrap() } else { got };
            for (i, got) in integer_values(&got).into_iter().enumerate() {
                let (a, b) = (values[i / n], values[i % n]);
                let truth = integer_truth(op, dtype, a, b);
                let wrapped = if to.is_bool() {
                    truth
                } else {
                    (truth.wrapping_sub(min)).rem_euclid(1 << dtype.bits()) + min
                };
                assert_eq!(got, wrapped, "{}({a}, {b}) of {dtype}", op.name());
            }
        }
        let wrap = |i: i128| (i - min).rem_euclid(1 << dtype.bits()) + min;
        type Single = fn(i128) -> i128;
        let single: [(UnaryOp, Single); 6] = [
            (UnaryOp::Abs, i128::abs),
            (UnaryOp::Negative, |i| -i),
            (UnaryOp::Sign, i128::signum),
            (UnaryOp::Square, |i| i.wrapping_mul(i)),
            (UnaryOp::BitwiseInvert, |i| -1 - i),
            (UnaryOp::Round, |i| i),
        ];
        for (op, truth) in single {
            let expected: Vec<i128> = values.iter().map(|&i| wrap(truth(i) % (1 << 100))).collect();
            assert_eq!(integer_values(&unary(op, row.view()).unwrap()), expected, "{} of {dtype}", op.name());
        }
    }
}

#[test]
fn float_arithmetic_rounds_once_and_has_the_standards_special_values() {
    let codes: Vec<u16> =
        (0..=u16::MAX).step_by(331).chain([0, 0x8000, 1, 0x7c00, 0xfc00, 0x7e00, 0x7f80, 0xff80]).collect();
    type Pair = fn(f64, f64) -> f64;
    // In float64 the operands' sum may round, but not where it would mislead 16 bits.
    let ops: [(BinaryOp, Pair); 4] = [
        (BinaryOp::Add, |a, b| a + b),
        (BinaryOp::Subtract, |a, b| a - b),
        (BinaryOp::Multiply, |a, b| a * b),
        (BinaryOp::Divide, |a, b| a / b),
    ];
    let halves: Vec<f16> = codes.iter().map(|&c| f16::from_bits(c)).collect();
    let brains: Vec<bf16> = codes.iter().map(|&c| bf16::from_bits(c)).collect();
    let (h, b) = (array(&halves), array(&brains));
    let n = codes.len();
    for (op, truth) in ops {
        let column = HostArray::new(h.buffer().clone(), Dtype::FLOAT16, [n, 1].into()).unwrap();
        let got = binary(op, column.view(), h.view()).unwrap().to_vec::<f16>().unwrap();
        for (i, got) in got.iter().enumerate() {
            let expected = nearest_f16(truth(halves[i / n].to_f64(), halves[i % n].to_f64()));
            assert!(
                got.to_bits() == expected || got.is_nan() && expected & 0x7fff > 0x7c00,
                "{} {i}",
                op.name()
            );
        }
        let column = HostArray::new(b.buffer().clone(), Dtype::BFLOAT16, [n, 1].into()).unwrap();
        let got = binary(op, column.view(), b.view()).unwrap().to_vec::<bf16>().unwrap();
        for (i, got) in got.iter().enumerate() {
            let expected = nearest_bf16(truth(brains[i / n].to_f64(), brains[i % n].to_f64()));
            assert!(
                got.to_bits() == expected || got.is_nan() && expected & 0x7fff > 0x7f80,
                "{} {i}",
                op.name()
            );
        }
    }
    const I: f64 = f64::INFINITY;
    const X: f64 = f64::NAN;
    let cases = [
        (BinaryOp::FloorDivide, I, 2.0, I),
        (BinaryOp::FloorDivide, I, -2.0, -I),
        (BinaryOp::FloorDivide, I, I, X),
        (BinaryOp::FloorDivide, 2.0, -I, -0.0),
        (BinaryOp::FloorDivide, -2.0, I, -0.0),
        (BinaryOp::FloorDivide, -2.0, -I, 0.0),
        (BinaryOp::FloorDivide, 1.0, 0.0, I),
        (BinaryOp::FloorDivide, 0.0, 0.0, X),
        (BinaryOp::FloorDivide, -0.0, 3.0, -0.0),
        (BinaryOp::FloorDivide, -7.0, 2.0, -4.0),
        (BinaryOp::FloorDivide, 7.0, -2.0, -4.0),
        (BinaryOp::FloorDivide, 1.0, 0.1, 9.0),
        (BinaryOp::Remainder, 1.0, 0.1, 1.0 % 0.1),
        (BinaryOp::Remainder, -7.0, 2.0, 1.0),
        (BinaryOp::Remainder, 7.0, -2.0, -1.0),
        (BinaryOp::Remainder, -0.0, 2.0, 0.0),
        (BinaryOp::Remainder, 0.0, -2.0, -0.0),
        (BinaryOp::Remainder, 3.0, -I, -I),
        (BinaryOp::Remainder, -3.0, -I, -3.0),
        (BinaryOp::Remainder, I, 2.0, X),
        (BinaryOp::Remainder, 2.0, 0.0, X),
        (BinaryOp::Maximum, X, 1.0, X),
        (BinaryOp::Minimum, 1.0, X, X),
        (BinaryOp::Pow, X, 0.0, 1.0),
        (BinaryOp::Pow, 1.0, X, 1.0),
        (BinaryOp::Pow, -8.0, 1.0 / 3.0, X),
        (BinaryOp::Pow, -0.0, -3.0, -I),
        (BinaryOp::Hypot, I, X, I),
        (BinaryOp::Logaddexp, -I, -I, -I),
        (BinaryOp::Logaddexp, I, -I, I),
        (BinaryOp::Logaddexp, I, X, X),
        (BinaryOp::Atan2, 0.0, -0.0, std::f64::consts::PI),
        (BinaryOp::Copysign, 3.0, -0.0, -3.0),
        (BinaryOp::Nextafter, 0.0, -1.0, -5e-324),
        (BinaryOp::Nextafter, 1.0, 2.0, 1.0 + f64::EPSILON),
        (BinaryOp::Nextafter, f64::MAX, I, I),
        (BinaryOp::Nextafter, 0.0, -0.0, -0.0),
        (BinaryOp::Nextafter, X, 1.0, X),
    ];
    for (op, a, b, expected) in cases {
        let got = binary(op, array(&[a]).view(), array(&[b]).view()).unwrap().to_vec::<f64>().unwrap()[0];
        assert!(
            got.to_bits() == expected.to_bits() || got.is_nan() && expected.is_nan(),
            "{}({a}, {b}) = {got}",
            op.name()
        );
    }
    let next = binary(BinaryOp::Nextafter, array(&[f16::ONE]).view(), array(&[f16::MAX]).view()).unwrap();
    assert_eq!(next.to_vec::<f16>().unwrap()[0].to_bits(), f16::ONE.to_bits() + 1);
    let rounded = unary(UnaryOp::Round, array(&[0.5f32, 1.5, 2.5, -0.5, -2.5]).view())
        .unwrap()
        .to_vec::<f32>()
        .unwrap();
    assert_eq!(
        rounded.iter().map(|x| x.to_bits()).collect::<Vec<_>>(),
        [0f32, 2.0, 2.0, -0.0, -2.0].map(f32::to_bits)
    );
    let signs = unary(UnaryOp::Sign, array(&[-0.0f64, 2.0, -I, X]).view()).unwrap().to_vec::<f64>().unwrap();
    assert!(signs[..3] == [0.0, 1.0, -1.0] && signs[3].is_nan());
    let signed = unary(UnaryOp::Signbit, array(&[-0.0f32, 0.0, -f32::NAN, 1.0]).view()).unwrap();
    assert_eq!(signed.to_vec::<bool>().unwrap(), [true, false, true, false]);
}
