//! Average pooling.

use super::super::{DataFormat, Padding, PerAxis, downcast, invalid, upcast};
use super::window::{Fold, Window, padded};
use crate::array::{Array, IntoOperand};
use crate::call::call_one;
use crate::function::{Body, Bound, Composition, Outputs};
use crate::functional::{astype, divide, multiply, reshape};
use crate::{Dims, Dtype, Result, Scalar, Shape, params};
use smallvec::smallvec;

params! {
    /// Arguments of [`avg_pool1d`], [`avg_pool2d`] and [`avg_pool3d`].
    pub struct AvgPool {
        /// The lengths of a window; an argument of the function.
        kernel: PerAxis = PerAxis::from(1),
        /// How far the window moves; an argument of the function.
        strides: PerAxis = PerAxis::from(1),
        /// How many zeros stand around the spatial axes; an argument of the function.
        padding: Padding = Padding::Valid,
        /// Which axes are which.
        data_format: DataFormat = DataFormat::ChannelLast,
        /// These zeros count as elements.
        flag count_include_pad,
        /// A last window that goes beyond the padded elements counts as well; what is beyond is no element.
        flag ceil_mode,
        /// What sums are divided by, and not how many elements they are of.
        divisor_override: Option<i64> = None,
    }
}

describe! {
    AVG_POOL1D = "avg_pool1d", Layer, Mixed, (x: Promoted), PromoteFloat -> [Compute],
    Bound::Sum, params: AvgPool::new(), example: [&[1, 3, 2]], Body::Compose(|call| compose(call, 1))
}
describe! {
    AVG_POOL2D = "avg_pool2d", Layer, Mixed, (x: Promoted), PromoteFloat -> [Compute],
    Bound::Sum, params: AvgPool::new(), example: [&[1, 3, 3, 2]], Body::Compose(|call| compose(call, 2))
}
describe! {
    AVG_POOL3D = "avg_pool3d", Layer, Mixed, (x: Promoted), PromoteFloat -> [Compute],
    Bound::Sum, params: AvgPool::new(), example: [&[1, 2, 3, 3, 2]], Body::Compose(|call| compose(call, 3))
}

fn compose(call: &Composition<'_>, spatial: usize) -> Result<Outputs> {
    let (function, p) = (call.function.name, call.params::<AvgPool>());
    if p.divisor_override == Some(0) {
        return Err(invalid(function, "divisor_override", "0".into(), "a divisor is not 0"));
    }
    let x = upcast(call.array(0))?;
    let all = |ceil: bool| {
        let one = PerAxis::from(1);
        Window::all(function, &x, spatial, p.data_format, &p.kernel, &p.strides, &one, &p.padding, ceil)
    };
    let windows = all(p.ceil_mode)?;
    let inside = all(false)?;
    let longer = padded(function, &x, &windows, Scalar::Int(0))?;
    let sums = windows.iter().try_fold(longer, |x, w| w.fold(function, &x, Fold::Sum))?;
    let mut divisors = Vec::new();
    for (window, inside) in windows.iter().zip(&inside) {
        let len = x.shape()[window.axis];
        let (begin, end) = match p.count_include_pad {
            true => (0, window.padding.0 + len + inside.padding.1),
            false => (window.padding.0, window.padding.0 + len),
        };
        let count = |i: usize| {
            let first = i * window.stride;
            (first + window.size).min(end).saturating_sub(first.max(begin))
        };
        divisors.push((window.axis, window.size, (0..window.out).map(count).collect::<Vec<usize>>()));
    }
    let mean = match p.divisor_override {
        Some(divisor) => divide(&sums, divisor as f64)?,
        None => divided(&sums, &divisors)?,
    };
    Ok(smallvec![downcast(mean, call.compute)?])
}

