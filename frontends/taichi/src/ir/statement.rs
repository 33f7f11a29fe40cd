//! The one list of statements: printed names, operands, blocks and values. Printer, verifier, passes and the
//! lowering follow it.

use crate::span::Span;
use ivy_taichi_types::{AtomicOp, BinaryOp, PrimitiveType, UnaryOp};

/// How many operands a statement has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Count {
    /// So many.
    Exactly(usize),
    /// At least so many.
    AtLeast(usize),
}

impl Count {
    /// True if a number of operands is right.
    pub const fn allows(self, count: usize) -> bool {
        match self {
            Count::Exactly(n) => count == n,
            Count::AtLeast(n) => count >= n,
        }
    }
}

/// What a statement gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Gives {
    /// Nothing.
    Nothing,
    /// A value.
    Value,
    /// A place that holds a value of its type, and that loads, stores and atomics name.
    Pointer,
}

macro_rules! statements {
    ($($(#[$doc:meta])* $variant:ident $name:literal $count:expr, $blocks:literal, $gives:ident;)*) => {
        /// What a statement does.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Code { $($(#[$doc])* $variant,)* }

        impl Code {
            /// Every code.
            pub const ALL: &'static [Code] = &[$(Code::$variant,)*];

            /// The name in printed IR; operations print their own.
            pub const fn name(self) -> &'static str {
                match self { $(Code::$variant => $name,)* }
            }

            /// How many operands it has.
            pub const fn count(self) -> Count {
                match self { $(Code::$variant => $count,)* }
            }

            /// How many blocks it holds.
            pub const fn blocks(self) -> usize {
                match self { $(Code::$variant => $blocks,)* }
            }

            /// What it gives.
            pub const fn gives(self) -> Gives {
                match self { $(Code::$variant => Gives::$gives,)* }
            }
        }
    };
}

use Count::{AtLeast, Exactly};

statements! {
    /// A constant; [`Data::Bits`].
    Constant "const" Exactly(0), 0, Value;
    /// A scalar argument of the kernel; [`Data::Number`].
    Argument "argload" Exactly(0), 0, Value;
    /// A local variable, which is written before it is read.
    Alloca "alloca" Exactly(0), 0, Pointer;
    /// A variable that the tasks of a launch share, zero at first; [`Data::Number`].
    Temporary "global_tmp" Exactly(0), 0, Pointer;
    /// The value of a variable.
    LocalLoad "local_load" Exactly(1), 0, Value;
    /// Sets a variable: pointer, value.
    LocalStore "local_store" Exactly(2), 0, Nothing;
    /// An element of a field by its indices, each an i32; [`Data::Component`].
    GlobalPtr "global_ptr" AtLeast(0), 0, Pointer;
    /// The number of an element of a field in memory, an i64, of its indices; [`Data::Component`].
    Linearize "linearize" AtLeast(0), 0, Value;
    /// An element of a field by its number in memory; [`Data::Component`].
    ElementPtr "get_ch" Exactly(1), 0, Pointer;
    /// An element's value.
    GlobalLoad "global_load" Exactly(1), 0, Value;
    /// Writes an element: pointer, value.
    GlobalStore "global_store" Exactly(2), 0, Nothing;
    /// Changes what a pointer names by a value, and gives what was there before; [`Data::Atomic`].
    Atomic "atomic" Exactly(2), 0, Value;
    /// Writes the third operand to what a pointer names if that is equal to the second, as one; gives what was there before.
    CompareAndSwap "compare_and_swap" Exactly(3), 0, Value;
    /// An operation on one value; [`Data::Unary`].
    Unary "unary" Exactly(1), 0, Value;
    /// An operation on two values of one type; [`Data::Binary`].
    Binary "binary" Exactly(2), 0, Value;
    /// The second operand where the first is not zero, else the third.
    Select "select" Exactly(3), 0, Value;
    /// The value in another type.
    Cast "cast_value" Exactly(1), 0, Value;
    /// The same bits as another type of the same width.
    BitCast "cast_bits" Exactly(1), 0, Value;
    /// A random number: reals from 0 to below 1, integers of all values.
    Random "rand" Exactly(0), 0, Value;
    /// Prints a text in which each `{}` or `{:.3f}` is the next operand, and `{{` a brace; [`Data::Text`].
    Print "print" AtLeast(0), 0, Nothing;
    /// Says a text about the operands after the first where the first is zero; [`Data::Text`].
    Assert "assert" AtLeast(1), 0, Nothing;
    /// The same, of an index of a field: [`Data::Text`].
    CheckBounds "check_bounds" AtLeast(1), 0, Nothing;
    /// The end of the function or kernel around it.
    Return "return" Exactly(0), 0, Nothing;
    /// Gives the kernel's result.
    Result "kernel_result" Exactly(1), 0, Nothing;
    /// Two blocks, the first of which runs where the operand is not zero, else the second.
    If "if" Exactly(1), 2, Nothing;
    /// A block for each number from the first operand to below the second, i32 or i64; [`Data::Serial`] where it may be
    /// no task of its own.
    RangeFor "for" Exactly(2), 1, Nothing;
    /// A block for each element of a field; [`Data::Component`] of which the component has no meaning.
    StructFor "struct_for" Exactly(0), 1, Nothing;
    /// A block until what [`Code::WhileControl`] asks is zero, or a break.
    While "while" Exactly(0), 1, Nothing;
    /// The end of the loop whose block it stands in, if the operand is zero.
    WhileControl "while_control" Exactly(1), 0, Nothing;
    /// A block that a [`Code::Return`] in it ends: the body of a function.
    Inline "inline" Exactly(0), 1, Nothing;
    /// The end of the innermost loop.
    Break "break" Exactly(0), 0, Nothing;
    /// The end of this iteration of the innermost loop.
    Continue "continue" Exactly(0), 0, Nothing;
    /// An index of the loop or task that the operand is; [`Data::Number`] says of which axis.
    LoopIndex "loop" Exactly(1), 0, Value;
    /// Puts the cell of indices in use, and those above it: of a field that of its element; [`Data::Component`].
    Activate "activate" AtLeast(0), 0, Nothing;
    /// Whether the cell of a sparse node is in use, a truth value; [`Data::Component`].
    IsActive "is_active" AtLeast(0), 0, Value;
    /// Takes the cell of a sparse node out of use, or of a dynamic node all cells of a list; [`Data::Component`]. The index of a list's own
    /// axis is 0.
    Deactivate "deactivate" AtLeast(0), 0, Nothing;
    /// The cells in use of a list, an i32; [`Data::Component`].
    Length "length" AtLeast(0), 0, Value;
    /// Lengthens a list by one cell, and gives the number of this one, an i32; [`Data::Component`].
    Append "append" AtLeast(0), 0, Value;
    /// A task; [`Data::Task`].
    Offloaded "offloaded" Exactly(0), 1, Nothing;
}

/// What a task does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TaskKind {
    /// Its block once.
    Serial,
    /// Its block for each number of a range.
    RangeFor {
        /// The first.
        begin: i64,
        /// The one after the last.
        end: Limit,
    },
    /// Its block for each element of a field.
    StructFor {
        /// The field's number.
        field: usize,
    },
    /// Its block for each number from 0 on: it makes the list of the cells in use of a sparse node.
    ListGen {
        /// The number of the field that a loop is over.
        field: usize,
        /// Which of the nodes above it.
        level: usize,
        /// How many cells there are in those of the level above that are in use.
        end: Limit,
    },
}

