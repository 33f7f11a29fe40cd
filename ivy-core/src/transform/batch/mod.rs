//! Arrays with a batch axis: `vmap`.

mod products;
mod rules;

use super::dual::{Lists, is_differentiated, stop_gradient};
use super::level::{Below, Running, Wrapper, as_below, base_of, running, running_batch};
use super::{ops, refused};
use crate::backend::{Backend, BackendRef, Data, Value, Values};
use crate::host::HostArray;
use crate::{Array, ErrorKind, Op, Result, Shape, shape};
use smallvec::SmallVec;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// A backend whose arrays have a batch axis.
pub(super) struct BatchBackend {
    pub(super) below: Below,
}

/// An array of it.
#[derive(Clone)]
pub(super) struct Batched {
    /// The elements, on the backend below.
    inner: Array,
    /// The call whose batch the first axis is; `None` of an array that is the same for all of it.
    batch: Option<u64>,
}

static PASSES: AtomicU64 = AtomicU64::new(1);

impl Batched {
    fn value(self) -> Value {
        let skipped = usize::from(self.batch.is_some());
        let (dtype, shape) = (self.inner.dtype(), Shape::from(&self.inner.shape()[skipped..]));
        Value { dtype, shape, data: Data::new(Arc::new(self)) }
    }

    fn of(value: &Value) -> &Batched {
        match value.data::<Arc<Batched>>() {
            Some(batched) => batched,
            None => unreachable!("a value of another backend"),
        }
    }

    fn is_batched(&self) -> bool {
        self.batch.is_some()
    }

    /// The shape without the batch axis.
    fn shape(&self) -> &[usize] {
        &self.inner.shape()[usize::from(self.is_batched())..]
    }

    /// With the batch axis, of a length.
    fn spread(&self, size: usize) -> Result<Array> {
        if self.is_batched() {
            return Ok(self.inner.clone());
        }
        let shape: Shape = std::iter::once(size).chain(self.shape().iter().copied()).collect();
        ops::broadcast_to(&self.inner, &shape)
    }

    /// As an operand that broadcasts with others of `ndim` axes beside the batch axis.
    fn aligned(&self, ndim: usize) -> Result<Array> {
        let own = self.shape();
        if !self.is_batched() || own.len() >= ndim {
            return Ok(self.inner.clone());
        }
        let ones = std::iter::repeat_n(1, ndim - own.len());
        let shape: Shape =
            std::iter::once(self.inner.shape()[0]).chain(ones).chain(own.iter().copied()).collect();
        ops::reshape(&self.inner, shape)
    }
}

impl Backend for BatchBackend {
    as_below!();

    fn lift(&self, array: Array) -> Result<Value> {
        Ok(Batched { inner: array, batch: None }.value())
    }

    fn execute(&self, op: &Op, operands: &[&Value]) -> Result<Values> {
        let items: SmallVec<[&Batched; 4]> = operands.iter().map(|v| Batched::of(v)).collect();
        let base = match items.first() {
            Some(item) => item.inner.backend().clone(),
            None => self.below.require()?,
        };
        let Some(pass) = pass_of(op, &items)? else {
            let inner: SmallVec<[&Value; 4]> = items.iter().map(|item| item.inner.value()).collect();
            let results = base.execute(op, &inner)?.into_iter();
            return results.map(|v| self.lift(Array::from_value(base.clone(), v))).collect();
        };
        let results = rules::batch(op, &items)?;
        Ok(results.into_iter().map(|inner| Batched { inner, batch: Some(pass) }.value()).collect())
    }

    fn evaluate(&self, values: &[Value]) -> Result<()> {
        let Some(base) = self.below.get() else { return Ok(()) };
        let inner: Vec<Value> = values.iter().map(|v| Batched::of(v).inner.value().clone()).collect();
        base.evaluate(&inner)
    }

