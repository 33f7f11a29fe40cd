//! Modules, and what is done with all of their parts.

use super::Parameter;
use super::arguments::refuse;
use super::parts::{Part, PartMut};
use crate::{Tensor, autograd};
use ivy_core::{Array, Dtype, Result};
use ivy_frontend::Fault;
use std::collections::BTreeMap;
use std::path::Path;

/// The tensors of a module by their names, parameters and buffers.
pub type StateDict = BTreeMap<String, Tensor>;

/// A module: a value with parameters, buffers, and modules of its own. [`module!`](crate::module) makes one of a struct.
///
/// What is done with parts goes by [`visit`](Module::visit) and [`visit_mut`](Module::visit_mut), in the order of the fields, each
/// part with its path as PyTorch names it: `encoder.0.weight`.
///
/// ```
/// use ivy_backend_ndarray as _;
/// use ivy_core::Result;
/// use ivy_frontend_torch::nn::{self, Forward, Linear, Module, functional as F};
/// use ivy_frontend_torch::{Tensor, ones};
///
/// struct Network {
///     hidden: Linear,
///     out: Linear,
/// }
/// nn::module!(Network: hidden, out);
///
/// impl Forward for Network {
///     fn forward(&mut self, x: &Tensor) -> Result<Tensor> {
///         self.out.forward(&F::relu(&self.hidden.forward(x)?, ())?)
///     }
/// }
///
/// let mut network = Network { hidden: Linear::new(4, 8, ())?, out: Linear::new(8, 2, ())? };
/// let names: Vec<String> = network.named_parameters().into_iter().map(|(name, _)| name).collect();
/// assert_eq!(names, ["hidden.weight", "hidden.bias", "out.weight", "out.bias"]);
/// assert_eq!(network.forward(&ones([3, 4], ())?)?.shape().to_string(), "(3, 2)");
/// # Ok::<(), ivy_core::Error>(())
/// ```
pub trait Module {
    /// Calls a function with each parameter and buffer, and its path, which begins with `path`.
    fn visit<'a>(&'a self, path: &str, f: &mut dyn FnMut(&str, Part<'a>));

    /// Calls a function with each part, which it may change, and its path, which begins with `path`.
    ///
    /// # Errors
    /// The function's first one.
    fn visit_mut(&mut self, path: &str, f: &mut dyn FnMut(&str, PartMut<'_>) -> Result<()>) -> Result<()>;

    /// Parameters by name.
    fn named_parameters(&self) -> Vec<(String, &Parameter)> {
        let mut found = Vec::new();
        self.visit("", &mut |path, part| {
            if let Part::Parameter(parameter) = part {
                found.push((path.to_owned(), parameter));
            }
        });
        found
    }

    /// The parameters.
    fn parameters(&self) -> Vec<&Parameter> {
        self.named_parameters().into_iter().map(|(_, parameter)| parameter).collect()
    }

    /// The tensors by name, without their history.
    fn state_dict(&self) -> StateDict {
        let mut state = StateDict::new();
        self.visit("", &mut |path, part| {
            state.insert(path.to_owned(), Tensor::from(autograd::detached(part.tensor().ivy_array())));
        });
        state
    }

    /// Takes the tensors of a state over, in the dtypes of the module's own.
    ///
    /// # Errors
    /// [`FrontendCall`](ivy_core::ErrorKind::FrontendCall) for names that are missing or that the module has not, and for other
    /// shapes. The module is then as before.
    fn load_state_dict(&mut self, state: &StateDict) -> Result<()> {
        let mut own = self.state_dict();
        let quoted =
            |names: Vec<&String>| names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
        let missing: Vec<&String> = own.keys().filter(|name| !state.contains_key(*name)).collect();
        let unexpected: Vec<&String> = state.keys().filter(|name| !own.contains_key(*name)).collect();
        let wrong = |value: String, rule: &str| {
            refuse("nn.Module.load_state_dict", "state_dict", value, rule, Fault::Runtime)
        };
        if !missing.is_empty() {
            return Err(wrong(quoted(missing), "these tensors of the module are missing"));
        }
        if !unexpected.is_empty() {
            return Err(wrong(quoted(unexpected), "the module has no such tensors"));
        }
        for (name, tensor) in &mut own {
            let given = &state[name];
            if given.shape() != tensor.shape() {
                let value = format!("`{name}` of shape {}", given.shape());
                return Err(wrong(value, &format!("the module's has the shape {}", tensor.shape())));
            }
            let array = autograd::detached(given.ivy_array());
            *tensor = Tensor::from(ivy_core::functional::astype(array, tensor.dtype())?);
        }
        self.visit_mut("", &mut |path, part| match part {
            PartMut::Parameter(parameter) => parameter.copy_(&own[path]),
            PartMut::Buffer(buffer) => buffer.copy_(&own[path]),
            PartMut::Training(_) => Ok(()),
        })
    }

    /// Writes the state to a `.safetensors` file, by [`ivy_nn::save`].
    ///
    /// # Errors
    /// As [`ivy_nn::save`].
    fn save(&self, path: &Path) -> Result<()> {
        ivy_nn::save(&arrays(&self.state_dict()), path)
    }

    /// Takes the state of a `.safetensors` file over, PyTorch's or one of [`save`](Module::save), by [`ivy_nn::load`].
    ///
    /// # Errors
    /// As [`ivy_nn::load`], and as [`load_state_dict`](Module::load_state_dict).
    fn load(&mut self, path: &Path) -> Result<()> {
        let loaded = ivy_nn::load(&arrays(&self.state_dict()), path)?;
        self.load_state_dict(&loaded.into_iter().map(|(name, array)| (name, Tensor::from(array))).collect())
    }

    /// Forgets the gradients of all parameters.
    ///
    /// # Errors
    /// None for parameters that require a gradient; frozen ones have none.
    fn zero_grad(&self) -> Result<()> {
        let wanted = |parameter: &&Parameter| autograd::requires_grad(parameter.ivy_array());
        self.parameters().into_iter().filter(wanted).try_for_each(|p| autograd::set_grad(p.ivy_array(), None))
    }

    /// Training mode, or evaluation mode, of the module and all in it.
    ///
    /// # Errors
    /// Those of [`visit_mut`](Module::visit_mut): none of the modules here has any.
    fn train(&mut self, mode: bool) -> Result<()> {
        self.visit_mut("", &mut |_, part| {
            if let PartMut::Training(training) = part {
                *training = mode;
            }
            Ok(())
        })
    }

    /// Evaluation mode: [`train(false)`](Module::train).
    ///
    /// # Errors
    /// As [`train`](Module::train).
    fn eval(&mut self) -> Result<()> {
        self.train(false)
    }

    /// Whether gradients are taken to the parameters: of a frozen module they are constants.
    ///
    /// # Errors
    /// None for parameters that [`Parameter::new`] has taken.
    fn requires_grad_(&mut self, requires_grad: bool) -> Result<()> {
        self.visit_mut("", &mut |_, part| match part {
            PartMut::Parameter(parameter) => parameter.requires_grad_(requires_grad),
            _ => Ok(()),
        })
    }

    /// Parameters and buffers of floats in another float dtype; gradients that were gathered are forgotten.
    ///
    /// # Errors
    /// [`WrongDtypeKind`](ivy_core::ErrorKind::WrongDtypeKind) for a dtype without gradients.
    fn to(&mut self, dtype: Dtype) -> Result<()> {
        let cast = |tensor: &Tensor| -> Result<Tensor> {
            let array = autograd::detached(tensor.ivy_array());
            Ok(Tensor::from(ivy_core::functional::astype(array, dtype)?))
        };
        self.visit_mut("", &mut |_, part| {
            match part {
                PartMut::Parameter(parameter) => *parameter = Parameter::new(cast(parameter)?)?,
                PartMut::Buffer(buffer) if buffer.dtype().is_float() => {
                    *buffer = super::Buffer::new(cast(buffer)?)
                }
                _ => {}
            }
            Ok(())
        })
    }
}

fn arrays(state: &StateDict) -> BTreeMap<String, Array> {
    state.iter().map(|(name, tensor)| (name.clone(), tensor.ivy_array().clone())).collect()
}

/// A module of one tensor that gives one: what [`Sequential`](super::Sequential) is made of.
pub trait Forward: Module {
    /// The module's output.
    ///
    /// # Errors
    /// Those of the functions that it calls.
    fn forward(&mut self, input: &Tensor) -> Result<Tensor>;
}

impl<M: Forward + ?Sized> Forward for Box<M> {
    fn forward(&mut self, input: &Tensor) -> Result<Tensor> {
        (**self).forward(input)
    }
}

/// The path of a part in a module of a path.
pub fn joined(path: &str, name: &str) -> String {
    if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") }
}

/// Implements [`Module`](crate::nn::Module) for a struct: `module!(Network: conv, norm, out)` names the fields that are modules,
/// parameters, buffers or [`Training`](crate::nn::Training).
#[macro_export]
macro_rules! module {
    ($type:ty: $($field:ident),* $(,)?) => {
        impl $crate::nn::Module for $type {
            fn visit<'a>(&'a self, path: &str, f: &mut dyn FnMut(&str, $crate::nn::Part<'a>)) {
                let _ = (path, &f);
                $($crate::nn::Module::visit(&self.$field, &$crate::nn::joined(path, stringify!($field)), f);)*
            }

            fn visit_mut(
                &mut self,
                path: &str,
                f: &mut dyn FnMut(&str, $crate::nn::PartMut<'_>) -> ::std::result::Result<(), $crate::nn::Error>,
            ) -> ::std::result::Result<(), $crate::nn::Error> {
                let _ = (path, &f);
                $($crate::nn::Module::visit_mut(&mut self.$field, &$crate::nn::joined(path, stringify!($field)), f)?;)*
                Ok(())
            }
        }
    };
}
