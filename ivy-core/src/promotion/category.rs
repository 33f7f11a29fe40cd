//! The category of a function, and what a set of rules says of it.

use super::Rules;
use super::rules::dtype_of;
use crate::function::ComputeRule;
use crate::{Defaults, Dtype, Function, Kind};
use ivy_dtype_tables::{Category, CategoryRule, cell};

impl Function {
    /// The category that sets of rules may have a rule about: the row of `rules/categories.tsv`, else by how the
    /// function computes. `None` for functions whose dtype is none of a computation's.
    pub fn rule_category(&self) -> Option<Category> {
        self.domain.category.or(match self.compute {
            ComputeRule::Promote => Some(Category::Arithmetic),
            ComputeRule::PromoteFloat => Some(Category::Float),
            ComputeRule::Accumulate => Some(Category::Sum),
            ComputeRule::Count => Some(Category::Count),
            ComputeRule::Truth => Some(Category::Truth),
            ComputeRule::LikeOperand
            | ComputeRule::Default
            | ComputeRule::Infer
            | ComputeRule::InferFloat => None,
        })
    }
}

impl Rules {
    #[inline]
    pub(crate) fn category(self, category: Category) -> &'static CategoryRule {
        &self.set().categories[category as usize]
    }

    /// The file of the categories' rules.
    pub fn category_table(self) -> &'static str {
        self.set().files.categories
    }
}

/// What becomes of a dtype by a cell; `None` where it is refused.
pub(crate) fn becomes(rules: Rules, defaults: &Defaults, entry: u8, dtype: Dtype) -> Option<Dtype> {
    let to = match entry {
        cell::REFUSED => return None,
        cell::SAME | cell::OWN => dtype,
        cell::DEFAULT_INT => defaults.int(),
        cell::DEFAULT_UINT => defaults.uint(),
        cell::DEFAULT_FLOAT => defaults.float(),
        cell::DEFAULT_COMPLEX => defaults.complex(),
        cell::ACCUMULATE => accumulate(dtype, defaults.int()),
        entry => dtype_of(entry)?,
    };
    Some(rules.canonical(to))
}

/// The dtype that a sum of `dtype` accumulates in and gives (decision S16): integers below the
/// default's width widen to it and keep their sign, also where the default is unsigned.
fn accumulate(dtype: Dtype, int: Dtype) -> Dtype {
    match dtype.kind() {
        Kind::Bool => int,
        kind @ (Kind::Int | Kind::Uint) if dtype.bits() < int.bits() => {
            Dtype::all().find(|d| d.kind() == kind && d.bits() == int.bits()).unwrap_or(dtype)
        }
        _ => dtype,
    }
}
