//! Moves and scatters that random operands do not reach: all dtypes, many threads, repeated places, bad calls.

use super::*;

#[test]
fn every_dtype_has_its_zero() {
    for dtype in Dtype::all().take(15) {
        let zeros =
            HostArray::new(Buffer::copy_from(&vec![0; 3 * dtype.bytes()]).unwrap(), dtype, [3].into());
        assert_eq!(nonzero(zeros.unwrap().view()).unwrap()[0].shape().size(), 0, "{dtype}");
        let mut bytes = vec![0; 3 * dtype.bytes()];
        bytes[2 * dtype.bytes() - 1] = 0x80;
        if dtype.is_bool() {
            bytes[1] = 1;
        }
        let x = HostArray::new(Buffer::copy_from(&bytes).unwrap(), dtype, [3].into()).unwrap();
        // The top bit of a float is the sign of a zero; elsewhere it is a number.
        let expected: &[i64] = if dtype.is_float() || dtype.is_complex() { &[] } else { &[1] };
        assert_eq!(nonzero(x.view()).unwrap()[0].to_vec::<i64>().unwrap(), expected, "{dtype}");
    }
}

#[test]
fn large_moves_are_the_same_on_many_threads() {
    for dtype in [Dtype::UINT8, Dtype::FLOAT16, Dtype::FLOAT32, Dtype::FLOAT64, Dtype::COMPLEX128] {
        // Just large enough for several threads, and no multiple of a tile.
        let x = numbered(dtype, &[257, 5, 1031 / dtype.bytes() + 1]);
        for order in [[0, 1, 2], [2, 1, 0], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1]] {
            let transposed = layout::permute_dims(&x, &order).unwrap();
            assert_eq!(
                plain(&to_contiguous(transposed.view()).unwrap()),
                plain(&transposed),
                "{dtype} {order:?}"
            );
        }
    }
    let x = numbered(Dtype::FLOAT32, &[1500, 700]);
    let index: Vec<i64> = (0..1500).map(|i| i * 37 % 1500 - 1500).collect();
    let rows = take(0, x.view(), ints(&index, &[1500]).view()).unwrap();
    let second: Vec<i64> = index[..700].iter().map(|i| i.rem_euclid(700)).collect();
    let columns = take(1, x.view(), ints(&second, &[700]).view()).unwrap();
    let p = plain(&x);
    assert_eq!(
        plain(&rows),
        Plain::build(&[1500, 700], |i| p.get(&[index[i[0]].rem_euclid(1500) as usize, i[1]]))
    );
    assert_eq!(plain(&columns), Plain::build(&[1500, 700], |i| p.get(&[i[0], second[i[1]] as usize])));
    let along: Vec<i64> = (0..1500 * 700).map(|i| i * 31 % 700).collect();
    let out = take_along_axis(1, x.view(), ints(&along, &[1500, 700]).view()).unwrap();
    let expected = Plain::build(&[1500, 700], |i| p.get(&[i[0], along[i[0] * 700 + i[1]] as usize]));
    assert_eq!(plain(&out), expected);
}

/// Each op on each dtype that it takes is the element-wise op, one update after the other.
#[test]
fn scatter_combines_in_index_order() {
    let (places, count) = ([2i64, 0, -1, 2, -3, 2], 3);
    let index = ints(&places, &[places.len()]);
    let mut seen = 0;
    for dtype in Dtype::all() {
        let cast = |values: Vec<f64>| {
            let shape = [values.len()].into();
            let values = HostArray::from_vec(values, shape).unwrap();
            ivy_kernels::execute(&Op::Cast { dtype }, &[&values]).unwrap().remove(0)
        };
        let x = cast(vec![1.5, 0.0, 2.75]);
        // Halves that round, a product that wraps small integers, and (of floats) a NaN.
        let updates = cast(vec![3.25, 2.0, 100.5, f64::NAN, 1.0, 7.0]);
        for &op in ScatterOp::ALL.iter().filter(|op| op.takes(dtype)) {
            let one = |array: &HostArray, i: usize| {
                let axes = Dims::from_slice(&[AxisSlice { start: i, step: 1, len: 1 }]);
                ivy_kernels::execute(&Op::Slice { axes }, &[array]).unwrap().remove(0)
            };
            let mut want: Vec<HostArray> = (0..count).map(|i| one(&x, i)).collect();
            for (i, &place) in places.iter().enumerate() {
                let (at, update) = (place.rem_euclid(count as i64) as usize, one(&updates, i));
                want[at] = match op.binary(dtype) {
                    None => update,
                    Some(op) => {
                        ivy_kernels::execute(&Op::Binary(op), &[&want[at], &update]).unwrap().remove(0)
                    }
                };
            }
            let want = ivy_kernels::execute(&Op::Concat { axis: 0 }, &want).unwrap().remove(0);
            let got = scatter(op, x.view(), updates.view(), &[index.view()]).unwrap();
            assert_eq!(plain(&got), plain(&want), "{op:?} of {dtype}");
            seen += 1;
        }
        let refused = ScatterOp::ALL.iter().filter(|op| !op.takes(dtype));
        for &op in refused {
            assert!(scatter(op, x.view(), updates.view(), &[index.view()]).is_err(), "{op:?} of {dtype}");
        }
    }
    assert_eq!(seen, 9 * 7 + 4 * 5 + 2 * 3);
}

