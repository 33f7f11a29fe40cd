//! Eigenvalues and eigenvectors.

use super::number::{Number, Part};
use super::stack::{Fault, Stack, moderate, write};
use ivy_core::Result;
use ivy_core::host::Element;
use ivy_core::host::HostArray;
use num_complex::Complex;

pub(super) fn hermitian<T: Number>(stack: &Stack<'_, T>) -> Result<[HostArray; 2]> {
    let n = stack.n;
    stack.two::<T::Part, T>([&[n], &[n, n]], |i, values, vectors| {
        if n == 0 {
            return Ok(());
        }
        let (matrix, back) = moderate(stack.hermitian(i))?;
        let found = T::hermitian_eigen(matrix.as_ref()).map_err(|_| Fault::NO_END)?;
        let (own_values, own_vectors) = (found.S().column_vector(), found.U());
        values.iter_mut().enumerate().for_each(|(j, to)| *to = own_values[j].re().scaled(back));
        write(vectors, n, |i, j| own_vectors[(i, j)]);
        Ok(())
    })
}

pub(super) fn hermitian_values<T: Number>(stack: &Stack<'_, T>) -> Result<HostArray> {
    stack.one::<T::Part>(&[stack.n], |i, to| {
        if to.is_empty() {
            return Ok(());
        }
        let (matrix, back) = moderate(stack.hermitian(i))?;
        let found = T::hermitian_eigenvalues(matrix.as_ref()).map_err(|_| Fault::NO_END)?;
        to.iter_mut().zip(found).for_each(|(to, value)| *to = value.scaled(back));
        Ok(())
    })
}

/// An eigenvalue of a matrix that was scaled.
fn scaled<P: Part>(z: Complex<P>, back: f64) -> Complex<P> {
    Complex { re: z.re.scaled(back), im: z.im.scaled(back) }
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
        let (matrix, back) = moderate(stack.matrix(i))?;
        let found = T::eigen(matrix.as_ref()).map_err(|_| Fault::NO_END)?;
        let (own_values, own_vectors) = (found.S().column_vector(), found.U());
        values.iter_mut().enumerate().for_each(|(j, to)| *to = scaled(own_values[j], back));
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
        let (matrix, back) = moderate(stack.matrix(i))?;
        let found = T::eigenvalues(matrix.as_ref()).map_err(|_| Fault::NO_END)?;
        to.iter_mut().zip(found).for_each(|(to, value)| *to = scaled(value, back));
        Ok(())
    })
}
