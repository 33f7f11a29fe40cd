//! `torch.nn`: modules, over the functions of [`functional`].
//!
//! A module is a struct of parameters, buffers and modules; [`module!`] makes one of a struct of your own. Arguments without a default
//! come by position, the others by name, as everywhere in this crate: `Conv2d::new(1, 16, 3, kw! { padding: 1 })`. Tensors are values, so
//! what writes to a module (an optimiser, running statistics, `train`) has it by `&mut`.

mod arguments;
mod attention;
mod batch_norm;
mod cells;
mod containers;
mod conv;
mod functions;
pub mod init;
mod linear;
mod losses;
mod module;
mod norm;
mod padding;
mod parts;
mod recurrent;
mod stored;

pub use crate::functions::nn::functional;
pub use crate::module;
pub(crate) use arguments::refuse;
pub use attention::{Mask, MultiheadAttention, TransformerEncoderLayer};
pub use batch_norm::*;
pub use cells::*;
pub use containers::Sequential;
pub use conv::*;
pub use functions::*;
#[doc(hidden)]
pub use ivy_core::Error;
pub use linear::{Bilinear, Embedding, Linear};
pub use losses::*;
#[doc(hidden)]
pub use module::joined;
pub use module::{Forward, Module, StateDict};
pub use norm::{GroupNorm, LayerNorm, RMSNorm};
pub use padding::*;
pub use parts::{Buffer, Parameter, Part, PartMut, Training};
pub use recurrent::*;
