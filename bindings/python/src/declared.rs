//! Dtypes that a table of versions declares: for functions that users decorate.

use crate::dtype::PyDtype;
use crate::error::{Fallible, type_error};
use ivy::Dtype;
use ivy::support::tables::{Version, VersionKey, dtype_names, dtype_set, resolve};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// The dtypes that a table names for a version of a framework: pairs of version keys (`2.0.1 and below`, `1.0 to 1.9`) and
/// words, which are dtypes or the classes that declared tables have. Of a table without keys none.
#[pyfunction]
pub(crate) fn declared_dtypes(table: Vec<(String, Vec<String>)>, version: &str) -> Fallible<Vec<PyDtype>> {
    let version: Version =
        version.parse().map_err(|error| PyValueError::new_err(format!("version {version:?}: {error}")))?;
    let keys = table.iter().map(|(key, _)| key.parse::<VersionKey>());
    let keys: Vec<VersionKey> =
        keys.collect::<Result<_, _>>().map_err(|error| PyValueError::new_err(error.to_string()))?;
    let Some(chosen) = resolve(&keys, &version) else { return Ok(Vec::new()) };
    let mut set = 0;
    for word in &table[chosen.index].1 {
        match dtype_set(word) {
            Some(dtypes) => set |= dtypes,
            None => return type_error(format!("{word:?} is no dtype, nor a class of them")),
        }
    }
    dtype_names(set).into_iter().map(|name| Ok(PyDtype(name.parse::<Dtype>()?))).collect()
}
