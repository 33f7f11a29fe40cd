//! A curve that a small network is fitted to with TensorFlow's `GradientTape`: variables, a loss under the tape, its
//! gradients, and steps of gradient descent. It is the twin of `examples/frontends/tensorflow_tape.py`, line by line.
//!
//! On every backend that is named, or on all of the program's, the fit runs and the losses are compared.
//!
//! ```text
//! cargo run -p ivy-frontend-tensorflow --example gradient_tape
//! ```

use ivy_backend_ndarray as _;
use ivy_core::backend::backends;
use ivy_core::{Result, with_backend};
use ivy_frontend_tensorflow as tf;
use std::error::Error;
use tf::{GradientTape, Tensor, Variable};

/// How far two backends may be apart, relative to the loss: float32, added in another order.
const APART: f32 = 1e-4;

/// A hidden layer of `tanh`, and a linear one.
pub struct Model {
    w1: Variable,
    b1: Variable,
    w2: Variable,
    b2: Variable,
}

impl Model {
    /// A model that begins the same in every run: bends spread over the curve, which the second layer has yet to weight.
    pub fn new(units: usize) -> Result<Model> {
        let hidden = tf::linspace(1.0, 3.0, units, ())?;
        let offset = tf::linspace(-4.0, 4.0, units, ())?;
        Ok(Model {
            w1: Variable::new(tf::reshape(hidden, (1, units), ())?)?,
            b1: Variable::new(offset)?,
            w2: Variable::new(tf::zeros((units, 1), ())?)?,
            b2: Variable::new(tf::zeros([1], ())?)?,
        })
    }

    /// The model's answer to a column of numbers.
    pub fn call(&self, x: &Tensor) -> Result<Tensor> {
        let hidden = (tf::matmul(x, self.w1.value(), ())? + self.b1.value()).ok()?;
        (tf::matmul(tf::tanh(hidden, ())?, self.w2.value(), ())? + self.b2.value()).ok()
    }

    /// What is trained.
    pub fn trainable_variables(&self) -> [&Variable; 4] {
        [&self.w1, &self.b1, &self.w2, &self.b2]
    }
}

/// The curve at places from -2 to 2: `x^2 + 2x - 5` with a ripple that no model of few units follows.
pub fn curve(count: usize) -> Result<(Tensor, Tensor)> {
    let x = tf::reshape(tf::linspace(-2.0, 2.0, count, ())?, (count, 1), ())?;
    let ripple = (tf::sin((&x * 30.0).ok()?, ())? * 0.25).ok()?;
    let y = (tf::square(&x, ())? + &x * 2.0 - 5.0 + ripple).ok()?;
    Ok((x, y))
}

/// The mean of the squared differences.
pub fn mse(y_true: &Tensor, y_pred: &Tensor) -> Result<Tensor> {
    tf::reduce_mean(tf::square((y_true - y_pred).ok()?, ())?, ())
}

/// Steps of gradient descent; the loss before each of them.
pub fn train(model: &Model, (x, y): &(Tensor, Tensor), steps: usize, learning_rate: f64) -> Result<Vec<f32>> {
    let mut losses = Vec::with_capacity(steps);
    for _ in 0..steps {
        let tape = GradientTape::new();
        let loss = mse(y, &model.call(x)?)?;
        let values = model.trainable_variables().map(Variable::value);
        let gradients = tape.gradient(&loss, &values.each_ref())?;
        for (variable, gradient) in model.trainable_variables().into_iter().zip(gradients.iter().flatten()) {
            variable.assign_sub(&(gradient * learning_rate).ok()?)?;
        }
        losses.extend(loss.to_vec::<f32>()?);
    }
    Ok(losses)
}

/// The fit on the current backend: the loss before each step.
pub fn fit(units: usize, count: usize, steps: usize) -> Result<Vec<f32>> {
    train(&Model::new(units)?, &curve(count)?, steps, 0.05)
}

/// How far losses are apart, relative to the first one of each pair.
pub fn apart(first: &[f32], other: &[f32]) -> f32 {
    let pairs = first.iter().zip(other);
    pairs.map(|(a, b)| (a - b).abs() / a.abs().max(f32::MIN_POSITIVE)).fold(0.0, f32::max)
}

/// Runs the fit on each backend, and compares.
#[cfg_attr(test, allow(dead_code, reason = "tests call the parts"))]
pub fn main() -> std::result::Result<(), Box<dyn Error>> {
    let mut names: Vec<String> = std::env::args().skip(1).collect();
    if names.is_empty() {
        names = backends().into_iter().filter(|b| b.instance.is_ok()).map(|b| b.name.into()).collect();
    }
    let mut first: Option<Vec<f32>> = None;
    for name in &names {
        let losses = with_backend(name, || fit(16, 201, 400))??;
        let first = first.get_or_insert_with(|| losses.clone());
        let apart = apart(first, &losses);
        println!(
            "{name}: the loss goes from {:.4} to {:.4}, {apart:.1e} apart from {} at most",
            losses[0],
            losses[losses.len() - 1],
            names[0]
        );
        if apart > APART {
            return Err(format!("{name} has other losses than {}", names[0]).into());
        }
    }
    Ok(())
}