    fn wait(&self, values: &[Value]) -> Result<()> {
        let Some(base) = self.below.get() else { return Ok(()) };
        let inner: Vec<Value> = values.iter().map(|v| Batched::of(v).inner.value().clone()).collect();
        base.wait(&inner)
    }

    fn to_host(&self, value: &Value) -> Result<HostArray> {
        let item = Batched::of(value);
        match item.is_batched() {
            false => item.inner.to_host(),
            true => Err(refused(
                "to_host",
                "vmap",
                "has other elements in each entry of the batch, and none to read",
                "Compute with the array: `where`, `if_else` and `while_loop` decide for each entry",
            )),
        }
    }

    fn is_differentiated(&self, value: &Value) -> bool {
        is_differentiated(&Batched::of(value).inner)
    }

    fn stop_gradient(&self, value: &Value) -> Result<Value> {
        let Batched { inner, batch } = Batched::of(value);
        Ok(Batched { inner: stop_gradient(inner)?, batch: *batch }.value())
    }
}

/// The call that batches of operands belong to, if one of them has any.
fn pass_of(op: &Op, items: &[&Batched]) -> Result<Option<u64>> {
    let mut passes = items.iter().filter_map(|item| item.batch);
    let first = passes.next();
    match passes.all(|pass| Some(pass) == first) {
        true => Ok(first),
        false => Err(escaped(op.name())),
    }
}

#[cold]
fn escaped(function: &'static str) -> crate::Error {
    refused(
        function,
        "vmap",
        "has met an array that another call of a mapped function made",
        "Return arrays from the function instead of keeping them",
    )
}

/// The axis of the batch in each of a number of results; `None` of one that is the same for all entries.
pub(crate) type OutAxes<'f> = &'f mut dyn FnMut(usize) -> Result<Vec<Option<i64>>>;

/// The first axis of each result.
pub(crate) fn first_axes(count: usize) -> Result<Vec<Option<i64>>> {
    Ok(vec![Some(0); count])
}

/// Calls a function once for all entries of a batch: of each argument, along its axis in `in_axes`, or the same for
/// all; results have the batch along `out_axes`, which is asked when the function has been called.
pub(crate) fn vmap(
    f: Lists<'_>,
    arguments: &[Array],
    in_axes: &[Option<i64>],
    out_axes: OutAxes<'_>,
) -> Result<Vec<Array>> {
    const NAME: &str = "vmap";
    let base = base_of(arguments)?;
    let (backend, pass) = (base.wrapped(Wrapper::Batch), PASSES.fetch_add(1, Ordering::Relaxed));
    let mut size: Option<usize> = None;
    let mut inputs = Vec::with_capacity(arguments.len());
    for (argument, axis) in arguments.iter().zip(in_axes) {
        let argument = argument.lift_to(NAME, &base)?.into_owned();
        let Some(axis) = axis else {
            inputs.push(Batched { inner: argument, batch: None });
            continue;
        };
        let axis = shape::normalize_axis(NAME, *axis, argument.ndim())?;
        let own = argument.shape()[axis];
        if let Some(size) = size.filter(|&size| size != own) {
            let (expected, actual) = (format!("{size} entries along axis {axis}"), argument.shape().clone());
            return Err(
                ErrorKind::ShapeMismatch { function: NAME, argument: "in_axes", expected, actual }.into()
            );
        }
        size = Some(own);
        inputs.push(Batched { inner: ops::move_axis(&argument, axis, 0)?, batch: Some(pass) });
    }
    let Some(size) = size else {
        let (argument, value) = ("in_axes", "no axis".into());
        let rule = "one argument at least has a batch";
        return Err(ErrorKind::InvalidArgument { function: NAME, argument, value, rule }.into());
    };
    let inputs = inputs.into_iter().map(|item| Array::from_value(backend.clone(), item.value())).collect();
    let outputs = running_batch(&backend, (pass, size), || f(inputs))?;
    let axes = out_axes(outputs.len())?;
    if axes.len() != outputs.len() {
        let (argument, value) = ("out_axes", format!("{} axes for {} results", axes.len(), outputs.len()));
        let rule = "one axis for all results, or one for each";
        return Err(ErrorKind::InvalidArgument { function: NAME, argument, value, rule }.into());
    }
    let results = outputs.iter().zip(axes).map(|(output, axis)| {
        let output = output.lift_to(NAME, &backend)?;
        let item = Batched::of(output.value());
        if item.batch.is_some_and(|own| own != pass) {
            return Err(escaped(NAME));
        }
        let Some(axis) = axis else {
            if item.is_batched() {
                let (argument, value) = ("out_axes", "none".into());
                let rule = "an axis, since the result has other elements in each entry of the batch";
                return Err(ErrorKind::InvalidArgument { function: NAME, argument, value, rule }.into());
            }
            return Ok(item.inner.clone());
        };
        let spread = item.spread(size)?;
        let axis = shape::normalize_axis(NAME, axis, spread.ndim())?;
        ops::move_axis(&spread, 0, axis)
    });
    results.collect()
}

