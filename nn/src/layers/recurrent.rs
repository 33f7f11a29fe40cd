//! Recurrent layers.

use crate::{Fans, check_features, constant, glorot_uniform};
use ivy_core::functional::Generator;
use ivy_core::functional::{self, LstmUpdate, lstm_update};
use ivy_core::{Array, Dtype, Result, Shape, Tree};

/// LSTM (long short-term memory), as [`lstm_update`] defines it.
///
/// ```
/// use ivy::nn::Lstm;
/// use ivy::prelude::*;
/// let layer = Lstm::new(3, 4, &mut ivy::Generator::new(0))?;
/// let y = layer.forward(&ivy::ones([2, 5, 3], ())?, None)?;
/// assert_eq!((y.hidden.shape().to_string(), y.cell.shape().to_string()), ("(2, 5, 4)".into(), "(2, 4)".into()));
/// # Ok::<(), ivy::Error>(())
/// ```
#[derive(Clone, Debug, Tree)]
#[tree(crate = ivy_core)]
pub struct Lstm {
    /// `[inputs, 4 outputs]`.
    pub kernel: Array,
    /// `[outputs, 4 outputs]`.
    pub recurrent_kernel: Array,
    /// `[4 outputs]`.
    pub bias: Array,
}

impl Lstm {
    /// A layer with a bias of zeros and kernels by [`glorot_uniform`], in float32.
    ///
    /// # Errors
    /// Those of drawing numbers.
    pub fn new(inputs: usize, outputs: usize, generator: &mut Generator) -> Result<Lstm> {
        let mut drawn = |rows: usize| {
            glorot_uniform([rows, 4 * outputs], Fans::linear(rows, outputs), Dtype::FLOAT32, generator)
        };
        let (kernel, recurrent_kernel) = (drawn(inputs)?, drawn(outputs)?);
        Ok(Lstm { kernel, recurrent_kernel, bias: constant([4 * outputs], 0.0, Dtype::FLOAT32)? })
    }

    /// `x: [..., steps, inputs]`, from a hidden and a cells' state `[..., outputs]`, or from zeros.
    ///
    /// # Errors
    /// [`ShapeMismatch`](ivy_core::ErrorKind::ShapeMismatch) for another number of inputs, and those of
    /// [`lstm_update`].
    pub fn forward(&self, x: &Array, state: Option<(&Array, &Array)>) -> Result<functional::Lstm> {
        check_features("Lstm", x, 1, self.kernel.shape().first().copied().unwrap_or(0))?;
        let outputs = self.recurrent_kernel.shape().first().copied().unwrap_or(0);
        let params = LstmUpdate::new().bias(&self.bias);
        if let Some((hidden, cell)) = state {
            return lstm_update(x, hidden, cell, &self.kernel, &self.recurrent_kernel, params);
        }
        let lead = x.ndim().saturating_sub(2);
        let shape: Shape = x.shape()[..lead].iter().copied().chain([outputs]).collect();
        let zeros = constant(shape, 0.0, x.dtype())?.to_backend(x.backend())?;
        lstm_update(x, &zeros, &zeros, &self.kernel, &self.recurrent_kernel, params)
    }
}
