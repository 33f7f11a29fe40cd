//! Doing what was planned: the one way from a function and its operands to arrays.

mod direct;

pub(crate) use direct::{binary, unary};
pub use direct::{call_arrays, call_scalar};

use crate::array::{Array, Operand, common_backend};
use crate::backend::{BackendRef, NOT_HERE, Value, not_here};
use crate::context::{self, Interned};
use crate::function::{Body, Composition, Outputs, Params, Request, Role};
use crate::plan::{self, Key, Plan, Question, Stage, deeper, is_traced, lookup, note};
use crate::primitive;
use crate::promotion::check_scalar;
use crate::{BinaryOp, Dtype, ErrorKind, Function, Op, Result, Scalar, Shape, active_mask, shape, transform};
use smallvec::{SmallVec, smallvec};
use std::borrow::Cow;

/// Calls a function by its description: plan, casts, op or composition.
///
/// This is the form for bindings and tools; the functions of [`crate::functional`] are it with
/// their own signatures.
///
/// # Errors
/// Whatever the plan, the shapes or the backend refuse.
pub fn call(function: &'static Function, operands: &[Operand<'_>], params: &dyn Params) -> Result<Outputs> {
    call_weak(function, operands, params, 0).map(|done| done.0)
}

/// Calls a function on arrays of which some are weakly typed: bit `i` of `weak` says so of operand `i`. They promote
/// as host scalars of their kind do, under rules that know them (JAX's). The other result is whether what comes out is
/// weakly typed.
///
/// ```
/// use ivy::prelude::*;
/// use ivy::Operand;
/// use std::borrow::Cow;
/// let (x, w) = (Array::try_from([1i8, 2])?, Array::try_from([1i64, 1])?);
/// let operands = [&x, &w].map(|a| Operand::Array(Cow::Borrowed(a)));
/// let add = ivy::function::find_function("add")?;
/// let jax = Context::new().rules(Rules::Jax);
/// let (sums, weak) = ivy::context::with(&jax, || ivy::call_weak(add, &operands, &(), 0b10))?;
/// assert_eq!((sums[0].dtype(), weak), (Dtype::INT8, false));
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// As [`call`].
pub fn call_weak(
    function: &'static Function,
    operands: &[Operand<'_>],
    params: &dyn Params,
    weak: u64,
) -> Result<(Outputs, bool)> {
    note(function.name, Stage::Operands, || format!("{} given", operands.len()));
    check_arity(function, operands)?;
    let backend = backend_of(operands, params)?;
    note(function.name, Stage::Backend, || format!("{} {}", backend.name(), backend.version_text()));
    let lifted = lift_operands(function, operands, &backend)?;
    let operands = lifted.as_deref().unwrap_or(operands);
    check_device(function, params, &backend)?;
    let interned = context::settings();
    let defaults = &interned.settings.defaults;
    let specs = operands.iter().enumerate().map(|(i, o)| match weak >> i.min(63) & 1 {
        0 => o.spec(defaults),
        _ => o.spec(defaults).weakly(),
    });
    let key = Key::new(function, interned.id, backend.id(), specs, params).filter(|_| !is_traced());
    let question = || Question { function, operands, weak, params, settings: interned, backend: &backend };
    note(function.name, Stage::Plan, || "made anew".into());
    let plan = lookup(key, question)?;
    Ok((run(&plan, operands, params, &backend, interned)?, plan.weak))
}

/// Calls a function of one result.
pub(crate) fn call_one(
    function: &'static Function,
    operands: &[Operand<'_>],
    params: &dyn Params,
) -> Result<Array> {
    call(function, operands, params).map(only)
}

fn only(mut outputs: Outputs) -> Array {
    outputs.pop().expect("a function of one result gave one")
}

fn check_arity(function: &'static Function, operands: &[Operand<'_>]) -> Result<()> {
    for operand in operands {
        if let Operand::Failed(error) = operand {
            return Err(error.clone());
        }
    }
    let count = || format!("{} operands", operands.len());
    let wrong = |argument: &'static str, value: String, rule: &'static str| -> Result<()> {
        Err(ErrorKind::InvalidArgument { function: function.name, argument, value, rule }.into())
    };
    if function.variadic {
        let list = function.operands[0].name;
        if operands.is_empty() {
            return wrong(list, count(), "at least one array is needed");
        }
        if operands.iter().any(|o| matches!(o, Operand::Absent)) {
            return wrong(list, count(), "no array of the list may be left out");
        }
        return Ok(());
    }
    if operands.len() != function.operands.len() {
        return wrong("operands", count(), "the function takes another number of operands");
    }
    for (operand, info) in operands.iter().zip(function.operands) {
        let missing = matches!(operand, Operand::Absent) && !info.optional;
        let scalar_kept = matches!(operand, Operand::Array(_) | Operand::List(_)) && info.role == Role::Value;
        if missing {
            return wrong(info.name, "nothing".into(), "an array or a number is needed");
        }
        if scalar_kept {
            return wrong(info.name, "an array".into(), "a host scalar is needed");
        }
    }
    Ok(())
}

/// The backend on which the array operands meet, and arrays among the parameters.
fn backend_of(operands: &[Operand<'_>], params: &dyn Params) -> Result<BackendRef> {
    let given = operands.iter().filter_map(|o| match o {
        Operand::Array(array) => Some(array.as_ref()),
        _ => None,
    });
    common_backend(given.chain(params.arrays()))
}

/// The operands on one backend; `None` if they are already.
fn lift_operands<'a>(
    function: &'static Function,
    operands: &'a [Operand<'_>],
    backend: &BackendRef,
) -> Result<Option<Operands<'a>>> {
    let elsewhere = |o: &Operand<'_>| match o {
        Operand::Array(array) => array.backend() != backend,
        Operand::List(_) => true,
        _ => false,
    };
    if !operands.iter().any(elsewhere) {
        return Ok(None);
    }
    let bring = |operand: &'a Operand<'_>| match operand {
        Operand::Array(array) => array.lift_to(function.name, backend).map(Operand::Array),
        Operand::List(list) => {
            let list = list.clone().moved_to(&transform::root(backend))?;
            Ok(Operand::Array(Cow::Owned(list.lift_to(function.name, backend)?.into_owned())))
        }
        Operand::Scalar(scalar) => Ok(Operand::Scalar(*scalar)),
        Operand::Absent => Ok(Operand::Absent),
        Operand::Failed(error) => Err(error.clone()),
    };
    operands.iter().map(bring).collect::<Result<_>>().map(Some)
}

