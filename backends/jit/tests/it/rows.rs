//! Kernels that fold rows beside writing their elements: every fold of every type, of rows of any number
//! of blocks; and programs that end beside the rows that follow.

use crate::common;
use crate::common::arrays;
use crate::common::both;

use arrays::{backends, reference, same};
use both::{ADD, Both, Side, slice};
use common::generators;
use ivy_backend_jit::codegen::{Code, interp};
use ivy_backend_jit::engine::Settings;
use ivy_backend_jit::ir::{Access, Builder, Join, Kernel, Param, Type, verify};
use ivy_backend_jit::runtime::cpu::{self, From, Piece, Space};
use ivy_backend_suite::{Counted, edges};
use ivy_core::backend::Backend;
use ivy_core::host::{Buffer, HostArray};
use ivy_core::{BinaryOp, Dims, Dtype, Op, ReduceOp, UnaryOp};

const ROWS: usize = 5;

/// Lengths of rows: all short ones, and some around what kernels do at a time.
fn lengths() -> impl Iterator<Item = usize> {
    (1..=130).chain([249, 255, 256, 257, 300, 511, 999, 1000, 1001, 1023, 1024, 1025, 8200])
}

fn dtype(ty: Type, parts: u32) -> Dtype {
    match (ty, parts) {
        (Type::F32, 2) => Dtype::COMPLEX64,
        (Type::F64, 2) => Dtype::COMPLEX128,
        _ => common::dtype(ty),
    }
}

/// Folds its input; and writes it, if that is wanted.
fn kernel(ty: Type, parts: u32, results: &[Access]) -> Kernel {
    let param = |access| Param { ty, parts, access };
    let params: Vec<Param> = [Access::Linear].iter().chain(results).map(|&access| param(access)).collect();
    let mut b = Builder::new(params);
    let value: Vec<_> = (0..parts).map(|part| b.load(0, part)).collect();
    (0..results.len() as u32).for_each(|result| b.store(1 + result, &value));
    b.finish()
}

/// The elements that are written, and the folds of the rows.
fn written(code: &dyn Code, kernel: &Kernel, x: &HostArray) -> [HostArray; 2] {
    let views = [x.view()];
    let space = Space::rows_of(x.shape(), 1, &views).unwrap();
    let params = &kernel.params;
    let piece = Piece { code, params, from: &[From::Outside(0)], gives: &[1, 0], behind: [0; 2] };
    let all = cpu::rows(&space, &[piece], true).unwrap();
    let array = |value: usize, shape: &[usize]| {
        let written = all[value].as_ref().unwrap();
        let bytes = &written.buffer.bytes()[written.first..];
        HostArray::new(Buffer::copy_from(bytes).unwrap(), x.dtype(), shape.into()).unwrap()
    };
    [array(1, x.shape()), array(0, &[ROWS])]
}

#[test]
fn folds_beside_elements() {
    let lengths = [2, 31, 32, 33, 64, 255, 256, 257, 512, 700, 1024, 1300, 1536, 1800, 2050, 8200];
    for &join in Join::ALL {
        for (ty, parts) in Type::ALL.iter().flat_map(|&ty| [(ty, 1), (ty, 2)]) {
            if !join.takes(ty, parts) || parts == 2 && !ty.is_float() {
                continue;
            }
            let dtype = dtype(ty, parts);
            let alone = kernel(ty, parts, &[Access::Along(join)]);
            let code = interp::Program::new(&alone);
            let of_length = |long: usize| {
                let x = edges(dtype, [ROWS, long], 3);
                let views = [x.view()];
                let space = Space::folding(x.shape(), 0b10, &views).unwrap();
                let folds = cpu::fold(&code, &alone.params, &space).unwrap();
                (HostArray::new(folds, dtype, [ROWS].into()).unwrap(), x)
            };
            let cases: Vec<_> = lengths.map(of_length).into();
            for result in [Access::Row(join), Access::Along(join)] {
                let kernel = kernel(ty, parts, &[Access::Out, result]);
                verify(&kernel).unwrap();
                for (name, code) in generators(&kernel) {
                    for (folds, x) in &cases {
                        let [elements, numbers] = written(&*code, &kernel, x);
                        same(&elements, x, &|| format!("{name}: {dtype}, {}", x.shape()));
                        same(&numbers, folds, &|| format!("{name}: {result:?}, {dtype}, {}", x.shape()));
                    }
                }
            }
        }
    }
}

