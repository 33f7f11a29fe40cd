//! 2-D convolution.

use crate::{Fans, check_features, constant, he_normal};
use ivy_core::functional::Generator;
use ivy_core::functional::{self, Conv, Padding};
use ivy_core::{Array, Dtype, Result, Tree};

/// 2-D convolution: `y[n, p, o] = bias[o] + sum of filters[t, i, o] x[n, p stride + t, i]` over the window's
/// places `t` and the channels `i`.
///
/// ```
/// use ivy::nn::Conv2d;
/// use ivy::prelude::*;
/// let layer = Conv2d::new([3, 3], 1, 4, &mut ivy::Generator::new(0))?;
/// let y = layer.forward(&ivy::ones([2, 8, 8, 1], ())?)?;
/// assert_eq!(y.shape().to_string(), "(2, 8, 8, 4)");
/// # Ok::<(), ivy::Error>(())
/// ```
#[derive(Clone, Debug, Tree)]
#[tree(crate = ivy_core)]
pub struct Conv2d {
    /// `[height, width, inputs, outputs]`.
    pub filters: Array,
    /// `[outputs]`.
    pub bias: Option<Array>,
    /// The stride along each axis.
    #[tree(skip)]
    pub strides: usize,
    /// The padding.
    #[tree(skip)]
    pub padding: Padding,
}

impl Conv2d {
    /// A layer that keeps the image's size, with a bias of zeros and filters by [`he_normal`], in float32.
    ///
    /// # Errors
    /// Those of drawing numbers.
    pub fn new(
        window: [usize; 2],
        inputs: usize,
        outputs: usize,
        generator: &mut Generator,
    ) -> Result<Conv2d> {
        let [height, width] = window;
        let fans = Fans::convolution(height * width, inputs, outputs);
        let filters = he_normal([height, width, inputs, outputs], fans, Dtype::FLOAT32, generator)?;
        let bias = Some(constant([outputs], 0.0, Dtype::FLOAT32)?);
        Ok(Conv2d { filters, bias, strides: 1, padding: Padding::Same })
    }

    /// `x: [n, height, width, inputs]` to `[n, height', width', outputs]`.
    ///
    /// # Errors
    /// [`ShapeMismatch`](ivy_core::ErrorKind::ShapeMismatch) for another number of channels, and those of
    /// [`conv2d`](functional::conv2d).
    pub fn forward(&self, x: &Array) -> Result<Array> {
        let shape = self.filters.shape();
        check_features("Conv2d", x, 1, shape.get(2).copied().unwrap_or(0))?;
        let params = match &self.bias {
            Some(bias) => Conv::new().bias(bias),
            None => Conv::new(),
        };
        functional::conv2d(x, &self.filters, self.strides, self.padding.clone(), params)
    }
}
