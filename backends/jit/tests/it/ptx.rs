//! PTX's text: what it looks like, and that `ptxas` assembles every statement on every type, every
//! operation on every dtype, and every fold, in both index forms.
//!
//! `ptxas` is the one in `IVY_PTXAS`, else that of `./setup-ptxas.sh`, else that of the path.

use crate::common::flow;
use crate::common::kernels;

use ivy_backend_jit::codegen::From;
use ivy_backend_jit::codegen::ptx::put::put;
use ivy_backend_jit::codegen::ptx::radix::Radix;
use ivy_backend_jit::codegen::ptx::scan::{self, Part};
use ivy_backend_jit::codegen::ptx::{self, Form, HEADER, Nature, Piece, Product, Reach, RowsForm, Slots};
use ivy_backend_jit::codegen::ptx::{Stand, Team, Tiled, Walk, Way};
use ivy_backend_jit::ir::{Access, Builder, Code, Join, Kernel, Param, Steps, Type, verify};
use ivy_backend_jit::lower;
use ivy_backend_suite::in_part;
use ivy_core::{Dtype, ScanOp, ScatterOp};
use kernels::{effects, folds, gathers, operation, operations, param, singles};
use std::path::{Path, PathBuf};
use std::process::Command;

const FLAT: Form = Form::new(0, false);

/// The assembler; none where there is none, which is said.
fn ptxas() -> Option<PathBuf> {
    let named = std::env::var_os("IVY_PTXAS").filter(|v| !v.is_empty()).map(PathBuf::from);
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../third_party/ptxas/ptxas");
    let found = [named, Some(own), Some("ptxas".into())]
        .into_iter()
        .flatten()
        .find(|path| Command::new(path).arg("--version").output().is_ok_and(|out| out.status.success()));
    if found.is_none() {
        eprintln!("NOT TESTED: there is no ptxas; ./setup-ptxas.sh gets one");
    }
    found
}

/// Assembles the functions for an architecture; panics with what the assembler says.
fn assemble(ptxas: &Path, arch: &str, functions: &[String]) {
    let said = assembled(ptxas, arch, HEADER, functions);
    assert!(said.is_empty(), "{arch}: {}", &said[..said.len().min(4000)]);
}

/// Assembles the functions, and gives what the assembler warns of; panics where it fails.
fn assembled(ptxas: &Path, arch: &str, header: &str, functions: &[String]) -> String {
    let folder = tempfile::tempdir().unwrap();
    let (file, out) = (folder.path().join("all.ptx"), folder.path().join("all.cubin"));
    std::fs::write(&file, format!("{header}\n{}", functions.join("\n"))).unwrap();
    let done = Command::new(ptxas)
        .args(["--warn-on-spills", "-O1", &format!("-arch={arch}"), "-o"])
        .args([&out, &file])
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&done.stderr).into_owned();
    assert!(done.status.success(), "{arch}: {}", &said[..said.len().min(4000)]);
    assert!(std::fs::metadata(&out).unwrap().len() > 1000);
    said
}

/// Products of every tile, with every way to reach either operand; with tensor cores or without.
fn products(tensor: bool) -> Vec<Product> {
    let ways = [(false, false), (false, true), (true, false), (true, true)];
    let reach = ways.map(|(along, vectors)| Reach { along, vectors });
    let mut found = Vec::new();
    for ty in [Type::F32, Type::F64] {
        let tiles = ptx::tiles(ty, tensor).iter().filter(|tile| tile.tensor == tensor);
        for (t, &tile) in tiles.enumerate() {
            found.extend((0..4).map(|i| {
                let tiled = Tiled { tile, reach: [reach[i], reach[(i + t) % 4]], whole: i % 2 == 1 };
                Product { ty, leads: i / 2, tiled: Some(tiled) }
            }));
        }
    }
    found
}

/// Their functions, each with a name of its own.
fn named(products: &[Product]) -> Vec<String> {
    products.iter().enumerate().map(|(i, product)| product.function(&format!("product{i}"))).collect()
}

