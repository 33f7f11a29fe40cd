//! Arrays beside numbers of the host, where NumPy decides otherwise than by promotion.

use ivy_core::{Array, Dtype, Result};
use ivy_frontend_numpy::{NUMPY, Value, kw};

fn array(dtype: &str) -> Value<'static> {
    let made = NUMPY.call("array", &[Value::from(vec![1, 0])], kw! { dtype: dtype });
    made.expect("zeros and ones are of every dtype").into_owned()
}

fn called(path: &str, arguments: &[Value<'_>]) -> Result<Array> {
    match NUMPY.call(path, arguments, ().into())? {
        Value::Array(array) => Ok(array.into_owned()),
        other => panic!("{path} gives {}", other.told()),
    }
}

/// Operands and the dtype of what NumPy 2.4.6 gives: of `hypot`, `arctan2`, `copysign`, `nextafter`, `heaviside`, `logaddexp`
/// and `logaddexp2` alike.
fn float_functions_of_two() -> Vec<(Value<'static>, Value<'static>, Dtype)> {
    vec![
        (array("uint8"), 2.into(), Dtype::FLOAT16),
        (array("uint8"), 2.5.into(), Dtype::FLOAT64),
        (2.5.into(), array("uint8"), Dtype::FLOAT64),
        (array("int16"), 2.into(), Dtype::FLOAT32),
        (array("uint8"), array("int8"), Dtype::FLOAT16),
        (array("int16"), array("float16"), Dtype::FLOAT32),
        (array("float16"), 2.into(), Dtype::FLOAT16),
        (2.into(), array("float16"), Dtype::FLOAT16),
        (array("float16"), 2.5.into(), Dtype::FLOAT16),
        (array("bool"), 2.into(), Dtype::FLOAT64),
        (true.into(), 2.into(), Dtype::FLOAT64),
        (true.into(), true.into(), Dtype::FLOAT16),
        (true.into(), array("uint8"), Dtype::FLOAT16),
        (7.into(), 2.into(), Dtype::FLOAT64),
    ]
}

#[test]
fn float_functions_of_two_operands() {
    for path in ["hypot", "arctan2", "copysign", "nextafter", "heaviside", "logaddexp", "logaddexp2"] {
        for (a, b, expected) in float_functions_of_two() {
            let told = format!("{path}({}, {})", a.told(), b.told());
            let found = called(path, &[a, b]).unwrap_or_else(|error| panic!("{told}: {error}"));
            assert_eq!(found.dtype(), expected, "{told}");
        }
        assert!(called(path, &[array("uint8"), num_complex::Complex64::I.into()]).is_err(), "{path}");
    }
}

#[test]
fn powers_of_two_of_host_numbers() {
    let exponents = || array("int64");
    let cases = [
        (5.into(), exponents(), Dtype::FLOAT16),
        (5.into(), 2.into(), Dtype::FLOAT64),
        (true.into(), 2.into(), Dtype::FLOAT16),
        (2.5.into(), exponents(), Dtype::FLOAT64),
        (array("int16"), 2.into(), Dtype::FLOAT32),
    ];
    for (x, exponent, expected) in cases {
        let told = format!("ldexp({}, {})", x.told(), exponent.told());
        let found = called("ldexp", &[x, exponent]).unwrap_or_else(|error| panic!("{told}: {error}"));
        assert_eq!(found.dtype(), expected, "{told}");
    }
}

#[test]
fn choices_that_wrap() {
    let chosen = |x: i128| called("where", &[array("bool"), array("uint8"), Value::Int(x)]);
    let elements = |x: i128| chosen(x).and_then(|found| found.to_vec::<u8>()).ok();
    assert_eq!(elements(-1), Some(vec![1, 255]));
    assert_eq!(elements(1 << 63), Some(vec![1, 0]));
    assert_eq!(elements(1 << 64), None);
}

#[test]
fn reductions_into_other_dtypes() {
    let x =
        NUMPY.call("array", &[Value::from([[0.5, 1.5, 2.5], [3.0, 4.0, 5.5]])], ().into()).expect("numbers");
    let out = || NUMPY.call("zeros", &[2.into()], kw! { dtype: "int32" }).expect("zeros");
    // What NumPy 2.4.6 gives.
    for (path, expected) in
        [("sum", [4, 12]), ("prod", [1, 66]), ("max", [2, 5]), ("min", [0, 3]), ("mean", [1, 4])]
    {
        for path in [path.to_string(), format!("ndarray.{path}")] {
            let found = NUMPY.call(&path, &[x.borrowed()], kw! { axis: 1, out: out() });
            let found = found.unwrap_or_else(|error| panic!("{path}: {error}"));
            let elements = found.as_array().and_then(|found| found.to_vec::<i32>().ok());
            assert_eq!(elements, Some(expected.to_vec()), "{path}");
        }
    }
    assert!(NUMPY.call("std", &[x], kw! { axis: 1, out: out() }).is_err());
}

#[test]
fn a_number_for_each_that_is_none() {
    let x = NUMPY.call("array", &[Value::from([f64::INFINITY, f64::NEG_INFINITY, f64::NAN, 5.0])], ().into());
    let (x, each) = (x.expect("numbers"), || Value::from([1, 2, 3, 4]));
    let found = |keywords| NUMPY.call("nan_to_num", &[x.borrowed()], keywords);
    let elements = |keywords| found(keywords).ok()?.as_array()?.to_vec::<f64>().ok();
    assert_eq!(elements(kw! { nan: each(), posinf: each(), neginf: 9 }), Some(vec![1.0, 9.0, 3.0, 5.0]));
    assert_eq!(elements(kw! { posinf: 7, neginf: each() }), Some(vec![7.0, 2.0, 0.0, 5.0]));
    assert!(found(kw! { nan: [1, 2] }).is_err());
}
