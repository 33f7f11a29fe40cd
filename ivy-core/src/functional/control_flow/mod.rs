//! Control flow on arrays: loops, branches and scans.

pub(super) mod branch;
mod loops;
mod replayed;
mod scan;
mod switch;
pub(super) mod vars;

pub use branch::*;
pub use loops::*;
pub use scan::*;
pub use switch::*;
pub use vars::*;
