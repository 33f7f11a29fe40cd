//! The functional API: the Array API 2025.12 and Ivy's additions, one Rust function each.
//!
//! Operands are anything that is [`IntoOperand`](crate::IntoOperand): arrays, expressions and
//! host scalars. Keyword arguments are one struct a function, or `()` for the defaults. Dtypes
//! of different operands are promoted by the rules in force ([`crate::context`]).

#[macro_use]
mod describe;

mod angles;
mod averages;
mod bins;
mod blocks;
mod choices;
mod closeness;
mod compiled;
mod control_flow;

mod convolutions;
mod covariances;
mod creation;
mod cumulative;
mod cumulative_extremes;
mod data_type;
mod derivative_rules;
mod device;
mod differences;
mod einops;
mod einsum;
mod elementwise;
mod elementwise_keywords;
mod evaluation;
mod exchanging;
mod extremes;
pub mod fft;
mod flat_indices;
mod float_powers;
mod gathering;
mod general;
mod gradients;
mod histograms;
mod index_updates;
mod indexing;
pub mod inspection;
mod integration;
mod interpolated;
mod interpolation;
mod lanes;
mod lexical;
pub mod linalg;
mod linalg_more;
mod linear_algebra;
mod manipulation;
mod masks;
mod nan_quantiles;
mod nan_reductions;
mod nans;
mod nested_gradients;
mod nn;
mod pattern_text;
mod powers;
mod quantiles;
mod quotients;
mod random;
mod running_logs;
mod scan;
mod scatter_reduce;
mod scattering;
mod searching;
mod selection;
mod sets;
mod signs;
mod sorting;
mod special;
mod split_floats;
mod stable;
mod statistical;
mod turns;
mod unique_slices;
mod utility;
mod vmap;

pub use angles::*;
pub use averages::*;
pub use bins::*;
pub use blocks::{BlockPrefixReduce, BlockReduce, BlockReduction, block_prefix_reduce, block_reduce};
pub use choices::{Branch, switch, try_except};
pub use closeness::*;
pub use compiled::{Compiled, compile};
pub use control_flow::*;
pub use convolutions::{Convolve, Correlate, Overlap, convolve, correlate};
pub use covariances::*;
pub use creation::*;
pub use cumulative::*;
pub use cumulative_extremes::*;
pub use data_type::*;
pub use derivative_rules::{Keep, checkpoint, custom_jvp, custom_vjp};
pub use device::*;
pub use differences::*;
pub use einops::{
    AxesLengths, EinopsRearrange, EinopsReduce, EinopsReduction, EinopsRepeat, einops_rearrange,
    einops_reduce, einops_repeat,
};
pub use einsum::{Einsum, einsum};
pub use elementwise::*;
pub use elementwise_keywords::*;
pub use evaluation::{evaluate, synchronize, wait};
pub use exchanging::{
    Exchanged, ScatterCas, ScatterExch, ScatterInc, Swapped, scatter_cas, scatter_exch, scatter_inc,
};
pub use extremes::*;
pub use flat_indices::*;
pub use float_powers::*;
pub use gathering::{Gather, GatherNd, gather, gather_nd};
pub use general::*;
pub use gradients::{
    Linearized, Vjp, grad, hessian, jacfwd, jacobian, jacrev, jvp, jvp_with_aux, linearize, stop_gradient,
    value_and_grad, vjp, vjp_with_aux,
};
pub use histograms::*;
pub use index_updates::*;
pub use indexing::*;
pub use integration::*;
pub use interpolated::*;
pub use interpolation::*;
pub use lexical::*;
pub use linalg_more::*;
pub use linear_algebra::*;
pub use manipulation::*;
pub use masks::*;
pub use nan_quantiles::*;
pub use nan_reductions::*;
pub use nans::*;
pub use nested_gradients::{ExecuteWithGradients, execute_with_gradients};
pub use nn::*;
pub use powers::*;
pub use quantiles::*;
pub use quotients::*;
pub use random::*;
pub use running_logs::*;
pub use scan::{Scan, scan};
pub use scatter_reduce::{ScatterReduce, ScatterReduction, scatter_reduce};
pub use scattering::{Reduction, ScatterFlat, ScatterMode, ScatterNd, scatter_flat, scatter_nd};
pub use searching::*;
pub use selection::select;
pub use sets::*;
pub use signs::*;
pub use sorting::*;
pub use special::{Polygamma, erfinv, i0, polygamma, zeta};
pub use split_floats::*;
pub use stable::*;
pub use statistical::*;
pub use utility::*;
pub use vmap::{Vmap, vmap, vmap_lists};
