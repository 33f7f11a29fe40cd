//! Functions whose launches are recorded once and done again on other arrays.

use crate::ad::{Kernel, grad_enabled, run_all};
use crate::array::{AnyArray, Leaf, Traverse};
use crate::flow::{Carrier, cores, has_gradients, leaves, with_cores};
use crate::types::{ArrayType, Package};
use crate::{Error, Result};
use ivy_core::functional::{Compiled, compile};
use ivy_core::{Array, Scalar};
use std::sync::{Arc, Mutex, PoisonError};

const NAME: &str = "freeze";

/// What a recording depends on besides the elements: types, sizes and layout of the arrays, and values of the host.
#[derive(Clone, PartialEq, Eq)]
struct Signature {
    arrays: Vec<(String, ArrayType, Vec<usize>)>,
    values: Vec<String>,
}

impl Signature {
    fn of<A: Traverse>(arguments: &A) -> Signature {
        let mut paths = Vec::new();
        arguments.paths("arguments", &mut paths);
        let mut arrays = Vec::new();
        for (path, x) in paths.into_iter().zip(arguments.arrays()) {
            // The lengths of levels of any size, then the shapes of the flat arrays.
            let mut sizes = x.lengths();
            x.for_each_leaf(&mut |leaf| sizes.extend(leaf.array.shape().iter().copied()));
            arrays.push((path, x.ty(), sizes));
        }
        let mut values = Vec::new();
        arguments.host_values("arguments", &mut values);
        Signature { arrays, values }
    }

    /// What differs first in another signature.
    fn difference(&self, other: &Signature) -> Error {
        let told = |(_, ty, sizes): &(String, ArrayType, Vec<usize>)| format!("{ty} of sizes {sizes:?}");
        for (before, after) in self.arrays.iter().zip(&other.arrays) {
            if before != after {
                let variable = after.0.clone();
                return Error::FrozenChanged { variable, before: told(before), after: told(after) };
            }
        }
        for (before, after) in self.values.iter().zip(&other.values) {
            if before != after {
                let name = |text: &str| text.split(" = ").next().unwrap_or_default().to_owned();
                let value = |text: &str| text.split_once(" = ").map_or(text, |(_, value)| value).to_owned();
                let (variable, before, after) = (name(after), value(before), value(after));
                return Error::FrozenChanged { variable, before, after };
            }
        }
        let told = |own: &Signature| format!("{} arrays and {} values", own.arrays.len(), own.values.len());
        Error::FrozenChanged { variable: "arguments".into(), before: told(self), after: told(other) }
    }
}

type Core = dyn Fn(&Vec<Array>) -> ivy_core::Result<Vec<Array>> + Send + Sync;

/// The function for arguments of one signature.
struct Recording<R> {
    compiled: Compiled<Vec<Array>, Vec<Array>, Box<Core>>,
    /// The form of the results, without their arrays, and what the function's own error was.
    shared: Arc<Mutex<Shared<R>>>,
}

struct Shared<R> {
    form: Option<R>,
    error: Option<Error>,
}

struct Entry<R> {
    signature: Signature,
    recording: Arc<Recording<R>>,
}

/// A frozen function: what [`freeze`] gives.
pub struct Frozen<A, R, F> {
    function: Arc<F>,
    strict: bool,
    entries: Mutex<Vec<Entry<R>>>,
    arguments: std::marker::PhantomData<fn(&A)>,
}

/// Makes a function one whose work is recorded when it is first called, and done again later: neither the function nor the engine's
/// tracing runs then, but the same kernels are launched on the new arrays. Calls with other types, other sizes or other skipped fields
/// are recorded anew; [`Frozen::strict`] makes them errors, and [`Frozen::check`] says which argument is another one.
///
/// The function must depend on its argument only: numbers and arrays that it has captured are constants of a recording. Where it reads
/// elements, it is called each time. Gradients pass through it: it is called again, not replayed, where they are asked for.
///
/// ```
/// use ivy_drjit::{AnyArray, freeze, llvm::Float, sqrt};
/// # use ivy_backend_ndarray as _; use ivy_backend_jit as _;
/// let length = freeze(|(x, y): &(AnyArray, AnyArray)| sqrt(x * x + y * y));
/// for i in 1..4 {
///     let (x, y) = (Float::new([3 * i])?, Float::new([4 * i])?);
///     assert_eq!(length.call(&(x.into_any(), y.into_any()))?.to_string(), format!("[{}]", 5 * i));
/// }
/// assert_eq!(length.recordings(), 1);
/// # Ok::<(), ivy_drjit::Error>(())
/// ```
pub fn freeze<A, R, F>(function: F) -> Frozen<A, R, F>
where
    A: Traverse + Send + Sync + 'static,
    R: Traverse + Send + Sync + 'static,
    F: Fn(&A) -> Result<R> + Send + Sync + 'static,
{
    Frozen {
        function: Arc::new(function),
        strict: false,
        entries: Mutex::new(Vec::new()),
        arguments: std::marker::PhantomData,
    }
}

