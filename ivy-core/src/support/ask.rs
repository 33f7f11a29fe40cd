//! Questions about one function: which dtypes it takes on a backend, how, and who says so.

use super::{listed, tables};
use crate::array::{Array, Operand};
use crate::backend::{AbstractBackend, BackendRef, question_backend};
use crate::function::{ComputeRule, FunctionKind, ParamValue, Params, Role, find_function};
use crate::plan::{Plan, State};
use crate::{Context, Dtype, DtypeSet, Error, Function, Result, Scalar, context, plan_call};
use std::borrow::Cow;

/// What a function does with one dtype.
#[derive(Clone, Debug)]
pub struct DtypeSupport {
    /// The dtype of the operands.
    pub dtype: Dtype,
    /// The plan of the call, or the refusal.
    pub plan: Result<Plan>,
    /// The table row that says so, where there is one: of a measured table for an installed
    /// backend, else of a declared list.
    pub row: Option<String>,
}

impl DtypeSupport {
    /// How the call runs; `None` if it is refused.
    pub fn state(&self) -> Option<State> {
        self.plan.as_ref().ok().map(|plan| plan.state)
    }

    /// The refusal, if there is one.
    pub fn refusal(&self) -> Option<&Error> {
        self.plan.as_ref().err()
    }
}

/// What a function does with every dtype.
#[derive(Clone, Debug)]
pub struct FunctionSupport {
    /// The function.
    pub function: &'static Function,
    /// The backend that was asked about.
    pub backend: BackendRef,
    /// An entry for each dtype, in the order of the registry.
    pub dtypes: Vec<DtypeSupport>,
}

impl FunctionSupport {
    /// The dtypes that do not lead to a refusal.
    pub fn supported(&self) -> DtypeSet {
        self.having(|d| d.plan.is_ok())
    }

    /// The dtypes that are refused.
    pub fn unsupported(&self) -> DtypeSet {
        self.having(|d| d.plan.is_err())
    }

    /// The supported dtypes that are emulated or run on the host.
    pub fn emulated(&self) -> DtypeSet {
        self.having(|d| matches!(d.state(), Some(State::Emulated(_) | State::Host(_))))
    }

    fn having(&self, test: impl Fn(&DtypeSupport) -> bool) -> DtypeSet {
        self.dtypes.iter().filter(|d| test(d)).map(|d| d.dtype).collect()
    }
}

/// Asks what a function does with each dtype on a backend, under the default settings: all its
/// operands have the dtype (but indices and conditions), and `dtype=` where it needs one. A
/// composition is followed down to what it calls with that dtype.
///
/// ```
/// use ivy::backend::question_backend;
/// use ivy::support::function_support;
/// let old = question_backend("torch@2.0.1")?;
/// let support = function_support("expm1", &old)?;
/// assert_eq!(support.unsupported().to_string(), "uint16, uint32, uint64, float16, complex64, complex128");
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// [`UnknownFunction`](crate::ErrorKind::UnknownFunction).
pub fn function_support(function: &str, backend: &BackendRef) -> Result<FunctionSupport> {
    let function = find_function(function)?;
    let dtypes = Dtype::all().map(|dtype| {
        let plan = plan_example(function, dtype, backend, &Context::new());
        DtypeSupport { dtype, row: row(function, dtype, backend), plan }
    });
    Ok(FunctionSupport { function, backend: backend.clone(), dtypes: dtypes.collect() })
}

/// The row that says what a function does with a dtype.
fn row(function: &Function, dtype: Dtype, backend: &BackendRef) -> Option<String> {
    if let Ok(Some(listed)) = listed(backend, function.name) {
        return Some(listed.answer(dtype).row);
    }
    let table = tables::measured(backend.name(), &backend.version_text())?;
    let row = table.lookup(function.name, dtype.name())?;
    Some(format!("{}:{}: {}", table.file, row.line, row.state))
}

/// The plan of a function's example call with all operands of one dtype.
fn plan_example(
    function: &'static Function,
    dtype: Dtype,
    backend: &BackendRef,
    context: &Context,
) -> Result<Plan> {
    let abstracted = backend.to_abstract();
    let (operands, params) = example_call(function, dtype, &abstracted);
    context::with(&context.clone().backend(&abstracted), || plan_call(function, &operands, &*params))
}

