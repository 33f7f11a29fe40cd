//! Reading and writing by index expressions.

use super::index_plan::{Advanced, IndexKind, IndexPlan, inverse_permutation, plan_index};
use super::{Array, Index, IntoOperand, Operand, common_backend};
use crate::plan::{CastReason, CastRecord, note_cast};
use crate::primitive::{check_support, indices as as_indices, run, run_all, true_index};
use crate::promotion::{check_scalar, promote_scalar};
use crate::{AxisSlice, Dims, Dtype, ErrorKind, Op, Result, ScatterOp, Shape, context, shape};
use smallvec::SmallVec;

const GET: &str = "get_item";
const SET: &str = "set_item";

impl Array {
    /// The elements that an index expression selects: `x.get(s![0, 1..;2])`. Positions and
    /// slices are views where the backend has them.
    ///
    /// ```
    /// use ivy::prelude::*;
    /// use ivy::s;
    /// let x = Array::try_from([[1i32, 2, 3], [4, 5, 6]])?;
    /// assert_eq!(x.get(s![-1, ..;-1])?.to_vec::<i32>()?, [6, 5, 4]);
    /// let odd = ivy::equal(ivy::remainder(&x, 2), 1)?;
    /// assert_eq!(x.get(s![odd])?.to_vec::<i32>()?, [1, 3, 5]);
    /// # Ok::<(), ivy::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`ErrorKind::IndexOutOfRange`] for a position that the axis does not have,
    /// [`ErrorKind::InvalidArgument`] for more indices than axes, two ellipses or a step of 0,
    /// [`ErrorKind::ShapeMismatch`] for a mask of another shape,
    /// [`ErrorKind::BroadcastShapes`] for index arrays that do not broadcast.
    pub fn get(&self, indices: impl AsRef<[Index]>) -> Result<Array> {
        let backend = common_backend(std::iter::once(self).chain(given(indices.as_ref())))?;
        let x = &*self.lift_to(GET, &backend)?;
        let plan = plan_of(GET, x.shape(), indices.as_ref())?;
        let arrays = index_arrays(GET, x, indices.as_ref(), &plan)?;
        let sliced = slice(GET, x, &plan)?;
        let sliced = reshape(GET, sliced, &plan.shape)?;
        let Some(advanced) = &plan.advanced else { return Ok(sliced) };
        let fronted = permute(GET, sliced, &advanced.front)?;
        let operands: SmallVec<[&Array; 4]> = std::iter::once(&fronted).chain(&arrays).collect();
        let gathered = run(GET, &Op::Gather { axes: advanced.indexed() }, &operands)
            .map_err(|error| true_index(error, given(indices.as_ref()), false))?;
        permute(GET, gathered, &advanced.to_place())
    }

    /// Replaces the elements that an index expression selects by `value`, which is broadcast.
    /// Other handles of the array keep the old elements; storage that nobody else holds is
    /// written in place (decision S29).
    ///
    /// ```
    /// use ivy::prelude::*;
    /// use ivy::s;
    /// let mut x = Array::try_from([1i32, 2, 3])?;
    /// let before = x.clone();
    /// x.set(s![1..], 0)?;
    /// assert_eq!(x.to_vec::<i32>()?, [1, 0, 0]);
    /// assert_eq!(before.to_vec::<i32>()?, [1, 2, 3]);
    /// # Ok::<(), ivy::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`Array::get`]; [`ErrorKind::CastRefused`] if the value's dtype does not promote
    /// to the array's, [`ErrorKind::ScalarOutOfRange`], [`ErrorKind::BroadcastShapes`]. The
    /// array is then as before.
    pub fn set<'a>(&mut self, indices: impl AsRef<[Index]>, value: impl IntoOperand<'a>) -> Result<()> {
        let (indices, value) = (indices.as_ref(), value.into_operand());
        let operands = given(indices).chain(match &value {
            Operand::Array(array) => Some(array.as_ref()),
            _ => None,
        });
        let backend = common_backend(std::iter::once(&*self).chain(operands))?;
        let value = value.on(&backend)?;
        if *self.backend() == backend {
            return self.set_here(indices, value);
        }
        let mut lifted = self.lift_to(SET, &backend)?.into_owned();
        lifted.set_here(indices, value)?;
        *self = lifted;
        Ok(())
    }

    /// Writes on the array's own backend, to which the index arrays and the value are lifted.
    fn set_here(&mut self, indices: &[Index], value: Operand<'_>) -> Result<()> {
        let plan = plan_of(SET, self.shape(), indices)?;
        if let [Index::Array(mask)] = indices
            && mask.dtype().is_bool()
            && let Some(written) = self.where_masked(mask, &value)?
        {
            *self = written;
            return Ok(());
        }
        let arrays = index_arrays(SET, self, indices, &plan)?;
        let index_shape = index_shape(&arrays)?;
        let value = fit_value(self, value, &plan.result_shape(&index_shape))?;
        let update = match &plan.advanced {
            None => value,
            Some(advanced) => scatter(self, &plan, advanced, &arrays, value)
                .map_err(|error| true_index(error, given(indices), false))?,
        };
        let update = reshape(SET, update, &plan.slice_shape())?;
        let op = Op::SetSlice { axes: plan.slices.clone() };
        check_support(SET, self.backend(), &op, &[self.dtype(), update.dtype()])?;
        let backend = self.backend.clone();
        backend.execute_in_place(&op, &mut self.value, &[update.value()])
    }

    /// The array with one value at each place of a mask, or `None` where the value has an element for each place that
    /// is true: those have to be counted first.
    fn where_masked(&self, mask: &Array, value: &Operand<'_>) -> Result<Option<Array>> {
        // A mask without elements may have another shape, as in NumPy; it writes nothing.
        if self.shape()[..mask.ndim()] != mask.shape()[..] {
            return Ok(None);
        }
        let behind = Shape::from(&self.shape()[mask.ndim()..]);
        let own = match value {
            Operand::Array(array) => array.shape().clone(),
            Operand::List(array) => array.shape().clone(),
            Operand::Scalar(_) => Shape::default(),
            Operand::Absent | Operand::Failed(_) => return Ok(None),
        };
        let extra = own.len().saturating_sub(behind.len());
        if own[..extra].iter().any(|&length| length != 1)
            || shape::broadcast(SET, &[&Shape::from(&own[extra..]), &behind]).ok().as_ref() != Some(&behind)
        {
            return Ok(None);
        }
        let value = fit_value(self, value.clone(), &behind)?;
        let ones = std::iter::repeat_n(1, behind.len());
        let mask = mask.lift_to(SET, self.backend())?.into_owned();
        let laid: Shape = mask.shape().iter().copied().chain(ones).collect();
        run(SET, &Op::Where, &[&reshape(SET, mask, &laid)?, &value, self]).map(Some)
    }
}

