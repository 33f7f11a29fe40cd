//! Recurrences that keep what they find.

use super::{Iteration, drawn};
use ivy::{Array, Dtype, RandomNormal, Result, linalg};

/// A Kalman filter of a body that moves along a line, whose place is measured: each estimate is kept.
pub(super) fn kalman() -> Result<Iteration> {
    let of = |numbers: &[f64], shape: &[usize]| Array::from_vec(numbers.to_vec(), shape);
    let step = of(&[1.0, 0.1, 0.005, 0.0, 1.0, 0.1, 0.0, 0.0, 1.0], &[3, 3])?;
    let seen = of(&[1.0, 0.0, 0.0], &[1, 3])?;
    let unknown = of(&[1e-4, 0.0, 0.0, 0.0, 1e-3, 0.0, 0.0, 0.0, 1e-2], &[3, 3])?;
    let one = of(&[1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0], &[3, 3])?;
    let (mut x, mut p) = (of(&[0.0, 1.0, 0.0], &[3, 1])?, one.clone());
    let mut estimates = Vec::new();
    Ok(Box::new(move |iteration| {
        let measured = (iteration as f64 * 0.1).sin();
        let before = ivy::matmul(&step, &x)?;
        let moved = ivy::matmul(ivy::matmul(&step, &p)?, ivy::matrix_transpose(&step)?)?;
        let spread = ivy::add(moved, &unknown)?;
        let column = ivy::matmul(&spread, ivy::matrix_transpose(&seen)?)?;
        let total = ivy::add(ivy::matmul(&seen, &column)?, 0.05)?;
        let gain = ivy::divide(column, total)?;
        let away = ivy::subtract(measured, ivy::matmul(&seen, &before)?)?;
        x = ivy::add(before, ivy::matmul(&gain, away)?)?;
        p = ivy::matmul(ivy::subtract(&one, ivy::matmul(&gain, &seen)?)?, spread)?;
        estimates.push(x.clone());
        if iteration % 100 == 0 {
            linalg::vector_norm(&x, ())?.item::<f64>()?;
        }
        Ok(())
    }))
}

/// Walkers that draw a step each iteration; how far the farthest is, is read every tenth iteration.
pub(super) fn walk() -> Result<Iteration> {
    let mut at = ivy::zeros([10_000], ())?;
    let mut generator = ivy::Generator::new(1);
    Ok(Box::new(move |iteration| {
        let drawn = RandomNormal::new().shape([10_000]).seed(&mut generator);
        at = ivy::add(&at, ivy::random_normal(0.0, 1.0, drawn)?)?;
        if iteration % 10 == 0 {
            ivy::max(ivy::abs(&at)?, ())?.item::<f32>()?;
        }
        Ok(())
    }))
}

/// A damped oscillation whose states are appended to a list and stacked.
pub(super) fn appended() -> Result<Iteration> {
    let mut x = ivy::astype(drawn(&[1000], 1.0)?, Dtype::FLOAT64)?;
    let mut v = ivy::zeros_like(&x, ())?;
    let mut states: Vec<Array> = Vec::new();
    Ok(Box::new(move |iteration| {
        v = (&v * 0.999 - &x * 0.01).ok()?;
        x = (&x + &v * 0.01).ok()?;
        states.push(x.clone());
        if iteration % 100 == 0 {
            let path = ivy::stack(&states, ())?;
            ivy::mean(path, ())?.item::<f64>()?;
            states.clear();
        }
        Ok(())
    }))
}
