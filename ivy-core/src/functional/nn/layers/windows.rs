//! Sliding windows and window reductions.

use super::pool::{Fold, Window, padded};
use super::spatial_axes::Span;
use super::{Padding, PerAxis};
use crate::array::{Array, IntoOperand, Operand};
use crate::call::call_one;
use crate::function::{Body, Bound, Composition, Outputs};
use crate::functional::manipulation::pad::interior::dilate_axis;
use crate::functional::{Take, add, maximum, minimum, multiply, reshape, take};
use crate::promotion::check_scalar;
use crate::{Dims, Dtype, Result, Scalar, Shape, params};
use smallvec::smallvec;

params! {
    /// Arguments of [`sliding_window`].
    pub struct SlidingWindow {
        /// The lengths of a window; an argument of the function.
        kernel_size: PerAxis = PerAxis::from(1),
        /// How far the window moves.
        stride: PerAxis = PerAxis::from(1),
        /// How far neighbours of a window stand from each other.
        dilation: PerAxis = PerAxis::from(1),
        /// How many zeros stand around the axes.
        padding: Padding = Padding::Valid,
    }
}

describe! {
    SLIDING_WINDOW = "sliding_window", Layer, Compositional, (input: Promoted), Promote -> [Compute],
    Bound::Exact, params: SlidingWindow::new(), example: [&[2, 3]], Body::Compose(compose_sliding)
}

/// Windows of all axes of an array: lengths, strides, dilations and what stands around it.
pub(super) fn windows(
    function: &'static str,
    lens: &[usize],
    size: &PerAxis,
    names: [&'static str; 3],
    [stride, dilation]: [&PerAxis; 2],
    padding: &Padding,
) -> Result<Vec<Window>> {
    let n = lens.len();
    let sizes = size.of(function, names[0], n, 1)?;
    let strides = stride.of(function, names[1], n, 1)?;
    let dilations = dilation.of(function, names[2], n, 1)?;
    let span =
        |i: usize| Span { len: lens[i], window: Span::dilated(sizes[i], dilations[i]), stride: strides[i] };
    let spans: Dims<Span> = (0..n).map(span).collect();
    let pairs = padding.of(function, &spans)?;
    let one = |i: usize| {
        let window = Window::new(function, i, spans[i], pairs[i])?;
        Ok(Window { size: sizes[i], dilation: dilations[i], ..window })
    };
    (0..n).map(one).collect()
}

fn compose_sliding(call: &Composition<'_>) -> Result<Outputs> {
    let (function, x, p) = (call.function.name, call.array(0), call.params::<SlidingWindow>());
    let n = x.ndim();
    let names = ["kernel_size", "stride", "dilation"];
    let windows = windows(function, x.shape(), &p.kernel_size, names, [&p.stride, &p.dilation], &p.padding)?;
    let shape: Shape = windows.iter().map(|w| w.out).chain(windows.iter().map(|w| w.size)).collect();
    shape.checked_size(function, call.compute)?;
    let mut apart = padded(function, x, &windows, Scalar::Int(0))?;
    // Each axis becomes two: of windows, and of places within them.
    for (i, w) in windows.iter().enumerate() {
        Shape::from([w.out, w.size]).checked_size(function, Dtype::INT64)?;
        let place = |i: usize, j: usize| (i * w.stride + j * w.dilation) as i64;
        let places: Vec<i64> = (0..w.out).flat_map(|i| (0..w.size).map(move |j| place(i, j))).collect();
        let axis = 2 * i;
        apart = take(&apart, Array::from_vec(places, w.out * w.size)?, Take::new().axis(axis as i64))?;
        let mut shape = Dims::from_slice(apart.shape());
        shape[axis] = w.out;
        shape.insert(axis + 1, w.size);
        apart = reshape(&apart, Shape::from(shape), ())?;
    }
    let order: Dims = (0..n).map(|i| 2 * i).chain((0..n).map(|i| 2 * i + 1)).collect();
    let flat: Shape =
        windows.iter().map(|w| w.out).chain([windows.iter().map(|w| w.size).product()]).collect();
    Ok(smallvec![reshape(super::ordered(&apart, &order)?, flat, ())?])
}

/// Sliding windows: all windows of an array, each as a line of its elements: the result has the axes of the windows'
/// places and then one of `prod(kernel_size)`.
///
/// ```
/// use ivy::{SlidingWindow, prelude::*};
/// let x = Array::try_from([[1i32, 2, 3], [4, 5, 6]])?;
/// let y = ivy::sliding_window(&x, [2, 2], ())?;
/// assert_eq!((y.shape().to_string(), y.to_vec::<i32>()?), ("(1, 2, 4)".into(), vec![1, 2, 4, 5, 2, 3, 5, 6]));
/// let apart = ivy::sliding_window(&x, [1, 2], SlidingWindow::new().dilation(2))?;
/// assert_eq!(apart.to_vec::<i32>()?, [1, 3, 4, 6]);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// [`InvalidArgument`](crate::ErrorKind::InvalidArgument) for a length, stride or dilation of 0, a number of them or
/// of pairs that is not that of the axes, a negative padding, and a window that is larger than the padded input;
/// [`SizeOverflow`](crate::ErrorKind::SizeOverflow).
pub fn sliding_window<'a>(
    input: impl IntoOperand<'a>,
    kernel_size: impl Into<PerAxis>,
    params: impl Into<SlidingWindow>,
) -> Result<Array> {
    let params = SlidingWindow { kernel_size: kernel_size.into(), ..params.into() };
    call_one(&SLIDING_WINDOW, &[input.into_operand()], &params)
}

