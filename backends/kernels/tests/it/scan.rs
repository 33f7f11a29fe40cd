use crate::support::{array, floats, lines, pool, seeds, views};
use half::{bf16, f16};
use ivy_core::host::Element;
use ivy_core::{Dtype, ScanOp};
use ivy_kernels::scan::*;
use num_complex::{Complex32, Complex64};
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};

const SHAPES: [&[usize]; 7] = [&[1], &[50], &[3, 4], &[4, 1, 33], &[2, 3, 5], &[0, 3], &[300, 300]];

/// Checks a scan of small integers, exact in every dtype, against its definition.
fn check<T: Element>(of: impl Fn(i64) -> T, of_wide: impl Fn(i64) -> T) {
    for shape in SHAPES {
        let size: usize = shape.iter().product();
        for (op, initial) in [(ScanOp::Sum, 0), (ScanOp::Prod, 1)] {
            let large = size > 1000;
            let small = |s: u64| match op {
                ScanOp::Sum if large => i64::from(s.is_multiple_of(200)),
                ScanOp::Sum => (s % 5) as i64,
                _ => 1 + i64::from(s.is_multiple_of(256) && !large),
            };
            let plain: Vec<i64> = seeds(size, 4).into_iter().map(small).collect();
            let ids = array(&(0..size as i64).collect::<Vec<_>>(), shape);
            let values: Vec<T> = plain.iter().map(|&x| of(x)).collect();
            let all = views(&array(&values, shape)).into_iter().zip(views(&ids));
            for (x, ids) in all.take(if large { 1 } else { 4 }) {
                let ids = ids.to_vec::<i64>().unwrap();
                for axis in 0..x.shape().len() {
                    let lines = lines(x.shape(), &[axis]);
                    for include_initial in [false, true] {
                        let got = scan(op, axis, include_initial, x.view()).unwrap();
                        let n = x.shape()[axis];
                        assert_eq!(
                            (got.dtype(), got.shape()[axis]),
                            (T::DTYPE, n + usize::from(include_initial))
                        );
                        let of_line = self::lines(got.shape(), &[axis]);
                        let got = got.to_vec::<T>().unwrap();
                        for (from, to) in lines.iter().zip(of_line) {
                            let mut acc = initial;
                            let mut expected = Vec::from_iter(include_initial.then(|| of_wide(acc)));
                            for &i in from {
                                let x = plain[ids[i] as usize];
                                acc = if op == ScanOp::Sum { acc + x } else { acc * x };
                                expected.push(of_wide(acc));
                            }
                            let got: Vec<T> = to.iter().map(|&i| got[i]).collect();
                            assert_eq!(got, expected, "{op:?} {} {axis}", T::DTYPE);
                        }
                    }
                }
            }
        }
    }
}

#[test]
fn every_dtype_axis_and_layout() {
    macro_rules! ints {
        ($($t:ty),*) => {$( check::<$t>(|i| i as $t, |i| i as $t); )*};
    }
    ints!(i8, i16, i32, i64, u8, u16, u32, u64, f32, f64);
    check(|i| f16::from_f64(i as f64), |i| f16::from_f64(i as f64));
    check(|i| bf16::from_f64(i as f64), |i| bf16::from_f64(i as f64));
    check(|i| Complex32::new(i as f32, 0.0), |i| Complex32::new(i as f32, 0.0));
    check(|i| Complex64::new(i as f64, 0.0), |i| Complex64::new(i as f64, 0.0));
}

fn of<T: Element>(op: ScanOp, x: &[T]) -> Vec<T> {
    scan(op, 0, false, array(x, &[x.len()]).view()).unwrap().to_vec::<T>().unwrap()
}

/// The running sums of float32 by their definition: of each block by itself, after the total of those before.
fn in_blocks(x: &[f32]) -> Vec<f32> {
    let (mut results, mut before) = (Vec::new(), -0.0);
    for block in x.chunks(BLOCK) {
        let mut sum = -0.0;
        for &x in block {
            sum += f64::from(x);
            results.push((before + sum) as f32);
        }
        before += sum;
    }
    results
}

#[test]
fn rounding_is_once_an_element() {
    let wide = floats(5000, 8);
    let x: Vec<f32> = wide.iter().map(|&x| x as f32).collect();
    assert_eq!(of(ScanOp::Sum, &x), in_blocks(&x));
    // Terms of 53 bits whose sums do not fit 53 bits: the exact sum, rounded.
    let ints: Vec<i128> = wide.iter().map(|x| (x * (1u64 << 53) as f64) as i128).collect();
    let x: Vec<f64> = ints.iter().map(|&i| i as f64).collect();
    let mut exact = 0i128;
    for (got, i) in of(ScanOp::Sum, &x).into_iter().zip(&ints) {
        exact += i;
        assert_eq!(got, exact as f64);
    }
}

