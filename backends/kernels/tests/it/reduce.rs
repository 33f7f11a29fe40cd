use crate::support::{array, floats, lines, pool, seeds, subsets, views};
use half::{bf16, f16};
use ivy_core::host::Element;
use ivy_core::host::HostArray;
use ivy_core::{Dims, Dtype, ErrorKind, ReduceOp, Shape};
use ivy_kernels::internals::{Real, limit};
use ivy_kernels::reduce::*;
use num_complex::{Complex, Complex32, Complex64};

/// The shape without axes, or with 1 in their places.
fn reduced(shape: &[usize], axes: &[usize], keepdims: bool) -> Shape {
    let lengths = (0..shape.len()).filter_map(|axis| match axes.contains(&axis) {
        true => keepdims.then_some(1),
        false => Some(shape[axis]),
    });
    lengths.collect::<Dims>().into()
}

const SHAPES: [&[usize]; 9] =
    [&[], &[1], &[7], &[300], &[3, 4], &[5, 1, 40], &[2, 3, 17], &[0, 3], &[2, 0, 2]];

trait Number: Element {
    fn of(i: i64) -> Self;
    /// Wraps, or rounds.
    fn of_f64(x: f64) -> Self;
    fn f64(self) -> f64;
    /// The distance of neighbours, of their size.
    const EPS: f64 = 0.0;
}

macro_rules! numbers {
    (int $($t:ty),*) => {$(impl Number for $t {
        fn of(i: i64) -> $t { i as $t }
        fn of_f64(x: f64) -> $t { x as i64 as $t }
        fn f64(self) -> f64 { self as f64 }
    })*};
    (float $($t:ty),*) => {$(impl Number for $t {
        const EPS: f64 = match size_of::<$t>() { 2 => 0.0079, 4 => 1.2e-7, _ => 1e-14 };
        fn of(i: i64) -> $t { <$t as Real>::nearest(i as f64) }
        fn of_f64(x: f64) -> $t { <$t as Real>::nearest(x) }
        fn f64(self) -> f64 { self.widen() }
    })*};
}
numbers!(int i8, i16, i32, i64, u8, u16, u32, u64);
numbers!(float f16, bf16, f32, f64);

/// Checks a reduction of small integers, exact in every dtype, against its definition.
fn check<T: Number>(op: ReduceOp, define: impl Fn(&[f64]) -> Option<f64>) {
    for shape in SHAPES {
        let size = shape.iter().product();
        // Products stay small: mostly ones, a few twos.
        let small = |s: u64| match op {
            ReduceOp::Prod => 1 + i64::from(s.is_multiple_of(64)),
            _ => (s % 5) as i64,
        };
        let values: Vec<T> = seeds(size, 11).into_iter().map(|s| T::of(small(s))).collect();
        for x in views(&array(&values, shape)) {
            let flat: Vec<f64> = x.to_vec::<T>().unwrap().into_iter().map(T::f64).collect();
            for axes in subsets(x.shape().len()) {
                for keepdims in [false, true] {
                    let got = reduce(op, &axes, keepdims, x.view());
                    if axes.iter().any(|&a| x.shape()[a] == 0) && define(&[]).is_none() {
                        assert!(matches!(got.unwrap_err().kind(), ErrorKind::EmptyReduction { .. }));
                        continue;
                    }
                    let got = got.unwrap();
                    assert_eq!((got.dtype(), got.shape()), (T::DTYPE, &reduced(x.shape(), &axes, keepdims)));
                    let expected: Vec<f64> = lines(x.shape(), &axes)
                        .iter()
                        .map(|line| define(&line.iter().map(|&i| flat[i]).collect::<Vec<_>>()).unwrap())
                        .map(|x| T::of_f64(x).f64())
                        .collect();
                    let got: Vec<f64> = got.to_vec::<T>().unwrap().into_iter().map(T::f64).collect();
                    for (g, e) in got.iter().zip(&expected) {
                        let near = matches!(op, ReduceOp::Var { .. }) && (g - e).abs() <= T::EPS * e.abs();
                        let same = g == e || g.is_nan() && e.is_nan() || near;
                        assert!(same, "{op:?} {} {:?} {axes:?}: {g} for {e}", T::DTYPE, x.shape());
                    }
                    assert_eq!(got.len(), expected.len());
                }
            }
        }
    }
}

fn check_real<T: Number>() {
    check::<T>(ReduceOp::Sum, |x| Some(x.iter().sum::<f64>()));
    check::<T>(ReduceOp::Prod, |x| Some(x.iter().product()));
    check::<T>(ReduceOp::Max, |x| x.iter().copied().reduce(f64::max));
    check::<T>(ReduceOp::Min, |x| x.iter().copied().reduce(f64::min));
}

