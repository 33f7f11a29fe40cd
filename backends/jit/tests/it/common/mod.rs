//! Running kernels by both generators.
#![allow(dead_code)]

pub mod arrays;
pub mod both;
pub mod device;
pub mod flow;
pub mod kernels;

use ivy_backend_jit::codegen::{Code, interp, llvm};
use ivy_backend_jit::ir::{Access, Kernel, Type};
use ivy_backend_jit::runtime::cpu::{Space, launch};
use ivy_core::Dtype;
use ivy_core::host::{HostArray, HostView};
use num_complex::Complex32;

/// Edge values of a type, as bits, and some between.
pub fn edges(ty: Type) -> Vec<u64> {
    let bits = ty.bits();
    match ty {
        Type::Bool => vec![0, 1],
        Type::F32 => {
            let mut list: Vec<f32> =
                vec![0.0, 1.0, 0.5, 1.5, 2.5, 0.1, 3.9, 127.5, 128.0, 255.5, 256.0, 32767.5];
            list.extend([
                65535.9,
                65536.0,
                2147483520.0,
                2147483648.0,
                4294967040.0,
                4294967296.0,
                16777217.0,
            ]);
            list.extend([
                9.2233715e18,
                9.223372e18,
                1.8446743e19,
                1.8446744e19,
                1e-40,
                f32::MIN_POSITIVE,
                3e38,
            ]);
            list.extend([f32::INFINITY, f32::NAN, 8388607.5, 1e10]);
            list.iter().flat_map(|&x| [x, -x]).map(|x| u64::from(x.to_bits())).collect()
        }
        Type::F64 => {
            let mut list: Vec<f64> =
                vec![0.0, 1.0, 0.5, 1.5, 2.5, 0.1, 3.9, 127.5, 128.0, 255.5, 256.0, 32767.5];
            list.extend([
                65535.9,
                2147483647.5,
                2147483648.0,
                4294967295.5,
                4294967296.0,
                9007199254740993.0,
            ]);
            list.extend([
                9.223372036854775e18,
                9.223372036854776e18,
                1.844674407370955e19,
                1.8446744073709552e19,
            ]);
            list.extend([
                1e-40,
                1e-310,
                1e300,
                f64::INFINITY,
                f64::NAN,
                65520.0,
                65519.99999999999,
                1.0 + 1e-9,
            ]);
            list.extend([1.000_488_281_25, 1.000_488_281_250_000_2, 3.4028235677973366e38, 2f64.powi(-24)]);
            list.iter().flat_map(|&x| [x, -x]).map(f64::to_bits).collect()
        }
        _ => {
            let top = 1u64 << (bits - 1);
            let mut list = vec![0, 1, 2, 3, 5, 7, 8, 10, 15, 16, 17, 31, 33, 63, 64, 65, 100, 127];
            list.extend([
                top,
                top - 1,
                top + 1,
                ty.mask(),
                ty.mask() - 1,
                ty.mask() - 6,
                top / 3,
                0x5555_5555_5555_5555,
            ]);
            list.extend([0x0020_0000_0000_0001, 0xffff_ff7f_ffff_ffff, 0x0100_0001]);
            list.iter().map(|x| x & ty.mask()).collect()
        }
    }
}

pub fn dtype(ty: Type) -> Dtype {
    match ty {
        Type::Bool => Dtype::BOOL,
        Type::I8 => Dtype::INT8,
        Type::I16 => Dtype::INT16,
        Type::I32 => Dtype::INT32,
        Type::I64 => Dtype::INT64,
        Type::U8 => Dtype::UINT8,
        Type::U16 => Dtype::UINT16,
        Type::U32 => Dtype::UINT32,
        Type::U64 => Dtype::UINT64,
        Type::F32 => Dtype::FLOAT32,
        Type::F64 => Dtype::FLOAT64,
    }
}

/// Numbers as an array of a type's elements.
pub fn array(ty: Type, values: &[u64]) -> HostArray {
    let shape = [values.len()].into();
    let bytes: Vec<u8> = values.iter().flat_map(|v| v.to_ne_bytes()[..ty.bytes()].to_vec()).collect();
    let buffer = ivy_core::host::Buffer::copy_from(&bytes).unwrap();
    HostArray::new(buffer, dtype(ty), shape).unwrap()
}

