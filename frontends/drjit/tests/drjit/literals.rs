//! Row D-34: literals are what kernels are given, unless they are asked to be compiled in.

use super::{on_both, on_own_engines};
use ivy_core::functional as f;
use ivy_drjit::llvm::{Bool, Float, UInt, UInt64};
use ivy_drjit::{self as dr, AnyArray, ArrayType, Error, Mode, Package, VarType};
use std::collections::BTreeSet;

#[test]
fn d_34_literals_are_inputs_and_opaque_values_are_not_folded() {
    on_own_engines(|jit| {
        let x = Float::new([1.0, 2.0])?.into_any();
        dr::eval(&x)?;
        jit.kernel_history_clear();
        for by in [3.0, 4.0, 5.0] {
            dr::eval(&(&x + by).ok()?)?;
        }
        let launches = jit.kernel_history();
        assert_eq!(launches.iter().filter(|launch| launch.compile.is_some()).count(), 1);
        assert!(launches.iter().all(|launch| launch.hash == launches[0].hash));
        let one = Float::TYPE.full(1.0, 2)?;
        assert!(dr::is_same(&(&x * &one).ok()?, &x), "done at once");
        let product = (&x * dr::make_opaque(&one)?).ok()?;
        assert!(!dr::is_same(&product, &x) && dr::pending(&product) == 1);
        assert_eq!(product.to_string(), "[1, 2]");
        Ok(())
    });
}

#[test]
fn d_34_literals_that_are_compiled_in() {
    on_own_engines(|jit| {
        let x = Float::new([1.0, 2.0])?.into_any();
        dr::eval(&x)?;
        jit.kernel_history_clear();
        let (mut hashes, mut compiled) = (BTreeSet::new(), Vec::new());
        for by in [3.0, 4.0, 5.0, 3.0] {
            let literal = dr::make_literal(&Float::new(by)?)?;
            assert_eq!((&x * &literal).ok()?.to_string(), (&x * by).ok()?.to_string());
            let launches = jit.kernel_history();
            hashes.extend(launches.iter().map(|launch| launch.hash));
            compiled.push(launches.iter().filter(|launch| launch.compile.is_some()).count());
        }
        assert_eq!(compiled, [2, 1, 1, 0], "the first beside the kernel that is given its number");
        assert_eq!(hashes.len(), 4);
        assert!(matches!(dr::make_literal(&x), Err(Error::InvalidArgument { argument: "value", .. })));
        assert_eq!(dr::make_literal(&ivy_drjit::scalar::Float::new(2)?)?.to_string(), "2");
        Ok(())
    });
}

/// In every place where a number stands.
#[test]
fn d_34_literals_that_are_compiled_in_compute_what_others_do() {
    on_both(|| {
        let places =
            |ty: ArrayType, of: &dyn Fn(AnyArray) -> dr::Result<AnyArray>| -> dr::Result<Vec<String>> {
                let x = ty.make([3, 1, 2])?;
                let [one, two] = [of(ty.make(1)?)?, of(ty.make(2)?)?];
                let wide = of(ty.full(2, 3)?)?;
                let step = |i: &AnyArray| dr::maximum(dr::select(dr::gt(i, &two)?, &one, i)?, &one);
                let looped = dr::while_loop(
                    (x.clone(), UInt::new([0, 1, 2])?.into_any()),
                    |(_, n)| dr::lt(n, 3),
                    |(x, n)| Ok((step(&dr::add(x, &one)?)?, dr::add(n, 1)?)),
                    Mode::Symbolic,
                )?;
                let index = dr::make_literal(&UInt::new(1)?)?;
                Ok(vec![
                    dr::add(&x, &two)?.to_string(),
                    dr::subtract(&wide, &x)?.to_string(),
                    dr::add(&one, &two)?.to_string(),
                    dr::select(dr::lt(&x, &two)?, &one, &wide)?.to_string(),
                    looped.0.to_string(),
                    dr::gather(ty, &x, &index, true)?.to_string(),
                    dr::sum(dr::multiply(&x, &two)?, ())?.to_string(),
                    two.to_string(),
                ])
            };
        for ty in [
            VarType::Float16,
            VarType::Float32,
            VarType::Float64,
            VarType::Int8,
            VarType::Int32,
            VarType::UInt64,
        ] {
            let ty = ArrayType::flat(Package::LLVM, ty);
            assert_eq!(places(ty, &|x| dr::make_literal(&x))?, places(ty, &Ok)?, "{ty}");
        }
        let most = dr::make_literal(&UInt64::new(u64::MAX)?)?;
        assert_eq!((UInt64::new([0, 1])? - most).ok()?.to_string(), "[1, 2]");
        let (yes, mask) = (dr::make_literal(&Bool::new(true)?)?, Bool::new([true, false])?);
        assert_eq!((mask ^ yes).ok()?.to_string(), "[False, True]");
        Ok(())
    });
}

/// What the core makes of such a constant beyond Dr.Jit's types.
#[test]
fn d_34_literals_that_are_compiled_in_become_complex() {
    on_both(|| {
        let two = dr::make_literal(&Float::new(2)?)?;
        let two = f::astype(two.to_core(), ivy_core::Dtype::COMPLEX64)?;
        let x = f::astype(Float::new([1, 3])?.to_core(), two.dtype())?;
        let product = f::multiply(&x, &two)?;
        assert_eq!(f::real(&product)?.to_vec::<f32>()?, [2.0, 6.0]);
        assert_eq!(f::imag(&product)?.to_vec::<f32>()?, [0.0, 0.0]);
        Ok(())
    });
}
