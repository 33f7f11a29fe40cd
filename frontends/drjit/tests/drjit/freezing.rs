//! Row D-53: frozen functions.

use super::{on_both, on_own_engines};
use ivy_drjit::llvm::{self, Array2f, Float, UInt};
use ivy_drjit::{self as dr, AnyArray, DrjitStruct, Error, enable_grad, freeze, grad};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

#[derive(Clone, DrjitStruct)]
struct Scene {
    centre: Array2f,
    radius: Float,
    #[drjit(skip)]
    bounces: u32,
}

fn scene(x: f64, count: usize, bounces: u32) -> dr::Result<Scene> {
    let numbers: Vec<f64> = (0..count).map(|i| x + i as f64).collect();
    let centre = Array2f::new((Float::new(numbers)?, 4))?;
    Ok(Scene { centre, radius: Float::new([1])?, bounces })
}

/// A function of a scene that counts how often it is called.
fn distance(
    calls: &Arc<AtomicU32>,
) -> impl Fn(&Scene) -> dr::Result<(Float, Option<UInt>)> + Send + Sync + 'static {
    let calls = calls.clone();
    move |scene: &Scene| {
        calls.fetch_add(1, Ordering::Relaxed);
        let far = dr::norm(&scene.centre)?;
        let own = (&far * scene.bounces as f64 - &scene.radius).get()?;
        Ok((own, Some(far.cast_to(UInt::TYPE)?.try_into()?)))
    }
}

#[test]
fn d_53_calls_of_one_kind_are_replayed() {
    on_own_engines(|jit| {
        let calls = Arc::new(AtomicU32::new(0));
        let frozen = freeze(distance(&calls));
        let told = |scene: &Scene| -> dr::Result<String> {
            let (far, whole) = frozen.call(scene)?;
            Ok(format!("{far} {}", whole.unwrap()))
        };
        assert_eq!(told(&scene(3.0, 1, 2)?)?, "[9] [5]");
        let (first, second) = (calls.load(Ordering::Relaxed), scene(0.0, 1, 2)?);
        dr::eval(&second)?;
        let before = jit.counters();
        let result = frozen.call(&second)?;
        let after = jit.counters();
        // Of the results nodes are made, as of all arrays that are there; the function makes none.
        assert_eq!(calls.load(Ordering::Relaxed), first, "the function is not called again");
        assert!(after.nodes - before.nodes <= 2, "{} nodes", after.nodes - before.nodes);
        assert_eq!(result.0.to_string(), "[7]");
        assert_eq!(frozen.recordings(), 1);
        // Another size, and another number of the host.
        assert_eq!(told(&scene(0.0, 4, 2)?)?, "[7, 7.24621, 7.94427, 9] [4, 4, 4, 5]");
        assert_eq!(told(&scene(0.0, 4, 1)?)?, "[3, 3.12311, 3.47214, 4] [4, 4, 4, 5]");
        assert_eq!(told(&scene(3.0, 1, 2)?)?, "[9] [5]", "the first kind is there still");
        assert_eq!(frozen.recordings(), 3);
        frozen.clear();
        assert_eq!(frozen.recordings(), 0);
        Ok(())
    });
}

#[test]
fn d_53_what_changed_is_named() {
    on_both(|| {
        let frozen = freeze(distance(&Arc::default())).strict();
        let changed = |scene: &Scene| match frozen.check(scene) {
            Err(Error::FrozenChanged { variable, before, after }) => (variable, before, after),
            other => panic!("{other:?}"),
        };
        assert_eq!(changed(&scene(3.0, 2, 2)?).0, "arguments");
        frozen.call(&scene(3.0, 2, 2)?)?;
        frozen.check(&scene(5.0, 2, 2)?)?;
        let (variable, before, after) = changed(&scene(3.0, 3, 2)?);
        assert_eq!(variable, "arguments.centre");
        assert!(before.contains("[2, 1]") && after.contains("[3, 1]"), "{before} {after}");
        assert_eq!(changed(&scene(3.0, 2, 9)?), ("arguments.bounces".into(), "2".into(), "9".into()));
        assert!(matches!(frozen.call(&scene(3.0, 3, 2)?), Err(Error::FrozenChanged { .. })));
        let types = freeze(|x: &AnyArray| (x + 1).ok()).strict();
        types.call(Float::new([1])?.any())?;
        let error = types.call(UInt::new([1])?.any()).unwrap_err().to_string();
        assert!(error.contains("drjit.llvm.Float of") && error.contains("drjit.llvm.UInt of"), "{error}");
        let failing = freeze(|x: &AnyArray| dr::cross(x, x));
        let error = failing.call(Float::new([1])?.any());
        assert!(matches!(error, Err(Error::WrongType { function: "cross", .. })), "the function's own error");
        Ok(())
    });
}

#[test]
fn d_53_gradients_pass_through_frozen_functions() {
    on_both(|| {
        use llvm::ad::Float;
        let cube = freeze(|x: &AnyArray| (x * x * x).ok());
        for start in [1.0, 2.0] {
            let x = enable_grad(&Float::new([start, 3.0])?)?;
            let y = (cube.call(&(x.any() * 2.0).ok()?)? + 1.0).ok()?;
            dr::backward(&y)?;
            assert_eq!(grad(&x)?.to_string(), Float::new([24.0 * start * start, 216.0])?.to_string());
        }
        // A whole step of a descent within.
        let step = freeze(|x: &AnyArray| {
            let x = enable_grad(x)?;
            dr::backward(&dr::sum(dr::square(&x - 3.0)?, ())?)?;
            (dr::detach(&x)? - grad(&x)? * 0.25).ok()
        });
        let mut x = Float::new([1.0, 7.0])?.into_any();
        for _ in 0..10 {
            x = step.call(&x)?;
        }
        assert_eq!((x.to_string().as_str(), step.recordings()), ("[2.99805, 3.00391]", 1));
        let outside = enable_grad(&Float::new([1.0])?)?;
        let captures = freeze(move |x: &AnyArray| (x * &outside).ok());
        assert!(matches!(captures.call(&x), Err(Error::CapturedGradient { function: "freeze" })));
        Ok(())
    });
}
