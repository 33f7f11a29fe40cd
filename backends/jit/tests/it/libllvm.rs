//! Every libLLVM from 19 to 22 that the machine has: each compiles every statement on every type,
//! every operation on every dtype, and every fold, and gives the interpreter's bits.
//!
//! Looked for where the engine looks, in the user's other Rust toolchains, and in the folders or
//! files that `IVY_LLVM_TESTS` lists, with `:` between them. What ran is printed.

use crate::common;
use crate::common::arrays;
use crate::common::kernels;

use arrays::same;
use ivy_backend_jit::JitBackend;
use ivy_backend_jit::cache::Generator;
use ivy_backend_jit::codegen::llvm::{self, Effort, Llvm, Roots, Style};
use ivy_backend_jit::codegen::{Code, interp};
use ivy_backend_jit::ir::{Access, Kernel, Param, Type, verify};
use ivy_backend_jit::runtime::cpu::{self, Space};
use ivy_backend_suite::{edges, in_part};
use ivy_core::host::{HostArray, HostView};
use ivy_core::{Dtype, Op};
use kernels::{effects, folds, operation, operations, singles};
use std::collections::BTreeMap;
use std::path::PathBuf;

/// One library of each version.
fn libraries() -> Vec<&'static Llvm> {
    let mut places = llvm::candidates();
    for listed in std::env::var_os("IVY_LLVM_TESTS").iter().flat_map(std::env::split_paths) {
        places.extend(llvm::candidates_in(&listed));
        places.extend(listed.is_file().then_some(listed));
    }
    if let Some(home) = std::env::var_os("RUSTUP_HOME")
        .map(PathBuf::from)
        .or_else(|| std::env::var_os("HOME").map(|home| PathBuf::from(home).join(".rustup")))
    {
        for toolchain in std::fs::read_dir(home.join("toolchains")).into_iter().flatten().flatten() {
            places.extend(llvm::candidates_in(&toolchain.path().join("lib")));
        }
    }
    let mut found = BTreeMap::new();
    for path in places {
        match Llvm::open(&path, llvm::VERSIONS) {
            Ok(library) => {
                let (major, minor, _) = library.version;
                found.entry((major, minor)).or_insert(library);
            }
            Err(reason) => eprintln!("{}: {reason}", path.display()),
        }
    }
    found.into_values().collect()
}

fn dtype_of(p: &Param) -> Dtype {
    match (p.ty, p.parts) {
        (Type::F32, 2) => Dtype::COMPLEX64,
        (Type::F64, 2) => Dtype::COMPLEX128,
        (ty, _) => common::dtype(ty),
    }
}

/// A kernel, what it reads, and what the interpreter gives; the dtype is what the result means.
struct Case {
    name: String,
    kernel: Kernel,
    inputs: Vec<HostArray>,
    out: Dtype,
    want: HostArray,
}

/// Elements of a row, of which the last ones fill no vector.
const ROW: usize = 140;

impl Case {
    fn new(name: String, mut kernel: Kernel, operands: &[Dtype], out: Dtype) -> Case {
        let inputs: Vec<HostArray> = operands
            .iter()
            .enumerate()
            .map(|(i, &dtype)| {
                let array = edges(dtype, [3, ROW], 5 * i + i * i);
                // Small floats are their bits, and complex numbers pairs.
                let stored = dtype_of(&kernel.params[i]);
                HostArray::new(array.buffer().clone(), stored, array.shape().clone()).unwrap()
            })
            .collect();
        for p in kernel.params.iter_mut().filter(|p| p.access == Access::Strided) {
            p.access = Access::Linear;
        }
        let mut case = Case { name, kernel, inputs, out, want: edges(Dtype::BOOL, [0], 0) };
        case.want = case.run(&interp::Program::new(&case.kernel));
        case
    }

    fn run(&self, code: &dyn Code) -> HostArray {
        let views: Vec<HostView<'_>> = self.inputs.iter().map(HostArray::view).collect();
        let shape = [3, ROW];
        let (buffer, shape) = match self.kernel.params.last().map(|p| p.access) {
            Some(Access::Along(_)) => {
                let space = Space::folding(&shape, 0b10, &views).unwrap();
                (cpu::fold(code, &self.kernel.params, &space).unwrap(), vec![3])
            }
            Some(Access::Across(_)) => {
                let space = Space::folding(&shape, 0b01, &views).unwrap();
                (cpu::fold(code, &self.kernel.params, &space).unwrap(), vec![ROW])
            }
            _ => {
                let space = Space::new(&shape, &views).unwrap();
                (
                    cpu::launch(code, &self.kernel.params, &space, true).unwrap().remove(0).buffer,
                    shape.to_vec(),
                )
            }
        };
        HostArray::new(buffer, self.out, shape.into()).unwrap()
    }
}

