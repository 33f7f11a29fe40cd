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
        let mut size = 0;
        self.for_each_leaf(&mut |leaf| size += leaf.array.size());
        if size > 1 || self.leaf().is_none() {
            return Err(Error::AmbiguousBool { ty: self.ty(), size });
        }
        Ok(self.to_scalars()?.first().is_some_and(|value| value.to_bool()))
    }
}
