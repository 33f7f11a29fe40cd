//! The matrices of a stack of them.

use crate::{
    isa::{LINE, prefetch},
    small::Value,
};
use ivy_core::Dims;
use ivy_core::host::HostView;
use std::{marker::PhantomData, ops::Range};

/// An operand with its leading axes broadcast.
pub(crate) struct Stack<'a, T> {
    base: *const T,
    lens: Dims,
    strides: Dims<isize>,
    pub rows: usize,
    pub columns: usize,
    row: isize,
    column: isize,
    view: PhantomData<&'a [T]>,
}

// SAFETY: a shared borrow of plain values.
unsafe impl<T: Value> Sync for Stack<'_, T> {}

impl<'a, T: Value> Stack<'a, T> {
    /// A stack of matrices; `lead` is what the leading axes of `x` broadcast to.
    pub fn new(x: HostView<'a>, lead: &[usize]) -> Stack<'a, T> {
        assert_eq!(size_of::<T>(), x.dtype().bytes());
        let base = x.as_ptr().cast::<T>();
        assert!(x.size() == 0 || base.is_aligned());
        let own = x.shape().len() - 2;
        let mut strides = Dims::from_elem(0, lead.len() - own);
        for axis in 0..own {
            assert!(x.shape()[axis] == 1 || x.shape()[axis] == lead[lead.len() - own + axis]);
            strides.push(if x.shape()[axis] == 1 { 0 } else { x.strides()[axis] });
        }
        Stack {
            base,
            lens: Dims::from_slice(lead),
            strides,
            rows: x.shape()[own],
            columns: x.shape()[own + 1],
            row: x.strides()[own],
            column: x.strides()[own + 1],
            view: PhantomData,
        }
    }

    /// The matrix with this number; the stack is not empty.
    pub fn matrix(&self, mut number: usize) -> Matrix<'a, T> {
        let mut offset = 0;
        for (&len, &stride) in self.lens.iter().zip(&self.strides).rev() {
            offset += (number % len) as isize * stride;
            number /= len;
        }
        assert!(number == 0);
        Matrix {
            base: self.base.wrapping_offset(offset),
            rows: self.rows,
            columns: self.columns,
            row: self.row,
            column: self.column,
            view: PhantomData,
        }
    }
}

/// A strided matrix.
pub(crate) struct Matrix<'a, T> {
    base: *const T,
    pub rows: usize,
    pub columns: usize,
    row: isize,
    column: isize,
    view: PhantomData<&'a [T]>,
}

impl<T> Clone for Matrix<'_, T> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<T> Copy for Matrix<'_, T> {}

// SAFETY: a shared borrow of plain values.
unsafe impl<T: Value> Send for Matrix<'_, T> {}
// SAFETY: likewise.
unsafe impl<T: Value> Sync for Matrix<'_, T> {}

impl<'a, T: Value> Matrix<'a, T> {
    /// Rows of so many columns, one after the other.
    pub fn of_rows(elements: &'a [T], columns: usize) -> Matrix<'a, T> {
        let rows = elements.len() / columns;
        assert!(rows * columns == elements.len());
        let (base, row) = (elements.as_ptr(), columns as isize);
        Matrix { base, rows, columns, row, column: 1, view: PhantomData }
    }

    /// One element.
    #[inline(always)]
    pub fn at(&self, i: usize, j: usize) -> T {
        assert!(i < self.rows && j < self.columns);
        // SAFETY: within the matrix, which lies within the view.
        unsafe { *self.base.offset(i as isize * self.row + j as isize * self.column) }
    }

    /// Rows and columns exchanged.
    pub fn transposed(self) -> Matrix<'a, T> {
        Matrix { rows: self.columns, columns: self.rows, row: self.column, column: self.row, ..self }
    }

    /// Calls `visit(j, element)` for a row's elements from `start` to before `end`.
    #[inline(always)]
    pub fn row(&self, i: usize, start: usize, end: usize, mut visit: impl FnMut(usize, T)) {
        assert!(i < self.rows && start <= end && end <= self.columns);
        let base = self.base.wrapping_offset(i as isize * self.row + start as isize * self.column);
        if self.column == 1 {
            for j in 0..end - start {
                // SAFETY: within the matrix (just checked), which lies within the view.
                visit(j, unsafe { *base.add(j) });
            }
        } else {
            for j in 0..end - start {
                // SAFETY: likewise.
                visit(j, unsafe { *base.offset(j as isize * self.column) });
            }
        }
    }

    /// True if a row's elements are side by side.
    #[inline(always)]
    pub fn has_rows(&self) -> bool {
        self.column == 1
    }

    /// A row's elements from `start` to before `end`, if they are side by side.
    #[inline(always)]
    pub fn side_by_side(&self, i: usize, start: usize, end: usize) -> Option<&'a [T]> {
        assert!(i < self.rows && start <= end && end <= self.columns);
        let first = self.base.wrapping_offset(i as isize * self.row + start as isize);
        // SAFETY: within the matrix (just checked), which lies within the view, and nobody writes to that.
        self.has_rows().then(|| unsafe { std::slice::from_raw_parts(first, end - start) })
    }

    /// Writes a row's elements from `start` on, as many as there is room for, as `load` makes them.
    #[inline(always)]
    pub fn copy_row<A>(&self, i: usize, start: usize, to: &mut [A], load: impl Fn(T) -> A) {
        match self.side_by_side(i, start, start + to.len()) {
            // Without a bound to check for each element, it is done in vectors.
            Some(from) => to.iter_mut().zip(from).for_each(|(to, &x)| *to = load(x)),
            None => self.row(i, start, start + to.len(), |j, x| to[j] = load(x)),
        }
    }

    /// Writes a row's elements, `N` of them side by side and those after them `step` elements on.
    #[inline(always)]
    pub fn copy_pieces<const N: usize, A>(
        &self,
        i: usize,
        elements: Range<usize>,
        to: &mut [A],
        step: usize,
        load: impl Fn(T) -> A,
    ) {
        let Some(from) = self.side_by_side(i, elements.start, elements.end) else {
            return self.row(i, elements.start, elements.end, |j, x| to[j / N * step + j % N] = load(x));
        };
        let (whole, rest) = from.as_chunks::<N>();
        for (to, from) in to.chunks_mut(step).zip(whole) {
            // All of a piece is read before it is written: in one vector.
            *to.first_chunk_mut().expect("room for a piece") = from.map(&load);
        }
        for (j, &x) in rest.iter().enumerate() {
            to[whole.len() * step + j] = load(x);
        }
    }

    /// Asks for a row's elements, if there is such a row and they are side by side.
    #[inline(always)]
    pub fn prefetch_row(&self, i: usize, elements: Range<usize>) {
        if i < self.rows && self.has_rows() {
            let first = self.base.wrapping_offset(i as isize * self.row + elements.start as isize);
            for at in (0..elements.len()).step_by(LINE / size_of::<T>()) {
                prefetch(first.wrapping_add(at));
            }
        }
    }

    /// True if elements of a row are nearer to each other than those of a column.
    pub fn row_major(&self) -> bool {
        self.column.abs() <= self.row.abs()
    }
}
