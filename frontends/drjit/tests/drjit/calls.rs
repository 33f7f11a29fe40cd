//! Rows D-45 to D-49 by macros: structs as state, virtual calls, plain loops and conditionals.

use super::{on_both, on_own_engines};
use ivy_drjit::llvm::{Array2f, Float, Int, UInt};
use ivy_drjit::{
    self as dr, AnyArray, DrjitStruct, Error, Instances, IntoArg, Mode, Registry, Traverse, Variables,
    dispatch, enable_grad, grad, llvm, scalar, syntax,
};
use std::sync::Arc;

const MODES: [Mode; 3] = [Mode::Auto, Mode::Symbolic, Mode::Evaluated];

#[derive(Clone, DrjitStruct)]
struct Ray {
    origin: Array2f,
    length: (Float, Option<UInt>),
}

#[derive(Clone, DrjitStruct)]
struct Pair<T>(T, #[drjit(skip)] u32, Vec<Ray>);

#[derive(Clone, DrjitStruct)]
struct Nothing;

fn ray() -> dr::Result<Ray> {
    Ok(Ray {
        origin: Array2f::new([[1, 2], [3, 4]])?,
        length: (Float::new([1, 2])?, Some(UInt::new([0, 0])?)),
    })
}

#[test]
fn d_45_structs_are_state() {
    on_both(|| {
        let pair = Pair(Int::new([3, 1])?, 7, vec![ray()?]);
        let mut paths = Vec::new();
        pair.paths("pair", &mut paths);
        assert_eq!(paths, ["pair.0", "pair.2[0].origin", "pair.2[0].length[0]", "pair.2[0].length[1]"]);
        let mut values = Vec::new();
        pair.host_values("pair", &mut values);
        assert_eq!(values, ["pair.1 = 7"]);
        assert!(Nothing.arrays().is_empty());
        for mode in MODES {
            let done = dr::while_loop(
                pair.clone(),
                |pair| dr::gt(&pair.0, 0),
                |pair| {
                    let Ray { origin, length } = &pair.2[0];
                    let length = (
                        (&length.0 + dr::norm(origin)?).get()?,
                        length.1.as_ref().map(|iterations| (iterations + 1).get()).transpose()?,
                    );
                    Ok(Pair((&pair.0 - 1).get()?, pair.1, vec![Ray { origin: origin.clone(), length }]))
                },
                mode,
            )?;
            let ray = &done.2[0];
            assert_eq!(ray.length.1.as_ref().unwrap().to_string(), "[3, 1]", "{mode:?}");
            assert_eq!(ray.length.0.to_string(), "[10.4868, 6.47214]", "{mode:?}");
            let failed = dr::while_loop(
                pair.clone(),
                |pair| dr::gt(&pair.0, 0),
                |pair| {
                    let mut pair = pair.clone();
                    pair.2[0].length.1 = Some(UInt::new([1, 2, 3])?);
                    Ok(pair)
                },
                mode,
            );
            let Err(Error::VariableChanged { variable, .. }) = failed else { panic!("{mode:?}") };
            assert_eq!(variable, "state.2[0].length[1]");
        }
        Ok(())
    });
}

/// A surface that scatters light.
#[dispatch]
trait Surface {
    /// What it makes of light.
    fn light(&self, ray: &Ray, scale: &AnyArray) -> dr::Result<Float>;

    /// How much it takes away.
    #[getter]
    fn loss(&self) -> dr::Result<(Float, Array2f)>;
}

struct Mirror {
    loss: f64,
}

impl Surface for Mirror {
    fn light(&self, ray: &Ray, scale: &AnyArray) -> dr::Result<Float> {
        (ray.origin.x()? * scale).get()
    }

    fn loss(&self) -> dr::Result<(Float, Array2f)> {
        Ok((Float::new([self.loss])?, Array2f::new([1, 2])?))
    }
}

/// Another class of the same work.
struct Glass;

impl Surface for Glass {
    fn light(&self, ray: &Ray, scale: &AnyArray) -> dr::Result<Float> {
        (ray.origin.x()? * scale).get()
    }

    fn loss(&self) -> dr::Result<(Float, Array2f)> {
        Ok((Float::new([0.5])?, Array2f::new([3, 4])?))
    }
}

struct Wall;

impl Surface for Wall {
    fn light(&self, ray: &Ray, scale: &AnyArray) -> dr::Result<Float> {
        (dr::sqrt(ray.origin.y()?)? * scale * scale).get()
    }

    fn loss(&self) -> dr::Result<(Float, Array2f)> {
        Ok((Float::new([1.0])?, Array2f::new([5, 6])?))
    }
}

fn surfaces() -> Vec<Arc<dyn Surface>> {
    vec![Arc::new(Mirror { loss: 0.25 }), Arc::new(Glass), Arc::new(Wall)]
}

fn registered(surfaces: &[Arc<dyn Surface>]) -> Arc<Registry<dyn Surface>> {
    let registry = Registry::new();
    for (number, surface) in (1..).zip(surfaces) {
        assert_eq!(registry.put(surface), number);
    }
    registry
}

fn rays() -> dr::Result<Ray> {
    Ok(Ray { origin: Array2f::new([[1, 2, 3, 4], [16, 25, 36, 49]])?, length: (Float::new([1])?, None) })
}

#[test]
fn d_45_virtual_calls_agree_in_every_mode() {
    on_both(|| {
        let own = surfaces();
        let registry = registered(&own);
        assert_eq!(registry.put(&own[1]), 2, "an instance has one number");
        let surface = SurfacePtr::new(&registry, UInt::new([1, 3, 0, 2])?)?;
        let scale = Float::new([10.0])?.into_any();
        for mode in MODES {
            let surface = surface.clone().with_mode(mode);
            assert_eq!(surface.light(&rays()?, &scale)?.to_string(), "[10, 500, 0, 40]", "{mode:?}");
            let (loss, more) = surface.loss()?;
            assert_eq!(loss.to_string(), "[0.25, 1, 0, 0.5]");
            assert_eq!(more.to_string(), "[[1, 2],\n [5, 6],\n [0, 0],\n [3, 4]]");
        }
        for (number, want) in [(0, "0"), (1, "1"), (3, "4")] {
            let one = Instances::<dyn Surface>::new(&registry, scalar::UInt::new(number)?)?;
            let ray = Ray { origin: Array2f::new([1, 16])?, length: (Float::new([1])?, None) };
            let unit = Float::new([1])?;
            let light = one.call(|surface, ray: &Ray| surface.light(ray, &unit), ray)?;
            assert_eq!(light.to_string(), format!("[{want}]"), "{number}");
        }
        // The state of a loop.
        let begin = (surface.clone(), Float::new([0, 0, 0, 0])?.into_any());
        for mode in MODES {
            let (last, sum) = dr::while_loop(
                begin.clone(),
                |(surface, _)| dr::gt(surface.index(), 0),
                |(surface, sum)| {
                    let light = surface.light(&rays()?, &scale)?;
                    let next = (surface.index() - 1).ok()?;
                    Ok((SurfacePtr::new(&registry, next)?, (sum + &light).ok()?))
                },
                mode,
            )?;
            assert_eq!(last.index().to_string(), "[0, 0, 0, 0]", "{mode:?}");
            assert_eq!(sum.to_string(), "[10, 540, 0, 80]", "{mode:?}");
        }
        Ok(())
    });
}

#[test]
fn d_45_errors_of_virtual_calls() {
    on_both(|| {
        let mut own = surfaces();
        let registry = registered(&own);
        let all = SurfacePtr::new(&registry, UInt::new([1, 3, 0, 2])?)?;
        let some = SurfacePtr::new(&registry, UInt::new([1, 3, 0, 1])?)?;
        let scale = Float::new([10.0])?.into_any();
        own.remove(1);
        assert!(matches!(all.light(&rays()?, &scale), Err(Error::InstanceDropped { number: 2, .. })));
        assert!(matches!(all.loss(), Err(Error::InstanceDropped { number: 2, .. })));
        for mode in MODES {
            let some = some.clone().with_mode(mode);
            assert_eq!(
                some.light(&rays()?, &scale)?.to_string(),
                "[10, 500, 0, 40]",
                "others are called still"
            );
        }
        assert!(registry.get(2).is_none() && registry.get(0).is_none() && registry.get(3).is_some());
        let beyond = SurfacePtr::new(&registry, UInt::new([4])?)?;
        assert!(matches!(
            beyond.light(&rays()?, &scale),
            Err(Error::InvalidArgument { argument: "index", .. })
        ));
        assert!(matches!(SurfacePtr::new(&registry, &scale), Err(Error::WrongType { .. })));
        let nobody: Arc<Registry<dyn Surface>> = Registry::new();
        let nobody = SurfacePtr::new(&nobody, UInt::new([0])?)?;
        assert!(matches!(nobody.light(&rays()?, &scale), Err(Error::InvalidArgument { .. })));
        assert_eq!((&scale + 1).ok()?.to_string(), "[11]", "and the engine works on");
        Ok(())
    });
}

#[dispatch]
trait Curve {
    fn at(&self, x: &llvm::ad::Float) -> dr::Result<llvm::ad::Float>;

    #[getter]
    fn slope(&self) -> dr::Result<llvm::ad::Float>;
}

struct Line(llvm::ad::Float);

impl Curve for Line {
    fn at(&self, x: &llvm::ad::Float) -> dr::Result<llvm::ad::Float> {
        (x * &self.0).get()
    }

    fn slope(&self) -> dr::Result<llvm::ad::Float> {
        Ok(self.0.clone())
    }
}

struct Parabola;

impl Curve for Parabola {
    fn at(&self, x: &llvm::ad::Float) -> dr::Result<llvm::ad::Float> {
        (x * x).get()
    }

    fn slope(&self) -> dr::Result<llvm::ad::Float> {
        llvm::ad::Float::new([2.0])
    }
}

#[test]
fn d_52_gradients_pass_through_virtual_calls() {
    on_both(|| {
        for mode in [Mode::Auto, Mode::Evaluated] {
            let slope = enable_grad(&llvm::ad::Float::new([10.0])?)?;
            let curves: Vec<Arc<dyn Curve>> = vec![Arc::new(Line(slope.clone())), Arc::new(Parabola)];
            let registry = Registry::new();
            let numbers: Vec<u32> = [0, 1, 0, 1].iter().map(|&i: &usize| registry.put(&curves[i])).collect();
            let curve = CurvePtr::new(&registry, llvm::ad::UInt::new(numbers)?)?.with_mode(mode);
            let x = enable_grad(&llvm::ad::Float::new([1.0, 2.0, 3.0, 4.0])?)?;
            let y = curve.at(&x)?;
            assert_eq!(y.to_string(), "[10, 4, 30, 16]");
            dr::backward(&y)?;
            assert_eq!(grad(&x)?.to_string(), "[10, 4, 10, 8]");
            assert_eq!(grad(&slope)?.to_string(), "[4]");
            dr::clear_grad(&slope);
            dr::backward(&(curve.slope()? * llvm::ad::Float::new([1, 10, 100, 1000])?).ok()?)?;
            assert_eq!(grad(&slope)?.to_string(), "[101]");
        }
        Ok(())
    });
}

#[test]
fn d_48_what_nobody_uses_is_not_computed() {
    on_own_engines(|jit| {
        let operations = |used: bool| -> dr::Result<usize> {
            let (x, which) = (Float::new([1.0, 2.0])?.into_any(), UInt::new([0, 1])?);
            let unused = dr::exp(dr::sin(&x)?)?;
            type Branch<'a> = &'a dyn Fn(&(AnyArray, AnyArray)) -> dr::Result<(AnyArray, AnyArray)>;
            let branches: [Branch<'_>; 2] =
                [&|(x, y)| Ok(((x * 2.0).ok()?, dr::cos(y)?)), &|(x, y)| Ok(((x * 3.0).ok()?, dr::tan(y)?))];
            let (first, second) = dr::switch(&which, &branches, (x, unused), Mode::Symbolic)?;
            jit.kernel_history_clear();
            match used {
                true => dr::eval(&(first.clone(), second))?,
                false => drop(second),
            }
            assert_eq!(first.to_string(), "[2, 6]");
            Ok(jit.kernel_history().iter().map(|launch| launch.operations).sum())
        };
        let (less, more) = (operations(false)?, operations(true)?);
        assert!(less < more, "{less} operations without the second result, {more} with it");
        Ok(())
    });
}

#[syntax(mode = mode)]
fn collatz(start: &Int, mode: Mode) -> dr::Result<(Int, Int)> {
    let (mut place, mut steps) = (start.clone(), Int::new(0)?);
    let one = 1;
    while place > one {
        if dr::eq(&place & 1, 1)? {
            place = (&place * 3 + 1).get()?;
        } else {
            place >>= 1;
        }
        steps += 1;
    }
    let odd = if start % 2 == 1 { Int::new(1)? } else { Int::new(0)? };
    Ok((steps, odd))
}

#[syntax]
fn plain(x: &Float, limit: f64) -> dr::Result<(Float, i32)> {
    let mut y = x.clone();
    let mut count = 0;
    // What is the host's stays as it is.
    for _ in 0..3 {
        count += 1;
        if !(y < 0.0 || y >= limit) && y != 5.0 {
            let twice: Float = (&y + &y).get()?;
            y = twice;
        }
    }
    #[host]
    if count == 3 {
        count = 30;
    }
    #[host]
    while count < 40 {
        count += 5;
    }
    Ok((y, count))
}

#[test]
fn d_45_plain_loops_and_conditionals_are_recorded() {
    on_both(|| {
        let start = Int::new([6, 1, 27])?;
        for mode in MODES {
            let (steps, odd) = collatz(&start, mode)?;
            assert_eq!(
                (steps.to_string().as_str(), odd.to_string().as_str()),
                ("[8, 0, 111]", "[0, 1, 1]"),
                "{mode:?}"
            );
        }
        let (y, count) = plain(&Float::new([1.0, -1.0, 5.0, 3.0, 9.0])?, 7.0)?;
        assert_eq!((y.to_string().as_str(), count), ("[8, -1, 5, 12, 9]", 40));
        Ok(())
    });
}

#[syntax(mode = mode)]
fn grows(start: &Int, mode: Mode) -> dr::Result<AnyArray> {
    let (mut number, mut state) = (start.clone(), start.any().clone());
    while number < 5 {
        number += 1;
        state = (&state * 1.5).ok()?;
    }
    Ok(state)
}

#[test]
fn d_46_plain_variables_are_named() {
    on_both(|| {
        for mode in MODES {
            let failed = grows(&Int::new([1, 2])?, mode);
            let Err(Error::VariableChanged { variable, .. }) = failed else { panic!("{mode:?}") };
            assert_eq!(variable, "state");
        }
        let (x, y) = (Int::new([1])?, Array2f::new([1, 2])?);
        let mut paths = Vec::new();
        Variables::new(&["x", "rays"], (x.clone(), vec![ray()?])).paths("anything", &mut paths);
        assert_eq!(paths, ["x", "rays[0].origin", "rays[0].length[0]", "rays[0].length[1]"]);
        let thrice = &&&x;
        assert_eq!(dr::as_condition(thrice)?.ty(), Int::TYPE, "references are what they refer to");
        assert!(matches!((&y).into_arg(), dr::Arg::Array(_)));
        Ok(())
    });
}

#[syntax]
fn powers(x: &llvm::ad::Float, times: &llvm::ad::Int) -> dr::Result<llvm::ad::Float> {
    let (mut y, mut n) = (llvm::ad::Float::new(1)?, llvm::ad::Int::new(0)?);
    while n < times {
        y *= x;
        n += 1;
    }
    Ok(y)
}

#[test]
fn d_52_gradients_pass_through_plain_loops() {
    on_both(|| {
        let x = enable_grad(&llvm::ad::Float::new([2.0, 3.0, 4.0])?)?;
        let y = powers(&x, &llvm::ad::Int::new([1, 2, 3])?)?;
        assert_eq!(y.to_string(), "[2, 9, 64]");
        dr::backward(&y)?;
        assert_eq!(grad(&x)?.to_string(), "[1, 6, 48]");
        Ok(())
    });
}