#[test]
fn scatter_adds_in_every_dtype() {
    use half::{bf16, f16};
    use num_complex::{Complex32, Complex64};
    macro_rules! check {
        ($($t:ty: $x:expr, $u:expr, $expected:expr;)*) => {
            $(
                let x = HostArray::from_vec::<$t>(vec![$x; 2], [2].into()).unwrap();
                let updates = HostArray::from_vec::<$t>(vec![$u; 3], [3].into()).unwrap();
                let index = ints(&[-1, 1, 1], &[3]);
                let out = scatter(ScatterOp::Add, x.view(), updates.view(), &[index.view()]).unwrap();
                assert_eq!(out.to_vec::<$t>().unwrap(), [$x, $expected]);
            )*
        };
    }
    check! {
        i8: 127, 1, -126;
        i16: i16::MAX, 1, i16::MIN + 2;
        i32: i32::MAX, 1, i32::MIN + 2;
        i64: i64::MAX, 1, i64::MIN + 2;
        u8: 255, 1, 2;
        u16: u16::MAX, 1, 2;
        u32: u32::MAX, 1, 2;
        u64: u64::MAX, 1, 2;
        // One unit is half of the spacing at 2048 (and a half at 256): each sum rounds to even.
        f16: f16::from_f32(2048.0), f16::ONE, f16::from_f32(2048.0);
        bf16: bf16::from_f32(256.0), bf16::ONE, bf16::from_f32(256.0);
        f32: 0.5, 0.25, 1.25;
        f64: 0.5, 0.25, 1.25;
        Complex32: Complex32::new(1.0, 2.0), Complex32::new(0.5, -1.0), Complex32::new(2.5, -1.0);
        Complex64: Complex64::new(1.0, 2.0), Complex64::new(0.5, -1.0), Complex64::new(2.5, -1.0);
        bool: false, true, true;
    }
}

#[test]
fn bad_calls_are_typed_errors_and_change_nothing() {
    let x = numbered(Dtype::INT32, &[3, 4]);
    let before = plain(&x);
    let kind =
        |e: ivy_core::Error| format!("{:?}", e.kind()).split([' ', '(', '{']).next().unwrap().to_string();
    let bad = ints(&[0, 3, -4], &[3]);
    let mut own = to_contiguous(x.view()).unwrap();
    let updates = numbered(Dtype::INT32, &[3, 4]);
    let error = scatter_in_place(ScatterOp::Set, &mut own, updates.view(), &[bad.view()]).unwrap_err();
    let ErrorKind::IndexOutOfRange { index: 3, axis: 0, length: 3, position: Some(1), .. } = error.kind()
    else {
        panic!("{error}")
    };
    assert_eq!(plain(&own), before);
    let at = |start, step, len| AxisSlice { start, step, len };
    for axes in [vec![at(0, 1, 3)], vec![at(0, 1, 3), at(3, 1, 2)], vec![at(0, -1, 2), at(0, 1, 1)]] {
        assert!(layout::slice(&x, &axes).is_err(), "{axes:?}");
        assert!(set_slice(&axes, x.view(), x.view()).is_err());
    }
    // Nothing is nowhere, and one element takes any step.
    let nothing = layout::slice(&x, &[at(3, 1, 0), at(9, isize::MAX, 0)]).unwrap();
    assert_eq!(**nothing.shape(), [0, 0]);
    assert_eq!(layout::slice(&x, &[at(2, isize::MIN, 1), at(3, 5, 1)]).unwrap().shape().size(), 1);
    assert_eq!(kind(layout::reshape(&x, &[5].into()).unwrap_err()), "ShapeMismatch");
    assert_eq!(kind(layout::broadcast_to(&x, &[3].into()).unwrap_err()), "BroadcastShapes");
    assert_eq!(kind(layout::broadcast_to(&x, &[3, 5].into()).unwrap_err()), "BroadcastShapes");
    assert_eq!(kind(layout::permute_dims(&x, &[0, 0]).unwrap_err()), "InvalidArgument");
    assert_eq!(kind(concat(0, &[]).unwrap_err()), "InvalidArgument");
    assert_eq!(kind(concat(2, &[x.view()]).unwrap_err()), "AxisOutOfRange");
    assert_eq!(kind(concat(0, &[x.view(), bad.view()]).unwrap_err()), "DtypeMismatch");
    let other = numbered(Dtype::INT32, &[3, 5]);
    assert_eq!(kind(concat(0, &[x.view(), other.view()]).unwrap_err()), "ShapeMismatch");
    assert_eq!(kind(take(0, x.view(), other.view()).unwrap_err()), "DtypeMismatch");
    assert_eq!(kind(take(2, x.view(), bad.view()).unwrap_err()), "AxisOutOfRange");
    let three = [bad.view(), bad.view(), bad.view()];
    assert_eq!(kind(gather(x.view(), &three).unwrap_err()), "AxisOutOfRange");
    assert_eq!(
        kind(gather(x.view(), &[bad.view(), ints(&[0; 2], &[2]).view()]).unwrap_err()),
        "BroadcastShapes"
    );
    assert_eq!(kind(take_along_axis(0, x.view(), bad.view()).unwrap_err()), "ShapeMismatch");
    let error = scatter(ScatterOp::Add, x.view(), other.view(), &[ints(&[0; 3], &[3]).view()]).unwrap_err();
    assert_eq!(kind(error), "ShapeMismatch");
}

#[test]
fn a_repeated_element_is_not_written_in_place() {
    let x = numbered(Dtype::INT32, &[1, 3]);
    let mut rows = layout::broadcast_to(&x, &[2, 3].into()).unwrap();
    drop(x);
    let value = numbered(Dtype::INT32, &[1, 3]);
    let all = AxisSlice { start: 0, step: 1, len: 3 };
    let first = AxisSlice { start: 0, step: 1, len: 1 };
    let zeros = scatter(ScatterOp::Set, value.view(), value.view(), &[ints(&[0], &[1]).view()]).unwrap();
    let before = plain(&rows);
    set_slice_in_place(&mut rows, &[first, all], zeros.view()).unwrap();
    assert_eq!(plain(&rows).elements[3..], before.elements[3..]);
}