pub fn numbers(ty: Type, bytes: &[u8]) -> Vec<u64> {
    let number = |b: &[u8]| b.iter().rev().fold(0u64, |n, &b| n << 8 | u64::from(b));
    bytes.chunks_exact(ty.bytes()).map(number).collect()
}

/// The generators that there are.
pub fn generators(kernel: &Kernel) -> Vec<(&'static str, Box<dyn Code>)> {
    let mut list: Vec<(&'static str, Box<dyn Code>)> =
        vec![("interp", Box::new(interp::Program::new(kernel)))];
    match llvm::llvm() {
        Ok(found) => list.push((
            "llvm",
            Box::new(llvm::compile(found, kernel, llvm::Effort::Usual).expect("it compiles")),
        )),
        Err(missing) => panic!("these tests need a libLLVM: {missing}"),
    }
    list
}

fn nan_free(ty: Type, bits: u64) -> u64 {
    match ty {
        Type::F32 if f32::from_bits(bits as u32).is_nan() => 0x7fc0_0000,
        Type::F64 if f64::from_bits(bits).is_nan() => 0x7ff8_0000_0000_0000,
        _ => bits,
    }
}

/// Runs a kernel of linear inputs and one result by each generator: the same bits, but for NaN's.
pub fn run_both(kernel: &Kernel, inputs: &[Vec<u64>]) -> Vec<u64> {
    let arrays: Vec<HostArray> =
        inputs.iter().zip(&kernel.params).map(|(values, p)| array(p.ty, values)).collect();
    let views: Vec<HostView<'_>> = arrays.iter().map(HostArray::view).collect();
    let space = Space::new(&[inputs[0].len()], &views).unwrap();
    let out = kernel.params.iter().find(|p| p.access == Access::Out).unwrap();
    let mut results: Vec<Vec<u64>> = Vec::new();
    for (_, code) in generators(kernel) {
        let buffers = launch(&*code, &kernel.params, &space, true).unwrap();
        results.push(numbers(out.ty, buffers[0].buffer.bytes()));
    }
    for (i, (&a, &b)) in results[0].iter().zip(&results[1]).enumerate() {
        assert_eq!(nan_free(out.ty, a), nan_free(out.ty, b), "element {i} of\n{kernel}");
    }
    results.remove(0)
}

/// The kernel of `pairs_strides_and_uniform_inputs`, over rows.
pub fn check_pairs(kernel: &Kernel) {
    let z = |i: usize| Complex32::new(i as f32, 0.5 - i as f32);
    let shape = [3usize, 37];
    let linear = HostArray::from_vec((0..111).map(z).collect(), shape.into()).unwrap();
    let strided = HostArray::from_vec((0..400).map(z).collect(), [400].into()).unwrap();
    let row = HostArray::from_vec(vec![1.0f32, 2.0, 3.0], [3].into()).unwrap();
    let strided_view =
        HostView::new(strided.buffer().bytes(), Dtype::COMPLEX64, &shape, &[1, -3], 120).unwrap();
    let row_view = HostView::new(row.buffer().bytes(), Dtype::FLOAT32, &shape, &[1, 0], 0).unwrap();
    let space = Space::new(&shape, &[linear.view(), strided_view, row_view]).unwrap();
    for (name, code) in generators(kernel) {
        let buffers = launch(&*code, &kernel.params, &space, true).unwrap();
        let got: Vec<f32> = buffers[0]
            .buffer
            .bytes()
            .chunks_exact(4)
            .map(|b| f32::from_ne_bytes(b.try_into().unwrap()))
            .collect();
        for i in 0..111 {
            let (r, c) = (i / 37, i % 37);
            let (a, s, scale) = (z(i), z(120 + r - 3 * c), (r + 1) as f32 * 2.0);
            assert_eq!(got[2 * i], (a.re + s.im) * scale, "{name} {i}");
            assert_eq!(got[2 * i + 1], a.im - s.re, "{name} {i}");
        }
    }
}
