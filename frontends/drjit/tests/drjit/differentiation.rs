//! Rows D-50 to D-52: gradients.

use super::on_both;
use ivy_drjit::llvm::ad::{
    Array3f, Bool, Complex2f64, Float, Float64, Matrix2f64, Quaternion4f64, TensorXf, UInt,
};
use ivy_drjit::{self as dr, AdMode, AnyArray, CustomOp, Error, Traverse, enable_grad, grad, grad_enabled};

fn ones(ty: dr::ArrayType) -> dr::Result<AnyArray> {
    ty.make(1)
}

#[test]
fn d_50_both_modes_on_a_sum_of_squares() {
    on_both(|| {
        let a = enable_grad(&Float::new([1.0, 2.0, 3.0])?)?;
        dr::backward(&dr::sum(&a * &a, ())?)?;
        assert_eq!(grad(&a)?.to_string(), "[2, 4, 6]");
        let a = enable_grad(&a)?;
        let b = (&a * &a).ok()?;
        dr::forward(&a)?;
        assert_eq!(grad(&b)?.to_string(), "[2, 4, 6]");
        Ok(())
    });
}

#[test]
fn d_50_every_function_of_the_interface() {
    on_both(|| {
        let a = enable_grad(&Float::new([1.0, 2.0])?)?;
        let b = (&a * 3.0).ok()?;
        assert!(grad_enabled(&a) && grad_enabled(&b) && !grad_enabled(&dr::detach(&b)?));
        dr::set_grad(&b, Float::new([10.0, 20.0])?)?;
        assert_eq!(dr::backward_to(&a)?.to_string(), "[30, 60]");
        dr::accum_grad(&a, Float::new(1.0)?)?;
        assert_eq!(grad(&a)?.to_string(), "[31, 61]");
        dr::clear_grad(&a);
        dr::set_grad(&a, Float::new([1.0, 0.0])?)?;
        assert_eq!(dr::forward_to(&b)?.to_string(), "[3, 0]");
        dr::clear_grad(&b);
        dr::clear_grad(&a);
        dr::set_grad(&b, Float::new(1.0)?)?;
        dr::enqueue(AdMode::Backward, &b);
        dr::traverse(AdMode::Backward)?;
        assert_eq!(grad(&a)?.to_string(), "[3, 3]");
        let swapped = dr::replace_grad(&dr::detach(&b)?, &b)?;
        assert!(grad_enabled(&swapped));
        // A variable that is used twice, and by another traversal.
        let c = enable_grad(&Float::new([2.0])?)?;
        dr::backward(&dr::add(&c * &c, &c)?)?;
        dr::backward(&(&c * 10.0).ok()?)?;
        assert_eq!(grad(&c)?.to_string(), "[15]");
        Ok(())
    });
}

#[test]
fn d_50_scopes() {
    on_both(|| {
        let (a, b) = (enable_grad(&Float::new([1.0])?)?, enable_grad(&Float::new([2.0])?)?);
        let noted = |x: &Float| Ok::<bool, Error>(grad_enabled(&(x * 2.0).ok()?));
        {
            let _none = dr::suspend_grad();
            assert!(!noted(&a)?);
            {
                let _only = dr::resume_grad_of(&[&a]);
                assert!(noted(&a)? && !noted(&b)?);
            }
            let _all = dr::resume_grad();
            assert!(noted(&b)?);
        }
        {
            let _without = dr::suspend_grad_of(&[&a]);
            assert!(!noted(&a)? && noted(&b)?);
        }
        let before = (&a * 3.0).ok()?;
        let scope = dr::isolate_grad();
        let within = (&before * 5.0).ok()?;
        dr::backward(&within)?;
        assert_eq!(grad(&a)?.to_string(), "[0]", "the traversal stops at the scope");
        scope.end()?;
        assert_eq!(grad(&a)?.to_string(), "[15]", "and goes on behind it");
        Ok(())
    });
}

struct Cube;

