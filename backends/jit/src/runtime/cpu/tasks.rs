//! Which launches are worth several threads.

use crate::codegen::Code;
use ivy_kernels::parallel::pays;

/// Statements for one element each, below which other threads cost more than they bring if they have to be woken.
pub(crate) const WORTH: usize = 1 << 21;

/// True if so many elements are worth several threads now, and there are some.
pub(super) fn are_worth(code: &dyn Code, elements: usize) -> bool {
    is_worth(elements.saturating_mul(code.cost()))
}

/// The same of so many statements for one element each.
pub(super) fn is_worth(statements: usize) -> bool {
    pays(statements, WORTH) && rayon::current_num_threads() > 1
}

/// True if so many elements are worth several threads at any time.
pub(super) fn are_always_worth(code: &dyn Code, elements: usize) -> bool {
    elements.saturating_mul(code.cost()) >= WORTH && rayon::current_num_threads() > 1
}
