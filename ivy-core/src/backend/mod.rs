//! What a backend is: an instance that stores arrays and runs primitives.

mod abstract_backend;
mod data;
mod declared;
mod failures;
mod handle;
mod place;
mod pull;
mod registry;

pub use abstract_backend::AbstractBackend;
pub use data::Data;
pub use declared::{DeclaredBackend, question_backend};
pub(crate) use declared::{declared_of, table_device};
pub use failures::Failures;
pub use handle::BackendRef;
pub(crate) use handle::WeakBackendRef;
pub use place::{Device, DeviceKind, DeviceLike, NOT_HERE, Place, not_here};
pub use pull::pull_op;
pub use registry::{BackendInfo, Factory, backend, backends, register, registered_name};
pub(crate) use registry::{default_backend, on_device};

use crate::function::Params;
use crate::host::HostArray;
use crate::{Array, BinaryOp, Dtype, ErrorKind, Function, Op, Result, Scalar, Shape};
use smallvec::SmallVec;
use std::{any::Any, fmt, sync::Arc};

/// The results of one op, mostly one.
pub type Values = SmallVec<[Value; 1]>;

/// An array as backends see it: logical dtype and shape, and the backend's data.
#[derive(Clone)]
pub struct Value {
    /// The logical dtype, whatever the storage.
    pub dtype: Dtype,
    /// The logical shape.
    pub shape: Shape,
    /// The backend's handle to the elements.
    pub data: Data,
}

impl Value {
    /// The backend's handle, if it is of type `T`.
    #[inline]
    pub fn data<T: Clone + Send + Sync + 'static>(&self) -> Option<&T> {
        self.data.get()
    }
}

impl fmt::Debug for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Value({} {})", self.dtype, self.shape)
    }
}

/// How a backend holds the elements of a dtype (decision S27).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Storage {
    /// In the backend's own dtype of that meaning.
    Native {
        /// The backend's name for it.
        name: &'static str,
    },
    /// In another dtype, with the same values.
    Emulated {
        /// The backend's name for what it stores.
        name: &'static str,
        /// How the values are kept.
        how: &'static str,
    },
    /// Not at all.
    None,
}

