//! The functional API: the Array API 2025.12 and Ivy's additions, one Rust function each.
//!
//! Operands are anything that is [`IntoOperand`](crate::IntoOperand): arrays, expressions and
//! host scalars. Keyword arguments are one struct a function, or `()` for the defaults. Dtypes
//! of different operands are promoted by the rules in force ([`crate::context`]).

#[macro_use]
mod describe;

mod compile;
mod control_flow;
mod creation;
mod data_type;
mod device;
pub(crate) mod einops;
pub(crate) mod einsum;
mod elementwise;
mod evaluation;
pub mod fft;
mod general;
mod gradients;
mod indexing;
pub mod inspection;
pub mod linalg;
mod manipulation;
mod nn;
mod numerical;
pub(crate) mod pattern_text;
mod precision;
mod random;
mod searching;
mod sets;
mod sorting;
mod statistical;
mod utility;
mod vmap;

pub use compile::{Compiled, compile};
pub use control_flow::*;
pub use creation::*;
pub use data_type::*;
pub use device::*;
pub use einops::{
    AxesLengths, EinopsRearrange, EinopsReduce, EinopsReduction, EinopsRepeat, einops_rearrange,
    einops_reduce, einops_repeat,
};
pub use einsum::{Einsum, einsum};
pub use elementwise::*;
pub use evaluation::{evaluate, synchronize, wait};
pub use general::*;
pub use gradients::*;
pub(crate) use indexing::active_lanes::scatter_of_lanes;
pub use indexing::*;
pub use linalg::*;
pub use manipulation::*;
pub use nn::*;
pub use numerical::*;
pub use random::*;
pub use searching::*;
pub use sets::*;
pub use sorting::*;
pub use statistical::*;
pub use utility::*;
pub use vmap::{Vmap, vmap, vmap_lists};
