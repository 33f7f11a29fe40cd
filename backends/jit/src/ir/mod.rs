//! The kernel IR: hierarchical, typed, in single assignment form.
//!
//! A [`Kernel`] has parameters and a top block. Statements of the top block run once a launch,
//! on single values; its last statement, [`Code::Elements`], holds the block that runs for each
//! element. Within that, [`Code::Rare`] holds a block for what few elements need,
//! [`Code::Loop`] one that is repeated for as long as an element wants, and [`Code::If`] two, of
//! which an element takes one; their values come out by [`Code::Result`].
//!
//! A kernel with [`Effects`] has no results: it reads and writes memory at places that it computes
//! ([`Code::LoadAt`], [`Code::StoreAt`] and atomics), and each of its elements runs exactly once.
//! [`verify`] says what a well-formed kernel is.

mod build;
mod calls;
pub(crate) mod effects;
pub mod fold;
mod guarantees;
pub(crate) mod intervals;
mod parse;
mod print;
mod statement;
mod types;
mod varying;
mod verify;

pub use build::{Builder, Conditional, Loop, Rare};
pub use calls::{Calls, Cycle, INLINED, KernelFunction, in_order};
pub use effects::{BLOCK, Effects, OWN, RECORD, SHARED, VALUES};
pub use fold::Join;
pub use guarantees::Guarantees;
pub use intervals::{Interval, bits, intervals};
pub use parse::ParseError;
pub use statement::{Branches, Carried, Code, Id, Operands, Place, Rule, Set, Statement};
pub use types::{Class, Type};
pub use varying::varying;
pub use verify::{Broken, verify};

/// How a parameter's elements are found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Access {
    /// One element for a whole row.
    Uniform,
    /// Element `i` stands at place `i`.
    Linear,
    /// Element `i` stands at place `i`; and memory is asked for what comes later, as far ahead as the launch says.
    Ahead,
    /// Element `i` stands at place `i`; and element `i` of this parameter is element `i + by` of that one, which is read in
    /// order as well, or guarded: one reading of memory is enough for both.
    Beside {
        /// The number of the other parameter.
        leader: u8,
        /// How many elements after it, from 1 to [`NEXT`].
        by: u8,
    },
    /// Element `i` stands at `i` times a stride that the launch gives.
    Strided,
    /// Element `i` stands at `i` times this step, which is one of [`STEPS`].
    Step(i8),
    /// Element `i` stands at `i` times this step; and memory is asked for what comes later, as far ahead as the
    /// launch says.
    StepAhead(i8),
    /// Element `i` stands at `i` times a stride, where rows are adjacent: elements of neighbouring rows are neighbours.
    Transposed,
    /// Only [`Code::Gather`] reads it: element `i` stands where these steps lead to, and at a
    /// distance that is computed from there.
    Gather(Steps),
    /// Only [`Code::LoadWhere`] reads it: where that may read, element `i` stands where these steps
    /// lead to; elsewhere there may be no memory.
    Guarded(Steps),
    /// Only [`Code::LoadWhere`] reads it, at place `i`; and memory is asked for what comes later, as far ahead as the
    /// launch says.
    GuardedAhead,
    /// Only [`Code::LoadWhere`] reads it, at place `i`; and element `i` is element `i + by` of that other parameter.
    GuardedBeside {
        /// The number of the other parameter.
        leader: u8,
        /// How many elements after it, from 1 to [`NEXT`].
        by: u8,
    },
    /// No memory: element `i` is the number that an address would be, of elements of one byte that
    /// stand where these steps lead to. What a launch counts, such as the place along an axis.
    Counter(Steps),
    /// Element `i` of the result is written to place `i`.
    Out,
    /// Element `i` of the result is written to place `i` by non-temporal stores of whole lines.
    Stream,
    /// Each block of a row is folded into one element of the result.
    Along(Join),
    /// Each row, from where the code is called for on, is folded into one element of the result, which begins
    /// a row of it: what is left of the order after [`Access::Along`] is done as well. A device has no such
    /// kernels.
    Row(Join),
    /// Each column is folded into one element of the result.
    Across(Join),
    /// Two bytes, of which [`Code::Check`] sets one where something is wrong; the last parameter.
    Flag,
    /// Memory that a kernel with effects reads and writes where it wants; its launch says how many elements
    /// there are.
    Memory,
    /// Memory that a kernel with effects writes records to, of what elements have to tell, in any order ([`Builder::record`]).
    Log,
}

/// How far apart elements stand of what is not read as it is walked, but guarded, counted or at computed
/// distances.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Steps {
    /// All begin at one place.
    None,
    /// Side by side.
    One,
    /// A stride that the launch gives.
    Any,
}

impl Steps {
    /// Of a stride.
    pub const fn of(stride: isize) -> Steps {
        match stride {
            0 => Steps::None,
            1 => Steps::One,
            _ => Steps::Any,
        }
    }
}

/// The farthest elements that are beside others.
pub const NEXT: u8 = 4;

/// The most parts of an element.
pub const PARTS: u32 = 32;