fn cases() -> Vec<Case> {
    let mut cases = Vec::new();
    for (code, from, to, kernel) in singles() {
        let operands: Vec<Dtype> = kernel.params.iter().rev().skip(1).rev().map(dtype_of).collect();
        let out = dtype_of(kernel.params.last().unwrap());
        cases.push(Case::new(format!("{code:?} {from} to {to}"), kernel, &operands, out));
    }
    for (kind, from, to) in operations() {
        let kernel = operation(kind, from, to);
        let mut operands = vec![from; kernel.params.len() - 1];
        if operands.len() == 3 {
            operands[0] = Dtype::BOOL;
        }
        cases.push(Case::new(format!("{kind:?} {from} to {to}"), kernel, &operands, to));
    }
    for (join, kernel) in folds() {
        let dtype = dtype_of(&kernel.params[0]);
        let mut ahead = kernel.clone();
        ahead.params[0].access = Access::Ahead;
        cases.push(Case::new(format!("{join:?} of {dtype}"), kernel, &[dtype], dtype));
        // Of pairs, nothing is asked for.
        if ahead.params[0].parts == 1 {
            cases.push(Case::new(format!("{join:?} of {dtype}, ahead"), ahead, &[dtype], dtype));
        }
    }
    cases
}

#[test]
fn every_version_gives_the_same_bits() {
    let libraries = libraries();
    assert!(!libraries.is_empty(), "these tests need a libLLVM 19 to 22");
    let cases = cases();
    assert!(cases.len() > 900, "{}", cases.len());
    std::thread::scope(|scope| {
        for &library in &libraries {
            let cases = &cases;
            scope.spawn(move || {
                let twins = Style { twins: true, ..Style::FAST };
                let roots = Style { roots: library.roots, ..Style::FAST };
                let steps = |steps| Style { roots: roots.roots.map(|r| Roots { steps, ..r }), ..roots };
                let in_turns = Style { pipelined: false, ..roots };
                let mut others = [0; 4];
                for (i, case) in cases.iter().enumerate() {
                    let what = || format!("{} by LLVM {:?}\n{}", case.name, library.version, case.kernel);
                    let usual = llvm::source(&case.kernel, Style::FAST);
                    let mut forms = vec![
                        (Style::FAST, usual.clone(), Effort::Usual),
                        (Style::FAST, usual.clone(), Effort::Quick),
                    ];
                    for (style, count) in [twins, steps(1), steps(2), in_turns].into_iter().zip(&mut others) {
                        let other = llvm::source(&case.kernel, style);
                        if other != usual {
                            forms.push((style, other, Effort::Usual));
                            *count += 1;
                        }
                    }
                    for (style, text, effort) in forms.into_iter().filter(|_| in_part(i)) {
                        let code = llvm::object(library, &text, effort)
                            .and_then(|object| llvm::link(library, &case.kernel, style, object));
                        let code = code.unwrap_or_else(|e| panic!("{e}: {effort:?} {style:?} {}", what()));
                        same(&case.run(&code), &case.want, &what);
                    }
                }
                let [pairs, shared, twice, in_turns] = others;
                assert!(pairs > 10, "{pairs} kernels fold two rows at a time");
                assert_eq!([shared, shared], [twice, in_turns]);
                assert_eq!(shared > 1, library.roots.is_some(), "{shared} kernels share roots out");
                let (major, minor, patch) = library.version;
                println!("LLVM {major}.{minor}.{patch}: {} kernels, {}", cases.len(), library.path.display());
            });
        }
    });
}

/// What these kernels do is in `effects`; here they are compiled.
#[test]
fn every_version_takes_kernels_with_effects() {
    for library in libraries() {
        for kernel in effects() {
            verify(&kernel).unwrap();
            let text = llvm::source(&kernel, Style::FAST);
            let made = llvm::object(library, &text, Effort::Usual)
                .and_then(|object| llvm::link(library, &kernel, Style::FAST, object));
            assert!(made.is_ok(), "{:?} by LLVM {:?}\n{kernel}", made.err(), library.version);
        }
    }
}

#[test]
fn every_version_reads_at_indices() {
    let index = HostArray::from_vec((0..70).map(|i: i64| i * 11 % 40 - 20).collect(), [70].into()).unwrap();
    for library in libraries() {
        let backend = JitBackend::new(Generator::Llvm(library));
        for dtype in Dtype::all() {
            let x = edges(dtype, [20, 9], 0);
            for op in [Op::Take { axis: 0 }, Op::Gather { axes: 1 }] {
                let want = arrays::reference(&op, &[&x, &index]).remove(0);
                let what = || format!("{op:?} of {dtype} by LLVM {:?}", library.version);
                same(&arrays::run(&backend, &op, &[&x, &index]), &want, &what);
            }
        }
    }
}

#[test]
fn other_versions_are_refused_by_their_number() {
    for library in libraries() {
        let error = Llvm::open(&library.path, 1..=2).err().expect("no such version");
        assert_eq!(error, format!("LLVM {}, and 19 to 22 are supported", library.version.0));
    }
    // Where the machine has one that does not say its version.
    for version in [14, 15] {
        let old = PathBuf::from(format!("/usr/lib/x86_64-linux-gnu/libLLVM-{version}.so.1"));
        if old.exists() {
            let error = Llvm::open(&old, llvm::VERSIONS).err().expect("too old");
            assert_eq!(error, "LLVM 15 or older, and 19 to 22 are supported");
        }
    }
}
