//! Views of pending work: maps in its kernel, with the bits of the reference kernels.

use crate::common::arrays;
use crate::common::both;

use arrays::{backends, same};
use both::{ADD, Both, Side, Step, permute, slice, step, walk};
use ivy_backend_jit::engine::Settings;
use ivy_backend_suite::{Counted, edges};
use ivy_core::backend::Backend;
use ivy_core::{BinaryOp, Dtype, Op, UnaryOp};
use proptest::prelude::*;

#[test]
fn views_of_pending_work_are_in_its_kernel() {
    for (_, b) in backends() {
        // What a kernel takes in, however often it is held.
        b.engine().set_settings(Settings { materialize: false, ..b.engine().settings() });
        let b = Side(&b);
        let x = b.input(edges(Dtype::FLOAT32, [40, 70], 0));
        let y = b.negative(&x);
        // A stencil.
        let parts =
            [(0, 0), (2, 0), (1, 1), (0, 2)].map(|(r, c)| b.apply(&slice(&[(r, 1, 38), (c, 1, 68)]), &[&y]));
        let sum = parts[1..].iter().fold(parts[0].clone(), |sum, p| b.apply(&ADD, &[&sum, p]));
        b.check(&sum, 1);
        // A slice with steps, transposed and flipped, beside its operand's other half.
        let z = b.apply(&slice(&[(39, -2, 20), (1, 3, 20)]), &[&b.negative(&x)]);
        let transposed = b.apply(&permute(&[1, 0]), &[&z]);
        b.check(&b.apply(&ADD, &[&z, &transposed]), 1);
        // Axes of length 1, new ones, and a split one.
        let column = b.apply(&Op::Reshape { shape: [40, 1, 70].into() }, &[&b.negative(&x)]);
        let split = b.apply(
            &Op::Reshape { shape: [8, 5, 1, 70].into() },
            &[&b.apply(&permute(&[0, 2, 1]), &[&column])],
        );
        b.check(&b.negative(&split), 1);
        // Repeated along an axis: computed once, then copied.
        let row = b.negative(&b.input(edges(Dtype::INT16, [7], 0)));
        let wide = b.apply(&Op::BroadcastTo { shape: [5, 7].into() }, &[&row]);
        b.check(&b.negative(&wide), 2);
        // One element is no repetition.
        let one = b.apply(&slice(&[(3, 1, 1)]), &[&b.negative(&b.input(edges(Dtype::FLOAT64, [9], 0)))]);
        let wide = b.apply(&Op::BroadcastTo { shape: [5, 7].into() }, &[&one]);
        b.check(&b.negative(&wide), 1);
    }
}

#[test]
fn what_is_long_is_not_computed_twice() {
    for (_, b) in backends() {
        let b = Side(&b);
        let mut x = b.input(edges(Dtype::FLOAT32, [100], 0));
        for _ in 0..20 {
            x = b.apply(&Op::Unary(UnaryOp::Sqrt), &[&b.apply(&ADD, &[&x, &x])]);
        }
        let [left, right] = [0, 1].map(|start| b.apply(&slice(&[(start, 1, 99)]), &[&x]));
        b.check(&b.apply(&ADD, &[&left, &right]), 2);
    }
}

#[test]
fn a_view_alone_is_no_kernel() {
    for (_, b) in backends() {
        let b = Side(&b);
        let x = b.negative(&b.input(edges(Dtype::COMPLEX64, [6, 4], 0)));
        let wide = b.apply(&Op::BroadcastTo { shape: [3, 6, 4].into() }, &[&x]);
        b.check(&wide, 1);
        let got = b.0.to_host(&wide.ours).unwrap();
        assert_eq!(got.strides()[0], 0);
    }
}

#[test]
fn rows_that_stand_side_by_side() {
    let mut cases = Counted::default();
    for (name, b) in backends() {
        for tiles in [true, false] {
            b.engine().set_settings(Settings { tiles, ..Settings::default() });
            let b = Side(&b);
            let shapes = Dtype::all().map(|dtype| (dtype, 37, 50)).chain([
                (Dtype::FLOAT32, 16, 16),
                (Dtype::INT64, 600, 530),
                (Dtype::FLOAT32, 320, 1024),
            ]);
            for (dtype, rows, columns) in shapes.filter(|_| cases.takes_next()) {
                let x = b.input(edges(dtype, [rows, columns], 0));
                let y = b.input(edges(dtype, [columns, rows], 5));
                let column = b.input(edges(dtype, [rows, 1], 3));
                let transposed = b.apply(&permute(&[1, 0]), &[&y]);
                let op = if dtype == Dtype::BOOL { Op::Binary(BinaryOp::LogicalXor) } else { ADD };
                let sum = b.apply(&op, &[&x, &transposed]);
                b.check(&b.apply(&op, &[&sum, &column]), 1);
                let blocks = b.input(edges(dtype, [3, columns, rows], 5));
                let blocks = b.apply(&permute(&[0, 2, 1]), &[&blocks]);
                let got = b.apply(&op, &[&blocks, &x]);
                same(&b.0.to_host(&got.ours).unwrap(), &got.theirs, &|| format!("{name} {dtype}"));
                b.0.engine().take_history();
            }
        }
    }
}

