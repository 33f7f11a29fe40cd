//! What each function supports on a backend, by version and device (spec I-41 to I-48).
//!
//! Of an installed backend its own answers count ([`crate::backend::Backend::support`]), which a
//! measured table records and a test compares, and what its crate declares in code
//! ([`register_support`]). Of other versions the tables are asked: measured ones, else Ivy's
//! declared lists. [`function_support`] asks for one function.

mod ask;
mod code;
mod frontend;
mod listed;

/// The tables themselves: their grammar, resolution and linter.
pub use ivy_dtype_tables::support as tables;
/// Declares what functions of a backend support, in code.
pub use ivy_dtype_tables::{support_block, support_blocks};

pub use ask::{
    Call, DtypeSupport, FunctionSupport, PartSupport, example_call, function_support,
    function_supported_dtypes, function_supported_dtypes_by_part, function_unsupported_dtypes,
};
pub use code::{SupportEntry, code_tables, register_support};
pub use frontend::{FrontendSupport, frontend_support};
pub(crate) use listed::{is_described, listed};
