//! Image to columns, and back.

use super::pool::padded;
use super::windows::windows;
use super::{Padding, PerAxis, downcast, invalid, mismatch, ordered, upcast};
use crate::array::{Array, IntoOperand};
use crate::call::call_one;
use crate::function::{Body, Bound, Composition, Outputs};
use crate::functional::indexing::active_lanes::zeros;
use crate::functional::manipulation::slice_along;
use crate::functional::{Take, index_add, reshape, take};
use crate::{Dims, Dtype, Result, Shape, params};
use smallvec::smallvec;

params! {
    /// Arguments of [`im2col`] and [`col2im`].
    pub struct Columns {
        /// The lengths of the spatial axes, of [`col2im`]; an argument of the function.
        output_size: PerAxis = PerAxis::from(1),
        /// The lengths of a window; an argument of the function.
        kernel_size: PerAxis = PerAxis::from(1),
        /// How far neighbours of a window stand from each other.
        dilation: PerAxis = PerAxis::from(1),
        /// How many zeros stand around the spatial axes.
        padding: Padding = Padding::Valid,
        /// How far the window moves.
        stride: PerAxis = PerAxis::from(1),
    }
}

const NAMES: [&str; 3] = ["kernel_size", "stride", "dilation"];

describe! {
    IM2COL = "im2col", Layer, Compositional, (x: Kept), LikeOperand -> [Compute],
    Bound::Exact, params: Columns::new().kernel_size(2), example: [&[1, 2, 3, 3]], Body::Compose(compose_columns)
}

/// The places of the elements of all windows along an axis, one window behind the other.
fn window_indices(
    function: &'static str,
    out: usize,
    size: usize,
    stride: usize,
    dilation: usize,
) -> Result<Array> {
    Shape::from([out, size]).checked_size(function, Dtype::INT64)?;
    let place = |i: usize, j: usize| (i * stride + j * dilation) as i64;
    let all: Vec<i64> = (0..out).flat_map(|i| (0..size).map(move |j| place(i, j))).collect();
    Array::from_vec(all, out * size)
}

fn compose_columns(call: &Composition<'_>) -> Result<Outputs> {
    let (function, x, p) = (call.function.name, call.array(0), call.params::<Columns>());
    if x.ndim() < 3 {
        return Err(mismatch(function, "x", "a batch, channels and spatial axes".into(), x));
    }
    let spatial = x.ndim() - 2;
    let mut all =
        windows(function, &x.shape()[2..], &p.kernel_size, NAMES, [&p.stride, &p.dilation], &p.padding)?;
    all.iter_mut().for_each(|w| w.axis += 2);
    let (count, channels) = (x.shape()[0], x.shape()[1]);
    let counts = all.iter().flat_map(|w| [w.out, w.size]);
    [count, channels].into_iter().chain(counts).collect::<Shape>().checked_size(function, call.compute)?;
    let mut apart = padded(function, x, &all, crate::functional::indexing::active_lanes::zero(call.compute))?;
    // Each axis becomes two: of windows, and of places within them.
    for (i, w) in all.iter().enumerate() {
        let axis = 2 + 2 * i;
        let which = window_indices(function, w.out, w.size, w.stride, w.dilation)?;
        apart = take(&apart, which, Take::new().axis(axis as i64))?;
        let mut shape = Dims::from_slice(apart.shape());
        shape[axis] = w.out;
        shape.insert(axis + 1, w.size);
        apart = reshape(&apart, Shape::from(shape), ())?;
    }
    let order: Dims = [0, 1]
        .into_iter()
        .chain((0..spatial).map(|i| 3 + 2 * i))
        .chain((0..spatial).map(|i| 2 + 2 * i))
        .collect();
    let rows = channels * all.iter().map(|w| w.size).product::<usize>();
    let shape: Shape = [count, rows, all.iter().map(|w| w.out).product()].into();
    Ok(smallvec![reshape(ordered(&apart, &order)?, shape, ())?])
}

