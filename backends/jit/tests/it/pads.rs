//! What is padded: the bits of the reference kernels, in the kernels of what it is for, by whatever
//! way its elements are found.

use crate::common::arrays;
use crate::common::both;
use crate::common::kernels;

use arrays::{fusing, processor, reference, run, same, transposed};
use both::{ADD, Both, Side, Step, each_way, permute, slice, walk};
use ivy_backend_jit::engine::{Settings, Variable};
use ivy_backend_jit::ir::{Access, Steps, Type, verify};
use ivy_backend_suite::{edges, share};
use ivy_core::backend::{Backend, Support};
use ivy_core::host::HostArray;
use ivy_core::{AxisPad, BinaryOp, Dims, Dtype, Op, ReduceOp, Scalar, UnaryOp};
use proptest::prelude::*;

const MULTIPLY: Op = Op::Binary(BinaryOp::Multiply);

fn pad(axes: &[(usize, usize)], value: Scalar) -> Op {
    Op::Pad { axes: axes.iter().map(|&(before, after)| AxisPad { before, after }).collect(), value }
}

fn reduce(op: ReduceOp, axes: &[usize]) -> Op {
    Op::Reduce { op, axes: Dims::from_slice(axes), keepdims: false }
}

/// A value that fits a dtype.
fn fill(dtype: Dtype, seed: usize) -> Scalar {
    let float = [0.0, -0.0, 1.5, f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 1e30][seed % 7];
    match dtype {
        Dtype::BOOL => Scalar::Bool(!seed.is_multiple_of(2)),
        _ if dtype.is_complex() => Scalar::Complex(num_complex::Complex64::new(float, -2.5)),
        Dtype::FLOAT16 | Dtype::BFLOAT16 | Dtype::FLOAT32 | Dtype::FLOAT64 => Scalar::Float(float),
        _ => Scalar::Int((seed % 100) as i128),
    }
}

#[test]
fn every_dtype() {
    let backends = fusing();
    for dtype in Dtype::all() {
        for (shape, widths) in [
            // Rows of whole vectors, of some more and of few elements; nothing, and what has no axis.
            (&[5, 80][..], &[(1, 2), (3, 45)][..]),
            (&[3, 4, 64], &[(0, 1), (2, 0), (0, 0)]),
            (&[300], &[(7, 13)]),
            (&[300], &[(0, 0)]),
            (&[5, 3, 2], &[(1, 1), (1, 1), (0, 0)]),
            (&[7], &[(2, 3)]),
            (&[0, 3], &[(2, 90), (70, 1)]),
            (&[4, 0], &[(1, 0), (0, 0)]),
            (&[1, 1], &[(3, 3), (80, 2)]),
            (&[], &[]),
        ] {
            for seed in 0..if shape.len() == 2 { 7 } else { 1 } {
                let op = pad(widths, fill(dtype, seed));
                let x = edges(dtype, shape, seed);
                for x in [x.clone(), transposed(&x)] {
                    let want = reference(&op, &[&x]).remove(0);
                    for (name, backend) in &backends {
                        same(&run(backend, &op, &[&x]), &want, &|| format!("{op:?} of {dtype} by {name}"));
                    }
                }
            }
        }
    }
}

/// How many nodes of a kind a value is made of.
fn count(b: &Side<'_>, x: &Both, kind: &str) -> usize {
    let x = x.ours.data::<Variable>().unwrap();
    b.0.engine().graphviz(&[x]).matches(&format!("{{{kind}|")).count()
}

