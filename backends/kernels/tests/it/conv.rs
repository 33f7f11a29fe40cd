//! Convolutions against their definition, on every instruction set.

use half::f16;
use ivy_core::host::Element;
use ivy_core::{ConvOp, host::HostArray};
use ivy_kernels::conv::conv;
use ivy_kernels::internals::{ReadColumns, conv_columns, limit};
use num_complex::Complex64;
use std::sync::LazyLock;

fn indices(shape: &[usize]) -> Vec<Vec<usize>> {
    let mut all = vec![vec![]];
    for &n in shape {
        all = all.iter().flat_map(|head| (0..n).map(move |i| [&head[..], &[i]].concat())).collect();
    }
    all
}

fn place(index: &[usize], shape: &[usize]) -> usize {
    index.iter().zip(shape).fold(0, |p, (&i, &n)| p * n + i)
}

/// A product of a sum: the element of the input, which padding has not, and that of the window.
type Term = (Option<usize>, usize);

/// The products that each element of the result sums, in order.
fn terms(op: &ConvOp, x: &[usize], w: &[usize]) -> Vec<Vec<Term>> {
    let y = op.out_shape("conv", x, w).unwrap();
    let one = |out: Vec<usize>| {
        let group = out[1] / (w[0] / (op.groups * op.batch_groups));
        let term = |tap: Vec<usize>| {
            let (entry, channel) = match op.batch_groups {
                1 => (out[0], group * w[1] + tap[0]),
                _ => (group * y[0] + out[0], tap[0]),
            };
            let mut index = vec![entry, channel];
            for axis in 0..op.spatial() {
                let at = (out[axis + 2] * op.strides[axis] + tap[axis + 1] * op.window_dilation[axis]) as i64
                    - op.padding[axis].0;
                let between = op.input_dilation[axis] as i64;
                if at >= 0 && at % between == 0 && at / between < x[axis + 2] as i64 {
                    index.push((at / between) as usize);
                }
            }
            let element = (index.len() == x.len()).then(|| place(&index, x));
            (element, place(&[&out[1..2], &tap].concat(), w))
        };
        indices(&w[1..]).into_iter().map(term).collect()
    };
    indices(&y).into_iter().map(one).collect()
}

fn op(strides: &[usize], padding: &[(i64, i64)], dilations: [&[usize]; 2], groups: [usize; 2]) -> ConvOp {
    ConvOp {
        strides: strides.into(),
        padding: padding.into(),
        input_dilation: dilations[0].into(),
        window_dilation: dilations[1].into(),
        groups: groups[0],
        batch_groups: groups[1],
    }
}

fn samples() -> Vec<(ConvOp, Vec<usize>, Vec<usize>)> {
    let same = [(1, 1), (1, 1)];
    vec![
        (ConvOp::new(1), vec![2, 3, 5], vec![4, 3, 2]),
        (op(&[2], &[(3, 2)], [&[1], &[1]], [1, 1]), vec![2, 2, 7], vec![3, 2, 3]),
        (op(&[2], &[(2, -1)], [&[3], &[2]], [1, 1]), vec![2, 2, 40], vec![2, 2, 3]),
        (op(&[1], &[(-2, -1)], [&[1], &[1]], [1, 1]), vec![1, 2, 8], vec![1, 2, 3]),
        // More than a block along the sums, more than a strip and a panel of places.
        (op(&[1, 1], &same, [&[1, 1], &[1, 1]], [1, 1]), vec![1, 30, 24, 25], vec![7, 30, 3, 3]),
        (op(&[2, 3], &same, [&[1, 1], &[1, 1]], [1, 1]), vec![1, 3, 14, 15], vec![5, 3, 3, 3]),
        (op(&[2, 1], &[(1, 1), (0, 2)], [&[1, 2], &[2, 1]], [2, 1]), vec![2, 4, 6, 4], vec![6, 2, 2, 3]),
        (op(&[1, 2], &[(0, 1), (2, 0)], [&[2, 1], &[1, 2]], [1, 3]), vec![6, 2, 3, 5], vec![3, 2, 2, 2]),
        (
            op(&[1, 1, 1], &[(1, 1), (0, 0), (1, 0)], [&[1; 3]; 2], [1, 1]),
            vec![1, 2, 3, 3, 2],
            vec![2, 2, 2, 3, 2],
        ),
        (op(&[1], &[(2, 2)], [&[1], &[1]], [1, 1]), vec![1, 2, 0], vec![3, 2, 2]),
        // Entries with few places, which are joined: the gradient by the filters is such a convolution.
        (op(&[1, 1], &same, [&[1, 1], &[1, 1]], [1, 1]), vec![40, 3, 5, 4], vec![5, 3, 3, 3]),
        (op(&[1, 1], &same, [&[1, 1], &[1, 1]], [1, 1]), vec![7, 9, 20, 20], vec![11, 9, 20, 20]),
        (op(&[1], &[(0, 0)], [&[1], &[2]], [1, 1]), vec![300, 2, 4], vec![3, 2, 2]),
        (op(&[1], &[(0, 1)], [&[1], &[1]], [2, 1]), vec![100, 80, 9], vec![14, 40, 8]),
        (op(&[1, 1], &same, [&[1, 2], &[1, 1]], [1, 2]), vec![4, 3, 5, 6], vec![6, 3, 4, 11]),
        // Neither padding nor strides: read where it is; and strides beyond the window, of which the copy would be too large.
        (ConvOp::new(2), vec![3, 4, 9, 11], vec![5, 4, 3, 2]),
        (op(&[5, 7], &same, [&[1, 1], &[1, 1]], [1, 1]), vec![2, 3, 31, 40], vec![4, 3, 2, 2]),
        (op(&[1], &[(9, 9)], [&[4], &[3]], [1, 1]), vec![2, 2, 5], vec![3, 2, 3]),
        (ConvOp::new(1), vec![2, 0, 4], vec![3, 0, 2]),
        (ConvOp::new(2), vec![0, 1, 4, 4], vec![2, 1, 2, 2]),
    ]
}

