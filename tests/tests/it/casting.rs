//! Casting modes, the report of casts, and strict casts (spec I-50 to I-58, decision S22).

use ivy::context::{self, CastDataTypes, CastMode, CastModes, StrictCasts};
use ivy::plan::{CastReason, explain, plan_cache_stats, record_casts};
use ivy::prelude::*;
use ivy::{ErrorKind, s};

fn on_candle<T>(f: impl FnOnce() -> T) -> T {
    let candle = ivy::backend::backend("candle").unwrap();
    // candle has little natively, so that there is something to cast.
    context::with(&context::current().backend(&candle).emulation(false), f)
}

/// Ones, made with all that candle can be made to do.
fn ones(dtype: Dtype) -> Array {
    context::with(&context::current().emulation(true), || ivy::ones([2], dtype)).unwrap()
}

#[test]
fn crosscast_takes_floats_and_bool_to_the_default_integer() {
    let x = Array::try_from([4.0f32, 6.0]).unwrap();
    let half = ivy::astype(&x, Dtype::FLOAT16).unwrap();
    let truth = Array::try_from([true, false]).unwrap();
    assert!(matches!(ivy::lcm(&half, &half).unwrap_err().kind(), ErrorKind::OutsideDomain { .. }));
    let _modes = CastDataTypes::new(CastMode::Crosscast);
    let lcm = ivy::lcm(&half, &half).unwrap();
    assert_eq!((lcm.dtype(), lcm.to_vec::<i32>().unwrap()), (Dtype::INT32, vec![4, 6]));
    // One operand is cast, the other promotes with what it became.
    let mixed = ivy::lcm(&x, Array::try_from([3i8, 4]).unwrap()).unwrap();
    assert_eq!((mixed.dtype(), mixed.to_vec::<i32>().unwrap()), (Dtype::INT32, vec![12, 12]));
    assert_eq!(ivy::negative(&truth).unwrap().to_vec::<i32>().unwrap(), [-1, 0]);
    let _default = ivy::DefaultIntDtype::new("int16").unwrap();
    let _modes = CastDataTypes::new(CastModes::ALL);
    assert_eq!(ivy::lcm(&half, &half).unwrap().dtype(), Dtype::INT16);
}

#[test]
fn integers_go_to_the_default_float_only_where_none_is_supported() {
    let x = Array::try_from([1i32, 2]).unwrap();
    let _modes = CastDataTypes::new(CastMode::Crosscast);
    assert_eq!(ivy::nextafter(&x, &x).unwrap().dtype(), Dtype::FLOAT32);
    // A mode that is on changes nothing for a supported dtype.
    assert_eq!(ivy::add(&x, &x).unwrap().dtype(), Dtype::INT32);
    // Some integers are supported, so crosscast does not act, and complex has no other kind.
    on_candle(|| {
        let _modes = CastDataTypes::new(CastMode::Crosscast);
        let x = ones(Dtype::INT8);
        assert!(ivy::sort(&x, ()).is_err());
    });
}

#[test]
fn upcast_holds_every_value_on_a_live_backend() {
    on_candle(|| {
        // Both 16-bit floats go up to float32, and stay there.
        for dtype in [Dtype::FLOAT16, Dtype::BFLOAT16] {
            let x = ones(dtype);
            assert!(matches!(ivy::sum(&x, ()).unwrap_err().kind(), ErrorKind::UnsupportedDtype { .. }));
            let _modes = CastDataTypes::new(CastMode::Upcast);
            let (sum, casts) = record_casts(|| ivy::sum(&x, ()).unwrap());
            assert_eq!((sum.dtype(), sum.item::<f32>().unwrap()), (Dtype::FLOAT32, 2.0));
            assert_eq!(casts[0].to_string(), format!("sum: x: {dtype} -> float32 (upcast)"));
        }
        // Up and down without cross act as up alone: no integer is summed, so none is a target.
        let _modes = CastDataTypes::new("upcast,downcast".parse::<CastModes>().unwrap());
        assert!(ivy::sum(ones(Dtype::INT32), ()).is_err());
        let _modes = CastDataTypes::new(CastModes::ALL);
        assert_eq!(ivy::sum(ones(Dtype::INT32), ()).unwrap().dtype(), Dtype::FLOAT32);
    });
}

