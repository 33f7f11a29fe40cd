//! Convolutions by their definition, and the two that are transposed to them.

use ivy_core::{ArrangedConv, ConvOp, ErrorKind, Op, Shape};

/// Whole numbers in row-major order.
#[derive(Clone, Debug, PartialEq)]
struct Grid {
    shape: Vec<usize>,
    data: Vec<i64>,
}

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

impl Grid {
    fn numbered(shape: &[usize], seed: i64) -> Grid {
        let size = shape.iter().product::<usize>() as i64;
        Grid { shape: shape.to_vec(), data: (0..size).map(|i| (i * 37 + seed * 11) % 19 - 9).collect() }
    }

    fn arranged(self, ops: &[Op]) -> Grid {
        ops.iter().fold(self, |x, op| match op {
            Op::Reshape { shape } => Grid { shape: shape.to_vec(), ..x },
            Op::PermuteDims { axes } => {
                let shape: Vec<usize> = axes.iter().map(|&a| x.shape[a]).collect();
                let at = |index: Vec<usize>| {
                    let mut from = vec![0; index.len()];
                    axes.iter().zip(&index).for_each(|(&a, &i)| from[a] = i);
                    x.data[place(&from, &x.shape)]
                };
                Grid { data: indices(&shape).into_iter().map(at).collect(), shape }
            }
            Op::Slice { axes } => {
                let shape: Vec<usize> = axes.iter().map(|a| a.len).collect();
                let at = |index: Vec<usize>| {
                    let from = index
                        .iter()
                        .zip(axes)
                        .map(|(&i, a)| a.start.wrapping_add_signed(i as isize * a.step));
                    x.data[place(&from.collect::<Vec<_>>(), &x.shape)]
                };
                Grid { data: indices(&shape).into_iter().map(at).collect(), shape }
            }
            other => panic!("an arrangement has no {}", other.name()),
        })
    }
}

/// The length of `len` elements with neighbours `dilation` from each other.
fn dilated(len: usize, dilation: usize) -> usize {
    if len == 0 { 0 } else { (len - 1) * dilation + 1 }
}

/// Calls `visit` with the places of an element of the result, the input and the window, for each product.
fn products(op: &ConvOp, x: &[usize], w: &[usize], mut visit: impl FnMut(usize, usize, usize)) -> Shape {
    let y = op.out_shape("conv", x, w).unwrap();
    for out in indices(&y) {
        for tap in indices(&w[1..]) {
            let group = out[1] / (w[0] / (op.groups * op.batch_groups));
            let (batch, channel) = match op.batch_groups {
                1 => (out[0], group * w[1] + tap[0]),
                _ => (group * y[0] + out[0], tap[0]),
            };
            let mut index = vec![batch, channel];
            for axis in 0..op.spatial() {
                let at = (out[axis + 2] * op.strides[axis] + tap[axis + 1] * op.window_dilation[axis]) as i64
                    - op.padding[axis].0;
                let between = op.input_dilation[axis] as i64;
                let end = dilated(x[axis + 2], op.input_dilation[axis]) as i64;
                if (0..end).contains(&at) && at % between == 0 && at / between < x[axis + 2] as i64 {
                    index.push((at / between) as usize);
                }
            }
            if index.len() == x.len() {
                visit(place(&out, &y), place(&index, x), place(&[&out[1..2], &tap].concat(), w));
            }
        }
    }
    y
}

fn conv(op: &ConvOp, x: &Grid, w: &Grid) -> Grid {
    let mut data = vec![0; op.out_shape("conv", &x.shape, &w.shape).unwrap().size()];
    let shape = products(op, &x.shape, &w.shape, |o, i, t| data[o] += x.data[i] * w.data[t]);
    Grid { shape: shape.to_vec(), data }
}

