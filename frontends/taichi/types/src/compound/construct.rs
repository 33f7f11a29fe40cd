//! Constructors of vectors, matrices and structs (T-21).

use crate::{PrimitiveType, Result, Type, TypeError, TypeKind};

/// Where a number of a new value comes from, and what it is cast to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Component {
    /// The argument, and which of its numbers; `None` for 0.
    pub from: Option<(usize, usize)>,
    /// The type of the number.
    pub ty: PrimitiveType,
}

/// How a value is made of arguments by position: every number of the result, in the order of memory.
///
/// One number fills all. Numbers, vectors and matrices whose numbers together are as many as the result has stand one behind the other, as
/// GLSL has it. A struct takes one argument a member, in order, and the members that are left are 0. Every number is cast to its type.
///
/// ```
/// use ivy_taichi_types::{PrimitiveType, Type, construct};
/// let (vec3, vec2) = (Type::vector(3, PrimitiveType::F32)?, Type::vector(2, PrimitiveType::I32)?);
/// let made = construct(vec3, &[vec2, PrimitiveType::I32.into()])?;
/// let from: Vec<_> = made.iter().filter_map(|component| component.from).collect();
/// assert_eq!(from, [(0, 0), (0, 1), (1, 0)]);
/// # Ok::<(), ivy_taichi_types::TypeError>(())
/// ```
///
/// # Errors
/// [`TypeError::Components`] for another number of numbers, [`TypeError::Cast`] for a struct where numbers are expected: structs have no
/// casts.
pub fn construct(ty: Type, arguments: &[Type]) -> Result<Vec<Component>> {
    if arguments.is_empty() && ty.members().is_empty() {
        return Err(TypeError::Components { ty, expected: ty.leaves().len(), given: 0 });
    }
    let arguments: Vec<(usize, Type)> = arguments.iter().copied().enumerate().collect();
    build(ty, &arguments)
}

/// How a struct is made of arguments by name; the members that are not named are 0.
///
/// # Errors
/// [`TypeError::NoMember`], [`TypeError::DuplicateMember`], and as [`construct`] for each member.
pub fn construct_struct(ty: Type, arguments: &[(&str, Type)]) -> Result<Vec<Component>> {
    for (number, (name, _)) in arguments.iter().enumerate() {
        if !ty.members().iter().any(|member| member.name == *name) {
            return Err(TypeError::NoMember { ty, name: (*name).to_owned() });
        }
        if arguments[..number].iter().any(|(before, _)| before == name) {
            return Err(TypeError::DuplicateMember { name: (*name).to_owned() });
        }
    }
    let mut made = Vec::new();
    for member in ty.members() {
        let named = arguments.iter().enumerate().find(|(_, (name, _))| *name == member.name);
        let given: Vec<_> = named.map(|(number, (_, argument))| (number, *argument)).into_iter().collect();
        made.extend(build(member.ty, &given)?);
    }
    Ok(made)
}

fn build(ty: Type, arguments: &[(usize, Type)]) -> Result<Vec<Component>> {
    let ty = ty.compute_type();
    let leaves: Vec<PrimitiveType> = ty.leaves().into_iter().filter_map(Type::primitive).collect();
    let zeros = || leaves.iter().map(|&ty| Component { from: None, ty }).collect();
    match (ty.kind(), arguments) {
        // What a struct leaves out.
        (_, []) if !leaves.is_empty() => Ok(zeros()),
        // A struct of the same type is taken as it is.
        (TypeKind::Struct { .. }, &[(number, argument)]) if argument.compute_type() == ty => {
            Ok(leaves.iter().enumerate().map(|(n, &ty)| Component { from: Some((number, n)), ty }).collect())
        }
        (TypeKind::Struct { .. }, &[(number, argument)]) if argument.is_number() => {
            Ok(leaves.iter().map(|&ty| Component { from: Some((number, 0)), ty }).collect())
        }
        (TypeKind::Struct { members }, arguments) => {
            if arguments.len() > members.len() {
                let (expected, given) = (members.len(), arguments.len());
                return Err(TypeError::Components { ty, expected, given });
            }
            let mut made = Vec::new();
            for (number, member) in members.iter().enumerate() {
                let given = arguments.get(number..=number).unwrap_or(&[]);
                made.extend(build(member.ty, given)?);
            }
            Ok(made)
        }
        _ => numbers(ty, &leaves, arguments),
    }
}

/// A number, vector or matrix of the numbers of arguments.
fn numbers(ty: Type, leaves: &[PrimitiveType], arguments: &[(usize, Type)]) -> Result<Vec<Component>> {
    let mut given = Vec::new();
    for &(number, argument) in arguments {
        if argument.element().is_number() {
            given.extend((0..argument.leaves().len()).map(|n| (number, n)));
        } else {
            let rule = "structs have no casts: give their members";
            return Err(TypeError::Cast { op: "cast", from: argument, to: ty, rule });
        }
    }
    let fills = arguments.len() == 1 && given.len() == 1;
    if !fills && given.len() != leaves.len() {
        return Err(TypeError::Components { ty, expected: leaves.len(), given: given.len() });
    }
    let from = |n: usize| if fills { given[0] } else { given[n] };
    Ok(leaves.iter().enumerate().map(|(n, &ty)| Component { from: Some(from(n)), ty }).collect())
}
