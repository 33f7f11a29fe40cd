//! Element types, in the order of promotion.

use ivy_core::Dtype;
use std::fmt;

/// The type of an array's elements. The order is that of promotion: of two, the greater wins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[allow(missing_docs)] // the names say it
pub enum VarType {
    Bool,
    Int8,
    UInt8,
    Int16,
    UInt16,
    Int32,
    UInt32,
    Int64,
    UInt64,
    Float16,
    Float32,
    Float64,
}

struct Row {
    dtype: Dtype,
    suffix: &'static str,
    flat: &'static str,
}

const fn row(dtype: Dtype, suffix: &'static str, flat: &'static str) -> Row {
    Row { dtype, suffix, flat }
}

const ROWS: [Row; 12] = [
    row(Dtype::BOOL, "b", "Bool"),
    row(Dtype::INT8, "i8", "Int8"),
    row(Dtype::UINT8, "u8", "UInt8"),
    row(Dtype::INT16, "i16", "Int16"),
    row(Dtype::UINT16, "u16", "UInt16"),
    row(Dtype::INT32, "i", "Int"),
    row(Dtype::UINT32, "u", "UInt"),
    row(Dtype::INT64, "i64", "Int64"),
    row(Dtype::UINT64, "u64", "UInt64"),
    row(Dtype::FLOAT16, "f16", "Float16"),
    row(Dtype::FLOAT32, "f", "Float"),
    row(Dtype::FLOAT64, "f64", "Float64"),
];

impl VarType {
    /// Every type, in order.
    pub const ALL: [VarType; 12] = [
        VarType::Bool,
        VarType::Int8,
        VarType::UInt8,
        VarType::Int16,
        VarType::UInt16,
        VarType::Int32,
        VarType::UInt32,
        VarType::Int64,
        VarType::UInt64,
        VarType::Float16,
        VarType::Float32,
        VarType::Float64,
    ];

    const fn row(self) -> &'static Row {
        &ROWS[self as usize]
    }

    /// The core's dtype.
    pub const fn dtype(self) -> Dtype {
        self.row().dtype
    }

    /// The type of a core dtype; `None` for those that Dr.Jit has not (bfloat16, complex numbers).
    pub fn of_dtype(dtype: Dtype) -> Option<VarType> {
        VarType::ALL.into_iter().find(|t| t.dtype() == dtype)
    }

    /// The end of a nested type's name, such as `f64`.
    pub const fn suffix(self) -> &'static str {
        self.row().suffix
    }

    /// The name of the flat array, such as `UInt`.
    pub const fn flat_name(self) -> &'static str {
        self.row().flat
    }

    /// The type of a flat array's name, aliases (`Int32`, `UInt32`, `Float32`) among them.
    pub fn of_flat_name(name: &str) -> Option<VarType> {
        let name = match name {
            "Int32" => "Int",
            "UInt32" => "UInt",
            "Float32" => "Float",
            name => name,
        };
        VarType::ALL.into_iter().find(|t| t.flat_name() == name)
    }

    /// The type of a suffix.
    pub fn of_suffix(suffix: &str) -> Option<VarType> {
        VarType::ALL.into_iter().find(|t| t.suffix() == suffix)
    }

    /// The width of an element in bytes.
    pub const fn bytes(self) -> usize {
        self.dtype().bytes()
    }

    /// True for floats.
    pub const fn is_float(self) -> bool {
        self.dtype().is_float()
    }

    /// True for integers.
    pub const fn is_int(self) -> bool {
        self.dtype().is_int()
    }

    /// True for bool.
    pub const fn is_bool(self) -> bool {
        matches!(self, VarType::Bool)
    }

    /// True for signed integers and floats.
    pub const fn is_signed(self) -> bool {
        !self.is_bool() && !self.dtype().is_uint()
    }

    /// The signed or unsigned integer of so many bytes.
    pub(crate) const fn int_of(bytes: usize, signed: bool) -> VarType {
        match (bytes, signed) {
            (1, true) => VarType::Int8,
            (1, false) => VarType::UInt8,
            (2, true) => VarType::Int16,
            (2, false) => VarType::UInt16,
            (4, true) => VarType::Int32,
            (4, false) => VarType::UInt32,
            (_, true) => VarType::Int64,
            (_, false) => VarType::UInt64,
        }
    }
}

/// The name of the flat array.
impl fmt::Display for VarType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.flat_name())
    }
}
