//! Writing through views in Rust.

use super::{View, Viewing};
use crate::{Framework, Keywords, Operator, Tensor, Value};
use ivy_core::{ErrorKind, Index, Result, functional as f};

/// A view of a tensor, which writes to it change: [`Tensor::view_mut`].
///
/// It borrows the tensor, so that no other view sees it meanwhile.
#[derive(Debug)]
pub struct ViewMut<'a, F> {
    owner: &'a mut Tensor<F>,
    view: View,
}

impl<'a, F: Framework> ViewMut<'a, F> {
    pub(crate) fn new(owner: &'a mut Tensor<F>) -> ViewMut<'a, F> {
        let view = View::whole(owner.ivy_array());
        ViewMut { owner, view }
    }

    /// The elements as a tensor of their own, which later writes do not change.
    ///
    /// # Errors
    /// What an evaluation that was pending gives.
    pub fn read(&self) -> Result<Tensor<F>> {
        self.view.read(self.owner.ivy_array()).map(Tensor::from)
    }

    /// Which elements of the tensor it has.
    pub fn view(&self) -> &View {
        &self.view
    }

    /// The part that a basic index expression selects: of positions, slices, new axes.
    ///
    /// # Errors
    /// Those of [`ivy_core::Array::get`]; [`ErrorKind::InvalidArgument`] for arrays in it, which give a copy.
    pub fn index(self, indices: impl AsRef<[Index]>) -> Result<ViewMut<'a, F>> {
        let viewing = Viewing::Rearranged;
        let x = viewing.track(self.read()?.ivy_array(), 0, self.view.clone());
        let found = viewing.untrack(&x.get(indices)?, None).1;
        self.of("index", found.map(|tracked| tracked.view))
    }

    /// What a method or property of the framework's array gives, where that is a view: `by("T", &[], ())`.
    ///
    /// # Errors
    /// As [`Tensor::method`]; [`ErrorKind::InvalidArgument`] for one that gives a copy.
    pub fn by(
        self,
        method: &str,
        arguments: &[Value<'_>],
        keywords: impl Into<Keywords<'static>>,
    ) -> Result<ViewMut<'a, F>> {
        let frontend = F::frontend();
        let entry = frontend.find(&format!("{}.{method}", frontend.class()))?;
        let viewing = entry.viewing();
        let x = viewing.track(self.read()?.ivy_array(), 0, self.view.clone());
        let all = std::iter::once(Value::from(x)).chain(arguments.iter().map(|v| v.clone().into_owned()));
        let found = match frontend.call_entry(entry, all.collect(), keywords.into())? {
            Value::Array(array) => viewing.untrack(&array, Some(&self.view)).1,
            _ => None,
        };
        self.of("by", found.map(|tracked| tracked.view))
    }

    fn of(self, function: &'static str, view: Option<View>) -> Result<ViewMut<'a, F>> {
        match view {
            Some(view) => Ok(ViewMut { view, ..self }),
            None => {
                let value = format!("a view of shape {}", self.view.shape());
                let rule = "what it gives is a copy, which writes do not pass through";
                Err(ErrorKind::InvalidArgument { function, argument: "self", value, rule }.into())
            }
        }
    }

    /// Replaces the elements; the value is broadcast, and cast to the tensor's dtype, as by [`Tensor::set`].
    ///
    /// # Errors
    /// [`ErrorKind::BroadcastShapes`], and those of [`View::write`].
    pub fn write<'v>(&mut self, value: impl Into<Value<'v>>) -> Result<()> {
        let value = f::astype(F::frontend().make(&value.into())?, self.view.dtype())?;
        let value = f::broadcast_to(value, self.view.shape().clone())?;
        self.view.write(F::frontend(), self.owner.array_mut(), value)
    }

    /// `self + other` and so on, written to the view: its dtype stays, or the framework refuses.
    ///
    /// # Errors
    /// Those of [`Tensor::operate_in_place`] and [`View::write`].
    pub fn operate_in_place<'v>(&mut self, operator: Operator, other: impl Into<Value<'v>>) -> Result<()> {
        let mut part = self.read()?;
        part.operate_in_place(operator, other)?;
        self.view.write(F::frontend(), self.owner.array_mut(), part.into_ivy_array())
    }
}
