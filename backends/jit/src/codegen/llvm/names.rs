//! Types and constants as LLVM's text has them.

use crate::ir::Type;

/// A type's name.
pub(super) fn scalar(ty: Type) -> &'static str {
    match ty {
        Type::Bool => "i1",
        Type::I8 | Type::U8 => "i8",
        Type::I16 | Type::U16 => "i16",
        Type::I32 | Type::U32 => "i32",
        Type::I64 | Type::U64 => "i64",
        Type::F32 => "float",
        Type::F64 => "double",
    }
}

/// The type in memory: truth values are bytes.
pub(super) fn stored(ty: Type) -> &'static str {
    if ty == Type::Bool { "i8" } else { scalar(ty) }
}

pub(super) fn literal(ty: Type, bits: u64) -> String {
    match ty {
        Type::Bool => (if bits & 1 == 1 { "true" } else { "false" }).to_string(),
        // Floats are written as the double of the same value.
        Type::F32 => format!("0x{:016X}", f64::from(f32::from_bits(bits as u32)).to_bits()),
        Type::F64 => format!("0x{bits:016X}"),
        _ => bits.to_string(),
    }
}

/// A vector's constant whose lanes are all alike.
pub(super) fn alike(ty: Type, bits: u64, lanes: usize) -> String {
    let lane = format!("{} {}", scalar(ty), literal(ty, bits));
    format!("<{}>", vec![lane; lanes].join(", "))
}

pub(super) fn mask(lanes: impl Iterator<Item = usize>) -> String {
    let list: Vec<String> = lanes.map(|i| format!("i32 {i}")).collect();
    format!("<{} x i32> <{}>", list.len(), list.join(", "))
}
