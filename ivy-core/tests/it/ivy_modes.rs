//! Rows of Ivy's behaviour, by calls: casting examples on a backend that lacks dtypes (I-58), arrays that move (I-61),
//! modes (I-66), and what functions do with dtypes of their own accord (I-47, I-70).

use ivy::backend::{Backend, BackendRef, Device, Factory, Storage, Support, Value, Values};
use ivy::context::{self, CastModes, InplaceMode};
use ivy::host::HostArray;
use ivy::prelude::*;
use ivy::support::function_supported_dtypes;
use ivy::{BinaryOp, ErrorKind, Op, Result, StableDivide, UnaryOp};
use std::any::Any;

/// The reference, but for two functions that take what torch 2.0.1 took.
struct Old(BackendRef);

impl Backend for Old {
    fn name(&self) -> &str {
        "old"
    }

    fn version(&self) -> semver::Version {
        semver::Version::new(2, 0, 1)
    }

    fn devices(&self) -> Vec<Device> {
        vec![Device::CPU]
    }

    fn storage(&self, dtype: Dtype) -> Storage {
        self.0.storage(dtype)
    }

    fn support(&self, op: &Op, operands: &[Dtype]) -> Support {
        let half = operands.contains(&Dtype::FLOAT16);
        match op {
            Op::Unary(UnaryOp::Expm1) if half => Support::Unsupported("expm1 has no kernel for float16"),
            Op::Binary(BinaryOp::Lcm) if operands.contains(&Dtype::UINT16) => {
                Support::Unsupported("lcm has no kernel for uint16")
            }
            _ => self.0.support(op, operands),
        }
    }

    fn execute(&self, op: &Op, operands: &[&Value]) -> Result<Values> {
        self.0.execute(op, operands)
    }

    fn from_host(&self, array: HostArray) -> Result<Value> {
        self.0.from_host(array)
    }

