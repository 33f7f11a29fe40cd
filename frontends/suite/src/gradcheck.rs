//! `gradcheck` and `gradgradcheck` of every recorded call: the derivative along a direction, by the graph, beside central differences.
//!
//! The recorded calls are the sample inputs: their floats in float64, moved away from ties and kinks. Weighted sums of all results
//! are differentiated once and twice.

use crate::decode::value;
use ivy_core::backend::BackendRef;
use ivy_core::{Array, Dtype, Result, functional as f};
use ivy_frontend::{Frontend, Keywords, Value, autograd};
use serde_json::Value as Json;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// What is checked.
#[derive(Clone, Copy, Debug)]
pub struct Gradients {
    /// The frontend whose recorded calls are checked.
    pub frontend: &'static Frontend,
    /// Calls that differences tell nothing of: the function, an argument that has to be given for that, and the reason.
    pub without: &'static [(&'static str, Option<&'static str>, &'static str)],
    /// Functions of symmetric matrices, which read one half of their operand.
    pub symmetric: &'static [&'static str],
}

/// Numbers between -1 and 1 without a pattern.
fn numbers(shape: &[usize], start: f64) -> Result<Array> {
    let count: usize = shape.iter().product();
    Array::from_vec((0..count).map(|i| (1.7 * i as f64 + start).sin()).collect::<Vec<f64>>(), shape.to_vec())
}

/// The inner product of arrays of the same shapes.
fn inner(a: &[Array], b: &[Array]) -> Result<Array> {
    let products = a.iter().zip(b).map(|(a, b)| f::sum(f::multiply(a, b)?, ()));
    products.reduce(|a, b| f::add(a?, b?)).unwrap_or_else(|| f::zeros((), Dtype::FLOAT64))
}

/// A recorded call as a function of its float tensors.
struct Sample<'c> {
    checks: &'c Gradients,
    path: String,
    positional: Vec<Value<'static>>,
    keywords: Vec<(String, Value<'static>)>,
    inputs: Vec<Array>,
}

