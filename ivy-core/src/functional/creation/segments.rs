//! Segment reductions with unsorted segment numbers.

use crate::array::IntoOperand;
use crate::call::call_one;
use crate::function::{Body, Bound, Composition, Outputs};
use crate::functional::{
    Filled, Reduction, ScatterNd, astype, divide, full, greater_equal, maximum, reshape, scatter_nd,
};
use crate::{Array, Dims, Dtype, ErrorKind, Result, Scalar, Shape, iinfo, params};
use smallvec::smallvec;

params! {
    /// Arguments of [`unsorted_segment_sum`], [`unsorted_segment_prod`], [`unsorted_segment_min`],
    /// [`unsorted_segment_max`] and [`unsorted_segment_mean`].
    pub struct UnsortedSegments {
        /// How many segments there are.
        num_segments: usize = 2usize,
    }
}

/// The shape of the result: that of the data with a part for each segment.
fn result_shape(call: &Composition<'_>) -> Result<Shape> {
    let (function, data, ids) = (call.function.name, call.array(0), call.array(1));
    if data.ndim() == 0 || ids.ndim() != 1 || ids.shape()[0] != data.shape()[0] {
        let (argument, actual) = ("segment_ids", ids.shape().clone());
        let expected = format!("one number for each part of the first axis of {}", data.shape());
        return Err(ErrorKind::ShapeMismatch { function, argument, expected, actual }.into());
    }
    let mut dims = Dims::from_slice(data.shape());
    dims[0] = call.params::<UnsortedSegments>().num_segments;
    let shape = Shape::from(dims);
    shape.checked_size(function, call.compute)?;
    Ok(shape)
}

/// Values of the parts of the first axis combined by segment, beginning with a value. Parts whose number is negative
/// are of none.
fn combined(ids: &Array, values: &Array, shape: Shape, reduction: Reduction, first: Scalar) -> Result<Array> {
    let out = full(&shape, first, Filled::new().dtype(values.dtype()))?;
    let params = ScatterNd::new().shape(shape).reduction(reduction).mask(greater_equal(ids, 0)?).out(out);
    scatter_nd(reshape(ids, [-1, 1], ())?, values, params)
}

fn zero(dtype: Dtype) -> Scalar {
    if dtype.is_bool() { Scalar::Bool(false) } else { Scalar::Int(0) }
}

describe! {
    UNSORTED_SEGMENT_SUM = "unsorted_segment_sum", Indexing, Mixed, (data: Promoted, segment_ids: Index),
    Promote -> [Compute], Bound::Sum, params: UnsortedSegments::new(), example: [&[2], &[2]],
    Body::Compose(compose_sum)
}

fn compose_sum(call: &Composition<'_>) -> Result<Outputs> {
    let (shape, first) = (result_shape(call)?, zero(call.compute));
    Ok(smallvec![combined(call.array(1), call.array(0), shape, Reduction::Sum, first)?])
}

describe! {
    UNSORTED_SEGMENT_MIN = "unsorted_segment_min", Indexing, Mixed, (data: Promoted, segment_ids: Index),
    Promote -> [Compute], Bound::Exact, params: UnsortedSegments::new(), example: [&[2], &[2]],
    Body::Compose(compose_min)
}

fn compose_min(call: &Composition<'_>) -> Result<Outputs> {
    let shape = result_shape(call)?;
    let first = match call.compute {
        dtype if dtype.is_bool() => Scalar::Bool(true),
        dtype if dtype.is_int() => Scalar::Int(iinfo(dtype)?.max),
        _ => Scalar::Float(f64::INFINITY),
    };
    Ok(smallvec![combined(call.array(1), call.array(0), shape, Reduction::Min, first)?])
}

describe! {
    UNSORTED_SEGMENT_MAX = "unsorted_segment_max", Indexing, Mixed, (data: Promoted, segment_ids: Index),
    Promote -> [Compute], Bound::Exact, params: UnsortedSegments::new(), example: [&[2], &[2]],
    Body::Compose(compose_max)
}

fn compose_max(call: &Composition<'_>) -> Result<Outputs> {
    let shape = result_shape(call)?;
    let first = match call.compute {
        dtype if dtype.is_bool() => Scalar::Bool(false),
        dtype if dtype.is_int() => Scalar::Int(iinfo(dtype)?.min),
        _ => Scalar::Float(f64::NEG_INFINITY),
    };
    Ok(smallvec![combined(call.array(1), call.array(0), shape, Reduction::Max, first)?])
}

describe! {
    UNSORTED_SEGMENT_PROD = "unsorted_segment_prod", Indexing, Mixed, (data: Promoted, segment_ids: Index),
    Promote -> [Compute], Bound::Sum, params: UnsortedSegments::new(), example: [&[2], &[2]],
    Body::Compose(compose_prod)
}

fn compose_prod(call: &Composition<'_>) -> Result<Outputs> {
    let shape = result_shape(call)?;
    let first = if call.compute.is_bool() { Scalar::Bool(true) } else { Scalar::Int(1) };
    Ok(smallvec![combined(call.array(1), call.array(0), shape, Reduction::Mul, first)?])
}

describe! {
    UNSORTED_SEGMENT_MEAN = "unsorted_segment_mean", Indexing, Mixed, (data: Promoted, segment_ids: Index),
    PromoteFloat -> [Compute], Bound::Sum, params: UnsortedSegments::new(), example: [&[2], &[2]],
    Body::Compose(compose_mean)
}