/// Image to columns: the windows of images `[n, c, ...]` as columns: `[n, c prod(kernel_size), windows]`, each column
/// with the window's elements of the first channel, then those of the next one.
///
/// ```
/// use ivy::prelude::*;
/// let x = Array::try_from([[[[1i32, 2, 3], [4, 5, 6]]]])?;
/// let y = ivy::im2col(&x, [2, 2], ())?;
/// assert_eq!((y.shape().to_vec(), y.to_vec::<i32>()?), (vec![1, 4, 2], vec![1, 2, 2, 3, 4, 5, 5, 6]));
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// [`ShapeMismatch`](crate::ErrorKind::ShapeMismatch) for fewer than three axes;
/// [`InvalidArgument`](crate::ErrorKind::InvalidArgument) for a length, stride or dilation of 0, a number of them that
/// is not that of the spatial axes, a negative padding, and a window that is larger than the padded images;
/// [`SizeOverflow`](crate::ErrorKind::SizeOverflow).
pub fn im2col<'a>(
    x: impl IntoOperand<'a>,
    kernel_size: impl Into<PerAxis>,
    params: impl Into<Columns>,
) -> Result<Array> {
    call_one(&IM2COL, &[x.into_operand()], &params.into().kernel_size(kernel_size))
}

describe! {
    COL2IM = "col2im", Layer, Mixed, (x: Promoted), Promote -> [Compute],
    Bound::Sum, params: Columns::new().kernel_size(2).output_size([3, 3]), example: [&[1, 8, 4]],
    Body::Compose(compose_images)
}

fn compose_images(call: &Composition<'_>) -> Result<Outputs> {
    let (function, x, p) = (call.function.name, call.array(0), call.params::<Columns>());
    let lens = p.output_size.each();
    let all = windows(function, lens, &p.kernel_size, NAMES, [&p.stride, &p.dilation], &p.padding)?;
    let area: Option<usize> = all.iter().try_fold(1usize, |n, w| n.checked_mul(w.size));
    let columns: Option<usize> = all.iter().try_fold(1usize, |n, w| n.checked_mul(w.out));
    let (Some(area), Some(columns)) = (area, columns) else {
        return Err(invalid(function, "kernel_size", format!("{all:?}"), "windows that memory can hold"));
    };
    if x.ndim() != 3 || x.shape()[1] % area != 0 || x.shape()[2] != columns {
        let expected = format!("a batch, a multiple of {area} rows, and {columns} columns,");
        return Err(mismatch(function, "x", expected, x));
    }
    let (count, channels, spatial) = (x.shape()[0], x.shape()[1] / area, all.len());
    let sizes = all.iter().map(|w| w.size).chain(all.iter().map(|w| w.out));
    let apart: Shape = [count, channels].into_iter().chain(sizes).collect();
    let order: Dims = [0, 1].into_iter().chain((0..spatial).flat_map(|i| [2 + spatial + i, 2 + i])).collect();
    let mut sums = ordered(&reshape(upcast(x)?, apart, ())?, &order)?;
    // The two axes of windows and of places within them become one, along which those of one place are added.
    for (i, w) in all.iter().enumerate() {
        let axis = 2 + i;
        let mut shape = Dims::from_slice(sums.shape());
        shape.remove(axis + 1);
        shape[axis] = w.out * w.size;
        let lines = reshape(&sums, Shape::from(shape.clone()), ())?;
        shape[axis] = lens[i] + w.padding.0 + w.padding.1;
        let to = Shape::from(shape);
        to.checked_size(function, call.compute)?;
        let which = window_indices(function, w.out, w.size, w.stride, w.dilation)?;
        let whole = index_add(zeros(to, lines.dtype())?, axis as i64, which, lines, ())?;
        sums = slice_along(function, &whole, axis, if lens[i] == 0 { 0 } else { w.padding.0 }, 1, lens[i])?;
    }
    Ok(smallvec![downcast(sums, call.compute)?])
}

/// Columns to image: the images `[n, c, output_size...]` to which columns add up, `[n, c prod(kernel_size), windows]`:
/// each element of a column is added where [`im2col`] takes it from. Integers wrap, bool is "or", float16 and bfloat16
/// are computed in float32.
///
/// ```
/// use ivy::prelude::*;
/// let x = Array::try_from([[[1i32, 2], [10, 20]]])?;
/// let y = ivy::col2im(&x, [1, 3], [1, 2], ())?;
/// assert_eq!((y.shape().to_vec(), y.to_vec::<i32>()?), (vec![1, 1, 1, 3], vec![1, 12, 20]));
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// [`ShapeMismatch`](crate::ErrorKind::ShapeMismatch) for columns that are not those of such windows, and otherwise those
/// of [`im2col`].
pub fn col2im<'a>(
    x: impl IntoOperand<'a>,
    output_size: impl Into<PerAxis>,
    kernel_size: impl Into<PerAxis>,
    params: impl Into<Columns>,
) -> Result<Array> {
    let params = params.into().output_size(output_size).kernel_size(kernel_size);
    call_one(&COL2IM, &[x.into_operand()], &params)
}