#[test]
fn what_is_beside_each_other_is_read_once() {
    for (name, b) in backends() {
        for beside in [true, false] {
            b.engine().set_settings(Settings { beside, ..Settings::default() });
            let b = Side(&b);
            for dtype in [Dtype::BOOL, Dtype::INT8, Dtype::FLOAT16, Dtype::FLOAT32, Dtype::UINT64] {
                let op = if dtype == Dtype::BOOL { Op::Binary(BinaryOp::LogicalXor) } else { ADD };
                // Rows of whole vectors, of some more and of some less; too short ones.
                for columns in [250, 256, 271, 272, 287, 300] {
                    let x = b.input(edges(dtype, [5, columns + 8], 0));
                    // Neighbours to both sides, above and below, and one that is too far.
                    for places in [
                        &[(0, 1), (0, 0)][..],
                        &[(0, 1), (2, 1), (1, 0), (1, 2), (1, 1)],
                        &[(0, 4), (0, 0), (0, 8), (0, 5)],
                        &[(0, 5), (1, 0), (1, 3), (2, 0)],
                    ] {
                        let part =
                            |&(r, c): &(usize, usize)| b.apply(&slice(&[(r, 1, 3), (c, 1, columns)]), &[&x]);
                        let parts: Vec<_> = places.iter().map(part).collect();
                        let sum = parts[1..].iter().fold(parts[0].clone(), |sum, p| b.apply(&op, &[&sum, p]));
                        same(&b.0.to_host(&sum.ours).unwrap(), &sum.theirs, &|| {
                            format!("{name} {dtype} {columns} {places:?} {beside}")
                        });
                    }
                }
            }
        }
    }
}

#[test]
fn large_results_of_rows_that_begin_anywhere() {
    let mut cases = Counted::default();
    // A device, or what stands in for one, has no stores past the caches.
    for (name, b) in backends().into_iter().filter(|(_, b)| b.engine().device().is_none()) {
        for (streams, ahead, beside) in [(true, true, true), (true, true, false), (false, false, false)] {
            b.engine().set_settings(Settings { streams, ahead, beside, ..Settings::default() });
            let b = Side(&b);
            let dtypes = [
                Dtype::UINT8,
                Dtype::FLOAT16,
                Dtype::FLOAT32,
                Dtype::FLOAT64,
                Dtype::COMPLEX64,
                Dtype::COMPLEX128,
            ];
            for (i, dtype) in dtypes.into_iter().enumerate() {
                // Results of 4 MiB and some more: of one row, of short ones, of long ones.
                let size = (4 << 20) / dtype.bytes();
                for columns in [size + 37, 19 + 16 * i, 1023].into_iter().filter(|_| cases.takes_next()) {
                    let rows = size.div_ceil(columns).max(1) + usize::from(columns < size);
                    let x = b.input(edges(dtype, [rows, columns + 3], 0));
                    let [left, right] =
                        [0, 3].map(|start| b.apply(&slice(&[(0, 1, rows), (start, 1, columns)]), &[&x]));
                    let got = b.apply(&ADD, &[&left, &right]);
                    same(&b.0.to_host(&got.ours).unwrap(), &got.theirs, &|| {
                        format!("{name} {dtype} ({rows}, {columns}) {streams} {ahead} {beside}")
                    });
                    let pairs = |start| b.apply(&slice(&[(0, 1, rows), (start, -2, columns / 2)]), &[&x]);
                    if dtype.bytes() < 8 && columns > 1000 {
                        let got = b.apply(&ADD, &[&pairs(columns + 2), &pairs(columns + 1)]);
                        same(&b.0.to_host(&got.ours).unwrap(), &got.theirs, &|| {
                            format!("{name} {dtype} pairs")
                        });
                    }
                }
            }
        }
    }
}

fn random(b: &Side<'_>, start: Both, steps: &[Step]) -> Both {
    let mut all = vec![start];
    for &taken in steps {
        all.push(step(b, &all, taken));
    }
    all.remove(all.len() - 1)
}

#[test]
fn views_of_nothing_are_nothing() {
    for (_, b) in backends() {
        let b = Side(&b);
        // A flip of an axis without elements begins before the first, in whatever order.
        for kind in 0..6 {
            let x = b.input(edges(Dtype::FLOAT32, [0, 2], 0));
            let x = random(&b, x, &[(26, 0, 0), (86, 0, 0), (50, 0, 0), (kind, 0, 0)]);
            same(&b.0.to_host(&x.ours).unwrap(), &x.theirs, &|| format!("{kind}"));
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]
    #[test]
    fn any_views_of_anything(
        steps in prop::collection::vec((any::<u8>(), 0usize..7, 0usize..7), 1..14),
        rows in 0usize..5,
        columns in 1usize..80,
        plain in any::<bool>(),
        views in any::<bool>(),
    ) {
        let settings = Settings { views, ..Settings::default() };
        walk(&steps, [rows, columns], (plain, settings), |_, _, _| None);
    }
}
