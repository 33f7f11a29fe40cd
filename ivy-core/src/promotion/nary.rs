//! Promotion of any number of dtypes, in an order-free way.

use super::{Rules, no_promotion};
use crate::{Dtype, Kind, Result};

/// The dtype that all the dtypes promote to: first within each kind (bool, integers, floats,
/// complex), then across the kinds in this order. So the answer never depends on the order of
/// the arguments, and for two it is the table's entry (decision S12).
///
/// `None` for no dtypes.
///
/// # Errors
/// [`crate::ErrorKind::NoPromotion`] for the first pair that the rules refuse.
pub fn promote_all(function: &'static str, rules: Rules, dtypes: &[Dtype]) -> Result<Option<Dtype>> {
    if let [a, b] = *dtypes {
        let common = rules.lookup(a, b).ok_or_else(|| no_promotion(function, rules, a, b))?;
        return Ok(Some(common));
    }
    let mut total = None;
    for kinds in [&[Kind::Bool][..], &[Kind::Int], &[Kind::Float], &[Kind::Complex]] {
        let mut group = match kinds[0] {
            Kind::Int => promote_integers(function, rules, dtypes)?,
            kind => fold(function, rules, None, dtypes.iter().copied().filter(|d| d.kind() == kind))?,
        };
        if let Some(dtype) = group.take() {
            total = fold(function, rules, total, [dtype])?;
        }
    }
    Ok(total)
}

/// The signed ones first, then the unsigned ones, then both: within each the table is a chain.
fn promote_integers(function: &'static str, rules: Rules, dtypes: &[Dtype]) -> Result<Option<Dtype>> {
    let of = |kind| dtypes.iter().copied().filter(move |d: &Dtype| d.kind() == kind);
    let signed = fold(function, rules, None, of(Kind::Int))?;
    let unsigned = fold(function, rules, None, of(Kind::Uint))?;
    fold(function, rules, signed, unsigned)
}

fn fold(
    function: &'static str,
    rules: Rules,
    start: Option<Dtype>,
    dtypes: impl IntoIterator<Item = Dtype>,
) -> Result<Option<Dtype>> {
    dtypes.into_iter().try_fold(start, |total, d| match total {
        None => Ok(Some(d)),
        Some(t) => rules.lookup(t, d).map(Some).ok_or_else(|| no_promotion(function, rules, t, d)),
    })
}
