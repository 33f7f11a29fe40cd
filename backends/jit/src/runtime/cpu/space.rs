//! The iteration space of a launch: rows of elements, and how each input walks along them.

use crate::ir::{Access, Param};
use ivy_core::Dims;
use ivy_core::host::HostView;
use smallvec::SmallVec;
use std::marker::PhantomData;

/// How an input is walked. Strides count elements.
#[derive(Clone, Debug)]
pub(super) struct Walk {
    pub(super) first: *const u8,
    pub(super) bytes: usize,
    pub(super) outer: Dims<isize>,
    pub(super) inner: isize,
}

/// Rows of `inner` elements, for each index of the `outer` axes; results are row-major. Axes
/// that every input walks alike are one.
///
/// It is made of views only, so that every address it leads to lies within their memory.
#[derive(Clone, Debug)]
pub struct Space<'a> {
    pub(super) outer: Dims,
    pub(super) inner: usize,
    pub(super) inputs: SmallVec<[Walk; 6]>,
    memory: PhantomData<&'a [u8]>,
}

// SAFETY: the addresses are of shared memory that is only read while the borrow lasts.
unsafe impl Sync for Space<'_> {}

impl<'a> Space<'a> {
    /// The space of a shape; `None` if an input has another shape.
    pub fn new(shape: &[usize], inputs: &[HostView<'a>]) -> Option<Space<'a>> {
        if inputs.iter().any(|v| v.shape() != shape) {
            return None;
        }
        let uniform = |v: &HostView<'_>| v.strides().iter().all(|&s| s == 0);
        if inputs.iter().all(|v| uniform(v) || v.is_contiguous()) {
            let walks = inputs.iter().map(|v| walk(v, Dims::new(), isize::from(!uniform(v)))).collect();
            let inner = shape.iter().product();
            return Some(Space { outer: Dims::new(), inner, inputs: walks, memory: PhantomData });
        }
        // The axes, outermost first, each merged into the one before where all inputs allow.
        let mut lengths = Dims::<usize>::new();
        let mut strides: SmallVec<[Dims<isize>; 6]> = inputs.iter().map(|_| Dims::new()).collect();
        for (axis, &length) in shape.iter().enumerate() {
            if length == 1 {
                continue;
            }
            let merges = lengths.last().is_some()
                && inputs
                    .iter()
                    .zip(&strides)
                    .all(|(v, s)| s.last() == Some(&(v.strides()[axis] * length as isize)));
            if let (true, Some(last)) = (merges, lengths.last_mut()) {
                *last *= length;
                strides.iter_mut().for_each(|s| s.truncate(s.len() - 1));
            } else {
                lengths.push(length);
            }
            inputs.iter().zip(&mut strides).for_each(|(v, s)| s.push(v.strides()[axis]));
        }
        let inner = lengths.pop().unwrap_or(1);
        let walks = inputs.iter().zip(strides).map(|(v, mut s)| {
            let inner = s.pop().unwrap_or(0);
            walk(v, s, inner)
        });
        Some(Space { inner, inputs: walks.collect(), outer: lengths, memory: PhantomData })
    }

    /// How a kernel for this space finds the elements of an input.
    pub fn access(&self, input: usize) -> Access {
        match self.inputs[input].inner {
            0 => Access::Uniform,
            1 => Access::Linear,
            _ => Access::Strided,
        }
    }

    /// The number of rows.
    pub fn rows(&self) -> usize {
        self.outer.iter().product()
    }

    /// The elements of a row.
    pub fn row(&self) -> usize {
        self.inner
    }

    /// True if a kernel with these parameters, the inputs first, may run over this space.
    pub(super) fn fits(&self, params: &[Param]) -> bool {
        params.len() > self.inputs.len()
            && params[self.inputs.len()..].iter().all(|p| p.access == Access::Out)
            && params.iter().zip(&self.inputs).enumerate().all(|(i, (p, w))| {
                p.bytes() == w.bytes && (p.access == self.access(i) || p.access == Access::Strided)
            })
    }
}

fn walk(view: &HostView<'_>, outer: Dims<isize>, inner: isize) -> Walk {
    Walk { first: view.as_ptr(), bytes: view.dtype().bytes(), outer, inner }
}
