//! Components of vectors by letters.

use crate::{Result, Type, TypeError};

/// The letters of components, in three sets that do not mix.
const SETS: [&str; 3] = ["xyzw", "rgba", "stpq"];
/// The most components of a name.
const MOST: usize = 4;

/// The components that a name such as `xy` or `bgr` means.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Swizzle {
    /// Which components, in order.
    pub components: Vec<usize>,
    /// The type: a number for one letter, else a vector.
    pub ty: Type,
    /// Whether it can be assigned to: no component is there twice.
    pub is_assignable: bool,
}

/// What a name of components means for a vector.
///
/// ```
/// use ivy_taichi_types::{PrimitiveType, Type, swizzle};
/// let vec3 = Type::vector(3, PrimitiveType::F32)?;
/// assert_eq!(swizzle(vec3, "zx")?.components, [2, 0]);
/// assert!(swizzle(vec3, "w").is_err());
/// # Ok::<(), ivy_taichi_types::TypeError>(())
/// ```
///
/// # Errors
/// [`TypeError::Swizzle`] for what is no vector, for letters of no set or of two, for more than four, and for a component that the vector
/// does not have.
pub fn swizzle(ty: Type, name: &str) -> Result<Swizzle> {
    let refuse = |rule| TypeError::Swizzle { ty, name: name.to_owned(), rule };
    let &[size] = ty.shape() else { return Err(refuse("only vectors have components by name")) };
    if name.is_empty() || name.chars().count() > MOST {
        return Err(refuse("names have one to four letters"));
    }
    let set = SETS.iter().find(|set| name.chars().all(|letter| set.contains(letter)));
    let set = set.ok_or_else(|| refuse("its letters are of `xyzw`, of `rgba` or of `stpq`"))?;
    let components: Vec<usize> = name.chars().filter_map(|letter| set.find(letter)).collect();
    if components.iter().any(|&component| component >= size) {
        return Err(refuse("the vector has fewer components"));
    }
    let is_assignable = (1..components.len()).all(|n| !components[..n].contains(&components[n]));
    let element = ty.element();
    let ty = match components.len() {
        1 => element,
        n => Type::vector(n, element)?,
    };
    Ok(Swizzle { components, ty, is_assignable })
}
