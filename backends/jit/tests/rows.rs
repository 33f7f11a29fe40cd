//! Kernels that fold rows beside writing their elements, by both generators of the host: every fold of
//! every type, of rows of any number of blocks.

#[path = "common/arrays.rs"]
mod arrays;
mod common;

use arrays::same;
use common::generators;
use ivy_backend_jit::codegen::{Code, interp};
use ivy_backend_jit::ir::{Access, Builder, Join, Kernel, Param, Type, verify};
use ivy_backend_jit::runtime::cpu::{self, From, Piece, Space};
use ivy_backend_suite::edges;
use ivy_core::Dtype;
use ivy_core::host::{Buffer, HostArray};

const ROWS: usize = 5;

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
fn both(code: &dyn Code, kernel: &Kernel, x: &HostArray) -> [HostArray; 2] {
    let views = [x.view()];
    let space = Space::rows_of(x.shape(), 1, &views).unwrap();
    let params = &kernel.params;
    let piece = Piece { code, params, from: &[From::Outside(0)], gives: &[1, 0], behind: [0; 2] };
    let written = cpu::rows(&space, &[piece], true).unwrap();
    let array = |value: usize, shape: &[usize]| {
        let written = written[value].as_ref().unwrap();
        let bytes = &written.buffer.bytes()[written.first * params[0].bytes()..];
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
                        let [elements, numbers] = both(&*code, &kernel, x);
                        same(&elements, x, &|| format!("{name}: {dtype}, {}", x.shape()));
                        same(&numbers, folds, &|| format!("{name}: {result:?}, {dtype}, {}", x.shape()));
                    }
                }
            }
        }
    }
}
