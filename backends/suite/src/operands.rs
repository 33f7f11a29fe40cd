//! Operands: the edge values of each dtype, and ordinary ones.

use half::{bf16, f16};
use ivy_core::host::HostArray;
use ivy_core::{Dtype, Shape};
use num_complex::{Complex, Complex32, Complex64};

/// Edge values of floats; each dtype takes what it makes of them.
pub const FLOATS: &[f64] = &[
    0.0,
    -0.0,
    1.0,
    -1.0,
    0.5,
    -0.5,
    1.5,
    2.5,
    -2.5,
    3.7,
    -1e-3,
    0.1,
    255.0,
    256.5,
    -129.0,
    65504.0,
    65520.0,
    1e5,
    2147483648.0,
    -9.3e18,
    1.9e19,
    3.0e38,
    1e300,
    -1.7976931348623157e308,
    6.0e-8,
    -1e-40,
    1.1754943e-38,
    5e-324,
    f64::INFINITY,
    f64::NEG_INFINITY,
    f64::NAN,
    20.0,
    -20.0,
    1.000_488_281_250_001,
];

/// Ordinary floats, for sums: no overflow on the way.
pub const MILD: &[f64] = &[0.0, 1.0, -1.0, 0.5, 2.5, -3.25, 0.1, 7.0, 100.0, -0.003, 12.0, 1e-3];

fn ints(dtype: Dtype) -> Vec<i128> {
    let (min, max) = dtype.int_range().expect("an integer dtype");
    let mut all = vec![min, min + 1, max - 1, max, max / 2, 0, 1, 2, 3, 7, 8, 31, 63, 100, 127];
    if min < 0 {
        all.extend([-1, -2, -3, -100, -128]);
    }
    all.retain(|i| (min..=max).contains(i));
    all
}

/// `shape` filled with the dtype's edge values in turn, from the `from`-th on.
pub fn edges(dtype: Dtype, shape: impl Into<Shape>, from: usize) -> HostArray {
    filled(dtype, shape.into(), from, FLOATS)
}

/// Likewise, with ordinary floats.
pub fn mild(dtype: Dtype, shape: impl Into<Shape>, from: usize) -> HostArray {
    filled(dtype, shape.into(), from, MILD)
}

fn filled(dtype: Dtype, shape: Shape, from: usize, floats: &[f64]) -> HostArray {
    let n = shape.size();
    macro_rules! cycle {
        ($all:expr, $convert:expr) => {{
            let all = $all;
            let values = (from..from + n).map(|i| $convert(all[i % all.len()])).collect();
            HostArray::from_vec(values, shape).expect("as many values as the shape has")
        }};
    }
    match dtype {
        Dtype::BOOL => cycle!([true, false, false, true, true], |b: bool| b),
        Dtype::INT8 => cycle!(ints(dtype), |i| i as i8),
        Dtype::INT16 => cycle!(ints(dtype), |i| i as i16),
        Dtype::INT32 => cycle!(ints(dtype), |i| i as i32),
        Dtype::INT64 => cycle!(ints(dtype), |i| i as i64),
        Dtype::UINT8 => cycle!(ints(dtype), |i| i as u8),
        Dtype::UINT16 => cycle!(ints(dtype), |i| i as u16),
        Dtype::UINT32 => cycle!(ints(dtype), |i| i as u32),
        Dtype::UINT64 => cycle!(ints(dtype), |i| i as u64),
        Dtype::BFLOAT16 => cycle!(floats, bf16::from_f64),
        Dtype::FLOAT16 => cycle!(floats, f16::from_f64),
        Dtype::FLOAT32 => cycle!(floats, |x| x as f32),
        Dtype::FLOAT64 => cycle!(floats, |x| x),
        Dtype::COMPLEX64 => {
            let values =
                (from..from + n).map(|i| pair(floats, i)).map(|z| Complex32::new(z.re as f32, z.im as f32));
            HostArray::from_vec(values.collect(), shape).expect("as many values as the shape has")
        }
        Dtype::COMPLEX128 => {
            let values = (from..from + n).map(|i| pair(floats, i));
            HostArray::from_vec(values.collect(), shape).expect("as many values as the shape has")
        }
        other => panic!("no values for {other}"),
    }
}

/// All pairs of edge values, as complex numbers.
pub fn grid(dtype: Dtype) -> HostArray {
    let parts = |i: usize| Complex::new(FLOATS[i / FLOATS.len()], FLOATS[i % FLOATS.len()]);
    let all: Vec<Complex64> = (0..FLOATS.len() * FLOATS.len()).map(parts).collect();
    let shape: Shape = [all.len()].into();
    match dtype {
        Dtype::COMPLEX64 => {
            let values = all.iter().map(|z| Complex32::new(z.re as f32, z.im as f32)).collect();
            HostArray::from_vec::<Complex32>(values, shape).expect("as many values as the shape has")
        }
        _ => HostArray::from_vec(all, shape).expect("as many values as the shape has"),
    }
}

fn pair(floats: &[f64], i: usize) -> Complex64 {
    Complex::new(floats[i % floats.len()], floats[(i * 7 + 3) % floats.len()])
}
