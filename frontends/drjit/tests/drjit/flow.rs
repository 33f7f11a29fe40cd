//! Rows D-45 to D-49: loops and conditionals in every mode.

use super::on_both;
use ivy_drjit::llvm::{Array2f, Bool, Float, Int, UInt};
use ivy_drjit::{self as dr, AnyArray, DrjitStruct, Error, Mode, enable_grad, grad, llvm, scalar};

const MODES: [Mode; 3] = [Mode::Auto, Mode::Symbolic, Mode::Evaluated];

#[derive(Clone, DrjitStruct)]
struct Walk {
    place: AnyArray,
    steps: AnyArray,
}

fn collatz(x: AnyArray, mode: Mode) -> dr::Result<Walk> {
    let state = Walk { steps: dr::zeros_like(&x)?, place: x };
    dr::while_loop(
        state,
        |s| dr::gt(&s.place, 1),
        |s| {
            let odd = dr::eq(&s.place & 1, 1)?;
            let place = dr::select(odd, &s.place * 3 + 1, &s.place >> 1)?;
            Ok(Walk { place, steps: (&s.steps + 1).ok()? })
        },
        mode,
    )
}

#[test]
fn d_45_loops_agree_in_every_mode() {
    on_both(|| {
        for mode in MODES {
            let walk = collatz(Int::new([6, 1, 27])?.into_any(), mode)?;
            assert_eq!(walk.steps.to_string(), "[8, 0, 111]", "{mode:?}");
        }
        for mode in [Mode::Auto, Mode::Scalar] {
            assert_eq!(collatz(scalar::Int::new(27)?.into_any(), mode)?.steps.to_string(), "111");
        }
        Ok(())
    });
}

#[test]
fn d_45_nested_state_and_scatters_in_loops() {
    on_both(|| {
        for mode in MODES {
            let (v, n) = dr::while_loop(
                (Array2f::new([[1.0, 2.0], [3.0, 4.0]])?.into_any(), UInt::new(0)?.into_any()),
                |(_, n)| dr::lt(n, UInt::new([1, 3])?),
                |(v, n)| Ok(((v * 2.0).ok()?, (n + 1).ok()?)),
                mode,
            )?;
            assert_eq!(
                (v.to_string(), n.to_string()),
                ("[[2, 6],\n [16, 32]]".into(), "[1, 3]".into()),
                "{mode:?}"
            );
        }
        // The target has another size than the threads: each adds at its number, as often as it goes round.
        let index = UInt::new([0, 1, 0])?;
        for mode in [Mode::Auto, Mode::Symbolic, Mode::Evaluated] {
            let (sums, _) = dr::while_loop(
                (Int::new([0, 0])?.into_any(), Int::new([0, 0, 0])?.into_any()),
                |(_, n)| dr::lt(n, Int::new([1, 2, 5])?),
                |(sums, n)| Ok((dr::scatter_add(sums, 1, &index, true)?, (n + 1).ok()?)),
                mode,
            )?;
            assert_eq!(sums.to_string(), "[6, 2]", "{mode:?}");
            // Numbers that no two updates have in common are handed out step by step.
            let (sums, n) = dr::while_loop(
                (Int::new([0, 0])?.into_any(), Int::new([0, 0, 0])?.into_any()),
                |(_, n)| dr::lt(n, Int::new([1, 2, 5])?),
                |(sums, n)| {
                    let done = dr::scatter_inc(sums, &index, true)?;
                    Ok((done.target, (n + 1).ok()?))
                },
                mode,
            )?;
            assert_eq!((sums.to_string(), n.to_string()), ("[6, 2]".into(), "[1, 2, 5]".into()), "{mode:?}");
        }
        Ok(())
    });
}

