//! Types: descriptions that are data, each there once.

mod intern;
mod primitive;
mod quant;
mod targets;

pub use intern::Type;
pub use primitive::PrimitiveType;
pub use quant::{BitMember, BitStruct, QuantArray, QuantFixed, QuantFloat, QuantInt, Scale};
pub use targets::{Support, Target};

use crate::TypeError;
use std::fmt;

/// The most elements of a tensor: each is a value of its own in kernels and trees.
pub(crate) const MAX_ELEMENTS: usize = 1 << 16;

/// What a [`Type`] is.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum TypeKind {
    /// A single number.
    Primitive(PrimitiveType),
    /// A vector (one size) or a matrix (two sizes) of numbers.
    Tensor {
        /// The sizes of its axes.
        shape: Vec<usize>,
        /// The type of its elements.
        element: Type,
    },
    /// Members with names.
    Struct {
        /// The members, in order.
        members: Vec<Member>,
    },
    /// The address of a value.
    Pointer {
        /// The type of the value.
        to: Type,
    },
    /// A pack of a kernel's arguments.
    ArgPack {
        /// The members, in order.
        members: Vec<Member>,
    },
    /// An integer of any number of bits.
    QuantInt(QuantInt),
    /// A number of fixed point.
    QuantFixed(QuantFixed),
    /// A number of floating point of any number of bits.
    QuantFloat(QuantFloat),
    /// Quantised numbers packed in a word.
    BitStruct(BitStruct),
    /// Quantised numbers of one type packed in a word.
    QuantArray(QuantArray),
}

/// A member of a struct.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Member {
    /// Its name.
    pub name: String,
    /// Its type.
    pub ty: Type,
}

impl Type {
    /// A vector of `n` elements.
    ///
    /// ```
    /// use ivy_taichi_types::{PrimitiveType, Type};
    /// let ty = Type::vector(3, PrimitiveType::F32)?;
    /// assert_eq!(ty.to_string(), "[Tensor (3) f32]");
    /// # Ok::<(), ivy_taichi_types::TypeError>(())
    /// ```
    ///
    /// # Errors
    /// [`TypeError::EmptyTensor`] for no elements, [`TypeError::TensorTooLarge`] for more than 65536, [`TypeError::NoElement`] for elements
    /// that are no numbers.
    pub fn vector(n: usize, element: impl Into<Type>) -> Result<Type, TypeError> {
        Type::tensor(&[n], element)
    }

    /// A matrix of `n` rows and `m` columns.
    ///
    /// # Errors
    /// As [`Type::vector`].
    pub fn matrix(n: usize, m: usize, element: impl Into<Type>) -> Result<Type, TypeError> {
        Type::tensor(&[n, m], element)
    }

    /// A tensor of a shape.
    ///
    /// # Errors
    /// As [`Type::vector`].
    pub fn tensor(shape: &[usize], element: impl Into<Type>) -> Result<Type, TypeError> {
        let element = element.into();
        if shape.is_empty() || shape.contains(&0) {
            return Err(TypeError::EmptyTensor { shape: shape.to_vec() });
        }
        if !element.is_number() {
            return Err(TypeError::NoElement { element });
        }
        let count = shape.iter().try_fold(1usize, |n, &size| n.checked_mul(size));
        if count.is_none_or(|count| count > MAX_ELEMENTS) {
            return Err(TypeError::TensorTooLarge { shape: shape.to_vec() });
        }
        Ok(Type::of(TypeKind::Tensor { shape: shape.to_vec(), element }))
    }

    /// A struct of members.
    ///
    /// # Errors
    /// [`TypeError::DuplicateMember`] for a name that is there twice.
    pub fn structure(
        members: impl IntoIterator<Item = (impl Into<String>, impl Into<Type>)>,
    ) -> Result<Type, TypeError> {
        Ok(Type::of(TypeKind::Struct { members: gather_members(members)? }))
    }

    /// A pack of arguments.
    ///
    /// # Errors
    /// As [`Type::structure`].
    pub fn arg_pack(
        members: impl IntoIterator<Item = (impl Into<String>, impl Into<Type>)>,
    ) -> Result<Type, TypeError> {
        Ok(Type::of(TypeKind::ArgPack { members: gather_members(members)? }))
    }

    /// The address of a value.
    pub fn pointer(to: Type) -> Type {
        Type::of(TypeKind::Pointer { to })
    }

    /// The primitive type, where it is one.
    pub fn primitive(self) -> Option<PrimitiveType> {
        match self.kind() {
            TypeKind::Primitive(primitive) => Some(*primitive),
            _ => None,
        }
    }

    /// Whether it is a single number, quantised or not.
    pub fn is_number(self) -> bool {
        use TypeKind::{Primitive, QuantFixed, QuantFloat, QuantInt};
        matches!(self.kind(), Primitive(_) | QuantInt(_) | QuantFixed(_) | QuantFloat(_))
    }