    fn to_host(&self, value: &Value) -> Result<HostArray> {
        self.0.to_host(value)
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

inventory::submit! {
    Factory {
        name: "old",
        create: |_| Ok(BackendRef::new(Old(ivy::backend::backend("ndarray")?))),
        priority: 200,
        places: &[],
    }
}

fn on_old<T>(f: impl FnOnce() -> Result<T>) -> T {
    ivy::with_backend("old", f).unwrap().unwrap()
}

fn with_modes<T>(modes: &str, f: impl FnOnce() -> T) -> T {
    let modes: CastModes = modes.parse().unwrap();
    context::with(&context::current().casting(modes), f)
}

#[test]
fn the_documented_casting_examples_run_as_documented() {
    on_old(|| {
        let x = ivy::astype(&Array::try_from([0.0f32, 1.0])?, Dtype::FLOAT16)?;
        let error = ivy::expm1(&x).unwrap_err();
        assert!(matches!(error.kind(), ErrorKind::UnsupportedDtype { .. }), "{error}");
        let wanted = 1f64.exp_m1();
        for (modes, dtype, error) in [
            ("upcast", Dtype::FLOAT32, 1e-6),
            ("downcast", Dtype::BFLOAT16, 1e-2),
            ("upcast,downcast", Dtype::FLOAT32, 1e-6),
            ("all", Dtype::FLOAT32, 1e-6),
        ] {
            let y = with_modes(modes, || ivy::expm1(&x))?;
            assert_eq!(y.dtype(), dtype, "{modes}");
            let values = ivy::astype(&y, Dtype::FLOAT64)?.to_vec::<f64>()?;
            assert!(values[0] == 0.0 && (values[1] - wanted).abs() < error, "{modes}: {values:?}");
        }
        // No integer is supported below crosscast, and floats become integers by it.
        let pair = ivy::astype(&Array::try_from([4.0f32, 6.0])?, Dtype::FLOAT16)?;
        assert!(with_modes("upcast,downcast", || ivy::lcm(&pair, &pair)).is_err());
        let lcm = with_modes("crosscast", || ivy::lcm(&pair, &Array::try_from([6.0f32, 4.0])?))?;
        assert_eq!((lcm.dtype(), lcm.to_vec::<i32>()?), (Dtype::INT32, vec![12, 12]));
        // Down to the next lower dtype of the kind: the greatest one does not fit it, and is refused by no mode.
        let counts = Array::try_from([4u16, 6])?;
        assert!(ivy::lcm(&counts, &counts).is_err());
        let lower = with_modes("downcast", || ivy::lcm(&counts, &counts))?;
        assert_eq!((lower.dtype(), lower.to_vec::<u8>()?), (Dtype::UINT8, vec![4, 6]));
        Ok(())
    });
}

#[test]
fn arrays_move_with_a_dynamic_switch_and_to_each_other_by_the_soft_device_mode() -> Result<()> {
    let mut x = ivy::with_backend("ndarray", || Array::try_from([1.0f32, 2.0]))??;
    let y = on_old(|| Array::try_from([10.0f32, 20.0]));
    assert_eq!(ivy::add(&x, &y).unwrap_err().kind().name(), "BackendMismatch");
    context::set_soft_device_mode(true);
    let sum = ivy::add(&x, &y)?;
    assert_eq!((sum.backend().name(), sum.to_vec::<f32>()?), ("ndarray", vec![11.0, 22.0]));
    assert_eq!(ivy::concat([&y, &x], ())?.backend().name(), "old");
    assert!(context::soft_device_mode());
    context::unset_soft_device_mode();
    assert!(!context::soft_device_mode() && ivy::add(&x, &y).is_err());
    let before = context::current();
    ivy::set_backend_dynamic("old", &mut [&mut x])?;
    assert_eq!((x.backend().name(), x.to_vec::<f32>()?), ("old", vec![1.0, 2.0]));
    assert_eq!(context::current_backend()?.name(), "old");
    context::unset_backend();
    assert_eq!(context::current(), before);
    Ok(())
}

#[test]
fn modes_are_set_and_go_back() -> Result<()> {
    assert_eq!((context::min_base(), context::min_denominator()), (1e-5, 1e-12));
    let x = Array::try_from([1.0f64, 2.0])?;
    context::set_min_denominator(0.5)?;
    context::set_min_base(7.0)?;
    assert_eq!(ivy::stable_divide(&x, 0.0, ())?.to_vec::<f64>()?, [2.0, 4.0]);
    assert_eq!(ivy::stable_pow(&x, 2, ())?.to_vec::<f64>()?, [64.0, 81.0]);
    // What is given goes before what is set.
    assert_eq!(
        ivy::stable_divide(&x, 0, StableDivide::new().min_denominator(1.0))?.to_vec::<f64>()?,
        [1.0, 2.0]
    );
    for wrong in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        assert!(context::set_min_base(wrong).is_err() && context::set_min_denominator(wrong).is_err());
    }
    context::unset_min_base();
    context::unset_min_denominator();
    assert_eq!((context::min_base(), context::min_denominator()), (1e-5, 1e-12));

    let third = ivy::divide(&x, 3.0)?;
    assert_eq!(third.to_string(), "[0.33333333 0.66666667]");
    context::set_array_significant_figures(3);
    assert_eq!((third.to_string(), context::array_significant_figures()), ("[0.333 0.667]".into(), 3));
    context::unset_array_significant_figures();
    assert_eq!(third.to_string(), "[0.33333333 0.66666667]");

    let mut target = ivy::zeros([2], Dtype::FLOAT64)?;
    context::set_inplace_mode(InplaceMode::Strict);
    assert_eq!(context::inplace_mode(), InplaceMode::Strict);
    // The reference writes memory.
    ivy::out(&mut target, &x)?;
    assert_eq!(ivy::inplace_update(&target, 3.0, ())?.to_vec::<f64>()?, [3.0, 3.0]);
    context::unset_inplace_mode();
    assert_eq!((context::inplace_mode(), "lenient".parse()?), (InplaceMode::Lenient, InplaceMode::Lenient));
    assert!("loose".parse::<InplaceMode>().is_err());
    // A scope has settings of its own.
    let digits = context::Modes { array_significant_figures: 2, ..Default::default() };
    let text = context::with(&Context::new().modes(digits), || third.to_string());
    assert_eq!((text, third.to_string()), ("[0.33 0.67]".into(), "[0.33333333 0.66666667]".into()));
    Ok(())
}

#[test]
fn a_composition_supports_what_it_calls_supports() -> Result<()> {
    for place in ["torch@2.0.1", "numpy@1.25", "ndarray"] {
        let of = |name| function_supported_dtypes(name, Some(place)).unwrap();
        let (linear, both) = (of("linear"), of("matmul") & of("add"));
        assert!((linear - both).is_empty() && !linear.is_empty(), "{place}: {linear} of {both}");
    }
    // Another backend, another answer: nothing is kept from before.
    let here = |backend: &str| {
        ivy::with_backend(backend, || {
            function_supported_dtypes("expm1", None).unwrap().contains(Dtype::FLOAT16)
        })
    };
    assert!(here("ndarray")? && !here("old")? && here("ndarray")?);
    Ok(())
}

#[test]
fn functions_take_more_dtypes_than_the_standard() -> Result<()> {
    // Truth values of numbers are asked for by a cast (decision S32).
    let x = Array::try_from([-2i32, 0, 5])?;
    assert_eq!(ivy::logical_not(&x).unwrap_err().kind().name(), "OutsideDomain");
    assert_eq!(ivy::logical_not(ivy::astype(&x, Dtype::BOOL)?)?.to_vec::<bool>()?, [false, true, false]);
    let y = Array::try_from([1u8, 200])?;
    assert_eq!((ivy::abs(&y)?.dtype(), ivy::abs(&y)?.to_vec::<u8>()?), (Dtype::UINT8, vec![1, 200]));
    assert_eq!(ivy::cos(&Array::try_from([0i32])?)?.dtype(), Dtype::FLOAT32);
    assert_eq!(ivy::cos(&Array::try_from([true])?)?.dtype(), Dtype::FLOAT32);
    assert_eq!(ivy::cos(&Array::try_from([0i64])?)?.item::<f32>()?, 1.0);
    Ok(())
}
