//! The backend as the registry and users see it: names, versions, storage, conversion, errors.
#![cfg(feature = "libtorch")]

use ivy_backend_suite::{Near, difference, edges, reference};
use ivy_backend_torch::tch::{self, Kind, Tensor};
use ivy_backend_torch::{FACTORY, TorchBackend, VERSION, from_torch, to_torch};
use ivy_core::backend::{Backend, Storage, Support, Value, backend};
use ivy_core::host::HostArray;
use ivy_core::{Array, Dtype, ErrorKind, Op, Scalar, dtypes};
use std::error::Error;

/// The array in libtorch's memory.
fn stored(array: &HostArray) -> Value {
    TorchBackend::new().unwrap().from_host(array.clone()).unwrap()
}

#[test]
fn tch_is_the_one_for_this_libtorch() {
    let lock = include_str!("../../../../Cargo.lock");
    let locked = lock.split("[[package]]").find(|p| p.contains("name = \"torch-sys\"")).unwrap();
    assert!(locked.contains("version = \"0.26.0\""), "which wants libtorch {VERSION}: {locked}");
    assert_eq!(TorchBackend::new().unwrap().version().to_string(), VERSION);
}

#[test]
fn it_registers_under_its_name() {
    let found = backend("torch").unwrap();
    assert_eq!((found.name(), found.devices()[0]), ("torch", ivy_core::Device::CPU));
    assert!(backend("torch:cpu@2.13").is_ok());
    assert_eq!((FACTORY.name, FACTORY.priority), ("torch", 20));
    for name in ["torch:cuda:99", "torch:metal", "torch:cpu:1"] {
        let error = backend(name).unwrap_err();
        assert!(
            matches!(error.kind(), ErrorKind::BackendUnavailable { name: n, .. } if n == name),
            "{error}"
        );
    }
    assert!(matches!(backend("torch@1.12.1").unwrap_err().kind(), ErrorKind::BackendUnavailable { .. }));
}

#[test]
fn every_dtype_is_stored_as_itself() {
    for dtype in Dtype::all().take(15) {
        let Storage::Native { name } = TorchBackend::new().unwrap().storage(dtype) else { panic!("{dtype}") };
        assert_eq!(name, format!("torch.{dtype}"));
    }
}

#[test]
fn tensors_convert_without_a_copy() {
    let tensor = Tensor::f_from_slice(&[0f32, 1.0, 2.0, 3.0, 4.0, 5.0]).unwrap();
    let tensor = tensor.f_reshape([2, 3]).unwrap().f_transpose(0, 1).unwrap();
    let array = from_torch(tensor.shallow_clone()).unwrap();
    assert_eq!((array.dtype(), &array.shape()[..]), (dtypes::float32, &[3, 2][..]));
    let back = to_torch(&array).unwrap();
    assert_eq!(back.data_ptr(), tensor.data_ptr());
    assert_eq!(back.size(), [3, 2]);
    assert_eq!(array.to_vec::<f32>().unwrap(), [0.0, 3.0, 1.0, 4.0, 2.0, 5.0]);
    let one = from_torch(Tensor::f_from_slice(&[true]).unwrap()).unwrap();
    assert_eq!((one.dtype(), one.to_vec::<bool>().unwrap()), (dtypes::bool, vec![true]));
}

#[test]
fn the_unsigned_dtypes_that_tch_has_no_name_for_convert() {
    for (dtype, width) in [(dtypes::uint16, 2), (dtypes::uint32, 4), (dtypes::uint64, 8)] {
        let array = edges(dtype, [5], 0);
        let shared = backend("torch").unwrap();
        let value = shared.from_host(array.clone()).unwrap();
        let tensor = to_torch(&Array::from_value(shared, value)).unwrap();
        assert!(tensor.f_kind().is_err());
        let again = from_torch(tensor).unwrap();
        assert_eq!((again.dtype(), again.dtype().bytes()), (dtype, width));
        assert_eq!(difference(&again.to_host().unwrap(), &array, Near::Same), None);
    }
}

#[test]
fn tensors_that_ivy_cannot_take_are_refused() {
    let kind = |tensor: Tensor| format!("{:?}", from_torch(tensor).unwrap_err().kind());
    assert!(kind(Tensor::new()).contains("undefined"));
    let half = tch::Kind::ComplexHalf;
    let small = Tensor::f_zeros([2], (half, tch::Device::Cpu)).unwrap();
    assert!(kind(small).contains("UnknownDtype"));
    let sparse = Tensor::f_from_slice(&[0f32, 1.0]).unwrap().f_to_sparse_sparse_dim(1);
    assert!(kind(sparse.unwrap()).contains("another layout"));
}

