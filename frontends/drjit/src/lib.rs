//! Dr.Jit's array types, rules, printing, memory operations, control flow and differentiation over ivy's arrays.
//!
//! An [`AnyArray`] has a type that is known when the program runs, an [`ArrayType`]; the modules [`scalar`], [`llvm`], [`cuda`] and their `ad`
//! name the types for the compiler ([`Typed`]). All functions take either, and host scalars beside them, and give an `AnyArray`; operators give
//! an [`Expr`], which keeps the first error.
//!
//! ```
//! use ivy_drjit::llvm::Float;
//! # use ivy_backend_ndarray as _; use ivy_backend_jit as _;
//! let x = Float::new([1.0, 0.5, 0.25])?;
//! let y = ivy_drjit::sqrt(1 - &x * &x)?;
//! assert_eq!(y.to_string(), "[0, 0.866025, 0.968246]");
//! # Ok::<(), ivy_drjit::Error>(())
//! ```

// The crate's own structs derive as those of its users do.
extern crate self as ivy_drjit;

mod ad;
mod array;
mod creation;
mod engine;
mod error;
mod flow;
mod freeze;
mod maths;
mod memory;
mod ops;
pub mod opt;
mod packages;
mod print;
mod random;
mod reductions;
mod scans;
mod shape;
mod signal;
mod slicing;
mod texture;
mod types;

pub use ad::{
    AdMode, CustomOp, GradScope, MultiOutputOp, accum_grad, backward, backward_from, backward_to, clear_grad,
    custom, custom_outputs, detach, disable_grad, enable_grad, enqueue, forward, forward_from, forward_to,
    grad, grad_enabled, is_recording, isolate_grad, replace_grad, resume_grad, resume_grad_of, set_grad,
    set_grad_enabled, suspend_grad, suspend_grad_of, traverse, wrap,
};
pub use array::{
    AnyArray, Arg, Borrowed, ComplexOf, Expr, FlatOf, IntoArg, Mark, MatrixOf, NestedOf, NestedXOf,
    QuaternionOf, TensorOf, Traverse, Typed,
};
pub use creation::{full_like, make_literal, make_opaque, ones_like, zeros_like};
pub use engine::{
    Counters, FlagScope, Jit, JitFlag, Launch, LogCallback, LogLevel, graphviz, is_same, log_level, pending,
    set_label, set_log_callback, set_log_level, variable_number,
};
pub use error::{Error, Result};
pub use flow::{
    Branch, Instances, Mode, Registry, Variables, as_condition, dispatch, eval, if_stmt, masked, switch,
    while_loop, while_loop_with_targets,
};
pub use freeze::{Frozen, freeze};
pub use maths::*;
pub use memory::{
    Exchanged, ReduceMode, ReduceOp, Swapped, gather, scatter, scatter_add, scatter_cas, scatter_exch,
    scatter_inc, scatter_reduce,
};
pub use ops::*;
pub use packages::{auto, cuda, cuda_ad, llvm, llvm_ad, scalar};
pub use print::{FormatArg, format, format_with_limit};
pub use random::{Draw, Generator, PCG32_SEQUENCE, PCG32_STATE, Pcg32, Philox4x32, Step, rng, shuffle};
pub use reductions::{
    Axis, all, any, argmax, argmin, argsort, count, max, mean, median, min, none, prod, sort, std, sum, var,
};
pub use scans::{
    block_prefix_reduce, block_prefix_sum, block_reduce, block_sum, compress, cumsum, prefix_reduce,
    prefix_sum,
};
pub use shape::{Order, concatenate, meshgrid, ravel, repeat, reshape, reverse, tile, unravel};
pub use signal::{Boundary, Convolution, Filter, convolve, resample};
pub use slicing::{Slice, set_slice, slice, slice_index};
pub use texture::{AnyTexture, FilterMode, Texture, WrapMode};
pub use types::{
    ArrayType, JitBackend, Kind, MAX_DEPTH, Package, Size, VarType, expr_t, has_backend, scalar_type,
};

/// ```
/// use ivy_drjit::{DrjitStruct, Traverse, llvm::ad::Float};
/// # use ivy_backend_ndarray as _; use ivy_backend_jit as _;
/// #[derive(Clone, DrjitStruct)]
/// struct Ray {
///     origin: Float,
///     time: Float,
///     #[drjit(skip)]
///     bounces: u32,
/// }
/// let mut paths = Vec::new();
/// Ray { origin: Float::new(1)?, time: Float::new(2)?, bounces: 0 }.paths("ray", &mut paths);
/// assert_eq!(paths, ["ray.origin", "ray.time"]);
/// # Ok::<(), ivy_drjit::Error>(())
/// ```
pub use ivy_drjit_macros::DrjitStruct;
/// [`Registry`] has an example.
pub use ivy_drjit_macros::dispatch;
/// ```
/// use ivy_drjit::{Result, eq, llvm::Int, syntax};
/// # use ivy_backend_ndarray as _; use ivy_backend_jit as _;
/// #[syntax]
/// fn collatz(start: &Int) -> Result<Int> {
///     let (mut place, mut steps) = (start.clone(), Int::new(0)?);
///     while place > 1 {
///         if eq(&place & 1, 1)? {
///             place = (&place * 3 + 1).get()?;
///         } else {
///             place >>= 1;
///         }
///         steps += 1;
///     }
///     Ok(steps)
/// }
/// assert_eq!(collatz(&Int::new([6, 1, 27])?)?.to_string(), "[8, 0, 111]");
/// # Ok::<(), ivy_drjit::Error>(())
/// ```
pub use ivy_drjit_macros::syntax;
