//! Promotion: which dtype two or more dtypes and scalars have in common. Pure questions about
//! dtypes; no backend is asked (decision S25).

mod nary;
mod order;
mod scalar;

pub use nary::promote_all;
pub use scalar::promote_scalar;
pub(crate) use scalar::{check_scalar, promote_mixed, promote_scalars};

use crate::{Dtype, Error, ErrorKind, Result};
use ivy_dtype_tables as tables;
use std::{fmt, str::FromStr};

/// A set of promotion rules. The pair tables are in `dtype-tables/promotion/`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum Rules {
    /// Ivy's precise rules, the default: int32 and float32 give float64.
    #[default]
    Precise,
    /// Ivy's non-precise rules: a float keeps its width against integers.
    NonPrecise,
    /// The Array API standard: kinds do not mix (decision S20).
    ArrayApi,
}

impl Rules {
    /// Every set of rules.
    pub const ALL: [Rules; 3] = [Rules::Precise, Rules::NonPrecise, Rules::ArrayApi];

    /// The name, as the command line spells it.
    pub const fn name(self) -> &'static str {
        match self {
            Rules::Precise => "precise",
            Rules::NonPrecise => "non-precise",
            Rules::ArrayApi => "array-api",
        }
    }

    /// The file of the pair table.
    pub const fn table(self) -> &'static str {
        match self {
            Rules::Precise => "promotion/precise.tsv",
            Rules::NonPrecise => "promotion/non_precise.tsv",
            Rules::ArrayApi => "promotion/array_api.tsv",
        }
    }

    /// The entry of the pair table: one array index.
    #[inline]
    pub fn lookup(self, a: Dtype, b: Dtype) -> Option<Dtype> {
        let table = match self {
            Rules::Precise => &tables::PRECISE,
            Rules::NonPrecise => &tables::NON_PRECISE,
            Rules::ArrayApi => &tables::ARRAY_API,
        };
        match table[a.index()][b.index()] {
            tables::NONE => None,
            index => Some(Dtype::from_index(index)),
        }
    }
}

impl fmt::Display for Rules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Rules {
    type Err = Error;

    fn from_str(text: &str) -> Result<Rules> {
        Rules::ALL.into_iter().find(|r| r.name() == text).ok_or_else(|| {
            ErrorKind::InvalidArgument {
                function: "promote_types",
                argument: "rules",
                value: text.into(),
                rule: "one of precise, non-precise, array-api",
            }
            .into()
        })
    }
}

/// The dtype that two dtypes promote to under given rules.
///
/// ```
/// use ivy_core::{Dtype, Rules, promotion::promote};
/// assert_eq!(promote(Rules::Precise, Dtype::FLOAT32, Dtype::INT32)?, Dtype::FLOAT64);
/// assert_eq!(promote(Rules::NonPrecise, Dtype::FLOAT32, Dtype::INT32)?, Dtype::FLOAT32);
/// assert!(promote(Rules::ArrayApi, Dtype::FLOAT32, Dtype::INT32).is_err());
/// # Ok::<(), ivy_core::Error>(())
/// ```
///
/// # Errors
/// [`ErrorKind::NoPromotion`] where the table has no entry.
pub fn promote(rules: Rules, a: Dtype, b: Dtype) -> Result<Dtype> {
    rules.lookup(a, b).ok_or_else(|| no_promotion("promote_types", rules, a, b))
}

pub(crate) fn no_promotion(function: &'static str, rules: Rules, left: Dtype, right: Dtype) -> Error {
    let remedy = match rules {
        Rules::ArrayApi => "Cast one with `astype`, or use the precise or non-precise rules",
        _ => "Cast one with `astype`",
    };
    ErrorKind::NoPromotion { function, left, right, rules, remedy }.into()
}
