//! Arrays with tangents: forward mode, and the first half of reverse mode.

use super::level::{Below, Wrapper, as_below, base_of, running};
use super::{jvp as rules, refused};
use crate::backend::{Backend, BackendRef, Data, Value, Values};
use crate::host::HostArray;
use crate::{Array, Op, Result};
use smallvec::SmallVec;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// A backend whose arrays have tangents.
pub(super) struct DualBackend {
    pub(super) below: Below,
}

/// An array of it.
#[derive(Clone)]
pub(super) struct Dual {
    /// What was computed, on the backend below.
    primal: Array,
    /// How it changes, if it does, there or on its tape, and the call that it belongs to.
    tangent: Option<(Array, u64)>,
}

static PASSES: AtomicU64 = AtomicU64::new(1);

impl Dual {
    fn value(self) -> Value {
        let (dtype, shape) = (self.primal.dtype(), self.primal.shape().clone());
        Value { dtype, shape, data: Data::new(Arc::new(self)) }
    }

    fn of(value: &Value) -> &Dual {
        match value.data::<Arc<Dual>>() {
            Some(dual) => dual,
            None => unreachable!("a value of another backend"),
        }
    }
}

impl Backend for DualBackend {
    as_below!();

    fn lift(&self, array: Array) -> Result<Value> {
        Ok(Dual { primal: array, tangent: None }.value())
    }

    fn execute(&self, op: &Op, operands: &[&Value]) -> Result<Values> {
        let duals: SmallVec<[&Dual; 4]> = operands.iter().map(|v| Dual::of(v)).collect();
        let base = match duals.first() {
            Some(dual) => dual.primal.backend().clone(),
            None => self.below.require()?,
        };
        let primals: SmallVec<[&Value; 4]> = duals.iter().map(|d| d.primal.value()).collect();
        let results = base.execute(op, &primals)?.into_iter().map(|v| Array::from_value(base.clone(), v));
        let Some(pass) = pass_of(op, &duals)? else {
            return Ok(results.map(|primal| Dual { primal, tangent: None }.value()).collect());
        };
        let results: SmallVec<[Array; 1]> = results.collect();
        let primals: SmallVec<[&Array; 4]> = duals.iter().map(|d| &d.primal).collect();
        let tangents: SmallVec<[Option<&Array>; 4]> =
            duals.iter().map(|d| d.tangent.as_ref().map(|t| &t.0)).collect();
        let changes = rules::jvp(op, &primals, &tangents, &rules::Results::Known(&results))?;
        let both = results.into_iter().zip(changes);
        Ok(both
            .map(|(primal, tangent)| Dual { primal, tangent: tangent.map(|t| (t, pass)) }.value())
            .collect())
    }

    fn evaluate(&self, values: &[Value]) -> Result<()> {
        let Some(base) = self.below.get() else { return Ok(()) };
        let primals: Vec<Value> = values.iter().map(|v| Dual::of(v).primal.value().clone()).collect();
        base.evaluate(&primals)
    }

    fn wait(&self, values: &[Value]) -> Result<()> {
        let Some(base) = self.below.get() else { return Ok(()) };
        let primals: Vec<Value> = values.iter().map(|v| Dual::of(v).primal.value().clone()).collect();
        base.wait(&primals)
    }

    fn to_host(&self, value: &Value) -> Result<HostArray> {
        Dual::of(value).primal.to_host()
    }

    fn is_differentiated(&self, value: &Value) -> bool {
        let Dual { primal, tangent } = Dual::of(value);
        tangent.is_some() || is_differentiated(primal)
    }

    fn stop_gradient(&self, value: &Value) -> Result<Value> {
        Ok(Dual { primal: stop_gradient(&Dual::of(value).primal)?, tangent: None }.value())
    }
}

/// The call that tangents of operands belong to, if one of them has any.
fn pass_of(op: &Op, duals: &[&Dual]) -> Result<Option<u64>> {
    let mut passes = duals.iter().filter_map(|d| d.tangent.as_ref().map(|t| t.1));
    let first = passes.next();
    match passes.all(|pass| Some(pass) == first) {
        true => Ok(first),
        false => Err(refused(
            op.name(),
            "jvp",
            "has met an array that another call of a differentiated function made",
            "Return arrays from the function instead of keeping them, or use `stop_gradient`",
        )),
    }
}

/// A function of lists of arrays.
pub(crate) type Lists<'f> = &'f mut dyn FnMut(Vec<Array>) -> Result<Vec<Array>>;