/// Steps that have an access of their own.
pub const STEPS: &[isize] = &[-1, 2, 3, 4];

impl Access {
    /// True for results.
    pub const fn is_result(self) -> bool {
        matches!(self, Access::Out | Access::Stream | Access::Along(_) | Access::Row(_) | Access::Across(_))
    }

    /// How a row's elements are folded, if they are.
    pub const fn along(self) -> Option<Join> {
        match self {
            Access::Along(join) | Access::Row(join) => Some(join),
            _ => None,
        }
    }

    /// How far apart elements stand that are read only where that may be, if they are.
    pub const fn guarded(self) -> Option<Steps> {
        match self {
            Access::Guarded(steps) => Some(steps),
            Access::GuardedAhead | Access::GuardedBeside { .. } => Some(Steps::One),
            _ => None,
        }
    }

    /// What a parameter is beside, and how many elements after it.
    pub const fn beside(self) -> Option<(u8, u8)> {
        match self {
            Access::Beside { leader, by } | Access::GuardedBeside { leader, by } => Some((leader, by)),
            _ => None,
        }
    }

    /// True if memory is asked for what comes later.
    pub const fn asks(self) -> bool {
        matches!(self, Access::Ahead | Access::StepAhead(_) | Access::GuardedAhead)
    }

    /// True for what is the same all along a row.
    pub const fn is_uniform(self) -> bool {
        matches!(self, Access::Uniform | Access::Guarded(Steps::None) | Access::Counter(Steps::None))
    }

    /// True for what stands at one place all along a row.
    pub const fn is_fixed(self) -> bool {
        self.is_uniform() || matches!(self, Access::Gather(Steps::None))
    }

    /// True for what a kernel with effects reads and writes.
    pub const fn is_memory(self) -> bool {
        matches!(self, Access::Memory | Access::Log)
    }

    /// True for what is written, and not read.
    pub const fn is_written(self) -> bool {
        self.is_result() || matches!(self, Access::Flag)
    }
}

/// A parameter of a kernel: memory that it reads or writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Param {
    /// The type of an element, or of each of its parts.
    pub ty: Type,
    /// How many stand side by side: 2 of complex elements, as many as there are of rows of a few, else 1.
    pub parts: u32,
    /// How elements are found.
    pub access: Access,
}

impl Param {
    /// What [`Code::Check`] sets: the first part where an index is out of range, the second where a loop
    /// has not ended by then.
    pub const FLAG: Param = Param { ty: Type::U8, parts: 2, access: Access::Flag };

    /// The bytes from an element to the next; what is counted goes up by 1.
    pub const fn bytes(self) -> usize {
        match self.access {
            Access::Counter(_) => 1,
            _ => self.ty.bytes() * self.parts as usize,
        }
    }
}

/// A kernel.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Kernel {
    /// The parameters, in the order of the launch's arguments.
    pub params: Vec<Param>,
    /// Every statement; blocks say which are in use.
    pub statements: Vec<Statement>,
    /// The blocks, the top one first.
    pub blocks: Vec<Vec<Id>>,
    /// How its elements run if they may write to memory; `None` if all that they do is to give results.
    pub effects: Option<Effects>,
    /// What its launches guarantee.
    pub guarantees: Guarantees,
    /// What it calls.
    pub calls: Calls,
}

impl Kernel {
    /// A statement.
    pub fn statement(&self, id: Id) -> &Statement {
        &self.statements[id.0 as usize]
    }

    /// The statements that run once.
    pub fn top(&self) -> &[Id] {
        self.blocks.first().map_or(&[], Vec::as_slice)
    }

    /// The blocks that a statement holds.
    pub fn held(&self, id: Id) -> smallvec::SmallVec<[usize; 2]> {
        self.statement(id).blocks()
    }

    /// True if a parameter may be beside another one.
    fn follows(&self, p: &Param, leader: u8, by: u8) -> bool {
        let ordered = |l: &&Param| {
            let guarded = matches!(l.access, Access::Guarded(Steps::One) | Access::GuardedAhead);
            guarded || matches!(l.access, Access::Linear | Access::Ahead)
        };
        let leader = self.params.get(usize::from(leader)).filter(ordered);
        (1..=NEXT).contains(&by) && leader.is_some_and(|l| (l.ty, l.parts, p.parts) == (p.ty, 1, 1))
    }

    /// True if a statement of this code is in use.
    pub fn has(&self, code: Code) -> bool {
        self.blocks.iter().flatten().any(|&id| self.statement(id).code == code)
    }

    /// The statements that run for each element.
    pub fn body(&self) -> &[Id] {
        let elements = self.top().iter().map(|&id| self.statement(id)).find(|s| s.code == Code::Elements);
        elements.and_then(|s| self.blocks.get(s.imm as usize)).map_or(&[], Vec::as_slice)
    }

    /// How many statements are in use.
    pub fn len(&self) -> usize {
        self.blocks.iter().map(Vec::len).sum()
    }

    /// True if nothing is in use.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}
