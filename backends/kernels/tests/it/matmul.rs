use crate::support::{array, every_second, floats, pool, reversed, seeds, transposed};
use half::{bf16, f16};
use ivy_backend_suite::Counted;
use ivy_core::ErrorKind;
use ivy_core::host::{Element, HostArray, HostView};
use ivy_kernels::internals::{Field, limit};
use ivy_kernels::matmul::{by_definition, matmul};
use num_complex::{Complex, Complex64};

/// `m`, `k` and `n` that end within, at and beyond tiles and blocks.
const SIZES: [[usize; 3]; 19] = [
    [1, 1, 1],
    [2, 3, 4],
    [1, 700, 40],
    [40, 700, 1],
    [1, 300, 1],
    [17, 1, 33],
    [8, 256, 32],
    [9, 257, 35],
    [97, 20, 30],
    [61, 300, 10],
    [24, 10, 16],
    [200, 7, 4],
    [5, 513, 9],
    [0, 3, 2],
    [3, 0, 2],
    [2, 3, 0],
    [20, 9, 2100],
    [23, 61, 140],
    [7, 290, 129],
];

/// A row-major matrix's elements, those of a column side by side.
fn by_columns<T: Element>(x: &[T], rows: usize, columns: usize) -> HostArray {
    let columns_of: Vec<T> = (0..x.len()).map(|i| x[i % rows * columns + i / rows]).collect();
    transposed(&array(&columns_of, &[columns, rows]))
}

/// Checks the product of small integers, exact in every dtype, of plain and reversed operands.
fn check<T: Element>(of: impl Fn(i64) -> T, narrow: impl Fn(i64) -> T) {
    for [m, k, n] in SIZES {
        // With two thousand in a sum, bfloat16 is exact only for signs that mostly cancel.
        let small = |s: u64| (s % 3) as i64 - 1;
        let a: Vec<i64> = seeds(m * k, 1).into_iter().map(small).collect();
        let b: Vec<i64> = seeds(k * n, 2).into_iter().map(small).collect();
        let to = |x: &[i64]| x.iter().map(|&x| of(x)).collect::<Vec<T>>();
        let expected: Vec<T> =
            (0..m * n).map(|i| narrow((0..k).map(|l| a[i / n * k + l] * b[l * n + i % n]).sum())).collect();
        let (plain_a, plain_b) = (array(&to(&a), &[m, k]), array(&to(&b), &[k, n]));
        // The same matrices with columns that stand side by side, backwards.
        let back = |x: &[i64], rows: usize, columns: usize| {
            let at = |i: usize| x[(rows - 1 - i % rows) * columns + columns - 1 - i / rows];
            reversed(&array(&to(&(0..rows * columns).map(at).collect::<Vec<_>>()), &[columns, rows]))
        };
        // And with others between the elements of a row.
        let apart = |x: &[i64], rows: usize, columns: usize| {
            let wide: Vec<i64> = x.iter().flat_map(|&x| [x, 1]).collect();
            every_second(&array(&to(&wide), &[rows, 2 * columns]))
        };
        for a in [plain_a, back(&a, m, k), by_columns(&to(&a), m, k), apart(&a, m, k)] {
            for b in [&plain_b, &back(&b, k, n), &by_columns(&to(&b), k, n), &apart(&b, k, n)] {
                for method in [matmul, by_definition] {
                    let got = method(a.view(), b.view()).unwrap();
                    assert_eq!((got.dtype(), &**got.shape()), (T::DTYPE, &[m, n][..]));
                    assert_eq!(got.to_vec::<T>().unwrap(), expected, "{} {m} {k} {n}", T::DTYPE);
                }
            }
        }
    }
}

#[test]
fn every_dtype_size_and_layout() {
    macro_rules! ints {
        ($($t:ty),*) => {$( check::<$t>(|i| i as $t, |i| i as $t); )*};
    }
    ints!(i8, i16, i32, i64, u8, u16, u32, u64, f32, f64);
    check(|i| f16::from_f64(i as f64), |i| f16::from_f64(i as f64));
    check(|i| bf16::from_f64(i as f64), |i| bf16::from_f64(i as f64));
    check(|i| Complex::new(i as f32, 0.0), |i| Complex::new(i as f32, 0.0));
    check(|i| Complex::new(i as f64, 0.0), |i| Complex::new(i as f64, 0.0));
}