#[test]
fn what_is_padded_is_in_the_kernel_of_what_it_is_for() {
    for (_, b) in fusing() {
        // What a kernel takes in, however often it is held.
        b.engine().set_settings(Settings { materialize: false, ..b.engine().settings() });
        let b = Side(&b);
        let x = b.input(edges(Dtype::FLOAT32, [40, 170], 0));
        let border = pad(&[(1, 1), (1, 1)], Scalar::Float(0.0));
        // A stencil of elements, and of an expression.
        for x in [x.clone(), b.negative(&x)] {
            let padded = b.apply(&border, &[&x]);
            let parts = [(1, 1), (0, 1), (2, 1), (1, 0), (1, 2)]
                .map(|(r, c)| b.apply(&slice(&[(r, 1, 40), (c, 1, 170)]), &[&padded]));
            let sum = parts[1..].iter().fold(parts[0].clone(), |sum, p| b.apply(&ADD, &[&sum, p]));
            assert_eq!(count(&b, &sum, "pad"), 1);
            b.check(&sum, 1);
        }
        // Both sides of it; twice; transposed and flipped; a row that is repeated.
        let wide = b.apply(&pad(&[(3, 0), (0, 9)], Scalar::Float(2.5)), &[&b.negative(&x)]);
        b.check(&b.negative(&wide), 1);
        let wide = b.apply(&pad(&[(3, 0), (0, 9)], Scalar::Float(2.5)), &[&b.negative(&x)]);
        let twice = b.apply(&pad(&[(1, 2), (5, 5)], Scalar::Float(-1.0)), &[&b.negative(&wide)]);
        b.check(&b.negative(&twice), 1);
        let back = b.apply(&slice(&[(41, -1, 42), (171, -2, 86)]), &[&b.apply(&border, &[&x])]);
        b.check(&b.apply(&ADD, &[&back, &back]), 1);
        let tall = b.input(edges(Dtype::FLOAT32, [80, 30], 0));
        let transposed = b.apply(&permute(&[1, 0]), &[&b.apply(&border, &[&b.negative(&tall)])]);
        b.check(&b.negative(&transposed), 1);
        let row =
            b.apply(&pad(&[(100, 100)], Scalar::Float(7.0)), &[&b.input(edges(Dtype::FLOAT32, [70], 3))]);
        let wide = b.apply(&Op::BroadcastTo { shape: [4, 270].into() }, &[&row]);
        b.check(&b.negative(&wide), 2);
        // What is repeated, and what is one value, with something around it.
        let column = b.input(edges(Dtype::FLOAT32, [40, 1], 3));
        let columns = b.apply(&Op::BroadcastTo { shape: [40, 100].into() }, &[&column]);
        b.check(&b.negative(&b.apply(&border, &[&columns])), 1);
        let one = Op::Full { shape: [40, 100].into(), dtype: Dtype::FLOAT32, value: Scalar::Float(3.0) };
        b.check(&b.negative(&b.apply(&border, &[&b.apply(&one, &[])])), 1);
        let one = b.input(edges(Dtype::FLOAT32, [1, 1], 3));
        b.check(&b.negative(&b.apply(&pad(&[(4, 5), (90, 9)], Scalar::Float(0.5)), &[&one])), 1);
        // Axes that are split, and that are joined: those of a border are not.
        let split = b.apply(&pad(&[(0, 0), (0, 30)], Scalar::Float(1.0)), &[&b.negative(&x)]);
        let split = b.apply(&Op::Reshape { shape: [8, 5, 200].into() }, &[&split]);
        b.check(&b.negative(&split), 1);
        let joined = b.apply(&Op::Reshape { shape: [6800].into() }, &[&b.negative(&x)]);
        b.check(&b.negative(&b.apply(&pad(&[(20, 30)], Scalar::Float(1.0)), &[&joined])), 1);
        let joined = b.apply(&Op::Reshape { shape: [7224].into() }, &[&b.apply(&border, &[&b.negative(&x)])]);
        b.check(&b.negative(&joined), 2);
    }
}

#[test]
fn what_is_long_is_computed_once() {
    for (_, b) in fusing() {
        let b = Side(&b);
        let mut x = b.input(edges(Dtype::FLOAT32, [100], 0));
        for _ in 0..20 {
            x = b.apply(&Op::Unary(UnaryOp::Sqrt), &[&b.apply(&ADD, &[&x, &x])]);
        }
        let padded = b.apply(&pad(&[(2, 2)], Scalar::Float(1.0)), &[&x]);
        let [left, right] = [0, 4].map(|start| b.apply(&slice(&[(start, 1, 100)]), &[&padded]));
        b.check(&b.apply(&ADD, &[&left, &right]), 2);
    }
}

