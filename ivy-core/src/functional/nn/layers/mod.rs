//! Layers: convolutions, pooling, attention, recurrence, resampling, windows.

mod attention;
mod conv;
mod conv_transpose;
mod dct_stft;
mod dropout;
mod embedding;
mod grid_sample;
mod im2col;
mod interpolate;
mod istft;
mod linear;
mod lstm;
mod multi_head;
mod pool;
mod shuffle;
mod spatial_axes;
mod windows;

pub use attention::{Attention, scaled_dot_product_attention};
pub use conv::{
    Conv, ConvGeneral, DepthwiseConv, conv_general_dilated, conv1d, conv2d, conv3d, depthwise_conv2d,
};
pub use conv_transpose::{
    ConvGeneralTranspose, ConvTranspose, conv_general_transpose, conv1d_transpose, conv2d_transpose,
    conv3d_transpose,
};
pub use dct_stft::{Dct, DctNorm, Stft, dct, stft};
pub use dropout::{ChannelDropout, Dropout, dropout, dropout1d, dropout2d, dropout3d};
pub use embedding::{Embedding, embedding};
pub use grid_sample::{AffineGrid, GridSample, SampleMode, SamplePadding, affine_grid, grid_sample};
pub use im2col::{Columns, col2im, im2col};
pub use interpolate::{Factors, Interpolate, InterpolateMode, IntoSizes, interpolate};
pub use istft::{Istft, istft};
pub use linear::{Linear, linear};
pub use lstm::{Lstm, LstmUpdate, lstm_update};
pub use multi_head::{AttentionAndWeights, MultiHeadAttention, multi_head_attention};
pub use pool::{
    AdaptivePool, AvgPool, MaxPool, adaptive_avg_pool1d, adaptive_avg_pool2d, adaptive_max_pool2d,
    avg_pool1d, avg_pool2d, avg_pool3d, max_pool1d, max_pool2d, max_pool3d,
};
pub use shuffle::{
    ChannelShuffle, Glu, PixelShuffle, PixelUnshuffle, channel_shuffle, glu, pixel_shuffle, pixel_unshuffle,
};
pub use spatial_axes::{DataFormat, FilterFormat, Padding, PerAxis};
pub use windows::{ReduceWindow, SlidingWindow, WindowReduction, reduce_window, sliding_window};

use super::{downcast, invalid, mismatch, upcast};
use crate::functional::permute_dims;
use crate::{Array, Result};

/// The array with its axes in another order; itself, if it is the same one.
fn ordered(x: &Array, axes: &[usize]) -> Result<Array> {
    if axes.iter().enumerate().all(|(i, &a)| i == a) {
        return Ok(x.clone());
    }
    permute_dims(x, axes.iter().map(|&a| a as i64).collect::<Vec<_>>())
}
