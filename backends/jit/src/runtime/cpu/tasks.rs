//! Which launches are worth several threads.

use crate::codegen::Code;

/// Statements for one element each, below which other threads cost more than they bring.
pub(crate) const WORTH: usize = 1 << 21;

/// True if so many elements are worth several threads, and there are some.
pub(super) fn are_worth(code: &dyn Code, elements: usize) -> bool {
    elements.saturating_mul(code.cost()) >= WORTH && rayon::current_num_threads() > 1
}
