//! Rows of a few elements: kernels of elements of several parts, and what is computed column by column, of
//! every length of rows, in every order in memory.

use crate::common;
use crate::common::arrays;
use crate::common::both;

use arrays::{backends, same};
use both::{ADD, Both, Side, Step, permute, slice, walk};
use common::generators;
use ivy_backend_jit::engine::Settings;
use ivy_backend_jit::ir::{Access, Builder, Kernel, Param, Type, verify};
use ivy_backend_jit::runtime::cpu::{self, Space, View};
use ivy_backend_suite::{Counted, edges, mild};
use ivy_core::backend::Backend;
use ivy_core::host::HostArray;
use ivy_core::{BinaryOp, Dims, Dtype, Op, ReduceOp, UnaryOp};
use proptest::prelude::*;

/// The parts of each element in reverse.
fn reverse(ty: Type, parts: u32, [read, written]: [Access; 2]) -> Kernel {
    let mut b = Builder::new([read, written].map(|access| Param { ty, parts, access }).to_vec());
    let values: Vec<_> = (0..parts).rev().map(|part| b.load(0, part)).collect();
    b.store(1, &values);
    b.finish()
}

#[test]
fn elements_of_several_parts() {
    let mut cases = Counted::default();
    for (&ty, columns) in
        Type::ALL.iter().flat_map(|ty| (2..=17).chain([24, 31]).map(move |columns| (ty, columns)))
    {
        let dtype = common::dtype(ty);
        let forms = [(64, 1, Access::Out), (83, 1, Access::Stream), (71, 2, Access::Stream)];
        for (rows, step, results) in forms.into_iter().filter(|_| cases.takes_next()) {
            let read = if step == 1 { Access::Linear } else { Access::Strided };
            let kernel = reverse(ty, u32::from(columns), [read, results]);
            verify(&kernel).unwrap();
            let count = usize::from(columns);
            // They begin anywhere in a line.
            let x = edges(dtype, [1 + rows * count * step as usize], 3);
            let walk = (&[rows][..], &[step][..]);
            let view = View::of_rows(x.buffer().bytes(), dtype, columns, walk, 1).unwrap();
            let space = Space::new(&[rows], &[view]).unwrap();
            let back: Vec<isize> = vec![(step as usize * count) as isize, -1];
            let want = HostArray::from_parts(
                x.buffer().clone(),
                dtype,
                [rows, count].into(),
                back[..].into(),
                count,
            );
            let want = ivy_kernels::to_contiguous(want.unwrap().view()).unwrap();
            for (name, code) in generators(&kernel) {
                let written = cpu::launch(&*code, &kernel.params, &space, true).unwrap().remove(0);
                let got = HostArray::from_parts(
                    written.buffer,
                    dtype,
                    [rows, count].into(),
                    want.strides().into(),
                    written.first / dtype.bytes(),
                );
                same(&got.unwrap(), &want, &|| format!("{name}: {dtype} in rows of {columns}, {results:?}"));
            }
        }
    }
}

/// Rows that are not there stop at the last element.
#[test]
fn rows_are_within_their_memory() {
    let bytes = [0; 4 * 12];
    let of = |rows: usize, step, offset| {
        View::of_rows(&bytes, Dtype::INT32, 3, (&[rows], &[step]), offset).is_some()
    };
    assert!(of(4, 1, 0) && of(3, 1, 3) && of(2, 2, 3) && of(4, -1, 9) && of(0, 1, 12) && of(9, 0, 9));
    assert!(!of(5, 1, 0) && !of(4, 1, 1) && !of(2, 3, 2) && !of(4, -1, 8) && !of(1, 0, 10));
}

struct Rows<'b>(Side<'b>);

