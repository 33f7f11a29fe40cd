//! Kernels have a bounded number of statements, so that the time to compile what a program computes is linear in it.

use crate::common::arrays::processor;
use ivy_backend_jit::JitBackend;
use ivy_backend_jit::cache::Generator;
use ivy_backend_jit::engine::{Launch, Settings};
use ivy_core::backend::{Backend, Value};
use ivy_core::host::HostArray;
use ivy_core::{BinaryOp, Dims, Dtype, Op, ReduceOp, Shape, UnaryOp};

/// What is computed of a chain of elementary functions.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Of {
    /// Its last element.
    Elements,
    /// The sum of that, in the kernel of the last of them.
    Sum,
    /// The derivative of the sum by the first, which needs each link.
    Gradient,
}

fn host(x: f64, length: usize) -> HostArray {
    HostArray::from_vec((0..length).map(|i| x + i as f64 / 16.0).collect(), [length].into()).unwrap()
}

/// The launches of a chain of sines of float64, and the bits of what comes out.
fn chain(backend: &JitBackend, links: usize, of: Of) -> (Vec<Launch>, Vec<u64>) {
    let one = |op: &Op, operands: &[&Value]| backend.execute(op, operands).unwrap().remove(0);
    let mut all = vec![backend.from_host(host(0.25, 10)).unwrap()];
    for _ in 0..links {
        let next = one(&Op::Unary(UnaryOp::Sin), &[&all[all.len() - 1]]);
        match of {
            Of::Gradient => all.push(next),
            // Nobody holds the links.
            _ => all = vec![next],
        }
    }
    let last = all.pop().unwrap();
    let found = match of {
        Of::Elements => last,
        Of::Sum => {
            one(&Op::Reduce { op: ReduceOp::Sum, axes: Dims::from_slice(&[0]), keepdims: false }, &[&last])
        }
        Of::Gradient => {
            let shape = Shape::from([10]);
            let ones = one(&Op::Full { shape, dtype: Dtype::FLOAT64, value: 1.0.into() }, &[]);
            all.iter().rev().fold(ones, |cotangent, x| {
                let slope = one(&Op::Unary(UnaryOp::Cos), &[x]);
                one(&Op::Binary(BinaryOp::Multiply), &[&cotangent, &slope])
            })
        }
    };
    let bits = backend.to_host(&found).unwrap().to_vec::<f64>().unwrap().into_iter().map(f64::to_bits);
    (backend.engine().take_history(), bits.collect())
}

fn statements(launches: &[Launch]) -> usize {
    launches.iter().map(|l| l.statements).sum()
}

/// About what the engine's bound on statements is, and one more function of some hundred.
const MOST: usize = 3000;

#[test]
fn statements_are_linear_in_the_operations() {
    let llvm = processor().map(Generator::Llvm);
    for generator in [Generator::Interp].into_iter().chain(llvm) {
        for of in [Of::Elements, Of::Sum, Of::Gradient] {
            let [few, some, many] = [50, 200, 800].map(|links| {
                let (launches, _) = chain(&JitBackend::new(generator), links, of);
                let longest = launches.iter().map(|l| l.statements).max().unwrap_or(0);
                assert!(longest <= MOST, "{of:?} of {links}: a kernel of {longest} statements");
                // A kernel that was made stays: what is the same in each part is compiled once.
                let made = launches.iter().filter(|l| l.compile.is_some()).count();
                assert!(made <= 12, "{of:?} of {links}: {made} kernels");
                statements(&launches) as f64 / links as f64
            });
            assert!(some < 1.3 * few && many < 1.3 * few, "{of:?}: {few}, {some}, {many} statements a link");
        }
    }
}

#[test]
fn without_the_bound_a_chain_is_few_long_kernels_of_the_same_bits() {
    for of in [Of::Elements, Of::Sum, Of::Gradient] {
        let bounded = JitBackend::new(Generator::Interp);
        let whole = JitBackend::new(Generator::Interp);
        whole.engine().set_settings(Settings { bounded: false, ..whole.engine().settings() });
        let ((parts, expected), (launches, found)) = (chain(&bounded, 30, of), chain(&whole, 30, of));
        // What is folded may have a kernel of its own.
        assert!(parts.len() > 3 && launches.len() <= 2, "{of:?}: {} and {}", parts.len(), launches.len());
        assert!(launches[0].statements > MOST && found == expected, "{of:?}");
    }
}
