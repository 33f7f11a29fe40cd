//! Laws that hold for all values, dtypes and backends.

use ivy::array::Index;
use ivy::prelude::*;
use ivy::{DtypeSet, Kind};
use proptest::prelude::*;

const BACKENDS: &[&str] =
    if cfg!(feature = "torch") { &["ndarray", "candle", "torch"] } else { &["ndarray", "candle"] };

fn array(backend: &str, dtype: Dtype, values: &[i32]) -> Array {
    let made = || ivy::astype(&Array::from_vec(values.to_vec(), values.len())?, dtype);
    ivy::with_backend(backend, made).unwrap().unwrap()
}

/// Equal dtypes, shapes and elements; NaN equals NaN.
fn same(a: &Array, b: &Array) -> bool {
    let (x, y) = (a.to_host().unwrap(), b.to_host().unwrap());
    let count = x.shape().size();
    x.dtype() == y.dtype()
        && x.shape() == y.shape()
        && (0..count).all(|i| x.scalar_at(i).unwrap().to_string() == y.scalar_at(i).unwrap().to_string())
}

fn any_dtype() -> impl Strategy<Value = Dtype> {
    (0..Dtype::COUNT).prop_map(|i| Dtype::all().nth(i).expect("below the count"))
}

fn values() -> impl Strategy<Value = Vec<i32>> {
    prop::collection::vec(prop_oneof![-5..6, any::<i32>()], 1..6)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn add_multiply_equal_commute(a in any_dtype(), b in any_dtype(), v in values()) {
        for &backend in BACKENDS {
            let (x, y) = (array(backend, a, &v), array(backend, b, &v.iter().rev().copied().collect::<Vec<_>>()));
            let all: [fn(&Array, &Array) -> ivy::Result<Array>; 3] =
                [|a, b| ivy::add(a, b), |a, b| ivy::multiply(a, b), |a, b| ivy::equal(a, b)];
            for f in all {
                prop_assert!(same(&f(&x, &y).unwrap(), &f(&y, &x).unwrap()), "{} {} {}", backend, a, b);
            }
        }
    }

    #[test]
    fn a_cast_to_a_dtype_that_holds_all_values_loses_nothing(from in any_dtype(), to in any_dtype(), v in values()) {
        // Precise promotion gives such a dtype, but for the 64-bit integers.
        let holds = Rules::Precise.lookup(from, to) == Some(to) && !(from.is_int() && from.bits() == 64);
        prop_assume!(holds && !from.is_complex() && !to.is_complex());
        for &backend in BACKENDS {
            let x = array(backend, from, &v);
            let there = ivy::astype(&x, to).unwrap();
            prop_assert!(same(&ivy::astype(&there, from).unwrap(), &x), "{} {} {}", backend, from, to);
        }
    }

    #[test]
    fn a_cast_to_bool_is_not_zero(from in any_dtype(), v in values()) {
        for &backend in BACKENDS {
            let x = array(backend, from, &v);
            let nonzero = match from.kind() {
                Kind::Bool => x.clone(),
                _ => ivy::not_equal(&x, 0).unwrap(),
            };
            prop_assert!(same(&ivy::astype(&x, Dtype::BOOL).unwrap(), &nonzero), "{} {}", backend, from);
        }
    }

    #[test]
    fn the_backends_agree_on_integers(dtype in any_dtype(), v in values()) {
        prop_assume!(DtypeSet::INTEGER.contains(dtype));
        let on = |backend: &str| {
            let x = array(backend, dtype, &v);
            let y = (&x * &x - 3 % x.dtype().bits() as i32).ok().unwrap();
            let z = ivy::floor_divide(&y, &x).unwrap();
            ivy::concat([&z, &ivy::remainder(&y, &x).unwrap(), &ivy::sort(&x, ()).unwrap()], ()).unwrap()
        };
        for backend in &BACKENDS[1..] {
            prop_assert!(same(&on("ndarray"), &on(backend)), "{backend}");
        }
    }

    #[test]
    fn no_write_is_seen_elsewhere(
        dtype in any_dtype(),
        v in values(),
        start in -6i64..6,
        step in prop_oneof![-2i64..0, 1i64..3],
    ) {
        for &backend in BACKENDS {
            let x = array(backend, dtype, &v);
            let kept = array(backend, dtype, &v);
            let (clone, mut view) = (x.clone(), x.get([Index::Slice { start: Some(start), stop: None, step }]).unwrap());
            let before = view.to_host().unwrap();
            let mut written = x.clone();
            written.set([Index::Slice { start: Some(start), stop: None, step }], true).unwrap();
            prop_assert_eq!(format!("{:?}", before.shape()), format!("{:?}", view.shape()));
            view.set([Index::Ellipsis], false).unwrap();
            prop_assert!(same(&x, &kept) && same(&clone, &kept), "{} {}", backend, dtype);
        }
    }

    #[test]
    fn sorting_keeps_the_elements_and_orders_them(dtype in any_dtype(), v in values()) {
        prop_assume!(!dtype.is_complex());
        for &backend in BACKENDS {
            let x = array(backend, dtype, &v);
            let sorted = ivy::sort(&x, ()).unwrap();
            let order = ivy::argsort(&x, ()).unwrap();
            prop_assert!(same(&ivy::take(&x, &order, ()).unwrap(), &sorted));
            prop_assert!(same(&ivy::sort(&sorted, ()).unwrap(), &sorted));
        }
    }
}
