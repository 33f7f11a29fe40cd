//! What the core relies on, op aside: values go in and come out unchanged, and what is wrong is named.

use crate::{Near, Subject, difference, edges};
use ivy_core::backend::AbstractBackend;
use ivy_core::host::HostArray;
use ivy_core::{BinaryOp, Dtype, ErrorKind, Op};

/// An array of every dtype and of 0 to 3 axes has the same bits after a round trip.
pub fn values_come_back_as_they_went(subject: &Subject) {
    for dtype in subject.dtypes() {
        for shape in [vec![], vec![0], vec![66], vec![2, 3, 4]] {
            let array = edges(dtype, shape, 0);
            let back = subject.backend.to_host(&subject.stored(&array)).unwrap();
            assert_eq!(difference(&back, &array, Near::Same), None);
        }
    }
}

/// The first index out of range is named, with its position, axis and the axis's length.
pub fn an_index_out_of_range_is_named(subject: &Subject) {
    let x = subject.stored(&edges(Dtype::FLOAT32, [2, 3], 0));
    let indices = subject.stored(&HostArray::from_vec(vec![0i64, -3, 3, 9], 4.into()).unwrap());
    let error = subject.backend.execute(&Op::Take { axis: 1 }, &[&x, &indices]).unwrap_err();
    match error.kind() {
        ErrorKind::IndexOutOfRange { index, axis, length, position, .. } => {
            assert_eq!((*index, *axis, *length, *position), (3, 1, 3, Some(2)));
        }
        other => panic!("{other}"),
    }
    for bad in [i64::MAX, i64::MIN, -4] {
        let along = subject.stored(&HostArray::from_vec(vec![bad, 0], [2, 1].into()).unwrap());
        let error = subject.backend.execute(&Op::TakeAlongAxis { axis: 1 }, &[&x, &along]).unwrap_err();
        assert!(
            matches!(error.kind(), ErrorKind::IndexOutOfRange { index, .. } if *index == i128::from(bad))
        );
    }
}

/// The memory of another backend is not taken for one's own.
pub fn a_value_of_another_backend_is_refused(subject: &Subject) {
    let foreign = AbstractBackend::value(Dtype::FLOAT32, [2].into());
    let error = subject.backend.to_host(&foreign).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::InvalidArgument { .. }));
    assert!(subject.backend.execute(&Op::Binary(BinaryOp::Add), &[&foreign, &foreign]).is_err());
}

/// A dtype that the tables have and the backend does not store is refused by name, in and out. For builds with a 16th dtype:
/// those with the feature `extra-dtype`.
pub fn a_sixteenth_dtype_has_no_storage(subject: &Subject) {
    use ivy_core::UnaryOp;
    use ivy_core::backend::{Storage, Support};
    let extra = Dtype::all().nth(15).expect("this build has one more");
    let backend = &subject.backend;
    assert_eq!(backend.storage(extra), Storage::None);
    let cast = Op::Cast { dtype: extra };
    assert!(matches!(backend.support(&cast, &[Dtype::FLOAT32]), Support::Unsupported(_)));
    assert!(matches!(backend.support(&Op::Unary(UnaryOp::Abs), &[extra]), Support::Unsupported(_)));
    let bytes = ivy_core::host::Buffer::from_vec(vec![0u8; 16]);
    let array = HostArray::new(bytes, extra, [2].into()).unwrap();
    let error = backend.from_host(array).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::DtypeNotStored { dtype, .. } if *dtype == extra));
    let value = subject.stored(&edges(Dtype::FLOAT32, [1], 0));
    let error = backend.execute(&cast, &[&value]).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::DtypeNotStored { dtype, .. } if *dtype == extra));
}
