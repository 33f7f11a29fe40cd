//! Models as plain values, and what trains them.
//!
//! A model is a struct whose arrays are its parameters: any type with `#[derive(ivy::Tree)]`. So
//! [`ivy_core::functional::value_and_grad`] gives a gradient of the same type, an optimiser ([`optim`]) makes the next
//! parameters of both, and a file ([`save`], [`load`]) has an entry for each array, named by its path. Nothing here is
//! changed in place; what a layer has beside its parameters (running statistics, random numbers) is given and given
//! back.
//!
//! ```
//! use ivy::nn::{self, Linear, optim::Sgd};
//! use ivy::prelude::*;
//!
//! let x = Array::try_from([[0.0f32], [1.0], [2.0]])?;
//! let y = Array::try_from([[1.0f32], [3.0], [5.0]])?;
//! let mut model = Linear::new(1, 1, &mut ivy::Generator::new(0))?;
//! let loss = |model: &Linear| ivy::mean(ivy::square(ivy::subtract(model.forward(&x)?, &y)?)?, ());
//! for _ in 0..200 {
//!     let gradient = ivy::grad(loss)(&model)?;
//!     model = Sgd::new(0.2).update(&model, &gradient)?;
//! }
//! assert!(loss(&model)?.item::<f32>()? < 1e-4);
//! # Ok::<(), ivy::Error>(())
//! ```

mod file;
mod init;
mod layers;
pub mod optim;

pub use file::{from_bytes, load, save, to_bytes};
pub use init::{Fans, constant, glorot_normal, glorot_uniform, he_normal, he_uniform, lecun_normal};
pub use layers::{
    Activation, BatchNorm, Conv2d, Dropout, Embedding, Layer, LayerNorm, Linear, Lstm, Mode,
    MultiHeadAttention, RunningStatistics, Sequential,
};

use ivy_core::{Array, Error, ErrorKind, Result, Shape};

/// The error of an argument that breaks a rule.
fn invalid(
    function: &'static str,
    argument: &'static str,
    value: impl ToString,
    rule: &'static str,
) -> Error {
    ErrorKind::InvalidArgument { function, argument, value: value.to_string(), rule }.into()
}

/// Refuses an input whose axis has not the length that a layer has.
fn check_features(function: &'static str, x: &Array, axis: usize, features: usize) -> Result<()> {
    let shape: &Shape = x.shape();
    let at = shape.len().checked_sub(axis);
    if at.is_some_and(|at| shape[at] == features) {
        return Ok(());
    }
    let place = if axis == 1 { "the last axis" } else { "the axis of channels" };
    let (expected, actual) = (format!("{features} elements along {place}"), shape.clone());
    Err(ErrorKind::ShapeMismatch { function, argument: "x", expected, actual }.into())
}
