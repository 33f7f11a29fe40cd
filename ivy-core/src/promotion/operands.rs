//! The dtype that the operands of a call have in common: arrays, arrays without axes, weakly typed ones, host scalars.

use super::category::becomes;
use super::nary::{Joined, join, join_all};
use super::{Rules, no_promotion, promote_all};
use crate::plan::{OperandSpec, Rule};
use crate::{Defaults, Dtype, Kind, Result, ScalarKind};
use ivy_dtype_tables::{Category, CategoryRule, Pairs, RuleSet, Scalars, cell};
use smallvec::SmallVec;

/// What operands have in common.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Common {
    pub(crate) rule: Rule,
    pub(crate) dtype: Dtype,
    /// Whether it is weakly typed.
    pub(crate) weak: bool,
}

/// The result of a category of functions on operands, as a set of rules has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Resolved {
    /// What the operands have in common.
    pub common: Dtype,
    /// The dtype computed in.
    pub compute: Dtype,
    /// The dtype of the result, where the rules say that it is not the function's own.
    pub gives: Option<Dtype>,
    /// Whether the result is weakly typed.
    pub weak: bool,
}

/// What a category of functions computes in, and gives, on operands: the question that a plan asks, for itself.
///
/// ```
/// use ivy_core::{Defaults, Dtype, Rules, plan::OperandSpec, promotion::{Category, resolve}};
/// let int32 = OperandSpec::Array(Dtype::INT32);
/// let defaults = Defaults::of(Rules::Torch);
/// let sum = resolve("sum", Rules::Torch, &defaults, Category::Sum, &[int32])?;
/// assert_eq!(sum.map(|r| r.compute), Some(Dtype::INT64));
/// assert_eq!(resolve("mean", Rules::Torch, &defaults, Category::Mean, &[int32])?, None);
/// # Ok::<(), ivy_core::Error>(())
/// ```
///
/// `None` where the category refuses the dtype that the operands have in common.
///
/// # Errors
/// [`crate::ErrorKind::NoPromotion`] where they have none.
pub fn resolve(
    function: &'static str,
    rules: Rules,
    defaults: &Defaults,
    category: Category,
    operands: &[OperandSpec],
) -> Result<Option<Resolved>> {
    let row = rules.category(category);
    let common = promote_specs(function, rules, defaults, Some(row), operands.iter().copied())?;
    let dtype = common.dtype;
    let computed = becomes(rules, defaults, row.computes[dtype.index()], dtype);
    let resolved = |compute: Dtype| {
        let given = row.gives[compute.index()];
        Resolved {
            common: dtype,
            compute,
            gives: (given != cell::OWN).then(|| becomes(rules, defaults, given, compute)).flatten(),
            weak: common.weak && !row.strong,
        }
    };
    Ok(computed.map(resolved))
}

/// The operands, sorted.
#[derive(Default)]
struct Sorted {
    arrays: SmallVec<[Dtype; 4]>,
    zeros: SmallVec<[Dtype; 4]>,
    weak: SmallVec<[(ScalarKind, Dtype); 4]>,
    valued: SmallVec<[Valued; 4]>,
    /// Whether a weak operand comes before the first array.
    weak_first: bool,
}

/// What a value needs: its own dtype, and the least ones that hold it, among signed dtypes and among all.
#[derive(Clone, Copy)]
struct Valued {
    own: Dtype,
    signed: Dtype,
    least: Dtype,
}

