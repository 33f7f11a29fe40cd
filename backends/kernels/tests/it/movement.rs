//! Layouts and movement against plain index arithmetic, on strided operands.

use ivy_core::host::{Buffer, HostArray, contiguous_strides};
use ivy_core::{AxisSlice, Dims, Dtype, ErrorKind, Op, ScatterOp, Shape};
use ivy_kernels::*;
use proptest::prelude::*;

/// An array by its elements' bytes in row-major order: what every kernel's result is read as.
#[derive(Clone, Debug, PartialEq)]
struct Plain {
    shape: Vec<usize>,
    elements: Vec<Vec<u8>>,
}

fn plain(x: &HostArray) -> Plain {
    let width = x.dtype().bytes();
    let mut elements = Vec::new();
    ivy_core::host::for_each_offset(x.shape(), x.strides(), |o| {
        let at = (x.offset() as isize + o) as usize * width;
        elements.push(x.buffer().bytes()[at..at + width].to_vec());
    });
    Plain { shape: x.shape().to_vec(), elements }
}

fn indices(shape: &[usize]) -> Vec<Vec<usize>> {
    let mut all = vec![vec![]];
    for &n in shape {
        all = all.into_iter().flat_map(|i| (0..n).map(move |k| [i.clone(), vec![k]].concat())).collect();
    }
    all
}

impl Plain {
    fn get(&self, index: &[usize]) -> Vec<u8> {
        let strides = contiguous_strides(&self.shape);
        let at: isize = index.iter().zip(strides).map(|(&i, s)| i as isize * s).sum();
        self.elements[at as usize].clone()
    }

    fn set(&mut self, index: &[usize], value: Vec<u8>) {
        let strides = contiguous_strides(&self.shape);
        let at: isize = index.iter().zip(strides).map(|(&i, s)| i as isize * s).sum();
        self.elements[at as usize] = value;
    }

    fn build(shape: &[usize], element: impl Fn(&[usize]) -> Vec<u8>) -> Plain {
        Plain { shape: shape.to_vec(), elements: indices(shape).iter().map(|i| element(i)).collect() }
    }
}

fn numbered(dtype: Dtype, shape: &[usize]) -> HostArray {
    let size: usize = shape.iter().product();
    let bytes: Vec<u8> =
        (0..size).flat_map(|i| (0..dtype.bytes()).map(move |b| (i * 7 + b * 31 + i / 251) as u8)).collect();
    let bytes = if dtype.is_bool() { bytes.iter().map(|b| b & 1).collect() } else { bytes };
    HostArray::new(Buffer::copy_from(&bytes).unwrap(), dtype, shape.into()).unwrap()
}

/// The same elements as seen through axes in another order, reversed and spread.
fn strided(x: &HostArray, how: u8) -> HostArray {
    let ndim = x.shape().len();
    if how.is_multiple_of(4) {
        return x.clone();
    }
    let step = if how.is_multiple_of(2) { 1 } else { 2 };
    let order: Vec<usize> = if how & 2 == 0 { (0..ndim).collect() } else { (0..ndim).rev().collect() };
    let wide: Vec<usize> = order.iter().map(|&a| x.shape()[a] * step).collect();
    let base = numbered(x.dtype(), &wide);
    let mut back = vec![0; ndim];
    order.iter().enumerate().for_each(|(i, &a)| back[a] = i);
    let base = layout::permute_dims(&base, &back).unwrap();
    let axes: Dims<AxisSlice> = x
        .shape()
        .iter()
        .enumerate()
        .map(|(a, &len)| match (how.is_multiple_of(3) || a.is_multiple_of(2)) && len > 0 {
            true => AxisSlice { start: (len - 1) * step, step: -(step as isize), len },
            false => AxisSlice { start: 0, step: step as isize, len },
        })
        .collect();
    layout::slice(&base, &axes).unwrap()
}

fn ints(values: &[i64], shape: &[usize]) -> HostArray {
    HostArray::from_vec(values.to_vec(), shape.into()).unwrap()
}

const WIDTHS: [Dtype; 7] = [
    Dtype::INT8,
    Dtype::BFLOAT16,
    Dtype::FLOAT32,
    Dtype::INT64,
    Dtype::COMPLEX64,
    Dtype::COMPLEX128,
    Dtype::BOOL,
];

fn any_shape(ndim: std::ops::RangeInclusive<usize>) -> impl Strategy<Value = Vec<usize>> {
    proptest::collection::vec(0usize..6, ndim)
}

