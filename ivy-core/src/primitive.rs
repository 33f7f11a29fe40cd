//! Running single ops inside the library: what compositions and indexing need below the level
//! of functions. Support is asked as a plan asks it, so that nothing reaches a backend that it
//! does not run, and `explain` sees every step.

use crate::array::Array;
use crate::backend::{BackendRef, Support, Value, Values};
use crate::call::{check_size, execute_one};
use crate::plan::{self, State, Step};
use crate::{BinaryOp, Dtype, DtypeSet, Error, ErrorKind, Op, Result, Scalar, Shape, active_mask, context};
use smallvec::SmallVec;

/// Runs an op on arrays of one backend, all results.
pub(crate) fn run_all(function: &'static str, op: &Op, operands: &[&Array]) -> Result<Values> {
    run_on(function, operands[0].backend(), op, operands)
}

fn run_on(function: &'static str, backend: &BackendRef, op: &Op, operands: &[&Array]) -> Result<Values> {
    let dtypes: SmallVec<[Dtype; 4]> = operands.iter().map(|a| a.dtype()).collect();
    check_support(function, backend, op, &dtypes)?;
    let values: SmallVec<[&Value; 4]> = operands.iter().map(|a| a.value()).collect();
    check_size(function, op, &values, context::settings())?;
    active_mask::execute(function, backend, op, &values)
}

/// Runs an op of one result on arrays of one backend.
pub(crate) fn run(function: &'static str, op: &Op, operands: &[&Array]) -> Result<Array> {
    let mut values = run_all(function, op, operands)?;
    let value = values.pop().expect("the op has one result");
    Ok(Array::from_value(operands[0].backend().clone(), value))
}

/// Runs an op without operands on the current backend.
pub(crate) fn create(function: &'static str, op: &Op) -> Result<Array> {
    let backend = context::current_backend()?;
    let value = run_on(function, &backend, op, &[])?.pop().expect("the op has one result");
    Ok(Array::from_value(backend, value))
}

/// Indices as int64. Those of uint64 above all of its numbers become the greatest, which is out of range
/// as they are: as the cast has them, they would count from the end.
pub(crate) fn indices(function: &'static str, x: &Array) -> Result<Array> {
    let cast = Op::Cast { dtype: Dtype::INT64 };
    if x.dtype() != Dtype::UINT64 {
        return run(function, &cast, &[x]);
    }
    let value = Scalar::Int(i64::MAX.into());
    let greatest = Op::Full { shape: Shape::default(), dtype: Dtype::UINT64, value };
    check_support(function, x.backend(), &greatest, &[])?;
    let greatest = execute_one(x.backend(), &greatest, &[])?;
    run(function, &cast, &[&run(function, &Op::Binary(BinaryOp::Minimum), &[x, &greatest])?])
}

/// The error of an index that [`indices`] has made the greatest int64, with the number that one of the given
/// arrays has at its position; with `together`, the last axis has indices of several axes.
#[cold]
pub(crate) fn true_index<'a>(
    error: Error,
    given: impl IntoIterator<Item = &'a Array>,
    together: bool,
) -> Error {
    let greatest = i128::from(i64::MAX);
    let &ErrorKind::IndexOutOfRange { function, index, axis, length, position: Some(position) } =
        error.kind()
    else {
        return error;
    };
    if index != greatest {
        return error;
    }
    for array in given.into_iter().filter(|array| array.dtype() == Dtype::UINT64) {
        let count = if together { array.shape().last().copied().unwrap_or(1) } else { 1 };
        let Ok(host) = array.to_host() else { return error };
        let number = |at: usize| match host.scalar_at(at) {
            Ok(Scalar::Int(number)) if number > greatest => Some(number),
            _ => None,
        };
        if let Some(index) = (position * count..(position + 1) * count).find_map(number) {
            let told: Error =
                ErrorKind::IndexOutOfRange { function, index, axis, length, position: Some(position) }.into();
            return match error.origin() {
                Some(origin) => told.with_origin(origin),
                None => told,
            };
        }
    }
    error
}

/// Refuses an op that the backend does not run on these dtypes (decision S1).
pub(crate) fn check_support(
    function: &'static str,
    backend: &BackendRef,
    op: &Op,
    dtypes: &[Dtype],
) -> Result<()> {
    let support = backend.support(op, dtypes);
    let emulation = context::settings().settings.emulation;
    let reason = match (support, Option::<State>::from(support)) {
        (Support::Unsupported(reason), _) => reason,
        (_, Some(state)) if emulation || state == State::Native => {
            let compute = dtypes.first().copied().unwrap_or(Dtype::BOOL);
            plan::note_step(Step { function: op.name(), compute, state });
            return Ok(());
        }
        _ => "it would be emulated, and emulation is off",
    };
    Err(ErrorKind::UnsupportedDtype {
        function,
        dtypes: dtypes.iter().copied().collect(),
        backend: backend.name().into(),
        version: backend.version_text(),
        reason: reason.into(),
        supported: supported_by_op(backend, op, dtypes),
        remedy: "Cast with `astype` to a dtype that it supports, or use another backend".into(),
    }
    .into())
}

/// The dtypes with which the backend runs an op, in place of the first operand's.
fn supported_by_op(backend: &BackendRef, op: &Op, dtypes: &[Dtype]) -> DtypeSet {
    let Some(&first) = dtypes.first() else { return DtypeSet::EMPTY };
    let runs = |&dtype: &Dtype| {
        let operands: SmallVec<[Dtype; 4]> =
            dtypes.iter().map(|&d| if d == first { dtype } else { d }).collect();
        op.result_dtype(&operands).is_some()
            && !matches!(backend.support(op, &operands), Support::Unsupported(_))
    };
    Dtype::all().filter(runs).collect()
}