/// A call's operands and parameters.
pub type Call = (Vec<Operand<'static>>, Box<dyn Params>);

/// The call by which [`function_support`] asks about a dtype: operands of the function's example
/// shapes, as arrays without values on an abstract backend, and its parameters.
pub fn example_call(function: &'static Function, dtype: Dtype, abstracted: &BackendRef) -> Call {
    let last = function.example.len().saturating_sub(1);
    let count = if function.variadic { function.example.len() } else { function.operands.len() };
    let operands = (0..count).map(|i| {
        let info = function.operand(i);
        let dtype = match info.role {
            _ if info.optional && i > last => return Operand::Absent,
            Role::Value | Role::End => {
                return Operand::Scalar(if dtype.is_bool() { Scalar::Bool(true) } else { Scalar::Int(1) });
            }
            Role::Index => Dtype::INT64,
            Role::Condition => Dtype::BOOL,
            Role::Promoted | Role::Kept => dtype,
        };
        let shape = function.example.get(i.min(last)).copied().unwrap_or(&[2]);
        let value = AbstractBackend::value(dtype, shape.into());
        Operand::Array(Cow::Owned(Array::from_value(abstracted.clone(), value)))
    });
    let mut params = (function.params)();
    use ComputeRule::{Default, Infer, InferFloat, LikeOperand};
    if matches!(function.compute, LikeOperand | Default | Infer | InferFloat) {
        // Not every function that may take a dtype from elsewhere has the argument.
        let _ = params.set(function.name, "dtype", ParamValue::Dtype(dtype));
    }
    (operands.collect(), params)
}

/// The dtypes that a function takes on a backend (`BACKEND[:PLACE][@VERSION]`, or the current
/// one), emulated ones among them.
///
/// ```
/// use ivy::support::function_supported_dtypes;
/// let old = function_supported_dtypes("lcm", Some("torch@2.0.1"))?;
/// assert_eq!(old.to_string(), "int8, int16, int32, int64, uint8");
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// [`UnknownFunction`](crate::ErrorKind::UnknownFunction), and as [`question_backend`].
pub fn function_supported_dtypes(function: &str, backend: Option<&str>) -> Result<DtypeSet> {
    Ok(function_support(function, &named_or_current(backend)?)?.supported())
}

/// The dtypes that a function refuses on a backend: those that the backend lacks as well.
///
/// # Errors
/// As [`function_supported_dtypes`].
pub fn function_unsupported_dtypes(function: &str, backend: Option<&str>) -> Result<DtypeSet> {
    Ok(function_support(function, &named_or_current(backend)?)?.unsupported())
}

fn named_or_current(backend: Option<&str>) -> Result<BackendRef> {
    backend.map_or_else(context::current_backend, question_backend)
}

/// The dtypes of a function that has both forms (spec I-47): by its composition, and by the
/// backend's own form of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PartSupport {
    /// The dtypes that the composition takes; none for a function of one op.
    pub compositional: DtypeSet,
    /// The dtypes that the backend's own form, or its op, takes.
    pub primary: DtypeSet,
}

/// The supported dtypes of a function, apart for its composition and for the backend's own form.
///
/// ```
/// use ivy::support::function_supported_dtypes_by_part;
/// let parts = function_supported_dtypes_by_part("softmax", Some("ndarray"))?;
/// assert!(parts.primary.is_empty() && parts.compositional.contains(ivy::Dtype::FLOAT16));
/// # Ok::<(), ivy::Error>(())
/// ```
///
/// # Errors
/// As [`function_supported_dtypes`].
pub fn function_supported_dtypes_by_part(function: &str, backend: Option<&str>) -> Result<PartSupport> {
    let (function, backend) = (find_function(function)?, named_or_current(backend)?);
    let supported = function_support(function.name, &backend)?.supported();
    if function.kind == FunctionKind::Primary {
        return Ok(PartSupport { compositional: DtypeSet::EMPTY, primary: supported });
    }
    let of_plans = |context: &Context, test: fn(&Plan) -> bool| -> DtypeSet {
        let plan = |&d: &Dtype| plan_example(function, d, &backend, context).is_ok_and(|plan| test(&plan));
        Dtype::all().filter(plan).collect()
    };
    let primary = of_plans(&Context::new(), |plan| plan.overridden);
    let compositional = of_plans(&Context::new().overrides(false), |plan| !plan.overridden);
    Ok(PartSupport { compositional, primary })
}
