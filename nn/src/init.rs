//! Initializers of parameters: pure functions of a generator.
//!
//! The variances are those of X. Glorot and Y. Bengio, "Understanding the difficulty of training deep feedforward neural
//! networks" (2010), of K. He et al., "Delving deep into rectifiers" (2015), and of Y. LeCun et al., "Efficient backprop"
//! (1998).

use crate::invalid;
use ivy_core::functional::Generator;
use ivy_core::functional::{Filled, RandomNormal, RandomUniform, full, random_normal, random_uniform};
use ivy_core::{Array, Dtype, Result, Scalar, Shape};

/// Fan-in and fan-out: how many inputs an element of a result is made of, and how many results an input takes part in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fans {
    /// Fan-in: inputs of a result.
    pub fan_in: usize,
    /// Fan-out: results of an input.
    pub fan_out: usize,
}

impl Fans {
    /// Of a linear layer.
    pub const fn linear(inputs: usize, outputs: usize) -> Fans {
        Fans { fan_in: inputs, fan_out: outputs }
    }

    /// Of a convolution: each channel has the window's places.
    pub const fn convolution(window: usize, inputs: usize, outputs: usize) -> Fans {
        Fans { fan_in: window * inputs, fan_out: window * outputs }
    }
}

fn checked(function: &'static str, dtype: Dtype, fan: f64) -> Result<f64> {
    if !dtype.is_float() {
        return Err(invalid(function, "dtype", dtype, "parameters are floats"));
    }
    Ok(fan.max(1.0))
}

macro_rules! initialisers {
    ($($(#[$doc:meta])* $name:ident: $fan:expr, $factor:literal, $draw:ident;)*) => {
        $(
            $(#[$doc])*
            ///
            /// # Errors
            /// [`InvalidArgument`](ivy_core::ErrorKind::InvalidArgument) for a dtype that is no float; those of
            /// drawing numbers.
            pub fn $name(
                shape: impl Into<Shape>,
                fans: Fans,
                dtype: Dtype,
                generator: &mut Generator,
            ) -> Result<Array> {
                let fan: fn(Fans) -> f64 = $fan;
                let variance = $factor / checked(stringify!($name), dtype, fan(fans))?;
                $draw(shape.into(), variance, dtype, generator)
            }
        )*
    };
}

initialisers! {
    /// Glorot (Xavier) uniform initializer, of variance `2 / (fan_in + fan_out)`, for layers before `tanh` and `sigmoid`.
    ///
    /// ```
    /// use ivy::nn::{Fans, glorot_uniform};
    /// use ivy::prelude::*;
    /// let mut generator = ivy::Generator::new(1);
    /// let w = glorot_uniform([64, 32], Fans::linear(32, 64), Dtype::FLOAT32, &mut generator)?;
    /// let bound = (6.0f32 / 96.0).sqrt();
    /// assert!(ivy::max(ivy::abs(&w)?, ())?.item::<f32>()? <= bound);
    /// # Ok::<(), ivy::Error>(())
    /// ```
    glorot_uniform: |fans| (fans.fan_in + fans.fan_out) as f64, 2.0, uniform;
    /// Glorot (Xavier) normal initializer, of variance `2 / (fan_in + fan_out)`.
    glorot_normal: |fans| (fans.fan_in + fans.fan_out) as f64, 2.0, normal;
    /// He (Kaiming) uniform initializer, of variance `2 / fan_in`, for layers before `relu`.
    he_uniform: |fans| fans.fan_in as f64, 2.0, uniform;
    /// He (Kaiming) normal initializer, of variance `2 / fan_in`, for layers before `relu`.
    he_normal: |fans| fans.fan_in as f64, 2.0, normal;
    /// LeCun normal initializer, of variance `1 / fan_in`, for layers before `selu`.
    lecun_normal: |fans| fans.fan_in as f64, 1.0, normal;
}

fn uniform(shape: Shape, variance: f64, dtype: Dtype, generator: &mut Generator) -> Result<Array> {
    let bound = (3.0 * variance).sqrt();
    random_uniform(-bound, bound, RandomUniform::new().shape(shape).dtype(dtype).seed(generator))
}

fn normal(shape: Shape, variance: f64, dtype: Dtype, generator: &mut Generator) -> Result<Array> {
    random_normal(0.0, variance.sqrt(), RandomNormal::new().shape(shape).dtype(dtype).seed(generator))
}

/// Constant initializer: 0 of biases, 1 of scales.
///
/// # Errors
/// [`ScalarOutOfRange`](ivy_core::ErrorKind::ScalarOutOfRange), and no memory.
pub fn constant(shape: impl Into<Shape>, value: impl Into<Scalar>, dtype: Dtype) -> Result<Array> {
    full(shape.into(), value.into(), Filled::new().dtype(dtype))
}
