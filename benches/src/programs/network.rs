//! Descent by gradients.

use super::{Iteration, drawn};
use ivy::{Array, Dtype, Mean, Result};

/// A network of two layers on 256 points, trained with Adam, whose loss is read each step.
pub(super) fn training() -> Result<Iteration> {
    let (x, y) = (drawn(&[256, 16], 1.0)?, drawn(&[256, 1], 1.0)?);
    let mut weights = [drawn(&[16, 64], 0.3)?, drawn(&[64], 0.1)?, drawn(&[64, 1], 0.3)?, drawn(&[1], 0.1)?];
    let zeros =
        |all: &[Array; 4]| -> Result<Vec<Array>> { all.iter().map(|w| ivy::zeros_like(w, ())).collect() };
    let (mut first, mut second) = (zeros(&weights)?, zeros(&weights)?);
    let loss = move |w: &[Array; 4]| {
        let hidden = ivy::tanh(ivy::add(ivy::matmul(&x, &w[0])?, &w[1])?)?;
        let found = ivy::add(ivy::matmul(&hidden, &w[2])?, &w[3])?;
        ivy::mean(ivy::square(ivy::subtract(found, &y)?)?, ())
    };
    Ok(Box::new(move |iteration| {
        let (value, slopes) = ivy::value_and_grad(&loss)(&weights)?;
        let (rest, rest2) = (1.0 - 0.9f64.powi(iteration as i32), 1.0 - 0.999f64.powi(iteration as i32));
        for (i, slope) in slopes.iter().enumerate() {
            first[i] = (&first[i] * 0.9 + slope * 0.1).ok()?;
            second[i] = (&second[i] * 0.999 + slope * slope * 0.001).ok()?;
            let step = (&first[i] / rest).ok()?;
            let size = ivy::add(ivy::sqrt((&second[i] / rest2).ok()?)?, 1e-8)?;
            weights[i] = ivy::subtract(&weights[i], ivy::multiply(ivy::divide(step, size)?, 0.01)?)?;
        }
        value.item::<f32>()?;
        Ok(())
    }))
}

/// Descent with momentum on 1000 numbers, of which the greatest is read every tenth step.
pub(super) fn momentum() -> Result<Iteration> {
    let mut x = ivy::astype(drawn(&[1000], 1.0)?, Dtype::FLOAT64)?;
    let mut v = ivy::zeros_like(&x, ())?;
    Ok(Box::new(move |iteration| {
        let slope = (ivy::sin(&x)? + &x * 0.1).ok()?;
        v = (&v * 0.9 - slope * 0.01).ok()?;
        x = (&x + &v).ok()?;
        if iteration % 10 == 0 {
            ivy::max(&x, ())?.item::<f64>()?;
        }
        Ok(())
    }))
}

/// The gradient for each of 256 examples, and a step along their mean.
pub(super) fn each_example() -> Result<Iteration> {
    let (x, y) = (drawn(&[256, 8], 1.0)?, drawn(&[256], 1.0)?);
    let mut w = drawn(&[8], 1.0)?;
    let step = ivy::compile(move |w: &Array| {
        let loss = |w: &Array, x: &Array, y: &Array| {
            let away = ivy::subtract(ivy::tanh(ivy::matmul(x, w)?)?, y)?;
            ivy::square(away)
        };
        let each = ivy::vmap(|[x, y]: &[Array; 2]| ivy::grad(|w: &Array| loss(w, x, y))(w), ());
        let slope = ivy::mean(each(&[x.clone(), y.clone()])?, Mean::new().axis(0))?;
        ivy::subtract(w, ivy::multiply(slope, 0.1)?)
    });
    Ok(Box::new(move |_| {
        w = step.call(&w)?;
        ivy::max(&w, ())?.item::<f32>()?;
        Ok(())
    }))
}