/// A convolution of whole numbers.
struct Case {
    op: ConvOp,
    x: (Vec<usize>, Vec<i64>),
    w: (Vec<usize>, Vec<i64>),
    sums: Vec<i64>,
}

/// The samples, of the same numbers for every dtype.
static CASES: LazyLock<Vec<Case>> = LazyLock::new(|| {
    let case = |(op, x, w): (ConvOp, Vec<usize>, Vec<usize>)| {
        let numbers = |shape: &[usize], seed: i64| -> Vec<i64> {
            (0..shape.iter().product::<usize>() as i64).map(|i| (i * 7 + seed) % 5 - 1).collect()
        };
        let (in_x, in_w) = (numbers(&x, 1), numbers(&w, 3));
        let sum = |terms: Vec<Term>| terms.iter().map(|&(i, j)| i.map_or(0, |i| in_x[i] * in_w[j])).sum();
        let sums = terms(&op, &x, &w).into_iter().map(sum).collect();
        Case { op, x: (x, in_x), w: (w, in_w), sums }
    };
    samples().into_iter().map(case).collect()
});

/// The sums in a dtype that holds them.
fn check<T: Element>(of: fn(i64) -> T) {
    for Case { op, x, w, sums } in CASES.iter() {
        let want: Vec<T> = sums.iter().map(|&sum| of(sum)).collect();
        let host = |(shape, numbers): &(Vec<usize>, Vec<i64>)| {
            HostArray::from_vec(numbers.iter().map(|&i| of(i)).collect(), shape[..].into()).unwrap()
        };
        let (x, w) = (host(x), host(w));
        for (isa, got) in limit::each(|| conv(op, x.view(), w.view()).unwrap().to_vec::<T>().unwrap()) {
            assert_eq!(got, want, "{op:?} of {} on {isa:?}", T::DTYPE);
        }
    }
}

#[test]
fn sums_are_right_of_every_kind() {
    check(|i| i as f32);
    check(|i| i as f64);
    check(|i| i as i8);
    check(|i| i as u16);
    check(|i| i);
    check(|i| half::bf16::from_f32(i as f32));
    check(|i| half::f16::from_f32(i as f32));
    check(|i| Complex64::new(i as f64, 0.0));
}

/// Sums are fused multiply-adds upwards in blocks of 256, which are added in order, whichever operand is packed how.
#[test]
fn the_definition_decides_every_bit_of_a_sum() {
    for (op, x_shape, w_shape) in samples() {
        let numbers = |shape: &[usize], seed: usize| -> Vec<f32> {
            (0..shape.iter().product::<usize>()).map(|i| ((i * 37 + seed) as f32).sin()).collect()
        };
        let (x, w) = (numbers(&x_shape, 1), numbers(&w_shape, 3));
        let block = |terms: &[Term]| {
            terms.iter().fold(0f32, |sum, &(i, j)| w[j].mul_add(i.map_or(0.0, |i| x[i]), sum))
        };
        let sum = |terms: Vec<Term>| terms.chunks(256).map(block).reduce(|a, b| a + b).unwrap_or_default();
        let want: Vec<f32> = terms(&op, &x_shape, &w_shape).into_iter().map(sum).collect();
        let host =
            |numbers: &[f32], shape: &[usize]| HostArray::from_vec(numbers.to_vec(), shape.into()).unwrap();
        let (x, w) = (host(&x, &x_shape), host(&w, &w_shape));
        for (isa, got) in limit::each(|| conv(&op, x.view(), w.view()).unwrap().to_vec::<f32>().unwrap()) {
            assert_eq!(got, want, "{op:?} of {x_shape:?} on {isa:?}");
        }
    }
}

