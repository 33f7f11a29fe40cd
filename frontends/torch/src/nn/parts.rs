//! What modules consist of: parameters, buffers, and modules of their own.

use super::arguments::refuse;
use super::module::{Module, joined};
use crate::{Tensor, Value, autograd};
use ivy_core::Result;
use std::ops::Deref;

/// A parameter of a module: a leaf that requires a gradient.
///
/// ```
/// use ivy_backend_ndarray as _;
/// use ivy_frontend_torch::{nn::Parameter, ones};
/// let weight = Parameter::new(ones([2, 3], ())?)?;
/// assert!(ivy_frontend_torch::autograd::requires_grad(weight.ivy_array()));
/// # Ok::<(), ivy_core::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Parameter(Tensor);

impl Parameter {
    /// A tensor as a parameter; its elements are shared, its history is not.
    ///
    /// # Errors
    /// [`WrongDtypeKind`](ivy_core::ErrorKind::WrongDtypeKind) for integers and truth values.
    pub fn new(tensor: impl Into<Tensor>) -> Result<Parameter> {
        let array = autograd::detached(tensor.into().ivy_array());
        Ok(Parameter(Tensor::from(autograd::require_grad(&array)?)))
    }

    /// The gradient that [`backward`](crate::autograd::backward) has gathered.
    pub fn grad(&self) -> Option<Tensor> {
        autograd::grad_of(self.0.ivy_array()).map(Tensor::from)
    }

    /// Writes other elements to the parameter, in its dtype, as an in-place operation under `no_grad` does: it stays the leaf
    /// that it is, with its gradient.
    ///
    /// # Errors
    /// For elements of another shape, and a dtype that is not cast to the parameter's.
    pub fn copy_(&mut self, elements: &Tensor) -> Result<()> {
        let elements = ivy_core::functional::astype(autograd::detached(elements.ivy_array()), self.dtype())?;
        self.0 = Tensor::from(autograd::updated(self.0.ivy_array(), &elements)?);
        Ok(())
    }

    /// Whether gradients are taken to the parameter: a frozen one is a constant.
    ///
    /// # Errors
    /// [`WrongDtypeKind`](ivy_core::ErrorKind::WrongDtypeKind) for integers and truth values.
    pub fn requires_grad_(&mut self, requires_grad: bool) -> Result<()> {
        let array = self.0.ivy_array();
        self.0 = Tensor::from(match requires_grad {
            true => autograd::require_grad(array)?,
            false => autograd::detached(array),
        });
        Ok(())
    }
}

/// A tensor of a module's state that is no parameter: running statistics.
#[derive(Clone, Debug)]
pub struct Buffer(Tensor);

impl Buffer {
    /// A tensor as a buffer.
    pub fn new(tensor: impl Into<Tensor>) -> Buffer {
        Buffer(Tensor::from(autograd::detached(tensor.into().ivy_array())))
    }

    /// Writes other elements to the buffer, in its dtype.
    ///
    /// # Errors
    /// For elements of another shape, and a dtype that is not cast to the buffer's.
    pub fn copy_(&mut self, elements: &Tensor) -> Result<()> {
        if elements.shape() != self.0.shape() {
            let (given, rule) =
                (elements.shape().to_string(), format!("the buffer's shape, {}", self.0.shape()));
            return Err(refuse("nn.Buffer", "elements", given, rule, ivy_frontend::Fault::Runtime));
        }
        let elements = autograd::detached(elements.ivy_array());
        self.0 = Tensor::from(ivy_core::functional::astype(elements, self.dtype())?);
        Ok(())
    }
}

macro_rules! tensors {
    ($($type:ident)*) => {$(
        impl Deref for $type {
            type Target = Tensor;

            fn deref(&self) -> &Tensor {
                &self.0
            }
        }

        impl<'a> From<&'a $type> for Value<'a> {
            fn from(part: &'a $type) -> Value<'a> {
                Value::from(&part.0)
            }
        }

        impl Module for $type {
            fn visit<'a>(&'a self, path: &str, f: &mut dyn FnMut(&str, Part<'a>)) {
                f(path, Part::$type(self));
            }

            fn visit_mut(&mut self, path: &str, f: &mut dyn FnMut(&str, PartMut<'_>) -> Result<()>) -> Result<()> {
                f(path, PartMut::$type(self))
            }
        }
    )*};
}
tensors! { Parameter Buffer }

/// Whether a module trains, as dropout and batch normalization ask: set by [`Module::train`] and [`Module::eval`], true at first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Training(pub bool);

impl Default for Training {
    fn default() -> Training {
        Training(true)
    }
}

impl Module for Training {
    fn visit<'a>(&'a self, _: &str, _: &mut dyn FnMut(&str, Part<'a>)) {}

    fn visit_mut(&mut self, path: &str, f: &mut dyn FnMut(&str, PartMut<'_>) -> Result<()>) -> Result<()> {
        f(path, PartMut::Training(&mut self.0))
    }
}

/// A part of a module, as [`Module::visit`] shows it.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Part<'a> {
    /// A parameter.
    Parameter(&'a Parameter),
    /// A buffer.
    Buffer(&'a Buffer),
}

impl<'a> Part<'a> {
    /// The tensor.
    pub fn tensor(self) -> &'a Tensor {
        match self {
            Part::Parameter(parameter) => parameter,
            Part::Buffer(buffer) => buffer,
        }
    }
}

/// A part of a module that is changed, as [`Module::visit_mut`] shows it.
#[derive(Debug)]
#[non_exhaustive]
pub enum PartMut<'a> {
    /// A parameter.
    Parameter(&'a mut Parameter),
    /// A buffer.
    Buffer(&'a mut Buffer),
    /// Whether the module trains.
    Training(&'a mut bool),
}

impl<M: Module> Module for Option<M> {
    fn visit<'a>(&'a self, path: &str, f: &mut dyn FnMut(&str, Part<'a>)) {
        if let Some(module) = self {
            module.visit(path, f);
        }
    }

    fn visit_mut(&mut self, path: &str, f: &mut dyn FnMut(&str, PartMut<'_>) -> Result<()>) -> Result<()> {
        self.as_mut().map_or(Ok(()), |module| module.visit_mut(path, f))
    }
}

/// `torch.nn.ModuleList` and `ParameterList`: modules by their numbers.
impl<M: Module> Module for Vec<M> {
    fn visit<'a>(&'a self, path: &str, f: &mut dyn FnMut(&str, Part<'a>)) {
        self.iter().enumerate().for_each(|(i, module)| module.visit(&joined(path, &i.to_string()), f));
    }

    fn visit_mut(&mut self, path: &str, f: &mut dyn FnMut(&str, PartMut<'_>) -> Result<()>) -> Result<()> {
        let numbered = self.iter_mut().enumerate();
        numbered.into_iter().try_for_each(|(i, module)| module.visit_mut(&joined(path, &i.to_string()), f))
    }
}

impl<M: Module + ?Sized> Module for Box<M> {
    fn visit<'a>(&'a self, path: &str, f: &mut dyn FnMut(&str, Part<'a>)) {
        (**self).visit(path, f);
    }

    fn visit_mut(&mut self, path: &str, f: &mut dyn FnMut(&str, PartMut<'_>) -> Result<()>) -> Result<()> {
        (**self).visit_mut(path, f)
    }
}