/// The forms of a kernel whose threads compute more than one element: side by side, of which some are read
/// together, all in one ragged row, and none; and in tiles.
fn more(kernel: &Kernel) -> Vec<Form> {
    let nature = Nature::of(kernel);
    let tiles = |axis, transposed, mirrored| Walk::Tiles { axis, transposed, mirrored };
    let mut forms = Vec::new();
    if nature.most > 1 {
        let each = nature.most;
        forms.push(Form { outer: 2, wide: false, walk: Walk::Abreast { each, whole: 1, ragged: false } });
        forms.push(Form { outer: 1, wide: true, walk: Walk::Abreast { each: 2, whole: 0, ragged: false } });
        if !nature.exact {
            forms.push(Form { outer: 0, wide: false, walk: Walk::Abreast { each, whole: !0, ragged: true } });
            forms.push(Form { outer: 0, wide: true, walk: Walk::Abreast { each, whole: 0, ragged: true } });
        }
    }
    if nature.tiles && kernel.params[0].access == Access::Linear {
        forms.push(Form { outer: 2, wide: false, walk: tiles(0, 1, false) });
        forms.push(Form { outer: 1, wide: true, walk: tiles(0, 1, true) });
    }
    forms
}

/// One of them, if there are any.
fn another(kernel: &Kernel, i: usize) -> Option<Form> {
    let more = more(kernel);
    more.get(i % more.len().max(1)).copied()
}

/// The kernels of a program over rows: a fold; what is kept beside another fold; and what is made of both.
fn kernels_of_rows(join: Join, ty: Type, parts: u32) -> [Kernel; 3] {
    let of = |access: &[Access], stored: &[u32]| {
        let params = access.iter().map(|&access| Param { ty, parts, access });
        let mut b = Builder::new(params.collect());
        let inputs = access.len() - stored.len();
        let loaded: Vec<Vec<_>> =
            (0..inputs as u32).map(|i| (0..parts).map(|part| b.load(i, part)).collect()).collect();
        for (i, &from) in stored.iter().enumerate() {
            b.store((inputs + i) as u32, &loaded[from as usize]);
        }
        let kernel = b.finish();
        verify(&kernel).unwrap();
        kernel
    };
    use Access::*;
    [
        of(&[Linear, Along(join)], &[0]),
        of(&[Linear, Uniform, Strided, Out, Along(join)], &[0, 2]),
        of(&[Linear, Uniform, Uniform, Out, Along(join)], &[0, 0]),
    ]
}

/// Programs over rows of every fold, by every kind of team, with all ways to find elements.
fn programs_over_rows() -> Vec<String> {
    let mut list = Vec::new();
    let few = |steps| Team::Part { threads: 8, steps };
    let forms = [
        (1, Stand::Beside, Team::Part { threads: 32, steps: 8 }),
        (4, Stand::Beside, few(3)),
        (4, Stand::Beside, Team::Part { threads: 16, steps: 8 }),
        (1, Stand::Beside, Team::Block { most: 512, many: true }),
        (4, Stand::Beside, Team::Block { most: 256, many: false }),
        (1, Stand::Apart, few(1)),
        (2, Stand::Apart, few(1)),
        (4, Stand::Apart, few(8)),
    ];
    for (i, (join, kernel)) in folds().into_iter().enumerate() {
        let p = kernel.params[1];
        if !matches!(p.access, Access::Along(_)) {
            continue;
        }
        let kernels = kernels_of_rows(join, p.ty, p.parts);
        let from = [
            vec![From::Outside(0)],
            vec![From::Outside(0), From::Value(0), From::Outside(1)],
            vec![From::Value(1), From::Value(2), From::Outside(2)],
        ];
        let gives = [vec![0], vec![1, 2], vec![4, 3]];
        let pieces: Vec<Piece<'_>> =
            (0..3).map(|k| Piece { kernel: &kernels[k], from: &from[k], gives: &gives[k] }).collect();
        assert!(ptx::takes(&pieces));
        for (k, (abreast, stand, team)) in forms.into_iter().enumerate() {
            let slots = Slots::of(&pieces, 3, 5, k % 2 == 0);
            assert_eq!(slots.bytes.len(), 1, "what is read before and what is kept then share a slot");
            let beside = abreast > 1 && stand == Stand::Beside;
            let first = if beside { Way::Aligned } else { Way::Walked };
            let ways = vec![first, Way::Walked, if k % 2 == 0 { Way::Fixed } else { Way::Walked }];
            let form = RowsForm { outer: 1 + k % 2, abreast, stand, team, ways, slots };
            list.push(ptx::program(&pieces, &form, &format!("rows{i}_{k}")));
        }
    }
    list
}

