//! Functions with pullbacks of the program's own: PyTorch's `autograd.Function`.

use super::graph::{Custom, Edge, Edges, Made, Pullback, Rule, next_number};
use super::{backend, detached, differentiable, mode};
use ivy_core::Array;
use std::sync::Arc;

/// Records what a program has computed as one node with a pullback of its own: the outputs, as a part of the graph.
/// `records` says of which outputs gradients are taken. Without an input that requires a gradient, and under
/// [`no_grad`](super::no_grad), the outputs are constants.
///
/// ```
/// use ivy_core::{Array, functional as f};
/// use ivy_frontend::autograd::{self, Graph};
/// use std::sync::Arc;
/// # use ivy_backend_ndarray as _;
/// let x = autograd::require_grad(&Array::try_from([3.0f64])?)?;
/// // A straight-through estimator: rounding, with the gradient of the identity.
/// let y = f::round(autograd::detached(&x))?;
/// let straight = autograd::custom("Straight", &[x.clone()], vec![y], &[true], Arc::new(|_, g| Ok(g.to_vec())));
/// autograd::backward(&straight, &[], Graph::Freed, None)?;
/// assert_eq!(autograd::grad_of(&x).unwrap().to_vec::<f64>()?, [1.0]);
/// # Ok::<(), ivy_core::Error>(())
/// ```
pub fn custom(
    name: &str,
    inputs: &[Array],
    outputs: Vec<Array>,
    records: &[bool],
    pullback: Pullback,
) -> Vec<Array> {
    let edges: Edges = inputs.iter().map(backend::edge).collect();
    let outputs = outputs.iter().map(detached);
    if !mode::is_grad_enabled() || edges.iter().all(Option::is_none) {
        return outputs.collect();
    }
    let outputs: Vec<Array> = outputs.collect();
    let inputs = inputs.iter().map(|x| (x.dtype(), x.shape().clone())).collect();
    let custom = Custom { name: name.to_string(), pullback, inputs, edges };
    let made = Arc::new(Made::new(next_number(), Rule::Custom(custom.into()), outputs.len()));
    let noted = |(at, y): (usize, &Array)| {
        let records = records.get(at).copied().unwrap_or(true) && differentiable(y.dtype());
        backend::noted(y, records.then(|| Edge::Made(made.clone(), at)))
    };
    outputs.iter().enumerate().map(noted).collect()
}