impl Index {
    /// What an expression of positions, slices, new axes and an ellipsis selects of an array of a shape: the part of each axis,
    /// and the shape that the selected elements get, without the axes of positions and with the new ones. `None` for an
    /// expression with arrays.
    ///
    /// ```
    /// use ivy::{Index, s};
    /// let (axes, shape) = Index::basic(&[3, 4], &s![1, ..;2])?.expect("no arrays are in it");
    /// assert_eq!((axes[0].start, axes[1].step, &shape[..]), (1, 2, &[2][..]));
    /// # Ok::<(), ivy::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`Array::get`].
    pub fn basic(shape: &[usize], indices: &[Index]) -> Result<Option<(Dims<AxisSlice>, Shape)>> {
        if given(indices).next().is_some() {
            return Ok(None);
        }
        let plan = plan_of(GET, shape, indices)?;
        Ok(Some((plan.slices, plan.shape)))
    }
}

/// The arrays of an index expression.
fn given(indices: &[Index]) -> impl Iterator<Item = &Array> {
    indices.iter().filter_map(|index| match index {
        Index::Array(array) => Some(array),
        _ => None,
    })
}

/// The slice's elements with the scattered value among them.
fn scatter(
    x: &Array,
    plan: &IndexPlan,
    advanced: &Advanced,
    arrays: &[Array],
    value: Array,
) -> Result<Array> {
    let sliced = reshape(SET, slice(SET, x, plan)?, &plan.shape)?;
    let fronted = permute(SET, sliced, &advanced.front)?;
    let updates = permute(SET, value, &inverse_permutation(&advanced.to_place()))?;
    let mut operands: SmallVec<[&Array; 4]> = SmallVec::new();
    operands.extend([&fronted, &updates]);
    operands.extend(arrays);
    let written = run(SET, &Op::Scatter { axes: advanced.indexed(), op: ScatterOp::Set }, &operands)?;
    permute(SET, written, &inverse_permutation(&advanced.front))
}

