//! The one list of statements: names, operands and type rules. Printer, verifier, builder and
//! the code generators follow it.

use super::Type;

/// What a statement's operands and its value must be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rule {
    /// No operands; `imm` holds the bits of the value.
    Constant,
    /// No operands; `imm` is a [`Place`] that is read.
    Load,
    /// One truth value; `imm` is a [`Place`] that is read where it is true.
    LoadWhere,
    /// One operand, a distance in elements; `imm` is a [`Place`] that is read at that distance.
    Gather,
    /// One operand for each part of the parameter; `imm` is its number; no value.
    Store,
    /// One truth value; `imm` is a [`Place`] in the flag; no value.
    Check,
    /// No operands; `imm` is the number of a block that runs for each element; no value.
    Elements,
    /// One operand, of the value's type, which is in the set.
    Unary(Set),
    /// Two operands of the value's type, which is in the set.
    Binary(Set),
    /// Three operands of the value's type, which is in the set.
    Ternary(Set),
    /// Two operands of one type in the set; the value is a truth value.
    Compare(Set),
    /// A truth value and two operands of the value's type.
    Select,
    /// A truth value and two operands of the value's type, the second of which may be made in
    /// the block that `imm` is the number of.
    Rare,
    /// Any number of operands, what the loop carries at first; `imm` is the number of the block
    /// that is repeated; no value of its own: there are [`Rule::Result`]s.
    Loop,
    /// No operands; `imm` is a [`Carried`]: what the loop carries when its block begins.
    Carried,
    /// One truth value: where it is false the loop has ended; no value.
    While,
    /// One operand for each thing that the loop carries: what it carries next; no value.
    Next,
    /// One truth value; `imm` is a [`Branches`]; no value of its own: there are
    /// [`Rule::Result`]s.
    If,
    /// Any number of operands, what the branch gives; no value.
    Yield,
    /// One operand, which is not a value but a loop or a conditional; `imm` is the number of
    /// what it carries or gives, which is of the value's type.
    Result,
    /// One operand of any type, converted to the value's.
    Convert,
    /// One operand of another type of the same width, at least 8 bits.
    Bitcast,
    /// One operand of the first type; the value is of the second.
    Between(Type, Type),
    /// No operands; `imm` is the number of a parameter, whose memory it names; no value.
    Memory,
    /// No operands; `imm` is the number of elements of memory that it names; no value.
    Alloca,
    /// No operands; `imm` is the number of elements of the memory that a block of elements shares; no value.
    Shared,
    /// What names memory and an element's number in it; the value is of the memory's type.
    LoadAt,
    /// What names memory, an element's number in it, and an operand of the memory's type; no value.
    StoreAt,
    /// What names memory, an element's number in it, and an operand of a type in the set; the value is of the memory's type.
    Atomic(Set),
    /// What names memory, an element's number, and two operands of the memory's type, as the value is.
    Cas,
    /// What names memory and an element's number; the value is a truth value.
    InBounds,
    /// No operands and no value.
    Barrier,
    /// No operands; `imm` is the number of what a function is called with.
    Argument,
    /// Any number of operands, what a function gives; no value.
    Return,
    /// The operands that a function takes; `imm` is its number; no value of its own: there are
    /// [`Rule::Result`]s.
    Call,
    /// An i64, and the operands that functions take; `imm` is the number of a table; no value of its own: there
    /// are [`Rule::Result`]s.
    CallTable,
}

/// Sets of types that rules speak of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Set {
    /// Integers and floats.
    Number,
    /// Floats.
    Float,
    /// Integers.
    Int,
    /// Integers and truth values.
    Bits,
    /// All types.
    Any,
    /// All types of 32 or 64 bits.
    Word,
    /// Integers of these.
    WordInt,
}

impl Set {
    /// True if the type is in the set.
    pub const fn contains(self, ty: Type) -> bool {
        match self {
            Set::Number => ty.is_int() || ty.is_float(),
            Set::Float => ty.is_float(),
            Set::Int => ty.is_int(),
            Set::Bits => !ty.is_float(),
            Set::Any => true,
            Set::Word => ty.bits() >= 32,
            Set::WordInt => ty.bits() >= 32 && ty.is_int(),
        }
    }
}

