//! What the LU decomposition with partial pivoting gives.

use super::number::{Number, Part};
use super::stack::{Fault, Stack, greatest, write};
use crate::layout::Layout;
use faer::Mat;
use faer::linalg::solvers::PartialPivLu;
use ivy_core::host::{HostArray, HostView};
use ivy_core::{Dims, LinalgOp, Result, Shape, shape};

/// The decomposition of a matrix; `None` if a pivot is zero.
fn regular<T: Number>(matrix: &Mat<T>) -> Result<PartialPivLu<T>, Fault> {
    let lu = T::lu(matrix.as_ref());
    let zero = (0..matrix.ncols()).any(|i| lu.U()[(i, i)] == T::default());
    if zero { Err(Fault::Singular) } else { Ok(lu) }
}

pub(super) fn inverse<T: Number>(stack: &Stack<'_, T>) -> Result<HostArray> {
    let n = stack.n;
    stack.one::<T>(&[n, n], |i, to| {
        if n == 0 {
            return Ok(());
        }
        let found = T::inverse(&regular(&stack.matrix(i))?);
        write(to, n, |i, j| found[(i, j)]);
        Ok(())
    })
}

/// The rows of both factors, of which the first has ones on its diagonal, and which row each one was.
pub(super) fn lu<T: Number>(stack: &Stack<'_, T>) -> Result<[HostArray; 2]> {
    let n = stack.n;
    stack.two::<T, i64>([&[n, n], &[n]], |i, factors, order| {
        if n == 0 {
            return Ok(());
        }
        let lu = regular(&stack.matrix(i))?;
        write(factors, n, |i, j| if i > j { lu.L()[(i, j)] } else { lu.U()[(i, j)] });
        order.iter_mut().zip(lu.P().arrays().0).for_each(|(to, &row)| *to = row as i64);
        Ok(())
    })
}

pub(super) fn solve<T: Number>(a: HostView<'_>, b: HostView<'_>) -> Result<HostArray> {
    solved::<T>(LinalgOp::Solve.name(), a, b, |a, x| {
        T::solve(&regular(a)?, x.as_mut());
        Ok(())
    })
}

/// The solutions for a stack of matrices and one of right-hand sides, which are broadcast; `each` puts those of one
/// matrix in the place of its right-hand sides.
pub(super) fn solved<T: Number>(
    name: &'static str,
    a: HostView<'_>,
    b: HostView<'_>,
    each: impl Fn(&Mat<T>, &mut Mat<T>) -> Result<(), Fault> + Sync,
) -> Result<HostArray> {
    let split = a.shape().len() - 2;
    let n = a.shape()[split];
    let is_column = b.shape().len() == 1;
    let (own, k): (&[usize], usize) = match b.shape() {
        [lead @ .., _, k] => (lead, *k),
        _ => (&[], 1),
    };
    let lead = shape::broadcast(name, &[&a.shape()[..split], own])?;
    let all = |rest: [usize; 2]| -> Shape { lead.iter().copied().chain(rest).collect() };
    let (wide_a, wide_b) = (all([n, n]), all([n, k]));
    let column = Layout::of_view(&b);
    let column = match is_column {
        true => Layout { shape: [n, 1].into(), strides: Dims::from_iter([b.strides()[0], 0]), ..column },
        false => column,
    };
    let (wide_a, wide_b) = (Layout::of_view(&a).broadcast(&wide_a)?, column.broadcast(&wide_b)?);
    let (a, b) = (Stack::<T>::new(name, wide_a.view(&a)), Stack::<T>::new(name, wide_b.view(&b)));
    let rest: &[usize] = if is_column { &[n] } else { &[n, k] };
    a.one::<T>(rest, |i, to| {
        if to.is_empty() {
            return Ok(());
        }
        let mut x = b.matrix(i);
        each(&a.matrix(i), &mut x)?;
        write(to, k, |i, j| x[(i, j)]);
        Ok(())
    })
}

/// The factors of the determinant: whether rows were changed an odd number of times, and the pivots.
fn pivots<T: Number>(stack: &Stack<'_, T>, number: usize) -> (bool, Vec<T>) {
    if stack.n == 0 {
        return (false, Vec::new());
    }
    let matrix = stack.matrix(number);
    let lu = T::lu(matrix.as_ref());
    let (order, _) = lu.P().arrays();
    let mut seen = vec![false; order.len()];
    let mut odd = false;
    for start in 0..order.len() {
        let mut at = start;
        while !std::mem::replace(&mut seen[at], true) {
            at = order[at];
            odd ^= at != start;
        }
    }
    let pivots: Vec<T> = (0..stack.n).map(|i| lu.U()[(i, i)]).collect();
    // Behind a pivot that is zero stands what a division by it gave.
    match greatest(&matrix).is_finite() && pivots.contains(&T::default()) {
        true => (false, vec![T::default()]),
        false => (odd, pivots),
    }
}

pub(super) fn determinant<T: Number>(stack: &Stack<'_, T>) -> Result<HostArray> {
    stack.one::<T>(&[], |i, to| {
        let (odd, pivots) = pivots(stack, i);
        let product = pivots.into_iter().fold(T::ONE, |product, pivot| product * pivot);
        to[0] = if odd { -product } else { product };
        Ok(())
    })
}

pub(super) fn log_determinant<T: Number>(stack: &Stack<'_, T>) -> Result<[HostArray; 2]> {
    stack.two::<T, T::Part>([&[], &[]], |i, sign, log| {
        let (odd, pivots) = pivots(stack, i);
        if pivots == [T::default()] {
            (sign[0], log[0]) = (T::default(), Part::of(f64::NEG_INFINITY));
            return Ok(());
        }
        let product = pivots.iter().fold(T::ONE, |product, pivot| product * pivot.direction());
        sign[0] = if odd { -product } else { product };
        log[0] = Part::of(pivots.iter().map(|pivot| libm::log(pivot.size())).sum());
        Ok(())
    })
}
