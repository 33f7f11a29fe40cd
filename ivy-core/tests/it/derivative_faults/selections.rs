//! First and second derivatives of what selects, orders and accumulates elements: ties, repeated positions and zeros.

use super::formulas::{at, same, vector};
use super::v;
use ivy::prelude::*;
use ivy::{Reduction, Result, ScatterFlat};

fn squared(x: &Array, i: i64) -> Result<Array> {
    ivy::square(at(x, i)?)
}

#[test]
fn orders_with_ties() {
    let ties = v(&[1.0, 1.0, 0.0, 1.0]);
    let ascending = |x: &Array| vector([at(x, 2), at(x, 0), at(x, 1), at(x, 3)]);
    same("sort", &|x| ivy::sort(x, ()), &ascending, &ties);
    same("sort", &|x| ivy::sort(ivy::square(x)?, ()), &|x| ivy::square(ascending(x)?), &ties);
    let descending = |x: &Array| vector([at(x, 0), at(x, 1), at(x, 3), at(x, 2)]);
    same("sort", &|x| ivy::sort(x, ivy::Sort::new().descending()), &descending, &ties);
    let two = |x: &Array| vector([at(x, 0), at(x, 1)]);
    same("top_k", &|x| Ok(ivy::top_k(x, 2, ())?.values), &two, &ties);
    let distinct = |x: &Array| vector([squared(x, 1), squared(x, 0)]);
    same("unique_values", &|x| ivy::unique_values(ivy::square(x)?), &distinct, &v(&[2.0, 0.0, 2.0]));
    let middle = |x: &Array| ivy::multiply(ivy::add(squared(x, 1)?, squared(x, 2)?)?, 0.5);
    same("median", &|x| ivy::median(ivy::square(x)?, ()), &middle, &v(&[3.0, 1.0, 2.0, 0.0]));
    let shared = |x: &Array| ivy::multiply(ivy::add(squared(x, 0)?, squared(x, 1)?)?, 0.5);
    same("max", &|x| ivy::max(ivy::square(x)?, ()), &shared, &v(&[1.0, 1.0, 0.0]));
    same("min", &|x| ivy::min(ivy::square(x)?, ()), &shared, &v(&[1.0, 1.0, 2.0]));
}

#[test]
fn positions_that_are_read_twice() {
    let (x, index) = (v(&[0.0, 1.0, 2.0]), Array::from_vec(vec![0i64, 2, 0], 3).unwrap());
    let read = |x: &Array| vector([squared(x, 0), squared(x, 2), squared(x, 0)]);
    same("take", &|x| ivy::take(ivy::square(x)?, &index, ()), &read, &x);
    same("take_along_axis", &|x| ivy::take_along_axis(ivy::square(x)?, &index, ()), &read, &x);
    let columns = ivy::reshape(&index, [3, 1], ()).unwrap();
    same("gather_nd", &|x| ivy::gather_nd(ivy::square(x)?, &columns, ()), &read, &x);
    same("get", &|x| ivy::square(x)?.get(ivy::s![&index]), &read, &x);
    let mirrored =
        |x: &Array| ivy::pad(ivy::square(x)?, [(1, 1)], ivy::Pad::new().mode(ivy::PadMode::Reflect));
    let around = |x: &Array| vector([squared(x, 1), squared(x, 0), squared(x, 1), squared(x, 0)]);
    same("pad", &mirrored, &around, &v(&[0.0, 1.0]));
}

#[test]
fn positions_that_are_written_twice() {
    let index = Array::from_vec(vec![0i64, 0, 1], 3).unwrap();
    let out = v(&[1.0, 2.0, 3.0]);
    let constant = |x: &Array, number: f64| ivy::add(ivy::multiply(at(x, 0)?, 0.0)?, number);
    let written = |how: Reduction, into: Option<&Array>, x: &Array| {
        let keywords = ScatterFlat::new().reduction(how);
        let keywords = match into {
            Some(out) => keywords.out(out),
            None => keywords.size(3usize),
        };
        ivy::scatter_flat(&index, ivy::square(x)?, keywords)
    };
    type Formula = fn(&Array) -> Result<Array>;
    let product: Formula = |x| ivy::multiply(squared(x, 0)?, squared(x, 1)?);
    let sum: Formula = |x| ivy::add(squared(x, 0)?, squared(x, 1)?);
    let double: Formula = |x| ivy::multiply(squared(x, 2)?, 2.0);
    for x in [v(&[0.0, 2.0, 1.0]), v(&[0.0, 0.0, 0.0])] {
        let into_zeros = |how| move |x: &Array| written(how, None, x);
        let summed = |x: &Array| vector([sum(x), squared(x, 2), constant(x, 0.0)]);
        same("scatter by sum", &into_zeros(Reduction::Sum), &summed, &x);
        let last = |x: &Array| vector([squared(x, 1), squared(x, 2), constant(x, 0.0)]);
        same("scatter by replacing", &into_zeros(Reduction::Replace), &last, &x);
        let multiplied = |x: &Array| vector([product(x), double(x), constant(x, 3.0)]);
        same("scatter by products", &|x| written(Reduction::Mul, Some(&out), x), &multiplied, &x);
    }
    let x = v(&[0.0, 2.0, 1.0]);
    let greatest = |x: &Array| vector([squared(x, 1), constant(x, 2.0), constant(x, 3.0)]);
    same("scatter by max", &|x| written(Reduction::Max, Some(&out), x), &greatest, &x);
    let least = |x: &Array| vector([squared(x, 0), squared(x, 2), constant(x, 3.0)]);
    same("scatter by min", &|x| written(Reduction::Min, Some(&out), x), &least, &x);
}

#[test]
fn running_values() {
    for zeros in [[0.0, 0.0, 2.0], [2.0, 0.0, 3.0], [0.0, 1.0, 0.0], [0.0; 3]] {
        let x = v(&zeros);
        let two = |x: &Array, i, j| ivy::multiply(at(x, i)?, at(x, j)?);
        let all = |x: &Array| ivy::multiply(two(x, 0, 1)?, at(x, 2)?);
        same("prod", &|x| ivy::prod(x, ()), &all, &x);
        let running = |x: &Array| vector([at(x, 0), two(x, 0, 1), all(x)]);
        same("cumulative_prod", &|x| ivy::cumulative_prod(x, ()), &running, &x);
    }
    let sums = |x: &Array| vector([squared(x, 0), ivy::add(squared(x, 0)?, squared(x, 1)?)]);
    same("cumulative_sum", &|x| ivy::cumulative_sum(ivy::square(x)?, ()), &sums, &v(&[0.0, 0.0]));
    let kept = |x: &Array| vector([squared(x, 0), squared(x, 0), squared(x, 2)]);
    same("cummax", &|x| Ok(ivy::cummax(ivy::square(x)?, ())?.values), &kept, &v(&[1.0, -1.0, 2.0]));
    same("cummin", &|x| Ok(ivy::cummin(ivy::square(x)?, ())?.values), &kept, &v(&[1.0, -1.0, 0.0]));
}
