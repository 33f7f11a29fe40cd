//! Promotion of any number of dtypes.

use super::rules::dtype_of;
use super::{Rules, no_promotion};
use crate::{Dtype, Kind, Result};
use ivy_dtype_tables::{Pairs, RuleSet, Several, cell};
use smallvec::SmallVec;

/// A dtype, and whether it is weakly typed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Joined {
    pub(super) dtype: Dtype,
    pub(super) weak: bool,
}

/// The dtype that all the dtypes promote to.
///
/// Under most rules it is found within each kind first (bool, integers, floats, complex), then across the kinds in
/// this order: so the answer never depends on the order of the arguments, and for two it is the table's entry
/// (decision S12). A set may say otherwise, as the framework does: NumPy's from the highest kind down, PyTorch's and
/// JAX's from left to right.
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
    let joined = join_all(rules.set(), rules.set().pairs, dtypes);
    joined.map(|j| j.map(|j| j.dtype)).map_err(|(a, b)| no_promotion(function, rules, a, b))
}

/// The entry for two.
#[inline]
pub(super) fn join(table: &Pairs, a: Dtype, b: Dtype) -> Option<Joined> {
    let entry = table[a.index()][b.index()];
    Some(Joined { dtype: dtype_of(entry)?, weak: entry & cell::WEAK != 0 })
}

type Found = std::result::Result<Option<Joined>, (Dtype, Dtype)>;

/// All of them by a table, in the way of the set; the pair that is refused.
pub(super) fn join_all(set: &RuleSet, table: &Pairs, dtypes: &[Dtype]) -> Found {
    let each = dtypes.iter().copied();
    match set.several {
        Several::InOrder => fold(set, table, None, each),
        Several::HighestFirst => {
            let rank = |d: &Dtype| match d.kind() {
                Kind::Complex => 0,
                Kind::Float => 1,
                Kind::Int | Kind::Uint => 2,
                Kind::Bool => 3,
            };
            let mut sorted: SmallVec<[Dtype; 8]> = each.collect();
            sorted.sort_by_key(rank);
            fold(set, table, None, sorted)
        }
        Several::ByKind => {
            let of = |kind: Kind| each.clone().filter(move |d| d.kind() == kind);
            // The signed integers first, then the unsigned ones, then both: within each the table is a chain.
            let signed = fold(set, table, None, of(Kind::Int))?;
            let unsigned = fold(set, table, None, of(Kind::Uint))?;
            let integers = fold(set, table, signed, unsigned.map(|j| j.dtype))?;
            let mut total = fold(set, table, None, of(Kind::Bool))?;
            for group in [
                integers,
                fold(set, table, None, of(Kind::Float))?,
                fold(set, table, None, of(Kind::Complex))?,
            ] {
                total = fold(set, table, total, group.map(|j| j.dtype))?;
            }
            Ok(total)
        }
    }
}

/// From left to right. What is weak beside a dtype is as a host scalar of its kind is.
fn fold(
    set: &RuleSet,
    table: &Pairs,
    start: Option<Joined>,
    dtypes: impl IntoIterator<Item = Dtype>,
) -> Found {
    dtypes.into_iter().try_fold(start, |total, d| match total {
        None => Ok(Some(Joined { dtype: d, weak: false })),
        Some(Joined { dtype, weak: false }) => join(table, dtype, d).map(Some).ok_or((dtype, d)),
        Some(Joined { dtype, weak: true }) => {
            let entry = set.scalars[d.index()][super::scalar_kind(dtype) as usize];
            let found = (entry < cell::SAME).then(|| dtype_of(entry)).flatten().ok_or((dtype, d))?;
            Ok(Some(Joined { dtype: found, weak: entry & cell::WEAK != 0 }))
        }
    })
}