#[test]
fn complex_products() {
    let parts = floats(4 * 70 * 70, 3);
    let z: Vec<Complex64> =
        parts.chunks(2).map(|p| Complex::new((p[0] * 8.0).round(), (p[1] * 8.0).round())).collect();
    let (a, b) = z.split_at(70 * 70);
    let got = matmul(array(a, &[70, 70]).view(), array(b, &[70, 70]).view()).unwrap();
    for (i, got) in got.to_vec::<Complex64>().unwrap().into_iter().enumerate() {
        let expected: Complex64 = (0..70).map(|k| a[i / 70 * 70 + k] * b[k * 70 + i % 70]).sum();
        assert_eq!(got, expected);
    }
}

#[test]
fn leading_axes_broadcast_and_vectors_lose_theirs() {
    let a: Vec<i32> = (0..2 * 3 * 4).collect();
    let b: Vec<i32> = (0..5 * 4 * 2).collect();
    let (a, b) = (array(&a, &[2, 1, 3, 4]), array(&b, &[5, 4, 2]));
    let got = matmul(a.view(), b.view()).unwrap();
    assert_eq!(**got.shape(), [2, 5, 3, 2]);
    for (i, got) in got.to_vec::<i32>().unwrap().into_iter().enumerate() {
        let [p, q, r, s] = [i / 30, i / 6 % 5, i / 2 % 3, i % 2];
        let expected: usize = (0..4).map(|k| (p * 12 + r * 4 + k) * (q * 8 + k * 2 + s)).sum();
        assert_eq!(got, expected as i32);
    }
    let v = array(&[1, 10, 100, 1000], &[4]);
    let product = matmul(a.view(), v.view()).unwrap();
    assert_eq!((product.to_vec::<i32>().unwrap()[0], &**product.shape()), (3210, &[2, 1, 3][..]));
    let product = matmul(v.view(), b.view()).unwrap();
    assert_eq!((product.to_vec::<i32>().unwrap()[0], &**product.shape()), (6420, &[5, 2][..]));
    let product = matmul(v.view(), v.view()).unwrap();
    assert_eq!((product.to_vec::<i32>().unwrap(), product.shape().len()), (vec![1_010_101], 0));
}

#[test]
fn narrow_dtypes_accumulate_wide_and_wrap() {
    let ones = |n: usize| array(&vec![f16::ONE; n], &[1, n]);
    let got = matmul(ones(4096).view(), reversed(&ones(4096)).view()).unwrap();
    assert_eq!(got.to_vec::<f16>().unwrap()[0].to_f32(), 4096.0);
    let x = array(&[100i8; 300], &[1, 300]);
    let expected = (0..300).fold(0i8, |acc, _| acc.wrapping_add(100i8.wrapping_mul(100)));
    assert_eq!(matmul(x.view(), reversed(&x).view()).unwrap().to_vec::<i8>().unwrap(), [expected]);
    let x = array(&[u64::MAX, 3], &[1, 2]);
    assert_eq!(
        matmul(x.view(), reversed(&x).view()).unwrap().to_vec::<u64>().unwrap(),
        [6u64.wrapping_neg()]
    );
}

/// The order that the module states: blocks along `k`, each from zero.
fn stated<T: Field>(a: &[T], b: &[T], [m, k, n]: [usize; 3]) -> Vec<T> {
    let element = |i: usize| {
        let block = |l: usize| {
            let end = (l + T::DEPTH).min(k);
            (l..end).fold(T::default(), |acc, l| acc.fused(a[i / n * k + l], b[l * n + i % n]))
        };
        let first = block(0);
        (T::DEPTH..k).step_by(T::DEPTH).fold(first, |acc, l| acc.plus(block(l)))
    };
    (0..m * n).map(element).collect()
}

type Multiply = fn(HostView, HostView) -> ivy_core::Result<HostArray>;

