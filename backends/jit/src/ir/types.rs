//! The types of values in kernels.

use std::fmt;

macro_rules! types {
    ($($(#[$doc:meta])* $variant:ident $name:literal $bits:literal $class:ident,)*) => {
        /// The type of a value in a kernel. Wider notions (float16, bfloat16, complex) are
        /// expressed in these when a kernel is made.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Type { $($(#[$doc])* $variant,)* }

        impl Type {
            /// Every type.
            pub const ALL: &'static [Type] = &[$(Type::$variant,)*];

            /// The name in printed kernels.
            pub const fn name(self) -> &'static str {
                match self { $(Type::$variant => $name,)* }
            }

            /// The width of a value; truth values have 1 bit.
            pub const fn bits(self) -> u32 {
                match self { $(Type::$variant => $bits,)* }
            }

            /// What kind of value it is.
            pub const fn class(self) -> Class {
                match self { $(Type::$variant => Class::$class,)* }
            }
        }
    };
}

types! {
    /// A truth value; a byte 0 or 1 in memory.
    Bool "bool" 1 Bool,
    /// Signed, 8 bits.
    I8 "i8" 8 Signed,
    /// Signed, 16 bits.
    I16 "i16" 16 Signed,
    /// Signed, 32 bits.
    I32 "i32" 32 Signed,
    /// Signed, 64 bits.
    I64 "i64" 64 Signed,
    /// Unsigned, 8 bits.
    U8 "u8" 8 Unsigned,
    /// Unsigned, 16 bits; also the bits of a 16-bit float.
    U16 "u16" 16 Unsigned,
    /// Unsigned, 32 bits.
    U32 "u32" 32 Unsigned,
    /// Unsigned, 64 bits.
    U64 "u64" 64 Unsigned,
    /// Binary32.
    F32 "f32" 32 Float,
    /// Binary64.
    F64 "f64" 64 Float,
}

/// Kinds of types.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    /// Truth values.
    Bool,
    /// Signed integers.
    Signed,
    /// Unsigned integers.
    Unsigned,
    /// Floats.
    Float,
}

impl Type {
    /// The width of an element in memory, in bytes.
    pub const fn bytes(self) -> usize {
        self.bits().div_ceil(8) as usize
    }

    /// True for integers of both kinds.
    pub const fn is_int(self) -> bool {
        matches!(self.class(), Class::Signed | Class::Unsigned)
    }

    /// True for signed integers.
    pub const fn is_signed(self) -> bool {
        matches!(self.class(), Class::Signed)
    }

    /// True for floats.
    pub const fn is_float(self) -> bool {
        matches!(self.class(), Class::Float)
    }

    /// The unsigned integer of the same width; truth values have none.
    pub const fn unsigned(self) -> Type {
        match self.bits() {
            8 => Type::U8,
            16 => Type::U16,
            32 => Type::U32,
            64 => Type::U64,
            _ => Type::Bool,
        }
    }

    /// The bits that a value may set.
    pub const fn mask(self) -> u64 {
        u64::MAX >> (64 - self.bits())
    }
}

impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
