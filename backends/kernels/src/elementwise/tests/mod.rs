//! Tests of the element-wise kernels.

mod levels;
mod shapes;
mod truth;

use ivy_core::host::{Element, HostArray};

/// A one-dimensional array of the values.
fn array<T: Element>(values: &[T]) -> HostArray {
    HostArray::from_vec(values.to_vec(), values.len().into()).expect("the length is the shape's")
}