impl Rows<'_> {
    fn fold(&self, op: ReduceOp, x: &Both) -> Both {
        let axes = Dims::from_slice(&[x.theirs.shape().len() - 1]);
        self.0.apply(&Op::Reduce { op, axes, keepdims: true }, &[x])
    }

    fn binary(&self, op: BinaryOp, x: &Both, y: &Both) -> Both {
        self.0.apply(&Op::Binary(op), &[x, y])
    }

    /// What is made of rows of a dtype.
    fn all(&self, x: &Both) -> Vec<(&'static str, Both)> {
        use BinaryOp::{Add, Divide, LogicalOr, Maximum, Multiply, Subtract};
        let folds = |list: &[(&'static str, ReduceOp)]| -> Vec<(&'static str, Both)> {
            list.iter().map(|&(name, op)| (name, self.fold(op, x))).collect()
        };
        let dtype = x.theirs.dtype();
        let [sum, product] = [("a sum", ReduceOp::Sum), ("a product", ReduceOp::Prod)];
        let extremes = [("the greatest", ReduceOp::Max), ("the least", ReduceOp::Min)];
        if dtype.is_bool() {
            let mut all = folds(&[("all", ReduceOp::All), ("any", ReduceOp::Any)]);
            all.push(("with a column", self.binary(LogicalOr, x, &all[0].1)));
            return all;
        }
        if dtype.is_complex() {
            let sum = self.fold(ReduceOp::Sum, x);
            return vec![("distances", self.binary(Subtract, x, &sum)), ("a sum", sum)];
        }
        let mut all = folds(&[sum, product, extremes[0], extremes[1]]);
        let off = self.binary(Subtract, x, &all[2].1);
        let twice = self.binary(Multiply, &off, &self.binary(Maximum, x, &all[3].1));
        all.extend([("distances", off.clone()), ("products of distances", twice)]);
        if dtype.is_float() {
            let root = self.0.apply(&Op::Unary(UnaryOp::Sqrt), &[&self.0.negative(&off)]);
            let share = self.binary(Divide, &root, &self.fold(ReduceOp::Sum, &root));
            let mean = self.fold(ReduceOp::Mean, x);
            let variance = self.fold(ReduceOp::Var { correction: 0f64.to_bits() }, x);
            let deviation = self.0.apply(&Op::Unary(UnaryOp::Sqrt), &[&self.binary(Add, &variance, &mean)]);
            let norm = self.binary(Divide, &self.binary(Subtract, x, &mean), &deviation);
            all.extend([("shares", share), ("a mean", mean), ("a layer norm", norm)]);
        }
        all
    }
}

#[test]
fn rows_of_a_few_elements() {
    let dtypes = [
        Dtype::FLOAT32,
        Dtype::FLOAT64,
        Dtype::FLOAT16,
        Dtype::INT32,
        Dtype::UINT8,
        Dtype::INT64,
        Dtype::BOOL,
        Dtype::COMPLEX64,
    ];
    let mut counted = Counted::default();
    for (name, b) in backends().into_iter().filter(|(name, _)| *name == "llvm") {
        // Each length in one dtype at least, and each dtype in some of them.
        let cases = dtypes.iter().enumerate().flat_map(|(number, &dtype)| {
            (1..=17)
                .chain([24, 31, 32])
                .filter(move |n| number == 0 || n % 5 == number % 5)
                .map(move |n| (dtype, n))
        });
        for (dtype, columns) in cases.filter(|_| counted.takes_next()) {
            let rows = ((1 << 14) / columns).max(1 << 12) + 9;
            for settings in [true, false].map(|columns| Settings { columns, ..Settings::default() }) {
                b.engine().set_settings(settings);
                let rows_of = Rows(Side(&b));
                let check = |how: &str, x: &Both| {
                    for (what, made) in rows_of.all(x) {
                        let got = b.to_host(&made.ours).unwrap();
                        let of = format!("{name}: {what} of rows of {columns} {dtype}, {how}");
                        same(&got, &made.theirs, &|| format!("{of}, {}", settings.columns));
                    }
                };
                let array = if columns % 2 == 0 { edges } else { mild };
                let x = rows_of.0.input(array(dtype, [rows, columns], 3));
                check("in order", &x);
                if columns == 3 || columns == 10 {
                    let wide = rows_of.0.input(mild(dtype, [2 * rows, columns + 2], 1));
                    let cut = |axes: [(usize, isize, usize); 2]| rows_of.0.apply(&slice(&axes), &[&wide]);
                    check("each second one", &cut([(0, 2, rows), (0, 1, columns)]));
                    check("backwards", &cut([(rows, -1, rows), (columns, -1, columns)]));
                    let down = rows_of.0.input(mild(dtype, [columns, rows], 2));
                    check("side by side", &rows_of.0.apply(&permute(&[1, 0]), &[&down]));
                    let of_three = rows_of.0.input(mild(dtype, [3, rows, columns], 2));
                    check("in several lines", &rows_of.0.apply(&permute(&[1, 0, 2]), &[&of_three]));
                }
            }
        }
    }
}