#[test]
fn folds_of_what_is_padded() {
    for (name, b) in fusing() {
        for dtype in [Dtype::FLOAT32, Dtype::INT64, Dtype::FLOAT16, Dtype::COMPLEX64] {
            let b = Side(&b);
            for (rows, columns) in [(5, 270), (270, 3), (40, 70)] {
                let x = b.input(edges(dtype, [rows, columns], 0));
                for op in [ReduceOp::Sum, ReduceOp::Max, ReduceOp::Mean] {
                    if dtype.is_complex() && op == ReduceOp::Max
                        || dtype == Dtype::INT64 && op == ReduceOp::Mean
                    {
                        continue;
                    }
                    for axes in [&[0][..], &[1], &[0, 1]] {
                        for widths in [[(1, 2), (3, 0)], [(0, 0), (90, 90)], [(5, 0), (0, 0)]] {
                            let padded = b.apply(&pad(&widths, fill(dtype, 2)), &[&x]);
                            let got = b.apply(&reduce(op, axes), &[&padded]);
                            same(&b.0.to_host(&got.ours).unwrap(), &got.theirs, &|| {
                                format!(
                                    "{op:?} {axes:?} of {dtype} ({rows}, {columns}), {widths:?} by {name}"
                                )
                            });
                        }
                    }
                }
            }
        }
        // Along rows, and down columns, in one kernel.
        b.engine().take_history();
        let b = Side(&b);
        let x = b.input(edges(Dtype::FLOAT32, [300, 280], 0));
        for axes in [&[0][..], &[1]] {
            let padded = b.apply(&pad(&[(1, 1), (1, 1)], Scalar::Float(0.5)), &[&b.negative(&x)]);
            b.check(&b.apply(&reduce(ReduceOp::Sum, axes), &[&padded]), 1);
        }
    }
}

/// Rows of a border, each of which is normalized by its own sum: a program over rows.
#[test]
fn programs_over_rows() {
    for (name, b) in fusing() {
        let b = Side(&b);
        for columns in [20, 35, 100, 1000] {
            let x = b.input(edges(Dtype::FLOAT32, [40, columns], 0));
            let padded = b.apply(&pad(&[(1, 1), (2, 3)], Scalar::Float(1.5)), &[&b.negative(&x)]);
            let sums = b.apply(
                &Op::Reduce { op: ReduceOp::Max, axes: Dims::from_slice(&[1]), keepdims: true },
                &[&padded],
            );
            let got = b.apply(&ADD, &[&padded, &sums]);
            same(&b.0.to_host(&got.ours).unwrap(), &got.theirs, &|| format!("{columns} by {name}"));
            if columns > 64 && name == "llvm" || name == "cuda" {
                assert_eq!(b.0.engine().take_history().len(), 1);
            }
            b.0.engine().take_history();
        }
    }
}

/// Where fusion stops: at indices, loops, running sums and products of matrices.
#[test]
fn what_is_evaluated_first() {
    for (name, b) in fusing() {
        let b = Side(&b);
        let x = b.input(edges(Dtype::FLOAT32, [90, 90], 0));
        let i = b.input(HostArray::from_vec((0..80i64).map(|i| i * i % 90).collect(), [80].into()).unwrap());
        let border = pad(&[(1, 2), (3, 4)], Scalar::Float(0.25));
        let same = |got: &Both, what: &str| {
            same(&b.0.to_host(&got.ours).unwrap(), &got.theirs, &|| format!("{what} by {name}"));
        };
        // An index around which there are others, none of which are in the table.
        let far = pad(&[(100, 100)], Scalar::Int(5));
        let taken = b.apply(&Op::Take { axis: 0 }, &[&x, &b.apply(&far, &[&i])]);
        same(&taken, "an index");
        let twice = b.apply(&ADD, &[&i, &i]);
        let halves =
            b.apply(&Op::Binary(BinaryOp::FloorDivide), &[&twice, &b.apply(&ADD, &[&twice, &twice])]);
        let taken = b.apply(&Op::Take { axis: 0 }, &[&x, &halves]);
        same(&b.apply(&border, &[&taken]), "what is taken");
        let picked = b.apply(&Op::Take { axis: 1 }, &[&b.apply(&border, &[&x]), &i]);
        same(&picked, "from a border");
        for include_initial in [false, true] {
            let run = Op::Scan { op: ivy_core::ScanOp::Sum, axis: 1, include_initial };
            same(&b.apply(&run, &[&b.apply(&border, &[&b.negative(&x)])]), "a running sum");
        }
        let whole = |n: usize| b.input(edges(Dtype::INT32, [n, n], 0));
        let wide = b.apply(&pad(&[(1, 2), (3, 0)], Scalar::Int(2)), &[&whole(90)]);
        same(&b.apply(&Op::Matmul, &[&wide, &whole(93)]), "a product");
    }
}