/// An array that has other elements in each entry of the batches that this thread is in, of one whose first axes are
/// those batches, the outermost first, on the backend below all of them.
pub(crate) fn spread_over(x: Array, around: &[Running]) -> Result<Array> {
    let mut x = x;
    for running in around {
        let backend = &running.backend;
        x = match running.batch {
            Some((pass, _)) => {
                let below = self_below(backend)?;
                let inner = x.lift_to("vmap", &below)?.into_owned();
                Array::from_value(backend.clone(), Batched { inner, batch: Some(pass) }.value())
            }
            None => x.lift_to("vmap", backend)?.into_owned(),
        };
    }
    Ok(x)
}

pub(super) fn is_batch(backend: &BackendRef) -> bool {
    backend.as_any().is::<BatchBackend>()
}

/// The elements below of an array of a batch, and whether they are others in each entry.
pub(super) fn below(x: &Array) -> Option<(&Array, bool)> {
    is_batch(x.backend()).then(|| {
        let item = Batched::of(x.value());
        (&item.inner, item.is_batched())
    })
}

/// A function of what is below arrays of a batch, told whether that has a batch axis.
pub(super) type OfElements<'f> = &'f mut dyn FnMut(&[Array], bool) -> Result<Vec<Array>>;

/// Calls a function on the elements below of all arguments with their batch axis, and gives its results as those of
/// the batch. `None` if no argument has one: then `f` is called with what is below, and without.
pub(super) fn enter(backend: &BackendRef, arguments: &[Array], f: OfElements<'_>) -> Result<Vec<Array>> {
    let arguments: Vec<Array> =
        arguments.iter().map(|x| Ok(x.lift_to("vmap", backend)?.into_owned())).collect::<Result<_>>()?;
    let items: SmallVec<[&Batched; 4]> = arguments.iter().map(|x| Batched::of(x.value())).collect();
    let pass = pass_of(&Op::Where, &items)?;
    let size = items.iter().find(|item| item.is_batched()).map(|item| item.inner.shape()[0]);
    let inner: Vec<Array> = match size {
        Some(size) => items.iter().map(|item| item.spread(size)).collect::<Result<_>>()?,
        None => items.iter().map(|item| item.inner.clone()).collect(),
    };
    let below = self_below(backend)?;
    let results = running(&below, || f(&inner, size.is_some()))?;
    let wrapped = results.into_iter().map(|x| {
        let inner = x.lift_to("vmap", &below)?.into_owned();
        Ok(Array::from_value(backend.clone(), Batched { inner, batch: pass }.value()))
    });
    wrapped.collect()
}

fn self_below(backend: &BackendRef) -> Result<BackendRef> {
    match backend.as_any().downcast_ref::<BatchBackend>() {
        Some(batch) => batch.below.require(),
        None => unreachable!("a backend with a batch axis"),
    }
}
