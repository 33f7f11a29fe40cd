//! Products of complex matrices by products of real ones, with fused multiply-add.
//!
//! A row of the left operand becomes two real ones, `re, -im, re, -im, ...` and `im, re, im, re, ...`, and a row of the
//! right one a row of its real parts and one of its imaginary ones. In the product of these a row of real parts is
//! followed by one of imaginary ones. The order of the sums is that of [`Field::fused`](super::entry::Field::fused).

use super::{LONG, Multiply, entry::Entry, fused::is_parallel, matrix::Matrix, pack::Packed};
use crate::parallel::chunks;
use ivy_core::host::scratch;
use num_complex::Complex;
use std::{mem::MaybeUninit, ops::Neg};

/// The product of `a` and `b` into `c`, row-major.
pub(super) fn multiply<T, E>(a: Matrix<E>, b: Matrix<E>, c: &mut [MaybeUninit<Complex<T>>])
where
    T: Entry<Acc = T> + Multiply + Neg<Output = T>,
    E: Entry<Acc = Complex<T>>,
{
    let (k, n) = (a.columns, b.columns);
    let parallel = is_parallel(4 * c.len(), k);
    let (left, right) = (left_parts(a, parallel), right_parts(b, parallel));
    let mut memory = scratch::buffer(size_of_val(c));
    let parts = memory.as_uninit::<T>();
    T::multiply(Matrix::of_rows(left.elements(), 2 * k), Matrix::of_rows(right.elements(), n), parts);
    let parts: &[MaybeUninit<T>] = parts;
    let rows = (LONG / (2 * n)).max(1);
    chunks(parallel && c.len() >= LONG, c, rows * n, &|i, c| {
        let pairs = parts[i * rows * 2 * n..].chunks_exact(2 * n);
        for (c, pair) in c.chunks_exact_mut(n).zip(pairs) {
            let (re, im) = pair.split_at(n);
            for ((c, re), im) in c.iter_mut().zip(re).zip(im) {
                // SAFETY: the product has written every element.
                c.write(unsafe { Complex::new(re.assume_init(), im.assume_init()) });
            }
        }
    });
}

/// The left operand's rows, each as two real ones.
fn left_parts<T, E>(a: Matrix<E>, parallel: bool) -> Packed<T>
where
    T: Entry + Neg<Output = T>,
    E: Entry<Acc = Complex<T>>,
{
    let size = 2 * a.columns;
    let mut memory = scratch::buffer(2 * a.rows * size * size_of::<T>());
    let rows = (LONG / (2 * size)).max(1);
    chunks(parallel && a.rows * size >= LONG, memory.as_uninit(), 2 * size * rows, &|i, to| {
        for (row, to) in to.chunks_exact_mut(2 * size).enumerate() {
            let (re, im) = to.split_at_mut(size);
            a.row(i * rows + row, 0, a.columns, |j, x| {
                let x = x.load();
                (re[2 * j], re[2 * j + 1]) = (MaybeUninit::new(x.re), MaybeUninit::new(-x.im));
                (im[2 * j], im[2 * j + 1]) = (MaybeUninit::new(x.im), MaybeUninit::new(x.re));
            });
        }
    });
    // SAFETY: of each row both parts are written.
    unsafe { Packed::new(memory) }
}

/// The right operand's rows, each as one of real parts and one of imaginary ones.
fn right_parts<T: Entry, E: Entry<Acc = Complex<T>>>(b: Matrix<E>, parallel: bool) -> Packed<T> {
    let n = b.columns;
    let mut memory = scratch::buffer(2 * b.rows * n * size_of::<T>());
    let rows = (LONG / (2 * n)).max(1);
    chunks(parallel && b.rows * n >= LONG, memory.as_uninit(), 2 * n * rows, &|i, to| {
        for (row, to) in to.chunks_exact_mut(2 * n).enumerate() {
            let (re, im) = to.split_at_mut(n);
            b.row(i * rows + row, 0, n, |j, x| {
                let x = x.load();
                (re[j], im[j]) = (MaybeUninit::new(x.re), MaybeUninit::new(x.im));
            });
        }
    });
    // SAFETY: of each row both parts are written.
    unsafe { Packed::new(memory) }
}
