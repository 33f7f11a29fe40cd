//! Truth values of arrays.

use super::AnyArray;
use crate::{Error, Result};

impl AnyArray {
    /// The truth value of a mask of at most one element, as a condition of the host; nothing is false.
    ///
    /// # Errors
    /// [`Error::AmbiguousBool`] for several elements; [`Error::WrongType`] for what is no mask.
    pub fn to_bool(&self) -> Result<bool> {
        if !self.ty().is_mask_v() {
            let (function, argument, expected) = ("bool", "the array", "a mask".into());
            return Err(Error::WrongType { function, argument, expected, actual: self.ty() });
        }
        let (mut size, mut first) = (0, None);
        self.for_each_leaf(&mut |leaf| {
            size += leaf.array.size();
            first.get_or_insert_with(|| leaf.clone());
        });
        let nested = self.leaf().is_none();
        if nested && self.ty().is_jit_v() {
            let (function, argument, expected) = ("bool", "the array", "a flat mask".into());
            return Err(Error::WrongType { function, argument, expected, actual: self.ty() });
        }
        if size > 1 || nested && size == 0 {
            return Err(Error::AmbiguousBool { ty: self.ty(), size });
        }
        let first = first.map(|leaf| AnyArray::from_leaf(self.ty().leaf(), leaf));
        let values = first.map_or(Ok(Vec::new()), |x| x.to_scalars())?;
        Ok(values.first().is_some_and(|value| value.to_bool()))
    }
}
