//! The language of frontends' tables.
//!
//! A table is text: a row a function, in five cells that tabs divide ([`Row`]). The signature is the framework's, as
//! Python writes it ([`Signature`]); the body is an expression in a small subset of Python ([`Expr`]) that says which
//! functions of the core the call comes to. [`Table::parse`] reads the files of a frontend and checks what can be
//! checked without running anything; each mistake is told with file, line and column. Nothing here depends on the core:
//! build scripts use it as the library does.

mod check;
mod core_functions;
mod expr;
mod fold;
mod lexer;
mod parser;
mod signature;
mod table;

pub use check::distance;
pub use core_functions::{CoreFunction, core_function, core_functions};
pub use expr::{ArithmeticOp, Builtin, Call, Callee, CompareOp, Expr, Named};
pub use fold::{ArgumentKind, Facts, fold};
pub use parser::parse_expr;
pub use signature::{BindError, Bound, Default, Given, Parameter, Signature};
pub use table::{Kind, Mistake, Results, Row, Table, UFUNC_KEYWORDS};

/// What is wrong in a text, and where: the number of bytes before it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// Where.
    pub at: usize,
    /// What is wrong.
    pub rule: String,
}

impl Fault {
    pub(crate) fn new(at: usize, rule: impl Into<String>) -> Fault {
        Fault { at, rule: rule.into() }
    }
}
