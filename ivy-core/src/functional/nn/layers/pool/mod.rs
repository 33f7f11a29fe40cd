//! Pooling.

mod adaptive;
mod average;
mod first_extreme;
mod max;
mod window;

pub use adaptive::{AdaptivePool, adaptive_avg_pool1d, adaptive_avg_pool2d, adaptive_max_pool2d};
pub use average::{AvgPool, avg_pool1d, avg_pool2d, avg_pool3d};
pub use max::{MaxPool, max_pool1d, max_pool2d, max_pool3d};

pub(super) use adaptive::averaged;
pub(super) use window::{Fold, Window, padded};
