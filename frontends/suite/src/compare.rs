//! Results beside recorded ones.

use crate::decode::{Recorded, recorded, value};
use ivy_core::{Array, Dtype, Scalar};
use ivy_frontend::Value;
use num_complex::Complex64;
use serde_json::Value as Json;

/// How far floats may be apart, relative to the greatest of the result.
#[derive(Clone, Copy, Debug)]
pub struct Tolerance {
    /// Of float64 and complex128.
    pub float64: f64,
    /// Of narrower ones.
    pub float32: f64,
}

impl Default for Tolerance {
    fn default() -> Tolerance {
        Tolerance { float64: 1e-12, float32: 2e-6 }
    }
}

impl Tolerance {
    fn of(self, dtype: Dtype) -> f64 {
        match dtype {
            Dtype::FLOAT64 | Dtype::COMPLEX128 => self.float64,
            Dtype::FLOAT16 => 2e-3_f64.max(self.float32),
            Dtype::BFLOAT16 => 1.6e-2_f64.max(self.float32),
            _ => self.float32,
        }
    }
}

/// What is different from a recorded value, if anything is.
pub fn difference(expected: &Json, actual: &Value<'_>, tolerance: Tolerance) -> Option<String> {
    if let Some(read) = recorded(expected) {
        return match (read, actual) {
            (Err(why), _) => Some(why),
            (Ok(expected), Value::Array(actual)) => array(&expected, actual, false, tolerance),
            (Ok(expected), Value::Weak(actual)) => array(&expected, actual, true, tolerance),
            // A number of NumPy that has no axes may be a host number here.
            (Ok(expected), other) if expected.shape.is_empty() => {
                let (want, got) = (expected.data[0], other.as_scalar());
                match got {
                    Some(got) if want.to_complex() == got.to_complex() => None,
                    _ => Some(format!("{want} is expected, got {}", other.told())),
                }
            }
            (Ok(_), other) => Some(format!("an array is expected, got {}", other.told())),
        };
    }
    let items = ["tuple", "list"].iter().find_map(|kind| expected.get(kind)).unwrap_or(expected);
    if let Some(items) = items.as_array() {
        let Some(actual) = actual.items() else {
            return Some(format!("{} values are expected, got {}", items.len(), actual.told()));
        };
        if items.len() != actual.len() {
            return Some(format!("{} values are expected, got {}", items.len(), actual.len()));
        }
        let each = items.iter().zip(actual).enumerate();
        return { each }
            .find_map(|(i, (e, a))| difference(e, a, tolerance).map(|text| format!("value {i}: {text}")));
    }
    let expected = match value(expected, None) {
        Ok(expected) => expected,
        Err(why) => return Some(why),
    };
    let number = match actual {
        Value::Array(array) | Value::Weak(array) if array.ndim() == 0 => {
            array.to_scalar().ok().map(Value::from)
        }
        _ => None,
    };
    let close = match (&expected, number.as_ref().unwrap_or(actual)) {
        (Value::Float(e), Value::Float(a)) => near(*e, *a, tolerance.float64 * e.abs()),
        (Value::Dict(e), Value::Dict(a)) => {
            let same = |(name, value): &(String, Value<'_>)| {
                a.iter().any(|(known, other)| known == name && value.equals(other))
            };
            e.iter().all(same)
        }
        (expected, actual) => expected.equals(actual),
    };
    (!close).then(|| format!("{} is expected, got {}", expected.told(), actual.told()))
}

/// What is different in the form of a result whose elements are free: dtypes, shapes, how many values there are.
pub(crate) fn form(expected: &Json, actual: &Value<'_>) -> Option<String> {
    if let (Some(dtype), Some(shape)) = (expected.get("dtype"), expected.get("shape")) {
        let Some(array) = actual.as_array() else {
            return Some(format!("an array is expected, got {}", actual.told()));
        };
        let lengths: Vec<u64> = array.shape().iter().map(|&d| d as u64).collect();
        let same = dtype.as_str() == Some(array.dtype().name()) && *shape == Json::from(lengths);
        return (!same)
            .then(|| format!("dtype {dtype} and shape {shape} are expected, got {}", actual.told()));
    }
    let items = ["tuple", "list"].iter().find_map(|kind| expected.get(kind)).and_then(Json::as_array);
    if let Some(items) = items {
        let Some(actual) = actual.items().filter(|actual| actual.len() == items.len()) else {
            return Some(format!("{} values are expected, got {}", items.len(), actual.told()));
        };
        let each = items.iter().zip(actual).enumerate();
        return { each }.find_map(|(i, (e, a))| form(e, a).map(|text| format!("value {i}: {text}")));
    }
    let same = match (expected, actual) {
        // A number of the host may be an array without axes here.
        (Json::Number(_), Value::Array(array) | Value::Weak(array)) => array.ndim() == 0,
        (Json::Number(_), other) => other.as_scalar().is_some(),
        (Json::Null, other) => other.is_none(),
        (Json::String(_), other) => other.as_text().is_some(),
        _ => false,
    };
    (!same).then(|| format!("{expected} is expected, got {}", actual.told()))
}

fn near(expected: f64, actual: f64, apart: f64) -> bool {
    expected == actual || expected.is_nan() && actual.is_nan() || (expected - actual).abs() <= apart
}

fn array(expected: &Recorded, actual: &Array, weak: bool, tolerance: Tolerance) -> Option<String> {
    if expected.dtype != actual.dtype() {
        return Some(format!("dtype {} is expected, got {}", expected.dtype, actual.dtype()));
    }
    if expected.shape != *actual.shape() {
        return Some(format!("shape {} is expected, got {}", expected.shape, actual.shape()));
    }
    // A truth value has no kind below it, so that it promotes alike weakly typed or not.
    if expected.weak != weak && !expected.dtype.is_bool() {
        let kind = |weak: bool| if weak { "weakly typed" } else { "strongly typed" };
        return Some(format!("{} is expected, got {}", kind(expected.weak), kind(weak)));
    }
    let host = match actual.to_host() {
        Ok(host) => host,
        Err(error) => return Some(error.to_string()),
    };
    let parts = |z: Complex64| [z.re, z.im];
    let finite = expected.data.iter().flat_map(|s| parts(s.to_complex())).filter(|x| x.is_finite());
    let greatest = finite.fold(0.0f64, |most, x| most.max(x.abs()));
    let apart = tolerance.of(expected.dtype) * greatest;
    for (i, want) in expected.data.iter().enumerate() {
        let got = match host.scalar_at(i) {
            Ok(got) => got,
            Err(error) => return Some(error.to_string()),
        };
        let equal = match got {
            Scalar::Bool(_) | Scalar::Int(_) => want.to_i128() == got.to_i128(),
            Scalar::Float(x) => near(want.to_f64(), x, apart),
            Scalar::Complex(z) => {
                let want = want.to_complex();
                near(want.re, z.re, apart) && near(want.im, z.im, apart)
            }
        };
        if !equal {
            return Some(format!("element {i}: {want} is expected, got {got}"));
        }
    }
    None
}
