//! A launch over one row, made ready to be done again on other memory: all but the addresses stays.
//!
//! # Invariants
//!
//! - `arguments` has one argument for each input of the kernel: those of literals lead to `words`,
//!   the others are of no use until a repetition puts the address of its view there.
//! - The strides in `arguments`, and the accesses of the kernel's parameters, are those of views with
//!   the shape and the strides that are kept here, as [`Space`] found them.

use super::Space;
use super::launch::{Arguments, Written, arguments, range, results, unfit};
use super::tasks::are_always_worth;
use crate::codegen::Ready;
use crate::ir::Access;
use ivy_core::host::{HostView, UniqueBuffer};
use ivy_core::{Dims, Dtype, Result, Shape};
use smallvec::SmallVec;
use std::sync::Arc;

/// A launch to be done again.
pub struct Prepared {
    ready: Arc<Ready>,
    operations: usize,
    shape: Shape,
    row: usize,
    arguments: Arguments,
    /// The inputs that are no literals: number, dtype, strides.
    arrays: SmallVec<[(usize, Dtype, Dims<isize>); 4]>,
    /// The literals.
    _words: Box<[[u64; 2]]>,
}

// SAFETY: the addresses lead to the literals, which are only read and belong to this.
unsafe impl Send for Prepared {}
// SAFETY: as above.
unsafe impl Sync for Prepared {}

impl Prepared {
    /// A launch over the space of these inputs, for each of which there is the literal that it is, if
    /// it is one. `None` for what is no single row for one thread, written within the caches: that is
    /// launched as any other.
    pub fn new(
        ready: Arc<Ready>,
        operations: usize,
        space: &Space<'_>,
        views: &[HostView<'_>],
        literals: impl Iterator<Item = Option<[u64; 2]>>,
    ) -> Option<Prepared> {
        let (results, elements) = (ready.params.get(views.len()..)?, space.rows() * space.row());
        let plain =
            !space.folds_columns() && space.is_row() && results.iter().all(|p| p.access == Access::Out);
        let parallel = are_always_worth(&*ready.code, elements);
        if !plain || !space.fits(&ready.params) || space.is_guarded() || parallel || elements == 0 {
            return None;
        }
        let literals: Vec<Option<[u64; 2]>> = literals.collect();
        let words: Box<[[u64; 2]]> = literals.iter().copied().flatten().collect();
        let (mut arguments, mut next, mut arrays) = (arguments(space), words.iter(), SmallVec::new());
        for (number, (argument, literal)) in arguments.iter_mut().zip(&literals).enumerate() {
            match literal {
                Some(_) => argument.base = next.next()?.as_ptr().cast_mut().cast(),
                None => {
                    let view = views.get(number)?;
                    arrays.push((number, view.dtype(), Dims::from_slice(view.strides())));
                }
            }
        }
        let shape = views.first()?.shape().iter().copied().collect();
        (literals.len() == views.len()).then(|| Prepared {
            operations,
            shape,
            row: space.row(),
            arguments,
            arrays,
            _words: words,
            ready,
        })
    }

    /// The kernel.
    pub fn kernel(&self) -> &Ready {
        &self.ready
    }

    /// The operations of the trace in it.
    pub fn operations(&self) -> usize {
        self.operations
    }

    /// The results, for these arrays in the place of the inputs that are no literals.
    ///
    /// # Errors
    /// No memory; [`ivy_core::ErrorKind::InvalidArgument`] for views of another dtype, shape or order.
    pub fn run(&self, views: &[HostView<'_>]) -> Result<SmallVec<[Written; 1]>> {
        let mut all = self.arguments.clone();
        if views.len() != self.arrays.len() {
            return Err(unfit(&views));
        }
        for ((number, dtype, strides), view) in self.arrays.iter().zip(views) {
            let same = view.dtype() == *dtype && *view.shape() == *self.shape && *view.strides() == **strides;
            if !same {
                return Err(unfit(view));
            }
            all[*number].base = view.as_ptr().cast_mut();
        }
        let params = &self.ready.params;
        let results = results(&params[all.len()..], self.row, &mut all)?;
        // SAFETY: the inputs are views, or literals, with the strides for which the kernel's
        // accesses were chosen, and have every element of the row; the results are as long.
        unsafe { range(&*self.ready.code, params, &all, 1, 0..self.row) };
        // SAFETY: every element of every result has been written.
        let written = |buffer: UniqueBuffer| Written { buffer: unsafe { buffer.assume_init() }, first: 0 };
        Ok(results.into_iter().map(written).collect())
    }
}
