//! A stack of matrices, and results of each of them.

use super::number::{Number, Part};
use crate::parallel::{PARALLEL, map};
use crate::sequence::Sequences;
use faer::Mat;
use ivy_core::host::{Element, HostArray, HostView, scratch};
use ivy_core::{Dims, ErrorKind, Result, Shape};
use num_complex::Complex;
use std::cmp::Ordering;
use std::sync::{Mutex, PoisonError};

/// Why a matrix has no decomposition.
#[derive(Clone, Copy, Debug)]
pub(super) enum Fault {
    Singular,
    NotPositiveDefinite,
    NotConverged(&'static str),
}

impl Fault {
    /// What the iterations do not even begin with.
    pub const NOT_FINITE: Fault = Fault::NotConverged("it has NaN or infinite elements");
    /// What an iteration gave up.
    pub const NO_END: Fault = Fault::NotConverged("the steps that are allowed were not enough");

    fn error(self, function: &'static str, lead: &[usize], number: usize) -> ivy_core::Error {
        let batch = (!lead.is_empty()).then(|| index_of(number, lead));
        match self {
            Fault::Singular => ErrorKind::SingularMatrix { function, batch },
            Fault::NotPositiveDefinite => ErrorKind::NotPositiveDefinite { function, batch },
            Fault::NotConverged(reason) => ErrorKind::NotConverged { function, batch, reason },
        }
        .into()
    }
}

/// The index with a number in row-major order.
fn index_of(mut number: usize, lens: &[usize]) -> Shape {
    let mut index = Dims::from_elem(0, lens.len());
    for (i, &len) in index.iter_mut().zip(lens).rev() {
        *i = number % len;
        number /= len;
    }
    index.into()
}

/// The matrices of an array: its last two axes.
pub(super) struct Stack<'a, T> {
    pub name: &'static str,
    pub lead: Dims,
    /// Rows of each.
    pub m: usize,
    /// Columns of each.
    pub n: usize,
    elements: Sequences<'a, T>,
}

impl<'a, T: Number> Stack<'a, T> {
    /// The stack of an array with two axes or more.
    pub fn new(name: &'static str, x: HostView<'a>) -> Stack<'a, T> {
        let split = x.shape().len() - 2;
        let (m, n) = (x.shape()[split], x.shape()[split + 1]);
        let elements = Sequences::new(x, &[split, split + 1]);
        Stack { name, lead: Dims::from_slice(&x.shape()[..split]), m, n, elements }
    }

    /// The lesser side.
    pub fn k(&self) -> usize {
        self.m.min(self.n)
    }

    /// How many matrices.
    fn count(&self) -> usize {
        self.lead.iter().product()
    }

    /// One matrix.
    pub fn matrix(&self, number: usize) -> Mat<T> {
        let mut buffer = Vec::new();
        let elements = self.elements.part(number, 0..self.m * self.n, &mut buffer);
        Mat::from_fn(self.m, self.n, |i, j| elements[i * self.n + j])
    }

    /// The Hermitian matrix with the lower triangle of one.
    pub fn hermitian(&self, number: usize) -> Mat<T> {
        let given = self.matrix(number);
        Mat::from_fn(self.n, self.n, |i, j| match i.cmp(&j) {
            Ordering::Less => given[(j, i)].conjugate(),
            Ordering::Equal => given[(i, i)].without_im(),
            Ordering::Greater => given[(i, j)],
        })
    }

    /// The shape of a result.
    /// Leaves for want of memory where a matrix whose results have so many bytes finds none to be worked
    /// on in: `faer` has no way to say so. It has the matrix two or three times, its results, which may be
    /// square, and as much again to compute them in.
    fn room(&self, results: usize) {
        let elements = self.m as u128 * self.n as u128 + self.k() as u128 * self.k() as u128;
        let bytes = 4 * elements * size_of::<Complex<T::Part>>() as u128 + 3 * results as u128;
        scratch::probe(bytes).unwrap_or_else(|refused| scratch::refuse(refused));
    }

    fn shape(&self, rest: &[usize]) -> Shape {
        self.lead.iter().chain(rest).copied().collect()
    }

    /// One result of each matrix, of the shape `rest`.
    pub fn one<A: Element + Default>(
        &self,
        rest: &[usize],
        work: impl Fn(usize, &mut [A]) -> Result<(), Fault> + Sync,
    ) -> Result<HostArray> {
        let [a, _, _] = self.three::<A, u8, u8>([rest, &[0], &[0]], |i, a, _, _| work(i, a))?;
        Ok(a)
    }

    /// Two results of each matrix.
    pub fn two<A: Element + Default, B: Element + Default>(
        &self,
        rest: [&[usize]; 2],
        work: impl Fn(usize, &mut [A], &mut [B]) -> Result<(), Fault> + Sync,
    ) -> Result<[HostArray; 2]> {
        let [a, b, _] = self.three::<A, B, u8>([rest[0], rest[1], &[0]], |i, a, b, _| work(i, a, b))?;
        Ok([a, b])
    }

    /// Three results of each matrix: `work` gets the matrix' number and the places, of zeros, for
    /// what it gives. Of several faults the first matrix' is the error.
    pub fn three<A: Element + Default, B: Element + Default, C: Element + Default>(
        &self,
        rest: [&[usize]; 3],
        work: impl Fn(usize, &mut [A], &mut [B], &mut [C]) -> Result<(), Fault> + Sync,
    ) -> Result<[HostArray; 3]> {
        let [ra, rb, rc] = rest.map(|r| self.shape(r));
        let (mut a, mut b, mut c) =
            (zeros::<A>(self.name, &ra)?, zeros::<B>(self.name, &rb)?, zeros::<C>(self.name, &rc)?);
        let [la, lb, lc] = rest.map(|r| r.iter().product::<usize>());
        {
            let (mut a, mut b, mut c) = (&mut a[..], &mut b[..], &mut c[..]);
            // Each lock is taken once, by the task that the places belong to.
            let mut places = scratch::try_vec(self.count()).map_err(|refused| refused.by(self.name))?;
            for _ in 0..self.count() {
                let (own_a, own_b, own_c);
                (own_a, a) = a.split_at_mut(la);
                (own_b, b) = b.split_at_mut(lb);
                (own_c, c) = c.split_at_mut(lc);
                places.push(Mutex::new((own_a, own_b, own_c)));
            }
            let cost = self.m.saturating_mul(self.n).saturating_mul(self.k()).saturating_mul(places.len());
            let work = |i: usize| {
                let mut place = places[i].lock().unwrap_or_else(PoisonError::into_inner);
                let (a, b, c) = &mut *place;
                self.room(size_of::<A>() * la + size_of::<B>() * lb + size_of::<C>() * lc);
                work(i, a, b, c).err()
            };
            let faults = scratch::guard(self.name, || map(cost >= PARALLEL, places.len(), &work))?;
            if let Some((i, fault)) = faults.into_iter().enumerate().find_map(|(i, f)| Some((i, f?))) {
                return Err(fault.error(self.name, &self.lead, i));
            }
        }
        let made = "the values are as many as the shape says";
        Ok([
            HostArray::from_vec(a, ra).expect(made),
            HostArray::from_vec(b, rb).expect(made),
            HostArray::from_vec(c, rc).expect(made),
        ])
    }
}