#[test]
fn edge_values() {
    let (inf, nan) = (f64::INFINITY, f64::NAN);
    let same = |a: Vec<f64>, b: &[f64]| {
        assert_eq!(a.len(), b.len());
        assert!(
            a.iter().zip(b).all(|(a, b)| a.to_bits() == b.to_bits() || a.is_nan() && b.is_nan()),
            "{a:?}"
        );
    };
    same(of(ScanOp::Sum, &[-0.0, -0.0, 0.0]), &[-0.0, -0.0, 0.0]);
    same(of(ScanOp::Sum, &[1.0, inf, 2.0, -inf, 1.0]), &[1.0, inf, inf, nan, nan]);
    same(of(ScanOp::Sum, &[f64::MAX, f64::MAX, -f64::MAX]), &[f64::MAX, inf, inf]);
    same(of(ScanOp::Prod, &[-0.0, 5.0, inf]), &[-0.0, -0.0, nan]);
    assert_eq!(of(ScanOp::Sum, &[127i8, 1, 1]), [127, -128, -127]);
    assert_eq!(of(ScanOp::Prod, &[i64::MIN, -1, 2]), [i64::MIN, i64::MIN, 0]);
    let z = [Complex64::new(inf, 1.0), Complex64::new(2.0, 0.0)];
    assert_eq!(of(ScanOp::Prod, &z[..1]), z[..1]);
    let i = [Complex32::new(0.0, 1.0); 4];
    let powers = [(0.0, 1.0), (-1.0, 0.0), (0.0, -1.0), (1.0, 0.0)].map(|(re, im)| Complex32::new(re, im));
    assert_eq!(of(ScanOp::Prod, &i), powers);
    let bools = array(&[true], &[1]);
    assert!(scan(ScanOp::Sum, 0, false, bools.view()).is_err());
}

#[test]
fn threads_change_nothing() {
    let x: Vec<f64> = floats(300 * 400, 1);
    for (shape, axis) in [([300, 400], 0), ([300, 400], 1), ([1, 120_000], 1), ([2, 60_000], 1)] {
        let x = array(&x, &shape);
        let results = [1, 2, 3].map(|threads| {
            pool(threads)
                .install(|| scan(ScanOp::Sum, axis, false, x.view()).unwrap().to_vec::<f64>().unwrap())
        });
        assert!(results.iter().all(|r| *r == results[0]));
    }
}

/// Every op and dtype: a line in parts, of which some are computed at a time, has the bits of its blocks' definition.
#[test]
fn parts_of_a_line_are_the_line() {
    fn check<T: Element>(values: &[T]) {
        let bits = |values: &[T]| array(values, &[values.len()]).view().contiguous_bytes().unwrap().to_vec();
        for &op in ScanOp::ALL.iter().filter(|op| op.takes(T::DTYPE)) {
            let running = Running::new(op, T::DTYPE).unwrap();
            let whole = of(op, values);
            for threads in [1, 2, 5] {
                let mut memory = vec![values[0]; values.len()];
                let to = memory.as_mut_ptr() as usize;
                let filled = AtomicUsize::new(0);
                let fill = |range: Range<usize>| {
                    assert!(range.len() == values.len() || range.len() >= BLOCK);
                    filled.fetch_add(range.len(), Ordering::Relaxed);
                    let (from, to) = (&values[range.clone()], (to as *mut T).wrapping_add(range.start));
                    // SAFETY: the range's elements of the memory, which nobody else has to do with now.
                    unsafe { to.copy_from_nonoverlapping(from.as_ptr(), from.len()) };
                };
                // SAFETY: the memory's elements, which are this function's own.
                pool(threads).install(|| unsafe {
                    running.line(Source::Written(&fill), to as *mut u8, values.len(), threads)
                });
                assert_eq!(filled.into_inner(), values.len());
                assert!(bits(&memory) == bits(&whole), "{op:?} {} on {threads}", T::DTYPE);
            }
        }
    }
    for count in [1, BLOCK, BLOCK + 1, 4 * BLOCK, 9 * BLOCK - 1, 300_000] {
        let x = floats(count, 3);
        let float = |bound: f64| x.iter().map(move |x| (x - 0.5) * bound);
        check(&float(1.0).collect::<Vec<f64>>());
        check(&float(1.0).map(|x| x as f32).collect::<Vec<_>>());
        check(&float(2.5).map(f16::from_f64).collect::<Vec<_>>());
        check(&float(99.0).map(|x| x as i8).collect::<Vec<_>>());
        check(&float(1e9).map(|x| x as i64).collect::<Vec<_>>());
        check(&float(1.0).map(|x| Complex32::new(x as f32, 0.5)).collect::<Vec<_>>());
        check(&float(1.0).map(|x| Complex64::new(x, 0.5)).collect::<Vec<_>>());
    }
    let x: Vec<f32> = floats(300_000, 4).into_iter().map(|x| x as f32 - 0.5).collect();
    assert_eq!(pool(2).install(|| of(ScanOp::Sum, &x)), in_blocks(&x));
    assert!(Running::new(ScanOp::Sum, Dtype::BOOL).is_err());
    assert!(Running::new(ScanOp::Max, Dtype::COMPLEX64).is_err());
}

