//! The functions of a namespace: one class, of which each function is an instance.

use crate::array::{PyArray, is_large, unlocked};
use crate::context;
use crate::error::{Failure, Fallible, type_error};
use crate::out::Out;
use crate::signature::{Arguments, Callee, Parameter, Signature, Target, signatures};
use crate::special::{self, Call};
use crate::value::{self, number};
use ivy::backend::BackendRef;
use ivy::function::{Body, ComputeRule, Function, ParamValue, Role};
use ivy::{ErrorKind, Op, Operand, Scalar, ScalarKind};
use ivy_frontend::CoreResults;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDict, PyFloat, PyInt, PyList, PyString, PyTuple};
use smallvec::SmallVec;
use std::borrow::Cow;
use std::collections::HashMap;

// A function of a namespace. The docs of the class would stand before those of each function.
#[pyclass(name = "Function", module = "ivyrs", frozen, weakref)]
pub(crate) struct PyFunction {
    signature: &'static Signature,
    /// The namespace's backend; `None` for `ivyrs` itself, which takes its arrays' or the scope's.
    backend: Option<BackendRef>,
    /// Where it is to be found again, for pickles.
    owner: Py<PyAny>,
    /// A function of arrays alone, which may go the short way.
    direct: Option<&'static Function>,
    /// The class of the named results.
    named: PyOnceLock<Py<PyAny>>,
}

/// The functions of a module (`main`, `linalg` or `fft`) on a backend: names and functions.
#[pyfunction]
pub(crate) fn functions(
    module: &str,
    backend: Option<&crate::Backend>,
    owner: &Bound<'_, PyAny>,
) -> Vec<(&'static str, PyFunction)> {
    let direct = |s: &Signature| match s.callee {
        Callee::Described(f)
            if matches!(f.body, Body::Fixed(_)) && f.operands.iter().all(|o| !o.optional) =>
        {
            Some(f)
        }
        _ => None,
    };
    let function = |signature: &'static Signature| PyFunction {
        signature,
        backend: backend.map(|b| b.0.clone()),
        owner: owner.clone().unbind(),
        direct: direct(signature),
        named: PyOnceLock::new(),
    };
    signatures().iter().filter(|s| s.module == module).map(|s| (s.name, function(s))).collect()
}

/// The parameters of the described functions and what they are annotated with, for stubs.
#[pyfunction]
pub(crate) fn parameter_types() -> HashMap<&'static str, Vec<(String, String)>> {
    ivy_frontend::core_signatures()
        .iter()
        .map(|core| (core.name, ivy_frontend::parameter_types(core)))
        .collect()
}