/// Zeros for a result.
fn zeros<T: Element + Default>(function: &'static str, shape: &Shape) -> Result<Vec<T>> {
    let size = shape.checked_size(function, T::DTYPE)?;
    scratch::guard(function, || scratch::filled(T::default(), size))
}

/// Writes a matrix in row-major order; `at` gives the elements.
pub(super) fn write<T>(to: &mut [T], columns: usize, at: impl Fn(usize, usize) -> T) {
    if columns > 0 {
        for (i, row) in to.chunks_exact_mut(columns).enumerate() {
            row.iter_mut().enumerate().for_each(|(j, to)| *to = at(i, j));
        }
    }
}

/// The greatest magnitude of the elements' parts; infinity if one is NaN.
pub(super) fn greatest<T: Number>(matrix: &Mat<T>) -> f64 {
    let places = (0..matrix.ncols()).flat_map(|j| (0..matrix.nrows()).map(move |i| (i, j)));
    places.map(|at| matrix[at].greatest()).fold(0.0, f64::max)
}

/// A matrix of moderate elements, and the power of two that brings what is found of it back. The
/// iterations square what they get: where that would overflow or vanish, the matrix is scaled.
pub(super) fn moderate<T: Number>(matrix: Mat<T>) -> Result<(Mat<T>, f64), Fault> {
    let greatest = greatest(&matrix);
    if greatest.is_infinite() {
        return Err(Fault::NOT_FINITE);
    }
    let exponent = if greatest == 0.0 { 0 } else { libm::ilogb(greatest) };
    if exponent.abs() <= T::Part::SQUARED {
        return Ok((matrix, 1.0));
    }
    // The power back is one of float64.
    let exponent = exponent.clamp(-1022, 1022);
    let factor = libm::scalbn(1.0, -exponent);
    let scaled = Mat::from_fn(matrix.nrows(), matrix.ncols(), |i, j| matrix[(i, j)].times(factor));
    Ok((scaled, libm::scalbn(1.0, exponent)))
}