/// One kernel does all of it, where there are enough rows; what is large goes past the caches.
#[test]
fn short_rows_are_one_kernel() {
    for (_, b) in backends().into_iter().filter(|(name, _)| *name == "llvm") {
        for (columns, count) in [(true, 1), (false, 2)] {
            b.engine().set_settings(Settings { columns, ..Settings::default() });
            let rows = Rows(Side(&b));
            for shape in [[1 << 13, 3], [3 << 17, 3], [1 << 18, 10]] {
                let x = rows.0.input(mild(Dtype::FLOAT32, shape, 3));
                let off = rows.binary(BinaryOp::Subtract, &x, &rows.fold(ReduceOp::Max, &x));
                b.engine().take_history();
                same(&b.to_host(&off.ours).unwrap(), &off.theirs, &|| format!("{shape:?}, {columns}"));
                let pieces: Vec<usize> = b.engine().take_history().iter().map(|l| l.pieces).collect();
                assert_eq!(pieces, [count], "{shape:?}, {columns}");
            }
        }
    }
}

/// Folds of a few elements along other axes than the last ones: as rows, in one kernel without a fold.
#[test]
fn short_columns_are_folded_as_rows() {
    let dtypes = [
        Dtype::FLOAT32,
        Dtype::FLOAT64,
        Dtype::FLOAT16,
        Dtype::INT8,
        Dtype::INT64,
        Dtype::BOOL,
        Dtype::COMPLEX64,
    ];
    let ops = [
        ReduceOp::Sum,
        ReduceOp::Prod,
        ReduceOp::Max,
        ReduceOp::Min,
        ReduceOp::All,
        ReduceOp::Any,
        ReduceOp::Mean,
        ReduceOp::Var { correction: 0 },
    ];
    let cases: [(&[usize], &[usize]); 9] = [
        (&[2100, 2, 4], &[1]),
        (&[1200, 3, 5], &[1]),
        (&[2, 9000], &[0]),
        (&[300, 16, 8], &[1]),
        (&[1100, 17, 4], &[1]),
        (&[700, 31, 3], &[1]),
        (&[700, 32, 3], &[1]),
        (&[3, 700, 2, 5], &[0, 2]),
        (&[70, 3, 33, 2, 4], &[1, 3]),
    ];
    let mut counted = Counted::default();
    for (name, b) in backends().into_iter().filter(|(name, _)| *name == "llvm") {
        for (dtype, (shape, axes)) in dtypes.iter().flat_map(|&d| cases.map(|case| (d, case))) {
            let count: usize = axes.iter().map(|&axis| shape[axis]).product();
            for op in ops.into_iter().filter(|_| counted.takes_next()) {
                let fold = Op::Reduce { op, axes: Dims::from_slice(axes), keepdims: count == 3 };
                if fold.result_dtype(&[dtype]).is_none() {
                    continue;
                }
                for columns in [true, false] {
                    b.engine().set_settings(Settings { columns, ..Settings::default() });
                    let side = Side(&b);
                    let x = side.input(edges(dtype, shape, 3));
                    let flipped: Vec<_> = shape.iter().map(|&len| (len - 1, -1, len)).collect();
                    for x in [side.apply(&slice(&flipped), &[&x]), x] {
                        let y = side.apply(&fold, &[&x]);
                        b.engine().take_history();
                        let what =
                            || format!("{name}: {op:?} of {dtype} {shape:?} along {axes:?}, {columns}");
                        same(&b.to_host(&y.ours).unwrap(), &y.theirs, &what);
                        let folds: Vec<_> =
                            b.engine().take_history().iter().map(|l| l.fold.is_some()).collect();
                        // Axes that are no single stride are folded by the reference kernels otherwise.
                        match (op, columns && count <= 31, axes) {
                            (ReduceOp::Mean | ReduceOp::Var { .. }, ..) => {}
                            // The reference kernels multiply them.
                            (ReduceOp::Prod, ..) if dtype.is_complex() => {}
                            (_, true, _) => assert!(!folds.contains(&true), "{}", what()),
                            (_, false, [_]) => assert!(folds.contains(&true), "{}", what()),
                            _ => {}
                        }
                    }
                }
            }
        }
    }
}