/// Thirteen sizes in five ways each, and the next dtype's after them.
fn same_bits<T: Element + Field>(cases: &mut Counted, of: impl Fn(f64, f64) -> T) {
    for size in [
        [3, 600, 5],
        [210, 300, 70],
        [20, 2600, 90],
        [1, 1000, 300],
        [300, 1000, 1],
        [64, 64, 64],
        [13, 20, 1100],
        [40, 301, 200],
        [14, 35, 131],
        [90, 70, 12],
        [12, 70, 90],
        [700, 600, 12],
        [10, 300, 1500],
    ] {
        let [m, k, n] = size;
        let elements = |count: usize, seed: u64| {
            floats(2 * count, seed).chunks(2).map(|parts| of(parts[0], parts[1])).collect::<Vec<_>>()
        };
        let ways =
            [(1, false, false), (2, false, false), (3, true, false), (3, false, true), (1, true, true)];
        let ways: Vec<_> = ways.into_iter().filter(|_| cases.takes_next()).collect();
        if ways.is_empty() {
            continue;
        }
        let (a, b) = (elements(m * k, 1), elements(k * n, 2));
        let expected = array(&stated(&a, &b, size), &[m, n]);
        let (left, right) = (by_columns(&a, m, k), by_columns(&b, k, n));
        let (a, b) = (array(&a, &[m, k]), array(&b, &[k, n]));
        // What is computed element by element has no tiles that a size would fill.
        let methods: &[Multiply] = if m * k * n < 1 << 20 { &[matmul, by_definition] } else { &[matmul] };
        for (threads, a_by_columns, b_by_columns) in ways {
            let a = if a_by_columns { &left } else { &a };
            let b = if b_by_columns { &right } else { &b };
            for method in methods {
                let each = || limit::each(|| method(a.view(), b.view()).unwrap());
                for (isa, got) in pool(threads).install(each) {
                    let bytes = |x: &HostArray| x.view().contiguous_bytes().unwrap().to_vec();
                    assert!(bytes(&got) == bytes(&expected), "{} {size:?} {isa:?} {threads}", T::DTYPE);
                }
            }
        }
    }
}

#[test]
fn bits_depend_on_nothing_else() {
    let mut cases = Counted::default();
    same_bits(&mut cases, |x, _| x as f32);
    same_bits(&mut cases, |x, _| x);
    same_bits(&mut cases, |re, im| Complex::new(re as f32, im as f32));
    same_bits(&mut cases, Complex64::new);
}

#[test]
fn special_values_stay_in_their_places() {
    // Padding must not let an infinity or NaN spread.
    let mut a = vec![1.0f64; 33 * 70];
    let mut b = vec![1.0f64; 70 * 33];
    (a[5 * 70 + 3], b[9]) = (f64::INFINITY, f64::NAN);
    for method in [matmul, by_definition] {
        let got = method(array(&a, &[33, 70]).view(), array(&b, &[70, 33]).view()).unwrap();
        for (i, x) in got.to_vec::<f64>().unwrap().into_iter().enumerate() {
            match (i / 33, i % 33) {
                (_, 9) => assert!(x.is_nan()),
                (5, _) => assert_eq!(x, f64::INFINITY),
                _ => assert_eq!(x, 70.0),
            }
        }
    }
}

#[test]
fn what_does_not_fit_is_refused() {
    let x = |shape: &[usize]| array(&vec![1.0f32; shape.iter().product()], shape);
    let error = matmul(x(&[2, 3]).view(), x(&[2, 3]).view()).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::ShapeMismatch { argument: "x2", .. }));
    let error = matmul(x(&[]).view(), x(&[2]).view()).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::ShapeMismatch { argument: "x1", .. }));
    let error = matmul(x(&[2, 3, 4]).view(), x(&[3, 4, 2]).view()).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::BroadcastShapes { .. }));
    assert!(matmul(array(&[true], &[1, 1]).view(), array(&[true], &[1, 1]).view()).is_err());
    assert!(matmul(array(&[1i32], &[1, 1]).view(), array(&[1i64], &[1, 1]).view()).is_err());
}
