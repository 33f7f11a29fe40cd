//! Arrays in host memory: the form in which data enters and leaves every backend, and the
//! operands of the reference kernels.

pub(crate) mod buffer;
mod element;
pub(crate) mod huge;
mod pool;
pub mod scratch;
mod small;

pub use buffer::{ALIGN, Buffer, UniqueBuffer};
pub use element::Element;
pub use huge::set_huge_pages;
pub use pool::set_pool_limit;

use crate::{Dims, Dtype, ErrorKind, Result, Scalar, Shape};
use scratch::Refused;
use std::borrow::Cow;

/// Row-major strides of a shape, in elements.
#[inline]
pub fn contiguous_strides(shape: &[usize]) -> Dims<isize> {
    if let [_] = shape {
        return Dims::from_slice(&[1]);
    }
    let mut strides = Dims::from_elem(0, shape.len());
    let mut step = 1isize;
    for (stride, &len) in strides.iter_mut().zip(shape).rev() {
        *stride = step;
        step = step.saturating_mul(len.max(1) as isize);
    }
    strides
}

/// True if strides walk a shape's elements one after the other, in row-major order.
pub fn is_contiguous(shape: &[usize], strides: &[isize]) -> bool {
    if shape.contains(&0) {
        return true;
    }
    let mut step = 1isize;
    for (&len, &stride) in shape.iter().zip(strides).rev() {
        if len != 1 && stride != step {
            return false;
        }
        step *= len as isize;
    }
    true
}

/// A strided array over borrowed bytes. Strides and offset count elements; every element lies
/// within the bytes, and the bytes are aligned for the dtype (checked by [`HostView::new`]).
#[derive(Clone, Copy, Debug)]
pub struct HostView<'a> {
    bytes: &'a [u8],
    dtype: Dtype,
    shape: &'a [usize],
    strides: &'a [isize],
    offset: usize,
}

impl<'a> HostView<'a> {
    /// A view, or `None` if an element would lie outside the bytes or unaligned.
    pub fn new(
        bytes: &'a [u8],
        dtype: Dtype,
        shape: &'a [usize],
        strides: &'a [isize],
        offset: usize,
    ) -> Option<HostView<'a>> {
        in_bounds(bytes, dtype, shape, strides, offset).then_some(HostView {
            bytes,
            dtype,
            shape,
            strides,
            offset,
        })
    }

    /// The dtype.
    pub fn dtype(&self) -> Dtype {
        self.dtype
    }

    /// The lengths of the axes.
    pub fn shape(&self) -> &'a [usize] {
        self.shape
    }

    /// The distances between neighbours along each axis, in elements.
    pub fn strides(&self) -> &'a [isize] {
        self.strides
    }

    /// The number of elements.
    pub fn size(&self) -> usize {
        self.shape.iter().product()
    }

    /// All the bytes that the view may reach, for another view of them.
    pub fn bytes(&self) -> &'a [u8] {
        self.bytes
    }

    /// Position of the first element in the bytes, in elements.
    pub fn offset(&self) -> usize {
        self.offset
    }

    /// Address of the first element. Every index of the shape, times the strides, from here is
    /// within the bytes and aligned.
    pub fn as_ptr(&self) -> *const u8 {
        self.bytes.as_ptr().wrapping_add(self.offset * self.dtype.bytes())
    }

    /// True if the elements stand one after the other in row-major order.
    pub fn is_contiguous(&self) -> bool {
        is_contiguous(self.shape, self.strides)
    }

    /// The bytes of the elements, if they are contiguous.
    pub fn contiguous_bytes(&self) -> Option<&'a [u8]> {
        if self.size() == 0 {
            return Some(&[]);
        }
        let start = self.offset * self.dtype.bytes();
        self.is_contiguous().then(|| &self.bytes[start..start + self.size() * self.dtype.bytes()])
    }
}

