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
    }

    /// True if it does nothing but make its value, so that it may be shared or left out.
    pub const fn is_pure(&self) -> bool {
        self.has_value()
    }

    /// True if it may be left out where nobody uses it. What a loop carries goes by its number.
    pub const fn is_droppable(&self) -> bool {
        match self.code.rule() {
            Rule::Loop | Rule::If => true,
            Rule::Carried => false,
            _ => self.has_value(),
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
