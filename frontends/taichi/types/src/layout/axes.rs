//! Axes, written by letters from `i`.

use super::LayoutError;
use std::fmt;

/// How many axes there are: `i` to `t`.
pub const MAX_AXES: usize = 12;

/// Some axes, each once, in the order in which they were written.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Axes(Vec<u8>);

impl Axes {
    /// The axes of letters, such as `ij`.
    ///
    /// # Errors
    /// [`LayoutError::UnknownAxis`] for a letter that is none of `i` to `t`, [`LayoutError::RepeatedAxis`].
    pub fn parse(text: &str) -> Result<Axes, LayoutError> {
        let mut axes = Vec::new();
        for letter in text.chars() {
            let axis = (letter as u32).checked_sub('i' as u32).filter(|&axis| (axis as usize) < MAX_AXES);
            let axis = axis.ok_or(LayoutError::UnknownAxis { letter })? as u8;
            if axes.contains(&axis) {
                return Err(LayoutError::RepeatedAxis { letter });
            }
            axes.push(axis);
        }
        Ok(Axes(axes))
    }

    /// The first axes: `i`, `ij`, `ijk` and so on.
    ///
    /// # Errors
    /// [`LayoutError::TooManyAxes`].
    pub fn first(count: usize) -> Result<Axes, LayoutError> {
        match count {
            0..=MAX_AXES => Ok(Axes((0..count as u8).collect())),
            _ => Err(LayoutError::TooManyAxes { count }),
        }
    }

    /// The axes by number.
    pub fn numbers(&self) -> &[u8] {
        &self.0
    }
}

/// The letter of an axis.
pub(crate) fn letter(axis: u8) -> char {
    char::from(b'i' + axis)
}

impl fmt::Display for Axes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|&axis| write!(f, "{}", letter(axis)))
    }
}
