//! Max pooling.

use super::super::{DataFormat, Padding, PerAxis};
use super::window::{Fold, Window, padded};
use crate::array::{Array, IntoOperand};
use crate::call::call_one;
use crate::function::{Body, Bound, Composition, Outputs};
use crate::{Dtype, Result, Scalar, params};
use smallvec::smallvec;

params! {
    /// Arguments of [`max_pool1d`], [`max_pool2d`] and [`max_pool3d`].
    pub struct MaxPool {
        /// The lengths of a window; an argument of the function.
        kernel: PerAxis = PerAxis::from(1),
        /// How far the window moves; an argument of the function.
        strides: PerAxis = PerAxis::from(1),
        /// What stands around the spatial axes, less than any number; an argument of the function.
        padding: Padding = Padding::Valid,
        /// Which axes are which.
        data_format: DataFormat = DataFormat::ChannelLast,
        /// How far neighbours of a window stand from each other.
        dilation: PerAxis = PerAxis::from(1),
        /// A last window that goes beyond the padded elements counts as well.
        flag ceil_mode,
    }
}

describe! {
    MAX_POOL1D = "max_pool1d", Layer, Mixed, (x: Promoted), Promote -> [Compute],
    Bound::Exact, params: MaxPool::new(), example: [&[1, 3, 2]], Body::Compose(|call| compose(call, 1))
}
describe! {
    MAX_POOL2D = "max_pool2d", Layer, Mixed, (x: Promoted), Promote -> [Compute],
    Bound::Exact, params: MaxPool::new(), example: [&[1, 3, 3, 2]], Body::Compose(|call| compose(call, 2))
}
describe! {
    MAX_POOL3D = "max_pool3d", Layer, Mixed, (x: Promoted), Promote -> [Compute],
    Bound::Exact, params: MaxPool::new(), example: [&[1, 2, 3, 3, 2]], Body::Compose(|call| compose(call, 3))
}

/// What no element of a dtype is less than.
fn least(dtype: Dtype) -> Scalar {
    match dtype.int_range() {
        Some((least, _)) => Scalar::Int(least),
        None => Scalar::Float(f64::NEG_INFINITY),
    }
}

fn compose(call: &Composition<'_>, spatial: usize) -> Result<Outputs> {
    let (function, x, p) = (call.function.name, call.array(0), call.params::<MaxPool>());
    let windows = Window::all(
        function,
        x,
        spatial,
        p.data_format,
        &p.kernel,
        &p.strides,
        &p.dilation,
        &p.padding,
        p.ceil_mode,
    )?;
    let x = padded(function, x, &windows, least(x.dtype()))?;
    // From the last axis on, so that the first of equal elements is the first in row-major order.
    Ok(smallvec![windows.iter().rev().try_fold(x, |x, w| w.fold(function, &x, Fold::Greatest))?])
}

macro_rules! pools {
    ($($(#[$doc:meta])* $name:ident = $function:ident;)*) => {
        $(
            $(#[$doc])*
            ///
            /// # Errors
            /// [`ShapeMismatch`](crate::ErrorKind::ShapeMismatch) for another number of axes;
            /// [`InvalidArgument`](crate::ErrorKind::InvalidArgument) for a length, stride or dilation of 0, a
            /// number of them or of pairs that is not that of the spatial axes, a data format of another number
            /// of these, a negative padding, and a window that is larger than the padded input;
            /// [`OutsideDomain`](crate::ErrorKind::OutsideDomain) for bool and complex numbers.
            pub fn $name<'a>(
                x: impl IntoOperand<'a>,
                kernel: impl Into<PerAxis>,
                strides: impl Into<PerAxis>,
                padding: impl Into<Padding>,
                params: impl Into<MaxPool>,
            ) -> Result<Array> {
                let params = MaxPool {
                    kernel: kernel.into(),
                    strides: strides.into(),
                    padding: padding.into(),
                    ..params.into()
                };
                call_one(&$function, &[x.into_operand()], &params)
            }
        )*
    };
}
pools! {
    /// 1-D max pooling over windows of one axis; NaN if there is one. `x` is `[n, w, c]`, or `[n, c, w]` with
    /// [`DataFormat::Ncw`]. Padding is less than any number: the greatest of nothing else is negative infinity, or an
    /// integer dtype's least number.
    ///
    /// ```
    /// use ivy::{MaxPool, Padding, prelude::*};
    /// let x = Array::try_from([[[1.0f32], [5.0], [2.0], [4.0]]])?;
    /// assert_eq!(ivy::max_pool1d(&x, 2, 2, Padding::Valid, ())?.to_vec::<f32>()?, [5.0, 4.0]);
    /// assert_eq!(ivy::max_pool1d(&x, 3, 1, Padding::Same, ())?.to_vec::<f32>()?, [5.0, 5.0, 5.0, 4.0]);
    /// let up = ivy::max_pool1d(&x, 3, 2, 0, MaxPool::new().ceil_mode())?;
    /// assert_eq!(up.to_vec::<f32>()?, [5.0, 4.0]);
    /// # Ok::<(), ivy::Error>(())
    /// ```
    max_pool1d = MAX_POOL1D;
    /// 2-D max pooling over k x k windows, as [`max_pool1d`]: `x` is `[n, h, w, c]`, or `[n, c, h, w]` with
    /// [`DataFormat::Nchw`].
    ///
    /// ```
    /// use ivy::{DataFormat, MaxPool, Padding, prelude::*};
    /// let x = Array::from_vec((0..16).collect::<Vec<i32>>(), [1, 1, 4, 4])?;
    /// let format = MaxPool::new().data_format(DataFormat::Nchw);
    /// assert_eq!(ivy::max_pool2d(&x, 2, 2, Padding::Valid, format)?.to_vec::<i32>()?, [5, 7, 13, 15]);
    /// # Ok::<(), ivy::Error>(())
    /// ```
    max_pool2d = MAX_POOL2D;
    /// 3-D max pooling over k x k x k windows, as [`max_pool1d`]: `x` is `[n, d, h, w, c]`, or `[n, c, d, h, w]` with
    /// [`DataFormat::Ncdhw`].
    ///
    /// ```
    /// use ivy::{Padding, prelude::*};
    /// let x = Array::from_vec((0..8).collect::<Vec<i32>>(), [1, 2, 2, 2, 1])?;
    /// assert_eq!(ivy::max_pool3d(&x, 2, 1, Padding::Valid, ())?.to_vec::<i32>()?, [7]);
    /// # Ok::<(), ivy::Error>(())
    /// ```
    max_pool3d = MAX_POOL3D;
}
