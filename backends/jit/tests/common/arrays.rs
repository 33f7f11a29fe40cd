//! Operands with edge values, and comparison of host arrays by bits.
#![allow(dead_code)]

use ivy_backend_jit::JitBackend;
use ivy_backend_jit::cache::Generator;
use ivy_backend_jit::codegen::llvm;
use ivy_core::backend::{Backend, Value};
use ivy_core::host::{HostArray, HostView};
use ivy_core::{Dims, Dtype, Op, Scalar, Shape};

const FLOATS: &[f64] = &[
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

/// The value number `i` of a dtype.
fn edge(dtype: Dtype, i: usize) -> Scalar {
    if let Some((min, max)) = dtype.int_range() {
        let all = [min, min + 1, max - 1, max, max / 2, 0, 1, 2, 3, 7, 8, 100, 127, 31, 63, -1, -2, -3, -100];
        return Scalar::Int(all[i % all.len()].clamp(min, max));
    }
    let (x, y) = (FLOATS[i % FLOATS.len()], FLOATS[(i * 7 + 3) % FLOATS.len()]);
    match (dtype.is_bool(), dtype.is_complex()) {
        (true, _) => Scalar::Bool((i * i).is_multiple_of(3)),
        (_, true) => Scalar::Complex(num_complex::Complex64::new(x, y)),
        _ => Scalar::Float(x),
    }
}

/// `shape` filled with the dtype's edge values, from the `from`-th on.
pub fn edges(dtype: Dtype, shape: impl Into<Shape>, from: usize) -> HostArray {
    let shape = shape.into();
    let mut bytes = Vec::new();
    for i in from..from + shape.size() {
        let op = Op::Full { shape: Shape::default(), dtype, value: edge(dtype, i) };
        let one = ivy_kernels::execute_views(&op, &[]).unwrap().remove(0);
        bytes.extend_from_slice(one.view().contiguous_bytes().unwrap());
    }
    let buffer = ivy_core::host::Buffer::copy_from(&bytes).unwrap();
    HostArray::new(buffer, dtype, shape).unwrap()
}

/// The same elements in another order in memory: the first axis runs fastest, backwards.
pub fn turned(array: &HostArray) -> HostArray {
    let mut strides = Dims::<isize>::from_elem(0, array.shape().len());
    let mut step = -1;
    for (stride, &length) in strides.iter_mut().zip(array.shape().iter()) {
        *stride = step;
        step *= length as isize;
    }
    let size = array.shape().size();
    let width = array.dtype().bytes();
    let mut bytes = vec![0; size * width];
    let all = array.view().contiguous_bytes().unwrap();
    let mut at = 0;
    ivy_core::host::for_each_offset(array.shape(), &strides, |o| {
        let to = (size as isize - 1 + o) as usize * width;
        bytes[to..to + width].copy_from_slice(&all[at * width..][..width]);
        at += 1;
    });
    let buffer = ivy_core::host::Buffer::copy_from(&bytes).unwrap();
    let shape = array.shape().clone();
    HostArray::from_parts(buffer, array.dtype(), shape, strides, size.saturating_sub(1)).unwrap()
}

/// A backend for each generator.
pub fn backends() -> Vec<(&'static str, JitBackend)> {
    let found = llvm::llvm().unwrap_or_else(|missing| panic!("these tests need a libLLVM: {missing}"));
    vec![("interp", JitBackend::new(Generator::Interp)), ("llvm", JitBackend::new(Generator::Llvm(found)))]
}

/// What the reference kernels give.
pub fn reference(op: &Op, operands: &[&HostArray]) -> Vec<HostArray> {
    let views: Vec<HostView<'_>> = operands.iter().map(|a| a.view()).collect();
    ivy_kernels::execute_views(op, &views).unwrap().into_vec()
}

/// Runs one op.
pub fn run(backend: &JitBackend, op: &Op, operands: &[&HostArray]) -> HostArray {
    let values: Vec<Value> = operands.iter().map(|&a| backend.from_host(a.clone()).unwrap()).collect();
    let values: Vec<&Value> = values.iter().collect();
    let result = backend.execute(op, &values).unwrap().remove(0);
    backend.to_host(&result).unwrap()
}

/// The bytes of each part, with one NaN for all.
fn parts(array: &HostArray) -> Vec<Vec<u8>> {
    let array = ivy_kernels::to_contiguous(array.view()).unwrap();
    let part = array.dtype().real_part();
    let bytes = array.view().contiguous_bytes().unwrap();
    let is_nan = |b: &[u8]| match part {
        Dtype::FLOAT32 => f32::from_ne_bytes(b.try_into().unwrap()).is_nan(),
        Dtype::FLOAT64 => f64::from_ne_bytes(b.try_into().unwrap()).is_nan(),
        Dtype::FLOAT16 => half::f16::from_ne_bytes(b.try_into().unwrap()).is_nan(),
        Dtype::BFLOAT16 => half::bf16::from_ne_bytes(b.try_into().unwrap()).is_nan(),
        _ => false,
    };
    bytes.chunks(part.bytes()).map(|b| if is_nan(b) { b"NaN".to_vec() } else { b.to_vec() }).collect()
}

/// Panics where two arrays differ in a bit that is not NaN's.
#[track_caller]
pub fn same(got: &HostArray, want: &HostArray, what: &dyn Fn() -> String) {
    assert_eq!((got.dtype(), got.shape()), (want.dtype(), want.shape()), "{}", what());
    let (a, b) = (parts(got), parts(want));
    if let Some(i) = (0..a.len()).find(|&i| a[i] != b[i]) {
        panic!("{}: part {i}: {:x?}, not {:x?}", what(), a[i], b[i]);
    }
}

/// Panics where two arrays of floats differ by more than four units in the last place, in the
/// sign of a zero, or in what is no finite number.
#[track_caller]
pub fn near(got: &HostArray, want: &HostArray, what: &dyn Fn() -> String) {
    assert_eq!((got.dtype(), got.shape()), (want.dtype(), want.shape()), "{}", what());
    for (i, (a, b)) in parts(got).into_iter().zip(parts(want)).enumerate() {
        let place = |bytes: &[u8]| {
            let bits = bytes.iter().rev().fold(0i64, |n, &b| n << 8 | i64::from(b));
            // In the order of the numbers: negative ones count downwards.
            let sign = 1i64 << (8 * bytes.len() - 1);
            if bits & sign == 0 { bits } else { -(bits ^ sign) - 1 }
        };
        let is_nan = a.len() == 3 || b.len() == 3;
        let close =
            a == b || !is_nan && (place(&a) - place(&b)).abs() <= 4 && (place(&a) < 0) == (place(&b) < 0);
        assert!(close, "{}: part {i}: {a:x?}, not {b:x?}", what());
    }
}
