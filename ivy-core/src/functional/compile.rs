//! Tracing compilation: functions recorded once and replayed on other arrays.

use super::control_flow::vars::{Vars, arrays_of, values_of, vars_of};
use crate::array::Array;
use crate::backend::{BackendRef, Replay, Value, Values};
use crate::{ErrorKind, Result, active_mask, context, plan};
use smallvec::SmallVec;
use std::marker::PhantomData;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};

const NAME: &str = "compile";

/// Recordings of one function; for arrays of further kinds it is called.
const MOST: usize = 32;

/// Times that a function may turn out not to be recordable before nobody tries any more.
const TRIES: u32 = 8;

/// A function that is called once for each kind of arguments, and replayed after that: what
/// [`compile`] gives.
pub struct Compiled<V, R, F> {
    function: F,
    first: Link,
    refused: AtomicU32,
    types: PhantomData<fn(&V) -> R>,
}

type Link = OnceLock<Box<Recording>>;

/// A recording, and what it depends on besides the arrays.
struct Recording {
    conditions: Conditions,
    backend: BackendRef,
    replay: Box<dyn Replay>,
    next: Link,
}

/// What a call depends on besides its arguments: the settings and the backend in force.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Conditions {
    settings: u32,
    backend: Option<u32>,
}

/// Tracing compilation: makes a function one that is called once for each kind of arguments: on a backend that records,
/// as `jit` does, later calls of the kind launch the same kernels on the new arrays, and neither run the function nor
/// plan, trace or schedule anything. On every other backend, and wherever the function does what cannot be recorded, it
/// is called each time, with the same results.
///
/// Arguments are of one kind if they have the same dtypes, shapes and order in memory, on the same
/// backend, in the same context. A function of more than 32 kinds is called for the others.
///
/// The function must depend on its arguments and on what it has captured, and on nothing else:
/// - Host values in it (a captured number, an array that it has captured) are constants of the
///   recording. Since it is `Fn`, what it has captured cannot change, unless by a `Cell`, a lock, a
///   file, a clock or a random generator: what it reads from such is read once.
/// - What it does besides making arrays (messages, counters) is done when it is recorded.
/// - It may decide by dtypes and shapes. A function that reads elements of its arguments or of
///   what it made of them (`item`, `to_vec`, printing), or whose results' shapes depend on them
///   (`nonzero`, masks), is called each time.
/// - Several launches, as where fusion stops or something is folded, are replayed in order, with kernels of
///   the host between them: products of matrices, sorting, scatters, running sums, joins, decompositions
///   and transforms.
///
/// Arguments that are pending are computed before, and the results are computed when a
/// replay gives them.
///
/// ```
/// use ivy::prelude::*;
/// let scaled = ivy::compile(|[x, y]: &[Array; 2]| ivy::sqrt(&ivy::add(&ivy::multiply(x, y)?, 1.0)?));
/// for i in 0..3 {
///     let x = ivy::full([4], f64::from(i), Dtype::FLOAT32)?;
///     assert_eq!(scaled.call(&[x.clone(), x])?.to_vec::<f32>()?[0], (1.0 + (i * i) as f32).sqrt());
/// }
/// # Ok::<(), ivy::Error>(())
/// ```
pub fn compile<V: Vars, R: Vars, F: Fn(&V) -> Result<R>>(function: F) -> Compiled<V, R, F> {
    Compiled { function, first: Link::new(), refused: AtomicU32::new(0), types: PhantomData }
}

impl<V: Vars, R: Vars, F: Fn(&V) -> Result<R>> Compiled<V, R, F> {
    /// The function's results: replayed where a recording is of the arguments' kind.
    ///
    /// # Errors
    /// Those of the function, and of the evaluation of its results.
    pub fn call(&self, arguments: &V) -> Result<R> {
        let inputs = arguments.as_arrays();
        let Some(backend) = inputs.first().map(Array::backend) else { return (self.function)(arguments) };
        // Casts that somebody looks at, and loops without an end for some elements, are the function's.
        if !backend.records()
            || inputs.iter().any(|x| x.backend() != backend)
            || plan::records_casts()
            || active_mask::is_within()
        {
            return (self.function)(arguments);
        }
        let conditions =
            Conditions { settings: context::settings().id, backend: context::current_backend_id() };
        let mut link = &self.first;
        while let Some(recording) = link.get() {
            if recording.conditions == conditions
                && recording.backend == *backend
                && let Some(results) = recording.replay.replay(inputs)?
            {
                return vars_of(NAME, arrays_of(backend, results));
            }
            link = &recording.next;
        }
        if self.recordings() >= MOST || self.refused.load(Ordering::Relaxed) >= TRIES {
            return (self.function)(arguments);
        }
        self.record(backend, inputs, conditions)
    }

    /// How many kinds of arguments it has been recorded for.
    pub fn recordings(&self) -> usize {
        let mut link = &self.first;
        let mut count = 0;
        while let Some(recording) = link.get() {
            count += 1;
            link = &recording.next;
        }
        count
    }

    /// Calls the function, and keeps what it did if that can be replayed.
    fn record(&self, backend: &BackendRef, inputs: &[Array], conditions: Conditions) -> Result<R> {
        // Results elsewhere are nobody's to replay.
        let mut elsewhere = None;
        let mut function = |inputs: &[Value]| -> Result<Values> {
            let inputs = vars_of(NAME, arrays_of(backend, inputs.iter().cloned()))?;
            let results = (self.function)(&inputs)?.into_arrays();
            if let Some(other) = results.iter().find(|x| x.backend() != backend) {
                let (left, right) = (backend.name().into(), other.backend().name().into());
                elsewhere = Some(results);
                return Err(ErrorKind::BackendMismatch { function: NAME, left, right }.into());
            }
            Ok(results.into_iter().map(Array::into_value).collect::<SmallVec<_>>())
        };
        let recorded = backend.record(&values_of(inputs), &mut function);
        if let Some(results) = elsewhere {
            self.refused.fetch_add(1, Ordering::Relaxed);
            return vars_of(NAME, results);
        }
        let (results, replay) = recorded?;
        match replay {
            None => _ = self.refused.fetch_add(1, Ordering::Relaxed),
            Some(replay) => {
                let (backend, next) = (backend.clone(), Link::new());
                let mut made = Box::new(Recording { conditions, backend, replay, next });
                let mut link = &self.first;
                // Another thread may have been faster: then it stands behind.
                while let Err(back) = link.set(made) {
                    made = back;
                    let Some(recording) = link.get() else { break };
                    link = &recording.next;
                }
            }
        }
        vars_of(NAME, arrays_of(backend, results))
    }
}