impl<A, R, F> Frozen<A, R, F>
where
    A: Traverse + Send + Sync + 'static,
    R: Traverse + Send + Sync + 'static,
    F: Fn(&A) -> Result<R> + Send + Sync + 'static,
{
    /// The same, whose calls with arguments of another kind than the first ones are errors.
    #[must_use]
    pub fn strict(self) -> Frozen<A, R, F> {
        Frozen { strict: true, ..self }
    }

    /// How many kinds of arguments it has been called with.
    pub fn recordings(&self) -> usize {
        self.lock().len()
    }

    /// Forgets what was recorded.
    pub fn clear(&self) {
        self.lock().clear();
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Vec<Entry<R>>> {
        self.entries.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether these arguments would be replayed: nothing is computed.
    ///
    /// # Errors
    /// [`Error::FrozenChanged`] with the first argument that is not as in the last recording; a function that was never called was
    /// recorded with no arguments.
    pub fn check(&self, arguments: &A) -> Result<()> {
        let signature = Signature::of(arguments);
        let entries = self.lock();
        if entries.iter().any(|entry| entry.signature == signature) {
            return Ok(());
        }
        let none = Signature { arrays: Vec::new(), values: Vec::new() };
        Err(entries.last().map_or(&none, |entry| &entry.signature).difference(&signature))
    }

    /// The function's results.
    ///
    /// # Errors
    /// Those of the function; [`Error::FrozenChanged`] as said by [`strict`](Self::strict); [`Error::CapturedGradient`] for results with
    /// gradients of other arrays than the arguments.
    pub fn call(&self, arguments: &A) -> Result<R> {
        if self.strict && self.recordings() > 0 {
            self.check(arguments)?;
        }
        let recording = self.recording(arguments)?;
        let done = match has_gradients(arguments) {
            true => recording.call_with_gradients(arguments),
            false => recording.call(arguments),
        };
        let mut shared = recording.shared.lock().unwrap_or_else(PoisonError::into_inner);
        let leaves: Vec<Leaf> = match (done, shared.error.take()) {
            (Err(_), Some(own)) => return Err(own),
            (done, _) => done?,
        };
        let Some(form) = shared.form.as_ref() else {
            let (argument, value, rule) =
                ("function", "without results".into(), "it is called once at least");
            return Err(Error::InvalidArgument { function: NAME, argument, value, rule });
        };
        let mut left = leaves.into_iter();
        form.map(&mut |x| AnyArray::from_leaves(x.ty(), &x.lengths(), &mut left))
    }

    fn recording(&self, arguments: &A) -> Result<Arc<Recording<R>>> {
        let signature = Signature::of(arguments);
        let mut entries = self.lock();
        if let Some(entry) = entries.iter().find(|entry| entry.signature == signature) {
            return Ok(entry.recording.clone());
        }
        let shared = Arc::new(Mutex::new(Shared { form: None, error: None }));
        let (form, function, own) = (hollow(arguments)?, self.function.clone(), shared.clone());
        let core: Box<Core> = Box::new(move |arrays: &Vec<Array>| {
            let mut carrier = Carrier::new();
            let result = carrier.carry(flat(&form, arrays, &*function));
            let mut shared = own.lock().unwrap_or_else(PoisonError::into_inner);
            match result {
                Ok((form, arrays)) => {
                    shared.form.get_or_insert(form);
                    Ok(arrays)
                }
                Err(error) => {
                    shared.error = carrier.finish::<()>(Err(error.clone())).err();
                    Err(error)
                }
            }
        });
        let recording = Arc::new(Recording { compiled: compile(core), shared });
        entries.push(Entry { signature, recording: recording.clone() });
        Ok(recording)
    }
}

/// The function on flat arrays: the form of its results, and their arrays.
fn flat<A: Traverse, R: Traverse>(
    form: &A,
    arrays: &[Array],
    function: &dyn Fn(&A) -> Result<R>,
) -> Result<(R, Vec<Array>)> {
    let result = function(&with_cores(form, arrays)?)?;
    if grad_enabled(&result) {
        return Err(Error::CapturedGradient { function: NAME });
    }
    Ok((hollow(&result)?, cores(&result)))
}

/// The same value with single zeros of the host for arrays, so that no memory is kept: its types are what is asked for.
fn hollow<T: Traverse>(value: &T) -> Result<T> {
    value.map(&mut |x| {
        let zero = x.ty().leaf().with_package(Package::SCALAR).literal(Scalar::Int(0))?;
        x.map_leaves(&mut |leaf| Ok(zero.leaf().unwrap_or(leaf).clone()))
    })
}

impl<R: Traverse + Send + Sync + 'static> Recording<R> {
    fn call<A: Traverse>(&self, arguments: &A) -> Result<Vec<Leaf>> {
        let arrays = self.compiled.call(&cores(arguments))?;
        Ok(arrays.into_iter().map(Leaf::new).collect())
    }

    /// One step of the graph of derivatives.
    fn call_with_gradients<A: Traverse>(self: &Arc<Self>, arguments: &A) -> Result<Vec<Leaf>> {
        let own = self.clone();
        let kernel = Kernel::Shared(Arc::new(move |arrays: &[Array]| own.compiled.call(&arrays.to_vec())));
        let leaves = leaves(arguments);
        run_all(NAME, &kernel, &leaves.iter().collect::<Vec<_>>())
    }
}