/// Sums divided by the product of how many elements they are of along each axis.
fn divided(sums: &Array, counts: &[(usize, usize, Vec<usize>)]) -> Result<Array> {
    if counts.iter().all(|(_, size, counts)| counts.iter().all(|n| n == size)) {
        let all: f64 = counts.iter().map(|c| c.1 as f64).product();
        return divide(sums, all);
    }
    let real = sums.dtype().real_part();
    let mut product: Option<Array> = None;
    for (axis, _, counts) in counts {
        let mut shape = Dims::from_elem(1, sums.ndim());
        shape[*axis] = counts.len();
        let values: Vec<f64> = counts.iter().map(|&n| n as f64).collect();
        let own = reshape(&Array::from_vec(values, counts.len())?, Shape::from(shape), ())?;
        let own = if real == Dtype::FLOAT64 { own } else { astype(&own, real)? };
        product = Some(match product {
            Some(product) => multiply(&product, &own)?,
            None => own,
        });
    }
    match product {
        Some(product) => downcast(divide(sums, &product)?, sums.dtype()),
        None => Ok(sums.clone()),
    }
}

macro_rules! pools {
    ($($(#[$doc:meta])* $name:ident = $function:ident;)*) => {
        $(
            $(#[$doc])*
            ///
            /// # Errors
            /// [`ShapeMismatch`](crate::ErrorKind::ShapeMismatch) for another number of axes;
            /// [`InvalidArgument`](crate::ErrorKind::InvalidArgument) for a length, stride or divisor of 0, a
            /// number of them or of pairs that is not that of the spatial axes, a data format of another number
            /// of these, a negative padding, and a window that is larger than the padded input.
            pub fn $name<'a>(
                x: impl IntoOperand<'a>,
                kernel: impl Into<PerAxis>,
                strides: impl Into<PerAxis>,
                padding: impl Into<Padding>,
                params: impl Into<AvgPool>,
            ) -> Result<Array> {
                let params = AvgPool {
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
    /// 1-D average pooling over windows of one axis: the mean of its elements, or of these and the zeros around them
    /// with `count_include_pad`; NaN of none. `x` is `[n, w, c]`, or `[n, c, w]` with [`DataFormat::Ncw`]. Integers
    /// compute in the default float dtype, float16 and bfloat16 in float32.
    ///
    /// ```
    /// use ivy::{AvgPool, Padding, prelude::*};
    /// let x = Array::try_from([[[1.0f32], [5.0], [3.0]]])?;
    /// assert_eq!(ivy::avg_pool1d(&x, 2, 1, Padding::Valid, ())?.to_vec::<f32>()?, [3.0, 4.0]);
    /// assert_eq!(ivy::avg_pool1d(&x, 2, 1, Padding::Same, ())?.to_vec::<f32>()?, [3.0, 4.0, 3.0]);
    /// let all = AvgPool::new().count_include_pad();
    /// assert_eq!(ivy::avg_pool1d(&x, 2, 1, Padding::Same, all)?.to_vec::<f32>()?, [3.0, 4.0, 1.5]);
    /// # Ok::<(), ivy::Error>(())
    /// ```
    avg_pool1d = AVG_POOL1D;
    /// 2-D average pooling over k x k windows, as [`avg_pool1d`]: `x` is `[n, h, w, c]`, or `[n, c, h, w]` with
    /// [`DataFormat::Nchw`].
    ///
    /// ```
    /// use ivy::{Padding, prelude::*};
    /// let x = Array::try_from([[[[1.0f32], [2.0]], [[3.0], [6.0]]]])?;
    /// assert_eq!(ivy::avg_pool2d(&x, 2, 2, Padding::Valid, ())?.to_vec::<f32>()?, [3.0]);
    /// # Ok::<(), ivy::Error>(())
    /// ```
    avg_pool2d = AVG_POOL2D;
    /// 3-D average pooling over k x k x k windows, as [`avg_pool1d`]: `x` is `[n, d, h, w, c]`, or `[n, c, d, h, w]`
    /// with [`DataFormat::Ncdhw`].
    ///
    /// ```
    /// use ivy::{Padding, prelude::*};
    /// let x = Array::from_vec((0..8).map(|i| i as f32).collect(), [1, 2, 2, 2, 1])?;
    /// assert_eq!(ivy::avg_pool3d(&x, 2, 1, Padding::Valid, ())?.to_vec::<f32>()?, [3.5]);
    /// # Ok::<(), ivy::Error>(())
    /// ```
    avg_pool3d = AVG_POOL3D;
}