macro_rules! statements {
    ($($(#[$doc:meta])* $variant:ident $name:literal $rule:expr;)*) => {
        /// What a statement does.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Code { $($(#[$doc])* $variant,)* }

        impl Code {
            /// Every code.
            pub const ALL: &'static [Code] = &[$(Code::$variant,)*];

            /// The name in printed kernels.
            pub const fn name(self) -> &'static str {
                match self { $(Code::$variant => $name,)* }
            }

            /// The rule that operands and value follow.
            pub const fn rule(self) -> Rule {
                match self { $(Code::$variant => $rule,)* }
            }
        }
    };
}

statements! {
    /// A constant.
    Constant "const" Rule::Constant;
    /// An element of an input.
    Load "load" Rule::Load;
    /// An element of an input where the operand is true; else zero, and nothing is read.
    LoadWhere "load_where" Rule::LoadWhere;
    /// An element of an input, so many elements further than where the input's walk leads to.
    Gather "gather" Rule::Gather;
    /// An element of the result.
    Store "store" Rule::Store;
    /// The flag is set where the operand is false for an element at work. Loops around it end then: what
    /// they would give is of no use, and they may have no other end.
    Check "check" Rule::Check;
    /// The block that runs for each element, in any order.
    Elements "elements" Rule::Elements;
    /// Integers wrap; the sign bit of floats is inverted.
    Neg "neg" Rule::Unary(Set::Number);
    /// Each bit inverted.
    Not "not" Rule::Unary(Set::Bits);
    /// Square root, correctly rounded.
    Sqrt "sqrt" Rule::Unary(Set::Float);
    /// Rounded down.
    Floor "floor" Rule::Unary(Set::Float);
    /// Rounded up.
    Ceil "ceil" Rule::Unary(Set::Float);
    /// Rounded towards zero.
    Trunc "trunc" Rule::Unary(Set::Float);
    /// Rounded to nearest, ties to even.
    RoundEven "round_even" Rule::Unary(Set::Float);
    /// Sum; integers wrap.
    Add "add" Rule::Binary(Set::Number);
    /// Difference; integers wrap.
    Sub "sub" Rule::Binary(Set::Number);
    /// Product; integers wrap.
    Mul "mul" Rule::Binary(Set::Number);
    /// Quotient. Integers round towards zero; by zero gives 0, and the least by -1 wraps.
    Div "div" Rule::Binary(Set::Number);
    /// Remainder of [`Code::Div`] on integers; by zero gives 0.
    Rem "rem" Rule::Binary(Set::Int);
    /// `a * b + c`, rounded once.
    Fma "fma" Rule::Ternary(Set::Float);
    /// Bits in both.
    And "and" Rule::Binary(Set::Bits);
    /// Bits in either.
    Or "or" Rule::Binary(Set::Bits);
    /// Bits in one only.
    Xor "xor" Rule::Binary(Set::Bits);
    /// Shift left; 0 for amounts that are negative or not below the width.
    Shl "shl" Rule::Binary(Set::Int);
    /// Shift right, of signed with the sign; the sign or 0 for amounts outside the width.
    Shr "shr" Rule::Binary(Set::Int);
    /// Less; false for NaN.
    Lt "lt" Rule::Compare(Set::Any);
    /// Less or equal; false for NaN.
    Le "le" Rule::Compare(Set::Any);
    /// Equal; false for NaN.
    Eq "eq" Rule::Compare(Set::Any);
    /// Not equal; true for NaN.
    Ne "ne" Rule::Compare(Set::Any);
    /// The second operand where the first is true, else the third.
    Select "select" Rule::Select;
    /// The third operand where the first is true, else the second. What the third takes is a block
    /// of its own, which is left out where the first is false for all elements at hand.
    Rare "rare" Rule::Rare;
    /// A loop of each element: its block is repeated until what [`Code::While`] asks is false.
    Loop "loop" Rule::Loop;
    /// What the loop carries, when its block begins.
    Carried "carried" Rule::Carried;
    /// The end of the loop where the operand is false. What follows in the block is done where it
    /// is true, and [`Code::Next`] changes what is carried there only.
    While "while" Rule::While;
    /// What the loop carries next; the end of its block.
    Next "next" Rule::Next;
    /// One of two blocks, for each element. A block that no element at hand needs is left out.
    If "if" Rule::If;
    /// What a branch gives; the end of its block.
    Yield "yield" Rule::Yield;
    /// What a loop carries at its end, or a conditional gives.
    Result "result" Rule::Result;
    /// Conversion: integers wrap, floats to integers truncate and saturate with NaN as 0, all
    /// else rounds once to nearest, to truth values is `!= 0`.
    Convert "convert" Rule::Convert;
    /// The same bits as another type.
    Bitcast "bitcast" Rule::Bitcast;
    /// The value of the float16 with these bits; a NaN stays one.
    Widen "widen" Rule::Between(Type::U16, Type::F32);
    /// The bits of the nearest float16, of two the even one; a NaN stays one.
    Narrow "narrow" Rule::Between(Type::F32, Type::U16);
    /// The memory of a parameter.
    Memory "memory" Rule::Memory;
    /// Memory of each element's own, of zeros at first.
    Alloca "alloca" Rule::Alloca;
    /// Memory that the elements of a block share, of zeros when the block begins.
    Shared "shared" Rule::Shared;
    /// An element of memory; zero for a number that is out of bounds.
    LoadAt "load_at" Rule::LoadAt;
    /// Writes an element of memory; nothing for a number that is out of bounds.
    StoreAt "store_at" Rule::StoreAt;
    /// Adds to an element of memory and gives what was there before, as all atomics do: zero for a number
    /// that is out of bounds, where nothing is done.
    AtomicAdd "atomic_add" Rule::Atomic(Set::Word);
    /// Subtracts from it.
    AtomicSub "atomic_sub" Rule::Atomic(Set::Word);
    /// The less stays; of floats -0 is less than 0, and a NaN stays.
    AtomicMin "atomic_min" Rule::Atomic(Set::Word);
    /// The greater stays; likewise.
    AtomicMax "atomic_max" Rule::Atomic(Set::Word);
    /// Bits in both.
    AtomicAnd "atomic_and" Rule::Atomic(Set::WordInt);
    /// Bits in either.
    AtomicOr "atomic_or" Rule::Atomic(Set::WordInt);
    /// Bits in one only.
    AtomicXor "atomic_xor" Rule::Atomic(Set::WordInt);
    /// The operand takes its place.
    AtomicExchange "atomic_exchange" Rule::Atomic(Set::Word);
    /// The last operand takes its place if its bits are those of the one before.
    AtomicCas "atomic_cas" Rule::Cas;
    /// True where a number is that of an element of memory.
    InBounds "in_bounds" Rule::InBounds;
    /// All elements of a block get here before any goes on, and see what the others have written.
    Barrier "barrier" Rule::Barrier;
    /// What a function is called with.
    Argument "argument" Rule::Argument;
    /// What a function gives; the end of its block.
    Return "return" Rule::Return;
    /// What a function does.
    Call "call" Rule::Call;
    /// What the function of a table does that an element names by its place in it; where it names none, nothing,
    /// which gives zeros.
    CallTable "call_table" Rule::CallTable;
}

/// The number of a statement, and of its value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Id(pub u32);

/// One statement.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Statement {
    /// What it does.
    pub code: Code,
    /// The type of its value; of statements without one, [`Type::Bool`], which nobody reads.
    pub ty: Type,
    /// Operands; how many depends on the rule.
    pub operands: Operands,
    /// What the rule says that it holds, else 0.
    pub imm: u64,
}

