//! Tests of the rows of the specification, by their numbers, and of answers that Dr.Jit gave.

mod answers;
mod calls;
mod differentiation;
mod errors;
mod eval;
mod examples;
mod flow;
mod freezing;
mod literals;
mod memory;
mod observation;
mod operands;
mod parse;
mod programs;
mod random;
mod signals;
mod spec;
mod textures;
mod types;

// Backends register themselves where their crates are linked.
use ivy_backend_jit::JitBackend;
use ivy_backend_jit::cache::Generator;
use ivy_backend_jit::codegen::llvm::llvm;
use ivy_backend_ndarray as _;
use ivy_core::Context;
use ivy_core::backend::BackendRef;
use ivy_drjit::{AnyArray, Jit, Package};

/// The lines of a table of answers, apart at its tabs.
pub fn rows(text: &str) -> impl Iterator<Item = Vec<&str>> {
    text.lines()
        .filter(|line| !line.starts_with('#') && !line.is_empty())
        .map(|line| line.split('\t').collect())
}

/// Runs a check on the engine with either code generator.
pub fn on_both(check: impl Fn() -> ivy_drjit::Result<()>) {
    for place in ["jit:llvm", "jit:interp"] {
        ivy_core::with_backend(place, &check).unwrap().unwrap_or_else(|error| panic!("on {place}: {error}"));
    }
}

/// Runs a check on engines that no other test uses, so that launches and nodes can be counted.
pub fn on_own_engines(check: impl Fn(&ivy_drjit::Jit) -> ivy_drjit::Result<()>) {
    let mut generators = vec![Generator::Interp];
    generators.extend(llvm().ok().map(Generator::Llvm));
    for generator in generators {
        let context = Context::new().backend(BackendRef::new(JitBackend::new(generator)));
        let result = ivy_core::context::with(&context, || Jit::of(Package::LLVM).and_then(|jit| check(&jit)));
        result.unwrap_or_else(|error| panic!("on {}: {error}", generator.name()));
    }
}

/// Asserts that the elements of a flat array are numbers, apart by spaces, up to a part of 1 and the number.
pub fn assert_close(name: &str, got: &AnyArray, want: &str, bound: f64) -> ivy_drjit::Result<()> {
    let got: Vec<f64> = got.to_scalars()?.iter().map(|x| x.to_f64()).collect();
    let want: Vec<f64> = want.split(' ').map(|x| x.parse().unwrap()).collect();
    assert_eq!(got.len(), want.len(), "{name}: {got:?} for {want:?}");
    let far = |(got, want): (&f64, &f64)| {
        (got - want).abs() > bound * (1.0 + want.abs()) || got.is_nan() != want.is_nan()
    };
    assert!(!got.iter().zip(&want).any(far), "{name}: {got:?} for {want:?}");
    Ok(())
}
