//! Comparison of host arrays.

use half::{bf16, f16};
use ivy_core::Dtype;
use ivy_core::host::HostArray;
use num_complex::{Complex32, Complex64};

/// How near two results must be. Bools and integers are the same always.
#[derive(Clone, Copy, Debug)]
pub enum Near {
    /// The same values; NaN equals NaN, and zeros have signs.
    Same,
    /// The same, but zeros are equal.
    SameButZeros,
    /// This many units in the last place apart, at most.
    Ulp(i64),
    /// This far apart.
    Sum(f64),
    /// This many eps apart, relative to the larger part of a complex number, or to a real one.
    Norm(f64),
}

/// One part of an element: a float, or an integer.
fn parts(array: &HostArray) -> Vec<(f64, i128)> {
    /// A float with its place among the floats of its dtype.
    fn float(x: f64, bits: u64, width: u32) -> (f64, i128) {
        let magnitude = i128::from(bits & ((1 << (width - 1)) - 1));
        (x, if x.is_sign_negative() { -magnitude } else { magnitude })
    }
    let f32s = |x: f32| float(x.into(), x.to_bits().into(), 32);
    let f64s = |x: f64| float(x, x.to_bits(), 64);
    macro_rules! whole {
        ($t:ty) => {
            array.to_vec::<$t>().unwrap().into_iter().map(|i| (0.0, i as i128)).collect()
        };
    }
    match array.dtype() {
        Dtype::BOOL => whole!(bool),
        Dtype::INT8 => whole!(i8),
        Dtype::INT16 => whole!(i16),
        Dtype::INT32 => whole!(i32),
        Dtype::INT64 => whole!(i64),
        Dtype::UINT8 => whole!(u8),
        Dtype::UINT16 => whole!(u16),
        Dtype::UINT32 => whole!(u32),
        Dtype::UINT64 => whole!(u64),
        Dtype::BFLOAT16 => array
            .to_vec::<bf16>()
            .unwrap()
            .iter()
            .map(|x| float(x.to_f64(), x.to_bits().into(), 16))
            .collect(),
        Dtype::FLOAT16 => {
            array.to_vec::<f16>().unwrap().iter().map(|x| float(x.to_f64(), x.to_bits().into(), 16)).collect()
        }
        Dtype::FLOAT32 => array.to_vec::<f32>().unwrap().into_iter().map(f32s).collect(),
        Dtype::FLOAT64 => array.to_vec::<f64>().unwrap().into_iter().map(f64s).collect(),
        Dtype::COMPLEX64 => {
            array.to_vec::<Complex32>().unwrap().into_iter().flat_map(|z| [f32s(z.re), f32s(z.im)]).collect()
        }
        Dtype::COMPLEX128 => {
            array.to_vec::<Complex64>().unwrap().into_iter().flat_map(|z| [f64s(z.re), f64s(z.im)]).collect()
        }
        other => panic!("no comparison of {other}"),
    }
}

/// Where and how two arrays differ in dtype, shape or elements by more than allowed, or `None`.
pub fn difference(left: &HostArray, right: &HostArray, near: Near) -> Option<String> {
    if left.dtype() != right.dtype() || left.shape() != right.shape() {
        let name = |a: &HostArray| format!("{} {}", a.dtype(), a.shape());
        return Some(format!("{} is not {}", name(left), name(right)));
    }
    let dtype = right.dtype();
    let near = if dtype.is_bool() || dtype.is_int() { Near::Same } else { near };
    let (left, right) = (parts(left), parts(right));
    let width = if dtype.is_complex() { 2 } else { 1 };
    let norm = |i: usize| {
        let one = &right[i / width * width..][..width];
        one.iter().map(|p| p.0.abs()).filter(|x| x.is_finite()).fold(0.0, f64::max)
    };
    let eps = ivy_core::finfo(dtype).map_or(0.0, |info| info.eps);
    let norms: Vec<f64> = match near {
        Near::Norm(_) => (0..right.len()).map(norm).collect(),
        _ => vec![0.0; right.len()],
    };
    let pairs = left.into_iter().zip(right).zip(norms);
    type Part = (f64, i128);
    let wrong = |(((x, i), (y, j)), norm): ((Part, Part), f64)| {
        if x.is_nan() || y.is_nan() {
            return x.is_nan() != y.is_nan();
        }
        let signs = x == 0.0 && y == 0.0 && x.is_sign_negative() != y.is_sign_negative();
        match near {
            Near::Same => i != j || signs,
            Near::SameButZeros => i != j,
            Near::Ulp(most) => (i - j).abs() > i128::from(most) || signs,
            Near::Sum(most) if x.is_finite() && y.is_finite() => (x - y).abs() > most,
            Near::Norm(most) if x.is_finite() && y.is_finite() => (x - y).abs() > most * eps * norm || signs,
            Near::Sum(_) | Near::Norm(_) => x != y,
        }
    };
    let found = pairs.enumerate().find(|(_, p)| wrong(*p));
    found.map(|(at, ((x, y), _))| format!("part {at}: {x:?} is not {y:?}"))
}
