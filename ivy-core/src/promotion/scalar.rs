//! Promotion of an array's dtype with a host scalar beside it (decisions S13 and S14).

use super::category::becomes;
use super::{Rules, no_promotion};
use crate::{Defaults, Dtype, ErrorKind, Result, ScalarKind};
use ivy_dtype_tables::{Scalars, cell};

/// The dtype of a computation on an array of `dtype` and a scalar of `kind`: a cell of the set's `scalars.tsv`.
///
/// Under Ivy's rules a bool array takes the scalar's default dtype; a scalar of the array's kind or a lower one
/// takes the array's dtype. A float scalar with integers gives the promotion with float64
/// (precise) or the default float (non-precise). A complex scalar with floats gives the complex
/// of their width; with integers the promotion with complex128 (precise) or the default complex.
///
/// # Errors
/// [`ErrorKind::NoPromotion`] where the rules define no such mix of kinds.
pub fn promote_scalar(
    function: &'static str,
    rules: Rules,
    defaults: &Defaults,
    dtype: Dtype,
    kind: ScalarKind,
) -> Result<Dtype> {
    let own = defaults.of_scalar(kind);
    let found = match rules.set().scalars_are {
        Scalars::Strong => rules.lookup(dtype, own),
        Scalars::Weak | Scalars::ByValue => match rules.set().scalars[dtype.index()][kind as usize] {
            cell::OWN => Some(own),
            entry => of_entry(defaults, entry),
        },
    };
    found.map(|d| rules.canonical(d)).ok_or_else(|| no_promotion(function, rules, dtype, own))
}

/// The dtype of a cell about scalars.
pub(super) fn of_entry(defaults: &Defaults, entry: u8) -> Option<Dtype> {
    becomes(defaults.rules, defaults, entry, Dtype::BOOL)
}

/// Checks that a scalar can take an integer dtype (decision S15).
///
/// # Errors
/// [`ErrorKind::ScalarOutOfRange`] with the value and the range.
pub(crate) fn check_scalar(function: &'static str, value: crate::Scalar, dtype: Dtype) -> Result<()> {
    match dtype.int_range() {
        Some((min, max)) if !value.fits(dtype) => {
            Err(ErrorKind::ScalarOutOfRange { function, value, dtype, min, max }.into())
        }
        _ => Ok(()),
    }
}
