//! Wrong arguments: recorded calls with one argument that does not fit. An error names the row's parameters.

use crate::decode::value;
use crate::replay::records;
use ivy_core::backend::BackendRef;
use ivy_core::{Dtype, Error, ErrorKind, Scalar, Shape};
use ivy_frontend::rows::Given;
use ivy_frontend::{Entry, Frontend, Keywords, Value, from_scalars};
use serde_json::Value as Json;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

/// How many recorded calls of a function are tried.
const CALLS: usize = 3;

/// Of the pairs of wrong values one in so many is tried.
const STEP: usize = 13;

/// Values that few parameters take.
fn wrong(backend: &BackendRef) -> Vec<Value<'static>> {
    let array = |numbers: &[i64], shape: &[usize], dtype| {
        let scalars: Vec<_> = numbers.iter().map(|&i| Scalar::Int(i128::from(i))).collect();
        let made = from_scalars(&scalars, Shape::from(shape.to_vec()), backend, dtype).expect("it is small");
        Value::Array(Cow::Owned(made))
    };
    vec![
        Value::from("no such choice"),
        Value::None,
        Value::from(-7),
        Value::from(99),
        Value::from(0),
        Value::from(1),
        Value::Float(0.5),
        Value::Bool(true),
        Value::Tuple(vec![]),
        Value::List(vec![Value::from(97), Value::from(-3)]),
        Value::List(vec![Value::from(0)]),
        Value::List(vec![Value::None]),
        Value::List(vec![Value::List(vec![Value::from(1)])]),
        Value::Tuple(vec![Value::from(2), Value::from("x")]),
        array(&[3], &[], Dtype::INT64),
        array(&[3], &[], Dtype::FLOAT32),
        array(&[], &[0], Dtype::FLOAT32),
        array(&[1, 2, 3, 4, 5, 6, 7], &[7], Dtype::FLOAT64),
        array(&[], &[2, 0], Dtype::INT64),
        array(&[1; 30], &[5, 2, 3], Dtype::INT64),
        array(&[1; 16], &[1, 4, 2, 2], Dtype::FLOAT32),
        array(&[1; 4], &[2, 2], Dtype::COMPLEX64),
        array(&[1, 0], &[2, 1], Dtype::BOOL),
    ]
}

/// The argument or operand that an error is about, if it is about one.
fn named(error: &Error) -> Option<String> {
    let fields = error.kind().fields();
    fields.into_iter().find(|(field, _)| matches!(*field, "argument" | "operand")).map(|(_, name)| name)
}

fn is_own(entry: &Entry, name: &str) -> bool {
    let stem = name.split(['[', '.']).next().unwrap_or(name);
    entry.row.signature.parameters.iter().any(|p| p.name == stem)
}

/// Whether an error says of no parameter that it is to blame: `an argument`, `one of the arrays`.
fn is_unnamed(name: &str) -> bool {
    name.is_empty() || name.contains(' ')
}

/// Whether a shape that an error says of an argument is the one that it has.
fn is_true(entry: &Entry, name: &str, (positional, keywords): &Arguments, error: &Error) -> bool {
    let ErrorKind::ShapeMismatch { actual, .. } = error.kind() else { return true };
    let by_name = keywords.iter().find(|(known, _)| known == name).map(|(_, value)| value);
    // Of an entry of `*args` it is not known which.
    let own = entry.row.signature.parameters.iter().position(|p| p.name == name && p.given != Given::Rest);
    let by_place = || positional.get(own?);
    let array = by_name.or_else(by_place).and_then(Value::as_array);
    array.is_none_or(|array| array.shape() == actual)
}

/// What the calls of a frontend came to.
#[derive(Default)]
struct Trials {
    errors: usize,
    unnamed: usize,
    /// Names that are none of the function's parameters, or have another shape than is said, each with an error, and calls that
    /// panicked.
    faults: BTreeMap<(String, String), String>,
}

impl Trials {
    fn call(&mut self, entry: &'static Entry, given: &Arguments) {
        let (positional, keywords) = given;
        let run = || {
            let by_name = keywords.iter().fold(Keywords::new(), |all, (k, v)| all.with(k, v.borrowed()));
            entry.frontend.call_entry(entry, positional.iter().map(Value::borrowed).collect(), by_name)
        };
        let path = || entry.path.to_string();
        match catch_unwind(AssertUnwindSafe(run)) {
            Ok(Ok(_)) => {}
            Ok(Err(error)) => {
                self.errors += 1;
                match named(&error) {
                    Some(name) if is_unnamed(&name) => self.unnamed += 1,
                    Some(name) if !is_own(entry, &name) || !is_true(entry, &name, given, &error) => {
                        self.faults.entry((path(), name)).or_insert_with(|| error.to_string());
                    }
                    _ => {}
                }
            }
            Err(_) => {
                let keywords = keywords.iter().map(|(k, v)| format!("{k}={}", v.told()));
                let told: Vec<_> = positional.iter().map(Value::told).chain(keywords).collect();
                self.faults.entry((path(), "panic".into())).or_insert_with(|| told.join("; "));
            }
        }
    }
}

