//! Between arrays here and arrays of the [`ndarray`] crate.

use crate::backend::NAME;
use crate::data::host;
use ivy_core::host::{Buffer, Element, HostArray};
use ivy_core::{Array, ErrorKind, Result, backend::backend};
use ndarray::{ArrayBase, ArrayD, ArrayView, ArrayViewD, Axis, Data, Dimension, IxDyn, ShapeBuilder};

/// The array as an ivy array of the `ndarray` backend, without a copy: its memory, strides and
/// offset stay as they are.
///
/// # Errors
/// Those of finding the backend; none if this crate's own is registered.
pub fn from_ndarray<T: Element, D: Dimension>(array: ndarray::Array<T, D>) -> Result<Array> {
    let (shape, strides) = (array.shape().into(), array.strides().into());
    let (memory, offset) = array.into_raw_vec_and_offset();
    let host = HostArray::from_parts(Buffer::from_vec(memory), T::DTYPE, shape, strides, offset.unwrap_or(0));
    Array::from_host(&backend(NAME)?, host.expect("the elements of an array lie in its memory"))
}

/// A copy of a view as an ivy array of the `ndarray` backend.
///
/// # Errors
/// As [`from_ndarray`].
pub fn from_view<T: Element, S: Data<Elem = T>, D: Dimension>(view: &ArrayBase<S, D>) -> Result<Array> {
    from_ndarray(view.to_owned())
}

/// A copy of an array of any backend.
///
/// # Errors
/// [`ErrorKind::DtypeMismatch`] if the array holds another dtype than `T`'s, and what the
/// backend's evaluation gives.
///
/// ```
/// use ivy_backend_ndarray::{convert, ndarray::array};
/// let x = convert::from_ndarray(array![1, 2, 3])?;
/// assert_eq!(convert::to_ndarray::<i32>(&x)?, array![1, 2, 3].into_dyn());
/// # Ok::<(), ivy_core::Error>(())
/// ```
pub fn to_ndarray<T: Element>(array: &Array) -> Result<ArrayD<T>> {
    let host = array.to_host()?;
    // SAFETY: the array lives and is not written to until the elements are copied.
    Ok(unsafe { view_of::<T>("to_ndarray", &host) }?.to_owned())
}

/// The elements of an array of the `ndarray` backend, without a copy.
///
/// # Errors
/// [`ErrorKind::DtypeMismatch`] if the array holds another dtype than `T`'s,
/// [`ErrorKind::BackendMismatch`] if it is another backend's ([`to_ndarray`] copies those).
pub fn view<T: Element>(array: &Array) -> Result<ArrayViewD<'_, T>> {
    let Ok(host) = host("view", array.value()) else {
        return Err(ErrorKind::BackendMismatch {
            function: "view",
            left: NAME.into(),
            right: array.backend().name().into(),
        }
        .into());
    };
    // SAFETY: `array` holds the same memory, and while it is borrowed no one writes to it.
    unsafe { view_of("view", &host) }
}

/// The elements of an array.
///
/// # Safety
/// The array's memory lives for `'a`, and no one writes to it meanwhile.
unsafe fn view_of<'a, T: Element>(function: &'static str, host: &HostArray) -> Result<ArrayViewD<'a, T>> {
    if host.dtype() != T::DTYPE {
        let (expected, actual) = (T::DTYPE, host.dtype());
        return Err(ErrorKind::DtypeMismatch { function, argument: "the array", expected, actual }.into());
    }
    let shape = IxDyn(host.shape());
    host.shape().checked_size(function, T::DTYPE)?;
    if host.shape().contains(&0) {
        let empty = ArrayView::from_shape(shape, &[]);
        return Ok(empty.expect("the size was checked, and is none"));
    }
    // From the lowest element on, all strides are positive; axes that run backwards are flipped
    // afterwards.
    let axes = || host.shape().iter().zip(host.strides());
    let low: isize = axes().map(|(&len, &stride)| ((len - 1) as isize * stride).min(0)).sum();
    let stride = |(&len, &stride): (&usize, &isize)| if len == 1 { 0 } else { stride.unsigned_abs() };
    let strides: Vec<usize> = axes().map(stride).collect();
    let first = host.view().as_ptr().cast::<T>().wrapping_offset(low);
    // SAFETY: every element of the array lies within its buffer, aligned, and these strides from
    // the lowest one reach the same elements; the size was checked. The rest is the caller's promise.
    let mut view = unsafe { ArrayView::from_shape_ptr(shape.strides(IxDyn(&strides)), first) };
    for (axis, (&len, &stride)) in axes().enumerate() {
        if len > 1 && stride < 0 {
            view.invert_axis(Axis(axis));
        }
    }
    Ok(view)
}