/// All functions, each with its form and a name of its own.
fn everything() -> (Vec<String>, Vec<String>) {
    let forms = [(0, false), (0, true), (2, false), (2, true)].map(|(outer, wide)| Form::new(outer, wide));
    let (mut plain, mut large) = (Vec::new(), Vec::new());
    for (i, (.., kernel)) in singles().enumerate() {
        verify(&kernel).unwrap();
        plain.push(ptx::function(&kernel, forms[i % 4], &format!("single{i}")));
        plain
            .extend(another(&kernel, i).map(|form| ptx::function(&kernel, form, &format!("single{i}_more"))));
    }
    for (i, (join, kernel)) in folds().into_iter().enumerate() {
        verify(&kernel).unwrap();
        for form in forms {
            let name = format!("fold{i}_{}_{}", form.outer, form.wide);
            plain.push(ptx::function(&kernel, form, &name));
        }
        let p = kernel.params[1];
        for wide in [false, true] {
            plain.push(ptx::pairs(p.ty, p.parts, join, wide, &format!("pairs{i}_{wide}")));
        }
    }
    for (i, kernel) in gathers().iter().enumerate() {
        verify(kernel).unwrap();
        for (k, form) in forms.into_iter().enumerate() {
            plain.push(ptx::function(kernel, form, &format!("gather{i}_{k}")));
        }
        for (k, form) in more(kernel).into_iter().enumerate() {
            plain.push(ptx::function(kernel, form, &format!("gather{i}_more{k}")));
        }
    }
    for (i, kernel) in kernels::guarded().iter().enumerate() {
        verify(kernel).unwrap();
        for (k, form) in forms.into_iter().enumerate() {
            plain.push(ptx::function(kernel, form, &format!("guarded{i}_{k}")));
        }
        plain.extend(another(kernel, i).map(|form| ptx::function(kernel, form, &format!("guarded{i}_more"))));
    }
    for (i, kernel) in
        [flow::collatz(), flow::fibonacci(), flow::guarded(), flow::nested()].iter().enumerate()
    {
        for (k, form) in forms.into_iter().enumerate() {
            plain.push(ptx::function(kernel, form, &format!("flow{i}_{k}")));
        }
    }
    for ty in [Type::F32, Type::F64] {
        let product = Product { ty, leads: 2, tiled: None };
        plain.push(product.function(&format!("plain{}", ty.bits())));
        plain.push(ptx::parts(ty, &format!("parts{}", ty.bits())));
    }
    plain.push(Radix::Sum.function("sum"));
    for wide in [false, true] {
        plain.push(Radix::Count(wide).function(&format!("count_{wide}")));
        plain.push(Radix::Place(wide).function(&format!("place_{wide}")));
    }
    for dtype in Dtype::all() {
        for &op in ScatterOp::ALL.iter().filter(|op| op.takes(dtype)) {
            let step = lower::joined(op, dtype).unwrap();
            verify(&step).unwrap();
            plain.push(put(&step, &format!("put_{op:?}_{dtype}")));
        }
        for &op in ScanOp::ALL {
            let Some(running) = lower::running(op, dtype) else { continue };
            let between = [&running.widen, &running.narrow].into_iter().flatten();
            between.chain([&running.step]).chain(&running.join).for_each(|kernel| verify(kernel).unwrap());
            let line = [Part::Whole, Part::Total, Part::Rest].map(scan::Walk::Line);
            let all =
                [line[0], scan::Walk::Rows(1), scan::Walk::Rows(32), line[1], line[2], scan::Walk::Before];
            // Only integers are taken in parts.
            let few = !matches!(op, ScanOp::Sum | ScanOp::Prod);
            let walks = match dtype.is_int() {
                true if few => &all[5..],
                true => &all[..],
                false if few => &all[..1],
                false => &all[..3],
            };
            for walk in walks {
                let name = format!("scan_{op:?}_{dtype}_{}", plain.len());
                plain.push(walk.function(&running, &name));
            }
        }
    }
    plain.extend(programs_over_rows());
    for (i, kernel) in effects().iter().enumerate() {
        verify(kernel).unwrap();
        plain.push(ptx::effects::function(kernel, &format!("effects{i}")));
    }
    for (i, (kind, from, to)) in operations().into_iter().enumerate() {
        let kernel = operation(kind, from, to);
        large.push(ptx::function(&kernel, forms[i % 4], &format!("operation{i}")));
        large.extend(
            another(&kernel, i).map(|form| ptx::function(&kernel, form, &format!("operation{i}_more"))),
        );
    }
    (plain, large)
}