/// Columns copied from a padded input are those read from the input itself.
#[test]
fn padded_columns_are_those_of_the_input() {
    let (mut padded_ones, mut others, mut borrowed) = (0, 0, 0);
    for (op, x_shape, w_shape) in samples() {
        let out = op.out_shape("conv", &x_shape, &w_shape).unwrap();
        let [places, rows] = [&out[2..], &w_shape[1..]].map(|shape| shape.iter().product::<usize>());
        if out[0] * places * rows == 0 {
            continue;
        }
        let host = |shape: &[usize]| {
            let n = shape.iter().product::<usize>();
            HostArray::from_vec((1..=n).map(|i| i as f32).collect(), shape.into()).unwrap()
        };
        let (x, w) = (host(&x_shape), host(&w_shape));
        let first = out[0] / 3;
        let entries = (out[0] - first).min(5);
        let columns = entries * places;
        for group in 0..op.groups * op.batch_groups {
            let compare = &mut |read: ReadColumns, is_borrowed| {
                borrowed += usize::from(is_borrowed);
                for (strip, begin, end) in
                    [(8, 0, columns), (32, columns / 3, columns), (3, columns / 2, columns)]
                {
                    for start in (begin..end).step_by(strip).take(40) {
                        let columns = start..(start + strip).min(end);
                        for depth in [0..rows, rows / 2..rows] {
                            let [input, padded] = read(columns.clone(), depth.clone(), strip);
                            assert_eq!(
                                input, padded,
                                "{op:?} of {x_shape:?}: {columns:?} {depth:?} by {strip}"
                            );
                        }
                    }
                }
            };
            let part = ((first, entries), group);
            match conv_columns((&op, x.view(), w.view()), part, compare).unwrap() {
                true => padded_ones += 1,
                false => others += 1,
            }
        }
    }
    assert!(padded_ones > 12 && others > 0 && borrowed > 0, "{padded_ones} {others} {borrowed}");
}

#[test]
fn small_floats_accumulate_in_float32() {
    let ones = |shape: &[usize]| {
        let n = shape.iter().product();
        HostArray::from_vec(vec![f16::from_f32(1.0); n], shape.into()).unwrap()
    };
    let sum = conv(&ConvOp::new(1), ones(&[1, 4096, 1]).view(), ones(&[1, 4096, 1]).view()).unwrap();
    assert_eq!(sum.to_vec::<f16>().unwrap(), [f16::from_f32(4096.0)]);
}

#[test]
fn the_order_in_memory_decides_no_bits() {
    let shape = [2usize, 5, 9, 8];
    let values: Vec<f32> = (0..720).map(|i| ((i * 37 % 101) as f32).sin()).collect();
    let x = HostArray::from_vec(values.clone(), shape[..].into()).unwrap();
    let w = HostArray::from_vec(values[..270].to_vec(), [6, 5, 3, 3].into()).unwrap();
    let transposed = ivy_kernels::layout::permute_dims(&x, &[0, 2, 3, 1]).unwrap();
    let transposed = ivy_kernels::to_contiguous(transposed.view()).unwrap();
    let back = ivy_kernels::layout::permute_dims(&transposed, &[0, 3, 1, 2]).unwrap();
    let one = conv(&ConvOp::new(2), x.view(), w.view()).unwrap().to_vec::<f32>().unwrap();
    assert_eq!(one, conv(&ConvOp::new(2), back.view(), w.view()).unwrap().to_vec::<f32>().unwrap());
    for threads in [1, 3] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        assert_eq!(
            one,
            pool.install(|| conv(&ConvOp::new(2), x.view(), w.view()).unwrap().to_vec::<f32>().unwrap())
        );
    }
}

/// Several threads take blocks of entries, whose filters are packed once where the product is the transposed one.
#[test]
fn threads_decide_no_bits() {
    let padded = op(&[1, 1], &[(1, 1), (1, 1)], [&[1, 1], &[1, 1]], [1, 1]);
    for (op, x, w) in [
        (&padded, [40, 16, 12, 12], [16, 16, 3, 3]),
        (&ConvOp::new(2), [24, 32, 10, 10], [16, 32, 8, 8]),
        (&ConvOp::new(2), [1, 64, 12, 12], [40, 64, 9, 9]),
        // Filters that each block packs by itself: they are larger than the caches.
        (&ConvOp::new(2), [6, 300, 6, 34], [32, 300, 5, 32]),
    ] {
        for dtype in [ivy_core::Dtype::FLOAT32, ivy_core::Dtype::FLOAT16] {
            let numbers = |shape: &[usize]| {
                let all = (0..shape.iter().product::<usize>()).map(|i| (i as f32).sin());
                let all: Vec<f32> = all.collect();
                match dtype {
                    ivy_core::Dtype::FLOAT32 => HostArray::from_vec(all, shape.into()),
                    _ => HostArray::from_vec(all.into_iter().map(f16::from_f32).collect(), shape.into()),
                }
                .unwrap()
            };
            let (x, w) = (numbers(&x), numbers(&w));
            let by = |threads| {
                let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
                pool.install(|| conv(op, x.view(), w.view()).unwrap()).buffer().bytes().to_vec()
            };
            let one = by(1);
            assert!([2, 3, 16].into_iter().all(|threads| by(threads) == one), "{op:?} of {}", x.shape());
        }
    }
}
