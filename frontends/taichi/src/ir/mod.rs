//! The frontend's IR: hierarchical, typed, in single assignment form.
//!
//! An [`Ir`] has a top block. Loops, conditionals and tasks hold blocks; there is no other control flow. A value is
//! known in its block from its statement on, and in the blocks within. Variables are [`Code::Alloca`]s, which are
//! read and written by loads and stores. [`verify`] says what a well-formed kernel is; it prints by `Display`, with
//! statements numbered in their order: `<i32> $3 = cmp_lt $1 $2`.

mod build;
mod field;
mod print;
mod sparse;
mod statement;
mod verify;
mod walk;

pub use build::Builder;
pub use field::{Digit, FieldInfo, Packed};
pub use sparse::{Below, Level, Sparse};

pub use statement::{Code, Count, Data, Gives, Id, Limit, Statement, TaskKind};
pub use verify::{Broken, Rule, verify};

use ivy_taichi_types::PrimitiveType;

/// A kernel.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Ir {
    /// The name.
    pub name: String,
    /// Every statement; blocks say which are in use.
    pub statements: Vec<Statement>,
    /// The blocks, the top one first.
    pub blocks: Vec<Vec<Id>>,
    /// The types of the scalar arguments.
    pub arguments: Vec<PrimitiveType>,
    /// The fields, by their numbers.
    pub fields: Vec<FieldInfo>,
    /// The type of the result; tasks leave it in the first temporary.
    pub result: Option<PrimitiveType>,
    /// How many iterations loops may have that nothing counts yet; `None` for any.
    pub loop_limit: Option<u64>,
    /// The types of what tasks share, by their numbers.
    pub temporaries: Vec<PrimitiveType>,
}

/// The number of the top block.
pub const TOP: usize = 0;

impl Ir {
    /// A statement.
    pub fn statement(&self, id: Id) -> &Statement {
        &self.statements[id.index()]
    }

    /// A statement, to be changed.
    pub fn statement_mut(&mut self, id: Id) -> &mut Statement {
        &mut self.statements[id.index()]
    }

    /// The tasks, of a kernel that consists of such.
    pub fn tasks(&self) -> impl Iterator<Item = (Id, TaskKind)> {
        self.blocks[TOP].iter().filter_map(|&id| match self.statement(id).data {
            Data::Task(kind) => Some((id, kind)),
            _ => None,
        })
    }
}
