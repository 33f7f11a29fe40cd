//! Flat arrays of the core, with their place in the graph of derivatives.

use crate::Result;
use crate::ad::Node;
use ivy_core::{Array, Context, Dtype, Scalar, Shape, context, functional as f};

/// A flat array, or a tensor's.
#[derive(Clone)]
pub(crate) struct Leaf {
    pub array: Array,
    pub node: Option<Node>,
}

impl Leaf {
    pub fn new(array: Array) -> Leaf {
        Leaf { array, node: None }
    }
}

/// An array of one value on the backend of another one.
pub(crate) fn full_beside(like: &Array, shape: &Shape, dtype: Dtype, value: Scalar) -> Result<Array> {
    let context = Context::new().backend(like.backend().clone());
    Ok(context::with(&context, || f::full(shape.clone(), value, f::Filled::new().dtype(dtype)))?)
}