/// Puts a mark where a tensor of floats stands, and gives the tensor; `None` for complex numbers.
fn taken(given: Value<'static>, inputs: &mut Vec<Array>) -> Option<Value<'static>> {
    Some(match given {
        Value::Array(array) if array.dtype().is_complex() => return None,
        Value::Array(array) if array.dtype().is_float() => {
            inputs.push(array.into_owned());
            Value::Slice { start: Some(inputs.len() as i64 - 1), stop: None, step: None }
        }
        Value::List(list) => {
            Value::List(list.into_iter().map(|one| taken(one, inputs)).collect::<Option<_>>()?)
        }
        Value::Tuple(list) => {
            Value::Tuple(list.into_iter().map(|one| taken(one, inputs)).collect::<Option<_>>()?)
        }
        other => other,
    })
}

/// The tensors in place of the marks.
fn given(value: &Value<'static>, inputs: &[Array]) -> Value<'static> {
    match value {
        Value::Slice { start: Some(at), stop: None, step: None } => Value::from(inputs[*at as usize].clone()),
        Value::List(list) => Value::List(list.iter().map(|one| given(one, inputs)).collect()),
        Value::Tuple(list) => Value::Tuple(list.iter().map(|one| given(one, inputs)).collect()),
        other => other.clone(),
    }
}

/// The float64 results.
fn results(value: Value<'static>, found: &mut Vec<Array>) {
    match value {
        Value::Array(array) if array.dtype() == Dtype::FLOAT64 => found.push(array.into_owned()),
        Value::Tuple(list) | Value::List(list) => list.into_iter().for_each(|one| results(one, found)),
        _ => {}
    }
}

impl<'c> Sample<'c> {
    fn read(checks: &'c Gradients, line: &Json, backend: &BackendRef) -> Option<Sample<'c>> {
        if line.get("e").is_some() || line["compare"] == "shape" {
            return None;
        }
        let (mut inputs, path) = (Vec::new(), line["f"].as_str()?.to_owned());
        checks.frontend.find(&path).ok()?;
        let mut read =
            |json: &Json| taken(value(json, Some(backend)).expect("a record can be read"), &mut inputs);
        let positional = line["a"].as_array()?.iter().map(&mut read).collect::<Option<_>>()?;
        let mut keywords = Vec::new();
        for (name, json) in line["k"].as_object().into_iter().flatten() {
            keywords.push((name.clone(), read(json)?));
        }
        Some(Sample { checks, path, positional, keywords, inputs })
    }

    fn is_left_out(&self) -> bool {
        // Bytes as another dtype have no derivative.
        if self.path == "Tensor.view" && self.positional.iter().any(|v| matches!(v, Value::Dtype(_))) {
            return true;
        }
        let given = |name: &str| self.keywords.iter().any(|(known, _)| known == name);
        self.checks.without.iter().any(|(path, argument, _)| *path == self.path && argument.is_none_or(given))
    }

    /// The results for some inputs, which an operation made.
    fn call(&self, inputs: &[Array]) -> Result<Vec<Array>> {
        let symmetric = self.checks.symmetric.contains(&self.path.as_str());
        let made = |x: &Array| match symmetric {
            true => f::multiply(f::add(x, f::matrix_transpose(x)?)?, 0.5),
            false => f::multiply(x, 1.0),
        };
        let inputs = inputs.iter().map(made).collect::<Result<Vec<_>>>()?;
        let positional: Vec<Value<'_>> = self.positional.iter().map(|one| given(one, &inputs)).collect();
        let keywords: Vec<(&str, Value<'_>)> =
            self.keywords.iter().map(|(name, one)| (name.as_str(), given(one, &inputs))).collect();
        ivy_core::functional::seed(7);
        let mut found = Vec::new();
        results(self.checks.frontend.call(&self.path, &positional, Keywords::from(keywords))?, &mut found);
        Ok(found)
    }

    /// The weighted sum of all results.
    fn weighted(&self, inputs: &[Array]) -> Result<Array> {
        let found = self.call(inputs)?;
        let weights: Vec<Array> = found
            .iter()
            .enumerate()
            .map(|(i, y)| numbers(y.shape(), 0.4 + i as f64))
            .collect::<Result<_>>()?;
        inner(&found, &weights)
    }

    /// The gradient of the weighted sum, zeros where there is none.
    fn gradient(&self, inputs: &[Array], graph: autograd::Graph) -> Result<Vec<Array>> {
        let total = self.weighted(inputs)?;
        if !autograd::requires_grad(&total) {
            return inputs.iter().map(|x| f::zeros(x.shape().clone(), Dtype::FLOAT64)).collect();
        }
        let found = autograd::grad(&[total], inputs, &[], graph, autograd::Unused::Zeros)?;
        Ok(found.into_iter().flatten().collect())
    }
}

fn leaves(inputs: &[Array]) -> Result<Vec<Array>> {
    inputs.iter().map(|x| autograd::require_grad(&autograd::detached(x))).collect()
}

/// The slope of a function of the inputs along a direction, by central differences.
fn slope(
    inputs: &[Array],
    along: &[Array],
    step: f64,
    of: impl Fn(&[Array]) -> Result<Array>,
) -> Result<f64> {
    let at = |step: f64| -> Result<f64> {
        let moved = inputs.iter().zip(along).map(|(x, u)| f::add(x, f::multiply(u, step)?));
        autograd::detached(&of(&moved.collect::<Result<Vec<_>>>()?)?).item::<f64>()
    };
    Ok((at(step)? - at(-step)?) / (2.0 * step))
}

/// What is wrong with a sample's derivatives; `None` where the sample shows none.
fn wrong(sample: &Sample<'_>) -> Result<Option<String>> {
    let plain: Vec<Array> =
        sample.inputs.iter().map(|x| f::astype(x, Dtype::FLOAT64)).collect::<Result<_>>()?;
    let shifted = |(i, x): (usize, &Array)| {
        f::add(x, f::add(f::multiply(numbers(x.shape(), 0.9 + i as f64)?, 0.061)?, 0.0137)?)
    };
    let mut inputs: Vec<Array> = plain.iter().enumerate().map(shifted).collect::<Result<_>>()?;
    // Some functions refuse numbers beyond an interval.
    let bounded = sample.weighted(&inputs).is_err();
    if bounded {
        inputs = plain;
    }
    let value = sample.weighted(&inputs)?.item::<f64>()?;
    let finite = |x: &Array| f::all(f::isfinite(x)?, ())?.item::<bool>();
    if !value.is_finite() || !inputs.iter().map(finite).collect::<Result<Vec<_>>>()?.into_iter().all(|is| is)
    {
        return Ok(None);
    }
    let along: Vec<Array> =
        inputs.iter().enumerate().map(|(i, x)| numbers(x.shape(), 2.1 + i as f64)).collect::<Result<_>>()?;
    let by_graph =
        inner(&sample.gradient(&leaves(&inputs)?, autograd::Graph::Freed)?, &along)?.item::<f64>()?;
    let differences = match slope(&inputs, &along, 1e-6, |x| sample.weighted(x)) {
        Err(_) if bounded => return Ok(None),
        found => found?,
    };
    let near = |a: f64, b: f64, by: f64| (a - b).abs() <= by * (1.0 + a.abs().max(b.abs()).max(value.abs()));
    if !near(by_graph, differences, 2e-5) {
        return Ok(Some(format!(
            "the gradient is {by_graph} along a direction, differences are {differences}"
        )));
    }
    let other: Vec<Array> =
        inputs.iter().enumerate().map(|(i, x)| numbers(x.shape(), 5.3 + i as f64)).collect::<Result<_>>()?;
    let first = |x: &[Array]| inner(&sample.gradient(&leaves(x)?, autograd::Graph::Freed)?, &other);
    let differences = slope(&inputs, &along, 1e-5, first)?;
    let at = leaves(&inputs)?;
    let gradient = inner(&sample.gradient(&at, autograd::Graph::Created)?, &other)?;
    let by_graph = match autograd::requires_grad(&gradient) {
        false => 0.0,
        true => {
            let second =
                autograd::grad(&[gradient], &at, &[], autograd::Graph::Freed, autograd::Unused::Zeros)?;
            inner(&second.into_iter().flatten().collect::<Vec<_>>(), &along)?.item::<f64>()?
        }
    };
    match near(by_graph, differences, 2e-4) {
        true => Ok(None),
        false => Ok(Some(format!("the second derivative is {by_graph}, differences are {differences}"))),
    }
}

impl Gradients {
    /// Compares the derivatives of the recorded calls of a crate's folder that belong to the run, by their places in their files.
    ///
    /// # Panics
    /// Where some differ, or the records cannot be read.
    pub fn check(&self, folder: &Path, backend: &str, taken: impl Fn(usize) -> bool) {
        let backend = ivy_core::backend::backend(backend).expect("the backend is there");
        let (mut failures, mut checked): (BTreeMap<String, String>, BTreeSet<String>) = Default::default();
        let mut files: Vec<_> =
            std::fs::read_dir(folder).expect("records").map(|entry| entry.expect("a file").path()).collect();
        files.retain(|path| path.extension().is_some_and(|e| e == "jsonl"));
        files.sort();
        let context = ivy_core::Context::new().backend(&backend);
        for file in files {
            let text = std::fs::read_to_string(&file).expect("the records can be read");
            for (_, line) in text.lines().skip(1).enumerate().filter(|&(i, _)| taken(i)) {
                let line: Json = serde_json::from_str(line).expect("a record is JSON");
                let Some(sample) = Sample::read(self, &line, &backend) else { continue };
                if sample.inputs.is_empty() || sample.is_left_out() {
                    continue;
                }
                match ivy_core::context::with(&context, || wrong(&sample)) {
                    Ok(None) => {
                        checked.insert(sample.path);
                    }
                    Ok(Some(why)) => {
                        failures.entry(sample.path).or_insert(format!("{why}: {}", line["a"]));
                    }
                    Err(error) => {
                        failures.entry(sample.path).or_insert(format!("{error}: {}", line["a"]));
                    }
                }
            }
        }
        println!("{} functions are checked", checked.len());
        let failures: Vec<String> =
            failures.into_iter().map(|(path, why)| format!("{path}: {why}")).collect();
        assert!(failures.is_empty(), "{} of {}\n{}", failures.len(), checked.len(), failures.join("\n"));
    }
}