fn check_float<T: Number>() {
    check_real::<T>();
    let mean = |x: &[f64]| x.iter().sum::<f64>() / x.len() as f64;
    check::<T>(ReduceOp::Mean, |x| Some(mean(x)));
    for correction in [0.0, 1.0, 0.5, 1e9] {
        let var = |x: &[f64]| {
            let m = mean(x);
            Some(x.iter().map(|v| (v - m) * (v - m)).sum::<f64>() / (x.len() as f64 - correction).max(0.0))
        };
        check::<T>(ReduceOp::Var { correction: correction.to_bits() }, var);
    }
}

#[test]
fn every_dtype_axis_and_layout() {
    check_real::<i8>();
    check_real::<i16>();
    check_real::<i32>();
    check_real::<i64>();
    check_real::<u8>();
    check_real::<u16>();
    check_real::<u32>();
    check_real::<u64>();
    check_float::<f16>();
    check_float::<bf16>();
    check_float::<f32>();
    check_float::<f64>();
}

#[test]
fn bools_and_complex_numbers() {
    for shape in SHAPES {
        let size = shape.iter().product();
        let bits: Vec<bool> = seeds(size, 5).into_iter().map(|s| s % 8 != 0).collect();
        let parts: Vec<i64> = seeds(2 * size, 6).into_iter().map(|s| (s % 3) as i64 - 1).collect();
        let z: Vec<Complex32> = parts.chunks(2).map(|p| Complex::new(p[0] as f32, p[1] as f32)).collect();
        let wide: Vec<Complex64> = z.iter().map(|z| Complex::new(z.re.into(), z.im.into())).collect();
        for axes in subsets(shape.len()) {
            let lines = lines(shape, &axes);
            for x in [array(&bits, shape)] {
                for (op, or) in [
                    (ReduceOp::All, false),
                    (ReduceOp::Any, true),
                    (ReduceOp::Min, false),
                    (ReduceOp::Max, true),
                ] {
                    let Ok(got) = reduce(op, &axes, false, x.view()) else {
                        assert!(
                            lines.iter().all(Vec::is_empty) && matches!(op, ReduceOp::Min | ReduceOp::Max)
                        );
                        continue;
                    };
                    let any = |line: &Vec<usize>| line.iter().any(|&i| bits[i]);
                    let all = |line: &Vec<usize>| line.iter().all(|&i| bits[i]);
                    let expected: Vec<bool> =
                        lines.iter().map(|line| if or { any(line) } else { all(line) }).collect();
                    assert_eq!(got.to_vec::<bool>().unwrap(), expected);
                }
            }
            let sum: Vec<Complex64> = lines.iter().map(|l| l.iter().map(|&i| wide[i]).sum()).collect();
            // Powers of the units and of 1 + i stay exact for as long as these shapes go.
            let prod: Vec<Complex64> =
                lines.iter().map(|l| l.iter().take(40).map(|&i| wide[i]).product()).collect();
            for (op, expected) in [(ReduceOp::Sum, sum.clone()), (ReduceOp::Prod, prod)] {
                if op == ReduceOp::Prod && lines.iter().any(|l| l.len() > 40) {
                    continue;
                }
                let got = reduce(op, &axes, false, array(&z, shape).view()).unwrap();
                let narrow: Vec<Complex32> =
                    expected.iter().map(|z| Complex::new(z.re as f32, z.im as f32)).collect();
                assert_eq!(got.to_vec::<Complex32>().unwrap(), narrow, "{op:?} {shape:?} {axes:?}");
                let got = reduce(op, &axes, false, array(&wide, shape).view()).unwrap();
                assert_eq!(got.to_vec::<Complex64>().unwrap(), expected, "{op:?} {shape:?} {axes:?}");
            }
            let mean = reduce(ReduceOp::Mean, &axes, false, array(&wide, shape).view()).unwrap();
            for ((got, sum), line) in mean.to_vec::<Complex64>().unwrap().iter().zip(sum).zip(&lines) {
                let n = line.len() as f64;
                assert!(*got == Complex::new(sum.re / n, sum.im / n) || n == 0.0 && got.re.is_nan());
            }
        }
    }
}