/// The operands of a statement.
pub type Operands = smallvec::SmallVec<[Id; 3]>;

/// What a load reads: a parameter and, of complex ones, which part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// The parameter's number.
    pub param: u32,
    /// Which of its parts: of a complex one, 1 for the imaginary part.
    pub part: u32,
}

impl Place {
    /// As a statement holds it.
    pub const fn imm(self) -> u64 {
        (self.param as u64) << 8 | self.part as u64
    }

    /// From what a statement holds.
    pub const fn of(imm: u64) -> Place {
        Place { param: (imm >> 8) as u32, part: (imm & 0xff) as u32 }
    }
}

/// What a loop carries: the number of its block, and which of the things that it carries. The
/// block makes those of different loops different statements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Carried {
    /// The block that is repeated.
    pub block: u32,
    /// Which one.
    pub index: u32,
}

impl Carried {
    /// As a statement holds it.
    pub const fn imm(self) -> u64 {
        (self.block as u64) << 32 | self.index as u64
    }

    /// From what a statement holds.
    pub const fn of(imm: u64) -> Carried {
        Carried { block: (imm >> 32) as u32, index: imm as u32 }
    }
}

/// The blocks of a conditional.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Branches {
    /// Where the condition is true.
    pub then: u32,
    /// Where it is false.
    pub otherwise: u32,
}

