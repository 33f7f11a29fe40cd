//! Wrong arguments: recorded calls with one argument that does not fit. An error names the row's parameters.

use crate::decode::value;
use crate::replay::{list, records};
use ivy_core::backend::BackendRef;
use ivy_core::{Dtype, Error, Scalar, Shape};
use ivy_frontend::{Entry, Frontend, Keywords, Value, from_scalars};
use serde_json::Value as Json;
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// How many recorded calls of a function are tried.
const CALLS: usize = 3;

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
        Value::Float(0.5),
        Value::List(vec![]),
        Value::List(vec![Value::from(97), Value::from(-3)]),
        array(&[], &[0], Dtype::FLOAT32),
        array(&[1, 2, 3, 4, 5, 6, 7], &[7], Dtype::FLOAT64),
        array(&[1; 30], &[5, 2, 3], Dtype::INT64),
        array(&[1, 0], &[2, 1], Dtype::BOOL),
    ]
}

/// The argument that an error names, if it names one.
fn named(error: &Error) -> Option<String> {
    error.kind().fields().into_iter().find(|(field, _)| *field == "argument").map(|(_, name)| name)
}

/// True where the row has a parameter of the name, or the error is about none of them.
fn is_own(entry: &Entry, name: &str) -> bool {
    let stem = name.trim_start_matches('*').split(['[', '.', ' ']).next().unwrap_or(name);
    stem.is_empty() || entry.row.signature.parameters.iter().any(|p| p.name == stem)
}

/// Makes recorded calls of every function of a crate's folder with each argument in turn replaced by values that do not fit:
/// errors name parameters of the function, as the framework calls them.
///
/// # Panics
/// Where one does not, and is not in `arguments.tsv` (path, argument, reason).
pub fn check_wrong_arguments(frontend: &'static Frontend, folder: &Path, backend: &BackendRef) {
    let values = wrong(backend);
    let mut tried: BTreeMap<String, usize> = BTreeMap::new();
    let mut foreign: BTreeMap<(String, String), String> = BTreeMap::new();
    let mut errors = 0;
    for (_, json) in records(folder) {
        let Ok(json) = json else { continue };
        let Some(path) = json["f"].as_str() else { continue };
        let Ok(entry) = frontend.find(path) else { continue };
        let calls = tried.entry(path.into()).or_default();
        if json.get("e").is_some() || *calls == CALLS {
            continue;
        }
        *calls += 1;
        let Ok((positional, keywords)) = arguments(&json, backend) else { continue };
        let mut look = |positional: &[Value<'_>], keywords: &[(String, Value<'_>)]| {
            let given = keywords.iter().fold(Keywords::new(), |all, (k, v)| all.with(k, v.borrowed()));
            if let Err(error) =
                frontend.call_entry(entry, positional.iter().map(Value::borrowed).collect(), given)
            {
                errors += 1;
                if let Some(name) = named(&error).filter(|name| !is_own(entry, name)) {
                    foreign.entry((path.into(), name)).or_insert_with(|| error.to_string());
                }
            }
        };
        for wrong in &values {
            for place in 0..positional.len() {
                let mut changed: Vec<_> = positional.iter().map(Value::borrowed).collect();
                changed[place] = wrong.borrowed();
                look(&changed, &keywords);
            }
            for place in 0..keywords.len() {
                let mut changed: Vec<_> = keywords.iter().map(|(k, v)| (k.clone(), v.borrowed())).collect();
                changed[place].1 = wrong.borrowed();
                look(&positional, &changed);
            }
        }
    }
    let known: BTreeSet<_> =
        list(folder, "arguments.tsv").into_iter().map(|row| (row[0].clone(), row[1].clone())).collect();
    let found: Vec<_> = foreign.iter().filter(|(key, _)| !known.contains(key)).collect();
    let gone: Vec<_> = known.iter().filter(|key| !foreign.contains_key(key)).collect();
    let lines: Vec<_> = found.iter().map(|((path, name), text)| format!("{path}\t{name}\t{text}")).collect();
    println!("{} functions, {errors} errors", tried.len());
    assert!(errors > 10 * tried.len(), "{errors} errors of {} functions", tried.len());
    assert!(
        found.is_empty() && gone.is_empty(),
        "{} names are none of the function's parameters:\n{}\nno more: {gone:?}",
        found.len(),
        lines.join("\n")
    );
}

type Arguments = (Vec<Value<'static>>, Vec<(String, Value<'static>)>);

fn arguments(json: &Json, backend: &BackendRef) -> Result<Arguments, String> {
    let positional = json["a"].as_array().into_iter().flatten().map(|a| value(a, Some(backend)));
    let keywords = json["k"].as_object().into_iter().flatten();
    let keywords = keywords.map(|(name, given)| Ok((name.clone(), value(given, Some(backend))?)));
    Ok((positional.collect::<Result<_, _>>()?, keywords.collect::<Result<_, String>>()?))
}
