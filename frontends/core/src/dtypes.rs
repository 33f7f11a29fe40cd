//! Dtypes by a framework's names, and literals of rows.

use crate::{Entry, Fault, Frontend, Value, refuse};
use ivy_core::{Dtype, Result};
use ivy_frontend_rows::Expr;
use num_complex::Complex64;
use once_cell::sync::Lazy;
use std::collections::HashMap;

/// The dtypes by the names that a framework has for them, for each framework.
static NAMES: Lazy<HashMap<&'static str, HashMap<&'static str, Dtype>>> = Lazy::new(|| {
    let mut names = HashMap::<_, HashMap<_, _>>::new();
    for line in include_str!("dtype_names.tsv").lines().filter(|line| !line.starts_with('#')) {
        let mut cells = line.split('\t');
        let row = (cells.next(), cells.next(), cells.next().and_then(|dtype| dtype.parse().ok()));
        if let (Some(framework), Some(alias), Some(dtype)) = row {
            names.entry(framework).or_default().entry(alias).or_insert(dtype);
        }
    }
    names
});

/// The dtype of a name that a framework has for it: `float32`, `torch.float`, `np.intp`, `f4`.
pub fn dtype_named(frontend: &str, name: &str) -> Option<Dtype> {
    let plain = name.rsplit('.').next().unwrap_or(name);
    // A framework's own meaning of a name stands before ivy's short names.
    let own = NAMES.get(frontend).and_then(|names| names.get(plain)).copied();
    own.or_else(|| Dtype::all().find(|d| d.name() == plain))
}

/// The dtype that an argument's value is, names, or has.
pub(crate) fn dtype_of(entry: &Entry, argument: &str, value: &Value<'_>) -> Result<Dtype> {
    let wrong = || refuse(entry, Fault::Type, argument, Some(value), "a dtype is needed");
    match value {
        Value::Dtype(dtype) => Ok(*dtype),
        Value::Array(array) | Value::Weak(array) => Ok(array.dtype()),
        Value::Text(name) => dtype_named(entry.frontend.name(), name).ok_or_else(wrong),
        _ => Err(wrong()),
    }
}

/// Whether two host values are equal; a dtype also equals its names.
pub(crate) fn equal(frontend: &Frontend, a: &Value<'_>, b: &Value<'_>) -> bool {
    match (a, b) {
        (Value::Dtype(dtype), Value::Text(name)) | (Value::Text(name), Value::Dtype(dtype)) => {
            dtype_named(frontend.name(), name) == Some(*dtype)
        }
        _ => a.equals(b),
    }
}

/// The value of a literal.
pub(crate) fn literal(frontend: &Frontend, expr: &Expr) -> Value<'static> {
    match expr {
        Expr::Bool(b) => Value::Bool(*b),
        Expr::Int(i) => Value::from(*i),
        Expr::Float(x) => Value::Float(*x),
        Expr::Imaginary(y) => Value::Complex(Complex64::new(0.0, *y)),
        Expr::Text(text) => Value::from(text.clone()),
        Expr::List(list) => Value::List(list.iter().map(|e| literal(frontend, e)).collect()),
        Expr::Tuple(list) => Value::Tuple(list.iter().map(|e| literal(frontend, e)).collect()),
        Expr::Word(word) => match (word.rsplit('.').next(), dtype_named(frontend.name(), word)) {
            (Some("inf"), _) => Value::Float(f64::INFINITY),
            (Some("nan"), _) => Value::Float(f64::NAN),
            (Some("pi"), _) => Value::Float(std::f64::consts::PI),
            (_, Some(dtype)) => Value::Dtype(dtype),
            // A word of the framework, such as `torch.strided`: equal to itself.
            _ => Value::from(word.clone()),
        },
        Expr::Negate(e) => match literal(frontend, e) {
            Value::Float(x) => Value::Float(-x),
            other => other,
        },
        _ => Value::None,
    }
}