impl Branches {
    /// As a statement holds it.
    pub const fn imm(self) -> u64 {
        (self.then as u64) << 32 | self.otherwise as u64
    }

    /// From what a statement holds.
    pub const fn of(imm: u64) -> Branches {
        Branches { then: (imm >> 32) as u32, otherwise: imm as u32 }
    }
}

impl Statement {
    /// True if it makes a value.
    pub const fn has_value(&self) -> bool {
        use Rule::*;
        !matches!(self.code.rule(), Store | Check | Elements | Loop | While | Next | If | Yield)
            && !matches!(self.code.rule(), StoreAt | Barrier | Return | Call | CallTable)
            && !self.names_memory()
    }

    /// True if it stands for memory, which is no value.
    pub const fn names_memory(&self) -> bool {
        matches!(self.code.rule(), Rule::Memory | Rule::Alloca | Rule::Shared)
    }

    /// What names the memory that it reads, writes or asks of.
    pub fn memory(&self) -> Option<Id> {
        use Rule::*;
        let accesses = matches!(self.code.rule(), LoadAt | StoreAt | Atomic(_) | Cas | InBounds);
        self.operands.first().copied().filter(|_| accesses)
    }

    /// True if it changes memory, or waits for others that do.
    pub const fn is_effect(&self) -> bool {
        use Rule::*;
        matches!(self.code.rule(), Store | Check | StoreAt | Atomic(_) | Cas | Barrier) || self.is_call()
    }

    /// True if it is a function's work, which may change any memory that others see.
    pub const fn is_call(&self) -> bool {
        matches!(self.code.rule(), Rule::Call | Rule::CallTable)
    }

    /// True if it does nothing but make its value or name memory, and always the same, so that it may be
    /// shared or left out.
    pub const fn is_pure(&self) -> bool {
        match self.code.rule() {
            Rule::Memory => true,
            Rule::LoadAt => false,
            _ => self.has_value() && !self.is_effect(),
        }
    }

    /// True if it may be left out where nobody uses it, but for what its blocks do. What a loop carries goes
    /// by its number.
    pub const fn is_droppable(&self) -> bool {
        match self.code.rule() {
            Rule::Loop | Rule::If | Rule::LoadAt => true,
            Rule::Carried => false,
            _ => self.names_memory() || self.has_value() && !self.is_effect(),
        }
    }

    /// The numbers of the blocks that it holds.
    pub fn blocks(&self) -> smallvec::SmallVec<[usize; 2]> {
        match self.code.rule() {
            Rule::Elements | Rule::Rare | Rule::Loop => smallvec::smallvec![self.imm as usize],
            Rule::If => {
                let Branches { then, otherwise } = Branches::of(self.imm);
                smallvec::smallvec![then as usize, otherwise as usize]
            }
            _ => smallvec::SmallVec::new(),
        }
    }
}
