//! The core's functions as a table of signatures, so that build scripts can check rows against them.
//!
//! `core.tsv` is made from the registry and the tables of signatures by a test of `ivy-frontend`, which also compares.

use crate::Signature;
use std::collections::HashMap;
use std::sync::OnceLock;

/// A function of the core, as bodies call it.
#[derive(Debug)]
pub struct CoreFunction {
    /// Its name.
    pub name: String,
    /// Its arguments: operands and parameters.
    pub signature: Signature,
}

/// The function of a name; the modules `linalg.` and `fft.` may stand before it.
pub fn core_function(name: &str) -> Option<&'static CoreFunction> {
    static BY_NAME: OnceLock<HashMap<&'static str, &'static CoreFunction>> = OnceLock::new();
    let by_name = BY_NAME.get_or_init(|| core_functions().iter().map(|f| (f.name.as_str(), f)).collect());
    let plain = name.strip_prefix("linalg.").or_else(|| name.strip_prefix("fft.")).unwrap_or(name);
    by_name.get(plain).copied()
}

/// All of them, by name.
pub fn core_functions() -> &'static [CoreFunction] {
    static ALL: OnceLock<Vec<CoreFunction>> = OnceLock::new();
    ALL.get_or_init(|| {
        let lines = include_str!("core.tsv").lines().filter(|line| !line.starts_with('#'));
        let function = |line: &'static str| {
            let (name, text) = line.split_once('\t')?;
            // A row that cannot be read is left out, and the test that makes the table tells of it.
            let signature = Signature::parse(text).ok()?;
            Some(CoreFunction { name: name.into(), signature })
        };
        lines.filter_map(function).collect()
    })
}
