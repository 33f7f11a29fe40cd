//! The names that kernels know without an import. The functions are those of `ivy_taichi::front::Scope::functions`; a
//! test of that crate compares them.

/// Functions.
pub const FUNCTIONS: &[&str] = &[
    "abs",
    "acos",
    "activate",
    "append",
    "asin",
    "atan2",
    "atomic_add",
    "atomic_and",
    "atomic_max",
    "atomic_min",
    "atomic_mul",
    "atomic_or",
    "atomic_sub",
    "atomic_xor",
    "bit_not",
    "bit_sar",
    "bit_shr",
    "ceil",
    "clz",
    "concat",
    "cos",
    "deactivate",
    "exp",
    "floor",
    "floordiv",
    "grouped",
    "is_active",
    "ivec2",
    "ivec3",
    "ivec4",
    "length",
    "log",
    "max",
    "min",
    "ndrange",
    "popcnt",
    "pow",
    "random",
    "range",
    "raw_div",
    "raw_mod",
    "round",
    "rsqrt",
    "select",
    "serial",
    "sgn",
    "sin",
    "sqrt",
    "tan",
    "tanh",
    "vec2",
    "vec3",
    "vec4",
];

/// Types, which are casts when they are called.
pub const TYPES: &[&str] =
    &["u1", "i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64", "f16", "f32", "f64", "int", "float"];

/// A type by Rust's name for it, or Taichi's.
pub fn type_name(ident: &str) -> Option<&str> {
    match ident {
        "bool" => Some("u1"),
        _ => TYPES.iter().find(|&&name| name == ident).copied(),
    }
}
