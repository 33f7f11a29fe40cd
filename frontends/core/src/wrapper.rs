//! Backends around other ones, whose arrays carry a note each of where they come from: the graph of derivatives of
//! PyTorch's `backward`, and the views of NumPy's arrays.

use ivy_core::backend::{Backend, BackendRef, CustomFunction, Data, Device, Storage, Support, Value, Values};
use ivy_core::host::HostArray;
use ivy_core::{Array, Dtype, ErrorKind, Op, Result};
use smallvec::SmallVec;
use std::any::Any;
use std::marker::PhantomData;
use std::sync::{Arc, PoisonError, RwLock};

/// The backends of one kind of note, which are there for good: each with the one that it wraps before it.
pub(crate) type Wrappers = RwLock<Vec<(&'static BackendRef, BackendRef)>>;

/// What an array carries; the default says nothing of it.
pub(crate) trait Note: Default + Send + Sync + 'static {
    /// The notes of an op's results, which the wrapped backend has computed; none for [`Note::default`] of each.
    fn after(op: &Op, operands: &[&Arc<Noted<Self>>], results: &[Value]) -> SmallVec<[Self; 1]>;

    /// The note of the result of an op with one.
    fn after_one(op: &Op, operands: &[&Arc<Noted<Self>>], result: &Value) -> Self {
        Self::after(op, operands, std::slice::from_ref(result)).pop().unwrap_or_default()
    }

    /// The notes of the results of a function with a derivative rule of its own, which has been called on the arrays below;
    /// none for [`Note::default`] of each.
    fn after_custom(
        function: &CustomFunction,
        operands: &[&Arc<Noted<Self>>],
        results: &[Array],
    ) -> SmallVec<[Self; 1]> {
        let _ = (function, operands, results);
        SmallVec::new()
    }

    /// Whether derivatives are taken by what carries this.
    fn is_differentiated(&self) -> bool {
        false
    }

    /// The backends that carry such notes.
    fn wrappers() -> &'static Wrappers;
}

/// An array of the wrapped backend with its note.
pub(crate) struct Noted<N> {
    /// Of what is there for good, so that no op changes a count of references.
    base: &'static BackendRef,
    pub(crate) inner: Value,
    pub(crate) note: N,
}

impl<N> Noted<N> {
    /// The array of the wrapped backend.
    pub(crate) fn below(&self) -> Array {
        Array::from_value(self.base.clone(), self.inner.clone())
    }
}

/// A backend around another one.
struct Wrapper<N> {
    base: &'static BackendRef,
    note: PhantomData<fn() -> N>,
}

fn of<N: Note>(value: &Value) -> &Arc<Noted<N>> {
    match value.data::<Arc<Noted<N>>>() {
        Some(noted) => noted,
        None => unreachable!("a value of another backend"),
    }
}

/// The array below and its note, of an array that carries one of this kind.
pub(crate) fn noted<N: Note>(x: &Array) -> Option<&Noted<N>> {
    x.backend().as_any().is::<Wrapper<N>>().then(|| &**of(x.value()))
}

/// Likewise, as it is shared.
pub(crate) fn shared<N: Note>(x: &Array) -> Option<&Arc<Noted<N>>> {
    x.backend().as_any().is::<Wrapper<N>>().then(|| of(x.value()))
}

/// An array of the backend below with a note.
pub(crate) fn with_note<N: Note>(inner: &Array, note: N) -> Array {
    let (base, wrapper) = both::<N>(inner.backend());
    Array::from_value(wrapper, value(base, inner.value().clone(), note))
}

/// An array with its note, as it was.
pub(crate) fn array_of<N: Note>(noted: &Arc<Noted<N>>) -> Array {
    Array::from_value(around::<N>(noted.base), value_of(noted.clone()))
}

fn value_of<N: Note>(noted: Arc<Noted<N>>) -> Value {
    Value { dtype: noted.inner.dtype, shape: noted.inner.shape.clone(), data: Data::new(noted) }
}

#[inline]
fn value<N: Note>(base: &'static BackendRef, inner: Value, note: N) -> Value {
    let (dtype, shape) = (inner.dtype, inner.shape.clone());
    Value { dtype, shape, data: Data::new(Arc::new(Noted { base, inner, note })) }
}

/// The backend around another one, of which there is one for each.
pub(crate) fn around<N: Note>(base: &BackendRef) -> BackendRef {
    both::<N>(base).1
}