#[test]
fn d_45_conditionals_agree_in_every_mode() {
    on_both(|| {
        let x = Float::new([4.0, -9.0])?.into_any();
        for mode in MODES {
            let y = dr::if_stmt(x.clone(), dr::lt(&x, 0)?, |x| dr::negative(x), |x| dr::sqrt(x), mode)?;
            assert_eq!(y.to_string(), "[2, 9]", "{mode:?}");
            let which = UInt::new([1, 0])?;
            type Branch<'a> = &'a dyn Fn(&AnyArray) -> dr::Result<AnyArray>;
            let functions: [Branch<'_>; 2] = [&|x| dr::abs(x), &|x| (x * 10.0).ok()];
            assert_eq!(dr::switch(&which, &functions, x.clone(), mode)?.to_string(), "[40, 9]", "{mode:?}");
            let scales = [1.0, 0.5];
            let y = dr::dispatch(&scales, &which, |scale, x: &AnyArray| (x * *scale).ok(), x.clone(), mode)?;
            assert_eq!(y.to_string(), "[2, -9]", "{mode:?}");
        }
        let y = dr::if_stmt(
            x.clone(),
            scalar::Bool::new(true)?,
            |x| dr::abs(x),
            |_| panic!("not called"),
            Mode::Auto,
        )?;
        assert_eq!(y.to_string(), "[4, 9]");
        Ok(())
    });
}

#[test]
fn d_46_a_variable_that_changes_is_named() {
    on_both(|| {
        for mode in MODES {
            let state = Walk { place: Int::new([1, 2])?.into_any(), steps: Int::new([0, 0])?.into_any() };
            let result = dr::while_loop(
                state,
                |s| dr::lt(&s.place, 5),
                |s| Ok(Walk { place: (&s.place + 1).ok()?, steps: (&s.steps * 1.5).ok()? }),
                mode,
            );
            let error = result.err().unwrap();
            let Error::VariableChanged { variable, before, after, .. } = &error else {
                panic!("{mode:?}: {error}")
            };
            assert_eq!(variable, "state.steps");
            assert!(before.starts_with("drjit.llvm.Int") && after.starts_with("drjit.llvm.Float"), "{error}");
        }
        let no_mask =
            dr::while_loop(Int::new([1])?.into_any(), |x| Ok(x.clone()), |x| Ok(x.clone()), Mode::Auto);
        assert!(matches!(no_mask, Err(Error::WrongType { argument: "the condition", .. })));
        let sizes = dr::if_stmt(
            Int::new([1, 2])?.into_any(),
            Bool::new([true, false])?,
            |x| Ok(x.clone()),
            |x| (x * 1.5).ok(),
            Mode::Auto,
        );
        assert!(matches!(sizes, Err(Error::VariableChanged { function: "if_stmt", .. })));
        let out = dr::switch(
            &UInt::new([0, 7])?,
            &[&|x: &AnyArray| Ok(x.clone())],
            Int::new([1])?.into_any(),
            Mode::Auto,
        );
        assert!(matches!(out, Err(Error::InvalidArgument { argument: "index", .. })));
        Ok(())
    });
}

#[test]
fn d_52_gradients_pass_through_loops_and_branches() {
    on_both(|| {
        // x to the power of 1, 2 and 3.
        let x = enable_grad(&llvm::ad::Float::new([2.0, 3.0, 4.0])?)?;
        let times = llvm::ad::Int::new([1, 2, 3])?;
        let (y, _) = dr::while_loop(
            (dr::ones_like(&x)?, dr::zeros_like(&times)?),
            |(_, n)| dr::lt(n, &times),
            |(y, n)| Ok(((y * &x).ok()?, (n + 1).ok()?)),
            Mode::Auto,
        )?;
        assert_eq!(y.to_string(), "[2, 9, 64]");
        dr::backward(&y)?;
        assert_eq!(grad(&x)?.to_string(), "[1, 6, 48]");
        let x = enable_grad(&x)?;
        let y = dr::if_stmt(
            x.any().clone(),
            dr::gt(&x, 2.5)?,
            |x| dr::square(x),
            |x| (x * 5.0).ok(),
            Mode::Auto,
        )?;
        dr::backward(&y)?;
        assert_eq!(grad(&x)?.to_string(), "[5, 6, 8]");
        let symbolic =
            dr::while_loop(x.any().clone(), |x| dr::lt(x, 9.0), |x| (x * 2.0).ok(), Mode::Symbolic);
        assert!(matches!(symbolic, Err(Error::CapturedGradient { .. })));
        Ok(())
    });
}
