//! What the tests of this crate look into. They are a program of their own, so that the core is compiled once; nothing
//! here is part of the interface, or stays as it is.

pub use crate::array::index_plan::{IndexKind, IndexPlan, inverse_permutation, plan_index, resolve_slice};
pub use crate::functional::einops::parse as einops;
pub use crate::functional::einsum::parse as einsum;
pub use crate::functional::linalg::multi_dot::best_splits;
pub use crate::functional::pattern_text::Text;
pub use crate::host::buffer::{HEADER, LARGE, SMALL, SMALL_ALIGN};
pub use crate::host::huge::SMALLEST as HUGE_SMALLEST;
pub use crate::io::npz::{read as read_npz, write as write_npz};
pub use crate::print::digits::shortest;

/// The first frame of a backtrace that is neither of these crates nor of the standard library: `file:line`.
pub fn find_caller(trace: &str) -> Option<String> {
    crate::origin::find_caller(trace)
}

/// True for a function of these crates or of the standard library.
pub fn is_inner(name: &str) -> bool {
    crate::origin::is_inner(name)
}