impl PyFunction {
    /// The name in its namespace.
    pub(crate) fn name(&self) -> &'static str {
        self.signature.name
    }

    /// Arrays of another device than the namespace's are an error, and never moved silently; true where the soft device
    /// mode says that they are moved.
    fn is_moved(&self, py: Python<'_>, given: &BackendRef) -> Fallible<bool> {
        match &self.backend {
            Some(own) if own != given && !own.shares_device(&**given) && *own != context::root(given) => {
                if context::settings(py)?.modes.soft_device {
                    return Ok(true);
                }
                let place =
                    |b: &BackendRef| ivy::backend::registered_name(b).unwrap_or_else(|| b.name().into());
                let (left, right) = (format!("the namespace of {}", place(own)), place(given));
                Err(ErrorKind::BackendMismatch { function: self.signature.name, left, right }.into())
            }
            _ => Ok(false),
        }
    }

    /// The result for one or two arrays, or an array and a number, and nothing else.
    fn directly(
        &self,
        py: Python<'_>,
        function: &'static Function,
        args: &Bound<'_, PyTuple>,
    ) -> Fallible<Option<PyArray>> {
        if args.len() != function.operands.len() || args.len() > 2 {
            return Ok(None);
        }
        let first = args.get_borrowed_item(0)?;
        let Ok(first) = first.cast::<PyArray>() else { return Ok(None) };
        let x = first.borrow();
        if is_large(x.array()?) {
            return Ok(None);
        }
        if self.is_moved(py, x.array()?.backend())? {
            return Ok(None);
        }
        if args.len() == 1 {
            let _scope = context::enter(py, None)?;
            return Ok(Some(PyArray::new(ivy::call_arrays(function, [x.array()?])?)));
        }
        let second = args.get_borrowed_item(1)?;
        if matches!(function.body, Body::Fixed(Op::Binary(_)))
            && let Some(number) = number(&second)?
        {
            let _scope = context::enter(py, None)?;
            return Ok(Some(PyArray::new(ivy::call_scalar(function, x.array()?, number, false)?)));
        }
        let Ok(second) = second.cast::<PyArray>() else { return Ok(None) };
        let y = second.borrow();
        if is_large(y.array()?) {
            return Ok(None);
        }
        let _scope = context::enter(py, None)?;
        Ok(Some(PyArray::new(ivy::call_arrays(function, [x.array()?, y.array()?])?)))
    }

    /// The arguments without `out`, and that: of functions that have no `out` of their own.
    fn without_out<'py>(
        &self,
        kwargs: &Bound<'py, PyDict>,
    ) -> Fallible<Option<(Bound<'py, PyDict>, Bound<'py, PyAny>)>> {
        let Some(target) = kwargs.get_item("out")? else { return Ok(None) };
        if self.signature.parameters.iter().any(|p| p.name == "out") {
            return Ok(None);
        }
        let others = kwargs.copy()?;
        others.del_item("out")?;
        Ok(Some((others, target)))
    }

    /// Calls the function; where the stages of calls are noted, an exception says them.
    fn called<'py>(
        &self,
        py: Python<'py>,
        args: &Bound<'py, PyTuple>,
        kwargs: Option<&Bound<'py, PyDict>>,
    ) -> Fallible<Bound<'py, PyAny>> {
        if !context::traces(py)? {
            return self.bound(py, args, kwargs);
        }
        let (result, trace) = ivy::plan::record_trace(|| self.bound(py, args, kwargs));
        result.map_err(|failure| {
            let error = PyErr::from(failure);
            for event in &trace {
                // An exception without room for notes says what it says.
                let _ = error.value(py).call_method1("add_note", (event.to_string(),));
            }
            error.into()
        })
    }

    fn bound<'py>(
        &self,
        py: Python<'py>,
        args: &Bound<'py, PyTuple>,
        kwargs: Option<&Bound<'py, PyDict>>,
    ) -> Fallible<Bound<'py, PyAny>> {
        let arguments = self.signature.bind(args, kwargs)?;
        match self.signature.callee {
            Callee::Described(function) => self.described(py, function, &arguments),
            Callee::Special(special) => {
                special(&Call { py, backend: self.backend.as_ref(), arguments: &arguments })
            }
        }
    }

    /// An operand: an array, a number, or lists of them and arrays of other libraries, which become an array where the
    /// others are.
    fn operand<'py>(
        &self,
        value: &Bound<'py, PyAny>,
        arguments: &Arguments<'py>,
        name: &str,
    ) -> Fallible<Operand<'static>> {
        // Most operands are such, and what follows asks them for attributes.
        let is_plain = value.is_exact_instance_of::<PyFloat>() || value.is_exact_instance_of::<PyInt>();
        let is_foreign = || -> PyResult<bool> {
            Ok(!is_plain
                && (value.hasattr("__array__")? || value.hasattr("__dlpack__")?)
                && value::scalar(value).is_ok_and(|scalar| scalar.is_none()))
        };
        if !is_list(value) && (value.is_instance_of::<PyArray>() || value.is_none() || !is_foreign()?) {
            return value::operand(Some(value), self.signature.name, name);
        }
        let first = arguments.iter().flatten().find_map(|given| given.cast::<PyArray>().ok());
        let backend = match (first, &self.backend) {
            (Some(array), _) => array.borrow().array()?.backend().clone(),
            (None, Some(own)) => own.clone(),
            (None, None) => context::backend(value.py(), None)?,
        };
        let array =
            special::to_array(value, &backend).map_err(|failure| self.refused(value.py(), name, failure))?;
        Ok(Operand::Array(Cow::Owned(array)))
    }

    /// What a function of the namespace says of this one.
    fn asked<'py>(&self, py: Python<'py>, question: &str) -> PyResult<Bound<'py, PyAny>> {
        let owner = match &self.backend {
            None => py.import("ivyrs")?.into_any(),
            Some(_) => self.owner.bind(py).clone(),
        };
        owner.getattr(question)?.call1((self.signature.name,))
    }

    /// The error of a list that is no array, in the words of the call.
    fn refused(&self, py: Python<'_>, name: &str, failure: Failure) -> Failure {
        let error = PyErr::from(failure);
        let text = error.value(py).to_string();
        let rule = text.strip_prefix("asarray(): ").unwrap_or(&text);
        PyTypeError::new_err(format!("{}(): {name}: {rule}", self.signature.name)).into()
    }

    fn described<'py>(
        &self,
        py: Python<'py>,
        function: &'static Function,
        arguments: &Arguments<'py>,
    ) -> Fallible<Bound<'py, PyAny>> {
        let name = self.signature.name;
        let mut operands: SmallVec<[Operand<'static>; 4]> = SmallVec::new();
        if !function.variadic {
            operands.resize_with(function.operands.len(), || Operand::Absent);
        }
        let mut params = (function.params)();
        for (parameter, argument) in self.signature.parameters.iter().zip(arguments) {
            match parameter.target {
                Target::Operand(i) => {
                    let given = match argument {
                        Some(value) => self.operand(value, arguments, parameter.name)?,
                        None => default_operand(parameter),
                    };
                    let given = match given {
                        // Where a host scalar is needed, an array without axes is its number.
                        Operand::Array(x) if function.operands[i].role == Role::Value && x.ndim() == 0 => {
                            Operand::Scalar(x.to_scalar()?)
                        }
                        given => given,
                    };
                    if matches!(given, Operand::Absent) && !function.operands[i].optional {
                        return type_error(format!("{name}(): {} is needed, and not None", parameter.name));
                    }
                    operands[i] = given;
                }
                Target::Operands => {
                    for value in argument.iter().flat_map(|list| entries(list, name, parameter.name)) {
                        operands.push(self.operand(&value?, arguments, parameter.name)?);
                    }
                }
                Target::Ignored => {}
                Target::Only(only) => {
                    if let Some(value) = argument
                        && value.str()? != only.value
                    {
                        let instead = only
                            .instead
                            .map_or_else(String::new, |other| format!("; {other} has the other form"));
                        let (value, only, argument) = (value.repr()?, only.value, only.argument);
                        return type_error(format!(
                            "{name}(): {argument} is {only} here, not {value}{instead}"
                        ));
                    }
                }
                Target::Parameter => {
                    let Some(value) = argument else { continue };
                    if value.is_none() && parameter.default == Some("None") {
                        continue;
                    }
                    let value = value::parameter(value, name, parameter.name)?;
                    let value = if counts_diagonals(name, parameter.name) { nearest(value) } else { value };
                    set(params.as_mut(), name, parameter.name, value)?;
                }
            }
        }
        let listed = matches!(self.signature.results, CoreResults::Tuple | CoreResults::OneOrTuple);
        if function.variadic && operands.is_empty() && listed {
            return Ok(PyTuple::empty(py).into_any());
        }
        for operand in &mut operands {
            if let Operand::Array(x) = operand
                && self.is_moved(py, x.backend())?
                && let Some(own) = &self.backend
            {
                *operand = Operand::Array(Cow::Owned(x.to_backend(own)?));
            }
        }
        let arrays =
            || operands.iter().filter_map(|o| if let Operand::Array(x) = o { Some(x) } else { None });
        let size = arrays().map(|x| x.size()).max().unwrap_or(0);
        let evaluates = !matches!(function.body, Body::Fixed(_)) && arrays().any(|x| x.backend().is_lazy());
        let creates = arrays().next().is_none();
        let scope = context::enter(py, if creates { self.backend.as_ref() } else { None })?;
        if let Some(dtype) = standard_dtype(function, &operands, params.as_ref()) {
            set(params.as_mut(), name, "dtype", ParamValue::Dtype(dtype))?;
        }
        let work = || ivy::call(function, &operands, params.as_ref());
        let outputs = unlocked(py, if evaluates { usize::MAX } else { size }, work)?;
        drop(scope);
        let single = outputs.len() == 1;
        let arrays = outputs.into_iter().map(PyArray::new);
        match self.signature.results {
            CoreResults::OneOrTuple if !single => {
                Ok(PyTuple::new(py, arrays.collect::<Vec<_>>())?.into_any())
            }
            CoreResults::One | CoreResults::OneOrTuple => {
                let mut arrays = arrays;
                let one = arrays.next().expect("a function has a result");
                Ok(Bound::new(py, one)?.into_any())
            }
            CoreResults::Tuple => Ok(PyTuple::new(py, arrays.collect::<Vec<_>>())?.into_any()),
            CoreResults::Named(_) => {
                let class = self.named.get_or_try_init(py, || {
                    py.import("ivyrs._namespace")?.call_method1("results", (name,)).map(Bound::unbind)
                })?;
                Ok(class.bind(py).call1(PyTuple::new(py, arrays.collect::<Vec<_>>())?)?)
            }
        }
    }
}

