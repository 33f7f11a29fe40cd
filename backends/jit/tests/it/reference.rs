//! Every op that the engine does itself, on every dtype that it takes, by both generators,
//! against the reference kernels: the same bits, but for elementary functions, which are as near
//! as their bounds say.

use crate::common::arrays;

use arrays::{backends, near, reference, run, same, transposed};
use ivy_backend_suite::{Counted, FLOATS, edges, least};
use ivy_core::backend::{Backend, Support};
use ivy_core::host::HostArray;
use ivy_core::{BinaryOp, Dtype, Op, UnaryOp};
use num_complex::{Complex32, Complex64};

/// Compares one op; counts it if it is the engine's own.
fn check(op: &Op, operands: &[&HostArray]) -> u32 {
    let dtypes: Vec<Dtype> = operands.iter().map(|a| a.dtype()).collect();
    if op.result_dtype(&dtypes).is_none() {
        return 0;
    }
    let want = reference(op, operands).remove(0);
    let (mut native, mut first) = (0, None);
    for (name, backend) in backends() {
        let support = backend.support(op, &dtypes);
        assert!(!matches!(support, Support::Unsupported(_)), "{op:?} on {dtypes:?}: {support:?}");
        if support == Support::Native {
            native = 1;
            if is_elementary(op, dtypes[0]) {
                let (got, what) = (run(&backend, op, operands), || format!("{op:?} on {dtypes:?} by {name}"));
                match known_angles(op, operands) {
                    Some(known) => near(&only(&got, &known), &only(&want, &known), &what),
                    None => near(&got, &want, &what),
                }
                // One generator as the other, to the bit.
                same(&got, first.get_or_insert_with(|| got.clone()), &what);
                continue;
            }
            same(&run(&backend, op, operands), &want, &|| format!("{op:?} on {dtypes:?} by {name}"));
        }
    }
    native
}

/// Of complex powers, where the result's angle has bits at all: the product of the exponent and the
/// logarithm may be so large that neither side knows it to a turn.
fn known_angles(op: &Op, operands: &[&HostArray]) -> Option<HostArray> {
    let (&Op::Binary(BinaryOp::Pow), [a, b]) = (op, operands) else { return None };
    if !a.dtype().is_complex() {
        return None;
    }
    let unary = |op, x: &HostArray| reference(&Op::Unary(op), &[x]).remove(0);
    let binary = |op, x: &HostArray, y: &HostArray| reference(&Op::Binary(op), &[x, y]).remove(0);
    let [a, b] = [a, b].map(|x| reference(&Op::Cast { dtype: Dtype::COMPLEX128 }, &[x]).remove(0));
    let log = unary(UnaryOp::Log, &a);
    let turns = binary(BinaryOp::Multiply, &unary(UnaryOp::Abs, &log), &unary(UnaryOp::Abs, &b));
    let number = |x: f64| HostArray::from_vec(vec![x], [].into()).unwrap();
    let few = binary(BinaryOp::LessEqual, &turns, &number(2f64.powi(40)));
    // What is not finite has its own values, and no angle.
    let finite = [&log, &b].map(|x| unary(UnaryOp::IsFinite, x));
    let finite = binary(BinaryOp::LogicalAnd, &finite[0], &finite[1]);
    let known = binary(BinaryOp::LogicalOr, &few, &unary(UnaryOp::LogicalNot, &finite));
    // Nor is a sign known beyond the range where the angle is about a right one, but for real results.
    let w = binary(BinaryOp::Multiply, &b, &log);
    let [size, angle] = [UnaryOp::Real, UnaryOp::Imag].map(|part| unary(part, &w));
    let parts = [UnaryOp::Cos, UnaryOp::Sin].map(|part| unary(UnaryOp::Abs, &unary(part, &angle)));
    let least = binary(BinaryOp::Minimum, &parts[0], &parts[1]);
    let right = binary(BinaryOp::Less, &least, &number(1e-3));
    let right = binary(BinaryOp::LogicalAnd, &right, &binary(BinaryOp::Less, &number(0.0), &least));
    let beyond = binary(BinaryOp::Less, &number(60.0), &unary(UnaryOp::Abs, &size));
    let nothing = binary(BinaryOp::LogicalAnd, &right, &beyond);
    Some(binary(BinaryOp::LogicalAnd, &known, &unary(UnaryOp::LogicalNot, &nothing)))
}

