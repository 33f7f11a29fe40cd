//! The functions that no row can say: rows call them as `special.NAME(...)`.

mod convolutions;
mod creation;
mod histograms;
mod lax;
mod linalg;
mod methods;
mod nn;
mod numbers;
mod padding;
mod quantiles;
mod random;
mod reductions;
mod searching;
mod shapes;
mod slices;
mod sorting;
mod support;
mod updates;

pub(crate) use convolutions::{conv_transpose, convolution};
pub(crate) use creation::{
    astype, full, full_like, geomspace, indices, iota, ix, linspace, make, resize, sparse_grid, triangle,
};
pub(crate) use histograms::{bincount, digitize, histogram, histogram_bin_edges};
pub(crate) use ivy_frontend::specials::multivariate_lgamma;
pub(crate) use lax::{
    bessel, bitcast, broadcast_in_dim, broadcast_to_rank, clamp, collapse, complex, concatenate_alike,
    convert, cumlogsumexp, error_function, floating, incomplete_gamma, integral, lax_pow, pad_within,
    polygamma, reduce_bits, reduce_precision, round_away, same_operands, select_n, split_sizes,
};
pub(crate) use linalg::{
    batch_matmul, cholesky, cond, cross, dot, einsum, general, lstsq, matrix_rank, norm, products, qr, solve,
    symmetric, tensordot, tensorinv, tensorsolve, trace, vecdot,
};
pub(crate) use methods::{item, itemsize, method_reshape, tolist, wait};
pub(crate) use nn::{
    attention, gelu, glu, log_softmax, log1mexp, logmeanexp, logsumexp, one_hot, softmax, sparse_plus,
    standardize,
};
pub(crate) use numbers::{
    array_equal, bit_count, clip, leading_zeros, polyder, polyint, round, shift_right, strong,
    to_inexact as inexact, typed_as,
};
pub(crate) use padding::pad;
pub(crate) use quantiles::quantile;
pub(crate) use random::*;
pub(crate) use reductions::{
    average, covariance, cumulative, diff, gradient, mean, nan_extreme, nan_variance, not_nan, reduce,
    variance, without_nan,
};
pub(crate) use searching::{
    argwhere, choose, compress, diagonal, nonzero, place, put, put_along_axis, read, select, take,
    take_along_axis, unravel_index, where_,
};
pub(crate) use shapes::{
    append, atleast, block, concatenate, delete, ediff1d, insert, joined, reshape, roll, rollaxis, size,
    split, squeeze, tile,
};
pub(crate) use slices::{
    dynamic_index_in_dim, dynamic_slice, dynamic_slice_in_dim, dynamic_update_index_in_dim,
    dynamic_update_slice, dynamic_update_slice_in_dim, index_in_dim, index_take, slice, slice_in_dim,
};
pub(crate) use sorting::{
    argpartition, complex_of, extreme, indices_of, intersect1d, lax_sort, lexsort, nan_arg, ordered,
    partition, searchsorted, setdiff1d, setxor1d, sort, top_k, unique,
};
pub(crate) use updates::{fill_diagonal, update};