fn run(arranged: &ArrangedConv, input: &Grid, window: &Grid) -> Grid {
    let (input, window) =
        (input.clone().arranged(&arranged.input), window.clone().arranged(&arranged.window));
    conv(&arranged.conv, &input, &window).arranged(&arranged.result)
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

/// Convolutions with the shapes of their operands.
fn samples() -> Vec<(ConvOp, Vec<usize>, Vec<usize>)> {
    vec![
        (ConvOp::new(1), vec![2, 3, 5], vec![4, 3, 2]),
        (op(&[2], &[(1, 2)], [&[1], &[1]], [1, 1]), vec![2, 2, 7], vec![3, 2, 3]),
        // The last elements are in no window.
        (op(&[3], &[(0, 0)], [&[1], &[1]], [1, 1]), vec![1, 1, 9], vec![1, 1, 2]),
        (op(&[2], &[(2, -1)], [&[3], &[2]], [1, 1]), vec![2, 2, 4], vec![2, 2, 3]),
        (op(&[1], &[(-2, -1)], [&[1], &[1]], [1, 1]), vec![1, 2, 8], vec![2, 2, 3]),
        (op(&[2, 1], &[(1, 1), (0, 2)], [&[1, 2], &[2, 1]], [2, 1]), vec![2, 4, 6, 4], vec![6, 2, 2, 3]),
        (op(&[1, 2], &[(0, 1), (2, 0)], [&[2, 1], &[1, 2]], [1, 3]), vec![6, 2, 3, 5], vec![3, 2, 2, 2]),
        (
            op(&[1, 1, 1], &[(1, 1), (0, 0), (1, 0)], [&[1; 3], &[1; 3]], [1, 1]),
            vec![1, 2, 3, 3, 2],
            vec![2, 2, 2, 3, 2],
        ),
    ]
}

#[test]
fn derivatives_are_convolutions() {
    for (op, x_shape, w_shape) in samples() {
        let y = op.out_shape("conv", &x_shape, &w_shape).unwrap();
        let (x, w, dy) = (Grid::numbered(&x_shape, 1), Grid::numbered(&w_shape, 2), Grid::numbered(&y, 3));
        let (mut dx, mut dw) = (vec![0; x.data.len()], vec![0; w.data.len()]);
        products(&op, &x_shape, &w_shape, |o, i, t| {
            dx[i] += dy.data[o] * w.data[t];
            dw[t] += dy.data[o] * x.data[i];
        });
        let to_input = op.transpose_input("conv", &x_shape, &w_shape).unwrap();
        assert_eq!(run(&to_input, &dy, &w), Grid { shape: x_shape.clone(), data: dx }, "{op:?} to its input");
        let to_filter = op.transpose_filter("conv", &x_shape, &w_shape).unwrap();
        assert_eq!(run(&to_filter, &x, &dy), Grid { shape: w_shape, data: dw }, "{op:?} to its window");
    }
}

#[test]
fn shapes_that_do_not_fit_are_refused() {
    let refused = |op: &ConvOp, x: &[usize], w: &[usize]| {
        let error = op.out_shape("conv", x, w).expect_err("this has to be refused");
        match error.kind() {
            ErrorKind::InvalidArgument { argument, .. } => argument.to_string(),
            ErrorKind::ShapeMismatch { argument, .. } => format!("shape of {argument}"),
            other => panic!("another error: {other:?}"),
        }
    };
    let plain = ConvOp::new(1);
    assert_eq!(refused(&plain, &[1, 2], &[1, 2, 1]), "shape of x");
    assert_eq!(refused(&plain, &[1, 2, 3], &[1, 2]), "shape of filters");
    assert_eq!(refused(&plain, &[1, 2, 3], &[1, 3, 1]), "shape of filters");
    assert_eq!(refused(&plain, &[1, 2, 3], &[1, 2, 4]), "padding");
    assert_eq!(refused(&plain, &[1, 2, 3], &[1, 2, 0]), "filters");
    assert_eq!(refused(&op(&[0], &[(0, 0)], [&[1], &[1]], [1, 1]), &[1, 1, 3], &[1, 1, 1]), "strides");
    assert_eq!(refused(&op(&[1], &[(0, 0)], [&[1], &[0]], [1, 1]), &[1, 1, 3], &[1, 1, 1]), "dilations");
    assert_eq!(refused(&op(&[1], &[], [&[1], &[1]], [1, 1]), &[1, 1, 3], &[1, 1, 1]), "strides");
    assert_eq!(refused(&op(&[1], &[(0, 0)], [&[1], &[1]], [2, 1]), &[1, 2, 3], &[3, 1, 1]), "groups");
    assert_eq!(refused(&op(&[1], &[(0, 0)], [&[1], &[1]], [0, 1]), &[1, 2, 3], &[3, 1, 1]), "groups");
    assert_eq!(refused(&op(&[1], &[(0, 0)], [&[1], &[1]], [2, 2]), &[2, 2, 3], &[4, 1, 1]), "groups");
    assert_eq!(
        refused(&op(&[1], &[(i64::MAX, i64::MAX)], [&[1], &[1]], [1, 1]), &[1, 1, 3], &[1, 1, 1]),
        "padding"
    );
    assert_eq!(
        refused(&op(&[1], &[(0, 0)], [&[usize::MAX], &[1]], [1, 1]), &[1, 1, 3], &[1, 1, 1]),
        "padding"
    );
    // A window of nothing but zeros is none that is too large.
    let zeros = op(&[1], &[(2, 1)], [&[1], &[1]], [1, 1]).out_shape("conv", &[0, 1, 0], &[2, 1, 2]).unwrap();
    assert_eq!(zeros[..], [0, 2, 2]);
}