/// What operands have in common under rules, and under those of a category.
pub(crate) fn promote_specs(
    function: &'static str,
    rules: Rules,
    defaults: &Defaults,
    row: Option<&CategoryRule>,
    specs: impl Iterator<Item = OperandSpec>,
) -> Result<Common> {
    let set = rules.set();
    let own = row.and_then(|r| r.pairs);
    let sorted = sort(rules, defaults, row, specs);
    let table = own.unwrap_or(set.pairs);
    let one = Promotion { function, rules, defaults, set, table, own };
    let Sorted { mut arrays, zeros, weak, valued, weak_first } = sorted;
    let by_value = !arrays.is_empty()
        && valued.iter().map(|v| rank(v.own)).max() <= arrays.iter().chain(&zeros).map(|&d| rank(d)).max();
    if !by_value {
        arrays.extend(valued.iter().map(|v| v.own));
    }
    let Some(mut common) = one.arrays(arrays, zeros)? else {
        return one.scalars_alone(&weak);
    };
    if by_value {
        for value in &valued {
            let least = if common.dtype.kind() == Kind::Int { value.signed } else { value.least };
            let found = one.pair(common.dtype, least)?;
            common =
                Common { rule: Rule::Value { dtype: common.dtype, least }, dtype: found.dtype, weak: false };
        }
    }
    if let Some(kind) = weak.iter().map(|w| w.0).max() {
        common = one.with_scalars(common, kind, &weak, weak_first)?;
    }
    common.dtype = rules.canonical(common.dtype);
    Ok(common)
}

fn sort(
    rules: Rules,
    defaults: &Defaults,
    row: Option<&CategoryRule>,
    specs: impl Iterator<Item = OperandSpec>,
) -> Sorted {
    let set = rules.set();
    // Where arrays without axes have no rules of their own they are arrays like others.
    let distinct = row.is_none_or(|r| r.pairs.is_none()) && !std::ptr::eq(set.array_zero, set.pairs);
    let each = |dtype: Dtype| {
        let dtype = rules.canonical(dtype);
        match row.map(|r| r.each[dtype.index()]) {
            None | Some(cell::SAME) => dtype,
            Some(entry) => becomes(rules, defaults, entry, dtype).unwrap_or(dtype),
        }
    };
    let mut sorted = Sorted::default();
    for spec in specs {
        match spec {
            OperandSpec::Absent => {}
            OperandSpec::ZeroD(d) if distinct => sorted.zeros.push(each(d)),
            OperandSpec::Array(d) | OperandSpec::ZeroD(d) => sorted.arrays.push(each(d)),
            OperandSpec::Valued { own, signed, least, .. } => {
                sorted.valued.push(Valued { own, signed, least })
            }
            OperandSpec::Weak(_, fit) if set.scalars_are == Scalars::Strong => sorted.arrays.push(each(fit)),
            OperandSpec::Weak(..) | OperandSpec::WeakArray(_) => {
                sorted.weak_first |= sorted.arrays.is_empty() && sorted.zeros.is_empty();
                sorted.weak.push(match spec {
                    OperandSpec::Weak(kind, fit) => (kind, fit),
                    spec => spec.dtype().map_or((ScalarKind::Bool, Dtype::BOOL), |d| (scalar_kind(d), d)),
                });
            }
        }
    }
    sorted
}

/// What one promotion goes by.
struct Promotion<'a> {
    function: &'static str,
    rules: Rules,
    defaults: &'a Defaults,
    set: &'static RuleSet,
    table: &'static Pairs,
    own: Option<&'static Pairs>,
}

