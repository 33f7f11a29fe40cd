//! What rows of PyTorch's functions call where their language does not say it, and the functions of `torch.special`.

mod convolutions;
mod creation;
mod derivatives;
mod factors;
mod images;
mod indexing;
mod layers;
mod losses;
mod matrices;
mod numeric;
mod pools;
mod reductions;
mod reinterpretation;
mod scattering;
mod spectra;
mod support;

pub(crate) use convolutions::{conv, conv_transpose};
pub(crate) use creation::{
    bartlett, bernoulli, bernoulli_like, can_cast, cauchy, complex, drawn, element_size, generator,
    geometric, is_kind, is_signed, leaf, made, manual_seed, multinomial, normal, promote_types, randint,
    randint_like, random, randperm, range, result_type, scalar,
};
pub(crate) use derivatives::{
    backward, get_default_dtype, grad, is_recorded_number, set_default_dtype, set_requires_grad, written,
};
pub(crate) use factors::{cholesky_ex, inv_ex, lu, lu_factor, lu_factor_ex, lu_solve, lu_unpack, solve_ex};
pub(crate) use images::{interpolate, pad};
pub(crate) use indexing::{
    as_strided, cartesian_prod, chunk, combinations, cross, diag_embed, diagonal, item, lines, renorm,
    select, split, split_at, squeeze, to, tolist, trailing, unflatten,
};
// `logsumexp` is a function of `torch.special`.
pub(crate) use ivy_frontend::specials::logsumexp as log_sum_exp;
pub(crate) use ivy_frontend::specials::subgradients::clamp;
pub(crate) use ivy_frontend::specials::{
    bessel, detach, error_function, grad_of, gumbel_softmax, incomplete_gamma, is_grad_enabled, is_leaf,
    multivariate_lgamma, orthogonal_polynomial, requires_grad, retain_grad, set_grad_enabled,
};
pub(crate) use layers::{
    alpha_dropout, attention, batch_norm, bilinear, dropout, embedding, embedding_bag, instance_norm,
    local_response_norm, one_hot, pdist, rrelu,
};
pub(crate) use losses::{
    binary_cross_entropy, binary_cross_entropy_with_logits, cosine_embedding_loss, cross_entropy, ctc_loss,
    gaussian_nll_loss, multi_margin_loss, multilabel_margin_loss, multilabel_soft_margin_loss, nll_loss,
    triplet_margin_loss,
};
pub(crate) use matrices::{
    cholesky_inverse, cholesky_solve, cond, eigh, eigvalsh, householder_product, linalg_norm, logdet, lstsq,
    matrix_norm, matrix_rank, pinv, product, qr, solve, solve_triangular, svd, tensorinv, tensorsolve,
    vector_norm,
};
pub(crate) use numeric::{
    complex_sinc, double, entropy, gradient, log_softmax_along, prelu, reduced, rounded, scaled,
    softmax_along, weighted, x_log1p,
};
pub(crate) use pools::{adaptive_pool, avg_pool, lp_pool, max_pool, max_unpool};
pub(crate) use reductions::{
    bools, cummax, cummin, cumulative_trapezoid, dim_of, dims, histc, histogram, kthvalue, max, mean, median,
    min, mode, nanmean, narrow, nonzero, norm, quantile, searchsorted, sort, spread, sum_to_size, unique,
    unique_consecutive, windows,
};
pub(crate) use reinterpretation::{are_dtypes, viewed_as};
pub(crate) use scattering::{
    diagonal_scatter, gather, index_put, index_reduce, masked_select, scatter, scatter_reduce,
    select_scatter, slice_scatter,
};
pub(crate) use spectra::{fftn, hermitian_fftn, istft, stft};

pub use crate::functions::special::*;
