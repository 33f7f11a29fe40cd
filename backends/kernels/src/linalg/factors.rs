//! Cholesky, QR and singular values.

use super::number::{Number, Part};
use super::stack::{Fault, Stack, moderate, write};
use ivy_core::Result;
use ivy_core::host::HostArray;

pub(super) fn cholesky<T: Number>(stack: &Stack<'_, T>, upper: bool) -> Result<HostArray> {
    let n = stack.n;
    stack.one::<T>(&[n, n], |i, to| {
        let found = T::cholesky(stack.hermitian(i).as_ref()).map_err(|_| Fault::NotPositiveDefinite)?;
        let lower = found.L();
        // A pivot that is NaN is not positive either.
        if (0..n).any(|j| lower[(j, j)].re().wide().is_nan()) {
            return Err(Fault::NotPositiveDefinite);
        }
        // The pivots are real: what rounding leaves of an imaginary part is none.
        write(to, n, |r, c| match upper {
            _ if r == c => lower[(r, c)].without_im(),
            false if r >= c => lower[(r, c)],
            true if r <= c => lower[(c, r)].conjugate(),
            _ => T::default(),
        });
        Ok(())
    })
}

pub(super) fn qr<T: Number>(stack: &Stack<'_, T>, complete: bool) -> Result<[HostArray; 2]> {
    let (m, n) = (stack.m, stack.n);
    let inner = if complete { m } else { stack.k() };
    stack.two::<T, T>([&[m, inner], &[inner, n]], |i, q, r| {
        if n == 0 {
            write(q, inner, |i, j| if i == j { T::ONE } else { T::default() });
            return Ok(());
        }
        let found = T::qr(stack.matrix(i).as_ref(), complete);
        write(q, inner, |i, j| found.q[(i, j)]);
        write(r, n, |i, j| if i <= j { found.r[(i, j)] } else { T::default() });
        Ok(())
    })
}

pub(super) fn svd<T: Number>(stack: &Stack<'_, T>, full: bool) -> Result<[HostArray; 3]> {
    let (m, n, k) = (stack.m, stack.n, stack.k());
    let (rows, columns) = if full { (m, n) } else { (k, k) };
    stack.three::<T, T::Part, T>([&[m, rows], &[k], &[columns, n]], |i, u, s, vh| {
        if k == 0 {
            let one = |i: usize, j: usize| if i == j { T::ONE } else { T::default() };
            write(u, rows, one);
            write(vh, n, one);
            return Ok(());
        }
        let (matrix, back) = moderate(stack.matrix(i))?;
        let found = T::svd(matrix.as_ref(), full).map_err(|_| Fault::NO_END)?;
        let (own_u, own_s, own_v) = (found.U(), found.S().column_vector(), found.V());
        write(u, rows, |i, j| own_u[(i, j)]);
        s.iter_mut().enumerate().for_each(|(j, to)| *to = own_s[j].re().scaled(back));
        write(vh, n, |i, j| own_v[(j, i)].conjugate());
        Ok(())
    })
}

pub(super) fn singular_values<T: Number>(stack: &Stack<'_, T>) -> Result<HostArray> {
    stack.one::<T::Part>(&[stack.k()], |i, to| {
        if to.is_empty() {
            return Ok(());
        }
        let (matrix, back) = moderate(stack.matrix(i))?;
        let found = T::singular_values(matrix.as_ref()).map_err(|_| Fault::NO_END)?;
        to.iter_mut().zip(found).for_each(|(to, value)| *to = value.scaled(back));
        Ok(())
    })
}
