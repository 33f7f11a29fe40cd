//! Small pads and joins, which the reference kernels copy at once where all is there: the same values either
//! way, and what waits as before.

use crate::common::arrays;
use crate::common::both;

use arrays::{backends, same, transposed};
use both::{Both, Side, slice};
use ivy_backend_jit::engine::{Settings, Variable};
use ivy_backend_suite::edges;
use ivy_core::backend::Backend;
use ivy_core::{AxisPad, Dims, Dtype, Op, ReduceOp, Scalar};

fn border(rank: usize) -> Op {
    Op::Pad {
        axes: (0..rank).map(|axis| AxisPad { before: 1, after: axis + 1 }).collect(),
        value: Scalar::Int(1),
    }
}

/// The first axis by one place, as `ivy::roll` has it.
fn roll(b: &Side<'_>, x: &Both) -> Both {
    let shape = x.theirs.shape();
    let part = |start, len| {
        let axes: Vec<_> = shape[1..].iter().map(|&n| (0, 1, n)).collect();
        b.apply(&slice(&[&[(start, 1, len)][..], &axes].concat()), &[x])
    };
    b.apply(&Op::Concat { axis: 0 }, &[&part(shape[0] - 1, 1), &part(0, shape[0] - 1)])
}

fn is_pending(x: &Both) -> bool {
    x.ours.data::<Variable>().unwrap().is_pending()
}

#[test]
fn both_ways_give_the_same() {
    for (name, b) in backends() {
        for small in [false, true] {
            b.engine().set_settings(Settings { small, ..Settings::default() });
            let b = Side(&b);
            for dtype in Dtype::all() {
                let steps = |x: &Both| if dtype.is_bool() { x.clone() } else { b.apply(&both::ADD, &[x, x]) };
                for shape in [&[2][..], &[300], &[9, 70], &[3, 2, 5]] {
                    let x = edges(dtype, shape, 0);
                    for x in [x.clone(), transposed(&x)] {
                        let x = b.input(x);
                        let y = steps(&x);
                        for x in [x, y] {
                            let rolled = roll(&b, &x);
                            let padded = b.apply(&border(shape.len()), &[&x]);
                            let both = b.apply(&border(shape.len()), &[&rolled]);
                            for got in [steps(&rolled), steps(&padded), steps(&both), both] {
                                same(&b.0.to_host(&got.ours).unwrap(), &got.theirs, &|| {
                                    format!("{shape:?} of {dtype}, small {small} by {name}")
                                });
                            }
                        }
                    }
                }
            }
        }
    }
}

/// On the processor: what is there, or soon will be, is copied; what is folded, or large, waits as before.
#[test]
fn what_is_small_does_not_wait() {
    for (name, b) in backends() {
        for small in [true, false] {
            b.engine().set_settings(Settings { small, ..Settings::default() });
            let waits = !small || b.engine().device().is_some();
            let b = Side(&b);
            let of = |side: usize| b.input(edges(Dtype::FLOAT32, [side, side], 0));
            let sums = Op::Reduce { op: ReduceOp::Sum, axes: Dims::from_slice(&[1]), keepdims: true };
            let all =
                [of(40), b.negative(&of(40)), b.apply(&sums, &[&of(40)]), of(200), b.negative(&of(200))];
            let rolled = all.each_ref().map(|x| is_pending(&roll(&b, x)));
            let padded = all.each_ref().map(|x| is_pending(&b.apply(&border(2), &[x])));
            assert_eq!(padded, [waits, waits, true, true, true], "small {small} by {name}");
            assert_eq!(rolled, [waits, true, true, true, true], "small {small} by {name}");
        }
    }
}