impl CustomOp for Cube {
    fn eval(&self, x: &[AnyArray]) -> dr::Result<AnyArray> {
        dr::power(&x[0], 3)
    }

    fn forward(&self, x: &[AnyArray], t: &[AnyArray]) -> dr::Result<AnyArray> {
        (&x[0] * &x[0] * 3.0 * &t[0]).ok()
    }

    fn backward(&self, x: &[AnyArray], g: &AnyArray) -> dr::Result<Vec<AnyArray>> {
        Ok(vec![(&x[0] * &x[0] * 3.0 * g).ok()?])
    }
}

#[test]
fn d_50_custom_operations_and_wrapped_functions() {
    on_both(|| {
        for forward in [false, true] {
            let a = enable_grad(&Float::new([1.0, 2.0])?)?;
            let y = dr::custom(Cube, &[&(&a * 2.0).ok()?])?;
            assert_eq!(y.to_string(), "[8, 64]");
            let got = if forward {
                dr::forward(&a)?;
                grad(&y)?.to_string()
            } else {
                dr::backward(&y)?;
                grad(&a)?.to_string()
            };
            assert_eq!(got, "[24, 96]");
        }
        let a = enable_grad(&TensorXf::TYPE.make_tensor([1.0, 2.0, 3.0, 4.0], &[2, 2])?)?;
        let y = dr::wrap(|x| ivy_core::functional::matmul(&x[0], &x[0]), &[&a])?;
        dr::backward(&y)?;
        assert_eq!(grad(&a)?.to_string(), "[[7, 11],\n [9, 13]]");
        Ok(())
    });
}

#[test]
fn d_51_a_result_without_a_path_says_what_to_do() {
    on_both(|| {
        let error = dr::backward(&Float::new([1.0])?).unwrap_err();
        assert!(matches!(error, Error::NotDifferentiable { function: "backward" }));
        assert!(error.to_string().contains("enable_grad"), "{error}");
        let plain = enable_grad(&dr::llvm::Float::new([1.0])?)?;
        assert!(!grad_enabled(&plain), "a package without differentiation");
        Ok(())
    });
}

#[test]
fn d_52_captured_variables_that_are_given_back_keep_their_gradients() {
    on_both(|| {
        let value = enable_grad(&Float::new([4.0])?)?;
        let twice = (&value * 2.0).ok()?;
        let (x, index) = (Float::new([1.0, 2.0, 3.0])?.into_any(), UInt::new([0, 1, 0])?);
        let given: &dyn Fn(&AnyArray) -> dr::Result<AnyArray> = &|_| Ok(twice.clone());
        let own: &dyn Fn(&AnyArray) -> dr::Result<AnyArray> = &|x| (x * 4.0).ok();
        let chosen = dr::switch(&index, &[given, own], x.clone(), dr::Mode::Auto)?;
        assert_eq!(chosen.to_string(), "[8, 8, 8]");
        dr::backward(&chosen)?;
        assert_eq!(grad(&value)?.to_string(), "[4]");
        dr::clear_grad(&value);
        let cond = dr::eq(&index, 0)?;
        dr::backward(&dr::if_stmt(x.clone(), &cond, given, own, dr::Mode::Auto)?)?;
        assert_eq!(grad(&value)?.to_string(), "[4]");
        dr::clear_grad(&value);
        // Each thread ends its loop with the variable.
        let once = |x: &AnyArray| dr::lt(x, 4);
        let ended = dr::while_loop(x.clone(), once, |_| Ok(twice.clone()), dr::Mode::Auto)?;
        dr::backward(&ended)?;
        assert_eq!(grad(&value)?.to_string(), "[6]");
        let recorded = dr::switch(&index, &[given, own], x, dr::Mode::Symbolic);
        assert!(matches!(recorded, Err(dr::Error::CapturedGradient { function: "switch" })));
        Ok(())
    });
}