/// The sum of exact integers times a power of two, as the definition has it.
#[test]
fn sums_keep_their_bound() {
    for n in [1, 2, 31, 32, 33, 255, 256, 257, 1000, 32_768, 32_769, 100_003] {
        let wide = floats(n, n as u64);
        let x: Vec<f32> = wide.iter().map(|&x| x as f32).collect();
        let exact: f64 = x.iter().map(|&x| f64::from(x)).sum();
        let size: f64 = x.iter().map(|&x| f64::from(x).abs()).sum();
        let bound = |eps: f64| 4.0 * (1.0 + (n as f64).log2()) * eps * size;
        let got = reduce(ReduceOp::Sum, &[0], false, array(&x, &[n]).view()).unwrap();
        let got = f64::from(got.to_vec::<f32>().unwrap()[0]);
        assert!((got - exact).abs() <= bound(f32::EPSILON.into()) / 8.0, "{n}: {got} for {exact}");
        // Integers of 60 bits: the sum is exact in 128.
        let ints: Vec<i64> = wide.iter().map(|x| (x * (1u64 << 53) as f64) as i64).collect();
        let x: Vec<f64> = ints.iter().map(|&i| i as f64).collect();
        let exact: i128 = ints.iter().map(|&i| i128::from(i)).sum();
        let got =
            reduce(ReduceOp::Sum, &[0], false, array(&x, &[n]).view()).unwrap().to_vec::<f64>().unwrap()[0];
        let size: f64 = x.iter().map(|x| x.abs()).sum();
        let error = (got as i128 - exact).unsigned_abs() as f64;
        assert!(error <= (1.0 + (n as f64).log2()) * f64::EPSILON * size, "{n}: {got} for {exact}");
    }
}

#[test]
fn narrow_floats_accumulate_wide() {
    let ones = array(&[f16::ONE; 4096], &[4096]);
    assert_eq!(
        reduce(ReduceOp::Sum, &[0], false, ones.view()).unwrap().to_vec::<f16>().unwrap()[0].to_f32(),
        4096.0
    );
    let large = array(&[f16::MAX; 100], &[100]);
    let mean = reduce(ReduceOp::Mean, &[0], false, large.view()).unwrap();
    assert_eq!(mean.to_vec::<f16>().unwrap(), [f16::MAX]);
    let large = array(&[f32::MAX; 100], &[100]);
    let mean = reduce(ReduceOp::Mean, &[0], false, large.view()).unwrap();
    assert_eq!(mean.to_vec::<f32>().unwrap(), [f32::MAX]);
    // 2^24 + 1: far from zero, a sum of squares would lose the variance.
    let far: Vec<f32> = (0..1000).map(|i| 1e6 + (i % 2) as f32).collect();
    let op = ReduceOp::Var { correction: 0f64.to_bits() };
    let var = reduce(op, &[0], false, array(&far, &[1000]).view()).unwrap();
    assert_eq!(var.to_vec::<f32>().unwrap(), [0.25]);
}

#[test]
fn nan_and_zeros() {
    let n = 1000;
    for at in [0, 1, 31, 255, 256, 700, 999] {
        let mut x = vec![1.0f32; n];
        x[at] = f32::NAN;
        for other in [at / 2, (at + n) / 2] {
            x[other] = if other == at { f32::NAN } else { f32::INFINITY };
        }
        for op in [ReduceOp::Sum, ReduceOp::Prod, ReduceOp::Max, ReduceOp::Min, ReduceOp::Mean] {
            let rows = reduce(op, &[0], false, array(&x, &[n]).view()).unwrap();
            assert_eq!(rows.to_vec::<f32>().unwrap()[0].to_bits(), f32::NAN.to_bits(), "{op:?} {at}");
        }
        let columns: Vec<f32> = x.iter().flat_map(|&x| [x; 20]).collect();
        for (max, op) in [(true, ReduceOp::Max), (false, ReduceOp::Min)] {
            let got = reduce(op, &[0], false, array(&columns, &[n, 20]).view()).unwrap();
            assert!(got.to_vec::<f32>().unwrap().iter().all(|x| x.is_nan()));
            let first = arg_reduce(max, None, false, array(&x, &[n]).view()).unwrap();
            assert_eq!(first.to_vec::<i64>().unwrap(), [at as i64]);
        }
    }
    let zero = |x: &[f32], op| {
        reduce(op, &[0], false, array(x, &[x.len()]).view()).unwrap().to_vec::<f32>().unwrap()[0]
    };
    assert_eq!(zero(&[-0.0; 3], ReduceOp::Sum).to_bits(), 0);
    assert_eq!(zero(&[], ReduceOp::Sum).to_bits(), 0);
    assert_eq!(zero(&[], ReduceOp::Prod), 1.0);
    assert!(zero(&[], ReduceOp::Mean).is_nan());
    assert!(zero(&[f32::INFINITY, f32::NEG_INFINITY], ReduceOp::Sum).is_nan());
    assert_eq!(zero(&[f32::INFINITY; 40], ReduceOp::Sum), f32::INFINITY);
}

fn bits(x: &HostArray) -> Vec<u32> {
    x.to_vec::<f32>().unwrap().into_iter().map(f32::to_bits).collect()
}