fn compose_mean(call: &Composition<'_>) -> Result<Outputs> {
    let (shape, ids) = (result_shape(call)?, call.array(1));
    // The means of small floats are rounded to 16 bits once (decision S18).
    let small = call.compute.is_float() && call.compute.bytes() == 2;
    let accumulator = if small { Dtype::FLOAT32 } else { call.compute };
    let data = if small { astype(call.array(0), accumulator)? } else { call.array(0).clone() };
    let ones = full(ids.shape(), 1, Filled::new().dtype(accumulator.real_part()))?;
    let count = combined(ids, &ones, Shape::from([shape[0]]), Reduction::Sum, Scalar::Int(0))?;
    let mut column = Dims::from_elem(1, shape.len());
    column[0] = shape[0];
    let count = astype(reshape(maximum(count, 1)?, Shape::from(column), ())?, accumulator)?;
    let mean = divide(combined(ids, &data, shape, Reduction::Sum, zero(accumulator))?, count)?;
    Ok(smallvec![if small { astype(mean, call.compute)? } else { mean }])
}

macro_rules! segments {
    ($($(#[$doc:meta])* $name:ident = $function:ident;)*) => {
        $(
            $(#[$doc])*
            ///
            /// A part whose number is negative is of no segment.
            ///
            /// # Errors
            /// [`IndexOutOfRange`](crate::ErrorKind::IndexOutOfRange) for a number that is not below `num_segments`;
            /// [`ShapeMismatch`](crate::ErrorKind::ShapeMismatch) unless there is one number for each part of the first
            /// axis; [`SizeOverflow`](crate::ErrorKind::SizeOverflow).
            pub fn $name<'a, 'b>(
                data: impl IntoOperand<'a>,
                segment_ids: impl IntoOperand<'b>,
                num_segments: usize,
            ) -> Result<Array> {
                let params = UnsortedSegments::new().num_segments(num_segments);
                call_one(&$function, &[data.into_operand(), segment_ids.into_operand()], &params)
            }
        )*
    };
}
segments! {
    /// Segment sum: the sums of the parts of the first axis that have the same number in `segment_ids`, in any order; 0
    /// where there are none. The result has the data's dtype: integers wrap, bool is "or", and float16 and bfloat16 are
    /// computed in float32.
    ///
    /// ```
    /// use ivy::prelude::*;
    /// let data = Array::try_from([[1i32, 2], [3, 4], [5, 6]])?;
    /// let sums = ivy::unsorted_segment_sum(&data, &Array::try_from([2i64, 0, 2])?, 3)?;
    /// assert_eq!(sums.to_vec::<i32>()?, [3, 4, 0, 0, 6, 8]);
    /// # Ok::<(), ivy::Error>(())
    /// ```
    unsorted_segment_sum = UNSORTED_SEGMENT_SUM;
    /// Segment minimum: the least elements of the parts of the first axis that have the same number in `segment_ids`,
    /// in any order; NaN if one is NaN. Where there are none it is infinity, the greatest integer of the dtype, or
    /// true.
    ///
    /// ```
    /// use ivy::prelude::*;
    /// let data = Array::try_from([4i32, 3, 7])?;
    /// let least = ivy::unsorted_segment_min(&data, &Array::try_from([1i64, 1, 0])?, 3)?;
    /// assert_eq!(least.to_vec::<i32>()?, [7, 3, i32::MAX]);
    /// # Ok::<(), ivy::Error>(())
    /// ```
    unsorted_segment_min = UNSORTED_SEGMENT_MIN;
    /// Segment maximum: the greatest elements of the parts of the first axis that have the same number in
    /// `segment_ids`, in any order; NaN if one is NaN. Where there are none it is negative infinity, the least integer
    /// of the dtype, or false.
    ///
    /// ```
    /// use ivy::prelude::*;
    /// let data = Array::try_from([4i32, 3, 7])?;
    /// let greatest = ivy::unsorted_segment_max(&data, &Array::try_from([1i64, 1, 0])?, 3)?;
    /// assert_eq!(greatest.to_vec::<i32>()?, [7, 4, i32::MIN]);
    /// # Ok::<(), ivy::Error>(())
    /// ```
    unsorted_segment_max = UNSORTED_SEGMENT_MAX;
    /// Segment product: the products of the parts of the first axis that have the same number in `segment_ids`, in any
    /// order; 1 where there are none. The result has the data's dtype: integers wrap, bool is "and", and float16 and
    /// bfloat16 are computed in float32.
    ///
    /// ```
    /// use ivy::prelude::*;
    /// let data = Array::try_from([4i32, 3, 7])?;
    /// let products = ivy::unsorted_segment_prod(&data, &Array::try_from([1i64, 1, 0])?, 3)?;
    /// assert_eq!(products.to_vec::<i32>()?, [7, 12, 1]);
    /// # Ok::<(), ivy::Error>(())
    /// ```
    unsorted_segment_prod = UNSORTED_SEGMENT_PROD;
    /// Segment mean: the means of the parts of the first axis that have the same number in `segment_ids`, in any order;
    /// 0 where there are none. Integers and bool give the default float dtype; float16 and bfloat16 are computed in
    /// float32.
    ///
    /// ```
    /// use ivy::prelude::*;
    /// let data = Array::try_from([4.0f32, 3.0, 7.0])?;
    /// let means = ivy::unsorted_segment_mean(&data, &Array::try_from([1i64, 1, 0])?, 3)?;
    /// assert_eq!(means.to_vec::<f32>()?, [7.0, 3.5, 0.0]);
    /// # Ok::<(), ivy::Error>(())
    /// ```
    unsorted_segment_mean = UNSORTED_SEGMENT_MEAN;
}
