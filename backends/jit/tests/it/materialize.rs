//! What the program holds when a kernel has computed it: it is computed once more at most, and what loops do each time is
//! the same, in work, in kernels and in memory.

use crate::common::arrays::{backends, same};
use crate::common::both::{ADD, Both, Side};
use ivy_backend_jit::JitBackend;
use ivy_backend_jit::engine::{Launch, Settings};
use ivy_backend_suite::edges;
use ivy_core::backend::Backend;
use ivy_core::{AxisSlice, BinaryOp, Dims, Dtype, Op, ReduceOp, Shape, UnaryOp};

const MULTIPLY: Op = Op::Binary(BinaryOp::Multiply);
const NEGATIVE: Op = Op::Unary(UnaryOp::Negative);
const SQRT: Op = Op::Unary(UnaryOp::Sqrt);

fn greatest(x: &Both, b: &Side<'_>) -> Both {
    let axes = (0..x.theirs.shape().len()).collect();
    b.apply(&Op::Reduce { op: ReduceOp::Max, axes, keepdims: false }, &[x])
}

/// Reads a value, and gives what was launched for it.
#[track_caller]
fn read(backend: &JitBackend, x: &Both) -> Vec<Launch> {
    backend.engine().take_history();
    same(&backend.to_host(&x.ours).unwrap(), &x.theirs, &|| "read".into());
    backend.engine().take_history()
}

fn number(b: &Side<'_>, value: f64) -> Both {
    b.input(ivy_core::host::HostArray::from_vec(vec![value], Shape::default()).unwrap())
}

/// Descent with momentum, of which only the greatest element is read, every so many steps: what each read launches.
fn momentum(backend: &JitBackend, length: usize, reads: usize, every: usize) -> Vec<Vec<Launch>> {
    let b = Side(backend);
    let (decay, rate) = (number(&b, 0.9), number(&b, -0.01));
    let mut x = b.input(edges(Dtype::FLOAT64, [length], 0));
    let mut v = b.apply(&MULTIPLY, &[&x, &number(&b, 0.0)]);
    let mut all = Vec::new();
    for step in 1..=reads * every {
        let slope = b.apply(&NEGATIVE, &[&x]);
        v = b.apply(&ADD, &[&b.apply(&MULTIPLY, &[&v, &decay]), &b.apply(&MULTIPLY, &[&slope, &rate])]);
        x = b.apply(&ADD, &[&x, &v]);
        if step % every == 0 {
            all.push(read(backend, &greatest(&x, &b)));
        }
    }
    all
}

fn operations(launches: &[Launch]) -> usize {
    launches.iter().map(|l| l.operations * l.elements).sum()
}

fn hashes(launches: &[Launch]) -> Vec<u64> {
    launches.iter().map(|l| l.hash).collect()
}

#[test]
fn a_recurrence_does_the_same_at_every_read() {
    for (name, backend) in backends() {
        // Small ones take the way of a single row, the large one that of a space.
        for (length, every) in [(7, 1), (300, 4), (5000, 1), (5000, 10)] {
            let all = momentum(&backend, length, 8, every);
            let step = operations(&all[7]);
            // Six operations a step, and one comparison.
            let most = length * (6 * every + 1);
            assert!(step <= most, "{name}: {step} operations, {most} at most");
            for iteration in 2..8 {
                assert_eq!(operations(&all[iteration]), step, "{name}: read {iteration}");
                assert_eq!(hashes(&all[iteration]), hashes(&all[7]), "{name}: read {iteration}");
            }
            assert!(all[2..].iter().flatten().all(|l| l.compile.is_none()), "{name}: kernels are found");
        }
    }
}

#[test]
fn without_the_switch_it_is_computed_from_the_beginning() {
    for (_, backend) in backends() {
        backend.engine().set_settings(Settings { materialize: false, ..Settings::default() });
        let all = momentum(&backend, 300, 6, 2);
        assert!(operations(&all[5]) > 2 * operations(&all[1]), "each read goes back to the first step");
    }
}

#[test]
fn what_is_held_is_written_the_second_time() {
    for (name, backend) in backends() {
        let b = Side(&backend);
        let x = b.input(edges(Dtype::FLOAT32, [40, 50], 0));
        let held = b.apply(&SQRT, &[&x]);
        // The first kernel writes what is asked for.
        let launches = read(&backend, &b.apply(&ADD, &[&held, &x]));
        assert_eq!(
            launches.iter().map(|l| (l.operations, l.outputs)).collect::<Vec<_>>(),
            [(2, 1)],
            "{name}"
        );
        // The second time it is evaluated first,
        let launches = read(&backend, &b.apply(&MULTIPLY, &[&held, &x]));
        assert_eq!(launches.iter().map(|l| l.operations).collect::<Vec<_>>(), [1, 1], "{name}");
        // and it is there the third time.
        let launches = read(&backend, &b.negative(&held));
        assert_eq!(launches.iter().map(|l| l.operations).collect::<Vec<_>>(), [1], "{name}");
        // What nobody holds leaves nothing.
        let launches = read(&backend, &b.negative(&b.apply(&SQRT, &[&b.apply(&ADD, &[&x, &x])])));
        assert_eq!(launches.len(), 1, "{name}");
    }
}