#[test]
fn without_the_switches() {
    for (name, b) in fusing() {
        for settings in each_way(|all, fusion, pads| Settings { fusion, pads, small: false, ..all }) {
            b.engine().set_settings(settings);
            let b = Side(&b);
            let x = b.input(edges(Dtype::COMPLEX64, [9, 133], 0));
            let border = pad(&[(1, 1), (1, 1)], fill(Dtype::COMPLEX64, 3));
            let padded = b.apply(&border, &[&b.negative(&x)]);
            let part = b.apply(&slice(&[(0, 1, 9), (2, 1, 133)]), &[&padded]);
            let sum = b.apply(&ADD, &[&part, &x]);
            same(&b.0.to_host(&sum.ours).unwrap(), &sum.theirs, &|| format!("{settings:?} by {name}"));
            let launches = b.0.engine().take_history();
            let fused = settings.fusion && settings.pads && settings.views;
            assert_eq!(launches.len() == 1, fused, "{settings:?} by {name}");
        }
        assert_eq!(b.support(&pad(&[], Scalar::Int(0)), &[Dtype::COMPLEX64]), Support::Native);
    }
}

/// Large enough to go past the caches, and to be computed by several threads.
#[test]
fn large_borders() {
    for (name, b) in fusing().into_iter().filter(|(_, b)| b.engine().device().is_none()) {
        let b = Side(&b);
        for (shape, widths) in [
            (&[1_200_001][..], &[(17, 40_003)][..]),
            (&[900, 1301], &[(2, 1), (1, 3)]),
            (&[3, 700, 600], &[(1, 1), (0, 0), (0, 0)]),
        ] {
            let x = b.input(edges(Dtype::FLOAT32, shape, 0));
            let padded = b.apply(&pad(widths, Scalar::Float(-1.0)), &[&x]);
            let got = b.negative(&padded);
            same(&b.0.to_host(&got.ours).unwrap(), &got.theirs, &|| format!("{shape:?} by {name}"));
            let again = b.apply(&MULTIPLY, &[&got, &padded]);
            same(&b.0.to_host(&again.ours).unwrap(), &again.theirs, &|| format!("{shape:?} by {name}"));
        }
    }
}

/// What is guarded beside each other in long rows is read once, and memory is asked for what comes later: stencils
/// of rows of many lengths, also of those that go past the caches, with these switches and without.
#[test]
fn stencils_of_long_rows() {
    for (name, b) in fusing().into_iter().filter(|(_, b)| b.engine().device().is_none()) {
        for settings in each_way(|all, beside, ahead| Settings { beside, ahead, ..all }) {
            let settings = Settings { fusion: true, views: true, pads: true, small: false, ..settings };
            b.engine().set_settings(settings);
            let b = Side(&b);
            for dtype in [Dtype::FLOAT32, Dtype::BOOL, Dtype::COMPLEX64] {
                for (rows, columns) in [(3, 256), (3, 300), (2, 1000), (1, 515), (1030, 1040)] {
                    if rows > 3 && (dtype != Dtype::FLOAT32 || name == "interp") {
                        continue;
                    }
                    let x = b.input(edges(dtype, [rows, columns], 0));
                    let padded = b.apply(&pad(&[(1, 1), (2, 2)], fill(dtype, 1)), &[&x]);
                    let parts = [(1, 0), (1, 1), (1, 2), (1, 3), (1, 4), (0, 1), (0, 2), (2, 3)]
                        .map(|(r, c)| b.apply(&slice(&[(r, 1, rows), (c, 1, columns)]), &[&padded]));
                    let op = if dtype.is_bool() { Op::Binary(BinaryOp::LogicalXor) } else { ADD };
                    let sum = parts[1..].iter().fold(parts[0].clone(), |sum, p| b.apply(&op, &[&sum, p]));
                    same(&b.0.to_host(&sum.ours).unwrap(), &sum.theirs, &|| {
                        format!("{dtype} ({rows}, {columns}) {settings:?} by {name}")
                    });
                }
            }
        }
    }
}

#[test]
fn printed_guards() {
    let list = kernels::guarded();
    list.iter().for_each(|kernel| verify(kernel).unwrap());
    let f32s: Vec<String> = list
        .iter()
        .filter(|k| (k.params[2].ty, k.params[2].parts) == (Type::F32, 1))
        .filter(|k| k.params[0].access != Access::Counter(Steps::Any))
        .map(ToString::to_string)
        .collect();
    insta::assert_snapshot!("guarded", f32s.join("\n"));
}

