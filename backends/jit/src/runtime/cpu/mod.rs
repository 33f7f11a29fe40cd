//! The host's processor: results in pooled memory, long launches over all cores.

mod flag;
mod fold;
mod launch;
mod prepared;
pub(crate) mod row;
mod rows;
mod scan;
mod space;
mod task;
mod tasks;
pub(crate) mod values;
mod view;

pub use crate::codegen::From;
pub use fold::fold;
pub use launch::{Written, launch};
pub use prepared::Prepared;
pub use row::row;
pub use rows::{Piece, asks, is_long, rows};
pub use scan::{Scan, scan};
pub use space::Space;
pub use task::{Cells, task};
pub(crate) use tasks::WORTH;
pub use view::View;