/// The dtype of what is created from numbers that name none: the standard has its default dtype for every real
/// and complex number, where the library's own rule has float64 for those beyond float32. (Integers beyond the
/// default integer dtype have a wider one by either.)
fn standard_dtype(
    function: &Function,
    operands: &[Operand<'_>],
    params: &dyn ivy::function::Params,
) -> Option<ivy::Dtype> {
    if !matches!(function.compute, ComputeRule::Infer | ComputeRule::InferFloat) || params.dtype().is_some() {
        return None;
    }
    let kinds =
        operands.iter().filter_map(|o| if let Operand::Scalar(x) = o { Some(x.kind()) } else { None });
    let kind = kinds.max().filter(|kind| matches!(kind, ScalarKind::Float | ScalarKind::Complex))?;
    Some(ivy::context::current().settings.defaults.of_scalar(kind))
}

/// Whether a parameter says how far a diagonal is from the main one: a number that may be any.
fn counts_diagonals(function: &str, parameter: &str) -> bool {
    matches!(
        (function, parameter),
        ("eye" | "tril" | "triu" | "diag", "k") | ("diagonal" | "trace", "offset")
    )
}

/// An integer that no matrix is as large as, as the nearest one that a parameter holds.
fn nearest(value: ParamValue) -> ParamValue {
    match value {
        ParamValue::Scalar(Scalar::Int(i)) => {
            ParamValue::Int(i.clamp(i64::MIN.into(), i64::MAX.into()) as i64)
        }
        other => other,
    }
}

/// An operand's default where it is a number and not `None`.
fn default_operand(parameter: &Parameter) -> Operand<'static> {
    match parameter.default.map(str::parse::<i64>) {
        Some(Ok(number)) => Operand::Scalar(number.into()),
        _ => Operand::Absent,
    }
}

