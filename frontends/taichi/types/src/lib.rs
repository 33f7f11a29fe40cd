//! Taichi's types, static typing and layouts of fields: data and decisions, without an engine.
//!
//! - [`Type`], [`PrimitiveType`]: types, interned; quantised ones among them.
//! - [`Typing`] and `type_of_binary`, `type_of_unary`, `type_of_ternary`, `type_of_atomic`: what operations compute in and give, by the
//!   rule sets `taichi` and `taichi-1.7` of the core.
//! - [`layout`]: trees of nodes, addresses, drawings.
//!
//! ```
//! use ivy_taichi_types::{BinaryOp, PrimitiveType, Typing, type_of_binary};
//! let typing = Typing::default();
//! let [i32, f32] = [PrimitiveType::I32, PrimitiveType::F32];
//! assert_eq!(type_of_binary(BinaryOp::TrueDiv, i32.into(), i32.into(), &typing)?.result, f32.into());
//! let refused = type_of_binary(BinaryOp::BitAnd, f32.into(), i32.into(), &typing);
//! assert_eq!(refused.unwrap_err().to_string(), "unsupported operand type(s) for '&': 'f32' and 'i32'");
//! # Ok::<(), ivy_taichi_types::TypeError>(())
//! ```

mod compound;
mod error;
pub mod layout;
mod place;
mod types;
mod typing;
mod value;

pub use compound::{Component, Swizzle, construct, construct_struct, swizzle};
pub use error::{Result, TypeError};
pub use place::{Place, Placed};
pub use types::{
    BitMember, BitStruct, Member, PrimitiveType, QuantArray, QuantFixed, QuantFloat, QuantInt, Scale,
    Support, Target, Type, TypeKind,
};
pub use typing::{
    AtomicOp, AtomicTyped, BinaryOp, Literal, TernaryOp, TypeWarning, Typed, Typing, UnaryOp, Warnings,
    check_assign, type_of_atomic, type_of_binary, type_of_bit_cast, type_of_cast, type_of_literal,
    type_of_ternary, type_of_unary,
};
pub use value::Constant;
