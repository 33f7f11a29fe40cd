//! The functional API: the Array API 2025.12 and Ivy's additions, one Rust function each.
//!
//! Operands are anything that is [`IntoOperand`](crate::IntoOperand): arrays, expressions and
//! host scalars. Keyword arguments are one struct a function, or `()` for the defaults. Dtypes
//! of different operands are promoted by the rules in force ([`crate::context`]).

#[macro_use]
mod describe;

mod angles;
mod blocks;
mod choices;
mod closeness;
mod compiled;
mod control_flow;

mod covariances;
mod creation;
mod cumulative;
mod cumulative_extremes;
mod data_type;
mod derivative_rules;
mod device;
mod einsum;
mod elementwise;
mod evaluation;
mod exchanging;
pub mod fft;
mod gathering;
mod general;
mod gradients;
mod histograms;
mod indexing;
pub mod inspection;
mod integration;
mod interpolation;
mod lanes;
pub mod linalg;
mod linalg_more;
mod linear_algebra;
mod manipulation;
mod nan_reductions;
mod nans;
mod nn;
mod pattern_text;
mod powers;
mod quantiles;
mod quotients;
mod random;
mod scattering;
mod searching;
mod sets;
mod signs;
mod sorting;
mod split_floats;
mod statistical;
mod turns;
mod utility;
mod vmap;

pub use angles::*;
pub use blocks::{BlockPrefixReduce, BlockReduce, BlockReduction, block_prefix_reduce, block_reduce};
pub use choices::{Branch, switch, try_except};
pub use closeness::*;
pub use compiled::{Compiled, compile};
pub use control_flow::*;
pub use covariances::*;
pub use creation::*;
pub use cumulative::*;
pub use cumulative_extremes::*;
pub use data_type::*;
pub use derivative_rules::{Keep, checkpoint, custom_jvp, custom_vjp};
pub use device::*;
pub use einsum::{Einsum, einsum};
pub use elementwise::*;
pub use evaluation::{evaluate, synchronize, wait};
pub use exchanging::{
    Exchanged, ScatterCas, ScatterExch, ScatterInc, Swapped, scatter_cas, scatter_exch, scatter_inc,
};
pub use gathering::{Gather, GatherNd, gather, gather_nd};
pub use general::*;
pub use gradients::{Vjp, grad, hessian, jacobian, jvp, stop_gradient, value_and_grad, vjp};
pub use histograms::*;
pub use indexing::*;
pub use integration::*;
pub use interpolation::*;
pub use linalg_more::*;
pub use linear_algebra::*;
pub use manipulation::*;
pub use nan_reductions::*;
pub use nans::*;
pub use nn::*;
pub use powers::*;
pub use quantiles::*;
pub use quotients::*;
pub use random::*;
pub use scattering::{Reduction, ScatterFlat, ScatterMode, ScatterNd, scatter_flat, scatter_nd};
pub use searching::*;
pub use sets::*;
pub use signs::*;
pub use sorting::*;
pub use split_floats::*;
pub use statistical::*;
pub use utility::*;
pub use vmap::{Vmap, vmap};