    /// Whether it is a quantised number.
    pub fn is_quant(self) -> bool {
        self.is_number() && self.primitive().is_none()
    }

    /// The shape of a tensor; empty for all else.
    pub fn shape(self) -> &'static [usize] {
        match self.kind() {
            TypeKind::Tensor { shape, .. } => shape,
            _ => &[],
        }
    }

    /// The type of a tensor's elements; of all else, itself.
    pub fn element(self) -> Type {
        match self.kind() {
            TypeKind::Tensor { element, .. } => *element,
            _ => self,
        }
    }

    /// The type that numbers are computed in: of quantised ones the compute type, and likewise of vectors and matrices of them.
    ///
    /// ```
    /// use ivy_taichi_types::{PrimitiveType, QuantInt, Type};
    /// let small: Type = QuantInt::new(5, true, None)?.into();
    /// assert_eq!(Type::vector(2, small)?.computed(), Type::vector(2, PrimitiveType::I32)?);
    /// # Ok::<(), ivy_taichi_types::TypeError>(())
    /// ```
    pub fn computed(self) -> Type {
        let number = match self.element().kind() {
            TypeKind::QuantInt(int) => int.compute(),
            TypeKind::QuantFixed(fixed) => fixed.compute(),
            TypeKind::QuantFloat(float) => float.compute(),
            _ => return self,
        };
        self.with_element(number.into())
    }

    /// The same tensor of other elements; for all else the element type.
    pub(crate) fn with_element(self, element: Type) -> Type {
        match self.kind() {
            TypeKind::Tensor { shape, .. } => Type::of(TypeKind::Tensor { shape: shape.clone(), element }),
            _ => element,
        }
    }

    /// The members of a struct or pack; none for all else.
    pub fn members(self) -> &'static [Member] {
        match self.kind() {
            TypeKind::Struct { members } | TypeKind::ArgPack { members } => members,
            _ => &[],
        }
    }

    /// The type that its values have once loaded: quantised numbers are computed with in their compute type.
    pub fn compute_type(self) -> Type {
        match self.kind() {
            TypeKind::QuantInt(int) => int.compute().into(),
            TypeKind::QuantFixed(fixed) => fixed.compute().into(),
            TypeKind::QuantFloat(float) => float.compute().into(),
            TypeKind::Tensor { element, .. } => self.with_element(element.compute_type()),
            TypeKind::Struct { members } => {
                let members = members
                    .iter()
                    .map(|m| Member { name: m.name.clone(), ty: m.ty.compute_type() })
                    .collect();
                Type::of(TypeKind::Struct { members })
            }
            _ => self,
        }
    }

    /// The numbers that a value consists of, in the order of memory: the elements of a tensor by rows, the members of a struct.
    pub fn leaves(self) -> Vec<Type> {
        match self.kind() {
            TypeKind::Tensor { shape, element } => vec![*element; shape.iter().product()],
            TypeKind::Struct { members } | TypeKind::ArgPack { members } => {
                members.iter().flat_map(|m| m.ty.leaves()).collect()
            }
            _ => vec![self],
        }
    }
}

fn gather_members(
    members: impl IntoIterator<Item = (impl Into<String>, impl Into<Type>)>,
) -> Result<Vec<Member>, TypeError> {
    let mut gathered: Vec<Member> = Vec::new();
    for (name, ty) in members {
        let name = name.into();
        if gathered.iter().any(|m| m.name == name) {
            return Err(TypeError::DuplicateMember { name });
        }
        gathered.push(Member { name, ty: ty.into() });
    }
    Ok(gathered)
}

impl fmt::Display for TypeKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TypeKind::Primitive(primitive) => f.pad(primitive.name()),
            TypeKind::Tensor { shape, element } => {
                let sizes: Vec<String> = shape.iter().map(usize::to_string).collect();
                write!(f, "[Tensor ({}) {element}]", sizes.join(", "))
            }
            TypeKind::Struct { members } => write_members(f, "struct", members),
            TypeKind::ArgPack { members } => write_members(f, "argpack", members),
            TypeKind::Pointer { to } => write!(f, "*{to}"),
            TypeKind::QuantInt(int) => int.fmt(f),
            TypeKind::QuantFixed(fixed) => fixed.fmt(f),
            TypeKind::QuantFloat(float) => float.fmt(f),
            TypeKind::BitStruct(bits) => bits.fmt(f),
            TypeKind::QuantArray(array) => array.fmt(f),
        }
    }
}

fn write_members(f: &mut fmt::Formatter<'_>, word: &str, members: &[Member]) -> fmt::Result {
    let members: Vec<String> = members.iter().map(|m| format!("{}: {}", m.name, m.ty)).collect();
    write!(f, "{word}{{{}}}", members.join(", "))
}