/// How [`reduce_window`] puts the elements of a window together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum WindowReduction {
    /// Their sum; bool is `or`.
    #[default]
    Add,
    /// Their product; bool is `and`.
    Multiply,
    /// The greatest; not of complex numbers.
    Max,
    /// The least; not of complex numbers.
    Min,
}

param_words! {
    WindowReduction: "add" => Add, "multiply" => Multiply, "max" => Max, "min" => Min, "maximum" => Max,
    "minimum" => Min, "logical_or" => Add, "logical_and" => Multiply
}

params! {
    /// Arguments of [`reduce_window`].
    pub struct ReduceWindow {
        /// How elements are put together; an argument of the function.
        computation: WindowReduction = WindowReduction::Add,
        /// The lengths of a window; an argument of the function.
        window_dimensions: PerAxis = PerAxis::from(1),
        /// How far the window moves.
        window_strides: PerAxis = PerAxis::from(1),
        /// How many of the initial value stand around the axes.
        padding: Padding = Padding::Valid,
        /// How far neighbours of the operand stand from each other; between them stands the initial value.
        base_dilation: PerAxis = PerAxis::from(1),
        /// How far neighbours of a window stand from each other.
        window_dilation: PerAxis = PerAxis::from(1),
    }
}

describe! {
    REDUCE_WINDOW = "reduce_window", Layer, Compositional, (operand: Promoted, init_value: Value),
    LikeOperand -> [Compute],
    Bound::Sum, params: ReduceWindow::new(), example: [&[2, 3], &[]], Body::Compose(compose_reduce)
}

fn compose_reduce(call: &Composition<'_>) -> Result<Outputs> {
    let (function, p, dtype) = (call.function.name, call.params::<ReduceWindow>(), call.compute);
    let initial = call.scalar(1).unwrap_or(Scalar::Int(0));
    check_scalar(function, initial, dtype)?;
    let (fold, ordered) = match p.computation {
        WindowReduction::Add => (Fold::Sum, false),
        WindowReduction::Multiply => (Fold::Product, false),
        WindowReduction::Max => (Fold::Greatest, true),
        WindowReduction::Min => (Fold::Least, true),
    };
    if ordered && dtype.is_complex() {
        return Err(crate::dtype::wrong_kind(function, dtype, "real"));
    }
    // Truth values as the bytes 0 and 1: `or` is the greater, `and` the lesser.
    let (x, initial, fold) = match dtype.is_bool() {
        false => (super::upcast(call.array(0))?, initial, fold),
        true => {
            let fold = if matches!(fold, Fold::Sum | Fold::Greatest) { Fold::Greatest } else { Fold::Least };
            let bytes = crate::functional::astype(call.array(0), Dtype::UINT8)?;
            (bytes, Scalar::Int(i128::from(initial.to_f64() != 0.0)), fold)
        }
    };
    let mut x = x;
    let between = p.base_dilation.of(function, "base_dilation", x.ndim(), 1)?;
    for (axis, &dilation) in between.iter().enumerate().filter(|d| *d.1 > 1) {
        x = dilate_axis(function, &x, axis, dilation, initial)?;
    }
    let names = ["window_dimensions", "window_strides", "window_dilation"];
    let numbers = [&p.window_strides, &p.window_dilation];
    let windows = windows(function, x.shape(), &p.window_dimensions, names, numbers, &p.padding)?;
    x = padded(function, &x, &windows, initial)?;
    x = windows.iter().try_fold(x, |x, w| w.fold(function, &x, fold))?;
    x = match fold {
        Fold::Sum => add(&x, initial)?,
        Fold::Product => multiply(&x, initial)?,
        Fold::Greatest => maximum(&x, initial)?,
        Fold::Least => minimum(&x, initial)?,
    };
    Ok(smallvec![super::downcast(x, dtype)?])
}

/// Window reduction: the elements of each window of an array put together, and with them an initial value, which is
/// also what stands around the axes and between dilated elements. The result has the operand's dtype: integers wrap,
/// float16 and bfloat16 accumulate in float32.
///
/// ```
/// use ivy::{ReduceWindow, WindowReduction, prelude::*};
/// let x = Array::try_from([[1i32, 2, 3], [4, 5, 6]])?;
/// assert_eq!(ivy::reduce_window(&x, 0, WindowReduction::Add, [2, 2], ())?.to_vec::<i32>()?, [12, 16]);
/// let strides = ReduceWindow::new().window_strides([1, 2]);
/// assert_eq!(ivy::reduce_window(&x, 3, WindowReduction::Max, [1, 1], strides)?.to_vec::<i32>()?, [3, 3, 4, 6]);
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// Those of [`sliding_window`]; [`ScalarOutOfRange`](crate::ErrorKind::ScalarOutOfRange) and
/// [`CastRefused`](crate::ErrorKind::CastRefused) for an initial value that the dtype does not hold;
/// [`WrongDtypeKind`](crate::ErrorKind::WrongDtypeKind) for the greatest of complex numbers.
pub fn reduce_window<'a>(
    operand: impl IntoOperand<'a>,
    init_value: impl Into<Scalar>,
    computation: WindowReduction,
    window_dimensions: impl Into<PerAxis>,
    params: impl Into<ReduceWindow>,
) -> Result<Array> {
    let params = ReduceWindow { computation, window_dimensions: window_dimensions.into(), ..params.into() };
    call_one(&REDUCE_WINDOW, &[operand.into_operand(), Operand::Scalar(init_value.into())], &params)
}
