//! Every operation and dtype against a slow evaluation of its own.

use super::super::*;
use super::array;
use half::{bf16, f16};

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
