//! What neural networks are made of.

mod layers;

pub use layers::*;
