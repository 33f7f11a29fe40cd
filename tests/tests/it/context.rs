//! The context: scopes, guards, setters and their unsetters, threads.

use ivy::context::{self, PreciseMode};
use ivy::{Context, Defaults, Dtype, Rules};

#[test]
fn guards_restore_in_any_order() {
    let first = PreciseMode::new(false);
    let second = PreciseMode::new(true);
    assert!(context::precise_mode());
    drop(first);
    assert!(context::precise_mode(), "the inner frame is still in force");
    drop(second);
    assert!(context::precise_mode());
    let outer = PreciseMode::new(false);
    let inner = PreciseMode::new(true);
    drop(inner);
    assert!(!context::precise_mode());
    drop(outer);
    assert!(context::precise_mode());
}

#[test]
fn a_panic_restores_the_context() {
    let caught = std::panic::catch_unwind(|| {
        context::with(&Context::new().rules(Rules::ArrayApi), || {
            assert_eq!(context::rules(), Rules::ArrayApi);
            panic!("on purpose");
        })
    });
    assert!(caught.is_err());
    assert_eq!(context::rules(), Rules::Precise);
}

#[test]
fn setters_act_on_the_current_frame() {
    context::set_precise_mode(false);
    context::with(&Context::new(), || {
        assert!(context::precise_mode());
        context::unset_precise_mode();
        assert!(context::precise_mode(), "an unset without a set does nothing");
        context::set_rules(Rules::ArrayApi);
        assert_eq!(context::rules(), Rules::ArrayApi);
    });
    assert!(!context::precise_mode(), "what a frame set is gone with it");
    context::set_precise_mode(true);
    context::unset_precise_mode();
    assert!(!context::precise_mode());
    context::unset_precise_mode();
    assert!(context::precise_mode());
}

#[test]
fn threads_begin_with_the_process_default() {
    context::set_rules(Rules::NonPrecise);
    let elsewhere = std::thread::spawn(context::rules).join().expect("no panic");
    assert_eq!(elsewhere, Rules::Precise);
    let snapshot = context::current();
    let carried =
        std::thread::spawn(move || context::with(&snapshot, context::rules)).join().expect("no panic");
    assert_eq!(carried, Rules::NonPrecise);
    context::unset_rules();
}

#[test]
fn defaults_fall_through() {
    let defaults = || context::current().settings.defaults;
    assert_eq!(defaults().dtype(), Dtype::FLOAT32);
    context::set_default_dtype("int16").unwrap();
    assert_eq!((defaults().int(), defaults().float()), (Dtype::INT16, Dtype::FLOAT32));
    context::unset_default_dtype();
    context::set_default_float_dtype("float16").unwrap();
    assert_eq!(defaults().dtype(), Dtype::FLOAT16);
    context::unset_default_float_dtype();
    context::unset_default_float_dtype();
    assert_eq!(defaults(), Defaults::default());
}

#[test]
fn a_refused_setting_changes_nothing() {
    let before = context::current();
    assert!(context::set_backend("no such backend").is_err());
    assert!(context::set_default_int_dtype("float32").is_err());
    assert!(context::set_default_dtype("flaot32").is_err());
    assert_eq!(context::current(), before);
}

#[test]
fn backends_stack() {
    ivy::set_backend("candle").unwrap();
    ivy::set_backend("ndarray").unwrap();
    assert_eq!(context::current_backend().unwrap().name(), "ndarray");
    ivy::unset_backend();
    assert_eq!(context::current_backend().unwrap().name(), "candle");
    let other = std::thread::spawn(|| ivy::with_backend("ndarray", || ivy::zeros([1], ())).unwrap().unwrap());
    assert_eq!(other.join().expect("no panic").backend().name(), "ndarray");
    assert_eq!(ivy::zeros([1], ()).unwrap().backend().name(), "candle");
    ivy::unset_backend();
    assert_eq!(context::current_backend().unwrap().name(), "ndarray", "the preferred one");
}

#[test]
fn the_dynamic_switch_moves_arrays() {
    ivy::set_backend("ndarray").unwrap();
    let mut x = ivy::Array::try_from([1i8, -2]).unwrap();
    let mut y = ivy::Array::try_from([0.5f64]).unwrap();
    ivy::set_backend_dynamic("candle", &mut [&mut x, &mut y]).unwrap();
    assert_eq!((x.backend().name(), y.backend().name()), ("candle", "candle"));
    assert_eq!((x.to_vec::<i8>().unwrap(), y.to_vec::<f64>().unwrap()), (vec![1, -2], vec![0.5]));
    assert!(ivy::set_backend_dynamic("nowhere", &mut [&mut x]).is_err());
    assert_eq!(context::current_backend().unwrap().name(), "candle");
}