/// How a backend runs an op on a combination of dtypes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Support {
    /// By its own op.
    Native,
    /// By its own ops on other dtypes, or several of them, with the exact result.
    Emulated(&'static str),
    /// By the reference kernels on its host memory.
    Host(&'static str),
    /// Not at all, and why.
    Unsupported(&'static str),
}

/// What a function did with arrays, to be done with others: [`Backend::record`].
pub trait Replay: Send + Sync {
    /// The function's results for these arrays of the backend; `None` if they are not of the kind that
    /// it was recorded for (dtypes, shapes, order in memory), or switches have changed since.
    ///
    /// # Errors
    /// As [`Backend::execute`].
    fn replay(&self, inputs: &[Array]) -> Result<Option<Values>>;

    /// True if another recording does the same, on arrays of the same kind, with the same constants.
    fn is_like(&self, other: &dyn Replay) -> bool;

    /// The recording itself, for a backend that compares it with one of its own.
    fn as_any(&self) -> &dyn Any;
}

/// A part of a loop that is recorded: from what the loop carries to what the part gives; or a
/// function, from arguments to results.
pub type Recorded<'f> = &'f mut dyn FnMut(&[Value]) -> Result<Values>;

/// A function of lists of arrays with a derivative rule of its own, as [`custom_jvp`](crate::functional::custom_jvp),
/// [`custom_vjp`](crate::functional::custom_vjp) and [`checkpoint`](crate::functional::checkpoint) make it: under
/// [`vjp`](crate::functional::vjp) its rule stands in its place, on arrays of any backend.
pub type CustomFunction = Arc<dyn Fn(&[Array]) -> Result<Vec<Array>> + Send + Sync>;

/// A backend: an instance, bound to its options and a device.
///
/// It starts complete when it stores every dtype and runs every [`Op`]; what it cannot run
/// natively it may give to `ivy-kernels` ([`Support::Host`]). Functions that are compositions
/// need nothing from it. `docs` and `CONTRIBUTING.md` have the recipe.
///
/// Operands that [`Backend::execute`] gets were planned: their dtypes are ones that
/// [`Backend::support`] accepted, and shapes were checked against the op.
pub trait Backend: Send + Sync + 'static {
    /// The name that users give, such as `ndarray`.
    fn name(&self) -> &str;

    /// The version that support tables are keyed by.
    fn version(&self) -> semver::Version;

    /// The devices it can use, the current one first.
    fn devices(&self) -> Vec<Device>;

    /// What there is to say of this instance in a list of backends: the libraries that it uses,
    /// and where they were found.
    fn note(&self) -> Option<String> {
        None
    }

    /// How it stores a dtype.
    fn storage(&self, dtype: Dtype) -> Storage;

    /// How it runs an op on operands of these dtypes. Pure, and asked once for each plan.
    fn support(&self, op: &Op, operands: &[Dtype]) -> Support;

    /// Runs an op. The results have the dtypes and shapes that [`Op::result`] says.
    ///
    /// # Errors
    /// Data-dependent ones (an index out of range, no memory), and
    /// [`crate::ErrorKind::BackendFailure`] for what no rule foresaw. Never a panic.
    fn execute(&self, op: &Op, operands: &[&Value]) -> Result<Values>;

    /// Runs an op of one result. Element-wise calls come here, straight from a known plan: the
    /// place for a backend's shortest way.
    ///
    /// # Errors
    /// As [`Backend::execute`].
    fn execute_one(&self, op: &Op, operands: &[&Value]) -> Result<Value> {
        Ok(self.execute(op, operands)?.pop().expect("the op has one result"))
    }

    /// Runs an element-wise op on an array and a host scalar, which becomes the array's dtype and
    /// comes first if `first`.
    ///
    /// # Errors
    /// As [`Backend::execute`].
    fn execute_scalar(&self, op: BinaryOp, x: &Value, scalar: Scalar, first: bool) -> Result<Value> {
        execute_full(self, op, x, scalar, first)
    }

    /// Runs an op of one result that has the first operand's dtype and shape, and puts the result
    /// in its place: storage that nobody else holds may be overwritten (decision S29). After an
    /// error the operand is as before.
    ///
    /// # Errors
    /// As [`Backend::execute`].
    fn execute_in_place(&self, op: &Op, target: &mut Value, rest: &[&Value]) -> Result<()> {
        let result = {
            let operands: SmallVec<[&Value; 4]> =
                std::iter::once(&*target).chain(rest.iter().copied()).collect();
            self.execute(op, &operands)?.pop()
        };
        if let Some(result) = result {
            *target = result;
        }
        Ok(())
    }

    /// How it runs a whole function by its own form, or `None` to use the composition.
    fn support_function(&self, function: &'static Function, operands: &[Dtype]) -> Option<Support> {
        let _ = (function, operands);
        None
    }

    /// Runs its own form of a function that [`Backend::support_function`] accepted, with
    /// operands already cast as the plan says. `None` for shapes or parameters that this form is
    /// not for, and for those that are wrong: then the composition runs, which has the errors.
    ///
    /// # Errors
    /// As [`Backend::execute`]; [`crate::ErrorKind::InvalidArgument`] from a backend without such
    /// forms, which is never asked.
    fn execute_function(
        &self,
        function: &'static Function,
        params: &dyn Params,
        operands: &[&Value],
    ) -> Result<Option<Values>> {
        let _ = (params, operands);
        Err(ErrorKind::InvalidArgument {
            function: function.name,
            argument: "backend",
            value: self.name().into(),
            rule: "the backend has no form of its own of this function",
        }
        .into())
    }

    /// Notes a loop of each element instead of running it: while what `test` gives is true there, the
    /// values become what `body` gives. `test` gives one bool value, whose shape broadcasts to those
    /// of all values but the `shared` ones, by position; `body` gives values of the same dtypes and shapes. What is
    /// shared is what `body` makes of it, by scatters of the elements that go on. `None`, which says nothing
    /// about the loop, leaves it to the caller to run it step by step.
    ///
    /// # Errors
    /// Those of `test` and `body`.
    fn record_loop(
        &self,
        vars: &[Value],
        shared: &[usize],
        test: Recorded<'_>,
        body: Recorded<'_>,
    ) -> Result<Option<Values>> {
        let _ = (vars, shared, test, body);
        Ok(None)
    }

    /// Notes a conditional of each element: `then` where the condition is true, else `otherwise`,
    /// which have the same dtypes and shapes, and broadcast with the condition. `vars` are what both
    /// were made of. `None` leaves it to the caller to select.
    ///
    /// # Errors
    /// As [`Backend::execute`].
    fn record_branch(
        &self,
        condition: &Value,
        vars: &[Value],
        then: &[Value],
        otherwise: &[Value],
    ) -> Result<Option<Values>> {
        let _ = (condition, vars, then, otherwise);
        Ok(None)
    }

    /// True if [`Backend::record`] may give something back.
    fn records(&self) -> bool {
        false
    }

    /// Calls a function, and gives besides its results what does the same again on other arrays, if
    /// all that the function did with its arguments was noted: it read none of their elements.
    ///
    /// # Errors
    /// Those of the function, and of the evaluation of its results.
    fn record(&self, inputs: &[Value], f: Recorded<'_>) -> Result<(Values, Option<Box<dyn Replay>>)> {
        Ok((f(inputs)?, None))
    }

    /// Computes what is pending, or starts it: then whoever reads a value waits for it, and has its error.
    ///
    /// # Errors
    /// As [`Backend::execute`].
    fn evaluate(&self, values: &[Value]) -> Result<()> {
        let _ = values;
        Ok(())
    }

    /// Computes what is pending, and waits until it is done.
    ///
    /// # Errors
    /// As [`Backend::execute`].
    fn wait(&self, values: &[Value]) -> Result<()> {
        self.evaluate(values)
    }

    /// Waits until all that was started is done.
    ///
    /// # Errors
    /// The first one of what was started since this was asked last.
    fn synchronize(&self) -> Result<()> {
        Ok(())
    }

    /// Takes an array in; without a copy where it can.
    ///
    /// # Errors
    /// [`crate::ErrorKind::DtypeNotStored`], or no memory.
    // A backend is an instance, and makes arrays of its own.
    #[allow(clippy::wrong_self_convention)]
    fn from_host(&self, array: HostArray) -> Result<Value>;

    /// Gives an array out; without a copy where it can. Evaluates what is pending.
    ///
    /// # Errors
    /// As [`Backend::execute`].
    fn to_host(&self, value: &Value) -> Result<HostArray>;

    /// The backend that this one wraps, as a transformation does: its arrays take part in calls here as
    /// constants, by [`Backend::lift`].
    fn wraps(&self) -> Option<BackendRef> {
        None
    }

    /// An array of the backend that this one wraps, as a value here. Only asked of one that wraps.
    ///
    /// # Errors
    /// [`crate::ErrorKind::InvalidArgument`] from a backend that wraps none.
    fn lift(&self, array: Array) -> Result<Value> {
        Err(ErrorKind::InvalidArgument {
            function: "lift",
            argument: "array",
            value: array.backend().name().into(),
            rule: "the backend wraps no other one",
        }
        .into())
    }

    /// Calls a function that has a derivative rule of its own, for a backend that takes derivatives of what it notes. At
    /// least one of the arguments is of this backend. `None` runs the function op by op, without its rule.
    ///
    /// # Errors
    /// Those of the function.
    fn record_custom(&self, function: &CustomFunction, arguments: &[Array]) -> Result<Option<Vec<Array>>> {
        let _ = (function, arguments);
        Ok(None)
    }

    /// True for a value that derivatives are taken by.
    fn is_differentiated(&self, _value: &Value) -> bool {
        false
    }

    /// The value as a constant of every derivative.
    ///
    /// # Errors
    /// As [`Backend::execute`].
    fn stop_gradient(&self, value: &Value) -> Result<Value> {
        Ok(value.clone())
    }

    /// True if another instance's arrays lie on this one's device, so that [`Backend::from_host`]
    /// takes what [`Backend::to_host`] of the other gives as it is: arrays of the two mix (decision
    /// S38), and what comes out is on the first operand's. It must be the same both ways.
    fn shares_device(&self, _other: &dyn Backend) -> bool {
        false
    }

    /// True if calls only note what is to be done, and values are computed when they are read.
    fn is_lazy(&self) -> bool {
        self.is_abstract()
    }

    /// True if arrays here have dtypes and shapes but no values.
    fn is_abstract(&self) -> bool {
        false
    }

    /// The backend as `Any`, for functions of one backend only.
    fn as_any(&self) -> &dyn Any;
}

/// [`Backend::execute_scalar`] by an array of no axes that holds the scalar: what a backend without
/// a way of its own does.
///
/// # Errors
/// As [`Backend::execute`].
pub fn execute_full(
    backend: &(impl Backend + ?Sized),
    op: BinaryOp,
    x: &Value,
    scalar: Scalar,
    first: bool,
) -> Result<Value> {
    let full = Op::Full { shape: Shape::default(), dtype: x.dtype, value: scalar };
    let scalar = backend.execute_one(&full, &[])?;
    backend.execute_one(&Op::Binary(op), &if first { [&scalar, x] } else { [x, &scalar] })
}
