//! Programs of NumPy's functions on the engine: how many kernels they are.

use ivy::backend::{Backend, BackendRef};
use ivy::frontends::numpy::{self as np, Methods, NdArray};
use ivy::jit::JitBackend;
use ivy::jit::cache::Generator;
use ivy::jit::codegen::llvm::llvm;
use ivy::prelude::*;

fn launches() -> u64 {
    let backend = ivy::context::current_backend().expect("a backend is in force");
    let jit = Backend::as_any(&*backend).downcast_ref::<JitBackend>().expect("a place of the engine");
    jit.engine().counters().launches
}

/// On an engine of its own, by each generator.
fn on_engines(f: impl Fn() -> ivy::Result<()>) {
    let llvm = llvm().unwrap_or_else(|missing| panic!("these tests need a libLLVM: {missing}"));
    for generator in [Generator::Interp, Generator::Llvm(llvm)] {
        let own = Context::new().backend(BackendRef::new(JitBackend::new(generator)));
        ivy::with(&own, || f().unwrap_or_else(|error| panic!("{}: {error}", generator.name())));
    }
}

fn ufuncs(x: &NdArray, y: &NdArray) -> ivy::Result<NdArray> {
    let z = np::sqrt(&np::multiply(&np::add(x, y, ())?, x, ())?, ())?;
    let z = np::negative(&np::absolute(&np::subtract(&z, y, ())?, ())?, ())?;
    let z = np::log(&np::add(&np::exp(&z, ())?, x, ())?, ())?;
    np::sin(&np::maximum(&z, y, ())?, ())
}

#[test]
fn ufuncs_in_a_row_are_one_kernel() -> ivy::Result<()> {
    let operands = || -> ivy::Result<[NdArray; 2]> {
        let numbers = |by: f32| (0..1000).map(move |i| 0.5 + (i % 37) as f32 * by).collect::<Vec<f32>>();
        Ok([Array::from_vec(numbers(0.01), 1000)?.into(), Array::from_vec(numbers(0.02), 1000)?.into()])
    };
    let [x, y] = operands()?;
    let expected = ufuncs(&x, &y)?.to_vec::<f32>()?;
    on_engines(|| {
        let [x, y] = operands()?;
        let before = launches();
        let z = ufuncs(&x, &y)?;
        assert_eq!(launches(), before, "nothing is computed before it is read");
        let found = z.to_vec::<f32>()?;
        assert_eq!(launches(), before + 1);
        for (found, expected) in found.into_iter().zip(&expected) {
            assert!((found - expected).abs() <= 4.0 * f32::EPSILON, "{found}, not {expected}");
        }
        Ok(())
    });
    Ok(())
}

#[test]
fn views_cost_no_kernel_until_they_are_read() {
    on_engines(|| {
        let x = NdArray::new([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])?;
        let before = launches();
        let part = x.T()?.reshape([-1], ())?;
        assert_eq!(launches(), before);
        assert_eq!(part.to_vec::<f64>()?, [1.0, 4.0, 2.0, 5.0, 3.0, 6.0]);
        Ok(())
    });
}
