//! Iterations that look at what they have found.

use super::{Iteration, drawn};
use ivy::{ArgMin, Array, Dtype, Result, Stack, Sum, reshape, s};

/// Lloyd's iterations: each point goes to its nearest centre, each centre to the mean of its points.
pub(super) fn k_means() -> Result<Iteration> {
    const CENTRES: usize = 8;
    let points = drawn(&[100_000, 2], 1.0)?;
    let mut centres = points.get(s![..CENTRES as i64])?;
    Ok(Box::new(move |_| {
        let away = ivy::subtract(reshape(&points, [-1, 1, 2], ())?, &centres)?;
        let distances = ivy::sum(ivy::square(away)?, Sum::new().axis(2))?;
        let nearest = ivy::argmin(distances, ArgMin::new().axis(1))?;
        let means = (0..CENTRES as i64).map(|k| {
            let own = ivy::astype(ivy::equal(&nearest, k)?, Dtype::FLOAT32)?;
            let total = ivy::sum(ivy::multiply(reshape(&own, [-1, 1], ())?, &points)?, Sum::new().axis(0))?;
            ivy::divide(total, ivy::maximum(ivy::sum(own, ())?, 1.0)?)
        });
        let next = ivy::stack(&means.collect::<Result<Vec<Array>>>()?, Stack::new())?;
        let moved = ivy::max(ivy::abs(ivy::subtract(&next, &centres)?)?, ())?.item::<f32>()?;
        centres = next;
        std::hint::black_box(moved < 1e-6);
        Ok(())
    }))
}

/// A plate whose inner points become the mean of their neighbours, until little changes.
pub(super) fn jacobi() -> Result<Iteration> {
    let mut plate = drawn(&[128, 128], 1.0)?;
    Ok(Box::new(move |_| {
        let part = |i: i64, j: i64| plate.get(s![i..126 + i, j..126 + j]);
        let sides = ivy::add(ivy::add(part(0, 1)?, part(2, 1)?)?, ivy::add(part(1, 0)?, part(1, 2)?)?)?;
        let inner = ivy::multiply(sides, 0.25)?;
        let change = ivy::max(ivy::abs(ivy::subtract(&inner, part(1, 1)?)?)?, ())?.item::<f32>()?;
        plate = ivy::constant_pad(&inner, 1, ())?;
        std::hint::black_box(change < 1e-6);
        Ok(())
    }))
}

/// Descent on a valley, with steps that are halved until the value falls.
pub(super) fn line_search() -> Result<Iteration> {
    let start = ivy::astype(drawn(&[1000], 1.0)?, Dtype::FLOAT64)?;
    let mut x = start.clone();
    let value = |x: &Array| {
        let (low, high) = (x.get(s![..-1])?, x.get(s![1..])?);
        let bend = (high - ivy::square(&low)?).ok()?;
        let near = ivy::subtract(1.0, low)?;
        ivy::sum((ivy::square(bend)? * 10.0 + ivy::square(near)?).ok()?, ())
    };
    Ok(Box::new(move |iteration| {
        if iteration % 100 == 0 {
            x = start.clone();
        }
        let (now, slope) = ivy::value_and_grad(value)(&x)?;
        let now = now.item::<f64>()?;
        let mut size = 0.1;
        for _ in 0..20 {
            let next = (&x - &slope * size).ok()?;
            if value(&next)?.item::<f64>()? < now {
                x = next;
                break;
            }
            size *= 0.5;
        }
        Ok(())
    }))
}

fn of_sines(x: &Array) -> Result<Array> {
    let mut y = x.clone();
    for _ in 0..1000 {
        y = ivy::sin(y)?;
    }
    ivy::sum(y, ())
}

/// The sum of the sines of the sines, a thousand deep, from other numbers each iteration.
pub(super) fn sines() -> Result<Iteration> {
    let x = ivy::astype(drawn(&[10_000], 1.0)?, Dtype::FLOAT64)?;
    Ok(Box::new(move |iteration| {
        of_sines(&ivy::multiply(&x, iteration as f64)?)?.item::<f64>()?;
        Ok(())
    }))
}

/// The gradient of that.
pub(super) fn sines_gradient() -> Result<Iteration> {
    let x = ivy::astype(drawn(&[10_000], 1.0)?, Dtype::FLOAT64)?;
    Ok(Box::new(move |iteration| {
        let slope = ivy::grad(of_sines)(&ivy::multiply(&x, iteration as f64)?)?;
        ivy::sum(slope, ())?.item::<f64>()?;
        Ok(())
    }))
}