#[test]
fn d_52_gathers_and_scatters_are_adjoint() {
    on_both(|| {
        let index = UInt::new([2, 0, 2])?;
        let x = enable_grad(&Float::new([1.0, 2.0, 3.0])?)?;
        let y = dr::gather(Float::TYPE, &x, &index, Bool::new([true, true, true])?)?;
        dr::set_grad(&y, Float::new([1.0, 10.0, 100.0])?)?;
        assert_eq!(dr::backward_to(&x)?.to_string(), "[10, 0, 101]");
        let value = enable_grad(&Float::new([1.0, 2.0, 3.0])?)?;
        let sums = dr::scatter_add(Float::TYPE.zeros(3)?, &value, &index, true)?;
        assert_eq!(sums.to_string(), "[2, 0, 4]");
        dr::set_grad(&sums, Float::new([1.0, 10.0, 100.0])?)?;
        assert_eq!(dr::backward_to(&value)?.to_string(), "[100, 1, 100]");
        Ok(())
    });
}

/// Compares the gradient of a function's summed elements with differences, in double precision.
fn check(name: &str, x: AnyArray, f: impl Fn(&AnyArray) -> dr::Result<AnyArray>) -> dr::Result<()> {
    let total = |y: AnyArray| -> dr::Result<AnyArray> {
        // Weights that differ, so that no error cancels another one.
        let flat = dr::ravel(y, dr::Order::C)?;
        let weights = flat.ty().arange(1.0, 1.0 + flat.len() as f64, 1.0)?;
        dr::sum(flat * weights, ())
    };
    let x = enable_grad(&x)?;
    dr::backward(&total(f(&x)?)?)?;
    let gradient = dr::ravel(grad(&x)?, dr::Order::C)?;
    let flat = dr::ravel(dr::detach(&x)?, dr::Order::C)?;
    let h = 1e-6;
    for i in 0..flat.len() {
        let moved = |by: f64| -> dr::Result<f64> {
            let mut flat = flat.clone();
            let value = flat.item(i as i64)?.to_f64() + by;
            flat.set(i as i64, value)?;
            let x = dr::unravel(x.ty(), &flat, dr::Order::C)?;
            Ok(total(f(&x)?)?.item(0)?.to_f64())
        };
        let difference = (moved(h)? - moved(-h)?) / (2.0 * h);
        let own = gradient.item(i as i64)?.to_f64();
        assert!((own - difference).abs() <= 1e-5 * (1.0 + own.abs()), "{name}, {i}: {own}, not {difference}");
    }
    Ok(())
}

#[test]
fn d_50_derivatives_of_every_kind_of_number() {
    on_both(|| {
        let z = Complex2f64::new([0.3, 0.7])?.into_any();
        type Own = fn(&AnyArray) -> dr::Result<AnyArray>;
        let complex: [(&str, Own); 18] = [
            ("abs", |z| dr::abs(z)),
            ("sqrt", |z| dr::sqrt(z)),
            ("rcp", |z| dr::rcp(z)),
            ("exp", |z| dr::exp(z)),
            ("log", |z| dr::log(z)),
            ("sin", |z| dr::sin(z)),
            ("cos", |z| dr::cos(z)),
            ("tan", |z| dr::tan(z)),
            ("asin", |z| dr::asin(z)),
            ("acos", |z| dr::acos(z)),
            ("atan", |z| dr::atan(z)),
            ("sinh", |z| dr::sinh(z)),
            ("cosh", |z| dr::cosh(z)),
            ("tanh", |z| dr::tanh(z)),
            ("asinh", |z| dr::asinh(z)),
            ("acosh", |z| dr::acosh(z)),
            ("atanh", |z| dr::atanh(z)),
            ("square", |z| dr::square(z)),
        ];
        for (name, f) in complex {
            check(name, z.clone(), f)?;
        }
        let q = Quaternion4f64::new([0.1, 0.2, 0.3, 0.9])?.into_any();
        let quaternion: [(&str, Own); 8] = [
            ("abs", |q| dr::abs(q)),
            ("sqrt", |q| dr::sqrt(q)),
            ("rcp", |q| dr::rcp(q)),
            ("exp", |q| dr::exp(q)),
            ("log", |q| dr::log(q)),
            ("square", |q| dr::square(q)),
            ("matrix", |q| dr::quat_to_matrix(q, 3)),
            ("euler", |q| dr::quat_to_euler(q)),
        ];
        for (name, f) in quaternion {
            check(name, q.clone(), f)?;
        }
        let m = Matrix2f64::new([1.0, 2.0, 3.0, 5.0])?.into_any();
        let matrix: [(&str, Own); 5] = [
            ("det", |m| dr::det(m)),
            ("inverse", |m| dr::rcp(m)),
            ("product", |m| dr::multiply(m, m)),
            ("polar", |m| Ok(dr::polar_decomp(m)?.0)),
            ("transpose", |m| dr::transpose(m)),
        ];
        for (name, f) in matrix {
            check(name, m.clone(), f)?;
        }
        Ok(())
    });
}

