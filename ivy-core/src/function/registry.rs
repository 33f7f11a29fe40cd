//! All functions by name: those of this crate and those that other crates add.

use super::Function;
use crate::dtype_edit_distance;
use crate::{ErrorKind, Result};
use once_cell::sync::Lazy;
use std::sync::{PoisonError, RwLock};

/// A function on its way into the registry; `inventory::submit! { Entry(&MY_FUNCTION) }`.
pub struct Entry(pub &'static Function);

inventory::collect!(Entry);

static FUNCTIONS: Lazy<RwLock<Vec<&'static Function>>> = Lazy::new(|| {
    let mut all: Vec<_> = inventory::iter::<Entry>.into_iter().map(|e| e.0).collect();
    all.sort_by_key(|f| f.name);
    RwLock::new(all)
});

/// Every registered function, sorted by name.
pub fn functions() -> Vec<&'static Function> {
    FUNCTIONS.read().unwrap_or_else(PoisonError::into_inner).clone()
}

/// Adds a function; one of the same name is replaced in look-ups.
pub fn register_function(function: &'static Function) {
    let mut all = FUNCTIONS.write().unwrap_or_else(PoisonError::into_inner);
    all.retain(|f| f.name != function.name);
    all.push(function);
    all.sort_by_key(|f| f.name);
}

/// The function of a name.
///
/// # Errors
/// [`ErrorKind::UnknownFunction`], with the nearest name as a hint.
pub fn find_function(name: &str) -> Result<&'static Function> {
    let all = FUNCTIONS.read().unwrap_or_else(PoisonError::into_inner);
    if let Some(found) = all.iter().find(|f| f.name == name) {
        return Ok(found);
    }
    let hint = all
        .iter()
        .map(|f| (dtype_edit_distance(name, f.name), f.name))
        .min()
        .filter(|(distance, _)| *distance <= 2 && 2 * distance <= name.len())
        .map(|(_, name)| name);
    Err(ErrorKind::UnknownFunction { name: name.into(), hint }.into())
}