/// An array with 0 where the other one is false.
fn only(array: &HostArray, known: &HostArray) -> HostArray {
    let zero = HostArray::from_vec(vec![0i64], [].into()).unwrap();
    let zero = reference(&Op::Cast { dtype: array.dtype() }, &[&zero]).remove(0);
    reference(&Op::Where, &[known, array, &zero]).remove(0)
}

/// True for functions with polynomials of their own on either side: results may differ by what
/// their bounds leave.
fn is_elementary(op: &Op, dtype: Dtype) -> bool {
    use UnaryOp as U;
    match op {
        Op::Unary(U::Abs | U::Reciprocal | U::Sign | U::Sqrt) => dtype.is_complex(),
        Op::Unary(op) => matches!(
            op,
            U::Acos
                | U::Acosh
                | U::Asin
                | U::Asinh
                | U::Atan
                | U::Atanh
                | U::Cos
                | U::Cosh
                | U::Digamma
                | U::Erf
                | U::Erfc
                | U::Exp
                | U::Expm1
                | U::Lgamma
                | U::Log
                | U::Log1p
                | U::Log2
                | U::Log10
                | U::Sin
                | U::Sinh
                | U::Tan
                | U::Tanh
        ),
        Op::Binary(BinaryOp::Divide) => dtype.is_complex(),
        Op::Binary(BinaryOp::Pow) => dtype.is_float() || dtype.is_complex(),
        Op::Binary(op) => matches!(op, BinaryOp::Atan2 | BinaryOp::Hypot | BinaryOp::Logaddexp),
        _ => false,
    }
}

#[test]
fn unary_ops() {
    let (mut seen, mut cases) = (0, Counted::default());
    for &unary in UnaryOp::ALL {
        for dtype in Dtype::all().filter(|_| cases.takes_next()) {
            let x = edges(dtype, [5, 2, 7], 0);
            seen += check(&Op::Unary(unary), &[&x]);
            check(&Op::Unary(unary), &[&transposed(&x)]);
            check(&Op::Unary(unary), &[&edges(dtype, [], 2)]);
            check(&Op::Unary(unary), &[&edges(dtype, [2, 0], 2)]);
        }
    }
    assert!(seen > least(140), "{seen}");
}

#[test]
fn complex_functions_at_all_pairs_of_edges() {
    // Which sign comes of NaN is nobody's.
    let floats: Vec<f64> = FLOATS.iter().copied().filter(|x| !x.is_nan()).collect();
    let n = floats.len();
    let pairs = || (0..n * n).map(|i| (floats[i / n], floats[i % n]));
    let single = pairs().map(|(re, im)| Complex32::new(re as f32, im as f32)).collect();
    let double = pairs().map(|(re, im)| Complex64::new(re, im)).collect();
    let arrays = [HostArray::from_vec(single, [n * n].into()), HostArray::from_vec(double, [n * n].into())];
    let mut cases = Counted::default();
    for z in arrays.map(|array| array.unwrap()) {
        for &unary in UnaryOp::ALL.iter().filter(|_| cases.takes_next()) {
            check(&Op::Unary(unary), &[&z]);
        }
        let few = edges(z.dtype(), [11, 1], 3);
        for &binary in BinaryOp::ALL.iter().filter(|_| cases.takes_next()) {
            check(&Op::Binary(binary), &[&few, &z]);
        }
    }
}