#[test]
fn what_is_needed_for_the_last_time_is_not_written() {
    for (name, backend) in backends() {
        let b = Side(&backend);
        let x = b.input(edges(Dtype::FLOAT32, [40, 50], 0));
        // As a mask that a forward pass makes and a backward pass reads last.
        let held = b.apply(&SQRT, &[&x]);
        read(&backend, &b.apply(&ADD, &[&held, &x]));
        let last = b.apply(&MULTIPLY, &[&held, &x]);
        drop(held);
        let launches = read(&backend, &last);
        assert_eq!(
            launches.iter().map(|l| (l.operations, l.outputs)).collect::<Vec<_>>(),
            [(2, 1)],
            "{name}"
        );
        // What is held and made of it is a reason to write it, and itself the next step.
        let held = b.apply(&SQRT, &[&x]);
        read(&backend, &b.apply(&ADD, &[&held, &x]));
        let next = b.negative(&held);
        drop(held);
        let launches = read(&backend, &b.apply(&MULTIPLY, &[&next, &x]));
        assert_eq!(launches.iter().map(|l| l.operations).collect::<Vec<_>>(), [1, 1, 1], "{name}");
    }
}

#[test]
fn what_a_view_shows_is_written_where_it_is_held() {
    for (name, backend) in backends() {
        let b = Side(&backend);
        let x = b.input(edges(Dtype::FLOAT64, [30, 40], 0));
        let held = b.apply(&SQRT, &[&x]);
        let transposed = b.apply(&Op::PermuteDims { axes: Dims::from_slice(&[1, 0]) }, &[&held]);
        assert_eq!(read(&backend, &transposed).len(), 1, "{name}");
        assert_eq!(read(&backend, &held).len(), 0, "{name}: it is in memory");
        // Of more than the view shows, only that is computed.
        let held = b.apply(&SQRT, &[&x]);
        let row =
            Op::Slice { axes: Dims::from_slice(&[0, 0].map(|start| AxisSlice { start, step: 1, len: 1 })) };
        let launches = read(&backend, &b.apply(&row, &[&held]));
        assert!(launches.iter().all(|l| l.elements == 1), "{name}: {launches:?}");
    }
}

#[test]
fn a_view_holds_what_it_shows() {
    for (name, backend) in backends() {
        let b = Side(&backend);
        let x = b.input(edges(Dtype::FLOAT64, [30, 40], 0));
        let transposed =
            b.apply(&Op::PermuteDims { axes: Dims::from_slice(&[1, 0]) }, &[&b.apply(&NEGATIVE, &[&x])]);
        let reads: Vec<usize> =
            (0..4).map(|_| operations(&read(&backend, &greatest(&b.negative(&transposed), &b)))).collect();
        assert!(reads[1] > reads[2] && reads[2] == reads[3], "{name}: {reads:?}");
    }
}

#[test]
fn what_is_much_larger_than_what_it_is_made_of_stays_fused() {
    let (_, backend) = backends().remove(0);
    let b = Side(&backend);
    let n = 5000;
    let x = b.input(edges(Dtype::FLOAT32, [n, 1], 0));
    let row = b.apply(&Op::Reshape { shape: [1, n].into() }, &[&x]);
    let table = backend.execute(&ADD, &[&x.ours, &row.ours]).unwrap().remove(0);
    for iteration in 0..3 {
        backend.engine().take_history();
        let sum = Op::Reduce { op: ReduceOp::Sum, axes: Dims::from_slice(&[0, 1]), keepdims: false };
        let found = backend.execute(&sum, &[&table]).unwrap().remove(0);
        backend.to_host(&found).unwrap();
        let launches = backend.engine().take_history();
        // Its sum is one kernel each time: the table is never written.
        assert_eq!(launches.len(), 1, "{iteration}: {launches:?}");
    }
    // Where a view asks for all of it, it takes the place of the view's own elements.
    let transposed =
        backend.execute(&Op::PermuteDims { axes: Dims::from_slice(&[1, 0]) }, &[&table]).unwrap().remove(0);
    for (x, launched) in [(&transposed, 1), (&table, 0)] {
        backend.engine().take_history();
        backend.to_host(x).unwrap();
        assert_eq!(backend.engine().take_history().len(), launched);
    }
}