/// Whether an object is a list or tuple.
fn is_list(value: &Bound<'_, PyAny>) -> bool {
    value.is_instance_of::<PyList>() || value.is_instance_of::<PyTuple>()
}

/// The entries of a list of arrays; an array's are its parts along the first axis.
fn entries<'py>(list: &Bound<'py, PyAny>, function: &str, name: &str) -> Vec<Fallible<Bound<'py, PyAny>>> {
    match list.try_iter() {
        Ok(entries) => entries.map(|entry| Ok(entry?)).collect(),
        Err(_) => vec![type_error(format!("{function}(): {name} is a list or tuple of arrays"))],
    }
}

/// Sets a parameter; a value of another type is a `TypeError`, as Python has it.
fn set(
    params: &mut dyn ivy::function::Params,
    function: &'static str,
    name: &str,
    value: ParamValue,
) -> Fallible<()> {
    let refused = match &value {
        // A word or a number of the right type may still be none that the parameter knows.
        ParamValue::Text(_)
        | ParamValue::Int(_)
        | ParamValue::Ints(_)
        | ParamValue::IntLists(_)
        | ParamValue::Named(_) => None,
        other => Some(format!("{function}(): {name} cannot be {other}")),
    };
    match (params.set(function, name, value), refused) {
        // What a derivative is taken by is told as such.
        (Err(error), Some(_)) if matches!(error.kind(), ErrorKind::TracedRead { .. }) => Err(error.into()),
        (Err(_), Some(text)) => type_error(text),
        (result, _) => Ok(result?),
    }
}

