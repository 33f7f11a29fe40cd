//! Rows that are folded two at a time: the bits of those that are folded one after the other, on any processor.

use crate::common::arrays;

use arrays::same;
use ivy_backend_jit::codegen::llvm::{self, Effort, Style};
use ivy_backend_jit::codegen::{Code as Coded, interp};
use ivy_backend_jit::ir::{Access, Builder, Code, Join, Kernel, Param, Type, verify};
use ivy_backend_jit::runtime::cpu::{self, Space};
use ivy_backend_suite::edges;
use ivy_core::Dtype;
use ivy_core::host::{HostArray, HostView};

const TWINS: Style = Style { twins: true, ..Style::FAST };

/// A fold of `x * y + z`, `y` being one for each row.
fn kernel(ty: Type, read: Access, folded: Access) -> Kernel {
    let param = |access| Param { ty, parts: 1, access };
    let mut b = Builder::new([read, Access::Uniform, read, folded].map(param).to_vec());
    let [x, y, z] = [0, 1, 2].map(|n| b.load(n, 0));
    let product = b.binary(Code::Mul, x, y);
    let sum = b.binary(Code::Add, product, z);
    b.store(3, &[sum]);
    let kernel = b.finish();
    verify(&kernel).unwrap();
    kernel
}

/// By twins and by the interpreter, over rows of one array that begin one row apart.
fn compare(kernel: &Kernel, code: &dyn Coded, dtype: Dtype, shape: [usize; 2]) {
    let [rows, columns] = shape;
    let x = edges(dtype, [1 + rows, columns], 3);
    let row = columns as isize;
    let walks = [([row, 1], 0), ([1, 0], columns - 1), ([row, 1], columns)];
    let view = |(strides, first)| HostView::new(x.view().bytes(), dtype, &shape, strides, first).unwrap();
    let views: Vec<HostView> = walks.iter().map(|(strides, first)| view((strides, *first))).collect();
    let space = Space::folding(&shape, 0b10, &views).unwrap();
    let [got, want] = [code, &interp::Program::new(kernel)].map(|code| {
        let buffer = cpu::fold(code, &kernel.params, &space).unwrap();
        HostArray::new(buffer, dtype, [rows].into()).unwrap()
    });
    same(&got, &want, &|| format!("{dtype} {:?} {shape:?}", kernel.params[3].access));
}

#[test]
fn rows_of_every_length() {
    let library = llvm::llvm().unwrap();
    let dtypes = [(Type::F32, Dtype::FLOAT32), (Type::F64, Dtype::FLOAT64), (Type::I32, Dtype::INT32)];
    for (ty, dtype) in dtypes {
        for join in [Join::Add, Join::Max] {
            for access in [Access::Row(join), Access::Along(join)] {
                let kernel = kernel(ty, Access::Ahead, access);
                let object = llvm::object(library, &llvm::source(&kernel, TWINS), Effort::Usual).unwrap();
                let code = llvm::link(library, &kernel, TWINS, object).unwrap();
                assert!(code.twins());
                for rows in [1, 2, 3, 8, 9] {
                    for columns in [2, 31, 32, 100, 127, 128, 129, 300, 1024, 4100] {
                        compare(&kernel, &code, dtype, [rows, columns]);
                    }
                }
                // Parts of a row are as rows.
                for columns in [32_768, 65_536, 65_700, 98_400] {
                    compare(&kernel, &code, dtype, [1, columns]);
                    compare(&kernel, &code, dtype, [3, columns]);
                }
            }
        }
    }
}

/// Which kernels are of that form: those with so little to do that nothing but memory counts.
#[test]
fn what_has_twins() {
    let has = |kernel: &Kernel, style| llvm::source(kernel, style).contains("@last_row");
    let sum = kernel(Type::F32, Access::Ahead, Access::Row(Join::Add));
    assert!(has(&sum, TWINS) && !has(&sum, Style::FAST));
    assert!(!llvm::source(&sum, TWINS).split("@last_row").next().unwrap().contains("llvm.prefetch"));
    for other in [
        kernel(Type::F32, Access::Linear, Access::Row(Join::Add)),
        kernel(Type::F32, Access::Ahead, Access::Across(Join::Add)),
        kernel(Type::F32, Access::Ahead, Access::Stream),
    ] {
        assert!(!has(&other, TWINS), "{other}");
    }
}
