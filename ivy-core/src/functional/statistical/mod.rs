//! Reductions and cumulative reductions: sums, moments, extremes, quantiles, histograms.

mod average;
mod block_reduce;
mod covariance;
mod cummax_cummin;
mod cumulative;
mod histogram;
mod logcumsumexp;
pub(super) mod max_min;
mod nan_quantile;
mod nan_reductions;
pub(super) mod quantile;
pub(super) mod standard;

pub use average::*;
pub use block_reduce::*;
pub use covariance::*;
pub use cummax_cummin::*;
pub use cumulative::*;
pub use histogram::*;
pub use logcumsumexp::*;
pub use max_min::*;
pub use nan_quantile::*;
pub use nan_reductions::*;
pub use quantile::*;
pub use standard::*;
