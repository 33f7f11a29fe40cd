//! Optimisers: named parameters, and a rule by which they go down a gradient.

mod rules;

pub use rules::{Adam, AdamW, RmsProp, Rule, Sgd};

use crate::array::{AnyArray, IntoArg};
use crate::types::VarType;
use crate::{Error, Result};

/// Parameters with gradients, and what a rule keeps of each from step to step (`drjit.opt.Optimizer`).
///
/// ```
/// use ivy_drjit::{backward, llvm::ad::Float, opt::{Optimizer, Sgd}, square, sum};
/// # use ivy_backend_ndarray as _; use ivy_backend_jit as _;
/// let mut optimizer = Optimizer::new(Sgd::new(), 0.25);
/// optimizer.insert("x", &Float::new([1, 4])?)?;
/// for _ in 0..20 {
///     backward(&sum(square(optimizer.get("x")? - 2.0)?, ())?)?;
///     optimizer.step()?;
/// }
/// let far = (optimizer.get("x")? - 2.0).ok()?;
/// assert!(ivy_drjit::max(ivy_drjit::abs(far)?, ())?.item(0)?.to_f64() < 1e-5);
/// # Ok::<(), ivy_drjit::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Optimizer<R: Rule> {
    rule: R,
    rate: f64,
    mask_updates: bool,
    parameters: Vec<Parameter<R::State>>,
}

#[derive(Clone, Debug)]
struct Parameter<S> {
    name: String,
    value: AnyArray,
    /// The type that was given: half precision is kept in single precision.
    dtype: VarType,
    rate: Option<f64>,
    state: S,
}

impl<R: Rule> Optimizer<R> {
    /// An optimiser without parameters, of a rule and a learning rate.
    pub fn new(rule: R, rate: f64) -> Optimizer<R> {
        Optimizer { rule, rate, mask_updates: false, parameters: Vec::new() }
    }

    /// The same, which leaves elements as they are whose gradient is zero.
    #[must_use]
    pub fn mask_updates(self) -> Optimizer<R> {
        Optimizer { mask_updates: true, ..self }
    }

    fn place(&self, function: &'static str, name: &str) -> Result<usize> {
        let place = self.parameters.iter().position(|own| own.name == name);
        let rule = "there is none of this name";
        place.ok_or_else(|| Error::Parameter { function, name: name.into(), rule })
    }

    /// Adds a parameter, or replaces its value: the rule begins anew if it has another shape.
    ///
    /// # Errors
    /// [`Error::Parameter`] for arrays that have no gradients, or no elements.
    pub fn insert(&mut self, name: &str, value: impl IntoArg) -> Result<()> {
        let value = crate::ops::array("Optimizer.insert", value.into_arg())?;
        let refuse = |rule| Err(Error::Parameter { function: "Optimizer.insert", name: name.into(), rule });
        let ty = value.ty();
        if !ty.is_diff_v() || !ty.is_float_v() {
            return refuse("it has to be of floats, and of a package `.ad`");
        }
        if value.width() == Some(0) {
            return refuse("it is empty");
        }
        let kept = if ty.is_half_v() { ty.with_dtype(VarType::Float32) } else { ty };
        let value = crate::detach(&value)?.cast_to(kept)?;
        crate::eval(&value)?;
        let value = crate::enable_grad(&value)?;
        if let Ok(place) = self.place("Optimizer.insert", name) {
            let own = &mut self.parameters[place];
            if own.value.ty() == kept && own.value.shape() == value.shape() {
                (own.value, own.dtype) = (value, ty.dtype());
                return Ok(());
            }
            self.parameters.remove(place);
        }
        let state = self.rule.begin(&value)?;
        self.parameters.push(Parameter { name: name.into(), value, dtype: ty.dtype(), rate: None, state });
        Ok(())
    }

    /// A parameter, with gradients.
    ///
    /// # Errors
    /// [`Error::Parameter`] for an unknown name.
    pub fn get(&self, name: &str) -> Result<AnyArray> {
        let own = &self.parameters[self.place("Optimizer.get", name)?];
        own.value.cast_to(own.value.ty().with_dtype(own.dtype))
    }

    /// Takes a parameter out.
    ///
    /// # Errors
    /// As [`get`](Self::get).
    pub fn remove(&mut self, name: &str) -> Result<AnyArray> {
        let value = self.get(name)?;
        let place = self.place("Optimizer.remove", name)?;
        self.parameters.remove(place);
        Ok(value)
    }

    /// The names of the parameters, in the order in which they came.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.parameters.iter().map(|own| own.name.as_str())
    }

    /// Sets the learning rate of all parameters that have none of their own.
    pub fn set_learning_rate(&mut self, rate: f64) {
        self.rate = rate;
    }

    /// Gives a parameter a learning rate of its own, or takes it.
    ///
    /// # Errors
    /// As [`get`](Self::get).
    pub fn set_learning_rate_of(&mut self, name: &str, rate: Option<f64>) -> Result<()> {
        let place = self.place("Optimizer.set_learning_rate_of", name)?;
        self.parameters[place].rate = rate;
        Ok(())
    }

    /// Forgets what the rule has kept.
    ///
    /// # Errors
    /// No memory.
    pub fn reset(&mut self) -> Result<()> {
        for own in &mut self.parameters {
            own.state = self.rule.begin(&own.value)?;
        }
        Ok(())
    }

    /// One step along the gradients, which begin anew.
    ///
    /// # Errors
    /// Those of the evaluation.
    pub fn step(&mut self) -> Result<()> {
        self.step_where(true)
    }

    /// One step of the elements where a mask is true.
    ///
    /// # Errors
    /// As [`step`](Self::step); [`Error::IncompatibleSizes`] for a mask of another size.
    pub fn step_where(&mut self, active: impl IntoArg) -> Result<()> {
        let active = active.into_arg();
        for own in &mut self.parameters {
            let (ty, rate) = (own.value.ty(), own.rate.unwrap_or(self.rate));
            // Matrices, complex numbers and quaternions change element by element.
            let plain = |x: &AnyArray| x.clone().retyped(ty.plain());
            let (value, gradient) = (plain(&crate::detach(&own.value)?)?, plain(&crate::grad(&own.value)?)?);
            let stepped = self.rule.step(&value, &gradient, rate, &own.state)?;
            let mask = match self.mask_updates {
                true => crate::bitwise_and(crate::neq(&gradient, 0)?, active.clone())?,
                false => crate::ops::array("Optimizer.step", active.clone())?,
            };
            let (next, state) =
                match mask.leaf().is_some() && mask.len() == 1 && !self.mask_updates && mask.to_bool()? {
                    true => stepped,
                    false => {
                        let next = crate::select(&mask, &stepped.0, &value)?.cast_to(value.ty())?;
                        (next, self.rule.masked(&mask, &own.state, stepped.1)?)
                    }
                };
            own.value = crate::enable_grad(&next.retyped(ty)?)?;
            own.state = state;
        }
        let values: Vec<AnyArray> = self.parameters.iter().map(|own| own.value.clone()).collect();
        crate::eval(&values)
    }
}
