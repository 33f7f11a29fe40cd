//! Primitive types.

use ivy_core::Dtype;
use std::fmt;
use std::str::FromStr;

use crate::TypeError;

/// A type of single numbers, called as Taichi calls it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)] // the names say it
pub enum PrimitiveType {
    U1,
    I8,
    I16,
    I32,
    I64,
    U8,
    U16,
    U32,
    U64,
    F16,
    F32,
    F64,
}

struct Row {
    name: &'static str,
    long: &'static str,
    dtype: Dtype,
}

const fn row(name: &'static str, long: &'static str, dtype: Dtype) -> Row {
    Row { name, long, dtype }
}

const ROWS: [Row; 12] = [
    row("u1", "bool", Dtype::BOOL),
    row("i8", "int8", Dtype::INT8),
    row("i16", "int16", Dtype::INT16),
    row("i32", "int32", Dtype::INT32),
    row("i64", "int64", Dtype::INT64),
    row("u8", "uint8", Dtype::UINT8),
    row("u16", "uint16", Dtype::UINT16),
    row("u32", "uint32", Dtype::UINT32),
    row("u64", "uint64", Dtype::UINT64),
    row("f16", "float16", Dtype::FLOAT16),
    row("f32", "float32", Dtype::FLOAT32),
    row("f64", "float64", Dtype::FLOAT64),
];

impl PrimitiveType {
    /// Every primitive type.
    pub const ALL: [PrimitiveType; 12] = [
        PrimitiveType::U1,
        PrimitiveType::I8,
        PrimitiveType::I16,
        PrimitiveType::I32,
        PrimitiveType::I64,
        PrimitiveType::U8,
        PrimitiveType::U16,
        PrimitiveType::U32,
        PrimitiveType::U64,
        PrimitiveType::F16,
        PrimitiveType::F32,
        PrimitiveType::F64,
    ];

    const fn row(self) -> &'static Row {
        &ROWS[self as usize]
    }

    /// The name, such as `f32`.
    pub const fn name(self) -> &'static str {
        self.row().name
    }

    /// The core's dtype; u1 is its bool.
    pub const fn dtype(self) -> Dtype {
        self.row().dtype
    }

    /// The type of a core dtype; `None` for those that Taichi has not (bfloat16, complex numbers).
    pub fn of_dtype(dtype: Dtype) -> Option<PrimitiveType> {
        PrimitiveType::ALL.into_iter().find(|t| t.dtype() == dtype)
    }

    /// The width in bits; 1 for u1.
    pub const fn bits(self) -> u32 {
        match self {
            PrimitiveType::U1 => 1,
            other => other.bytes() as u32 * 8,
        }
    }

    /// The width in bytes, in memory; u1 takes one.
    pub const fn bytes(self) -> usize {
        self.dtype().bytes()
    }

    /// True for f16, f32 and f64.
    pub const fn is_real(self) -> bool {
        self.dtype().is_float()
    }

    /// True for integers and u1.
    pub const fn is_integral(self) -> bool {
        !self.is_real()
    }

    /// True for signed integers and floats.
    pub const fn is_signed(self) -> bool {
        !self.dtype().is_uint() && !self.dtype().is_bool()
    }

    /// The least and the greatest integer; `None` for floats.
    pub const fn int_range(self) -> Option<(i128, i128)> {
        match self {
            PrimitiveType::U1 => Some((0, 1)),
            other => other.dtype().int_range(),
        }
    }
}

impl fmt::Display for PrimitiveType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// From `f32` or `float32`.
impl FromStr for PrimitiveType {
    type Err = TypeError;

    fn from_str(text: &str) -> Result<PrimitiveType, TypeError> {
        let found = PrimitiveType::ALL.into_iter().find(|t| t.name() == text || t.row().long == text);
        found.ok_or_else(|| TypeError::UnknownType { name: text.to_owned() })
    }
}