#[test]
fn the_dtype_asked_for_comes_back() {
    on_candle(|| {
        let x = ivy::full([4], 0.5, Dtype::FLOAT32).unwrap();
        let half = Sum::new().dtype(Dtype::FLOAT16);
        assert!(ivy::sum(&x, half.clone()).is_err());
        let _modes = CastDataTypes::new(CastMode::Upcast);
        let (sum, casts) = record_casts(|| ivy::sum(&x, half));
        assert_eq!(sum.unwrap().dtype(), Dtype::FLOAT16);
        let casts: Vec<_> = casts.iter().map(ToString::to_string).collect();
        assert_eq!(casts, ["sum: result: float32 -> float16 (the dtype asked for)"]);
    });
}

#[test]
fn setters_act_on_the_frame_and_guards_restore() {
    assert_eq!(context::casting(), CastModes::NONE);
    context::upcast_data_types(true);
    context::crosscast_data_types(true);
    assert_eq!(context::casting().in_force(), [CastMode::Crosscast]);
    context::cast_data_types(true);
    assert_eq!(context::casting().in_force(), CastMode::ALL);
    let inside = std::panic::catch_unwind(|| {
        let _modes = CastDataTypes::new(CastMode::Downcast);
        assert_eq!(context::casting().to_string(), "downcast");
        panic!("in a guard");
    });
    assert!(inside.is_err());
    assert_eq!(context::casting(), CastModes::ALL);
    context::downcast_data_types(false);
    assert_eq!(context::casting().to_string(), "crosscast,upcast");
    context::unset_casting();
    assert_eq!(context::casting(), CastModes::NONE);
    assert!("sidecast".parse::<CastModes>().is_err());
}

#[test]
fn a_plan_shows_its_casts_and_is_made_once() {
    let ndarray = ivy::backend::backend("ndarray").unwrap();
    let _modes = CastDataTypes::new(CastMode::Crosscast);
    let plan = explain("lcm", &["float16", "int8"], None, &ndarray).unwrap();
    assert_eq!(plan.casts().collect::<Vec<_>>(), ["x1: float16 -> int32 (crosscast)", "x2: int8 -> int32"]);
    let reasons: Vec<_> = plan.implicit_casts().map(|c| c.reason).collect();
    assert_eq!(reasons, [CastReason::Mode(CastMode::Crosscast), CastReason::Rule]);
    let x = ones(Dtype::FLOAT16);
    ivy::lcm(&x, &x).unwrap();
    let before = plan_cache_stats();
    ivy::lcm(&x, &x).unwrap();
    assert_eq!(plan_cache_stats().misses, before.misses);
}

#[test]
fn the_report_holds_the_callers_casts_only() {
    let (x, y) = (ones(Dtype::INT8), ones(Dtype::FLOAT32));
    let (inner, casts) = record_casts(|| {
        ivy::add(&x, &y).unwrap();
        ivy::astype(&x, "float64").unwrap();
        ivy::add(&x, 1).unwrap();
        // softmax casts its integers; what it calls below casts nothing of the caller's.
        ivy::softmax(&x, ()).unwrap();
        record_casts(|| ivy::exp(&x)).1.len()
    });
    let casts: Vec<_> = casts.iter().map(ToString::to_string).collect();
    assert_eq!(
        casts,
        [
            "add: x1: int8 -> float32 (promotion)",
            "softmax: x: int8 -> float32 (promotion)",
            "exp: x: int8 -> float32 (promotion)",
        ]
    );
    assert_eq!(inner, 1);
}

#[test]
fn strict_casts_refuse_every_cast_that_nobody_wrote() {
    let (x, y) = (ones(Dtype::INT8), ones(Dtype::FLOAT32));
    let _strict = StrictCasts::new();
    let implicit = |r: ivy::Result<Array>| match r.unwrap_err().kind() {
        ErrorKind::ImplicitCast { function, operand, from, to, .. } => {
            format!("{function} {operand} {from} {to}")
        }
        other => panic!("{other}"),
    };
    assert_eq!(implicit(ivy::add(&x, &y)), "add x1 int8 float32");
    assert_eq!(implicit(ivy::exp(&x)), "exp x int8 float32");
    assert_eq!(implicit(ivy::sum(&x, ())), "sum x int8 int32");
    assert!(ivy::sum(&x, Sum::new().dtype(Dtype::INT64)).is_ok());
    assert!(ivy::add(&x, 1).is_ok() && ivy::softmax(&y, ()).is_ok());
    assert!(ivy::add(ivy::astype(&x, "float32"), &y).is_ok());
    let mut target = y.clone();
    let error = target.set(s![0], ivy::ones([], Dtype::INT8).unwrap()).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::ImplicitCast { operand: "value", .. }), "{error}");
    let _modes = CastDataTypes::new(CastMode::Crosscast);
    let _strict = StrictCasts::new();
    assert_eq!(implicit(ivy::lcm(&y, &y)), "lcm x1 float32 int32");
}
