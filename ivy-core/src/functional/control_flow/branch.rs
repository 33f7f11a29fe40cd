//! Element-wise conditionals, and what runs under a condition.

use crate::array::{Array, common_backend, lift_all};
use crate::functional::control_flow::vars::{Vars, arrays_of, bool_array, check_same, values_of, vars_of};
use crate::functional::{logical_and, logical_not, where_};
use crate::{Result, active_mask, shape, transform};

/// Element-wise conditional: what `body_fn` gives where the condition is true, and what `orelse_fn` gives elsewhere:
/// for each element by itself, where the condition has several. Both are called, on all elements, and give as many
/// arrays of the same dtypes and shapes. Loops in them run for the elements that take the branch, and an index out of
/// range is an error of those only: of an index at the place of another element, which reads something else instead.
/// Indices that do not broadcast with the condition count as a whole.
///
/// ```
/// use ivy::prelude::*;
/// let x = Array::try_from([4.0f32, -4.0])?;
/// let y = ivy::if_else(|x| ivy::less(x, 0.0), |x| ivy::negative(x), |x| ivy::sqrt(x), x)?;
/// assert_eq!(y.to_vec::<f32>()?, [2.0, 4.0]);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// Those of the three functions; [`DtypeMismatch`](crate::ErrorKind::DtypeMismatch) for a condition
/// that is not bool; [`VariableChanged`](crate::ErrorKind::VariableChanged) for a result whose dtype or
/// shape differs in the two branches; [`BroadcastShapes`](crate::ErrorKind::BroadcastShapes) for one
/// that does not broadcast with the condition.
pub fn if_else<V: Vars, R: Vars>(
    cond: impl FnOnce(&V) -> Result<Array>,
    body_fn: impl FnOnce(&V) -> Result<R>,
    orelse_fn: impl FnOnce(&V) -> Result<R>,
    vars: V,
) -> Result<R> {
    const NAME: &str = "if_else";
    let condition = bool_array(NAME, "cond", cond(&vars)?)?;
    let opposite = logical_not(&condition)?;
    let then = under(NAME, &condition, || with_operands(&condition, &vars, body_fn))?.into_arrays();
    let otherwise = under(NAME, &opposite, || with_operands(&opposite, &vars, orelse_fn))?.into_arrays();
    vars_of(NAME, either(NAME, &condition, vars.as_arrays(), then, otherwise)?)
}

/// Calls a branch with the variables of the elements that take it; the others are constants in it.
pub(in crate::functional) fn with_operands<V: Vars, R>(
    condition: &Array,
    vars: &V,
    branch: impl FnOnce(&V) -> Result<R>,
) -> Result<R> {
    match selected(condition, vars.as_arrays(), |_| false)?.and_then(V::from_arrays) {
        Some(vars) => branch(&vars),
        None => branch(vars),
    }
}

/// The variables, constant where a condition does not hold, but for those that elements share; `None` where nothing is
/// differentiated.
pub(in crate::functional) fn selected(
    condition: &Array,
    vars: &[Array],
    is_shared: impl Fn(usize) -> bool,
) -> Result<Option<Vec<Array>>> {
    let one = |(i, x): (usize, &Array)| match is_shared(i) {
        true => Ok(None),
        false => transform::constant_elsewhere(condition, x),
    };
    let found: Vec<Option<Array>> = vars.iter().enumerate().map(one).collect::<Result<_>>()?;
    if found.iter().all(Option::is_none) {
        return Ok(None);
    }
    Ok(Some(found.into_iter().zip(vars).map(|(found, x)| found.unwrap_or_else(|| x.clone())).collect()))
}

/// Of what two branches give, which were made of the variables, for each element one.
pub(in crate::functional) fn either(
    function: &'static str,
    condition: &Array,
    vars: &[Array],
    then: Vec<Array>,
    otherwise: Vec<Array>,
) -> Result<Vec<Array>> {
    let backend = &common_backend(std::iter::once(condition).chain(&then).chain(&otherwise))?;
    let condition = &*condition.lift_to(function, backend)?;
    let [then, otherwise] = [lift_all(function, backend, then)?, lift_all(function, backend, otherwise)?];
    check_same(function, &then, &otherwise)?;
    // Arrays of another backend take no part in it.
    let vars: Vec<Array> = vars.iter().filter(|x| x.backend() == backend).cloned().collect();
    for x in then.iter().chain(&otherwise) {
        shape::broadcast(function, &[condition.shape(), x.shape()])?;
    }
    let recorded = backend.record_branch(
        condition.value(),
        &values_of(&vars),
        &values_of(&then),
        &values_of(&otherwise),
    )?;
    match recorded {
        Some(values) => Ok(arrays_of(backend, values)),
        None => {
            let pairs = then.iter().zip(&otherwise);
            pairs.map(|(a, b)| where_(condition, a, b)).collect()
        }
    }
}

/// Calls a function for the elements for which a condition holds: loops in it have no end for others.
pub(in crate::functional) fn under<T>(
    function: &'static str,
    condition: &Array,
    f: impl FnOnce() -> Result<T>,
) -> Result<T> {
    let mut mask = condition.clone();
    if let Some(outer) = active_mask::mask()
        && transform::root(outer.backend()) == transform::root(mask.backend())
        && shape::broadcast(function, &[outer.shape(), mask.shape()]).is_ok()
    {
        mask = logical_and(&outer, &mask)?;
    }
    active_mask::under(mask, f)
}
