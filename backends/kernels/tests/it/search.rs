use crate::support::{array, pool, reversed, seeds, views};
use half::{bf16, f16};
use ivy_core::host::Element;
use ivy_core::host::HostArray;
use ivy_kernels::internals::limit;
use ivy_kernels::search::*;
use num_complex::{Complex, Complex32, Complex64};
use proptest::prelude::*;

/// Values with repetitions, NaN and zeros of both signs, as float64.
fn mixed(n: usize, seed: u64) -> Vec<f64> {
    let special = [0.0, -0.0, f64::NAN, f64::INFINITY, f64::NEG_INFINITY];
    let value = |s: u64| match s >> 33 & 7 {
        0 => special[(s >> 40) as usize % 5],
        _ => (s >> 40) as f64 % 9.0 - 4.0,
    };
    seeds(n, seed).into_iter().map(value).collect()
}

/// Checks `unique` of values against its definition; `less` orders them, NaN apart.
fn check_unique<T: Element>(x: &HostArray, less: impl Fn(&T, &T) -> bool, nan: impl Fn(&T) -> bool) {
    let flat = x.to_vec::<T>().unwrap();
    let [values, indices, inverse, counts] = unique(x.view()).unwrap();
    assert_eq!((values.dtype(), inverse.shape()), (T::DTYPE, x.shape()));
    let list = |a: &HostArray| a.to_vec::<i64>().unwrap();
    let (values, indices) = (values.to_vec::<T>().unwrap(), list(&indices));
    let (inverse, counts) = (list(&inverse), list(&counts));
    assert_eq!((values.len(), values.len()), (indices.len(), counts.len()));
    let same = |a: &T, b: &T| !nan(a) && !nan(b) && !less(a, b) && !less(b, a);
    for pair in values.windows(2) {
        assert!(nan(&pair[1]) || !nan(&pair[0]) && less(&pair[0], &pair[1]), "{pair:?}");
    }
    for (j, value) in values.iter().enumerate() {
        let first = indices[j] as usize;
        assert_eq!(format!("{value:?}"), format!("{:?}", flat[first]));
        if !nan(value) {
            assert_eq!(flat.iter().position(|x| same(x, value)), Some(first));
        }
        assert_eq!(inverse.iter().filter(|&&i| i == j as i64).count() as i64, counts[j]);
    }
    for (x, &j) in flat.iter().zip(&inverse) {
        assert!(same(x, &values[j as usize]) || nan(x) && counts[j as usize] == 1);
    }
    assert_eq!(counts.iter().sum::<i64>(), flat.len() as i64);
    // Each NaN is its own, in order.
    let nans: Vec<i64> = (0..flat.len()).filter(|&i| nan(&flat[i])).map(|i| i as i64).collect();
    let of_nans: Vec<i64> = (0..values.len()).filter(|&j| nan(&values[j])).map(|j| indices[j]).collect();
    assert_eq!(of_nans.len(), nans.len());
}

#[test]
fn every_dtype_has_its_distinct_elements() {
    for shape in [&[][..], &[1], &[40], &[6, 7], &[2, 1, 30], &[0], &[3, 0]] {
        let wide = mixed(shape.iter().product(), 3);
        macro_rules! check {
            ($t:ty, $of:expr, $nan:expr) => {
                let values: Vec<$t> = wide.iter().map($of).collect();
                for x in views(&array(&values, shape)) {
                    check_unique::<$t>(&x, |a, b| a < b, $nan);
                }
            };
        }
        check!(i8, |x| *x as i8, |_| false);
        check!(i16, |x| *x as i16, |_| false);
        check!(i32, |x| *x as i32, |_| false);
        check!(i64, |x| *x as i64, |_| false);
        check!(u8, |x| *x as u8, |_| false);
        check!(u16, |x| *x as u16, |_| false);
        check!(u32, |x| *x as u32, |_| false);
        check!(u64, |x| *x as u64, |_| false);
        check!(bool, |x| *x > 0.0, |_| false);
        check!(f16, |x| f16::from_f64(*x), |x| x.is_nan());
        check!(bf16, |x| bf16::from_f64(*x), |x| x.is_nan());
        check!(f32, |x| *x as f32, |x| x.is_nan());
        check!(f64, |x| *x, |x| x.is_nan());
        let parts = mixed(2 * wide.len(), 5);
        let z: Vec<Complex64> = parts.chunks(2).map(|p| Complex::new(p[0], p[1])).collect();
        let narrow: Vec<Complex32> = z.iter().map(|z| Complex::new(z.re as f32, z.im as f32)).collect();
        for x in views(&array(&z, shape)) {
            let less = |a: &Complex64, b: &Complex64| a.re < b.re || a.re == b.re && a.im < b.im;
            check_unique::<Complex64>(&x, less, |z| z.is_nan());
        }
        for x in views(&array(&narrow, shape)) {
            let less = |a: &Complex32, b: &Complex32| a.re < b.re || a.re == b.re && a.im < b.im;
            check_unique::<Complex32>(&x, less, |z| z.is_nan());
        }
    }
}

#[test]
fn distinct_elements_of_a_large_array() {
    let values: Vec<i32> = seeds(100_000, 2).into_iter().map(|s| (s % 1000) as i32).collect();
    let x = array(&values, &[100_000]);
    for threads in [1, 2] {
        for (_, [values, indices, ..]) in pool(threads).install(|| limit::each(|| unique(x.view()).unwrap()))
        {
            assert_eq!(values.to_vec::<i32>().unwrap(), (0..1000).collect::<Vec<_>>());
            for (v, i) in indices.to_vec::<i64>().unwrap().into_iter().enumerate() {
                let from = x.as_slice::<i32>().unwrap().unwrap();
                assert_eq!(from.iter().position(|&x| x == v as i32), Some(i as usize));
            }
        }
    }
}