/// A thread that unwinds leaves nobody waiting for its part.
#[test]
fn a_panic_ends_a_line_of_many_parts() {
    let mut memory = vec![0f32; 300_000];
    let running = Running::new(ScanOp::Sum, Dtype::FLOAT32).unwrap();
    let to = memory.as_mut_ptr() as usize;
    for threads in [1, 2, 5] {
        let fill = |range: Range<usize>| {
            assert!(!range.contains(&200_000), "the 200 000th element");
            let to = (to as *mut f32).wrapping_add(range.start);
            // SAFETY: the range's elements of the memory, which nobody else has to do with now.
            unsafe { std::slice::from_raw_parts_mut(to, range.len()).fill(1.0) };
        };
        // SAFETY: the memory's elements, which are this function's own.
        let line = || unsafe { running.line(Source::Written(&fill), to as *mut u8, 300_000, threads) };
        let payload = pool(threads).install(|| catch_unwind(AssertUnwindSafe(line))).unwrap_err();
        assert_eq!(payload.downcast_ref::<&str>(), Some(&"the 200 000th element"));
        assert_eq!(memory[100_000], 100_001.0);
    }
}

#[test]
fn the_first_of_equal_extremes_stays_and_nan_does() {
    let (inf, nan) = (f64::INFINITY, f64::NAN);
    let same = |got: Vec<f64>, want: &[f64]| {
        let bits = |x: &[f64]| x.iter().map(|x| if x.is_nan() { 0 } else { x.to_bits() }).collect::<Vec<_>>();
        assert_eq!(bits(&got), bits(want));
    };
    same(of(ScanOp::Min, &[0.0, -0.0, 3.0, -1.0, nan, -inf]), &[0.0, 0.0, 0.0, -1.0, nan, nan]);
    same(of(ScanOp::Max, &[-inf, -0.0, 0.0, 2.0, 1.0, nan, inf]), &[-inf, -0.0, -0.0, 2.0, 2.0, nan, nan]);
    same(of(ScanOp::Max, &[nan, 1.0]), &[nan, nan]);
    assert_eq!(of(ScanOp::Min, &[3i8, -4, 5]), [3, -4, -4]);
    assert_eq!(of(ScanOp::Max, &[3u64, u64::MAX, 5]), [3, u64::MAX, u64::MAX]);
    assert_eq!(of(ScanOp::And, &[7u16, 13, 6]), [7, 5, 4]);
    assert_eq!(of(ScanOp::Or, &[1i64, -8, 2]), [1, -7, -5]);
    let z = array(&[Complex32::new(1.0, 2.0)], &[1]);
    assert!(scan(ScanOp::Min, 0, false, z.view()).is_err());
    assert!(scan(ScanOp::Or, 0, false, array(&[1f32], &[1]).view()).is_err());
}

/// With what comes first, each result is the one before combined with an element.
#[test]
fn what_comes_first_leaves_each_first_element() {
    fn check<T: Element + PartialEq + std::fmt::Debug>(values: &[T]) {
        for &op in ScanOp::ALL.iter().filter(|op| op.takes(T::DTYPE)) {
            let got =
                scan(op, 0, true, array(values, &[values.len()]).view()).unwrap().to_vec::<T>().unwrap();
            assert_eq!(got[1..], of(op, values), "{op:?} {}", T::DTYPE);
            assert_eq!(of(op, &[got[0], values[0]])[1], values[0], "{op:?} {}", T::DTYPE);
        }
    }
    macro_rules! all {
        ($($t:ty),*) => {$( check::<$t>(&[5 as $t, 3 as $t, 9 as $t]); )*};
    }
    all!(i8, i16, i32, i64, u8, u16, u32, u64, f32, f64);
    check(&[f16::from_f64(5.0), f16::from_f64(-3.0)]);
    check(&[bf16::from_f64(5.0), bf16::from_f64(-3.0)]);
}
