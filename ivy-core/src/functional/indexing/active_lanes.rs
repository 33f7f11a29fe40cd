//! Active lanes of gathers and scatters: indices that a mask leaves out are not looked at.

use crate::backend::{BackendRef, Value, Values};
use crate::functional::indexing::gather::mismatch;
use crate::functional::{Arange, Filled, arange, full, nonzero, reshape, where_};
use crate::{
    Array, AxisPad, AxisSlice, Dims, Dtype, ErrorKind, Op, Result, Scalar, Shape, primitive, shape, transform,
};
use smallvec::SmallVec;

/// Zero, of a dtype.
pub(in crate::functional) fn zero(dtype: Dtype) -> Scalar {
    if dtype.is_bool() { Scalar::Bool(false) } else { Scalar::Int(0) }
}

/// A mask that broadcasts to the shape of the lanes, with that shape.
pub(in crate::functional) fn lanes(function: &'static str, mask: &Array, shape: &Shape) -> Result<Array> {
    if shape::broadcast(function, &[mask.shape(), shape]).ok().as_ref() != Some(shape) {
        return Err(mismatch(function, "mask", format!("one that broadcasts to {shape}"), mask.shape()));
    }
    primitive::run(function, &Op::BroadcastTo { shape: shape.clone() }, &[mask])
}

/// What is there in the lanes, and zero in those that are left out; the lanes' shape broadcasts to that of `x`.
pub(in crate::functional) fn kept(x: &Array, lanes: &Array) -> Result<Array> {
    where_(lanes, x, zero(x.dtype()))
}

/// True if a lane has nowhere to look: an axis that is indexed has no elements. Lanes that are not left out are
/// refused then. The indices, for axes from `first` on, have the lanes' shape.
///
/// # Errors
/// [`ErrorKind::IndexOutOfRange`] of the first lane, and those of reading it.
pub(in crate::functional) fn nowhere(
    function: &'static str,
    indices: &[Array],
    first: usize,
    shape: &[usize],
    lanes: &Array,
) -> Result<bool> {
    let Some((index, axis)) = indices.iter().zip(first..).find(|(_, axis)| shape[*axis] == 0) else {
        return Ok(false);
    };
    if lanes.backend().is_abstract() || !transform::any_true(lanes)? {
        return Ok(true);
    }
    let flat = |x: &Array| reshape(x, Shape::from([lanes.size()]), ());
    let at = nonzero(flat(lanes)?)?[0].to_vec::<i64>()?[0];
    let index = flat(index)?.to_vec::<i64>()?[at as usize];
    let position = Some(at as usize);
    Err(ErrorKind::IndexOutOfRange { function, index: index.into(), axis, length: 0, position }.into())
}

/// Places of a shape whose first axis has one more at its end, where the updates of lanes go that are left out.
pub(in crate::functional) struct Spare {
    /// The places, an array for each axis that is indexed.
    pub(in crate::functional) indices: SmallVec<[Array; 2]>,
    /// The shape, with the spare place.
    pub(in crate::functional) shape: Shape,
}

impl Spare {
    /// For indices of the lanes' shape, each of an axis that has elements.
    ///
    /// # Errors
    /// Those of the ops; an index that is out of range is found as a gather's, in its lane.
    pub(in crate::functional) fn new(
        function: &'static str,
        indices: &[Array],
        shape: &Shape,
        lanes: &Array,
    ) -> Result<Spare> {
        let mut indices = indices.iter().map(|i| kept(i, lanes)).collect::<Result<SmallVec<[Array; 2]>>>()?;
        let length = shape[0];
        // Counted from the start, so that the spare place is none that an index means.
        let numbers = arange(length, Arange::new().dtype(Dtype::INT64))?;
        let first = primitive::run(function, &Op::Gather { axes: 1 }, &[&numbers, &indices[0]])?;
        indices[0] = where_(lanes, &first, Scalar::Int(length as i128))?;
        let mut with = Dims::from_slice(shape);
        with[0] += 1;
        Ok(Spare { indices, shape: with.into() })
    }

    /// An array with the spare place.
    pub(in crate::functional) fn with(&self, function: &'static str, x: &Array) -> Result<Array> {
        let none = AxisPad { before: 0, after: 0 };
        let mut axes = Dims::from_elem(none, x.ndim());
        axes[0].after = 1;
        primitive::run(function, &Op::Pad { axes, value: zero(x.dtype()) }, &[x])
    }

    /// An array without it.
    pub(in crate::functional) fn without(&self, function: &'static str, x: &Array) -> Result<Array> {
        let mut axes: Dims<AxisSlice> =
            x.shape().iter().map(|&len| AxisSlice { start: 0, step: 1, len }).collect();
        axes[0].len -= 1;
        primitive::run(function, &Op::Slice { axes }, &[x])
    }
}

/// A scatter or an exchange by the elements of a mask; `None` where an index is no element's. What an exchange says to have
/// been there is zero for elements that are left out.
pub(crate) fn scatter_of_lanes(
    function: &'static str,
    backend: &BackendRef,
    op: &Op,
    operands: &[&Value],
    mask: &Array,
) -> Result<Option<Values>> {
    let array = |value: &Value| Array::from_value(backend.clone(), value.clone());
    let Ok(mask) = mask.lift_to(function, backend) else { return Ok(None) };
    let (target, indices, values) = match (op, operands) {
        (Op::Scatter { .. }, [x, updates, indices @ ..]) => (*x, indices, std::slice::from_ref(updates)),
        (Op::Exchange { .. }, [x, index, values @ ..]) => (*x, std::slice::from_ref(index), values),
        _ => return Ok(None),
    };
    let shapes: SmallVec<[&Shape; 4]> = indices.iter().map(|index| &index.shape).collect();
    let places = shape::broadcast(function, &shapes)?;
    if !shape::broadcast(function, &[mask.shape(), &places]).is_ok_and(|both| both == places) {
        return Ok(None);
    }
    let spread = Op::BroadcastTo { shape: places };
    let spread = |x: &Array| primitive::run(function, &spread, &[x]);
    let indices: SmallVec<[Array; 2]> = indices.iter().map(|x| spread(&array(x))).collect::<Result<_>>()?;
    let lanes = spread(&mask)?;
    let is_exchange = matches!(op, Op::Exchange { .. });
    if nowhere(function, &indices, 0, &target.shape, &lanes)? {
        let old = is_exchange.then(|| zeros(lanes.shape().clone(), target.dtype)).transpose()?;
        return Ok(Some(std::iter::once(target.clone()).chain(old.map(Array::into_value)).collect()));
    }
    let spare = Spare::new(function, &indices, &target.shape, &lanes)?;
    let padded = spare.with(function, &array(target))?;
    let values: SmallVec<[Array; 2]> = values.iter().map(|value| array(value)).collect();
    let all: SmallVec<[&Array; 4]> = match is_exchange {
        true => [&padded].into_iter().chain(&spare.indices).chain(&values).collect(),
        false => [&padded].into_iter().chain(&values).chain(&spare.indices).collect(),
    };
    let mut done = primitive::run_all(function, op, &all)?.into_iter().map(|value| array(&value));
    let after = done.next().map(|after| spare.without(function, &after)).transpose()?;
    let old = done.next().map(|old| kept(&old, &lanes)).transpose()?;
    Ok(Some(after.into_iter().chain(old).map(Array::into_value).collect()))
}

/// Zeros of a shape and dtype.
pub(in crate::functional) fn zeros(shape: Shape, dtype: Dtype) -> Result<Array> {
    full(shape, zero(dtype), Filled::new().dtype(dtype))
}
