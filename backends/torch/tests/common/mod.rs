//! Operands with edge values, and comparison of host arrays.

#![allow(dead_code, reason = "each test program uses a part")]

use half::{bf16, f16};
use ivy_backend_torch::TorchBackend;
use ivy_core::backend::{Backend, Value};
use ivy_core::host::{HostArray, HostView};
use ivy_core::{Dims, Dtype, Op, Shape};
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
];

/// Ordinary floats, for sums: no overflow on the way.
pub const MILD: &[f64] = &[0.0, 1.0, -1.0, 0.5, 2.5, -3.25, 0.1, 7.0, 100.0, -0.003, 12.0, 1e-3];

fn ints(dtype: Dtype) -> Vec<i128> {
    let (min, max) = dtype.int_range().expect("an integer dtype");
    let mut all = vec![min, min + 1, max - 1, max, max / 2, 0, 1, 2, 3, 7, 8, 100, 127];
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

/// What the reference kernels give.
pub fn reference(op: &Op, operands: &[&HostArray]) -> ivy_core::Result<Vec<HostArray>> {
    let views: Vec<HostView<'_>> = operands.iter().map(|a| a.view()).collect();
    Ok(ivy_kernels::execute_views(op, &views)?.into_vec())
}

/// What torch gives, from and to host memory.
pub fn on_torch(op: &Op, operands: &[&Value]) -> ivy_core::Result<Vec<HostArray>> {
    let backend = TorchBackend::new().unwrap();
    let results = backend.execute(op, operands)?;
    results.iter().map(|v| backend.to_host(v)).collect()
}

/// The array in torch's memory.
pub fn stored(array: &HostArray) -> Value {
    TorchBackend::new().unwrap().from_host(array.clone()).expect("one of the fifteen dtypes")
}

/// The array in torch's memory, the other way round: strides that are not row-major.
pub fn transposed(array: &HostArray) -> Value {
    let order: Dims = (0..array.shape().len()).rev().collect();
    let turn = Op::PermuteDims { axes: order };
    let turned = reference(&turn, &[array]).expect("a permutation").remove(0);
    let value = stored(&turned);
    TorchBackend::new().unwrap().execute(&turn, &[&value]).expect("a permutation").remove(0)
}

/// The array in torch's memory, as part of a larger one.
pub fn inner(array: &HostArray) -> Value {
    let shape = array.shape();
    let Some(&last) = shape.last() else { return stored(array) };
    let op = Op::Concat { axis: shape.len() - 1 };
    let padded = reference(&op, &[array, array, array]).expect("equal shapes").remove(0);
    let whole = |&len: &usize| ivy_core::AxisSlice { start: 0, step: 1, len };
    let mut axes: Dims<ivy_core::AxisSlice> = shape.iter().map(whole).collect();
    axes[shape.len() - 1] = ivy_core::AxisSlice { start: last, step: 1, len: last };
    let value = stored(&padded);
    TorchBackend::new().unwrap().execute(&Op::Slice { axes }, &[&value]).expect("a range").remove(0)
}

/// How near two results must be.
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

/// Where and how two arrays differ by more than allowed, or `None`.
pub fn difference(left: &HostArray, right: &HostArray, near: Near) -> Option<String> {
    if left.dtype() != right.dtype() || left.shape() != right.shape() {
        let name = |a: &HostArray| format!("{} {}", a.dtype(), a.shape());
        return Some(format!("{} is not {}", name(left), name(right)));
    }
    let dtype = right.dtype();
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