/// Where the greatest of a few elements along the first of two short axes is, in all its dtypes; and what is chosen by that, in
/// rows of both axes, of which operands have one.
#[test]
fn choices_along_short_axes() {
    let mut counted = Counted::default();
    for (name, b) in backends().into_iter().filter(|(name, _)| *name == "llvm") {
        for dtype in [
            Dtype::FLOAT32,
            Dtype::FLOAT16,
            Dtype::INT8,
            Dtype::UINT32,
            Dtype::BOOL,
            Dtype::FLOAT64,
            Dtype::INT64,
        ] {
            for shape in
                [[2100, 2, 4], [1500, 3, 5], [4000, 4, 2]].into_iter().filter(|_| counted.takes_next())
            {
                for settings in [true, false].map(|columns| Settings { columns, ..Settings::default() }) {
                    b.engine().set_settings(settings);
                    let side = Side(&b);
                    let what = || format!("{name}: {dtype} {shape:?}, {}", settings.columns);
                    let x = side.input(edges(dtype, shape, 3));
                    let axis = Some(1);
                    let least = side.apply(&Op::ArgReduce { max: false, axis, keepdims: false }, &[&x]);
                    same(&b.to_host(&least.ours).unwrap(), &least.theirs, &what);
                    let found = side.apply(&Op::ArgReduce { max: true, axis, keepdims: true }, &[&x]);
                    let found = side.input(found.theirs);
                    let numbers = (0..shape[1] as i64).collect();
                    let numbers = side.input(HostArray::from_vec(numbers, [shape[1], 1].into()).unwrap());
                    let here = side.apply(&Op::Binary(BinaryOp::Equal), &[&numbers, &found]);
                    let [n, _, last] = shape;
                    let [spread, zero] =
                        [[n, 1, last], [1, 1, 1]].map(|shape| side.input(mild(dtype, shape, 2)));
                    let chosen = side.apply(&Op::Where, &[&here, &spread, &zero]);
                    b.engine().take_history();
                    same(&b.to_host(&chosen.ours).unwrap(), &chosen.theirs, &what);
                    assert_eq!(b.engine().take_history().len(), 1, "{}", what());
                }
            }
        }
    }
}

/// The sum of rows and their own fold, or only that.
fn own(b: &Side<'_>, x: &Both, (what, i, j): Step) -> Option<Both> {
    let last = x.theirs.shape().len().checked_sub(1).filter(|_| what % 12 >= 7)?;
    let ops = [ReduceOp::Sum, ReduceOp::Max, ReduceOp::Min, ReduceOp::Prod];
    let op = if x.theirs.dtype().is_complex() { ReduceOp::Sum } else { ops[i % 4] };
    let fold = b.apply(&Op::Reduce { op, axes: Dims::from_slice(&[last]), keepdims: true }, &[x]);
    Some(if what % 12 == 7 && j == 0 { fold } else { b.apply(&ADD, &[x, &fold]) })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(8))]
    #[test]
    fn any_short_rows_of_anything(
        steps in prop::collection::vec((any::<u8>(), 0usize..7, 0usize..7), 1..10),
        columns in 2usize..17,
        (plain, views, columns_too) in (any::<bool>(), any::<bool>(), 0u8..8),
    ) {
        let settings = Settings { views, columns: columns_too > 0, ..Settings::default() };
        walk(&steps, [(1 << 14) / columns + 50, columns], (plain, settings), own);
    }
}
