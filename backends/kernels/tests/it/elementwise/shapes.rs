//! Shapes and strides: broadcasting, views in any direction, nothing at all, many threads.

use super::array;
use ivy_core::host::HostArray;
use ivy_core::{BinaryOp, Dtype, UnaryOp};
use ivy_core::{Dims, ErrorKind, Result, Shape};
use ivy_kernels::elementwise::*;
use proptest::prelude::*;

/// A view of a buffer of int32 with the given lengths; strides may be negative or 0.
fn view_of(lens: &[usize], steps: &[isize]) -> HostArray {
    let mut strides: Dims<isize> = Dims::from_elem(0, lens.len());
    let (mut reach, mut low) = (1isize, 0isize);
    for (i, (&len, &step)) in lens.iter().zip(steps).enumerate().rev() {
        strides[i] = step * reach;
        let span = (len.max(1) as isize - 1) * strides[i];
        low += span.min(0);
        reach += span.abs();
    }
    let values: Vec<i32> = (0..reach as i32).map(|i| i.wrapping_mul(0x9e37)).collect();
    let base = array(&values);
    HostArray::from_parts(base.buffer().clone(), Dtype::INT32, Shape::from(lens), strides, (-low) as usize)
        .expect("within the buffer")
}

/// The element at an index of the broadcast shape.
fn at(x: &HostArray, values: &[i32], index: &[usize]) -> i32 {
    let missing = index.len() - x.shape().len();
    let flat = x
        .shape()
        .iter()
        .zip(&index[missing..])
        .fold(0, |n, (&len, &i)| n * len + if len == 1 { 0 } else { i });
    values[flat]
}

fn indices(shape: &[usize]) -> Vec<Vec<usize>> {
    shape.iter().fold(vec![vec![]], |all, &len| {
        all.iter().flat_map(|i| (0..len).map(move |j| [i.as_slice(), &[j]].concat())).collect()
    })
}

proptest! {
    #[test]
    fn broadcast_views_give_what_elements_give(
        dims in prop::collection::vec(prop_oneof![Just(1usize), 0..4usize, 100..140usize], 0..4),
        drop in prop::array::uniform3(0..3usize),
        ones in prop::array::uniform3(0..16u32),
        steps in prop::collection::vec(-2..3isize, 12),
    ) {
        prop_assume!(dims.iter().product::<usize>() < 20_000);
        let operands: Vec<HostArray> = (0..3).map(|i| {
            let lens: Vec<usize> = dims.iter().enumerate().skip(drop[i].min(dims.len()))
                .map(|(axis, &d)| if ones[i] >> axis & 1 == 1 { 1 } else { d }).collect();
            view_of(&lens, &steps[i * 4..i * 4 + lens.len()])
        }).collect();
        let values: Vec<Vec<i32>> = operands.iter().map(|x| x.to_vec().unwrap()).collect();
        let [a, b, c] = [0, 1, 2].map(|i| &operands[i]);

        let sum = binary(BinaryOp::Subtract, a.view(), b.view()).unwrap();
        let expected: Vec<i32> = indices(sum.shape()).iter()
            .map(|i| at(a, &values[0], i).wrapping_sub(at(b, &values[1], i))).collect();
        prop_assert_eq!(sum.to_vec::<i32>().unwrap(), expected);

        let negated = unary(UnaryOp::Negative, a.view()).unwrap();
        prop_assert_eq!(negated.shape(), a.shape());
        prop_assert_eq!(negated.to_vec::<i32>().unwrap(), values[0].iter().map(|x| x.wrapping_neg()).collect::<Vec<_>>());

        let truth = cast(c.view(), Dtype::BOOL).unwrap();
        let chosen = select(truth.view(), a.view(), b.view()).unwrap();
        let expected: Vec<i32> = indices(chosen.shape()).iter()
            .map(|i| if at(c, &values[2], i) != 0 { at(a, &values[0], i) } else { at(b, &values[1], i) }).collect();
        prop_assert_eq!(chosen.to_vec::<i32>().unwrap(), expected);
    }
}

#[test]
fn long_arrays_are_the_same_by_any_number_of_threads() {
    let values: Vec<f32> = (0..1_000_003).map(|i| i as f32 * 0.001 - 300.0).collect();
    let (x, one) = (array(&values), array(&[1.5f32]));
    let compute = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let y = unary(UnaryOp::Sin, x.view()).unwrap();
            let z = binary(BinaryOp::Add, y.view(), one.view()).unwrap();
            z.to_vec::<f32>().unwrap().into_iter().map(f32::to_bits).collect::<Vec<_>>()
        })
    };
    let single = compute(1);
    assert!(single == compute(4));
    assert!(
        single
            .iter()
            .zip(&values)
            .step_by(997)
            .all(|(&bits, &x)| { bits == (libm::sin(f64::from(x)) as f32 + 1.5).to_bits() })
    );
}