/// The end of a task's range.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Limit {
    /// A number.
    Known(i64),
    /// What a task before has written to a [`Code::Temporary`] of this number, an i64.
    Temporary(usize),
}

/// What a statement holds beside its operands.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Data {
    /// Nothing.
    None,
    /// That a range's iterations are one after the other.
    Serial,
    /// The bits of a constant of the statement's type.
    Bits(u64),
    /// A number.
    Number(usize),
    /// A component of a field's elements.
    Component {
        /// The field's number.
        field: usize,
        /// The component's.
        component: usize,
    },
    /// An operation.
    Unary(UnaryOp),
    /// An operation.
    Binary(BinaryOp),
    /// An operation.
    Atomic(AtomicOp),
    /// A text in which each `{}` is the next operand.
    Text(String),
    /// What a task does.
    Task(TaskKind),
}

/// The number of a statement, and of its value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Id(pub u32);

impl Id {
    /// As an index.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// One statement.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Statement {
    /// What it does.
    pub code: Code,
    /// The type of its value, or of what it points to.
    pub ty: Option<PrimitiveType>,
    /// Operands.
    pub operands: Vec<Id>,
    /// The numbers of the blocks that it holds.
    pub blocks: Vec<usize>,
    /// What else it holds.
    pub data: Data,
    /// Where it stands in the source.
    pub span: Option<Span>,
}

impl Statement {
    /// True if it does nothing but make its value, always the same one for the same operands.
    pub const fn is_pure(&self) -> bool {
        use Code::*;
        matches!(
            self.code,
            Constant
                | Argument
                | Temporary
                | GlobalPtr
                | Linearize
                | ElementPtr
                | Unary
                | Binary
                | Select
                | Cast
                | BitCast
                | LoopIndex
        )
    }

    /// True if it may be left out where nobody uses it.
    pub const fn is_droppable(&self) -> bool {
        use Code::*;
        self.is_pure() || matches!(self.code, Alloca | LocalLoad | GlobalLoad | Random)
    }
}
