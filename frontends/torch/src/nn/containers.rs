//! Modules of modules.

use super::{Forward, Module, Part, PartMut};
use crate::Tensor;
use ivy_core::Result;
use std::fmt;

/// `torch.nn.Sequential`: each module on the output of the one before it.
///
/// ```
/// use ivy_backend_ndarray as _;
/// use ivy_frontend_torch::nn::{Forward, Linear, Module, ReLU, Sequential};
/// use ivy_frontend_torch::ones;
/// let mut network = Sequential::new().append(Linear::new(4, 8, ())?).append(ReLU::new(())?).append(Linear::new(8, 3, ())?);
/// assert_eq!(network.forward(&ones([2, 4], ())?)?.shape().to_string(), "(2, 3)");
/// assert_eq!(network.named_parameters()[2].0, "2.weight");
/// # Ok::<(), ivy_core::Error>(())
/// ```
#[derive(Default)]
pub struct Sequential {
    modules: Vec<Box<dyn Forward>>,
}

impl Sequential {
    /// Without modules.
    pub const fn new() -> Sequential {
        Sequential { modules: Vec::new() }
    }

    /// With one more.
    #[must_use]
    pub fn append(mut self, module: impl Forward + 'static) -> Sequential {
        self.modules.push(Box::new(module));
        self
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.modules.len()
    }

    /// True without modules.
    pub fn is_empty(&self) -> bool {
        self.modules.is_empty()
    }
}

impl fmt::Debug for Sequential {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parameters: Vec<String> = self.named_parameters().into_iter().map(|(name, _)| name).collect();
        f.debug_struct("Sequential").field("len", &self.len()).field("parameters", &parameters).finish()
    }
}

impl Module for Sequential {
    fn visit<'a>(&'a self, path: &str, f: &mut dyn FnMut(&str, Part<'a>)) {
        self.modules.visit(path, f);
    }

    fn visit_mut(&mut self, path: &str, f: &mut dyn FnMut(&str, PartMut<'_>) -> Result<()>) -> Result<()> {
        self.modules.visit_mut(path, f)
    }
}

impl Forward for Sequential {
    fn forward(&mut self, input: &Tensor) -> Result<Tensor> {
        self.modules.iter_mut().try_fold(input.clone(), |x, module| module.forward(&x))
    }
}