#[test]
fn everything_is_assembled() {
    let (plain, large) = everything();
    assert!(plain.len() > 500 && large.len() > 500, "{} {}", plain.len(), large.len());
    let Some(ptxas) = ptxas() else { return };
    // Each on one architecture, all of which see some of each kind.
    let architectures = ["sm_70", "sm_80", "sm_90"];
    std::thread::scope(|scope| {
        for (i, arch) in architectures.into_iter().enumerate() {
            let (ptxas, plain, large) = (&ptxas, &plain, &large);
            scope.spawn(move || {
                let some: Vec<String> = large
                    .iter()
                    .chain(plain)
                    .enumerate()
                    .filter(|&(at, _)| at % 3 == i && in_part(at / 3))
                    .map(|(_, text)| text.clone())
                    .collect();
                assemble(ptxas, arch, &some);
            });
        }
    });
}

#[test]
fn a_text() {
    let mut b = Builder::new(vec![
        param(Type::F32, Access::Linear),
        param(Type::I8, Access::Uniform),
        param(Type::F32, Access::Out),
    ]);
    let (x, small) = (b.load(0, 0), b.load(1, 0));
    let twice = b.binary(Code::Add, small, small);
    let scale = b.convert(twice, Type::F32);
    let product = b.binary(Code::Mul, x, scale);
    let large = b.binary(Code::Lt, scale, product);
    let value = b.rare(large, product, |b| b.unary(Code::Sqrt, product));
    b.store(2, &[value]);
    let kernel = b.finish();
    insta::assert_snapshot!("ptx_of_a_row", ptx::module(&kernel, FLAT));
    insta::assert_snapshot!("ptx_of_rows", ptx::module(&kernel, Form::new(1, true)));
}

#[test]
fn texts_of_more_than_one_element() {
    let mut b = Builder::new(vec![
        param(Type::U8, Access::Linear),
        param(Type::F32, Access::Strided),
        param(Type::F32, Access::Out),
    ]);
    let (small, x) = (b.load(0, 0), b.load(1, 0));
    let small = b.convert(small, Type::F32);
    let sum = b.binary(Code::Add, small, x);
    b.store(2, &[sum]);
    let kernel = b.finish();
    let abreast = Walk::Abreast { each: 4, whole: 1, ragged: true };
    let tiles = Walk::Tiles { axis: 0, transposed: 2, mirrored: false };
    insta::assert_snapshot!(
        "ptx_abreast",
        ptx::module(&kernel, Form { outer: 0, wide: false, walk: abreast })
    );
    insta::assert_snapshot!("ptx_tiles", ptx::module(&kernel, Form { outer: 1, wide: false, walk: tiles }));
}

#[test]
fn texts_of_folds() {
    let fold = |access| {
        let mut b = Builder::new(vec![param(Type::F32, Access::Linear), param(Type::F32, access)]);
        let x = b.load(0, 0);
        let square = b.binary(Code::Mul, x, x);
        b.store(1, &[square]);
        ptx::module(&b.finish(), FLAT)
    };
    insta::assert_snapshot!("ptx_along", fold(Access::Along(Join::Add)));
    insta::assert_snapshot!("ptx_across", fold(Access::Across(Join::Max)));
}

