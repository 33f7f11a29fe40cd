//! The backend as the registry and users see it: names, versions, storage, conversion, errors.

use ivy_backend_candle::candle_core::{self, DType, Tensor, Var};
use ivy_backend_candle::{CandleBackend, FACTORY, VERSION, from_candle, to_candle};
use ivy_core::backend::{Backend, Storage, Support, backend};
use ivy_core::host::HostArray;
use ivy_core::{Array, Dtype, ErrorKind, Op, dtypes};

const CPU: candle_core::Device = candle_core::Device::Cpu;

#[test]
fn the_version_is_that_of_the_lock_file() {
    let lock = include_str!("../../../../Cargo.lock");
    let locked = lock.split("[[package]]").find(|p| p.contains("name = \"candle-core\"")).unwrap();
    assert!(locked.contains(&format!("version = \"{VERSION}\"")), "{locked}");
    assert_eq!(CandleBackend::new().version().to_string(), VERSION);
}

#[test]
fn it_registers_under_its_name() {
    let found = backend("candle").unwrap();
    assert_eq!((found.name(), found.devices()), ("candle", vec![ivy_core::Device::CPU]));
    assert!(backend("candle:cpu@0.11").is_ok());
    assert_eq!((FACTORY.name, FACTORY.priority), ("candle", 10));
    let error = backend("candle:cuda:1").unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::BackendUnavailable { name, .. } if name == "candle:cuda:1"));
}

#[test]
fn storage_is_that_of_the_decision() {
    let named = |d: Dtype| match CandleBackend::new().storage(d) {
        Storage::Native { name } => (name, true),
        Storage::Emulated { name, .. } => (name, false),
        Storage::None => ("", false),
    };
    let expected = [
        (dtypes::bool, "u8", false),
        (dtypes::int8, "i16", false),
        (dtypes::int16, "i16", true),
        (dtypes::int32, "i32", true),
        (dtypes::int64, "i64", true),
        (dtypes::uint8, "u8", true),
        (dtypes::uint16, "u32", false),
        (dtypes::uint32, "u32", true),
        (dtypes::uint64, "i64", false),
        (dtypes::bfloat16, "bf16", true),
        (dtypes::float16, "f16", true),
        (dtypes::float32, "f32", true),
        (dtypes::float64, "f64", true),
        (dtypes::complex64, "f32", false),
        (dtypes::complex128, "f64", false),
    ];
    for (dtype, name, native) in expected {
        assert_eq!(named(dtype), (name, native), "{dtype}");
    }
    assert_eq!(expected.len(), Dtype::all().filter(|&d| !named(d).0.is_empty()).count());
}

/// Address of a float32 tensor's first element.
fn address(tensor: &Tensor) -> usize {
    let (storage, layout) = tensor.storage_and_layout();
    let candle_core::Storage::Cpu(candle_core::CpuStorage::F32(x)) = &*storage else { panic!("{tensor}") };
    x[layout.start_offset()..].as_ptr() as usize
}

#[test]
fn tensors_convert_without_a_copy() {
    let tensor = Tensor::arange(0f32, 6.0, &CPU).unwrap().reshape((2, 3)).unwrap().t().unwrap();
    let array = from_candle(tensor.clone()).unwrap();
    assert_eq!((array.dtype(), &array.shape()[..]), (dtypes::float32, &[3, 2][..]));
    let back = to_candle(&array).unwrap();
    assert_eq!(address(&back), address(&tensor));
    assert_eq!(back.to_vec2::<f32>().unwrap(), tensor.to_vec2::<f32>().unwrap());
    let host = array.backend().to_host(array.value()).unwrap();
    assert_eq!(host.to_vec::<f32>().unwrap(), [0.0, 3.0, 1.0, 4.0, 2.0, 5.0]);
}

#[test]
fn candle_dtypes_map_to_their_meaning() {
    let of = |d: DType| from_candle(Tensor::zeros((2, 2), d, &CPU).unwrap()).unwrap().dtype();
    let all = [DType::U8, DType::U32, DType::I16, DType::I32, DType::I64];
    assert_eq!(all.map(of), [dtypes::uint8, dtypes::uint32, dtypes::int16, dtypes::int32, dtypes::int64]);
    let all = [DType::BF16, DType::F16, DType::F32, DType::F64];
    assert_eq!(all.map(of), [dtypes::bfloat16, dtypes::float16, dtypes::float32, dtypes::float64]);
    let small = Tensor::zeros(2, DType::F8E4M3, &CPU).unwrap();
    let error = from_candle(small).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::UnknownDtype { name, .. } if name == "f8e4m3"));
}

#[test]
fn a_variable_is_copied_and_leaves_its_graph() {
    let var = Var::new(&[1f32, 2.0], &CPU).unwrap();
    let array = from_candle(var.as_tensor().clone()).unwrap();
    let scaled = from_candle(var.as_tensor().affine(2.0, 0.0).unwrap()).unwrap();
    var.set(&Tensor::new(&[5f32, 6.0], &CPU).unwrap()).unwrap();
    assert_eq!(to_candle(&array).unwrap().to_vec1::<f32>().unwrap(), [1.0, 2.0]);
    assert!(!to_candle(&scaled).unwrap().track_op());
}

#[test]
fn emulated_dtypes_come_out_as_they_are_stored() {
    let shared = backend("candle").unwrap();
    let tensor = |array: HostArray| {
        let value = shared.from_host(array).unwrap();
        to_candle(&Array::from_value(shared.clone(), value)).unwrap()
    };
    let bools = tensor(HostArray::from_vec(vec![true, false], 2.into()).unwrap());
    assert_eq!(bools.to_vec1::<u8>().unwrap(), [1, 0]);
    let small = tensor(HostArray::from_vec(vec![i8::MIN, 5], 2.into()).unwrap());
    assert_eq!(small.to_vec1::<i16>().unwrap(), [-128, 5]);
    let wide = tensor(HostArray::from_vec(vec![u64::MAX], 1.into()).unwrap());
    assert_eq!(wide.to_vec1::<i64>().unwrap(), [-1]);
    let z = num_complex::Complex32::new(1.0, -2.0);
    let complex = tensor(HostArray::from_vec(vec![z], 1.into()).unwrap());
    assert_eq!(complex.to_vec2::<f32>().unwrap(), [[1.0, -2.0]]);
}

#[test]
fn what_is_native_and_what_is_not() {
    use ivy_core::{BinaryOp, UnaryOp};
    let backend = CandleBackend::new();
    let add = |d| backend.support(&Op::Binary(BinaryOp::Add), &[d, d]);
    assert_eq!(add(Dtype::FLOAT32), Support::Native);
    assert!(matches!(add(Dtype::BOOL), Support::Emulated(_)));
    assert!(matches!(add(Dtype::INT64), Support::Host(_)));
    assert!(matches!(backend.support(&Op::Unary(UnaryOp::Round), &[Dtype::FLOAT32]), Support::Host(_)));
    let max = Op::Binary(BinaryOp::Maximum);
    assert!(matches!(backend.support(&max, &[Dtype::FLOAT64; 2]), Support::Host(_)));
    assert_eq!(backend.support(&max, &[Dtype::INT32; 2]), Support::Native);
}
