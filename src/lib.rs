//! One functional array API in Rust over several engines, with the same dtype semantics on each.

#[cfg(feature = "candle")]
pub use ivy_backend_candle as candle;
#[cfg(feature = "frontends")]
pub mod frontends;
#[cfg(feature = "jit")]
pub use ivy_backend_jit as jit;
#[cfg(feature = "ndarray")]
pub use ivy_backend_ndarray as ndarray;
pub use ivy_backend_torch as torch;
pub use ivy_core::functional::*;
pub use ivy_core::*;
#[cfg(feature = "nn")]
pub use ivy_nn as nn;

/// Eager gradients: a graph that is recorded while operations run, and walked back from results to leaves. What the frontends'
/// `backward`, `GradientTape` and their like stand on, for programs without a frontend.
///
/// [`require_grad`](tape::require_grad) watches an array, and every operation of what is watched is recorded, unless within
/// [`no_grad`](tape::no_grad). [`backward`](tape::backward) adds gradients to the leaves, from which
/// [`grad_of`](tape::grad_of) reads them; [`grad`](tape::grad) gives them for chosen arrays;
/// [`retain_grad`](tape::retain_grad) keeps those of an intermediate result; [`register_hook`](tape::register_hook) sees and
/// replaces them; [`custom`](tape::custom) records a function with a pullback of its own. For derivatives of functions, see
/// [`grad`] and [`vjp`].
///
/// ```
/// use ivy::tape::{self, Graph};
/// # fn main() -> ivy::Result<()> {
/// let x = tape::require_grad(&ivy::asarray(vec![1.0, 2.0], ())?)?;
/// let y = ivy::sum(ivy::multiply(&x, ivy::exp(&x)?)?, ())?;
/// tape::backward(&[y], &[], Graph::Freed, None)?;
/// let gradient = tape::grad_of(&x).expect("x was watched").to_vec::<f64>()?;
/// assert!((gradient[0] - 2.0 * 1f64.exp()).abs() < 1e-12);
/// # Ok(())
/// # }
/// ```
#[cfg(feature = "frontends")]
pub mod tape {
    pub use ivy_frontend::autograd::{
        Graph, Hook, HookHandle, Node, Pullback, Unused, backward, custom, detached, enable_grad, grad,
        grad_of, grad_version, is_grad_enabled, is_leaf, no_grad, node_of, recordable, register_hook,
        require_grad, requires_grad, retain_grad, set_grad, set_grad_enabled, updated,
    };
}

/// The names that most programs need.
pub mod prelude {
    pub use ivy_core::functional::{
        All, Any, ArgMax, ArgMin, ArgSort, CountNonzero, CumulativeProd, CumulativeSum, Diff, IsIn, Max,
        Mean, Min, Prod, SearchSorted, Side, Sort, Std, Sum, Var,
    };
    pub use ivy_core::functional::{
        Arange, AsArrayParams, Concat, ContractedAxes, Eye, Filled, Flip, Indexing, Like, Linspace, Meshgrid,
        Repeat, Reshape, Roll, Softmax, Stack, Take, TakeAlongAxis, Tensordot, Triangle, Unstack, Vecdot,
    };
    pub use ivy_core::{Array, Context, Dtype, Expr, IntoOperand, Rules};
}

/// The programs of the book are run as tests.
#[cfg(doctest)]
mod book {
    #[doc = include_str!("../docs/tutorial.md")]
    mod tutorial {}
    #[doc = include_str!("../docs/rules.md")]
    mod rules {}
    #[doc = include_str!("../docs/support.md")]
    mod support {}
    #[doc = include_str!("../docs/kernels.md")]
    mod kernels {}
    #[doc = include_str!("../docs/frontends/numpy.md")]
    mod numpy {}
    #[doc = include_str!("../docs/frontends/torch.md")]
    mod torch {}
    #[doc = include_str!("../docs/frontends/jax.md")]
    mod jax {}
    #[doc = include_str!("../docs/frontends/tensorflow.md")]
    mod tensorflow {}
    #[doc = include_str!("../docs/frontends/paddle.md")]
    mod paddle {}
}
