//! Updates that say what stood before them, against one update after the other by elementwise kernels.

use ivy_core::host::{HostArray, HostView};
use ivy_core::{AxisSlice, BinaryOp, Dims, Dtype, ErrorKind, ExchangeOp, Op};
use ivy_kernels::*;
use proptest::prelude::*;

fn run(op: &Op, operands: &[&HostArray]) -> HostArray {
    execute(op, operands).unwrap().remove(0)
}

/// Numbers as elements of a dtype.
fn cast(values: &[f64], dtype: Dtype) -> HostArray {
    let values = HostArray::from_vec(values.to_vec(), [values.len()].into()).unwrap();
    run(&Op::Cast { dtype }, &[&values])
}

fn ints(values: &[i64]) -> HostArray {
    HostArray::from_vec(values.to_vec(), [values.len()].into()).unwrap()
}

fn one(array: &HostArray, i: usize) -> HostArray {
    let axes = Dims::from_slice(&[AxisSlice { start: i, step: 1, len: 1 }]);
    run(&Op::Slice { axes }, &[array])
}

fn bytes(x: &HostArray) -> Vec<u8> {
    to_contiguous(x.view()).unwrap().buffer().bytes().to_vec()
}

/// What the op means: an update after the other.
fn model(
    op: ExchangeOp,
    x: &HostArray,
    places: &[i64],
    updates: &HostArray,
    expected: &HostArray,
) -> [Vec<u8>; 2] {
    let mut all: Vec<HostArray> = (0..x.shape().size()).map(|i| one(x, i)).collect();
    let mut old = Vec::new();
    for (i, place) in places.iter().enumerate() {
        let at = place.rem_euclid(all.len() as i64) as usize;
        let update = one(updates, i);
        old.extend(bytes(&all[at]));
        all[at] = match op {
            ExchangeOp::Set => update,
            ExchangeOp::Add => run(&Op::Binary(BinaryOp::Add), &[&all[at], &update]),
            ExchangeOp::Compare => {
                let equal = run(&Op::Binary(BinaryOp::Equal), &[&all[at], &one(expected, i)]);
                run(&Op::Where, &[&equal, &update, &all[at]])
            }
        };
    }
    [all.iter().flat_map(bytes).collect(), old]
}

/// Few values, so that many are equal, and such that equal differently.
const VALUES: [f64; 8] = [0.0, -0.0, 1.0, f64::NAN, 2.5, 255.0, -1.0, 1.0];

fn check(dtype: Dtype, length: usize, places: &[i64], seed: usize) {
    let some = |first: usize, count: usize| {
        let values: Vec<f64> = (0..count).map(|i| VALUES[(first + i * (1 + first % 3)) % 8]).collect();
        cast(&values, dtype)
    };
    let (x, updates) = (some(seed, length), some(seed + 1, places.len()));
    let expected = some(seed + 2, places.len());
    for &op in ExchangeOp::ALL {
        let both = [updates.view(), expected.view()];
        let values = if op == ExchangeOp::Compare { &both[..] } else { &both[..1] };
        let got = exchange(op, x.view(), ints(places).view(), values);
        if !op.takes(dtype) {
            let error = got.expect_err("the op does not take it");
            assert!(matches!(error.kind(), ErrorKind::InvalidArgument { argument: "dtype", .. }), "{error}");
            continue;
        }
        let got = got.unwrap().each_ref().map(bytes);
        assert_eq!(got, model(op, &x, places, &updates, &expected), "{op:?} of {dtype} at {places:?}");
    }
}

#[test]
fn every_dtype_is_updated_in_order() {
    for dtype in Dtype::all() {
        for seed in 0..8 {
            check(dtype, 3, &[2, 0, -1, 2, -3, 2, 2], seed);
            check(dtype, 1, &[0, -1, 0, 0, 0], seed);
            check(dtype, 3, &[], seed);
        }
        check(dtype, 0, &[], 0);
    }
}

#[test]
fn strides_and_shapes() {
    let x = run(
        &Op::Slice { axes: Dims::from_slice(&[AxisSlice { start: 5, step: -2, len: 3 }]) },
        &[&ints(&[0, 1, 2, 3, 4, 5])],
    );
    let transposed = |values: [i64; 4]| {
        let x = HostArray::from_vec(values.to_vec(), [2, 2].into()).unwrap();
        run(&Op::PermuteDims { axes: Dims::from_slice(&[1, 0]) }, &[&x])
    };
    let (places, updates) = (transposed([0, 0, 1, 0]), transposed([10, 30, 20, 40]));
    let [new, old] = exchange(ExchangeOp::Set, x.view(), places.view(), &[updates.view()]).unwrap();
    assert_eq!((new.to_vec::<i64>().unwrap(), x.to_vec::<i64>().unwrap()), (vec![40, 20, 1], vec![5, 3, 1]));
    assert_eq!((old.shape().to_vec(), old.to_vec::<i64>().unwrap()), (vec![2, 2], vec![5, 3, 10, 30]));
}

#[test]
fn what_does_not_fit_is_refused() {
    let (x, two) = (cast(&[1.0, 2.0], Dtype::INT32), cast(&[1.0, 2.0], Dtype::INT32));
    let refused = |op, x: &HostArray, places: &HostArray, values: &[&HostArray]| {
        let values: Vec<HostView<'_>> = values.iter().map(|v| v.view()).collect();
        exchange(op, x.view(), places.view(), &values).expect_err("it does not fit").kind().name()
    };
    let set = ExchangeOp::Set;
    assert_eq!(refused(set, &x, &ints(&[0, 2]), &[&two]), "IndexOutOfRange");
    assert_eq!(refused(set, &x, &ints(&[0, 1, 1]), &[&two]), "ShapeMismatch");
    assert_eq!(refused(set, &x, &two, &[&two]), "DtypeMismatch");
    assert_eq!(refused(set, &x, &ints(&[0, 1]), &[&ints(&[0, 1])]), "DtypeMismatch");
    assert_eq!(refused(set, &x, &ints(&[0, 1]), &[]), "InvalidArgument");
    assert_eq!(refused(set, &x, &ints(&[0, 1]), &[&two, &two]), "InvalidArgument");
    assert_eq!(refused(ExchangeOp::Compare, &x, &ints(&[0, 1]), &[&two]), "InvalidArgument");
    let scalar = HostArray::from_vec(vec![1i32], [].into()).unwrap();
    assert_eq!(refused(set, &scalar, &ints(&[0, 1]), &[&two]), "AxisOutOfRange");
    let matrix = HostArray::from_vec(vec![1i32; 4], [2, 2].into()).unwrap();
    assert_eq!(refused(set, &matrix, &ints(&[0, 1]), &[&two]), "ShapeMismatch");
}

proptest! {
    #[test]
    fn any_places(
        length in 1usize..20,
        places in prop::collection::vec(0i64..40, 0..60),
        (dtype, seed) in (0..Dtype::COUNT, 0usize..40),
    ) {
        let places: Vec<i64> = places.iter().map(|p| p % (2 * length as i64) - length as i64).collect();
        check(Dtype::all().nth(dtype).unwrap(), length, &places, seed);
    }
}
