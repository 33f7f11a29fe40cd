//! Arrays of a frontend in trees of arrays: what transformations differentiate by, map over and compile.

use crate::{Framework, Tensor, TypedArray};
use ivy_core::Result;
use ivy_core::nest::{Change, Path, Tree, Visit};
use std::cell::RefCell;

thread_local! {
    /// What [`weak_types`] has found so far, while it looks.
    static FOUND: RefCell<Option<Vec<bool>>> = const { RefCell::new(None) };
}

/// Which of a tree's arrays are weakly typed, of those of frontends, in order.
///
/// # Errors
/// Those of [`Tree::arrays`].
pub fn weak_types<T: Tree>(tree: &T) -> Result<Vec<bool>> {
    let outer = FOUND.replace(Some(Vec::new()));
    let walked = tree.arrays();
    let found = FOUND.replace(outer);
    walked.map(|_| found.unwrap_or_default())
}

impl<F: Framework> Tree for Tensor<F> {
    fn flatten_at(&self, path: &mut Path, visit: Visit<'_>) -> Result<()> {
        FOUND.with_borrow_mut(|found| found.iter_mut().for_each(|found| found.push(self.weak_type())));
        self.ivy_array().flatten_at(path, visit)
    }

    fn map_arrays_at(&self, path: &mut Path, change: Change<'_>) -> Result<Self> {
        let array = self.ivy_array().map_arrays_at(path, change)?;
        Ok(Tensor::from(TypedArray { array, weak: self.weak_type() }))
    }
}