#[test]
fn a_text_of_rows() {
    let kernels = kernels_of_rows(Join::Add, Type::F32, 1);
    let from = [vec![From::Outside(0)], vec![From::Outside(0), From::Value(0), From::Outside(1)]];
    let gives = [vec![0], vec![2, 1]];
    let pieces: Vec<Piece<'_>> =
        (0..2).map(|k| Piece { kernel: &kernels[k], from: &from[k], gives: &gives[k] }).collect();
    let form = RowsForm {
        outer: 1,
        abreast: 4,
        stand: Stand::Beside,
        team: Team::Part { threads: 8, steps: 1 },
        ways: vec![Way::Aligned, Way::Walked],
        slots: Slots::of(&pieces, 2, 3, true),
    };
    insta::assert_snapshot!("ptx_rows", ptx::program(&pieces, &form, "rows"));
}

#[test]
fn programs_that_have_no_function() {
    let one = |kernel: &Kernel| {
        let inputs = kernel.params.len() - 1;
        let from: Vec<From> = (0..inputs).map(From::Outside).collect();
        ptx::takes(&[Piece { kernel, from: &from, gives: &[0] }])
    };
    assert!(!kernels::gathers().iter().any(one), "computed distances");
    let across = Access::Across(Join::Add);
    let mut b = Builder::new(vec![param(Type::F32, Access::Linear), param(Type::F32, across)]);
    let x = b.load(0, 0);
    b.store(1, &[x]);
    assert!(!one(&b.finish()), "columns");
    let guarded = Param { ty: Type::F32, parts: 1, access: Access::Guarded(Steps::One) };
    assert!(one(&kernels::guarded_by(guarded, Steps::One)));
}

#[test]
fn a_text_of_a_product() {
    let small = Product { ty: Type::F32, leads: 1, tiled: None };
    insta::assert_snapshot!("ptx_product", small.function("product"));
}

#[test]
fn products_are_assembled() {
    let (plain, tensor) = (products(false), products(true));
    assert!(plain.len() == 28 && tensor.len() == 20 && tensor[0].header() != plain[0].header());
    let Some(ptxas) = ptxas() else { return };
    std::thread::scope(|scope| {
        for (arch, some) in [("sm_70", &plain), ("sm_90", &plain), ("sm_90", &tensor)] {
            let ptxas = &ptxas;
            // Tiles take the registers that there are, and keep some addresses in memory.
            scope.spawn(move || assembled(ptxas, arch, some[0].header(), &named(some)));
        }
    });
}

#[test]
fn a_function_that_does_nothing() {
    insta::assert_snapshot!("ptx_empty", ptx::empty(1));
    if let Some(ptxas) = ptxas() {
        let function = ptx::empty(1).split_off(ptx::HEADER.len());
        assemble(&ptxas, "sm_70", &[function]);
    }
}

#[test]
fn many_parameters_are_read_from_memory() {
    let count = 600u32;
    let params = (0..count).map(|_| param(Type::F32, Access::Linear));
    let mut b = Builder::new(params.chain([param(Type::F32, Access::Out)]).collect());
    let mut sum = b.load(0, 0);
    for i in 1..count {
        let x = b.load(i, 0);
        sum = b.binary(Code::Add, sum, x);
    }
    b.store(count, &[sum]);
    let kernel = b.finish();
    let text = ptx::function(&kernel, FLAT, ptx::FUNCTION);
    assert!(text.contains("arguments[8]") && text.contains("ld.global.nc.u64"));
    if let Some(ptxas) = ptxas() {
        assemble(&ptxas, "sm_70", &[text]);
    }
}

#[test]
fn complex_elements_are_written_whole() {
    let params = [Access::Strided, Access::Out].map(|access| Param { ty: Type::F64, parts: 2, access });
    let mut b = Builder::new(params.to_vec());
    let [re, im] = [0, 1].map(|part| b.load(0, part));
    b.store(1, &[im, re]);
    let text = ptx::module(&b.finish(), FLAT);
    assert!(text.contains("st.global.v2.b64") && text.contains("+8]"), "{text}");
}
