//! Arrays are values: writes go in place only where nobody can see it, and memory is shared
//! wherever nothing is written.

use ivy_backend_ndarray::ndarray::{Array as NdArray, Array2, Axis, ShapeBuilder, array, s};
use ivy_backend_ndarray::{FACTORY, convert};
use ivy_core::backend::{Storage, Value, backend, register};
use ivy_core::host::HostArray;
use ivy_core::*;
use smallvec::smallvec;

fn value(values: Vec<i32>) -> Value {
    // A computed array owns its memory; one from a vector borrows it.
    let n = values.len();
    let host = HostArray::from_vec(values, [n].into()).unwrap();
    let own = ivy_kernels::to_contiguous(host.view()).unwrap();
    backend("ndarray").unwrap().from_host(own).unwrap()
}

fn address(value: &Value) -> *const u8 {
    backend("ndarray").unwrap().to_host(value).unwrap().view().as_ptr()
}

fn ints(value: &Value) -> Vec<i32> {
    backend("ndarray").unwrap().to_host(value).unwrap().to_vec().unwrap()
}

fn writes() -> Vec<(Op, Vec<Value>)> {
    let index = HostArray::from_vec(vec![1i64], [1].into()).unwrap();
    let index = backend("ndarray").unwrap().from_host(index).unwrap();
    vec![
        (Op::SetSlice { axes: smallvec![AxisSlice { start: 1, step: 1, len: 1 }] }, vec![value(vec![9])]),
        (Op::Scatter { axes: 1, op: ScatterOp::Set }, vec![value(vec![9]), index.clone()]),
        (Op::Scatter { axes: 1, op: ScatterOp::Add }, vec![value(vec![7]), index]),
    ]
}

#[test]
fn a_given_up_array_is_written_in_place() {
    let ndarray = backend("ndarray").unwrap();
    for (op, rest) in writes() {
        let rest: Vec<&Value> = rest.iter().collect();
        let mut x = value(vec![1, 2, 3]);
        let before = address(&x);
        ndarray.execute_in_place(&op, &mut x, &rest).unwrap();
        assert_eq!((ints(&x), address(&x)), (vec![1, 9, 3], before), "{op:?}");
    }
}

#[test]
fn no_write_shows_through_another_handle() {
    let ndarray = backend("ndarray").unwrap();
    for (op, rest) in writes() {
        let rest: Vec<&Value> = rest.iter().collect();
        // Another handle to the array.
        let mut x = value(vec![1, 2, 3]);
        let other = x.clone();
        ndarray.execute_in_place(&op, &mut x, &rest).unwrap();
        assert_eq!((ints(&x), ints(&other)), (vec![1, 9, 3], vec![1, 2, 3]), "{op:?}");
        // A view of the array's memory.
        let mut x = value(vec![1, 2, 3]);
        let back = Op::Slice { axes: smallvec![AxisSlice { start: 2, step: -1, len: 3 }] };
        let view = ndarray.execute(&back, &[&x]).unwrap().remove(0);
        assert!(address(&view) > address(&x));
        ndarray.execute_in_place(&op, &mut x, &rest).unwrap();
        assert_eq!((ints(&x), ints(&view)), (vec![1, 9, 3], vec![3, 2, 1]), "{op:?}");
        // Exported host memory.
        let mut x = value(vec![1, 2, 3]);
        let exported = ndarray.to_host(&x).unwrap();
        ndarray.execute_in_place(&op, &mut x, &rest).unwrap();
        assert_eq!((ints(&x), exported.to_vec().unwrap()), (vec![1, 9, 3], vec![1, 2, 3]), "{op:?}");
        // Memory of someone else's: never written.
        let foreign = HostArray::from_vec(vec![1, 2, 3], [3].into()).unwrap();
        let start = foreign.view().as_ptr();
        let mut x = ndarray.from_host(foreign).unwrap();
        ndarray.execute_in_place(&op, &mut x, &rest).unwrap();
        assert_eq!(ints(&x), [1, 9, 3], "{op:?}");
        assert_ne!(address(&x), start);
        // An element that stands for several: copied, though nobody else holds it.
        let one = value(vec![5]);
        let mut wide = ndarray.execute(&Op::BroadcastTo { shape: [3].into() }, &[&one]).unwrap().remove(0);
        drop(one);
        ndarray.execute_in_place(&op, &mut wide, &rest).unwrap();
        assert_eq!((ints(&wide)[0], ints(&wide)[2]), (5, 5), "{op:?}");
    }
}

#[test]
fn a_failed_write_leaves_the_array() {
    let ndarray = backend("ndarray").unwrap();
    let (mut x, mut shared) = (value(vec![1, 2, 3]), value(vec![1, 2, 3]));
    let kept = shared.clone();
    let index = HostArray::from_vec(vec![0i64, 3], [2].into()).unwrap();
    let index = ndarray.from_host(index).unwrap();
    let op = Op::Scatter { axes: 1, op: ScatterOp::Set };
    for x in [&mut x, &mut shared] {
        let error = ndarray.execute_in_place(&op, x, &[&value(vec![8, 8]), &index]).unwrap_err();
        assert!(matches!(error.kind(), ErrorKind::IndexOutOfRange { index: 3, position: Some(1), .. }));
        assert_eq!(ints(x), [1, 2, 3]);
    }
    assert_eq!(ints(&kept), [1, 2, 3]);
}

