//! Kernels that may write: what the verifier refuses, what passes make of them, random imperative programs
//! by every generator and in plain Rust, atomics, and programs of tasks.

mod atomics;
mod blocks;
mod calls;
mod language;
mod lowering;
mod passes;
mod random;
mod records;
mod rows;
mod tasks;
mod text;
mod verifier;

use crate::common::device;
use ivy_backend_jit::cache::Generator;
use ivy_backend_jit::codegen::llvm;
use ivy_backend_jit::ir::{Access, Effects, Kernel, Param, Steps, Type};
use ivy_backend_jit::passes::Choice;
use ivy_backend_jit::program::{Argument, Bound, Cpu, Cuda, Memory, Order, Program, Report, Target, Task};
use std::sync::Arc;

fn memory(ty: Type) -> Param {
    Param { ty, parts: 1, access: Access::Memory }
}

fn uniform(ty: Type) -> Param {
    Param { ty, parts: 1, access: Access::Uniform }
}

const ELEMENT: Param = Param { ty: Type::I64, parts: 1, access: Access::Counter(Steps::One) };
const LOG: Param = Param { ty: Type::I64, parts: 1, access: Access::Log };

/// All passes, or none that can be left out.
fn choice(all: bool) -> Choice {
    Choice {
        promotion: all,
        selects: all,
        forwarding: all,
        state: all,
        hoisting: all,
        scalar: all,
        ..Choice::default()
    }
}

/// Where programs run: interpreted, by LLVM, and, unless `IVY_TEST_TARGETS` is `host`, on the device of tests.
fn targets() -> Vec<(&'static str, Arc<dyn Target>)> {
    let llvm = llvm::llvm().unwrap_or_else(|missing| panic!("these tests need a libLLVM: {missing}"));
    let mut targets: Vec<(_, Arc<dyn Target>)> =
        vec![("interp", Arc::new(Cpu(Generator::Interp))), ("llvm", Arc::new(Cpu(Generator::Llvm(llvm))))];
    if !host_only() {
        targets.push(("cuda", Arc::new(Cuda(device::device()))));
    }
    targets
}

/// True where no device is wanted: under memcheck, which the stand-in is no subject of.
pub(crate) fn host_only() -> bool {
    std::env::var("IVY_TEST_TARGETS").is_ok_and(|v| v == "host")
}

/// Elements as bytes.
fn bytes<T: Copy, const N: usize>(values: &[T], to: impl Fn(T) -> [u8; N]) -> Vec<u8> {
    values.iter().flat_map(|&x| to(x)).collect()
}

fn of_i64(values: &[i64]) -> (Type, Vec<u8>) {
    (Type::I64, bytes(values, i64::to_ne_bytes))
}

fn of_f32(values: &[f32]) -> (Type, Vec<u8>) {
    (Type::F32, bytes(values, f32::to_ne_bytes))
}

fn to_i64(bytes: &[u8]) -> Vec<i64> {
    bytes.chunks(8).map(|x| i64::from_ne_bytes(x.try_into().unwrap())).collect()
}

fn to_f32(bytes: &[u8]) -> Vec<f32> {
    bytes.chunks(4).map(|x| f32::from_ne_bytes(x.try_into().unwrap())).collect()
}

/// A kernel over so many elements, whose parameters are memory but for the number of the element and the log.
fn task(kernel: &Kernel, count: i64, order: Order) -> Task {
    let mut next = 0;
    let argument = |p: &Param| match p.access {
        Access::Counter(_) => Argument::Element,
        Access::Log => Argument::Log,
        _ => {
            next += 1;
            Argument::Memory(next - 1)
        }
    };
    let arguments = kernel.params.iter().map(argument).collect();
    Task { kernel: kernel.clone(), begin: Bound::Fixed(0), end: Bound::Fixed(count), arguments, order }
}

/// What a kernel leaves in memory.
fn run(
    target: &Arc<dyn Target>,
    kernel: &Kernel,
    (count, order): (i64, Order),
    choice: Choice,
    memories: &[(Type, Vec<u8>)],
) -> (Vec<Vec<u8>>, Report) {
    let program = Program::new(target, vec![task(kernel, count, order)], Vec::new(), choice, None).unwrap();
    assert_eq!(program.fallbacks().collect::<Vec<_>>(), Vec::<&str>::new(), "{kernel}");
    let mut there: Vec<Memory> =
        memories.iter().map(|(ty, bytes)| Memory::new(&**target, *ty, bytes).unwrap()).collect();
    let report = program.run(&mut there, &[]).unwrap();
    (there.iter().map(|m| m.bytes().unwrap().bytes().to_vec()).collect(), report)
}

/// A kernel without blocks.
const FREE: Effects = Effects::FREE;