type Operands<'a> = SmallVec<[Operand<'a>; 4]>;

/// A device that is asked for is one of the backend's: nothing is transferred silently (decision S38).
fn check_device(function: &'static Function, params: &dyn Params, backend: &BackendRef) -> Result<()> {
    let asked = params.device();
    if let Some(device) = asked {
        note(function.name, Stage::Device, || device.to_string());
    }
    match asked {
        // An instance is bound to its first device; the others that it lists need one of their own.
        Some(device) if backend.devices().first() != Some(&device) => Err(ErrorKind::InvalidArgument {
            function: function.name,
            argument: "device",
            value: not_here(backend, device),
            rule: NOT_HERE,
        }
        .into()),
        _ => Ok(()),
    }
}

fn run(
    plan: &Plan,
    operands: &[Operand<'_>],
    params: &dyn Params,
    backend: &BackendRef,
    interned: &'static Interned,
) -> Result<Outputs> {
    let done = run_as_planned(plan, operands, params, backend, interned).map_err(|error| {
        let indices = operands.iter().enumerate().filter_map(|(i, operand)| match operand {
            Operand::Array(array) if plan.function.operand(i).role == Role::Index => Some(array.as_ref()),
            _ => None,
        });
        primitive::true_index(error, indices, plan.function.name.ends_with("_nd"))
    })?;
    if plan.cast_back.is_some() || plan.cast_results {
        return cast_back(plan, done);
    }
    Ok(done)
}

/// The results in the `dtype=` that was asked for (spec I-56), or in the dtypes of the rules.
fn cast_back(plan: &Plan, outputs: Outputs) -> Result<Outputs> {
    let dtypes = || plan.outputs.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
    note(plan.function.name, Stage::CastBack, dtypes);
    let asked = |(array, &dtype): (Array, &Dtype)| match array.dtype() == dtype {
        true => Ok(array),
        // What a composition gives may be of an outer level: a parameter's, or a draw's for each entry of a batch.
        false => execute_one(array.backend(), &Op::Cast { dtype }, &[array.value()]),
    };
    outputs.into_iter().zip(&plan.outputs).map(asked).collect()
}

/// Notes what becomes of operands, for a trace.
#[cold]
fn note_operands(plan: &Plan, operands: &[Operand<'_>]) {
    let function = plan.function;
    let casts: Vec<String> = plan.array_casts().collect();
    if !casts.is_empty() {
        note(function.name, Stage::Casts, || casts.join(", "));
    }
    let is_made = |(i, operand): (usize, &Operand<'_>)| {
        matches!(operand, Operand::Scalar(_)) && !function.operand(i).role.keeps_scalars()
    };
    if operands.iter().enumerate().any(is_made) {
        note(function.name, Stage::Scalars, || format!("in {}", plan.compute));
    }
}

fn run_as_planned(
    plan: &Plan,
    operands: &[Operand<'_>],
    params: &dyn Params,
    backend: &BackendRef,
    interned: &'static Interned,
) -> Result<Outputs> {
    let function = plan.function;
    plan::note_plan_casts(plan);
    if is_traced() {
        note_operands(plan, operands);
    }
    let mut arrays: SmallVec<[Option<Cow<'_, Array>>; 4]> = SmallVec::new();
    for (i, (given, planned)) in operands.iter().zip(&plan.operands).enumerate() {
        arrays.push(match (given.array(), given) {
            (Some(array), _) => {
                let mut array = Cow::Borrowed(array);
                for dtype in planned.mode.map(|(_, to)| to).into_iter().chain(planned.cast) {
                    array = Cow::Owned(match (function.operand(i).role, array.dtype()) {
                        (Role::Index, Dtype::UINT64) => primitive::indices(function.name, &array)?,
                        _ => execute_one(backend, &Op::Cast { dtype }, &[array.value()])?,
                    });
                }
                Some(array)
            }
            (None, Operand::Scalar(value)) if !function.operand(i).role.keeps_scalars() => {
                // Beside an array a value may wrap; alone it is an error to lose some of it.
                let wraps = plan.rules.wraps() && operands.iter().any(|o| matches!(o, Operand::Array(_)));
                let wrapped = wraps.then(|| value.wrapped(planned.dtype));
                let value = wrapped.as_ref().unwrap_or(value);
                if !value.fits(planned.dtype) {
                    if !plan.scalars_checked {
                        return compare_out_of_range(plan, operands, i, *value, backend);
                    }
                    check_scalar(function.name, *value, planned.dtype)?;
                }
                check_exponent(plan, i, *value)?;
                let op = Op::Full { shape: Shape::default(), dtype: planned.dtype, value: *value };
                Some(Cow::Owned(execute_one(backend, &op, &[])?))
            }
            // The function itself knows which values its host arguments may have.
            (None, _) => None,
        });
    }
    let values: SmallVec<[&Value; 4]> = arrays.iter().flatten().map(|a| a.value()).collect();
    let wrap = |values: crate::backend::Values| -> Outputs {
        values.into_iter().map(|v| Array::from_value(backend.clone(), v)).collect()
    };
    // Abstract arrays have shapes that only the composition computes.
    if plan.overridden
        && !backend.is_abstract()
        && params.arrays().is_empty()
        && let Some(own) = backend.execute_function(function, params, &values)?
    {
        note(function.name, Stage::Execution, || format!("{}'s own form of the function", backend.name()));
        return Ok(wrap(own));
    }
    match function.body_with(params) {
        Body::Fixed(op) => {
            check_size(function.name, op, &values, interned)?;
            note(function.name, Stage::Execution, || {
                format!("{} in {}, {}", op.name(), plan.compute, plan.state_text())
            });
            Ok(wrap(backend.execute(op, &values)?))
        }
        Body::Op(lower) => {
            note(function.name, Stage::Lowering, || "axes, shapes and the memory limit".into());
            let op = lower(&Request { function, operands, params, compute: plan.compute })?;
            check_size(function.name, &op, &values, interned)?;
            note(function.name, Stage::Execution, || {
                format!("{} in {}, {}", op.name(), plan.compute, plan.state_text())
            });
            Ok(wrap(active_mask::execute(function.name, backend, &op, &values)?))
        }
        Body::Identity => {
            drop(values);
            Ok(arrays.into_iter().flatten().take(1).map(Cow::into_owned).collect())
        }
        Body::Compose(compose) => {
            drop(values);
            let arrays: SmallVec<[Option<Array>; 4]> =
                arrays.into_iter().map(|a| a.map(Cow::into_owned)).collect();
            let _scope = context::enter_internal(backend, interned);
            let _paused = plan::pause_record();
            note(function.name, Stage::Composition, || format!("in {}", plan.compute));
            let _deeper = deeper();
            compose(&Composition { function, arrays: &arrays, operands, params, compute: plan.compute })
        }
    }
}

/// Runs an op of one result.
#[inline]
pub(crate) fn execute_one(backend: &BackendRef, op: &Op, values: &[&Value]) -> Result<Array> {
    let value = backend.execute_one(op, values)?;
    Ok(Array::from_value(backend.clone(), value))
}

/// Refuses a result above the memory limit before anything is allocated.
pub(crate) fn check_size(
    function: &'static str,
    op: &Op,
    values: &[&Value],
    interned: &'static Interned,
) -> Result<()> {
    let limit = interned.settings.memory_limit;
    let creates = matches!(
        op,
        Op::Full { .. } | Op::Eye { .. } | Op::Arange { .. } | Op::Linspace { .. } | Op::RandomBits { .. }
    );
    if !creates && limit == isize::MAX as u64 {
        return Ok(());
    }
    let operands: SmallVec<[_; 4]> = values.iter().map(|v| (v.dtype, &v.shape)).collect();
    for (dtype, shape) in op.result(function, &operands)? {
        let bytes = shape.checked_size(function, dtype)? as u128 * dtype.bytes() as u128;
        // A broadcast is a view on most backends, and pays nothing.
        if bytes > u128::from(limit) && !matches!(op, Op::BroadcastTo { .. }) {
            return Err(ErrorKind::MemoryLimit { function, bytes, limit: limit.into() }.into());
        }
    }
    Ok(())
}

/// A negative host exponent of an integer power has no integer answer (decision S34).
fn check_exponent(plan: &Plan, operand: usize, value: Scalar) -> Result<()> {
    let is_pow = matches!(plan.function.body, Body::Fixed(Op::Binary(BinaryOp::Pow)));
    if is_pow && operand == 1 && plan.compute.is_int() && value.to_i128() < 0 {
        return Err(ErrorKind::InvalidArgument {
            function: plan.function.name,
            argument: "x2",
            value: value.to_string(),
            rule: "an integer power needs an exponent of 0 or more; cast the base to a float first",
        }
        .into());
    }
    Ok(())
}

/// Comparing integers with a scalar beyond their range has one answer for all (decision S15).
fn compare_out_of_range(
    plan: &Plan,
    operands: &[Operand<'_>],
    scalar: usize,
    value: Scalar,
    backend: &BackendRef,
) -> Result<Outputs> {
    let Body::Fixed(Op::Binary(op)) = plan.function.body else {
        unreachable!("only comparisons leave scalars unchecked")
    };
    let scalar_is_greater = value.to_i128() > 0;
    // x1 < x2 holds everywhere if the greater one is x2.
    let right_is_greater = scalar_is_greater == (scalar == 1);
    let answer = match op {
        BinaryOp::Less | BinaryOp::LessEqual => right_is_greater,
        BinaryOp::Greater | BinaryOp::GreaterEqual => !right_is_greater,
        BinaryOp::NotEqual => true,
        _ => false,
    };
    let shapes: SmallVec<[Shape; 2]> = operands
        .iter()
        .map(|o| match o {
            Operand::Array(array) => array.shape().clone(),
            _ => Shape::default(),
        })
        .collect();
    let shape = shape::broadcast(plan.function.name, &shapes)?;
    let op = Op::Full { shape, dtype: crate::Dtype::BOOL, value: Scalar::Bool(answer) };
    Ok(smallvec![execute_one(backend, &op, &[])?])
}

/// The plan of a call, without running it.
///
/// # Errors
/// As the call for its dtypes.
pub fn plan_call(function: &'static Function, operands: &[Operand<'_>], params: &dyn Params) -> Result<Plan> {
    plan_weak(function, operands, params, 0)
}

/// The plan of a call on arrays of which some are weakly typed, as [`call_weak`] takes them.
///
/// # Errors
/// As the call for its dtypes.
pub fn plan_weak(
    function: &'static Function,
    operands: &[Operand<'_>],
    params: &dyn Params,
    weak: u64,
) -> Result<Plan> {
    check_arity(function, operands)?;
    let backend = backend_of(operands, params)?;
    let lifted = lift_operands(function, operands, &backend)?;
    let operands = lifted.as_deref().unwrap_or(operands);
    let interned = context::settings();
    plan::plan(&Question { function, operands, weak, params, settings: interned, backend: &backend })
}
