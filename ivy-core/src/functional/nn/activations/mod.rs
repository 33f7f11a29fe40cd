//! Activation functions: element-wise ones, and those that share one along an axis.
//!
//! They are compositions whose derivatives are right at the corners (there they are those of the left side, or as
//! each function says), and no branch that is not taken makes one infinite or NaN. Functions that multiply by their
//! argument what goes to zero, such as [`gelu`] and [`silu`], give NaN at -infinity.

mod complex;
mod exponential;
mod gates;
mod piecewise;
mod rectified;
mod sigmoid;
mod softmax;

pub use complex::ComplexMode;
pub(in crate::functional) use complex::activation;
pub use exponential::{Celu, Elu, ScaledTanh, celu, elu, scaled_tanh, selu, softsign, tanhshrink};
pub use gates::{Gelu, HardSwish, Mish, gelu, hardsilu, hardswish, mish, silu};
pub use piecewise::{
    HardShrink, HardTanh, SoftShrink, Threshold, ThresholdedRelu, hardshrink, hardtanh, softshrink,
    threshold, thresholded_relu,
};
pub use rectified::{LeakyRelu, Relu, Relu6, leaky_relu, prelu, relu, relu6};
pub use sigmoid::{LogSigmoid, Logit, Sigmoid, Softplus, logit, logsigmoid, sigmoid, softplus};
pub use softmax::{LogSoftmax, Softmax, log_softmax, softmax};

pub(super) use sigmoid::softplus_of;
pub(super) use softmax::log_shares;
