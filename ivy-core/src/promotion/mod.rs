//! Promotion: which dtype two or more dtypes and scalars have in common. Pure questions about
//! dtypes; no backend is asked (decision S25).

mod category;
mod lattice;
mod lattice_svg;
mod laws;
mod nary;
mod operands;
mod order;
mod result;
mod rules;
mod scalar;

pub(crate) use category::becomes;
pub use ivy_dtype_tables::Category;
pub use lattice::{Lattice, Place};
pub use nary::promote_all;
use operands::scalar_kind;
pub(crate) use operands::{Common, promote_specs};
pub use operands::{Resolved, resolve};
pub use result::result_of;
pub use rules::Rules;
pub(crate) use scalar::check_scalar;
pub use scalar::promote_scalar;

use crate::{Dtype, Error, ErrorKind, Result};

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