/// Checks `search_sorted` against counting.
fn check_search<T: Element>(sorted: &HostArray, x: &HostArray, before: impl Fn(&T, &T) -> bool) {
    let (s, q) = (sorted.to_vec::<T>().unwrap(), x.to_vec::<T>().unwrap());
    for right in [false, true] {
        let got = search_sorted(right, sorted.view(), x.view()).unwrap();
        assert_eq!(got.shape(), x.shape());
        let place =
            |q: &T| s.iter().filter(|s| if right { !before(q, s) } else { before(s, q) }).count() as i64;
        assert_eq!(got.to_vec::<i64>().unwrap(), q.iter().map(place).collect::<Vec<_>>(), "{}", T::DTYPE);
    }
}

#[test]
fn every_dtype_is_searched() {
    let nan_last = |a: f64, b: f64| a < b || !a.is_nan() && b.is_nan();
    for n in [0, 1, 2, 30, 101] {
        let mut s = mixed(n, 7);
        s.sort_by(
            |a, b| if nan_last(*a, *b) { std::cmp::Ordering::Less } else { nan_last(*b, *a).into_order() },
        );
        let q = mixed(60, 8);
        macro_rules! check {
            ($t:ty, $of:expr, $before:expr) => {
                let mut sorted: Vec<$t> = s.iter().map($of).collect();
                // Numbers that were floats may have changed places.
                sorted.sort_by(|a, b| {
                    if $before(a, b) { std::cmp::Ordering::Less } else { $before(b, a).into_order() }
                });
                let queries: Vec<$t> = q.iter().map($of).collect();
                for x in views(&array(&queries, &[5, 12])) {
                    check_search::<$t>(&array(&sorted, &[n]), &x, $before);
                }
                sorted.reverse();
                check_search::<$t>(&reversed(&array(&sorted, &[n])), &array(&queries, &[60]), $before);
            };
        }
        check!(i8, |x| *x as i8, |a: &i8, b: &i8| a < b);
        check!(i16, |x| *x as i16, |a: &i16, b: &i16| a < b);
        check!(i32, |x| *x as i32, |a: &i32, b: &i32| a < b);
        check!(i64, |x| *x as i64, |a: &i64, b: &i64| a < b);
        check!(u8, |x| *x as u8, |a: &u8, b: &u8| a < b);
        check!(u16, |x| *x as u16, |a: &u16, b: &u16| a < b);
        check!(u32, |x| *x as u32, |a: &u32, b: &u32| a < b);
        check!(u64, |x| *x as u64, |a: &u64, b: &u64| a < b);
        check!(bool, |x| *x > 0.0, |a: &bool, b: &bool| a < b);
        check!(f16, |x| f16::from_f64(*x), |a: &f16, b: &f16| nan_last(a.to_f64(), b.to_f64()));
        check!(bf16, |x| bf16::from_f64(*x), |a: &bf16, b: &bf16| nan_last(a.to_f64(), b.to_f64()));
        check!(f32, |x| *x as f32, |a: &f32, b: &f32| nan_last((*a).into(), (*b).into()));
        check!(f64, |x| *x, |a: &f64, b: &f64| nan_last(*a, *b));
    }
}

trait IntoOrder {
    /// Greater if true, else equal.
    fn into_order(self) -> std::cmp::Ordering;
}

impl IntoOrder for bool {
    fn into_order(self) -> std::cmp::Ordering {
        if self { std::cmp::Ordering::Greater } else { std::cmp::Ordering::Equal }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn inserting_there_keeps_the_order(mut s in prop::collection::vec(-20i32..20, 0..50), q in -25i32..25) {
        s.sort_unstable();
        for right in [false, true] {
            let places = search_sorted(right, array(&s, &[s.len()]).view(), array(&[q], &[]).view()).unwrap();
            let mut with = s.clone();
            let at = places.to_vec::<i64>().unwrap()[0] as usize;
            with.insert(at, q);
            prop_assert!(with.is_sorted());
            let nearest = if right { s.get(at) != Some(&q) } else { at == 0 || s[at - 1] != q };
            prop_assert!(nearest);
        }
    }

    #[test]
    fn the_values_give_the_array_back(x in prop::collection::vec(any::<i16>(), 0..200), small: bool) {
        let x: Vec<i16> = x.into_iter().map(|x| if small { x % 7 } else { x }).collect();
        let [values, _, inverse, _] = unique(array(&x, &[x.len()]).view()).unwrap();
        let values = values.to_vec::<i16>().unwrap();
        let back: Vec<i16> = inverse.to_vec::<i64>().unwrap().iter().map(|&i| values[i as usize]).collect();
        prop_assert_eq!(back, x);
    }
}

#[test]
fn many_queries_and_wrong_dtypes() {
    let sorted: Vec<i64> = (0..1000).map(|i| 2 * i).collect();
    let queries: Vec<i64> = (0..100_000).map(|i| i % 2000).collect();
    let (sorted, queries) = (array(&sorted, &[1000]), array(&queries, &[100_000]));
    for threads in [1, 2, 3] {
        let got = pool(threads).install(|| search_sorted(false, sorted.view(), queries.view()).unwrap());
        let expected: Vec<i64> = (0..100_000).map(|i| (i % 2000 + 1) / 2).collect();
        assert_eq!(got.to_vec::<i64>().unwrap(), expected);
    }
    let z = array(&[Complex32::new(1.0, 0.0)], &[1]);
    assert!(search_sorted(false, z.view(), z.view()).is_err());
    assert!(search_sorted(false, sorted.view(), array(&[1i32], &[1]).view()).is_err());
}