fn in_bounds(bytes: &[u8], dtype: Dtype, shape: &[usize], strides: &[isize], offset: usize) -> bool {
    if shape.len() != strides.len() {
        return false;
    }
    if shape.contains(&0) {
        return true;
    }
    let (mut low, mut high) = (offset as i128, offset as i128);
    for (&len, &stride) in shape.iter().zip(strides) {
        let reach = (len as i128 - 1) * stride as i128;
        if reach < 0 { low += reach } else { high += reach }
    }
    low >= 0
        && (high + 1) * dtype.bytes() as i128 <= bytes.len() as i128
        && (bytes.as_ptr() as usize).is_multiple_of(alignment(dtype))
}

/// Each part of a complex number is aligned by itself.
#[inline]
fn alignment(dtype: Dtype) -> usize {
    if dtype.is_complex() { dtype.bytes() / 2 } else { dtype.bytes() }
}

/// A strided array that shares ownership of its memory. Strides and offset count elements.
#[derive(Debug)]
pub struct HostArray {
    buffer: Buffer,
    dtype: Dtype,
    shape: Shape,
    strides: Dims<isize>,
    offset: usize,
}

/// Strides are copied as the numbers they are: a launch has several such clones.
impl Clone for HostArray {
    #[inline]
    fn clone(&self) -> HostArray {
        HostArray {
            buffer: self.buffer.clone(),
            dtype: self.dtype,
            shape: self.shape.clone(),
            strides: Dims::from_slice(&self.strides),
            offset: self.offset,
        }
    }
}

impl HostArray {
    /// A contiguous array over a whole buffer, or `None` if sizes or alignment do not fit.
    #[inline]
    pub fn new(buffer: Buffer, dtype: Dtype, shape: Shape) -> Option<HostArray> {
        let size = shape.iter().try_fold(1usize, |n, &d| n.checked_mul(d));
        let fits = shape.contains(&0)
            || size.and_then(|n| n.checked_mul(dtype.bytes())).is_some_and(|bytes| bytes <= buffer.len())
                && (buffer.as_ptr() as usize).is_multiple_of(alignment(dtype));
        let strides = if fits { contiguous_strides(&shape) } else { return None };
        Some(HostArray { buffer, dtype, shape, strides, offset: 0 })
    }

    /// A strided array, or `None` if an element would lie outside the buffer or unaligned.
    pub fn from_parts(
        buffer: Buffer,
        dtype: Dtype,
        shape: Shape,
        strides: Dims<isize>,
        offset: usize,
    ) -> Option<HostArray> {
        in_bounds(buffer.bytes(), dtype, &shape, &strides, offset).then_some(HostArray {
            buffer,
            dtype,
            shape,
            strides,
            offset,
        })
    }

    /// A contiguous array of the values, without a copy; `None` if their number is not the shape's size.
    pub fn from_vec<T: Element>(values: Vec<T>, shape: Shape) -> Option<HostArray> {
        if shape.contains(&0) && values.is_empty() || shape.size() == values.len() {
            HostArray::new(Buffer::from_vec(values), T::DTYPE, shape)
        } else {
            None
        }
    }