#[test]
fn binary_ops() {
    let (mut seen, mut cases) = (0, Counted::default());
    for &binary in BinaryOp::ALL {
        for dtype in Dtype::all().filter(|_| cases.takes_next()) {
            let op = Op::Binary(binary);
            let (row, column) = (edges(dtype, [1, 34], 0), edges(dtype, [34, 1], 0));
            seen += check(&op, &[&row, &column]);
            check(&op, &[&transposed(&edges(dtype, [3, 40], 1)), &edges(dtype, [40], 5)]);
            check(&op, &[&edges(dtype, [3, 1, 2], 1), &edges(dtype, [4, 1], 5)]);
            check(&op, &[&edges(dtype, [0], 1), &edges(dtype, [1], 5)]);
        }
    }
    assert!(seen > least(190), "{seen}");
}

#[test]
fn casts_between_all_dtypes() {
    let mut seen = 0;
    for from in Dtype::all() {
        for to in Dtype::all() {
            seen += check(&Op::Cast { dtype: to }, &[&edges(from, [7, 10], 0)]);
        }
    }
    assert_eq!(seen, 15 * 15 - 2 * 12);
}

#[test]
fn conversions_round_once() {
    let near = |x: i64| [x - 1, x, x + 1, -x - 1, -x, 1 - x];
    let halfway = (25..62).flat_map(|e| [1, 3, 5].map(|i| (1i64 << e) + i * (1 << (e - 8))));
    let integers: Vec<i64> = halfway.chain([65504, 65519, 65520, 65535, 1 << 24]).flat_map(near).collect();
    let floats: Vec<f64> = (0..2000)
        .flat_map(|i| {
            let x = 1.0 + f64::from(i) * 2f64.powi(-11);
            [x, x + 2f64.powi(-40), x - 2f64.powi(-40), x * 2f64.powi(-20), -x * 2f64.powi(-134)]
        })
        .collect();
    let integers = HostArray::from_vec(integers.clone(), [integers.len()].into()).unwrap();
    let floats = HostArray::from_vec(floats.clone(), [floats.len()].into()).unwrap();
    for to in [Dtype::FLOAT16, Dtype::BFLOAT16, Dtype::FLOAT32, Dtype::COMPLEX64] {
        assert_eq!(check(&Op::Cast { dtype: to }, &[&floats]), 1);
        for from in [Dtype::INT32, Dtype::INT64, Dtype::UINT32, Dtype::UINT64, Dtype::UINT16] {
            let array = reference(&Op::Cast { dtype: from }, &[&integers]).remove(0);
            assert_eq!(check(&Op::Cast { dtype: to }, &[&array]), 1);
        }
    }
}

#[test]
fn every_small_float() {
    let bits: Vec<u16> = (0..=u16::MAX).collect();
    let n = [bits.len()].into();
    let halves = HostArray::from_vec(bits.iter().map(|&b| half::f16::from_bits(b)).collect(), n).unwrap();
    let n = [bits.len()].into();
    let brains = HostArray::from_vec(bits.iter().map(|&b| half::bf16::from_bits(b)).collect(), n).unwrap();
    let mut cases = Counted::default();
    for x in [&halves, &brains] {
        for &unary in UnaryOp::ALL.iter().filter(|_| cases.takes_next()) {
            check(&Op::Unary(unary), &[x]);
        }
        for to in [Dtype::FLOAT32, Dtype::FLOAT16, Dtype::BFLOAT16, Dtype::INT8, Dtype::UINT64, Dtype::BOOL] {
            check(&Op::Cast { dtype: to }, &[x]);
        }
    }
}

#[test]
fn where_chooses() {
    for dtype in Dtype::all() {
        for [c, a, b] in
            [[vec![4, 1], vec![5], vec![]], [vec![6], vec![6], vec![6]], [vec![0], vec![0], vec![1]]]
        {
            let condition = edges(Dtype::BOOL, c, 0);
            assert_eq!(check(&Op::Where, &[&condition, &edges(dtype, a, 0), &edges(dtype, b, 9)]), 1);
        }
    }
}
