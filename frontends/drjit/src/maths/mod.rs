//! Complex numbers, quaternions, matrices, and functions over arrays.

pub(crate) mod complex;
mod fields;
pub(crate) mod matrix;
mod morton;
pub(crate) mod quaternion;
mod rotations;
mod search;
mod spherical;
mod transforms;
mod vectors;

pub use fields::{arg, conj};
pub use matrix::{det, diag, frob, matmul, polar_decomp, trace, transpose};
pub use morton::{morton_decode, morton_encode};
pub use quaternion::{quat_apply, slerp};
pub use rotations::{euler_to_quat, matrix_to_quat, quat_to_euler, quat_to_matrix, rotate};
pub use search::binary_search;
pub use spherical::sh_eval;
pub use transforms::{transform_compose, transform_decompose};
pub use vectors::{abs_dot, cross, dot, norm, normalize, squared_norm, unit_angle};
