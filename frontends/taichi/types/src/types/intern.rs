//! Types that are there once: equal ones are the same address.

use super::{PrimitiveType, TypeKind};
use std::collections::HashSet;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::{LazyLock, Mutex, PoisonError};

/// A type. Equal types are the same address, so that comparing them is comparing addresses.
///
/// ```
/// use ivy_taichi_types::{PrimitiveType, Type};
/// let a = Type::vector(2, PrimitiveType::I32)?;
/// assert!(std::ptr::eq(a.kind(), Type::vector(2, PrimitiveType::I32)?.kind()));
/// # Ok::<(), ivy_taichi_types::TypeError>(())
/// ```
#[derive(Clone, Copy)]
pub struct Type(&'static TypeKind);

/// Primitive types, in the order of [`PrimitiveType::ALL`]: they are asked for most, and need no lock.
static PRIMITIVES: [TypeKind; PrimitiveType::ALL.len()] = [
    TypeKind::Primitive(PrimitiveType::U1),
    TypeKind::Primitive(PrimitiveType::I8),
    TypeKind::Primitive(PrimitiveType::I16),
    TypeKind::Primitive(PrimitiveType::I32),
    TypeKind::Primitive(PrimitiveType::I64),
    TypeKind::Primitive(PrimitiveType::U8),
    TypeKind::Primitive(PrimitiveType::U16),
    TypeKind::Primitive(PrimitiveType::U32),
    TypeKind::Primitive(PrimitiveType::U64),
    TypeKind::Primitive(PrimitiveType::F16),
    TypeKind::Primitive(PrimitiveType::F32),
    TypeKind::Primitive(PrimitiveType::F64),
];

/// Every other type that was made. They live as long as the program: there are as many as a program writes down.
static TYPES: LazyLock<Mutex<HashSet<&'static TypeKind>>> = LazyLock::new(Mutex::default);

impl Type {
    /// The type of a description.
    pub(crate) fn of(kind: TypeKind) -> Type {
        if let TypeKind::Primitive(primitive) = kind {
            return Type(&PRIMITIVES[primitive as usize]);
        }
        let mut types = TYPES.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(found) = types.get(&kind) {
            return Type(found);
        }
        let made: &'static TypeKind = Box::leak(Box::new(kind));
        types.insert(made);
        Type(made)
    }

    /// What it is.
    pub fn kind(self) -> &'static TypeKind {
        self.0
    }
}

impl PartialEq for Type {
    fn eq(&self, other: &Type) -> bool {
        std::ptr::eq(self.0, other.0)
    }
}

impl Eq for Type {}

impl Hash for Type {
    fn hash<H: Hasher>(&self, state: &mut H) {
        std::ptr::hash(self.0, state);
    }
}

impl From<PrimitiveType> for Type {
    fn from(primitive: PrimitiveType) -> Type {
        Type::of(TypeKind::Primitive(primitive))
    }
}

impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl fmt::Debug for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