/// The argument of a place, those by position before those by name.
fn place_mut((positional, keywords): &mut Arguments, place: usize) -> &mut Value<'static> {
    let count = positional.len();
    if place < count { &mut positional[place] } else { &mut keywords[place - count].1 }
}

/// Makes recorded calls of every function of a crate's folder with each argument in turn, and each two of them, replaced
/// by values that do not fit: no call panics, and errors name parameters of the function, as the framework calls them, and say
/// their shapes.
///
/// # Panics
/// Where one does not, or more than a tenth name none.
pub fn check_wrong_arguments(frontend: &'static Frontend, folder: &Path, backend: &BackendRef) {
    let values = wrong(backend);
    let mut tried: BTreeMap<String, usize> = BTreeMap::new();
    let mut trials = Trials::default();
    for (_, json) in records(folder) {
        let Ok(json) = json else { continue };
        let Some(path) = json["f"].as_str() else { continue };
        let Ok(entry) = frontend.find(path) else { continue };
        let calls = tried.entry(path.into()).or_default();
        if json.get("e").is_some() || *calls == CALLS {
            continue;
        }
        let Ok(given) = arguments(&json, backend) else { continue };
        *calls += 1;
        let count = given.0.len() + given.1.len();
        for place in 0..count {
            for (i, wrong) in values.iter().enumerate() {
                let mut changed = given.clone();
                *place_mut(&mut changed, place) = wrong.clone();
                trials.call(entry, &changed);
                for other in place + 1..count {
                    *place_mut(&mut changed, other) = values[(i * 5 + other + *calls) % values.len()].clone();
                    trials.call(entry, &changed);
                    *place_mut(&mut changed, other) = place_mut(&mut given.clone(), other).clone();
                }
            }
        }
    }
    for place in 0..frontend.table().rows.len() {
        combinations(frontend.entry(place), &values, &mut trials);
    }
    let Trials { errors, unnamed, faults } = trials;
    println!("{} functions, {errors} errors, {unnamed} without a name", tried.len());
    assert!(errors > 10 * tried.len(), "{errors} errors of {} functions", tried.len());
    assert!(unnamed * 10 < errors, "{unnamed} of {errors} errors name no parameter");
    let lines: Vec<_> = faults.iter().map(|((path, name), text)| format!("{path}\t{name}\t{text}")).collect();
    assert!(
        lines.is_empty(),
        "{} panics, or names that are none of the function's parameters, or of other shapes:\n{}",
        lines.len(),
        lines.join("\n")
    );
}

/// Calls a row with combinations of the values: all pairs of the first two arguments, each with one of the others.
fn combinations(entry: &'static Entry, values: &[Value<'static>], trials: &mut Trials) {
    let parameters = &entry.row.signature.parameters;
    let by_place = parameters
        .iter()
        .filter(|p| matches!(p.given, Given::ByPosition | Given::Either | Given::Rest))
        .count();
    let needed =
        parameters[..by_place].iter().filter(|p| p.default.is_none() && p.given != Given::Rest).count();
    let n = values.len();
    for call in (0..n * n).step_by(STEP) {
        let count = needed + call % (by_place - needed + 1);
        let value = |place: usize| match place {
            0 => call / n,
            1 => call,
            place => call * (place + 1) + place,
        };
        let positional = (0..count).map(|place| values[value(place) % n].clone()).collect();
        trials.call(entry, &(positional, Vec::new()));
    }
}

type Arguments = (Vec<Value<'static>>, Vec<(String, Value<'static>)>);

fn arguments(json: &Json, backend: &BackendRef) -> Result<Arguments, String> {
    let positional = json["a"].as_array().into_iter().flatten().map(|a| value(a, Some(backend)));
    let keywords = json["k"].as_object().into_iter().flatten();
    let keywords = keywords.map(|(name, given)| Ok((name.clone(), value(given, Some(backend))?)));
    Ok((positional.collect::<Result<_, _>>()?, keywords.collect::<Result<_, String>>()?))
}
