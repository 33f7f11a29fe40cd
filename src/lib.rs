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
