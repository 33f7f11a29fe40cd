//! Literals: numbers written in a kernel.

use super::Typing;
use crate::{PrimitiveType, Result, TypeError};
use ivy_core::ScalarKind;

/// A number written in a kernel.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Literal {
    /// A truth value.
    Bool(bool),
    /// An integer.
    Int(i128),
    /// A number with a fraction or an exponent.
    Float(f64),
}

/// The type of a literal (T-03): the default integer or float type; of truth values u1, or i32 under the rules `taichi`.
///
/// # Errors
/// [`TypeError::Literal`] for an integer that the default integer type does not hold.
pub fn type_of_literal(literal: Literal, typing: &Typing) -> Result<PrimitiveType> {
    match literal {
        Literal::Bool(_) => {
            let dtype = typing.defaults.of_scalar(ScalarKind::Bool);
            Ok(PrimitiveType::of_dtype(dtype).unwrap_or(PrimitiveType::U1))
        }
        Literal::Int(value) => {
            let ip = typing.default_ip();
            let holds = ip.int_range().is_some_and(|(least, greatest)| (least..=greatest).contains(&value));
            if holds { Ok(ip) } else { Err(TypeError::Literal { value, ip }) }
        }
        Literal::Float(_) => Ok(typing.default_fp()),
    }
}
