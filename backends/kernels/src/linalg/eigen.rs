//! Eigenvalues and eigenvectors.

use super::number::{Number, Part};
use super::stack::{Fault, Stack, is_finite, write};
use faer::linalg::solvers::SelfAdjointEigen;
use faer::{Mat, Side};
use ivy_core::Result;
use ivy_core::host::Element;
use ivy_core::host::HostArray;
use num_complex::Complex;

/// A matrix that is given by its lower triangle.
fn checked<T: Number>(stack: &Stack<'_, T>, number: usize) -> Result<Mat<T>, Fault> {
    let matrix = stack.hermitian(number);
    if is_finite(&matrix) { Ok(matrix) } else { Err(Fault::NOT_FINITE) }
}

pub(super) fn hermitian<T: Number>(stack: &Stack<'_, T>) -> Result<[HostArray; 2]> {
    let n = stack.n;
    stack.two::<T::Part, T>([&[n], &[n, n]], |i, values, vectors| {
        if n == 0 {
            return Ok(());
        }
        let matrix = checked(stack, i)?;
        let found = SelfAdjointEigen::new(matrix.as_ref(), Side::Lower).map_err(|_| Fault::NO_END)?;
        let (own_values, own_vectors) = (found.S().column_vector(), found.U());
        values.iter_mut().enumerate().for_each(|(j, to)| *to = own_values[j].re());
        write(vectors, n, |i, j| own_vectors[(i, j)]);
        Ok(())
    })
}

pub(super) fn hermitian_values<T: Number>(stack: &Stack<'_, T>) -> Result<HostArray> {
    stack.one::<T::Part>(&[stack.n], |i, to| {
        if to.is_empty() {
            return Ok(());
        }
        let matrix = checked(stack, i)?;
        to.copy_from_slice(&matrix.self_adjoint_eigenvalues(Side::Lower).map_err(|_| Fault::NO_END)?);
        Ok(())
    })
}

pub(super) fn general<T: Number>(stack: &Stack<'_, T>) -> Result<[HostArray; 2]>
where
    Complex<T::Part>: Element + Default,
{
    let n = stack.n;
    type C<T> = Complex<<T as Number>::Part>;
    stack.two::<C<T>, C<T>>([&[n], &[n, n]], |i, values, vectors| {
        if n == 0 {
            return Ok(());
        }
        let matrix = stack.matrix(i);
        if !is_finite(&matrix) {
            return Err(Fault::NOT_FINITE);
        }
        let found = T::eigen(matrix.as_ref()).map_err(|_| Fault::NO_END)?;
        let (own_values, own_vectors) = (found.S().column_vector(), found.U());
        values.iter_mut().enumerate().for_each(|(j, to)| *to = own_values[j]);
        let square = |z: C<T>| z.re.wide() * z.re.wide() + z.im.wide() * z.im.wide();
        let lengths: Vec<f64> =
            (0..n).map(|j| (0..n).map(|i| square(own_vectors[(i, j)])).sum::<f64>().sqrt()).collect();
        write(vectors, n, |i, j| {
            let z = own_vectors[(i, j)];
            Complex { re: Part::of(z.re.wide() / lengths[j]), im: Part::of(z.im.wide() / lengths[j]) }
        });
        Ok(())
    })
}

pub(super) fn general_values<T: Number>(stack: &Stack<'_, T>) -> Result<HostArray>
where
    Complex<T::Part>: Element + Default,
{
    stack.one::<Complex<T::Part>>(&[stack.n], |i, to| {
        if to.is_empty() {
            return Ok(());
        }
        let matrix = stack.matrix(i);
        if !is_finite(&matrix) {
            return Err(Fault::NOT_FINITE);
        }
        to.copy_from_slice(&T::eigenvalues(&matrix).map_err(|_| Fault::NO_END)?);
        Ok(())
    })
}