#[test]
fn ndarrays_come_and_go_without_a_copy() {
    let rows = Array2::from_shape_fn((3, 4), |(i, j)| (i * 4 + j) as f32);
    let columns = Array2::from_shape_fn((3, 4).f(), |(i, j)| (i * 4 + j) as f32);
    let mut backwards = rows.clone();
    backwards.invert_axis(Axis(1));
    let part = rows.clone().slice_move(s![1.., 1..;2]);
    let transposed = NdArray::from_iter(0..24).into_shape_with_order((2, 3, 4)).unwrap();
    let transposed = transposed.mapv(|v| v as f32).permuted_axes([2, 0, 1]);
    let all =
        [rows.into_dyn(), columns.into_dyn(), backwards.into_dyn(), part.into_dyn(), transposed.into_dyn()];
    for given in all {
        let (address, expected) = (given.as_ptr(), given.clone());
        let x = convert::from_ndarray(given).unwrap();
        assert_eq!((x.dtype(), x.backend().name()), (Dtype::FLOAT32, "ndarray"));
        let view = convert::view::<f32>(&x).unwrap();
        assert_eq!((view.as_ptr(), &view), (address, &expected.view()));
        assert_eq!(x.to_vec::<f32>().unwrap(), expected.iter().copied().collect::<Vec<_>>());
        let copy = convert::to_ndarray::<f32>(&x).unwrap();
        assert_eq!(copy, expected);
        assert_ne!(copy.as_ptr(), address);
        // A computed array is seen in place as well.
        let value =
            x.backend().execute(&Op::PermuteDims { axes: (0..x.ndim()).rev().collect() }, &[x.value()]);
        let transposed = Array::from_value(x.backend().clone(), value.unwrap().remove(0));
        let view = convert::view::<f32>(&transposed).unwrap();
        assert_eq!((view.as_ptr(), view), (address, expected.t()));
    }
    let small = array![[1u8, 2], [3, 4]];
    let x = convert::from_view(&small.slice(s![.., ..;-1])).unwrap();
    assert_eq!(x.to_vec::<u8>().unwrap(), [2, 1, 4, 3]);
    assert_ne!(convert::view::<u8>(&x).unwrap().as_ptr(), small.as_ptr());
}

#[test]
fn every_element_type_converts() {
    use half::{bf16, f16};
    use num_complex::{Complex32, Complex64};
    macro_rules! round_trip {
        ($($t:ty: $a:expr, $b:expr;)*) => {
            $(
                let given = array![[$a, $b], [$b, $b]];
                let x = convert::from_ndarray::<$t, _>(given.clone()).unwrap();
                assert_eq!(convert::view::<$t>(&x).unwrap(), given.view().into_dyn());
                let empty = convert::from_ndarray(Array2::<$t>::from_elem((0, 3), $a)).unwrap();
                assert_eq!(convert::to_ndarray::<$t>(&empty).unwrap().shape(), [0, 3]);
            )*
        };
    }
    round_trip! {
        i8: 1, -2; i16: 1, -2; i32: 1, -2; i64: 1, -2; u8: 1, 2; u16: 1, 2; u32: 1, 2; u64: 1, 2;
        f16: f16::ONE, f16::NEG_ONE; bf16: bf16::ONE, bf16::NEG_ONE; f32: 0.5, -0.5; f64: 0.5, -0.5;
        Complex32: Complex32::new(1.0, 2.0), Complex32::I; Complex64: Complex64::new(1.0, 2.0), Complex64::I;
        bool: true, false;
    }
    let zero_d = convert::from_ndarray(ivy_backend_ndarray::ndarray::arr0(3i64)).unwrap();
    assert_eq!((zero_d.ndim(), zero_d.item::<i64>().unwrap()), (0, 3));
    let error = convert::view::<i32>(&zero_d).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::DtypeMismatch { actual: Dtype::INT64, .. }));
    let elsewhere = Array::from_value(
        backend("ndarray").unwrap().to_abstract(),
        ivy_core::backend::AbstractBackend::value(Dtype::INT32, [2].into()),
    );
    let error = convert::view::<i32>(&elsewhere).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::BackendMismatch { .. }));
}

#[test]
fn a_view_too_large_for_ndarray_is_refused() {
    let one = convert::from_ndarray(array![1u8]).unwrap();
    let op = Op::BroadcastTo { shape: [1 << 40, 1 << 40].into() };
    let wide = one.backend().execute(&op, &[one.value()]).unwrap().remove(0);
    let error = convert::view::<u8>(&Array::from_value(one.backend().clone(), wide)).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::SizeOverflow { .. }));
}

#[test]
fn the_backend_says_what_it_is() {
    let ndarray = backend("ndarray:cpu").unwrap();
    assert_eq!((ndarray.name(), ndarray.devices()), ("ndarray", vec![Device::CPU]));
    let lock = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../Cargo.lock")).unwrap();
    assert!(lock.contains(&format!("name = \"ndarray\"\nversion = \"{}\"\n", ndarray.version())));
    assert!(matches!(backend("ndarray:cuda").unwrap_err().kind(), ErrorKind::BackendUnavailable { .. }));
    for (i, dtype) in Dtype::all().enumerate() {
        assert_eq!(ndarray.storage(dtype) != Storage::None, i < 15, "{dtype}");
    }
    register(&FACTORY);
    assert_eq!(backend("ndarray").unwrap().version(), ndarray.version());
}