/// What is folded, and kept; and what is kept of the rows before, which goes past the caches. One element
/// is no row.
#[test]
fn rows_of_any_length_end_in_lines() {
    for (ty, parts) in [(Type::F32, 1), (Type::F64, 2), (Type::U16, 1), (Type::Bool, 1), (Type::I64, 1)] {
        let join = if ty == Type::Bool { Join::Or } else { Join::Add };
        let param = |access| Param { ty, parts, access };
        let dtype = dtype(ty, parts);
        let inputs = [Access::Linear; 2];
        let results = [Access::Stream, Access::Out, Access::Row(join)];
        let params: Vec<Param> = inputs.into_iter().chain(results).map(param).collect();
        let mut b = Builder::new(params.clone());
        let [past, at_hand] =
            [0, 1].map(|input| (0..parts).map(|part| b.load(input, part)).collect::<Vec<_>>());
        b.store(2, &past);
        b.store(3, &at_hand);
        b.store(4, &at_hand);
        let both = b.finish();
        verify(&both).unwrap();
        let alone = kernel(ty, parts, &[Access::Along(join)]);
        let reference = interp::Program::new(&alone);
        for (name, code) in generators(&both) {
            for long in lengths().skip(1) {
                // Several times as many as are at hand.
                let rows = ROWS + 2 * (24 << 10) / (long * dtype.bytes());
                let x = edges(dtype, [rows, long], 3);
                let views = [x.view()];
                let space = Space::rows_of(x.shape(), 1, &views).unwrap();
                let from = [From::Value(0), From::Outside(0)];
                let gives = &[2, 0, 1];
                let piece = Piece { code: &*code, params: &both.params, from: &from, gives, behind: [1, 1] };
                let all = cpu::rows(&space, &[piece], true).unwrap();
                let array = |value: usize, shape: &[usize]| {
                    let written = all[value].as_ref().unwrap();
                    let bytes = &written.buffer.bytes()[written.first..];
                    HostArray::new(Buffer::copy_from(bytes).unwrap(), dtype, shape.into()).unwrap()
                };
                let what = || format!("{name}: {dtype}, rows of {long}");
                same(&array(2, &[rows, long]), &x, &what);
                let space = Space::folding(x.shape(), 0b10, &views).unwrap();
                let folds = cpu::fold(&reference, &alone.params, &space).unwrap();
                let folds = HostArray::new(folds, dtype, [rows].into()).unwrap();
                same(&array(1, &[rows]), &folds, &what);
            }
        }
    }
}

/// Programs over rows, and what has a number for each row or for each column, of rows of any length.
#[test]
fn rows_of_any_length() {
    for (name, b) in backends().into_iter().filter(|(_, b)| b.engine().device().is_none()) {
        for (number, long) in lengths().enumerate() {
            let dtypes = [Dtype::FLOAT32, Dtype::FLOAT16, Dtype::FLOAT64, Dtype::INT32];
            let dtype = dtypes[if long < 35 { number % 4 } else { number % 2 }];
            let values = (0..14 * long).map(|i| ((i * 37 + 11) % 101) as f32 * 0.37 + 1.0).collect();
            let values = HostArray::from_vec::<f32>(values, [7, 2, long].into()).unwrap();
            let values = reference(&Op::Cast { dtype }, &[&values]).remove(0);
            for short in [true, false] {
                b.engine().set_settings(Settings { short, ..Settings::default() });
                let b = Side(&b);
                let x = b.input(values.clone());
                let what = |of: &str| format!("{name}: {of}, rows of {long} {dtype}, {short}");
                for number in 0..3 {
                    let (result, _) = made(&b, &x, number);
                    same(&b.0.to_host(&result.ours).unwrap(), &result.theirs, &|| what("a program"));
                }
                // From the second element on, backwards, and each second one.
                let part = |starts: [(usize, isize, usize); 3]| b.apply(&slice(&starts), &[&x]);
                let row = part([(1, 1, 1), (0, 1, 1), (0, 1, long)]);
                let column = part([(0, 1, 7), (1, 1, 1), (long / 2, 1, 1)]);
                let back = part([(0, 1, 7), (0, 1, 2), (long - 1, -1, long)]);
                let second = part([(6, -1, 7), (0, 1, 2), (long % 2, 2, long / 2)]);
                let sum = b.apply(&ADD, &[&b.apply(&ADD, &[&back, &row]), &column]);
                same(&b.0.to_host(&sum.ours).unwrap(), &sum.theirs, &|| what("backwards"));
                let steps = b.apply(&ADD, &[&second, &column]);
                same(&b.0.to_host(&steps.ours).unwrap(), &steps.theirs, &|| what("steps"));
                let less = b.apply(&Op::Binary(BinaryOp::Less), &[&b.apply(&ADD, &[&x, &column]), &row]);
                same(&b.0.to_host(&less.ours).unwrap(), &less.theirs, &|| what("truth values"));
            }
        }
    }
}

/// The rows' distances from their greatest elements; these and the distances from the least ones; and the
/// shares of the sums of what takes long, which is kept. And how many kernels the pieces are: apart, with
/// folds beside each other, and with the end beside that.
fn made(b: &Side<'_>, x: &Both, number: usize) -> (Both, [usize; 3]) {
    let fold = |op, x: &Both| b.apply(&Op::Reduce { op, axes: Dims::from_slice(&[2]), keepdims: true }, &[x]);
    let binary = |op, x: &Both, y: &Both| b.apply(&Op::Binary(op), &[x, y]);
    let off = binary(BinaryOp::Subtract, x, &fold(ReduceOp::Max, x));
    match number {
        0 => (off, [2, 2, 1]),
        1 => {
            let above = binary(BinaryOp::Subtract, x, &fold(ReduceOp::Min, x));
            (binary(BinaryOp::Multiply, &above, &off), [3, 2, 1])
        }
        _ => {
            let kept = match x.theirs.dtype().is_float() {
                true => b.apply(&Op::Unary(UnaryOp::Sqrt), &[&b.negative(&off)]),
                false => binary(BinaryOp::FloorDivide, &off, x),
            };
            (binary(BinaryOp::Multiply, &kept, &fold(ReduceOp::Sum, &kept)), [4, 3, 2])
        }
    }
}

