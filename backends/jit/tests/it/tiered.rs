//! Kernels that are interpreted first: when machine code is made of them, and that nothing else changes.

use ivy_backend_jit::codegen::llvm::{self, Effort, Limits, Llvm, Style};
use ivy_backend_jit::codegen::{Code as _, Tiered};
use ivy_backend_jit::ir::{Access, Builder, Code, Kernel, Param, Type, verify};
use ivy_backend_jit::runtime::cpu::{self, Space};
use ivy_core::host::HostArray;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// `x + x`, or doubled until it is `y` or more.
fn kernel(looping: bool) -> Kernel {
    let param = |access| Param { ty: Type::F64, parts: 1, access };
    let mut b = Builder::new(vec![param(Access::Linear), param(Access::Linear), param(Access::Out)]);
    let (x, y) = (b.load(0, 0), b.load(1, 0));
    let result = if looping {
        let (looping, carried) = b.open_loop(&[x]);
        let less = b.binary(Code::Lt, carried[0], y);
        b.while_true(less);
        let sum = b.binary(Code::Add, carried[0], carried[0]);
        b.close_loop(looping, &[sum])[0]
    } else {
        b.binary(Code::Add, x, x)
    };
    b.store(2, &[result]);
    let kernel = b.finish();
    verify(&kernel).unwrap();
    kernel
}

fn library() -> &'static Llvm {
    llvm::llvm().unwrap_or_else(|missing| panic!("these tests need a libLLVM: {missing}"))
}

/// The code of a kernel, and how many times it was made by LLVM; `fails` where that says no.
fn tiered(llvm: &'static Llvm, kernel: &Kernel, fails: bool) -> (Tiered, Arc<AtomicUsize>) {
    let limits = Limits::of(kernel, Style::FAST);
    assert!(Tiered::fits(kernel));
    let made = Arc::new(AtomicUsize::new(0));
    let counter = made.clone();
    let make = move |kernel: &Kernel| {
        counter.fetch_add(1, Ordering::Relaxed);
        if fails { Err("no".into()) } else { llvm::compile(llvm, kernel, Effort::Usual) }
    };
    (Tiered::new(kernel.clone(), 7, limits, Box::new(make)), made)
}

fn run(code: &Tiered, kernel: &Kernel, x: f64, y: f64, count: usize) -> Vec<f64> {
    let input = |value| HostArray::from_vec(vec![value; count], [count].into()).unwrap();
    let (inputs, shape) = ([input(x), input(y)], [count]);
    let views = inputs.each_ref().map(HostArray::view);
    let space = Space::new(&shape, &views).unwrap();
    let result = cpu::launch(code, &kernel.params, &space, true).unwrap().remove(0).buffer;
    result.bytes().chunks_exact(8).map(|bytes| f64::from_ne_bytes(bytes.try_into().unwrap())).collect()
}

#[test]
fn what_runs_often_is_compiled() {
    let llvm = library();
    let kernel = kernel(false);
    let (code, made) = tiered(llvm, &kernel, false);
    assert_eq!(run(&code, &kernel, 3.0, 0.0, 40), [6.0; 40]);
    assert_eq!(made.load(Ordering::Relaxed), 0);
    // A launch of many elements, which takes longer than LLVM.
    assert_eq!(run(&code, &kernel, 3.0, 0.0, 1 << 22), vec![6.0; 1 << 22]);
    assert_eq!(made.load(Ordering::Relaxed), 1);
    assert_eq!(run(&code, &kernel, 3.5, 0.0, 40), [7.0; 40]);
    assert_eq!(made.load(Ordering::Relaxed), 1);
}

#[test]
fn few_elements_many_times() {
    let llvm = library();
    let kernel = kernel(false);
    let (code, made) = tiered(llvm, &kernel, false);
    let until = (0..1_000_000).find(|_| {
        assert_eq!(run(&code, &kernel, 3.0, 0.0, 40), [6.0; 40]);
        made.load(Ordering::Relaxed) > 0
    });
    assert!(until.is_some_and(|runs| runs > 0), "{until:?}");
}

#[test]
fn long_loops_are_given_up() {
    let llvm = library();
    let kernel = kernel(true);
    let (code, made) = tiered(llvm, &kernel, false);
    assert_eq!(run(&code, &kernel, 1.0, 5.0, 40), [8.0; 40]);
    assert_eq!(made.load(Ordering::Relaxed), 0);
    // The smallest number is doubled 1074 times.
    for _ in 0..1000 {
        assert_eq!(run(&code, &kernel, 5e-324, 1.0, 40), [1.0; 40]);
    }
    assert_eq!(made.load(Ordering::Relaxed), 1);
}

#[test]
fn what_cannot_be_compiled_stays_interpreted() {
    let llvm = library();
    for looping in [false, true] {
        let kernel = kernel(looping);
        let (code, made) = tiered(llvm, &kernel, true);
        for _ in 0..3 {
            let got = run(&code, &kernel, 2.0, 3.0, 1 << 20);
            assert_eq!(got, vec![4.0; 1 << 20]);
        }
        assert_eq!(made.load(Ordering::Relaxed), 1);
        assert_eq!(code.least(), Limits::of(&kernel, Style::FAST).least);
    }
}
