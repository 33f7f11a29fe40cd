//! What no row can say.

mod batches;
mod colours;
mod creation;
mod elementwise;
mod images;
mod layers;
mod linalg;
mod reductions;
mod resize;
mod shapes;
mod signal;
mod slices;

pub(crate) use batches::{batch_to_space, depth_to_space, space_to_batch, space_to_depth};
pub(crate) use colours::{adjusted, channels, convert_image_dtype, hsv_to_rgb, rgb_to_grayscale, rgb_to_hsv};
pub(crate) use creation::{
    constant, convert, ensure_shape, linspace, range, saturate_cast, set_seed, stateless_seed,
};
pub(crate) use elementwise::polygamma;
pub(crate) use images::{
    central_crop, crop, extract_patches, image_gradients, pad_to, per_image_standardization, psnr,
    resize_with_crop_or_pad, sobel_edges, total_variation,
};
pub(crate) use ivy_frontend::specials::subgradients::extreme;
pub(crate) use ivy_frontend::specials::{bessel, complex, incomplete_gamma, logsumexp, with_dtype};
pub(crate) use layers::{convolution, convolution_transpose, depthwise_convolution, pool};
pub(crate) use linalg::{
    clip_by_global_norm, global_norm, matmul, norm, normalize, svd, tensor_diag_part, vector_norm,
};
pub(crate) use reductions::{polyval, segments, unique, unsorted_segments};
pub(crate) use resize::resize;
pub(crate) use shapes::{dynamic_partition, dynamic_stitch, of_one_dtype, ones_of, pad, reverse_sequence};
pub(crate) use signal::{frame, inverse_stft, overlap_and_add, require_complex};
pub(crate) use slices::{selected, slice, strided_slice};
