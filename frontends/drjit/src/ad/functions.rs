//! Gradients of arrays, and of values that hold arrays.

use super::graph::{Node, new_leaf};
use super::traverse::{AdMode, ancestors, descendants, go};
use crate::array::{AnyArray, IntoArg, Traverse, full_beside};
use crate::{Error, Result};
use ivy_core::functional as f;

/// The value with gradients of its floats: variables of their own, whatever they were computed of.
///
/// ```
/// use ivy_drjit::{backward, enable_grad, grad, llvm::ad::Float, sum};
/// # use ivy_backend_ndarray as _; use ivy_backend_jit as _;
/// let a = enable_grad(&Float::new([1.0, 2.0, 3.0])?)?;
/// backward(&sum(&(&a * &a).ok()?, ())?)?;
/// assert_eq!(grad(&a)?.to_string(), "[2, 4, 6]");
/// # Ok::<(), ivy_drjit::Error>(())
/// ```
///
/// # Errors
/// None for arrays; those of a value's own [`Traverse`].
pub fn enable_grad<T: Traverse>(value: &T) -> Result<T> {
    set_grad_enabled(value, true)
}

/// The value without gradients.
///
/// # Errors
/// As [`enable_grad`].
pub fn disable_grad<T: Traverse>(value: &T) -> Result<T> {
    set_grad_enabled(value, false)
}

/// The value with or without gradients. Arrays of packages without differentiation, and integers, stay as they are.
///
/// # Errors
/// As [`enable_grad`].
pub fn set_grad_enabled<T: Traverse>(value: &T, enabled: bool) -> Result<T> {
    value.map(&mut |x| {
        let able = enabled && x.ty().is_diff_v() && x.ty().is_float_v();
        x.map_leaves(&mut |leaf| {
            let mut leaf = leaf.clone();
            leaf.node = able.then(|| new_leaf(&leaf.array));
            Ok(leaf)
        })
    })
}

/// The value without its part in the graph; the type stays.
///
/// # Errors
/// As [`enable_grad`].
pub fn detach<T: Traverse>(value: &T) -> Result<T> {
    disable_grad(value)
}

fn nodes<T: Traverse>(value: &T) -> Vec<Node> {
    let mut nodes = Vec::new();
    value.visit(&mut |x: &AnyArray| x.for_each_leaf(&mut |leaf| nodes.extend(leaf.node.clone())));
    nodes
}

/// Whether any array of the value has gradients.
pub fn grad_enabled<T: Traverse>(value: &T) -> bool {
    !nodes(value).is_empty()
}

/// The gradient: zeros where none was computed. It has no gradients itself.
///
/// # Errors
/// No memory.
pub fn grad<T: Traverse>(value: &T) -> Result<T> {
    value.map(&mut |x| {
        x.map_leaves(&mut |leaf| {
            let known = leaf.node.as_ref().and_then(Node::grad);
            let grad = known.map_or_else(|| f::zeros_like(&leaf.array, ()), Ok)?;
            Ok(crate::array::Leaf::new(grad))
        })
    })
}

/// Sets the gradient of an array that has some; `value` is converted to the array's type and size.
///
/// # Errors
/// Those of the conversion.
pub fn set_grad(x: &AnyArray, value: impl IntoArg) -> Result<()> {
    with_grad(x, x.ty().make(value)?, |node, grad| {
        node.set_grad(Some(grad.clone()));
        Ok(())
    })
}

/// Adds to the gradient of an array that has some.
///
/// # Errors
/// As [`set_grad`].
pub fn accum_grad(x: &AnyArray, value: impl IntoArg) -> Result<()> {
    with_grad(x, x.ty().make(value)?, Node::accumulate)
}

fn with_grad(
    x: &AnyArray,
    value: AnyArray,
    mut change: impl FnMut(&Node, &ivy_core::Array) -> Result<()>,
) -> Result<()> {
    let mut grads = Vec::new();
    value.for_each_leaf(&mut |leaf| grads.push(leaf.array.clone()));
    let mut nodes = Vec::new();
    x.for_each_leaf(&mut |leaf| nodes.push(leaf.node.clone()));
    for (node, grad) in nodes.iter().zip(grads) {
        if let Some(node) = node {
            let (_, shape) = node.kind();
            change(node, &f::broadcast_to(&grad, shape.clone())?)?;
        }
    }
    Ok(())
}

