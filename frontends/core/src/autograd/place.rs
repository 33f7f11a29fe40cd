//! Places in the graph, without the elements that stand there.

use super::graph::Edge;
use super::{backend, detached};
use ivy_core::Array;

/// A tensor's place in the graph of derivatives: where it comes from, if derivatives are taken to it.
///
/// ```
/// use ivy_core::{Array, functional as f};
/// use ivy_frontend::autograd::{self, Place};
/// # use ivy_backend_ndarray as _;
/// let x = autograd::require_grad(&Array::try_from([1.0f64, 2.0])?)?;
/// let other = Place::of(&x).with(&Array::try_from([3.0f64, 4.0])?);
/// let y = f::sum(f::square(&other)?, ())?;
/// autograd::backward(&[y], &[], autograd::Graph::Freed, None)?;
/// assert_eq!(autograd::grad_of(&x).unwrap().to_vec::<f64>()?, [6.0, 8.0]);
/// # Ok::<(), ivy_core::Error>(())
/// ```
#[derive(Clone)]
pub struct Place(Option<Edge>);

impl Place {
    /// Where a tensor is.
    pub fn of(x: &Array) -> Place {
        Place(backend::edge(x))
    }

    /// Elements in this place; a constant, if it is none of the graph.
    #[must_use]
    pub fn with(&self, elements: &Array) -> Array {
        let elements = detached(elements);
        match &self.0 {
            Some(edge) => backend::noted(&elements, Some(edge.clone())),
            None => elements,
        }
    }
}