    /// The array as operand of a kernel.
    #[inline]
    pub fn view(&self) -> HostView<'_> {
        HostView {
            bytes: self.buffer.bytes(),
            dtype: self.dtype,
            shape: &self.shape,
            strides: &self.strides,
            offset: self.offset,
        }
    }

    /// The memory.
    pub fn buffer(&self) -> &Buffer {
        &self.buffer
    }

    /// The memory for writing in place, if nobody else holds it.
    pub fn buffer_mut(&mut self) -> &mut Buffer {
        &mut self.buffer
    }

    /// The dtype.
    pub fn dtype(&self) -> Dtype {
        self.dtype
    }

    /// The shape.
    pub fn shape(&self) -> &Shape {
        &self.shape
    }

    /// The distances between neighbours along each axis, in elements.
    pub fn strides(&self) -> &[isize] {
        &self.strides
    }

    /// Position of the first element in the buffer, in elements.
    pub fn offset(&self) -> usize {
        self.offset
    }

    /// True if the elements stand one after the other in row-major order.
    pub fn is_contiguous(&self) -> bool {
        is_contiguous(&self.shape, &self.strides)
    }

    /// The elements in row-major order, if they are contiguous.
    ///
    /// # Errors
    /// [`ErrorKind::DtypeMismatch`] if the array holds another dtype.
    pub fn as_slice<T: Element>(&self) -> Result<Option<&[T]>> {
        self.check_dtype::<T>("as_slice")?;
        Ok(self.view().contiguous_bytes().map(element::slice_of))
    }

    /// The elements in row-major order.
    ///
    /// # Errors
    /// [`ErrorKind::DtypeMismatch`] if the array holds another dtype; no memory.
    pub fn to_vec<T: Element>(&self) -> Result<Vec<T>> {
        if let Some(slice) = self.as_slice::<T>()? {
            let mut out = scratch::try_vec(slice.len()).map_err(|refused| refused.by("to_vec"))?;
            out.extend_from_slice(slice);
            return Ok(out);
        }
        let all: &[T] =
            element::slice_of(&self.buffer.bytes()[..self.buffer.len() / size_of::<T>() * size_of::<T>()]);
        let mut out = scratch::try_vec(self.shape.size()).map_err(|refused| refused.by("to_vec"))?;
        for_each_offset(&self.shape, &self.strides, |o| out.push(all[(self.offset as isize + o) as usize]));
        Ok(out)
    }

    /// The bytes of the elements in row-major order, copied where they lie otherwise.
    ///
    /// ```
    /// use ivy_core::host::{Buffer, HostArray};
    /// let x = HostArray::from_parts(Buffer::from_vec(vec![1u8, 2, 3, 4]), ivy_core::Dtype::UINT8, [2, 2].into(), [1, 2].into_iter().collect(), 0);
    /// assert_eq!(x.unwrap().row_major_bytes()?[..], [1, 3, 2, 4]);
    /// # Ok::<(), ivy_core::Error>(())
    /// ```
    ///
    /// # Errors
    /// No memory.
    pub fn row_major_bytes(&self) -> Result<Cow<'_, [u8]>> {
        if let Some(bytes) = self.view().contiguous_bytes() {
            return Ok(Cow::Borrowed(bytes));
        }
        let (width, all) = (self.dtype.bytes(), self.buffer.bytes());
        let no_memory = |refused: Refused| refused.by("row_major_bytes");
        let mut out = scratch::try_vec(self.shape.size() * width).map_err(no_memory)?;
        for_each_offset(&self.shape, &self.strides, |offset| {
            let at = (self.offset as isize + offset) as usize * width;
            out.extend_from_slice(&all[at..at + width]);
        });
        Ok(Cow::Owned(out))
    }

    /// The element at a flat row-major position, as a host scalar.
    ///
    /// # Errors
    /// [`ErrorKind::IndexOutOfRange`].
    pub fn scalar_at(&self, position: usize) -> Result<Scalar> {
        let size = self.shape.size();
        if position >= size {
            let (function, index) = ("scalar_at", position as i128);
            return Err(ErrorKind::IndexOutOfRange {
                function,
                index,
                axis: 0,
                length: size,
                position: None,
            }
            .into());
        }
        let (mut rest, mut at) = (position, self.offset as isize);
        for (&len, &stride) in self.shape.iter().zip(&self.strides).rev() {
            at += (rest % len) as isize * stride;
            rest /= len;
        }
        let width = self.dtype.bytes();
        Ok(element::scalar_of(self.dtype, &self.buffer.bytes()[at as usize * width..][..width]))
    }

    fn check_dtype<T: Element>(&self, function: &'static str) -> Result<()> {
        if T::DTYPE == self.dtype {
            return Ok(());
        }
        Err(ErrorKind::DtypeMismatch {
            function,
            argument: "the array",
            expected: T::DTYPE,
            actual: self.dtype,
        }
        .into())
    }
}

/// Calls `visit` with the offset in elements of each index of a shape, in row-major order.
pub fn for_each_offset(shape: &[usize], strides: &[isize], mut visit: impl FnMut(isize)) {
    let size: usize = shape.iter().product();
    let mut index = Dims::from_elem(0, shape.len());
    let mut offset = 0isize;
    for _ in 0..size {
        visit(offset);
        for axis in (0..shape.len()).rev() {
            index[axis] += 1;
            offset += strides[axis];
            if index[axis] < shape[axis] {
                break;
            }
            offset -= strides[axis] * index[axis] as isize;
            index[axis] = 0;
        }
    }
}