#[test]
fn gradients_lazy_signs_and_odd_bools_do_not_come_in() {
    let variable = Tensor::f_from_slice(&[1f32, 2.0]).unwrap().f_set_requires_grad(true).unwrap();
    let array = from_torch(variable.shallow_clone()).unwrap();
    let _ = tch::no_grad(|| variable.shallow_clone().f_fill_tensor_(&Tensor::from(7f32))).unwrap();
    assert_eq!(array.to_vec::<f32>().unwrap(), [1.0, 2.0]);
    assert!(!to_torch(&array).unwrap().requires_grad());

    let z = Tensor::f_complex(&Tensor::from(1f64), &Tensor::from(2f64)).unwrap();
    let conjugate = from_torch(z.f_conj().unwrap()).unwrap();
    let host = conjugate.to_vec::<num_complex::Complex64>().unwrap();
    assert_eq!(host, [num_complex::Complex64::new(1.0, -2.0)]);
    let negative = from_torch(z.f_conj().unwrap().f_imag().unwrap()).unwrap();
    assert_eq!(negative.to_vec::<f64>().unwrap(), [-2.0]);

    let odd = Tensor::f_from_slice(&[0u8, 1, 2, 255]).unwrap().f_view_dtype(Kind::Bool).unwrap();
    let array = from_torch(odd).unwrap();
    assert_eq!(array.to_vec::<bool>().unwrap(), [false, true, true, true]);
    let bytes = to_torch(&array).unwrap().f_view_dtype(Kind::Uint8).unwrap();
    assert_eq!(Vec::<u8>::try_from(bytes).unwrap(), [0, 1, 1, 1]);
}

#[test]
fn a_write_is_seen_through_its_own_handle_only() {
    let backend = TorchBackend::new().unwrap();
    let axis = |start, step, len| ivy_core::AxisSlice { start, step, len };
    let write = Op::SetSlice { axes: [axis(3, -2, 2)].into_iter().collect() };
    for dtype in Dtype::all().take(15) {
        let (old, new) = (edges(dtype, [5], 0), edges(dtype, [2], 3));
        let expected = reference(&write, &[&old, &new]).unwrap().remove(0);
        let host = |v| backend.to_host(v).unwrap();
        let same = |a: &HostArray, b: &HostArray| assert_eq!(difference(a, b, Near::Same), None);

        let mut alone = stored(&old);
        backend.execute_in_place(&write, &mut alone, &[&stored(&new)]).unwrap();
        same(&host(&alone), &expected);

        // A clone, a view that was made before, a tensor of the user's.
        let mut target = stored(&old);
        let clone = target.clone();
        let view = Op::Slice { axes: [axis(0, 1, 5)].into_iter().collect() };
        let view = backend.execute(&view, &[&target]).unwrap().remove(0);
        backend.execute_in_place(&write, &mut target, &[&stored(&new)]).unwrap();
        same(&host(&target), &expected);
        same(&host(&clone), &old);
        drop(clone);
        let mut target = view;
        let outside =
            to_torch(&Array::from_value(ivy_core::backend::backend("torch").unwrap(), target.clone()));
        backend.execute_in_place(&write, &mut target, &[&stored(&new)]).unwrap();
        same(&from_torch(outside.unwrap()).unwrap().to_host().unwrap(), &old);
    }
}

#[test]
fn memory_that_libtorch_does_not_get_is_the_typed_error() {
    let op = Op::Full { shape: [1 << 50].into(), dtype: Dtype::FLOAT32, value: Scalar::Float(1.5) };
    let error = TorchBackend::new().unwrap().execute(&op, &[]).unwrap_err();
    assert!(
        matches!(error.kind(), ErrorKind::MemoryLimit { function: "full", bytes, .. } if *bytes == 1 << 52)
    );
}

#[test]
fn a_failure_inside_libtorch_is_one_line_and_leaves_no_trace() {
    // More bytes than can be counted.
    let op = Op::Full { shape: [1 << 62].into(), dtype: Dtype::FLOAT32, value: ivy_core::Scalar::Int(1) };
    let error = TorchBackend::new().unwrap().execute(&op, &[]).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::BackendFailure { .. }), "{error}");
    let said = error.source().unwrap().to_string();
    assert!(!said.is_empty() && !said.contains('\n') && !said.contains("frame #"), "{said}");
    let x = stored(&edges(Dtype::FLOAT32, [3], 0));
    assert!(TorchBackend::new().unwrap().execute(&Op::Binary(ivy_core::BinaryOp::Add), &[&x, &x]).is_ok());
}

#[test]
fn what_is_native_and_what_is_not() {
    use ivy_core::{BinaryOp, UnaryOp};
    let backend = TorchBackend::new().unwrap();
    let add = |d| backend.support(&Op::Binary(BinaryOp::Add), &[d, d]);
    assert_eq!(add(Dtype::FLOAT32), Support::Native);
    assert_eq!(add(Dtype::BOOL), Support::Native);
    assert!(matches!(add(Dtype::UINT64), Support::Emulated(_)));
    assert!(matches!(add(Dtype::COMPLEX64), Support::Emulated(_)));
    let divide = Op::Binary(BinaryOp::FloorDivide);
    assert!(matches!(backend.support(&divide, &[Dtype::INT64; 2]), Support::Host(_)));
    assert!(matches!(backend.support(&Op::Unary(UnaryOp::Sign), &[Dtype::FLOAT32]), Support::Host(_)));
    assert_eq!(backend.support(&Op::Unary(UnaryOp::Round), &[Dtype::FLOAT32]), Support::Native);
}