impl Promotion<'_> {
    fn pair(&self, a: Dtype, b: Dtype) -> Result<Joined> {
        join(self.table, a, b).ok_or_else(|| no_promotion(self.function, self.rules, a, b))
    }

    /// The arrays alone.
    fn arrays(&self, arrays: SmallVec<[Dtype; 4]>, zeros: SmallVec<[Dtype; 4]>) -> Result<Option<Common>> {
        let of = |table: &'static Pairs, dtypes: SmallVec<[Dtype; 4]>| -> Result<Option<Common>> {
            let refused = |a, b| no_promotion(self.function, self.rules, a, b);
            Ok(Some(match dtypes[..] {
                [] => return Ok(None),
                [dtype] => Common { rule: Rule::Same, dtype, weak: false },
                [row, column] => {
                    let Joined { dtype, weak } =
                        join(table, row, column).ok_or_else(|| refused(row, column))?;
                    let rule = if row == column { Rule::Same } else { Rule::Table { row, column } };
                    Common { rule, dtype, weak }
                }
                _ => {
                    let Joined { dtype, weak } = join_all(self.set, table, &dtypes)
                        .map_err(|(a, b)| refused(a, b))?
                        .expect("there are arrays");
                    let rule =
                        if dtypes.iter().all(|&d| d == dtype) { Rule::Same } else { Rule::Several(dtypes) };
                    Common { rule, dtype, weak }
                }
            }))
        };
        let array = of(self.table, arrays)?;
        let zero = of(self.set.zero, zeros)?;
        Ok(match (array, zero) {
            (Some(array), Some(zero)) => {
                let (row, column) = (array.dtype, zero.dtype);
                let Joined { dtype, weak } = join(self.set.array_zero, row, column)
                    .ok_or_else(|| no_promotion(self.function, self.rules, row, column))?;
                let rule = if dtype == row && dtype == column {
                    Rule::Same
                } else {
                    Rule::ArrayZero { row, column }
                };
                Some(Common { rule, dtype, weak })
            }
            (array, zero) => array.or(zero),
        })
    }

    /// Host scalars alone: each as an array of its own dtype (spec I-35); where arrays may be weak, the highest kind.
    fn scalars_alone(&self, weak: &[(ScalarKind, Dtype)]) -> Result<Common> {
        let kind = weak.iter().map(|w| w.0).max();
        let of = |kind: Option<ScalarKind>| -> SmallVec<[Dtype; 4]> {
            weak.iter().filter(|w| kind.is_none_or(|k| k == w.0)).map(|w| w.1).collect()
        };
        let own = of(kind.filter(|_| self.rules.weak_types()));
        let dtype = promote_all(self.function, self.rules, &own)?.unwrap_or_else(|| self.defaults.dtype());
        let weak = self.rules.weak_types() && kind > Some(ScalarKind::Bool);
        Ok(Common { rule: Rule::Inferred, dtype: self.rules.canonical(dtype), weak })
    }

    /// Beside host scalars and weakly typed arrays, of which the highest kind counts.
    fn with_scalars(
        &self,
        common: Common,
        kind: ScalarKind,
        weak: &[(ScalarKind, Dtype)],
        weak_first: bool,
    ) -> Result<Common> {
        let dtype = common.dtype;
        let rule = Rule::Scalar { dtype, kind };
        if common.weak {
            // Two weak kinds: the higher one.
            let higher = kind > scalar_kind(dtype);
            let dtype = if higher { self.defaults.of_scalar(kind) } else { dtype };
            return Ok(Common { rule, dtype, weak: true });
        }
        let entry = self.set.scalars[dtype.index()][kind as usize];
        let refused = || no_promotion(self.function, self.rules, dtype, self.defaults.of_scalar(kind));
        let found = match entry {
            cell::OWN => {
                let own: SmallVec<[Dtype; 4]> = weak.iter().filter(|w| w.0 == kind).map(|w| w.1).collect();
                let own = promote_all(self.function, self.rules, &own)?;
                own.unwrap_or_else(|| self.defaults.of_scalar(kind))
            }
            entry => super::scalar::of_entry(self.defaults, entry).ok_or_else(refused)?,
        };
        let is_weak = entry < cell::SAME && entry & cell::WEAK != 0;
        match self.own {
            None => Ok(Common { rule, dtype: found, weak: is_weak }),
            Some(_) => {
                let pair = if weak_first { self.pair(found, dtype)? } else { self.pair(dtype, found)? };
                Ok(Common { rule, dtype: pair.dtype, weak: is_weak })
            }
        }
    }
}

/// The kind of the host scalars that a dtype's values are.
pub(crate) fn scalar_kind(dtype: Dtype) -> ScalarKind {
    match dtype.kind() {
        Kind::Bool => ScalarKind::Bool,
        Kind::Int | Kind::Uint => ScalarKind::Int,
        Kind::Float => ScalarKind::Float,
        Kind::Complex => ScalarKind::Complex,
    }
}

/// Truth values, integers, and what is inexact: a value counts by itself unless its rank is above the arrays'.
fn rank(dtype: Dtype) -> u8 {
    match dtype.kind() {
        Kind::Bool => 0,
        Kind::Int | Kind::Uint => 1,
        Kind::Float | Kind::Complex => 2,
    }
}