/// What a function gives, and how that changes with what it is given.
pub(crate) type Changes = (Vec<Array>, Vec<Option<Array>>);

/// Calls a function on arrays with tangents, which have their dtypes and shapes.
pub(crate) fn jvp(f: Lists<'_>, primals: &[Array], tangents: &[Option<Array>]) -> Result<Changes> {
    let base = base_of(primals.iter().chain(tangents.iter().flatten()))?;
    jvp_on(&base, f, primals, tangents)
}

/// The same, with tangents on a backend or on the tape around it.
pub(super) fn jvp_on(
    base: &BackendRef,
    f: Lists<'_>,
    primals: &[Array],
    tangents: &[Option<Array>],
) -> Result<Changes> {
    let (dual, pass) = (base.wrapped(Wrapper::Dual), PASSES.fetch_add(1, Ordering::Relaxed));
    let inputs = primals.iter().zip(tangents).map(|(primal, tangent)| {
        let primal = primal.lift_to("jvp", base)?.into_owned();
        let tangent = tangent.clone().map(|t| (t, pass));
        Ok(Array::from_value(dual.clone(), Dual { primal, tangent }.value()))
    });
    let inputs: Vec<Array> = inputs.collect::<Result<_>>()?;
    let outputs = running(&dual, || f(inputs))?;
    let parts = outputs.into_iter().map(|output| split(output, &dual, pass));
    Ok(parts.collect::<Result<Vec<_>>>()?.into_iter().unzip())
}

/// An array and its tangent, where it is on the backend of a pass.
fn split(array: Array, dual: &BackendRef, pass: u64) -> Result<(Array, Option<Array>)> {
    if array.backend() != dual {
        return Ok((array, None));
    }
    let Dual { primal, tangent } = Dual::of(array.value()).clone();
    match tangent {
        Some((_, own)) if own != pass => pass_of_another(),
        tangent => Ok((primal, tangent.map(|t| t.0))),
    }
}

#[cold]
fn pass_of_another<T>() -> Result<T> {
    Err(refused(
        "jvp",
        "jvp",
        "was given an array that another call of a differentiated function made",
        "Return arrays from the function instead of keeping them, or use `stop_gradient`",
    ))
}

/// The array as a constant of every derivative around.
pub(crate) fn stop_gradient(x: &Array) -> Result<Array> {
    Ok(Array::from_value(x.backend().clone(), x.backend().stop_gradient(x.value())?))
}

/// True for an array that a derivative is taken by, at any level: of a function that is transformed, or of what a backend
/// notes while it runs.
pub(super) fn is_differentiated(x: &Array) -> bool {
    x.backend().is_differentiated(x.value())
}

/// True for an array that a derivative of a function that is transformed is taken by, at any level.
pub(super) fn has_tangent(x: &Array) -> bool {
    if let Some((inner, _)) = super::batch::below(x) {
        return has_tangent(inner);
    }
    is_dual(x.backend()) && {
        let dual = Dual::of(x.value());
        dual.tangent.is_some() || has_tangent(&dual.primal)
    }
}

/// What was computed, of an array with tangents.
pub(super) fn below(x: &Array) -> Option<&Array> {
    is_dual(x.backend()).then(|| &Dual::of(x.value()).primal)
}

pub(super) fn is_dual(backend: &BackendRef) -> bool {
    backend.as_any().is::<DualBackend>()
}

/// Arrays of a backend with tangents, apart: what is below, and the tangents with the call that they belong to.
pub(super) fn apart(arrays: &[Array], dual: &BackendRef) -> Result<(Changes, Option<u64>)> {
    let lifted: Vec<Array> =
        arrays.iter().map(|x| Ok(x.lift_to("jvp", dual)?.into_owned())).collect::<Result<_>>()?;
    let duals: Vec<&Dual> = lifted.iter().map(|x| Dual::of(x.value())).collect();
    let pass = pass_of(&Op::Where, &duals)?;
    let parts = duals.into_iter().map(|d| (d.primal.clone(), d.tangent.clone().map(|t| t.0)));
    Ok((parts.unzip(), pass))
}

/// The inverse of [`apart`].
pub(super) fn together(dual: &BackendRef, changes: Changes, pass: u64) -> Vec<Array> {
    let both = changes.0.into_iter().zip(changes.1);
    let dual = |(primal, tangent): (Array, Option<Array>)| {
        let tangent = tangent.map(|t| (t, pass));
        Array::from_value(dual.clone(), Dual { primal, tangent }.value())
    };
    both.map(dual).collect()
}