#[test]
fn d_50_derivatives_of_elementary_functions() {
    on_both(|| {
        let x = Float64::new([0.3, 0.6])?.into_any();
        type Own = fn(&AnyArray) -> dr::Result<AnyArray>;
        let functions: [(&str, Own); 24] = [
            ("sqrt", |x| dr::sqrt(x)),
            ("rsqrt", |x| dr::rsqrt(x)),
            ("cbrt", |x| dr::cbrt(x)),
            ("exp2", |x| dr::exp2(x)),
            ("log2", |x| dr::log2(x)),
            ("asin", |x| dr::asin(x)),
            ("atanh", |x| dr::atanh(x)),
            ("erf", |x| dr::erf(x)),
            ("lgamma", |x| dr::lgamma(x)),
            ("power", |x| dr::power(x, 2.5)),
            ("squares", |x| dr::power(x, 5)),
            ("atan2", |x| dr::atan2(x, 0.5)),
            ("hypot", |x| dr::hypot(x, 0.5)),
            ("fma", |x| dr::fma(x, x, x)),
            ("lerp", |x| dr::lerp(x, 2.0, x)),
            ("clip", |x| dr::clip(x, 0.0, 0.5)),
            ("select", |x| dr::select(dr::lt(x, 0.5)?, x, x * 2.0)),
            ("sum", |x| dr::sum(x * x, ())),
            ("prod", |x| dr::prod(x, ())),
            ("max", |x| dr::max(x, ())),
            ("mean", |x| dr::mean(x * x, ())),
            ("var", |x| dr::var(x)),
            ("cumsum", |x| dr::cumsum(x)),
            ("block_sum", |x| dr::block_sum(x * x, 2)),
        ];
        for (name, f) in functions {
            check(name, x.clone(), f)?;
        }
        // Beyond the ends of the domain as well.
        let x = Float64::new([-2.0, 0.5, 2.0])?.into_any();
        let safe: [(&str, Own); 3] = [
            ("safe_sqrt", |x| dr::safe_sqrt(x)),
            ("safe_asin", |x| dr::safe_asin(x)),
            ("safe_acos", |x| dr::safe_acos(x)),
        ];
        for (name, f) in safe {
            check(name, x.clone(), f)?;
        }
        Ok(())
    });
}

#[test]
fn d_50_nested_values_and_long_chains() {
    on_both(|| {
        let v = enable_grad(&(Array3f::new([1.0, 2.0, 2.0])?, Float::new([3.0])?))?;
        assert_eq!(v.arrays().len(), 2);
        dr::backward(&(dr::norm(&v.0)? * &v.1).ok()?)?;
        let (dv, ds) = grad(&v)?;
        assert_eq!((dv.to_string(), ds.to_string()), ("[[1, 2, 2]]".into(), "[3]".into()));
        assert_eq!(ones(Array3f::TYPE)?.to_string(), "[[1, 1, 1]]");
        let x = enable_grad(&Float::new([1.0])?)?;
        let mut y = x.any().clone();
        for _ in 0..20_000 {
            y = (y + 1).ok()?;
            if y.width() != Some(1) {
                break;
            }
        }
        drop(y);
        Ok(())
    });
}