fn array(ndim: std::ops::RangeInclusive<usize>) -> impl Strategy<Value = HostArray> {
    (0..WIDTHS.len(), any_shape(ndim), any::<u8>())
        .prop_map(|(d, shape, how)| strided(&numbered(WIDTHS[d], &shape), how))
}

fn slices(shape: &[usize], seed: u64) -> Dims<AxisSlice> {
    let mut seed = seed | 1;
    let mut next = move |n: usize| {
        seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (seed >> 33) as usize % n.max(1)
    };
    shape
        .iter()
        .map(|&n| {
            let (start, size) = (next(n), next(3) + 1);
            let (room, step) = if next(2) == 0 {
                (n.saturating_sub(start + 1), size as isize)
            } else {
                (start, -(size as isize))
            };
            let most = if n == 0 { 0 } else { room / size + 1 };
            AxisSlice { start, step, len: next(most + 1) }
        })
        .collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn a_copy_is_contiguous_and_equal(x in array(0..=4)) {
        let copy = to_contiguous(x.view()).unwrap();
        prop_assert!(copy.is_contiguous());
        prop_assert_eq!(plain(&copy), plain(&x));
    }

    #[test]
    fn layouts_share_the_buffer(x in array(0..=4), seed: u64, flip: bool) {
        let p = plain(&x);
        let order: Vec<usize> = if flip { (0..x.shape().len()).rev().collect() } else {
            (0..x.shape().len()).map(|a| (a + 1) % x.shape().len()).collect()
        };
        let turned = layout::permute_dims(&x, &order).unwrap();
        prop_assert!(turned.buffer().same_block(x.buffer()));
        let expected = Plain::build(turned.shape(), |i| {
            let mut j = vec![0; i.len()];
            order.iter().zip(i).for_each(|(&a, &k)| j[a] = k);
            p.get(&j)
        });
        prop_assert_eq!(plain(&turned), expected);

        let axes = slices(x.shape(), seed);
        let part = layout::slice(&x, &axes).unwrap();
        prop_assert!(part.buffer().same_block(x.buffer()));
        let at = |i: &[usize]| -> Vec<usize> {
            i.iter().zip(&axes).map(|(&k, s)| s.start.wrapping_add_signed(k as isize * s.step)).collect()
        };
        prop_assert_eq!(plain(&part), Plain::build(part.shape(), |i| p.get(&at(i))));

        let wide: Vec<usize> = [vec![2], x.shape().to_vec()].concat();
        let repeated = layout::broadcast_to(&x, &wide.clone().into()).unwrap();
        prop_assert_eq!(plain(&repeated), Plain::build(&wide, |i| p.get(&i[1..])));
    }

    #[test]
    fn reshape_keeps_the_order(x in array(0..=4), cut: usize) {
        let n = x.shape().size();
        let mut forms = vec![vec![n], vec![1, n, 1]];
        for d in 1..=n.min(6) {
            if n.is_multiple_of(d) {
                forms.push(vec![d, n / d]);
                forms.push(vec![n / d, 1, d]);
            }
        }
        let cut = cut % (x.shape().len() + 1);
        let (a, b) = x.shape().split_at(cut);
        forms.push(vec![a.iter().product(), b.iter().product()]);
        forms.push([a, &[1], b].concat());
        for form in forms {
            let y = layout::reshape(&x, &form.clone().into()).unwrap();
            prop_assert_eq!(plain(&y).elements, plain(&x).elements);
            prop_assert_eq!(y.shape().to_vec(), form);
        }
        if x.is_contiguous() {
            let y = layout::reshape(&x, &Shape::from([n])).unwrap();
            prop_assert!(y.buffer().same_block(x.buffer()));
        }
        // A new axis of length 1 never needs a copy.
        let longer: Shape = [a, &[1], b].concat().into();
        prop_assert!(layout::reshape(&x, &longer).unwrap().buffer().same_block(x.buffer()));
    }

    #[test]
    fn set_slice_replaces_the_slice_alone(x in array(0..=4), seed: u64, how: u8) {
        let axes = slices(x.shape(), seed);
        let shape: Vec<usize> = axes.iter().map(|a| a.len).collect();
        let value = strided(&numbered(x.dtype(), &shape), how);
        let mut expected = plain(&x);
        let v = plain(&value);
        for i in indices(&shape) {
            let at: Vec<usize> =
                i.iter().zip(&axes).map(|(&k, s)| s.start.wrapping_add_signed(k as isize * s.step)).collect();
            expected.set(&at, v.get(&i));
        }
        let before = plain(&x);
        prop_assert_eq!(&plain(&set_slice(&axes, x.view(), value.view()).unwrap()), &expected);
        let mut shared = x.clone();
        set_slice_in_place(&mut shared, &axes, value.view()).unwrap();
        prop_assert_eq!(&plain(&shared), &expected);
        prop_assert_eq!(plain(&x), before);
        // Alone, the memory is written where it stands, whatever its strides.
        let (mut own, address) = (x.clone(), x.buffer().as_ptr());
        drop(x);
        drop(shared);
        set_slice_in_place(&mut own, &axes, value.view()).unwrap();
        prop_assert_eq!(own.buffer().as_ptr(), address);
        prop_assert_eq!(&plain(&own), &expected);
    }

    #[test]
    fn concat_joins(x in array(1..=4), axis: usize, more in proptest::collection::vec((0usize..4, any::<u8>()), 0..4)) {
        let axis = axis % x.shape().len();
        let mut arrays = vec![x.clone()];
        for (len, how) in more {
            let mut shape = x.shape().to_vec();
            shape[axis] = len;
            arrays.push(strided(&numbered(x.dtype(), &shape), how));
        }
        let views: Vec<_> = arrays.iter().map(HostArray::view).collect();
        let out = concat(axis, &views).unwrap();
        let parts: Vec<Plain> = arrays.iter().map(plain).collect();
        let mut shape = x.shape().to_vec();
        shape[axis] = parts.iter().map(|p| p.shape[axis]).sum();
        let expected = Plain::build(&shape, |i| {
            let mut i = i.to_vec();
            let mut part = parts.iter();
            let mut p = part.next().unwrap();
            while i[axis] >= p.shape[axis] {
                i[axis] -= p.shape[axis];
                p = part.next().unwrap();
            }
            p.get(&i)
        });
        prop_assert_eq!(plain(&out), expected);
    }

    #[test]
    fn take_reads_along_an_axis(x in array(1..=4), axis: usize, picks in proptest::collection::vec(-5i64..5, 0..7)) {
        let axis = axis % x.shape().len();
        let n = x.shape()[axis] as i64;
        let index = ints(&picks, &[picks.len()]);
        let result = take(axis, x.view(), index.view());
        if let Some(bad) = picks.iter().position(|&i| i < -n || i >= n) {
            let error = result.unwrap_err();
            let ErrorKind::IndexOutOfRange { index, position, length, .. } = error.kind() else { panic!("{error}") };
            prop_assert_eq!((*index, *position, *length), (picks[bad].into(), Some(bad), n as usize));
        } else {
            let p = plain(&x);
            let mut shape = x.shape().to_vec();
            shape[axis] = picks.len();
            let expected = Plain::build(&shape, |i| {
                let mut i = i.to_vec();
                i[axis] = picks[i[axis]].rem_euclid(n) as usize;
                p.get(&i)
            });
            prop_assert_eq!(plain(&result.unwrap()), expected);
        }
    }

    #[test]
    fn take_along_axis_broadcasts_the_others(
        x in array(1..=3), axis: usize, len in 0usize..4, ones: u8, seed: u32, how: u8
    ) {
        let axis = axis % x.shape().len();
        let n = x.shape()[axis];
        let mut shape: Vec<usize> = x.shape().iter().enumerate()
            .map(|(a, &d)| if ones >> a & 1 == 1 { 1 } else { d }).collect();
        shape[axis] = if n == 0 { 0 } else { len };
        let size: usize = shape.iter().product();
        let values: Vec<i64> = (0..size).map(|i| {
            let r = (seed as usize).wrapping_mul(i + 1) % (2 * n.max(1));
            r as i64 - n as i64
        }).collect();
        let index = strided(&ints(&values, &shape), how);
        // The strided form has other values: bring them into range again, in place.
        let values: Vec<i64> = index.to_vec::<i64>().unwrap().iter()
            .map(|v| v.rem_euclid(2 * n.max(1) as i64) - n as i64).collect();
        let mut index = index;
        let whole: Dims<AxisSlice> = shape.iter().map(|&len| AxisSlice { start: 0, step: 1, len }).collect();
        set_slice_in_place(&mut index, &whole, ints(&values, &shape).view()).unwrap();
        let out = take_along_axis(axis, x.view(), index.view()).unwrap();
        let mut expected_shape = x.shape().to_vec();
        expected_shape[axis] = shape[axis];
        let (p, q) = (plain(&x), plain(&index));
        let expected = Plain::build(&expected_shape, |i| {
            let j: Vec<usize> = i.iter().zip(&shape).map(|(&k, &d)| if d == 1 { 0 } else { k }).collect();
            let v = i64::from_ne_bytes(q.get(&j).try_into().unwrap());
            let mut i = i.to_vec();
            i[axis] = v.rem_euclid(n as i64) as usize;
            p.get(&i)
        });
        prop_assert_eq!(plain(&out), expected);
    }

    #[test]
    fn gather_and_scatter_name_the_same_places(x in array(1..=4), k: usize, lead in any_shape(0..=2), seed: u32, how: u8) {
        let k = k % (x.shape().len() + 1);
        prop_assume!(x.shape()[..k].iter().all(|&n| n > 0) || lead.contains(&0));
        let size: usize = lead.iter().product();
        // Every second index array is broadcast along the first axis.
        let arrays: Vec<HostArray> = (0..k).map(|a| {
            let n = x.shape()[a].max(1);
            let mut shape = lead.clone();
            if a % 2 == 1 && !shape.is_empty() && shape[0] > 0 { shape[0] = 1; }
            let count: usize = shape.iter().product();
            let values: Vec<i64> = (0..count)
                .map(|i| ((seed as usize).wrapping_mul(i + 3 + a) >> 3) as i64 % (2 * n as i64) - n as i64).collect();
            ints(&values, &shape)
        }).collect();
        let views: Vec<_> = arrays.iter().map(HostArray::view).collect();
        let plains: Vec<Plain> = arrays.iter().map(plain).collect();
        let lead = if k == 0 { vec![] } else { lead };
        let place = |i: &[usize]| -> Vec<usize> {
            let chosen = plains.iter().enumerate().map(|(a, p)| {
                let j: Vec<usize> = i.iter().zip(&p.shape).map(|(&k, &d)| if d == 1 { 0 } else { k }).collect();
                i64::from_ne_bytes(p.get(&j).try_into().unwrap()).rem_euclid(x.shape()[a] as i64) as usize
            });
            chosen.chain(i[lead.len()..].iter().copied()).collect()
        };
        let p = plain(&x);
        let shape: Vec<usize> = lead.iter().chain(&x.shape()[k..]).copied().collect();
        let got = gather(x.view(), &views).unwrap();
        prop_assert_eq!(plain(&got), Plain::build(&shape, |i| p.get(&place(i))));

        let updates = strided(&numbered(x.dtype(), &shape), how);
        let u = plain(&updates);
        let mut expected = p.clone();
        for i in indices(&shape) {
            expected.set(&place(&i), u.get(&i));
        }
        prop_assert_eq!(&plain(&scatter(ScatterOp::Set, x.view(), updates.view(), &views).unwrap()), &expected);
        let (mut own, address, copy) = (x.clone(), x.buffer().as_ptr(), to_contiguous(x.view()).unwrap());
        scatter_in_place(ScatterOp::Set, &mut own, updates.view(), &views).unwrap();
        prop_assert!(own.buffer().as_ptr() != address);
        prop_assert_eq!(&plain(&own), &expected);
        prop_assert_eq!(plain(&x), plain(&copy));
        let mut x = x;
        scatter_in_place(ScatterOp::Set, &mut x, updates.view(), &views).unwrap();
        prop_assert_eq!(x.buffer().as_ptr(), address);
        prop_assert_eq!(&plain(&x), &expected);
        prop_assert!(size == 0 || !lead.contains(&0));
    }

    #[test]
    fn nonzero_lists_the_hits(shape in any_shape(0..=4), bits in any::<u64>(), how: u8) {
        let size: usize = shape.iter().product();
        let values: Vec<f32> = (0..size)
            .map(|i| [0.0, -0.0, 1.0, f32::NAN][(bits >> (i * 2 % 64) & 3) as usize]).collect();
        let x = strided(&HostArray::from_vec(values, shape.as_slice().into()).unwrap(), how);
        let x = if how.is_multiple_of(4) { x } else {
            let axes: Vec<usize> = (0..shape.len()).rev().collect();
            layout::permute_dims(&x, &axes).unwrap()
        };
        let p = plain(&x);
        let hits: Vec<Vec<usize>> = indices(x.shape()).into_iter()
            .filter(|i| f32::from_ne_bytes(p.get(i).try_into().unwrap()) != 0.0).collect();
        let out = nonzero(x.view()).unwrap();
        prop_assert_eq!(out.len(), shape.len());
        for (axis, column) in out.iter().enumerate() {
            let expected: Vec<i64> = hits.iter().map(|h| h[axis] as i64).collect();
            prop_assert_eq!(column.to_vec::<i64>().unwrap(), expected);
        }
    }
}

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
            let turned = layout::permute_dims(&x, &order).unwrap();
            assert_eq!(plain(&to_contiguous(turned.view()).unwrap()), plain(&turned), "{dtype} {order:?}");
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
