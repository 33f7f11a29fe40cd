//! What is wrong with a kernel, or with a launch of one.

use crate::ir::Cycle;
use crate::program::Fault;
use ivy_core::{Dtype, Scalar};

/// Where a statement stands in the user's source: `src/main.rs:12:9`.
pub type SourceLocation = &'static std::panic::Location<'static>;

/// Why a kernel is not made, or a launch has failed.
#[derive(Clone, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum KernelError {
    /// Operands of two dtypes.
    #[error("{location}: {operation} of {left} and {right}; convert one with `cast`")]
    Operands {
        /// The operation.
        operation: &'static str,
        /// The first operand's dtype.
        left: Dtype,
        /// The other's.
        right: Dtype,
        /// Where it stands.
        location: SourceLocation,
    },
    /// A dtype that an operation does not take.
    #[error("{location}: {operation} does not take {dtype}")]
    Domain {
        /// The operation.
        operation: &'static str,
        /// The operand's dtype.
        dtype: Dtype,
        /// Where it stands.
        location: SourceLocation,
    },
    /// A number that is none of the dtype that it must have.
    #[error("{location}: the number {value} is no {dtype}")]
    Number {
        /// The number.
        value: Scalar,
        /// The dtype.
        dtype: Dtype,
        /// Where it stands.
        location: SourceLocation,
    },
    /// A statement of something that is not its kernel's, or not there where it stands.
    #[error("{location}: {what}")]
    Scope {
        /// What is wrong.
        what: &'static str,
        /// Where it stands.
        location: SourceLocation,
    },
    /// A write to a parameter that is read only.
    #[error("{location}: `{parameter}` is an input; declare it with `inout` to write to it")]
    ReadOnly {
        /// The parameter's name.
        parameter: String,
        /// Where it stands.
        location: SourceLocation,
    },
    /// What a parameter, a local array or a block may not be.
    #[error("{location}: {argument} = {value}: {rule}")]
    Declaration {
        /// What is declared.
        argument: &'static str,
        /// As what.
        value: String,
        /// The rule.
        rule: &'static str,
        /// Where it stands.
        location: SourceLocation,
    },
    /// Functions that call each other without an end.
    #[error("{kernel}: {cycle}; functions are not recursive")]
    Recursion {
        /// The kernel's name.
        kernel: String,
        /// Their names.
        cycle: Cycle,
    },
    /// A kernel that breaks a rule of the engine ([`crate::ir::verify`]).
    #[error("{kernel}: {what} (rule {rule} of `ir::verify`)")]
    Malformed {
        /// The kernel's name.
        kernel: String,
        /// The number of the rule.
        rule: u32,
        /// What is wrong.
        what: &'static str,
    },
    /// More or fewer arguments than parameters.
    #[error("{kernel}: takes {} ({}), and was given {given}", parameters.len(), parameters.join(", "))]
    Count {
        /// The kernel's name.
        kernel: String,
        /// The parameters' names.
        parameters: Vec<String>,
        /// How many arguments there are.
        given: usize,
    },
    /// An argument that is not what its parameter asks for.
    #[error("{kernel}: `{parameter}` is {expected}, and was given {given}")]
    Argument {
        /// The kernel's name.
        kernel: String,
        /// The parameter's name.
        parameter: String,
        /// What it asks for.
        expected: String,
        /// What it was given.
        given: String,
    },
    /// A range of elements that ends before it begins.
    #[error("{kernel}: range = {begin}..{end}: {rule}")]
    Range {
        /// The kernel's name.
        kernel: String,
        /// The first element.
        begin: i64,
        /// The one after the last.
        end: i64,
        /// The rule.
        rule: &'static str,
    },
    /// An assertion that did not hold, or an index out of range: the first one, in the order of elements.
    #[error("{kernel}: {}", fault.in_element())]
    Fault {
        /// The kernel's name.
        kernel: String,
        /// What and where.
        fault: Fault,
    },
    /// What the engine or an array's backend has refused.
    #[error(transparent)]
    Core(#[from] ivy_core::Error),
}

/// The result of what may fail so.
pub type Result<T> = std::result::Result<T, KernelError>;