/// Memory between two pages that nobody may touch.
#[cfg(target_os = "linux")]
struct Fenced {
    base: *mut u8,
    page: usize,
}

#[cfg(target_os = "linux")]
unsafe extern "C" {
    fn mmap(at: *mut u8, bytes: usize, protection: i32, flags: i32, file: i32, offset: i64) -> *mut u8;
    fn mprotect(at: *mut u8, bytes: usize, protection: i32) -> i32;
    fn munmap(at: *mut u8, bytes: usize) -> i32;
}

#[cfg(target_os = "linux")]
impl Fenced {
    fn new() -> Fenced {
        let page = 1 << 16;
        // SAFETY: new memory of this process alone, whose first and last part is given up.
        let base = unsafe {
            let base = mmap(std::ptr::null_mut(), 3 * page, 3, 0x22, -1, 0);
            assert!(!base.is_null() && base as isize != -1);
            assert_eq!(mprotect(base, page, 0) | mprotect(base.add(2 * page), page, 0), 0);
            base
        };
        Fenced { base, page }
    }

    /// The first or the last bytes between the pages, as they are.
    fn bytes(&self, count: usize, last: bool) -> &[u8] {
        let first = self.page + if last { self.page - count } else { 0 };
        // SAFETY: between the pages, where this many bytes are, which are zero at first.
        unsafe { std::slice::from_raw_parts(self.base.add(first), count) }
    }
}

#[cfg(target_os = "linux")]
impl Drop for Fenced {
    fn drop(&mut self) {
        // SAFETY: all of the memory, which nobody has any more.
        unsafe { munmap(self.base, 3 * self.page) };
    }
}

/// Beside the first and the last element of what is padded there is no memory: whatever is read there ends
/// the process.
#[cfg(target_os = "linux")]
#[test]
fn nothing_is_read_outside() {
    use ivy_backend_jit::codegen::{Code, interp, llvm};
    use ivy_backend_jit::ir::Param;
    use ivy_backend_jit::runtime::cpu::{Space, View, launch};
    use ivy_core::host::HostView;
    let fenced = Fenced::new();
    let types = [(Dtype::INT8, Type::I8, 1), (Dtype::FLOAT16, Type::U16, 1), (Dtype::FLOAT32, Type::F32, 1)]
        .into_iter()
        .chain([(Dtype::COMPLEX128, Type::F64, 2), (Dtype::UINT64, Type::U64, 1)]);
    for (dtype, ty, parts) in types {
        for (steps, stride) in [(Steps::None, 0isize), (Steps::One, 1), (Steps::Any, 3), (Steps::Any, -1)] {
            let kernel = kernels::guarded_by(Param { ty, parts, access: Access::Guarded(steps) }, Steps::One);
            let mut codes: Vec<Box<dyn Code>> = vec![Box::new(interp::Program::new(&kernel))];
            if let Some(found) = processor() {
                codes.push(Box::new(llvm::compile(found, &kernel, llvm::Effort::Usual).unwrap()));
            }
            for (length, before, after) in
                [(100usize, 5usize, 9usize), (3, 70, 70), (64, 0, 1), (1, 16, 47), (0, 30, 40)]
            {
                for last in [false, true] {
                    let shape = [before + length + after];
                    let far = length.saturating_sub(1) * stride.unsigned_abs();
                    let elements = if length == 0 { 0 } else { far + 1 };
                    let bytes = fenced.bytes(elements * dtype.bytes(), last);
                    let first = if stride < 0 { far as isize } else { 0 } - before as isize * stride;
                    let strides = [stride];
                    // SAFETY: the kernel asks for the places from `before` on, of which there are `length`.
                    let input = unsafe { View::guarded(bytes, dtype, &shape, &strides, first) };
                    let number = HostArray::from_vec(vec![length as i64], [1].into()).unwrap();
                    let number =
                        HostView::new(number.buffer().bytes(), Dtype::INT64, &shape, &[0], 0).unwrap();
                    let counter = View::counting(-(before as isize), &shape, &[1]);
                    let space = Space::new(&shape, &[counter, number.into(), input]).unwrap();
                    for code in &codes {
                        let written = launch(&**code, &kernel.params, &space, true).unwrap();
                        assert!(written[0].buffer.bytes().iter().all(|&b| b == 0));
                    }
                }
            }
        }
    }
    // Rows that are shorter than a vector are refused, since they would be copied.
    let input = Param { ty: Type::F32, parts: 1, access: Access::Guarded(Steps::One) };
    let kernel = kernels::guarded_by(input, Steps::One);
    let Some(found) = processor() else { return };
    let code = llvm::compile(found, &kernel, llvm::Effort::Usual).unwrap();
    let one = HostArray::from_vec(vec![1i64], [1].into()).unwrap();
    let one = HostView::new(one.buffer().bytes(), Dtype::INT64, &[9], &[0], 0).unwrap();
    // SAFETY: nothing is asked for of it.
    let input = unsafe { View::guarded(fenced.bytes(4, true), Dtype::FLOAT32, &[9], &[1], 0) };
    let space = Space::new(&[9], &[View::counting(0, &[9], &[1]), one.into(), input]).unwrap();
    assert!(launch(&code, &kernel.params, &space, true).is_err());
}

