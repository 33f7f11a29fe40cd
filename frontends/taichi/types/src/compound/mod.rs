//! Values of several numbers: how they are made, and how their components are named.

mod construct;
mod swizzle;

pub use construct::{Component, construct, construct_struct};
pub use swizzle::{Swizzle, swizzle};
