use crate::support::{array, pool, reversed, seeds};
use half::{bf16, f16};
use ivy_core::host::Element;
use ivy_core::host::HostArray;
use ivy_kernels::internals::{Bits as _, Real, limit};
use ivy_kernels::sort::*;
use proptest::prelude::*;
use std::cmp::Ordering;

/// An element with an order written down independently of the keys.
trait Sample: Element + Default {
    fn from_seed(seed: u64) -> Self;
    fn compare(self, other: Self) -> Ordering;
    fn is_nan(self) -> bool {
        false
    }
}

macro_rules! int_samples {
    ($($t:ty),*) => {$(
        impl Sample for $t {
            fn from_seed(seed: u64) -> $t {
                // Half of the values from a small range, so that there are equal ones.
                if seed & 1 == 0 { (seed >> 1) as $t } else { (seed >> 1) as $t % 5 }
            }
            fn compare(self, other: $t) -> Ordering {
                self.cmp(&other)
            }
        }
    )*};
}
int_samples!(i8, i16, i32, i64, u8, u16, u32, u64);

impl Sample for bool {
    fn from_seed(seed: u64) -> bool {
        seed & 1 == 1
    }
    fn compare(self, other: bool) -> Ordering {
        self.cmp(&other)
    }
}

macro_rules! float_samples {
    ($($t:ty, $bits:ty);*) => {$(
        impl Sample for $t {
            fn from_seed(seed: u64) -> $t {
                let special = [0.0, -0.0, f64::NAN, -f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 1.0, -1.0];
                if seed & 1 == 0 {
                    <$t>::from_bits((seed >> 1) as $bits)
                } else {
                    <$t as Real>::nearest(special[(seed >> 1) as usize % 8])
                }
            }
            fn compare(self, other: $t) -> Ordering {
                match (Sample::is_nan(self), Sample::is_nan(other)) {
                    (false, false) => self.partial_cmp(&other).unwrap(),
                    (a, b) => a.cmp(&b),
                }
            }
            fn is_nan(self) -> bool {
                self != self
            }
        }
    )*};
}
float_samples!(f16, u16; bf16, u16; f32, u32; f64, u64);

/// NaN last also when descending.
fn wanted<T: Sample>(descending: bool) -> impl Fn(&T, &T) -> Ordering {
    move |a, b| match a.is_nan() || b.is_nan() {
        false if descending => b.compare(*a),
        _ => a.compare(*b),
    }
}

fn check_line<T: Sample>(values: &[T]) {
    let x = array(values, &[values.len()]);
    for descending in [false, true] {
        let order = wanted::<T>(descending);
        let mut indices: Vec<i64> = (0..values.len() as i64).collect();
        indices.sort_by(|&a, &b| order(&values[a as usize], &values[b as usize]));
        assert_eq!(
            argsort(0, descending, x.view()).unwrap().to_vec::<i64>().unwrap(),
            indices,
            "{}",
            T::DTYPE
        );
        let sorted = sort(0, descending, x.view()).unwrap().to_vec::<T>().unwrap();
        for (&i, s) in indices.iter().zip(&sorted) {
            let x = values[i as usize];
            assert!(x.compare(*s) == Ordering::Equal, "{}: {x:?} and {s:?}", T::DTYPE);
        }
        assert_eq!(sorted.len(), values.len());
    }
}

fn check_lengths<T: Sample>() {
    for n in (0..300).chain([511, 512, 1000, 9000, 70_000]) {
        let values: Vec<T> = seeds(n, n as u64).into_iter().map(T::from_seed).collect();
        check_line(&values);
    }
}

#[test]
fn every_dtype_sorts_at_every_length() {
    for (_, ()) in limit::each(|| {
        check_lengths::<bool>();
        check_lengths::<i8>();
        check_lengths::<i16>();
        check_lengths::<i32>();
        check_lengths::<i64>();
        check_lengths::<u8>();
        check_lengths::<u16>();
        check_lengths::<u32>();
        check_lengths::<u64>();
        check_lengths::<f16>();
        check_lengths::<bf16>();
        check_lengths::<f32>();
        check_lengths::<f64>();
    }) {}
}

/// Orders that a quicksort may stumble over.
fn patterns(n: usize) -> Vec<Vec<u64>> {
    let (n, half) = (n as u64, n as u64 / 2);
    vec![
        (0..n).collect(),
        (0..n).rev().collect(),
        vec![7; n as usize],
        (0..n).map(|i| i % 2).collect(),
        (0..n).map(|i| i.min(n - i)).collect(),
        (0..n).map(|i| if i < half { 2 * i } else { 2 * (i - half) + 1 }).collect(),
        (0..n).map(|i| i % 64).collect(),
        (0..n).map(|i| if i % 97 == 0 { u64::MAX - i } else { 3 }).collect(),
        (0..n).map(|i| 1u64 << (i % 64)).collect(),
    ]
}

#[test]
fn patterns_sort_on_any_threads_and_instruction_set() {
    for pattern in patterns(150_001).into_iter().chain([seeds(150_001, 3)]) {
        let (narrow, mut expected) = (pattern.iter().map(|&x| x as u32).collect::<Vec<_>>(), pattern.clone());
        expected.sort_unstable();
        let mut expected_narrow = narrow.clone();
        expected_narrow.sort_unstable();
        for threads in [1, 2, 3] {
            pool(threads).install(|| {
                limit::each(|| {
                    let (mut wide, mut narrow) = (pattern.clone(), narrow.clone());
                    u64::sort(&mut wide, &|_| ());
                    u32::sort(&mut narrow, &|_| ());
                    assert!(wide == expected && narrow == expected_narrow);
                })
            });
        }
    }
}

