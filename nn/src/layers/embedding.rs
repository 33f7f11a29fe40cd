//! Embeddings.

use ivy_core::functional::Generator;
use ivy_core::functional::{self, RandomNormal, random_normal};
use ivy_core::{Array, Dtype, Result, Tree};

/// Embedding: the rows of a table at indices.
///
/// ```
/// use ivy::nn::Embedding;
/// use ivy::prelude::*;
/// let layer = Embedding::new(10, 4, &mut ivy::Generator::new(0))?;
/// let y = layer.forward(&Array::try_from([[1i64, 2, 3], [4, 5, 9]])?)?;
/// assert_eq!(y.shape().to_string(), "(2, 3, 4)");
/// # Ok::<(), ivy::Error>(())
/// ```
#[derive(Clone, Debug, Tree)]
#[tree(crate = ivy_core)]
pub struct Embedding {
    /// `[entries, features]`.
    pub weight: Array,
}

impl Embedding {
    /// A table of normal draws of variance 1, in float32.
    ///
    /// # Errors
    /// Those of drawing numbers.
    pub fn new(entries: usize, features: usize, generator: &mut Generator) -> Result<Embedding> {
        let params = RandomNormal::new().shape([entries, features]).dtype(Dtype::FLOAT32).seed(generator);
        Ok(Embedding { weight: random_normal(0.0, 1.0, params)? })
    }

    /// Indices of any shape to that shape with an axis of features behind it.
    ///
    /// # Errors
    /// [`IndexOutOfRange`](ivy_core::ErrorKind::IndexOutOfRange), and those of [`embedding`](functional::embedding).
    pub fn forward(&self, indices: &Array) -> Result<Array> {
        functional::embedding(&self.weight, indices, ())
    }
}