#[test]
fn programs_end_beside_the_rows_that_follow() {
    let mut cases = Counted::default();
    for (name, b) in backends().into_iter().filter(|(_, b)| b.engine().device().is_none()) {
        for (dtype, rows) in
            [(Dtype::FLOAT32, 1100), (Dtype::FLOAT64, 600), (Dtype::FLOAT16, 2100), (Dtype::INT32, 1031)]
        {
            let all = Settings::default();
            for settings in [
                all,
                Settings { whole: false, ..all },
                Settings { merging: false, ..all },
                Settings { overlap: false, ..all },
                Settings { merging: false, overlap: false, ..all },
            ]
            .into_iter()
            .filter(|_| cases.takes_next())
            {
                b.engine().set_settings(settings);
                let b = Side(&b);
                let values = (0..rows * 2 * 128).map(|i| ((i * 37 + 11) % 101) as f32 * 0.37 + 1.0).collect();
                let x = HostArray::from_vec::<f32>(values, [rows, 2, 128].into()).unwrap();
                let values = reference(&Op::Cast { dtype }, &[&x]).remove(0);
                for number in 0..3 {
                    // Two lines of memory, of many rows each.
                    let transpose = Op::PermuteDims { axes: Dims::from_slice(&[1, 0, 2]) };
                    let x = b.apply(&transpose, &[&b.input(values.clone())]);
                    let (result, [apart, beside, end]) = made(&b, &x, number);
                    let what = || format!("{name}: {number} of {dtype}, {settings:?}");
                    b.0.engine().take_history();
                    same(&b.0.to_host(&result.ours).unwrap(), &result.theirs, &what);
                    let pieces: Vec<_> = b.0.engine().take_history().iter().map(|l| l.pieces).collect();
                    let want = match settings {
                        Settings { merging: false, overlap: false, .. } => apart,
                        Settings { merging: false, .. } => apart - 1,
                        Settings { overlap: false, .. } => beside,
                        _ => end,
                    };
                    assert_eq!(pieces, [want], "{}", what());
                }
            }
        }
    }
}

/// What has blocks of its own for the ends of rows, since it goes past the caches, is not computed beside
/// exponentials. Shares of a softmax in 320 columns, and 300: rows that are whole lines, and are not.
#[test]
fn ends_beside_elementary_functions() {
    let all = Settings::default();
    let few = |b: &Side<'_>, op, rows: usize, columns: usize| {
        let values = (0..rows * columns).map(|i| ((i * 37 + 11) % 101) as f32 * 0.07).collect();
        let x = b.input(HostArray::from_vec::<f32>(values, [rows, columns].into()).unwrap());
        let fold =
            |op, x: &Both| b.apply(&Op::Reduce { op, axes: Dims::from_slice(&[1]), keepdims: true }, &[x]);
        let binary = |op, x: &Both, y: &Both| b.apply(&Op::Binary(op), &[x, y]);
        let kept = b.apply(&Op::Unary(op), &[&binary(BinaryOp::Subtract, &fold(ReduceOp::Max, &x), &x)]);
        let share = binary(BinaryOp::Divide, &kept, &fold(ReduceOp::Sum, &kept));
        b.0.engine().take_history();
        let got = b.0.to_host(&share.ours).unwrap();
        let pieces: Vec<_> = b.0.engine().take_history().iter().map(|l| l.pieces).collect();
        (got, pieces)
    };
    for (name, b) in backends().into_iter().filter(|(name, _)| *name == "llvm") {
        for (op, rows, columns, beside) in [
            (UnaryOp::Exp, 4000, 320, true),
            (UnaryOp::Exp, 4000, 300, false),
            (UnaryOp::Sqrt, 4000, 300, true),
            // It stays in the caches.
            (UnaryOp::Exp, 1000, 300, true),
        ] {
            let run = |settings| {
                b.engine().set_settings(settings);
                few(&Side(&b), op, rows, columns)
            };
            let what = format!("{name}: {op:?} of {rows} rows of {columns}");
            let (got, pieces) = run(all);
            assert_eq!(pieces, [if beside { 2 } else { 3 }], "{what}");
            for settings in [Settings { overlap: false, ..all }, Settings { streams: false, ..all }] {
                let (want, pieces) = run(settings);
                assert_eq!(pieces, [if settings.overlap { 2 } else { 3 }], "{what}, {settings:?}");
                same(&got, &want, &|| format!("{what}, {settings:?}"));
            }
        }
    }
}
