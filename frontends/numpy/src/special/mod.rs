//! What no row can say: code that the tables call as `special.NAME(...)`, by chapters.

mod arrays;
mod bits;
mod casts;
mod creation;
mod distributions;
mod dtypes;
mod edits;
mod elementwise;
mod grids;
mod help;
mod histograms;
mod indexing;
mod joins;
mod linalg;
mod mathematics;
mod moments;
mod norms;
mod pads;
mod polynomials;
mod products;
mod quantiles;
mod random;
mod reductions;
mod rules_of_bins;
mod sampling;
mod sets;
mod shapes;
mod slopes;
mod sorting;
mod spectra;
mod statistics;
mod strides;
mod text;
mod transforms;
mod writing;

pub(crate) use arrays::{
    byteswap, device_name, getitem, item, itemsize, resize_zeros, setitem, spread, strides, to_device,
    to_number, tolist, view,
};
pub(crate) use bits::{packbits, unpackbits};
pub(crate) use casts::{
    as_dtype, as_given, can_cast, cast, cast_each, cast_into, in_dtype_of, inexact, matrices, squares, truths,
};
pub(crate) use creation::{
    arange, array, device, dimensions, dtype_like, finite_array, from_entries, from_text, full, geomspace,
    linspace, logspace, shape_like,
};
pub(crate) use dtypes::{
    common_type, is_complex, isdtype, min_scalar_type, mintypecode, result_type, typename,
};
pub(crate) use edits::{delete, insert, trim_zeros};
pub(crate) use elementwise::{
    as_float, base, beside_number, bitwise_count, cbrt, conjugate, extremum, float_power, frexp, mantissa,
    number, of_truths, order, power_of_two, reciprocal, rint, spacing, whole, wrapped,
};
pub(crate) use grids::{block, diag_indices_from, grid_indices, meshgrid, open_mesh, triangle, vander};
pub(crate) use histograms::{bincount, histogram, histogram_bin_edges, histogram2d, histogramdd};
pub(crate) use indexing::{
    choose, compress, last_axes, piecewise, ravel_multi_index, select, take, take_along_axis, unravel_index,
};
pub(crate) use joins::{at_least, broadcast_arrays, broadcast_shapes, column_stack, hstack, repeat, split};
pub(crate) use linalg::{lstsq, matrix_power, multi_dot, pinv, qr, solve, tensorinv, tensorsolve};
pub(crate) use mathematics::{
    angle, array_equal, array_equiv, clip, i0, imag, interp, is_infinite, isclose, nan_to_num, real,
    real_if_close, round, sinc, unwrap,
};
pub(crate) use moments::{ddof, moment};
pub(crate) use norms::{cond, matrix_rank, norm};
pub(crate) use pads::pad;
pub(crate) use polynomials::{poly, polyadd, polyder, polydiv, polyfit, polyint, polymul, polyval, roots};
pub(crate) use products::{cross, dot, einsum, inner, kron, matmul, matvec, tensordot, vecdot, vecmat};
pub(crate) use quantiles::quantile;
pub(crate) use random::{default_rng, draw, seed, size_or, spawn};
pub(crate) use reductions::{complex_place, extreme, nan_place, total, without_nan};
pub(crate) use sampling::{
    choice, dirichlet, integers, multinomial, multivariate_normal, permutation, permuted, shuffle,
};
pub(crate) use sets::{difference, ediff1d, intersection, isin, symmetric_difference, union, unique};
pub(crate) use shapes::{reshape, resize, roll, rollaxis, size, squeeze};
pub(crate) use slopes::{diff, gradient, trapezoid};
pub(crate) use sorting::{
    argpartition, argsort, argwhere, digitize, lexsort, partition, searchsorted, sort, sort_complex,
};
pub(crate) use spectra::{eig, hermitian};
pub(crate) use statistics::{average, convolve, corrcoef, correlate, cov};
pub(crate) use strides::{as_strided, diagonal, sliding_window_view};
pub(crate) use text::{base_repr, binary_repr};
pub(crate) use transforms::{as_narrow, fft_axes, fftshift, ifftshift, signal, spectrum};
pub(crate) use writing::{copyto, fill_diagonal, place, put, put_along_axis, putmask};