/// A backend and the one around it.
fn both<N: Note>(base: &BackendRef) -> (&'static BackendRef, BackendRef) {
    let find =
        |known: &[(&'static BackendRef, BackendRef)]| known.iter().find(|(below, _)| *below == base).cloned();
    if let Some(found) = find(&N::wrappers().read().unwrap_or_else(PoisonError::into_inner)) {
        return found;
    }
    let mut known = N::wrappers().write().unwrap_or_else(PoisonError::into_inner);
    if let Some(found) = find(&known) {
        return found;
    }
    let base: &'static BackendRef = Box::leak(Box::new(base.clone()));
    let wrapper = BackendRef::new(Wrapper::<N> { base, note: PhantomData });
    known.push((base, wrapper.clone()));
    (base, wrapper)
}

impl<N: Note> Wrapper<N> {
    /// A value with a note.
    #[inline]
    fn noted(&self, inner: Value, note: N) -> Value {
        value(self.base, inner, note)
    }

    /// The result of an op with one, and its note.
    #[inline]
    fn one(&self, op: &Op, operands: &[&Arc<Noted<N>>], inner: &[&Value]) -> Result<Value> {
        let result = self.base.execute_one(op, inner)?;
        let note = N::after_one(op, operands, &result);
        Ok(self.noted(result, note))
    }
}

impl<N: Note> Backend for Wrapper<N> {
    fn name(&self) -> &str {
        self.base.name()
    }

    fn version(&self) -> semver::Version {
        self.base.version()
    }

    fn devices(&self) -> Vec<Device> {
        self.base.devices()
    }

    fn storage(&self, dtype: Dtype) -> Storage {
        self.base.storage(dtype)
    }

    fn support(&self, op: &Op, operands: &[Dtype]) -> Support {
        self.base.support(op, operands)
    }

    fn execute(&self, op: &Op, operands: &[&Value]) -> Result<Values> {
        let operands: SmallVec<[&Arc<Noted<N>>; 4]> = operands.iter().map(|v| of(v)).collect();
        let inner: SmallVec<[&Value; 4]> = operands.iter().map(|noted| &noted.inner).collect();
        let results = self.base.execute(op, &inner)?;
        let mut notes = N::after(op, &operands, &results).into_iter();
        Ok(results.into_iter().map(|inner| self.noted(inner, notes.next().unwrap_or_default())).collect())
    }

    fn execute_one(&self, op: &Op, operands: &[&Value]) -> Result<Value> {
        match *operands {
            // Most ops: their operands are in registers.
            [x] => {
                let x = of(x);
                self.one(op, &[x], &[&x.inner])
            }
            [x, y] => {
                let (x, y) = (of(x), of(y));
                self.one(op, &[x, y], &[&x.inner, &y.inner])
            }
            _ => {
                let operands: SmallVec<[&Arc<Noted<N>>; 4]> = operands.iter().map(|v| of(v)).collect();
                let inner: SmallVec<[&Value; 4]> = operands.iter().map(|noted| &noted.inner).collect();
                self.one(op, &operands, &inner)
            }
        }
    }

    fn record_custom(&self, function: &CustomFunction, arguments: &[Array]) -> Result<Option<Vec<Array>>> {
        // Arguments of the backend below, and of none, are constants.
        let own = |x: &Array| x.backend().as_any().is::<Wrapper<N>>().then(|| x.backend().clone());
        let Some(backend) = arguments.iter().find_map(own) else { return Ok(None) };
        let lifted = |x: &Array| -> Result<Arc<Noted<N>>> {
            let inner = match x.backend() {
                own if *own == backend => return Ok(of(x.value()).clone()),
                below if below == self.base => x.value().clone(),
                _ => self.base.from_host(x.to_host()?)?,
            };
            Ok(Arc::new(Noted { base: self.base, inner, note: N::default() }))
        };
        let inner: SmallVec<[Array; 2]> =
            arguments.iter().map(|x| noted::<N>(x).map_or_else(|| x.clone(), Noted::below)).collect();
        let results = function(&inner)?;
        if results.iter().any(|x| x.backend() != self.base) {
            let (function, transformation) = ("custom derivative", "backward");
            let reason = "has no rule for arrays that the function uses beside its arguments, and that are differentiated";
            let remedy = "Give them as arguments, or use `stop_gradient` on them";
            return Err(ErrorKind::NotTransformable { function, transformation, reason, remedy }.into());
        }
        let operands: SmallVec<[Arc<Noted<N>>; 2]> = arguments.iter().map(lifted).collect::<Result<_>>()?;
        let operands: SmallVec<[&Arc<Noted<N>>; 2]> = operands.iter().collect();
        let mut notes = N::after_custom(function, &operands, &results).into_iter();
        let noted = |inner: Array| {
            Array::from_value(
                backend.clone(),
                self.noted(inner.value().clone(), notes.next().unwrap_or_default()),
            )
        };
        Ok(Some(results.into_iter().map(noted).collect()))
    }

    fn is_differentiated(&self, value: &Value) -> bool {
        let Noted { inner, note, .. } = &**of::<N>(value);
        note.is_differentiated() || self.base.is_differentiated(inner)
    }

    fn stop_gradient(&self, x: &Value) -> Result<Value> {
        Ok(self.noted(self.base.stop_gradient(&of::<N>(x).inner)?, N::default()))
    }

    fn evaluate(&self, values: &[Value]) -> Result<()> {
        let inner: Vec<Value> = values.iter().map(|v| of::<N>(v).inner.clone()).collect();
        self.base.evaluate(&inner)
    }

    fn wait(&self, values: &[Value]) -> Result<()> {
        let inner: Vec<Value> = values.iter().map(|v| of::<N>(v).inner.clone()).collect();
        self.base.wait(&inner)
    }

    fn synchronize(&self) -> Result<()> {
        self.base.synchronize()
    }

    fn from_host(&self, array: HostArray) -> Result<Value> {
        Ok(self.noted(self.base.from_host(array)?, N::default()))
    }

    fn to_host(&self, value: &Value) -> Result<HostArray> {
        of::<N>(value).below().to_host()
    }

    fn wraps(&self) -> Option<BackendRef> {
        Some(self.base.clone())
    }

    fn lift(&self, array: Array) -> Result<Value> {
        Ok(self.noted(array.value().clone(), N::default()))
    }

    fn is_lazy(&self) -> bool {
        self.base.is_lazy()
    }

    fn is_abstract(&self) -> bool {
        self.base.is_abstract()
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}
