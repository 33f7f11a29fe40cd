//! Layouts and movement against plain index arithmetic, on strided operands.

mod cases;

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
        let transposed = layout::permute_dims(&x, &order).unwrap();
        prop_assert!(transposed.buffer().same_block(x.buffer()));
        let expected = Plain::build(transposed.shape(), |i| {
            let mut j = vec![0; i.len()];
            order.iter().zip(i).for_each(|(&a, &k)| j[a] = k);
            p.get(&j)
        });
        prop_assert_eq!(plain(&transposed), expected);

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
