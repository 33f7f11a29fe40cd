//! The functional API: the Array API 2025.12 and Ivy's additions, one Rust function each.
//!
//! Operands are anything that is [`IntoOperand`](crate::IntoOperand): arrays, expressions and
//! host scalars. Keyword arguments are one struct a function, or `()` for the defaults. Dtypes
//! of different operands are promoted by the rules in force ([`crate::context`]).

#[macro_use]
mod describe;

mod activations;
mod blocks;
mod choices;
mod compiled;
mod control_flow;
mod creation;
mod cumulative;
mod data_type;
mod elementwise;
mod evaluation;
mod exchanging;
pub mod fft;
mod gathering;
mod gradients;
mod indexing;
pub mod inspection;
mod lanes;
pub mod linalg;
mod linear_algebra;
mod manipulation;
mod nn;
mod random;
mod scattering;
mod searching;
mod sets;
mod sorting;
mod statistical;
mod turns;
mod utility;

pub use activations::*;
pub use blocks::{BlockPrefixReduce, BlockReduce, BlockReduction, block_prefix_reduce, block_reduce};
pub use choices::{Branch, switch, try_except};
pub use compiled::{Compiled, compile};
pub use control_flow::*;
pub use creation::*;
pub use cumulative::*;
pub use data_type::*;
pub use elementwise::*;
pub use evaluation::{evaluate, synchronize, wait};
pub use exchanging::{
    Exchanged, ScatterCas, ScatterExch, ScatterInc, Swapped, scatter_cas, scatter_exch, scatter_inc,
};
pub use gathering::{Gather, GatherNd, gather, gather_nd};
pub use gradients::{Vjp, grad, hessian, jacobian, jvp, stop_gradient, value_and_grad, vjp};
pub use indexing::*;
pub use linear_algebra::*;
pub use manipulation::*;
pub use nn::*;
pub use random::*;
pub use scattering::{Reduction, ScatterFlat, ScatterMode, ScatterNd, scatter_flat, scatter_nd};
pub use searching::*;
pub use sets::*;
pub use sorting::*;
pub use statistical::*;
pub use utility::*;
