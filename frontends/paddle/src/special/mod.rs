//! What no row can say.

mod counts;
mod derivatives;
mod indexing;
mod interpolation;
mod layers;
mod losses;
mod norms;
mod shapes;

pub(crate) use counts::{
    element, histogram, kthvalue, lower_median, running, seed, tolist, unique, unique_consecutive,
};
pub(crate) use derivatives::{backward, clear_gradient, grad, gradient, leaf, stops_gradient, written};
pub(crate) use indexing::{crop, put_along_axis, scatter, slice, take_along_axis};
pub(crate) use interpolation::interpolate;
pub(crate) use ivy_frontend::specials::subgradients::clamp;
pub(crate) use ivy_frontend::specials::{
    bessel, complex, detach, gumbel_softmax, incomplete_gamma, is_grad_enabled, is_leaf, logsumexp,
    multivariate_lgamma, requires_grad, retain_grad, with_dtype,
};
pub(crate) use layers::{convolution, convolution_transpose, lengths, maxout, pad, pool};
pub(crate) use losses::{cross_entropy, nll_loss, reduced, softmax_with_cross_entropy};
pub(crate) use norms::{axis_of_three, cosine, matrix_norm, norm, vector_norm};
pub(crate) use shapes::{diag_embed, kept_lengths, squeeze, unflatten};
