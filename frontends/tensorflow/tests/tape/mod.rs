//! Tapes: gradients that TensorFlow recorded, a line that is fitted, and how tapes behave.

use ivy_core::{Array, Result};
use ivy_frontend_suite::{Tolerance, difference, value};
use ivy_frontend_tensorflow::{
    GradientTape, TENSORFLOW, Tensor, UnconnectedGradients, Value, Variable, is_recording, kw, math,
};
use serde_json::Value as Json;

fn tensor(value: Value<'static>) -> Tensor {
    match value {
        Value::Array(array) => array.into_owned().into(),
        other => panic!("an array is expected, not {}", other.told()),
    }
}

/// The gradients by some arguments of the sum of a call's elements, weighted by 1, 2, 3, ...
fn gradients(line: &Json) -> Result<Value<'static>> {
    let backend = ivy_core::backend::backend("ndarray")?;
    let read = |json: &Json| value(json, Some(&backend)).expect("a record can be read");
    let arguments = line["a"].as_array().expect("a call has arguments");
    let mut arguments: Vec<Value<'static>> = arguments.iter().map(read).collect();
    let places = line["grad"].as_array().expect("places");
    let tape = GradientTape::new();
    let mut watched = Vec::new();
    for place in places {
        let place = place.as_u64().expect("a place") as usize;
        let leaf = tape.watch(&tensor(arguments[place].clone()))?;
        arguments[place] = Value::from(leaf.clone()).into_owned();
        watched.push(leaf);
    }
    let y = tensor(TENSORFLOW.call(line["f"].as_str().expect("a function"), &arguments, kw! {})?);
    let weights = Array::from_vec((1..=y.numel()).map(|i| i as f64).collect(), y.shape().clone())?;
    let total = math::reduce_sum(&(&y * &weights).ok()?, ())?;
    let found = tape.gradient(&total, &watched.iter().collect::<Vec<_>>())?;
    Ok(Value::List(found.into_iter().map(|g| g.map_or(Value::None, |g| g.into_ivy_array().into())).collect()))
}

