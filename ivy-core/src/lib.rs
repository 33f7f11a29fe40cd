//! The heart of ivy: dtypes and their promotion, arrays, functions, plans and dispatch.
//! It names no backend and no frontend; see ARCHITECTURE.md for the map.

mod active_mask;
pub mod array;
pub mod backend;
mod call;
pub mod context;
pub mod dtype;
mod error;
pub mod function;
pub mod functional;
pub mod hash;
pub mod host;
#[doc(hidden)]
pub mod internals;
pub mod interrupt;
pub mod io;
pub mod nest;
mod op;
pub mod origin;
pub mod plan;
mod primitive;
pub mod print;
pub mod promotion;
mod scalar;
pub mod shape;
pub mod support;
mod transform;

pub use array::{
    Array, AsArray, Ellipsis, Expr, Index, IndexInt, IndexRange, IntoOperand, Nested, New, Operand, load,
    load_npz, out, save, save_npz, set_backend_dynamic,
};
pub use backend::{Device, DeviceLike, Place};
pub use call::{call, call_arrays, call_scalar, call_weak, plan_call, plan_weak};
pub use context::{Context, Defaults, PreciseMode, set_backend, unset_backend, with, with_backend};
pub use context::{DefaultComplexDtype, DefaultDtype, DefaultFloatDtype, DefaultIntDtype, DefaultUintDtype};
pub use dtype::names as dtypes;
pub use dtype::{ComplexDtype, FloatDtype, IntDtype, MaybeDtype, UintDtype};
pub use dtype::{Dtype, DtypeLike, DtypeSet, FInfo, IInfo, Kind, finfo, iinfo};
pub use error::{Dtypes, Error, ErrorKind, Result};
pub use function::Function;
pub use nest::{
    Nest, Tree, index_nest, map_nest_at_index, nested_any, nested_argwhere, nested_map, set_nest_at_index,
};
pub use op::{
    ArrangedConv, AxisPad, AxisSlice, BinaryOp, ConvOp, ExchangeOp, FftOp, FftScale, LinalgOp, Op, ReduceOp,
    ScanOp, ScatterOp, Signature, UnaryOp,
};
pub use op::{PHILOX_CONSTANTS, PHILOX_ROUNDS, philox};
pub use promotion::Rules;
pub use scalar::{Scalar, ScalarKind};
pub use shape::{Dims, Shape};

pub(crate) use dtype::edit_distance as dtype_edit_distance;