#[pymethods]
impl PyFunction {
    #[pyo3(signature = (*args, **kwargs))]
    fn __call__<'py>(
        &self,
        py: Python<'py>,
        args: &Bound<'py, PyTuple>,
        kwargs: Option<&Bound<'py, PyDict>>,
    ) -> Fallible<Bound<'py, PyAny>> {
        if let (Some(function), None) = (self.direct, kwargs)
            && !context::traces(py)?
            && let Some(result) = self.directly(py, function, args)?
        {
            return Ok(Bound::new(py, result)?.into_any());
        }
        let is_dict = |value: &Bound<'py, PyAny>| value.is_exact_instance_of::<PyDict>();
        let named = kwargs.is_some_and(|kwargs| kwargs.values().iter().any(|value| is_dict(&value)));
        if (named || args.iter().any(|value| is_dict(&value))) && context::own(py)?.nestable {
            let mapped = py.import("ivyrs._nestable")?.getattr("mapped")?;
            let kwargs = kwargs.cloned().unwrap_or_else(|| PyDict::new(py));
            return Ok(mapped.call1((self.owner.bind(py).getattr(self.signature.name)?, args, kwargs))?);
        }
        match kwargs.map(|kwargs| self.without_out(kwargs)).transpose()?.flatten() {
            Some((kwargs, target)) => {
                let target = Out::new(self.signature.name, &target)?;
                target.put(&self.called(py, args, Some(&kwargs))?)
            }
            None => self.called(py, args, kwargs),
        }
    }

    /// The dtypes that the function takes on its backend, or on the current one.
    #[getter]
    fn supported_dtypes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.asked(py, "function_supported_dtypes")
    }

    /// The dtypes that the function refuses on its backend, or on the current one.
    #[getter]
    fn unsupported_dtypes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.asked(py, "function_unsupported_dtypes")
    }

    /// Whether the first argument is an array, so that the function is a method of it as well.
    #[getter]
    fn _takes_array(&self) -> bool {
        let Some(first) = self.signature.parameters.first() else { return false };
        match (self.signature.callee, first.target) {
            (Callee::Described(function), Target::Operand(i)) => !function.operands[i].role.keeps_scalars(),
            (Callee::Special(_), _) => first.name == "x",
            _ => false,
        }
    }

    #[getter]
    fn __name__(&self) -> &'static str {
        self.signature.name
    }

    #[getter]
    fn __qualname__(&self) -> &'static str {
        self.signature.name
    }

    /// For `inspect.signature`.
    #[getter]
    fn __signature__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        py.import("ivyrs._namespace")?.call_method1("signature", (self.signature.text(),))
    }

    #[getter]
    fn __text_signature__(&self) -> String {
        format!("({})", self.signature.text())
    }

    #[getter]
    fn __doc__(&self) -> String {
        crate::docs::of(self.signature)
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let module = self.owner.bind(py).getattr("__name__")?;
        Ok(format!("<function {} of {}>", self.signature.name, module.cast::<PyString>()?.to_str()?))
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        // Modules have no pickles of their own, namespaces do.
        let (find, owner) = match self.backend {
            None => {
                (py.import("ivyrs._namespace")?.getattr("find")?, self.owner.bind(py).getattr("__name__")?)
            }
            Some(_) => (py.import("builtins")?.getattr("getattr")?, self.owner.bind(py).clone()),
        };
        (find, (owner, self.signature.name)).into_pyobject(py)
    }
}