#[test]
fn recorded_gradients() {
    let tolerance = Tolerance { float64: 1e-9, ..Tolerance::default() };
    let mut failures = Vec::new();
    for text in include_str!("gradients.jsonl").lines().skip(1) {
        let line: Json = serde_json::from_str(text).expect("a record is JSON");
        let found = match gradients(&line) {
            Ok(found) => difference(&line["r"], &found, tolerance),
            Err(error) => Some(error.to_string()),
        };
        failures.extend(found.map(|why| format!("{}: {why}", line["f"])));
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

fn floats(json: &Json) -> Vec<f32> {
    let list = json.as_array().expect("a list of numbers");
    list.iter().map(|x| x.as_f64().expect("a number") as f32).collect()
}

#[test]
fn a_line_is_fitted_as_tensorflow_fits_it() -> Result<()> {
    let record: Json = serde_json::from_str(include_str!("fit.json")).expect("the record is JSON");
    let (x, y) = (Tensor::new(floats(&record["x"]))?, Tensor::new(floats(&record["y"]))?);
    let (slope, offset) = (Variable::new(Tensor::new(0.0)?)?, Variable::new(Tensor::new(0.0)?)?);
    for expected in floats(&record["losses"]) {
        let tape = GradientTape::new();
        let (w, b) = (slope.value(), offset.value());
        let loss = math::reduce_mean(&math::square(&(&w * &x + &b - &y).ok()?, ())?, ())?;
        let found = tape.gradient(&loss, &[&w, &b])?;
        let [by_slope, by_offset] = &found[..] else { panic!("two gradients") };
        let step = |g: &Option<Tensor>| (g.as_ref().expect("it depends on both") * 0.25).ok();
        slope.assign_sub(&step(by_slope)?)?;
        offset.assign_sub(&step(by_offset)?)?;
        let loss = loss.to_vec::<f32>()?[0];
        assert!((loss - expected).abs() <= 1e-5 * expected.abs().max(1e-2), "{loss} is not {expected}");
    }
    for (variable, name) in [(&slope, "slope"), (&offset, "offset")] {
        let (found, expected) =
            (variable.value().to_vec::<f32>()?[0], record[name].as_f64().expect("a number"));
        assert!((f64::from(found) - expected).abs() < 1e-4, "{name} is {found}, not {expected}");
    }
    Ok(())
}

#[test]
fn tapes_within_each_other_give_second_derivatives() -> Result<()> {
    let outer = GradientTape::new();
    let x = outer.watch(&Tensor::new([2.0])?)?;
    let inner = GradientTape::new();
    // A tape knows what it watches itself.
    let x = inner.watch(&x)?;
    let cube = (&x * &x * &x).ok()?;
    let once = inner.gradient(&cube, &[&x])?.swap_remove(0).expect("it depends on x");
    let twice = outer.gradient(&once, &[&x])?.swap_remove(0).expect("it depends on x");
    assert_eq!((once.to_vec::<f32>()?, twice.to_vec::<f32>()?), (vec![12.0], vec![12.0]));
    Ok(())
}

#[test]
fn a_persistent_tape_that_records_has_gradients_of_its_gradients() -> Result<()> {
    let tape = GradientTape::persistent();
    let x = tape.watch(&Tensor::new([2.0])?)?;
    let cube = (&x * &x * &x).ok()?;
    let once = tape.gradient(&cube, &[&x])?.swap_remove(0).expect("it depends on x");
    let twice = tape.gradient(&once, &[&x])?.swap_remove(0).expect("it depends on x");
    assert_eq!((once.to_vec::<f32>()?, twice.to_vec::<f32>()?), (vec![12.0], vec![12.0]));
    assert!(is_recording());
    tape.stop();
    assert!(!is_recording());
    let plain = tape.gradient(&cube, &[&x])?.swap_remove(0).expect("it depends on x");
    assert_eq!(plain.to_vec::<f32>()?, [12.0]);
    assert!(tape.gradient(&plain, &[&x])?[0].is_none());
    Ok(())
}

#[test]
fn jacobians_have_the_axes_of_both() -> Result<()> {
    let tape = GradientTape::persistent();
    let x = tape.watch(&Tensor::new([1.0, 2.0])?)?;
    let y = (&x * &x).ok()?;
    let found = tape.jacobian(&y, &x)?.expect("it depends on x");
    assert_eq!(
        (found.shape().to_string(), found.to_vec::<f32>()?),
        ("(2, 2)".into(), vec![2.0, 0.0, 0.0, 4.0])
    );
    assert_eq!(tape.gradient(&y, &[&x])?[0].as_ref().expect("a gradient").to_vec::<f32>()?, [2.0, 4.0]);
    Ok(())
}

#[test]
fn what_does_not_depend_on_a_source_has_no_gradient_by_it() -> Result<()> {
    let tape = GradientTape::persistent();
    let (x, other) = (tape.watch(&Tensor::new([1.0])?)?, tape.watch(&Tensor::new([5.0])?)?);
    let y = math::exp(&x, ())?;
    assert!(tape.gradient(&y, &[&other])?[0].is_none());
    let zeros = tape.gradient_of(&[&y], &[&other], &[], UnconnectedGradients::Zero)?;
    assert_eq!(zeros[0].as_ref().expect("zeros").to_vec::<f32>()?, [0.0]);
    let constant = math::exp(&Tensor::new([1.0])?, ())?;
    assert!(tape.gradient(&constant, &[&x])?[0].is_none());
    let unwatched = tape.stop_recording(|| math::exp(&x, ()))?;
    assert!(tape.gradient(&unwatched, &[&x])?[0].is_none());
    let weighted =
        tape.gradient_of(&[&y], &[&x], &[Some(Tensor::new([2.0])?)], UnconnectedGradients::None)?;
    let found = weighted[0].as_ref().expect("a gradient").to_vec::<f32>()?[0];
    assert!((found - 2.0 * 1f32.exp()).abs() < 1e-5);
    Ok(())
}

#[test]
fn each_tape_has_what_it_recorded() -> Result<()> {
    let x = Variable::new(Tensor::new([2.0])?)?;
    let times_x = |y: &Tensor| (y * &x.value()).ok();
    let by_x = |tape: &GradientTape, y: &Tensor| -> Result<Option<Vec<f32>>> {
        tape.gradient(y, &[&x.value()])?.swap_remove(0).map(|g| g.to_vec::<f32>()).transpose()
    };
    let (outer, inner) = (GradientTape::persistent(), GradientTape::persistent());
    let y = (&x.value() * &x.value()).ok()?;
    inner.stop();
    let z = times_x(&y)?;
    assert_eq!([by_x(&outer, &y)?, by_x(&inner, &y)?], [Some(vec![4.0]), Some(vec![4.0])]);
    // What the inner one has not recorded is nothing to it.
    assert_eq!([by_x(&outer, &z)?, by_x(&inner, &z)?], [Some(vec![12.0]), None]);
    assert!(outer.knows(&z) && inner.knows(&y) && !inner.knows(&z));
    inner.resume();
    assert_eq!(by_x(&inner, &times_x(&z)?)?, Some(vec![8.0]));
    // What one does not record, the others do.
    let hidden = inner.stop_recording(|| times_x(&y))?;
    assert_eq!([by_x(&outer, &hidden)?, by_x(&inner, &hidden)?], [Some(vec![12.0]), None]);
    inner.stop();
    let unseen = outer.stop_recording(|| times_x(&y))?;
    assert_eq!(by_x(&outer, &times_x(&unseen)?)?, Some(vec![8.0]));
    Ok(())
}

#[test]
fn a_tape_may_record_what_it_watches_alone() -> Result<()> {
    let (x, w) = (Variable::new(Tensor::new([2.0])?)?, Variable::new(Tensor::new([5.0])?)?);
    let tape = GradientTape::persistent().without_accessed_variables();
    let watched = tape.watch(&x.value())?;
    let y = (&w.value() * 3.0).ok()?;
    let z = (&watched * &y).ok()?;
    let found = tape.gradient(&z, &[&x.value(), &w.value(), &y])?;
    assert_eq!(found[0].as_ref().map(|g| g.to_vec::<f32>()).transpose()?, Some(vec![15.0]));
    assert!(found[1].is_none() && found[2].is_none() && !tape.knows(&y));
    Ok(())
}

#[test]
fn bad_input_is_told() -> Result<()> {
    let tape = GradientTape::new();
    let x = tape.watch(&Tensor::new([1.0])?)?;
    let y = math::exp(&x, ())?;
    tape.gradient(&y, &[&x])?;
    let again = tape.gradient(&y, &[&x]).unwrap_err().to_string();
    assert!(again.contains("not persistent"), "{again}");
    let whole = tape.watch(&Tensor::new([1])?).unwrap_err().to_string();
    assert!(whole.contains("float or complex"), "{whole}");
    for variable in [Variable::new(x)?, Variable::new(Tensor::new([1])?)?] {
        assert!(variable.assign(&Tensor::new([1.0, 2.0])?).is_err());
        assert!(variable.assign(&Tensor::new([true])?).is_err());
    }
    Ok(())
}