#[test]
fn the_order_depends_on_the_shape_alone() {
    for (rows, columns) in [(1000, 40), (700, 1100), (33, 5000), (70_000, 17), (300, 16)] {
        let values: Vec<f32> = floats(rows * columns, 3).into_iter().map(|x| x as f32).collect();
        let x = array(&values, &[rows, columns]);
        let across: Vec<f32> =
            (0..columns).flat_map(|j| (0..rows).map(move |i| i * columns + j)).map(|i| values[i]).collect();
        // The same array with its columns side by side in memory.
        let (shape, strides) = ([rows, columns].into(), Dims::from_slice(&[1, rows as isize]));
        let buffer = array(&across, &[rows * columns]).buffer().clone();
        let y = HostArray::from_parts(buffer, Dtype::FLOAT32, shape, strides, 0).unwrap();
        assert_eq!(x.to_vec::<f32>().unwrap(), y.to_vec::<f32>().unwrap());
        for op in [ReduceOp::Sum, ReduceOp::Prod, ReduceOp::Mean, ReduceOp::Var { correction: 0 }] {
            for axes in [&[0][..], &[1], &[0, 1]] {
                let expected = bits(&reduce(op, axes, false, x.view()).unwrap());
                for threads in [1, 2, 3] {
                    pool(threads).install(|| {
                        for (isa, got) in limit::each(|| {
                            [&x, &y].map(|x| bits(&reduce(op, axes, false, x.view()).unwrap()))
                        }) {
                            assert!(got.iter().all(|g| *g == expected), "{op:?} {axes:?} {isa:?} {threads}");
                        }
                    });
                }
            }
        }
    }
}

fn check_arg<T: Number>() {
    for shape in SHAPES.into_iter().chain([&[70_000][..], &[2, 40_000], &[300, 300]]) {
        let size = shape.iter().product();
        let values: Vec<T> = seeds(size, 2).into_iter().map(|s| T::of((s % 100) as i64)).collect();
        let large = size > 1000;
        for x in views(&array(&values, shape)).into_iter().take(if large { 2 } else { 4 }) {
            let flat: Vec<f64> = x.to_vec::<T>().unwrap().into_iter().map(T::f64).collect();
            let ndim = x.shape().len();
            for axis in (0..ndim).map(Some).chain([None]) {
                let axes: Vec<usize> = axis.map_or_else(|| (0..ndim).collect(), |a| vec![a]);
                for max in [false, true] {
                    let got = arg_reduce(max, axis, false, x.view());
                    if axes.iter().any(|&a| x.shape()[a] == 0) {
                        assert!(matches!(got.unwrap_err().kind(), ErrorKind::EmptyReduction { .. }));
                        continue;
                    }
                    let first = |line: &Vec<usize>| {
                        let better = |a: f64, b: f64| if max { a > b } else { a < b };
                        (0..line.len())
                            .fold(0, |best, i| if better(flat[line[i]], flat[line[best]]) { i } else { best })
                    };
                    let expected: Vec<i64> =
                        lines(x.shape(), &axes).iter().map(|l| first(l) as i64).collect();
                    assert_eq!(got.unwrap().to_vec::<i64>().unwrap(), expected, "{} {axis:?}", T::DTYPE);
                }
            }
        }
    }
}

#[test]
fn the_first_of_the_greatest_is_found() {
    check_arg::<i8>();
    check_arg::<i32>();
    check_arg::<i64>();
    check_arg::<u8>();
    check_arg::<u16>();
    check_arg::<f16>();
    check_arg::<bf16>();
    check_arg::<f32>();
    check_arg::<f64>();
    let x = array(&[false, true, true, false], &[4]);
    assert_eq!(arg_reduce(true, None, true, x.view()).unwrap().to_vec::<i64>().unwrap(), [1]);
    assert_eq!(**arg_reduce(true, Some(0), true, x.view()).unwrap().shape(), [1]);
}

#[test]
fn what_a_reduction_does_not_take_is_refused() {
    let (bools, floats) = (array(&[true], &[1]), array(&[1.0f32], &[1]));
    let z = array(&[Complex32::new(1.0, 0.0)], &[1]);
    let refused = |op, x: &HostArray| {
        let error = reduce(op, &[0], false, x.view()).unwrap_err();
        assert!(matches!(error.kind(), ErrorKind::InvalidArgument { .. }), "{op:?}");
    };
    refused(ReduceOp::Sum, &bools);
    refused(ReduceOp::Prod, &bools);
    refused(ReduceOp::Mean, &bools);
    refused(ReduceOp::All, &floats);
    refused(ReduceOp::Any, &z);
    refused(ReduceOp::Max, &z);
    refused(ReduceOp::Min, &z);
    refused(ReduceOp::Var { correction: 0 }, &z);
    assert!(arg_reduce(true, None, false, z.view()).is_err());
}