/// Likewise of inputs that are read beside another one, also ahead.
#[cfg(target_os = "linux")]
#[test]
fn nothing_is_read_outside_beside_others() {
    use ivy_backend_jit::codegen::{Code, interp, llvm};
    use ivy_backend_jit::runtime::cpu::{Space, View, launch};
    use ivy_core::host::HostView;
    let fenced = Fenced::new();
    let types = [(Dtype::INT8, Type::I8), (Dtype::FLOAT32, Type::F32), (Dtype::UINT64, Type::U64)];
    for ((dtype, ty), access) in types.into_iter().flat_map(|of| {
        [Access::Guarded(Steps::One), Access::GuardedAhead].into_iter().map(move |access| (of, access))
    }) {
        let kernel = kernels::guarded_beside(ty, access);
        verify(&kernel).unwrap();
        let mut codes: Vec<Box<dyn Code>> = vec![Box::new(interp::Program::new(&kernel))];
        if let Some(found) = processor() {
            codes.push(Box::new(llvm::compile(found, &kernel, llvm::Effort::Usual).unwrap()));
        }
        for (length, before, after) in [
            (1000usize, 1usize, 1usize),
            (1000, 2, 0),
            (1000, 0, 2),
            (200, 40, 40),
            (256, 1, 1),
            (3, 140, 140),
        ] {
            for last in [false, true] {
                let shape = [before + length + after - 2];
                let bytes = fenced.bytes(length * dtype.bytes(), last);
                let at = |by: isize| by - before as isize;
                // SAFETY: the kernel asks for the places of which there are `length`.
                let read = |by| unsafe { View::guarded(bytes, dtype, &shape, &[1], at(by)) };
                let count = |by| View::counting(at(by), &shape, &[1]);
                let number = HostArray::from_vec(vec![length as i64], [1].into()).unwrap();
                let number = HostView::new(number.buffer().bytes(), Dtype::INT64, &shape, &[0], 0).unwrap();
                let views = [count(0), count(1), count(2), number.into(), read(0), read(1), read(2)];
                let space = Space::new(&shape, &views).unwrap();
                for code in &codes {
                    let written = launch(&**code, &kernel.params, &space, true).unwrap();
                    assert!(written[0].buffer.bytes().iter().all(|&b| b == 0));
                }
            }
        }
    }
}

/// A border, of what is small enough for it.
fn own(b: &Side<'_>, x: &Both, (what, i, j): Step) -> Option<Both> {
    let (shape, dtype) = (x.theirs.shape(), x.theirs.dtype());
    let width = |(a, _): (usize, &usize)| match (i + a) % 3 {
        0 => (0, j % 4),
        1 => (j % 5, i % 3),
        _ => (0, 0),
    };
    let takes = what % 12 >= 8 && shape.size() < 20_000;
    let widths = || -> Vec<_> { shape.iter().enumerate().map(width).collect() };
    takes.then(|| b.apply(&pad(&widths(), fill(dtype, i * 7 + j)), &[x]))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(share(150)))]
    #[test]
    fn any_borders_of_anything(
        steps in prop::collection::vec((any::<u8>(), 0usize..7, 0usize..7), 1..14),
        rows in 0usize..5,
        columns in 1usize..150,
        (plain, views, pads) in (any::<bool>(), any::<bool>(), 0u8..8),
    ) {
        let settings = Settings { views, pads: pads > 0, small: pads > 6, ..Settings::default() };
        walk(&steps, [rows, columns], (plain, settings), own);
    }
}