#[test]
fn refusals_are_typed() {
    let (x, y) = (array(&[1i32, 2]), array(&[1f32, 2.0, 3.0]));
    let kind = |r: Result<HostArray>| r.unwrap_err().kind().to_string();
    assert!(kind(unary(UnaryOp::Exp, x.view())).contains("int32"));
    assert!(kind(binary(BinaryOp::Add, x.view(), y.view())).contains("float32"));
    let wide = array(&[1i32, 2, 3]);
    assert!(matches!(
        binary(BinaryOp::Add, x.view(), wide.view()).unwrap_err().kind(),
        ErrorKind::BroadcastShapes { .. }
    ));
    assert!(matches!(
        select(x.view(), x.view(), x.view()).unwrap_err().kind(),
        ErrorKind::DtypeMismatch { argument: "condition", .. }
    ));
    let z = cast(y.view(), Dtype::COMPLEX64).unwrap();
    assert!(matches!(cast(z.view(), Dtype::FLOAT32).unwrap_err().kind(), ErrorKind::InvalidArgument { .. }));
}

#[test]
fn ranges_and_fills_follow_their_definitions() {
    use ivy_core::Scalar::{self, Complex, Float, Int};
    let ints = arange(Int(5), Int(-2), 4, Dtype::INT64).unwrap();
    assert_eq!(ints.to_vec::<i64>().unwrap(), [5, 3, 1, -1]);
    let big = arange(Int((1 << 62) + 1), Int(1), 2, Dtype::INT64).unwrap();
    assert_eq!(big.to_vec::<i64>().unwrap(), [(1 << 62) + 1, (1 << 62) + 2]);
    let floats = arange(Float(0.5), Int(1), 3, Dtype::FLOAT32).unwrap();
    assert_eq!(floats.to_vec::<f32>().unwrap(), [0.5, 1.5, 2.5]);
    let line = linspace(Float(0.0), Float(1.0), 5, true, Dtype::FLOAT64).unwrap();
    assert_eq!(line.to_vec::<f64>().unwrap(), [0.0, 0.25, 0.5, 0.75, 1.0]);
    let open = linspace(Int(0), Int(1), 4, false, Dtype::FLOAT64).unwrap();
    assert_eq!(open.to_vec::<f64>().unwrap(), [0.0, 0.25, 0.5, 0.75]);
    let huge = linspace(Float(-1.7e308), Float(1.7e308), 3, true, Dtype::FLOAT64).unwrap();
    assert_eq!(huge.to_vec::<f64>().unwrap(), [-1.7e308, 0.0, 1.7e308]);
    let (none, one) = (
        linspace(Int(1), Int(2), 0, true, Dtype::FLOAT64).unwrap(),
        linspace(Int(1), Int(2), 1, true, Dtype::FLOAT64).unwrap(),
    );
    assert_eq!((none.shape().size(), one.to_vec::<f64>().unwrap()), (0, vec![1.0]));
    let turned = num_complex::Complex64::new(1.0, -2.0);
    let line = linspace(Int(0), Complex(turned), 3, true, Dtype::COMPLEX128).unwrap();
    assert_eq!(line.to_vec::<num_complex::Complex64>().unwrap()[1], turned * 0.5);
    let matrix = eye(2, 3, 1, Dtype::UINT8).unwrap();
    assert_eq!(matrix.to_vec::<u8>().unwrap(), [0, 1, 0, 0, 0, 1]);
    let below = eye(3, 2, -2, Dtype::BOOL).unwrap();
    assert_eq!(below.to_vec::<bool>().unwrap(), [false, false, false, false, true, false]);
    assert_eq!(eye(0, 2, 0, Dtype::INT8).unwrap().shape().size(), 0);
    for dtype in Dtype::all() {
        let x = full(&[2, 0].into(), dtype, Int(1)).unwrap();
        assert_eq!((x.dtype(), x.shape().size()), (dtype, 0));
        let x = full(&Shape::default(), dtype, Int(1)).unwrap();
        assert!(cast(x.view(), Dtype::BOOL).unwrap().to_vec::<bool>().unwrap() == [true], "{dtype}");
    }
    // 2^53 + 1 goes to bfloat16 and float32 in one step; float16's greatest finite value is 65504.
    let odd: Scalar = Int((1 << 24) + 1);
    assert_eq!(full(&1.into(), Dtype::FLOAT32, odd).unwrap().to_vec::<f32>().unwrap(), [16777216.0]);
    let near = full(&1.into(), Dtype::FLOAT16, Int(65519)).unwrap().to_vec::<half::f16>().unwrap();
    assert_eq!(near, [half::f16::MAX]);
    assert!(full(&[usize::MAX, 2].into(), Dtype::INT8, Int(0)).is_err());
}
