//! Element-wise functions.

mod angles;
mod closeness;
mod exp_log;
mod float_power;
mod fmax_fmin;
mod fmod;
mod frexp_modf;
mod heaviside;
pub(super) mod keywords;
mod lerp;
mod nan_to_num;
mod predicates;
mod sinc;
pub(super) mod special;
mod stable;
mod standard;

pub use angles::*;
pub use closeness::*;
pub use exp_log::*;
pub use float_power::*;
pub use fmax_fmin::*;
pub use fmod::*;
pub use frexp_modf::*;
pub use heaviside::*;
pub use keywords::*;
pub use lerp::*;
pub use nan_to_num::*;
pub use predicates::*;
pub use sinc::*;
pub use special::*;
pub use stable::*;
pub use standard::*;
