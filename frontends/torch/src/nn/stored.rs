//! Functions with arguments that are given when a module is made.

use super::arguments::refuse;
use super::{Buffer, Module, Part, PartMut, joined};
use crate::{Keywords, TORCH, Tensor, Value};
use ivy_core::Result;
use ivy_frontend::Fault;

/// A function with arguments that are given when a module is made.
#[derive(Clone, Debug)]
pub(super) struct Stored {
    path: &'static str,
    positional: Vec<Value<'static>>,
    keywords: Vec<(String, Value<'static>)>,
    /// Arguments that are tensors, as weights of classes are: the module's state.
    buffers: Vec<(String, Buffer)>,
}

impl Module for Stored {
    fn visit<'a>(&'a self, path: &str, f: &mut dyn FnMut(&str, Part<'a>)) {
        self.buffers.iter().for_each(|(name, buffer)| buffer.visit(&joined(path, name), f));
    }

    fn visit_mut(&mut self, path: &str, f: &mut dyn FnMut(&str, PartMut<'_>) -> Result<()>) -> Result<()> {
        self.buffers.iter_mut().try_for_each(|(name, buffer)| buffer.visit_mut(&joined(path, name), f))
    }
}

impl Stored {
    /// The function of a path; `usual` are values of its arguments that are not given.
    pub(super) fn new(
        class: &'static str,
        path: &'static str,
        positional: Vec<Value<'_>>,
        keywords: Keywords<'_>,
        usual: &[(&'static str, Value<'static>)],
    ) -> Result<Stored> {
        let entry = TORCH.find(path)?;
        let known =
            |name: &str| entry.row.signature.parameters.iter().any(|parameter| parameter.name == name);
        if let Some((name, value)) = keywords.iter().find(|(name, _)| !known(name)) {
            let rule = format!("there is no such argument; the function is {}", entry.row.signature.text);
            return Err(refuse(class, name, value.told(), rule, Fault::Type));
        }
        let (mut stored, mut buffers): (Vec<(String, Value<'static>)>, Vec<_>) = Default::default();
        for (name, value) in keywords.iter() {
            match value {
                Value::Array(array) => {
                    buffers.push(((*name).to_owned(), Buffer::new(Tensor::from((**array).clone()))))
                }
                other => stored.push(((*name).to_owned(), other.clone().into_owned())),
            }
        }
        for (name, value) in usual {
            if stored.iter().all(|(given, _)| given != name) {
                stored.push(((*name).to_owned(), value.clone()));
            }
        }
        let positional = positional.into_iter().map(Value::into_owned).collect();
        Ok(Stored { path, positional, keywords: stored, buffers })
    }

    /// The function's result with inputs before the arguments.
    pub(super) fn call<const N: usize>(&self, inputs: [&Tensor; N]) -> Result<Tensor> {
        let inputs = inputs.into_iter().map(Value::from);
        let arguments: Vec<Value<'_>> = inputs.chain(self.positional.iter().map(Value::borrowed)).collect();
        let buffers = self.buffers.iter().map(|(name, buffer)| (name.as_str(), Value::from(buffer)));
        let keywords = self.keywords.iter().map(|(name, value)| (name.as_str(), value.borrowed()));
        let keywords: Vec<(&str, Value<'_>)> = keywords.chain(buffers).collect();
        match TORCH.call(self.path, &arguments, keywords.into())? {
            Value::Array(array) => Ok(Tensor::from(array.into_owned())),
            other => {
                let rule = "a module gives one tensor: call the function for several";
                Err(refuse(self.path, "", other.told(), rule, Fault::Missing))
            }
        }
    }

    /// Another value of a keyword argument.
    pub(super) fn set(&mut self, name: &str, value: Value<'static>) {
        match self.keywords.iter_mut().find(|(given, _)| given == name) {
            Some((_, old)) => *old = value,
            None => self.keywords.push((name.to_owned(), value)),
        }
    }
}
