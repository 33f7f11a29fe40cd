//! Assignments: a variable keeps its first type, and what is stored is cast to it, with a warning where precision may be lost.

use super::{AtomicOp, Typing, fits, loaded};
use crate::{Place, Placed, PrimitiveType, Result, Type, TypeError, TypeKind};

/// What a store may lose.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TypeWarning {
    /// An assignment of a value whose type does not fit.
    #[error("Assign may lose precision: {dest} <- {value}")]
    Assign {
        /// The type of the variable or field.
        dest: Type,
        /// The value's type.
        value: Type,
    },
    /// An atomic operation with a value whose type does not fit.
    #[error("{op} may lose precision: {dest} <- {value}")]
    Atomic {
        /// The operation.
        op: AtomicOp,
        /// The type of the variable or field.
        dest: Type,
        /// The value's type.
        value: Type,
    },
}

/// Warnings that were given, each with its place. They can be switched off.
#[derive(Clone, Debug)]
pub struct Warnings {
    enabled: bool,
    given: Vec<Placed<TypeWarning>>,
}

impl Default for Warnings {
    fn default() -> Warnings {
        Warnings::new(true)
    }
}

impl Warnings {
    /// A list of none; switched off it stays so.
    pub fn new(enabled: bool) -> Warnings {
        Warnings { enabled, given: Vec::new() }
    }

    /// Notes a warning, once a place.
    pub fn note(&mut self, warning: Option<TypeWarning>, place: &Place) {
        let Some(what) = warning.filter(|_| self.enabled) else { return };
        let placed = Placed { place: place.clone(), what };
        if !self.given.contains(&placed) {
            self.given.push(placed);
        }
    }

    /// What was given, in order.
    pub fn given(&self) -> &[Placed<TypeWarning>] {
        &self.given
    }
}

/// The type that a value is cast to when it is stored in a variable or field (T-17), and the warning where the destination's type is not
/// the one that both promote to. Equal types have none (T-18).
///
/// # Errors
/// [`TypeError::Unsupported`] for shapes that differ, and for structs that are not of one type.
pub fn check_assign(dest: Type, value: Type, typing: &Typing) -> Result<(Type, Option<TypeWarning>)> {
    let refuse = || TypeError::Unsupported { op: "=", operands: vec![dest, value] };
    let (to, from) = (dest.compute_type(), value.compute_type());
    if let TypeKind::Struct { .. } = to.kind() {
        return if to == from { Ok((to, None)) } else { Err(refuse()) };
    }
    let (to, left) = loaded(to).ok_or_else(refuse)?;
    let (from, right) = loaded(from).ok_or_else(refuse)?;
    if !fits(to, from) {
        return Err(refuse());
    }
    let warning = loses(left, right, typing).then_some(TypeWarning::Assign { dest: to, value: from });
    Ok((from.with_element(left.into()), warning))
}

/// Whether a value may lose precision when it is stored.
pub(super) fn loses(dest: PrimitiveType, value: PrimitiveType, typing: &Typing) -> bool {
    dest != value && typing.promote(dest, value) != Some(dest)
}