/// Forgets the gradients.
pub fn clear_grad<T: Traverse>(value: &T) {
    nodes(value).iter().for_each(|node| node.set_grad(None));
}

/// The value of one array with the part of another one in the graph (`dr.replace_grad`).
///
/// # Errors
/// [`Error::IncompatibleSizes`] for arrays of different sizes; [`Error::IncompatibleTypes`] for other types.
pub fn replace_grad(value: &AnyArray, from: &AnyArray) -> Result<AnyArray> {
    if value.ty() != from.ty() {
        let function = "replace_grad";
        return Err(Error::IncompatibleTypes { function, left: value.ty(), right: from.ty() });
    }
    let mut nodes = Vec::new();
    from.for_each_leaf(&mut |leaf| nodes.push((leaf.node.clone(), leaf.array.size())));
    let mut nodes = nodes.into_iter();
    value.map_leaves(&mut |leaf| {
        let (node, size) = nodes.next().unwrap_or((None, leaf.array.size()));
        if size != leaf.array.size() {
            let sizes = vec![leaf.array.size(), size];
            return Err(Error::IncompatibleSizes { function: "replace_grad", sizes });
        }
        Ok(crate::array::Leaf { array: leaf.array.clone(), node })
    })
}

/// Ones for gradients, from which a traversal starts.
fn begin<T: Traverse>(function: &'static str, value: &T) -> Result<Vec<Node>> {
    let mut found = Vec::new();
    value.visit(&mut |x: &AnyArray| {
        x.for_each_leaf(&mut |leaf| found.extend(leaf.node.clone().map(|node| (node, leaf.array.clone()))));
    });
    if found.is_empty() {
        return Err(Error::NotDifferentiable { function });
    }
    for (node, like) in &found {
        let (dtype, shape) = node.kind();
        node.set_grad(Some(full_beside(like, shape, dtype, 1.0.into())?));
    }
    Ok(found.into_iter().map(|(node, _)| node).collect())
}

/// Takes gradients from results, which get ones, back to the variables: [`backward_from`].
///
/// # Errors
/// As [`backward_from`].
pub fn backward<T: Traverse>(value: &T) -> Result<()> {
    go(AdMode::Backward, begin("backward", value)?)
}

/// Takes gradients from results, which get ones, back to all variables that they depend on.
///
/// # Errors
/// [`Error::NotDifferentiable`] for results that depend on none; those of the derivatives of the operations.
pub fn backward_from<T: Traverse>(value: &T) -> Result<()> {
    go(AdMode::Backward, begin("backward_from", value)?)
}

/// Takes the gradients that were set on results back to these variables, and gives theirs.
///
/// # Errors
/// As [`backward_from`].
pub fn backward_to<T: Traverse>(value: &T) -> Result<T> {
    let nodes = nodes(value);
    if nodes.is_empty() {
        return Err(Error::NotDifferentiable { function: "backward_to" });
    }
    go(AdMode::Backward, descendants(nodes))?;
    grad(value)
}

/// Takes gradients from variables, which get ones, to all that depends on them: [`forward_from`].
///
/// # Errors
/// As [`forward_from`].
pub fn forward<T: Traverse>(value: &T) -> Result<()> {
    go(AdMode::Forward, begin("forward", value)?)
}

/// Takes gradients from variables, which get ones, to all that depends on them.
///
/// # Errors
/// [`Error::NotDifferentiable`] for arrays without gradients; those of the derivatives of the operations.
pub fn forward_from<T: Traverse>(value: &T) -> Result<()> {
    go(AdMode::Forward, begin("forward_from", value)?)
}

/// Takes the gradients that were set on variables to these results, and gives theirs.
///
/// # Errors
/// As [`forward_from`].
pub fn forward_to<T: Traverse>(value: &T) -> Result<T> {
    let nodes = nodes(value);
    if nodes.is_empty() {
        return Err(Error::NotDifferentiable { function: "forward_to" });
    }
    let sources = ancestors(nodes).into_iter().filter(|node| node.is_leaf() && node.grad().is_some());
    go(AdMode::Forward, sources.collect())?;
    grad(value)
}