/// Long enough for the way of large arrays.
#[test]
fn large_patterns_sort_on_any_threads_and_instruction_set() {
    for pattern in patterns(150_001).into_iter().chain([seeds(150_001, 4)]) {
        let narrow: Vec<i32> = pattern.iter().map(|&x| (x as i32).wrapping_mul(77)).collect();
        // With zeros of both signs.
        let value = |x: u64| ((x >> 1) as f64 - 5.0) * f64::from(u8::from(!x.is_multiple_of(3)));
        let wide: Vec<f64> = pattern.iter().map(|&x| value(x)).collect();
        let (x, y) = (array(&narrow, &[narrow.len()]), array(&wide, &[wide.len()]));
        let mut expected = narrow.clone();
        expected.sort_unstable();
        let mut expected_wide = wide.clone();
        expected_wide.sort_unstable_by(f64::total_cmp);
        for threads in [1, 2, 3] {
            pool(threads).install(|| {
                limit::each(|| {
                    assert!(sort(0, false, x.view()).unwrap().to_vec::<i32>().unwrap() == expected);
                    let down = sort(0, true, x.view()).unwrap().to_vec::<i32>().unwrap();
                    assert!(down.iter().eq(expected.iter().rev()));
                    let sorted = sort(0, false, y.view()).unwrap().to_vec::<f64>().unwrap();
                    assert!(sorted.iter().zip(&expected_wide).all(|(a, b)| a.to_bits() == b.to_bits()));
                })
            });
        }
    }
}

#[test]
fn every_key_is_done_once() {
    for (_, sorted) in limit::each(|| {
        let mut x: Vec<u32> = seeds(200_000, 5).into_iter().map(|x| x as u32 % 70_000).collect();
        u32::sort(&mut x, &|keys| keys.iter_mut().for_each(|k| *k += 1_000_000));
        x
    }) {
        assert!(sorted.is_sorted() && sorted.iter().all(|&k| (1_000_000..1_070_000).contains(&k)));
    }
}

#[test]
fn sorting_gives_the_same_bits_on_every_instruction_set() {
    let values: Vec<f32> = seeds(100_000, 9).into_iter().map(f32::from_seed).collect();
    let x = array(&values, &[values.len()]);
    let results = limit::each(|| {
        let bits = |a: HostArray| a.to_vec::<f32>().unwrap().iter().map(|x| x.to_bits()).collect::<Vec<_>>();
        (bits(sort(0, false, x.view()).unwrap()), bits(sort(0, true, x.view()).unwrap()))
    });
    assert!(results.iter().all(|r| r.1 == results[0].1));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn every_axis_of_any_view_sorts(
        dims in prop::collection::vec(1usize..7, 1..4), seed: u64, axis: usize, descending: bool, reverse: bool
    ) {
        let size = dims.iter().product();
        let values: Vec<f32> = seeds(size, seed).into_iter().map(f32::from_seed).collect();
        let x = array(&values, &dims);
        let x = if reverse { reversed(&x) } else { x };
        let axis = axis % dims.len();
        let flat = x.to_vec::<f32>().unwrap();
        let n = x.shape()[axis];
        let inner: usize = x.shape()[axis + 1..].iter().product();
        let sorted = sort(axis, descending, x.view()).unwrap();
        let order = argsort(axis, descending, x.view()).unwrap();
        prop_assert_eq!(sorted.shape(), x.shape());
        let (sorted, order) = (sorted.to_vec::<f32>().unwrap(), order.to_vec::<i64>().unwrap());
        for line in 0..size / n {
            let at = |i: usize| line / inner * n * inner + i * inner + line % inner;
            let mut expected: Vec<usize> = (0..n).collect();
            let compare = wanted::<f32>(descending);
            expected.sort_by(|&a, &b| compare(&flat[at(a)], &flat[at(b)]));
            for i in 0..n {
                prop_assert_eq!(order[at(i)], expected[i] as i64);
                prop_assert_eq!(sorted[at(i)].compare(flat[at(expected[i])]), Ordering::Equal);
            }
        }
    }
}

#[test]
fn many_lines_sort_on_several_threads() {
    let values: Vec<i32> = seeds(400 * 500, 1).into_iter().map(|x| x as i32).collect();
    let x = array(&values, &[400, 500]);
    let columns = sort(0, false, x.view()).unwrap().to_vec::<i32>().unwrap();
    let rows = sort(1, true, x.view()).unwrap().to_vec::<i32>().unwrap();
    for j in 0..500 {
        let mut column: Vec<i32> = (0..400).map(|i| values[i * 500 + j]).collect();
        column.sort_unstable();
        assert!((0..400).all(|i| columns[i * 500 + j] == column[i]));
    }
    for (row, from) in rows.chunks(500).zip(values.chunks(500)) {
        let mut from = from.to_vec();
        from.sort_unstable_by(|a, b| b.cmp(a));
        assert_eq!(row, from);
    }
}

#[test]
fn complex_numbers_have_no_order() {
    let z = array(&[num_complex::Complex32::new(1.0, 2.0)], &[1]);
    assert!(sort(0, false, z.view()).is_err() && argsort(0, false, z.view()).is_err());
}
