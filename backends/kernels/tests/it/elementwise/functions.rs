//! Functions of narrow floats against float64 evaluations: all float16 and bfloat16 values, and
//! float32 values all over the range.

use super::{array, nearest_bf16, nearest_f16};
use half::{bf16, f16};
use ivy_core::host::HostArray;
use ivy_core::{BinaryOp, UnaryOp};
use ivy_kernels::elementwise::*;
use ivy_kernels::internals::{acosh, logaddexp};

type Function = fn(f64) -> f64;

const FUNCTIONS: &[(UnaryOp, Function)] = &[
    (UnaryOp::Acos, libm::acos),
    (UnaryOp::Acosh, acosh),
    (UnaryOp::Asin, libm::asin),
    (UnaryOp::Asinh, libm::asinh),
    (UnaryOp::Atan, libm::atan),
    (UnaryOp::Atanh, libm::atanh),
    (UnaryOp::Cos, libm::cos),
    (UnaryOp::Cosh, libm::cosh),
    (UnaryOp::Erf, libm::erf),
    (UnaryOp::Erfc, libm::erfc),
    (UnaryOp::Exp, libm::exp),
    (UnaryOp::Expm1, libm::expm1),
    (UnaryOp::Lgamma, libm::lgamma),
    (UnaryOp::Log, libm::log),
    (UnaryOp::Log1p, libm::log1p),
    (UnaryOp::Log2, libm::log2),
    (UnaryOp::Log10, libm::log10),
    (UnaryOp::Sin, libm::sin),
    (UnaryOp::Sinh, libm::sinh),
    (UnaryOp::Sqrt, libm::sqrt),
    (UnaryOp::Tan, libm::tan),
    (UnaryOp::Tanh, libm::tanh),
];

/// How far `got` is from `truth`, in units of float32's last place at `truth`.
fn error32(got: f32, truth: f64) -> f64 {
    let nearest = truth as f32;
    if nearest.is_nan() || got.is_nan() {
        return if nearest.is_nan() && got.is_nan() { 0.0 } else { f64::INFINITY };
    }
    if nearest == got {
        let signs_differ = nearest.is_sign_negative() != got.is_sign_negative();
        return if signs_differ { f64::INFINITY } else { 0.0 };
    }
    let size = nearest.abs().clamp(f32::MIN_POSITIVE, f32::MAX);
    let unit = f64::from(f32::from_bits(size.to_bits() & 0x7f80_0000)) * 2f64.powi(-23);
    (f64::from(got) - truth).abs() / unit
}

/// Values of every exponent, both signs, the edges, and many of moderate size.
fn floats() -> Vec<f32> {
    let mut values = vec![0.0, f32::INFINITY, f32::NAN, 1.0, f32::MAX, f32::MIN_POSITIVE, 88.72, 103.97, 1e6];
    values.extend(
        (0..0x7f80u32)
            .flat_map(|i| [f32::from_bits(i << 16 | ((i * 0x9e3b) & 0xffff)), f32::from_bits(i << 16)]),
    );
    values.extend((0..60_000).map(|i| i as f32 * 3.7e-4));
    values.extend((0..30_000).map(|i| 1.0 + (i as f32 - 15_000.0) * 1.1e-5));
    let negative: Vec<f32> = values.iter().map(|x| -x).collect();
    values.extend(negative);
    values
}

#[test]
fn float32_functions_are_within_a_unit_of_the_last_place() {
    let values = floats();
    let x = array(&values);
    for &(op, function) in FUNCTIONS {
        let got = unary(op, x.view()).unwrap().to_vec::<f32>().unwrap();
        for (&x, got) in values.iter().zip(got) {
            let error = error32(got, function(f64::from(x)));
            assert!(error <= bound32(op), "{}({x:e}) = {got:e}: {error}", op.name());
        }
    }
}

/// What exp and tanh promise, which are computed in float32; the others round a float64.
fn bound32(op: UnaryOp) -> f64 {
    match op {
        UnaryOp::Exp => 0.87,
        UnaryOp::Tanh => 0.76,
        _ => 0.501,
    }
}

fn check_exp_and_tanh(step: usize) {
    for (op, function) in [(UnaryOp::Exp, libm::exp as Function), (UnaryOp::Tanh, libm::tanh)] {
        for start in (0..1u64 << 32).step_by(step << 20) {
            let part = (start..1 << 32).step_by(step).take(1 << 20);
            let values: Vec<f32> = part.map(|bits| f32::from_bits(bits as u32)).collect();
            let got = unary(op, array(&values).view()).unwrap().to_vec::<f32>().unwrap();
            for (&x, got) in values.iter().zip(got) {
                let error = error32(got, function(f64::from(x)));
                assert!(error <= bound32(op), "{}({x:e}) = {got:e}: {error}", op.name());
            }
        }
    }
}

#[test]
fn exp_and_tanh_of_one_float32_in_a_thousand() {
    check_exp_and_tanh(1009);
}

#[test]
#[ignore = "takes minutes"]
fn exp_and_tanh_of_every_float32() {
    check_exp_and_tanh(1);
}

#[test]
fn functions_of_16_bits_are_the_rounded_truth() {
    let halves: Vec<f16> = (0..=u16::MAX).map(f16::from_bits).collect();
    let brains: Vec<bf16> = (0..=u16::MAX).map(bf16::from_bits).collect();
    let (h, b) = (array(&halves), array(&brains));
    for &(op, function) in FUNCTIONS {
        let got = unary(op, h.view()).unwrap().to_vec::<f16>().unwrap();
        for (x, got) in halves.iter().zip(got) {
            let truth = f16::from_bits(nearest_f16(function(x.to_f64())));
            assert!(
                got.to_bits() == truth.to_bits() || got.is_nan() && truth.is_nan(),
                "{}({x}) = {got}",
                op.name()
            );
        }
        let got = unary(op, b.view()).unwrap().to_vec::<bf16>().unwrap();
        for (x, got) in brains.iter().zip(got) {
            let truth = bf16::from_bits(nearest_bf16(function(x.to_f64())));
            assert!(
                got.to_bits() == truth.to_bits() || got.is_nan() && truth.is_nan(),
                "{}({x}) = {got}",
                op.name()
            );
        }
    }
}

#[test]
fn float32_functions_of_two_operands_are_within_a_unit() {
    type Pair = fn(f64, f64) -> f64;
    let pairs: [(BinaryOp, Pair); 4] = [
        (BinaryOp::Atan2, libm::atan2),
        (BinaryOp::Hypot, libm::hypot),
        (BinaryOp::Logaddexp, logaddexp),
        (BinaryOp::Pow, libm::pow),
    ];
    let all = floats();
    let values: Vec<f32> =
        all.iter().copied().step_by(199).chain(all[..9].iter().flat_map(|&x| [x, -x])).collect();
    let column = array(&values);
    let n = values.len();
    let row = HostArray::from_vec(values.clone(), [n, 1].into()).unwrap();
    for (op, function) in pairs {
        let got = binary(op, row.view(), column.view()).unwrap().to_vec::<f32>().unwrap();
        for (i, got) in got.into_iter().enumerate() {
            let (a, b) = (values[i / n], values[i % n]);
            let error = error32(got, function(f64::from(a), f64::from(b)));
            assert!(error <= 0.501, "{}({a:e}, {b:e}) = {got:e}: {error}", op.name());
        }
    }
}