/// The plan of an index expression.
fn plan_of(function: &'static str, shape: &[usize], indices: &[Index]) -> Result<IndexPlan> {
    let mut kinds: SmallVec<[IndexKind<'_>; 4]> = SmallVec::with_capacity(indices.len());
    for index in indices {
        kinds.push(match index {
            Index::Int(i) => IndexKind::Int(*i),
            Index::Slice { start, stop, step } => {
                IndexKind::Slice { start: *start, stop: *stop, step: *step }
            }
            Index::Ellipsis => IndexKind::Ellipsis,
            Index::NewAxis => IndexKind::NewAxis,
            Index::Array(array) if array.dtype().is_bool() => IndexKind::Mask(array.shape()),
            Index::Array(array) if array.dtype().is_int() => IndexKind::Array(array.shape()),
            Index::Array(array) => {
                return Err(ErrorKind::OutsideDomain {
                    function,
                    operand: "indices",
                    dtype: array.dtype(),
                    allowed: crate::DtypeSet::INTEGER | crate::DtypeSet::BOOL,
                    remedy: "Cast it with `astype` first".into(),
                }
                .into());
            }
        });
    }
    plan_index(function, shape, &kinds)
}

/// The arrays of an index expression as int64 index arrays: a mask gives one for each of its axes.
fn index_arrays(
    function: &'static str,
    x: &Array,
    indices: &[Index],
    plan: &IndexPlan,
) -> Result<Vec<Array>> {
    let mut arrays = Vec::new();
    for entry in plan.advanced.iter().flat_map(|a| &a.arrays) {
        let Index::Array(array) = &indices[entry.entry] else {
            unreachable!("the plan's arrays are entries that are arrays")
        };
        let array = array.lift_to(function, x.backend())?;
        match &entry.mask_shape {
            Some(shape) => {
                let mask = reshape(function, array.into_owned(), shape)?;
                let found = run_all(function, &Op::Nonzero, &[&mask])?;
                arrays.extend(found.into_iter().map(|v| Array::from_value(mask.backend().clone(), v)));
            }
            None if array.dtype() == Dtype::INT64 => arrays.push(array.into_owned()),
            None => arrays.push(as_indices(function, &array)?),
        }
    }
    Ok(arrays)
}

fn index_shape(arrays: &[Array]) -> Result<Shape> {
    let shapes: Vec<&Shape> = arrays.iter().map(Array::shape).collect();
    shape::broadcast(SET, &shapes)
}

/// The value in the array's dtype and the selection's shape.
fn fit_value(x: &Array, value: Operand<'_>, shape: &Shape) -> Result<Array> {
    let settings = &context::settings().settings;
    let (dtype, rules) = (x.dtype(), settings.rules);
    let refuse = |from: Dtype| -> crate::Error {
        let (rule, remedy) = ("a value must promote to the array's dtype", "Cast the value with `astype`");
        ErrorKind::CastRefused { function: SET, from, to: dtype, rule, remedy }.into()
    };
    let promoted = |array: &Array| -> Result<Array> {
        let array = array.lift_to(SET, x.backend())?;
        match array.dtype() {
            from if from == dtype => Ok(array.into_owned()),
            from if rules.lookup(dtype, from) == Some(dtype) => {
                let reason = CastReason::Rule;
                let cast = CastRecord { function: SET, operand: "value", from, to: dtype, reason };
                note_cast(cast, settings.strict_casts)?;
                run(SET, &Op::Cast { dtype }, &[&array])
            }
            from => Err(refuse(from)),
        }
    };
    let value = match value {
        Operand::Failed(error) => return Err(error),
        Operand::Absent => {
            let (value, rule) = ("none".into(), "a value is required");
            return Err(ErrorKind::InvalidArgument { function: SET, argument: "value", value, rule }.into());
        }
        Operand::Scalar(scalar) => {
            let common = promote_scalar(SET, rules, &settings.defaults, dtype, scalar.kind())?;
            if common != dtype {
                return Err(refuse(common));
            }
            check_scalar(SET, scalar, dtype)?;
            let op = Op::Full { shape: Shape::default(), dtype, value: scalar };
            check_support(SET, x.backend(), &op, &[])?;
            crate::call::execute_one(x.backend(), &op, &[])?
        }
        Operand::List(array) => promoted(&array)?,
        Operand::Array(array) => promoted(&array)?,
    };
    // Leading axes of length 1 that the selection does not have fall away, as in an assignment.
    let extra = value.ndim().saturating_sub(shape.len());
    let value = match value.shape()[..extra].iter().all(|&d| d == 1) {
        true => {
            let kept = Shape::from(&value.shape()[extra..]);
            reshape(SET, value, &kept)?
        }
        false => value,
    };
    if shape::broadcast(SET, &[value.shape(), shape])? != *shape {
        let shapes = vec![value.shape().clone(), shape.clone()];
        return Err(ErrorKind::BroadcastShapes { function: SET, shapes }.into());
    }
    if value.shape() == shape {
        return Ok(value);
    }
    run(SET, &Op::BroadcastTo { shape: shape.clone() }, &[&value])
}

fn slice(function: &'static str, x: &Array, plan: &IndexPlan) -> Result<Array> {
    if plan.takes_all(x.shape()) {
        return Ok(x.clone());
    }
    run(function, &Op::Slice { axes: plan.slices.clone() }, &[x])
}

fn reshape(function: &'static str, x: Array, shape: &Shape) -> Result<Array> {
    if x.shape() == shape {
        return Ok(x);
    }
    run(function, &Op::Reshape { shape: shape.clone() }, &[&x])
}

fn permute(function: &'static str, x: Array, axes: &Dims) -> Result<Array> {
    if axes.iter().enumerate().all(|(i, &a)| i == a) {
        return Ok(x);
    }
    run(function, &Op::PermuteDims { axes: axes.clone() }, &[&x])
}
