//! A frontend's functions: each an instance of one class.

use super::inplace::Inplace;
use super::plain::{Plain, plain};
use super::{Namespace, convert, error};
use crate::array::{PyArray, is_large, unlocked};
use crate::error::{Fallible, type_error};
use crate::{context, views};
use ivy::Array;
use ivy_frontend::autograd::Began;
use ivy_frontend::rows::{Given, Kind, Parameter, Results};
use ivy_frontend::{Argument, Entry, Fault, Keywords, Value, Viewing, refuse};
use pyo3::exceptions::PyAttributeError;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDict, PyString, PyTuple};
use smallvec::SmallVec;

// A function, method or property of a frontend. The docs of the class would stand before those of each function.
#[pyclass(name = "Function", module = "ivyrs.frontends", frozen, weakref)]
pub(crate) struct PyFrontendFunction {
    pub(super) namespace: &'static Namespace,
    pub(super) entry: &'static Entry,
    /// The class of the named results.
    named: PyOnceLock<Py<PyAny>>,
    inplace: Option<Inplace>,
    facts: Facts,
}

/// What each call asks of the row.
struct Facts {
    /// Whether the function makes an array of its own of what it is given, and not only reads it.
    keeps: bool,
    /// Whether a result without axes is an array: those of functions that compute are numbers, where the framework has such.
    makes_arrays: bool,
    /// The default of the parameter `copy`, of functions that have one.
    copy: Option<bool>,
    /// Whether a function in place says what is taken of an array's gradient, and leaves its elements.
    keeps_elements: bool,
    /// The place of the parameter `out`, and whether it may be given by position, of functions that have one.
    out: Option<(usize, bool)>,
}

impl Facts {
    fn of(entry: &Entry) -> Facts {
        const KEEPS: [&str; 6] = ["array", "copy", "tensor", "constant", "convert_to_tensor", "to_tensor"];
        const MAKES: [&str; 12] = [
            "array",
            "asarray",
            "asanyarray",
            "ascontiguousarray",
            "zeros",
            "ones",
            "empty",
            "full",
            "reshape",
            "squeeze",
            "copy",
            "broadcast_to",
        ];
        let name = entry.path.rsplit('.').next().unwrap_or_default();
        let parameters = &entry.row.signature.parameters;
        let copy = parameters.iter().find(|p| p.name == "copy");
        let out = parameters.iter().position(|p| p.name == "out");
        Facts {
            keeps: KEEPS.contains(&name),
            makes_arrays: MAKES.contains(&name),
            keeps_elements: name == "requires_grad_",
            copy: copy.map(|p| p.default.as_ref().is_some_and(|default| default.text == "True")),
            out: out.map(|at| (at, parameters[at].given != Given::ByName)),
        }
    }
}

/// Values of a call: by position, and by name.
pub(super) type Values = (Vec<Value<'static>>, Vec<(String, Value<'static>)>);

/// The arguments of a call from Python, as one of [`convert`]'s functions takes them.
pub(super) fn given(
    namespace: &Namespace,
    args: &Bound<'_, PyTuple>,
    kwargs: Option<&Bound<'_, PyDict>>,
    convert: fn(&Namespace, &Bound<'_, PyAny>) -> Fallible<Value<'static>>,
) -> Fallible<Values> {
    let positional = args.iter().map(|value| convert(namespace, &value));
    let positional = positional.collect::<Fallible<Vec<_>>>()?;
    let named = kwargs.into_iter().flatten().map(|(name, value)| {
        Ok((name.cast::<PyString>()?.to_str()?.to_string(), convert(namespace, &value)?))
    });
    Ok((positional, named.collect::<Fallible<Vec<_>>>()?))
}

/// The elements of the largest array among arguments.
fn size(given: &Values) -> usize {
    let arrays = given.0.iter().chain(given.1.iter().map(|(_, value)| value)).filter_map(Value::as_array);
    arrays.map(|x| if x.backend().is_lazy() { usize::MAX } else { x.size() }).max().unwrap_or(0)
}

impl PyFrontendFunction {
    pub(crate) fn new(namespace: &'static Namespace, entry: &'static Entry) -> PyFrontendFunction {
        PyFrontendFunction {
            namespace,
            entry,
            named: PyOnceLock::new(),
            inplace: Inplace::of(namespace, entry),
            facts: Facts::of(entry),
        }
    }

    /// The result for one or two arrays and nothing else.
    fn directly(&self, py: Python<'_>, args: &Bound<'_, PyTuple>) -> Fallible<Option<Array>> {
        let frontend = self.namespace.frontend;
        let Ok(first) = args.get_borrowed_item(0) else { return Ok(None) };
        let Ok(first) = first.cast::<PyArray>() else { return Ok(None) };
        let x = first.borrow();
        if is_large(x.array()?) {
            return Ok(None);
        }
        if args.len() == 1 {
            let _scope = context::enter(py, None)?;
            return Ok(frontend.call_arrays(self.entry, [x.array()?]));
        }
        let second = args.get_borrowed_item(1)?;
        let Ok(second) = second.cast::<PyArray>() else { return Ok(None) };
        let y = second.borrow();
        if is_large(y.array()?) {
            return Ok(None);
        }
        let _scope = context::enter(py, None)?;
        Ok(frontend.call_arrays(self.entry, [x.array()?, y.array()?]))
    }

    /// The result of a call of arrays, numbers and other plain values by what the row comes to for these; `None` for others.
    fn specialised(
        &self,
        py: Python<'_>,
        args: &Bound<'_, PyTuple>,
        kwargs: Option<&Bound<'_, PyDict>>,
    ) -> Fallible<Option<Array>> {
        if !self.entry.is_specialised() || self.facts.keeps || self.facts.copy.is_some() || args.len() > 4 {
            return Ok(None);
        }
        let parameters = &self.entry.row.signature.parameters;
        let mut given = SmallVec::<[(usize, Plain<'_>); 6]>::new();
        for (at, value) in args.iter_borrowed().enumerate() {
            let by_position = |p: &Parameter| matches!(p.given, Given::ByPosition | Given::Either);
            let Some(value) = plain(&value)?.filter(|_| parameters.get(at).is_some_and(by_position)) else {
                return Ok(None);
            };
            given.push((at, value));
        }
        for (name, value) in kwargs.into_iter().flatten() {
            let name = name.cast::<PyString>()?.to_str()?;
            let is_named = |p: &Parameter| p.name == name && matches!(p.given, Given::Either | Given::ByName);
            let (Some(at), Some(value)) = (parameters.iter().position(is_named), plain(&value)?) else {
                return Ok(None);
            };
            given.push((at, value));
        }
        let mut arguments = SmallVec::<[(usize, Argument<'_>); 6]>::new();
        for (at, value) in &given {
            arguments.push((
                *at,
                match value {
                    Plain::Array(x) if is_large(x.array()?) => return Ok(None),
                    Plain::Array(x) => Argument::Array(x.array()?),
                    Plain::Number(number) => Argument::Number(*number),
                    Plain::Arrays(all) => {
                        let all = all.iter().map(|x| x.array()).collect::<Fallible<Vec<_>>>()?;
                        if all.iter().any(|x| is_large(x)) {
                            return Ok(None);
                        }
                        Argument::Arrays(all)
                    }
                    Plain::Value(value) => Argument::Value(value.clone()),
                },
            ));
        }
        let _scope = context::enter(py, None)?;
        Ok(self.namespace.frontend.call_specialised(self.entry, &arguments))
    }

    /// Whether a call asks for a copy, or makes one if it says nothing.
    fn copies(&self, py: Python<'_>, kwargs: Option<&Bound<'_, PyDict>>) -> PyResult<bool> {
        let Some(default) = self.facts.copy else { return Ok(false) };
        match kwargs.map(|kwargs| kwargs.get_item(intern!(py, "copy"))).transpose()?.flatten() {
            Some(copy) => copy.is_truthy(),
            None => Ok(default),
        }
    }

    /// Whether a result is a number of the framework.
    pub(super) fn gives_number(&self, array: &Array) -> bool {
        self.namespace.numbers && array.ndim() == 0 && !self.facts.makes_arrays
    }

    fn result(&self, py: Python<'_>, value: Value<'static>) -> Fallible<Py<PyAny>> {
        match value {
            Value::Array(array) => {
                let number = self.gives_number(&array);
                (self.namespace.wrap)(py, array.into_owned(), number)
            }
            Value::Tuple(items) if self.names().is_some_and(|names| names.len() == items.len()) => {
                let items = items.into_iter().map(|item| convert::to_python(py, self.namespace, item));
                let items = items.collect::<Fallible<Vec<_>>>()?;
                let class = self.named.get_or_try_init(py, || self.class_of_results(py))?;
                Ok(class.bind(py).call1(PyTuple::new(py, items)?)?.unbind())
            }
            other => convert::to_python(py, self.namespace, other),
        }
    }

    /// Refuses a result that has not the shape of the array that it is to be written to.
    fn check_shape(&self, py: Python<'_>, out: &Bound<'_, PyAny>, value: &Value<'_>) -> Fallible<()> {
        let (Value::Array(array), Ok(target)) = (value, out.cast::<PyArray>()) else { return Ok(()) };
        let target = target.borrow().array()?.shape().clone();
        if *array.shape() == target {
            return Ok(());
        }
        let rule = format!("the result has shape {}, the target {target}", array.shape());
        let error = refuse(self.entry, Fault::Runtime, "out", None, rule);
        Err(error::failure(py, self.namespace.frontend, &error))
    }

    /// Whether this is a method or property of a class of the framework.
    fn is_of_class(&self) -> bool {
        let owner = self.entry.path.rsplit('.').nth(1).unwrap_or_default();
        owner == self.namespace.frontend.class() || owner == "Generator"
    }

    /// The names of the results, where the framework has any.
    fn names(&self) -> Option<&'static [String]> {
        match &self.entry.row.results {
            Results::Named(names) | Results::OneOrNamed(names) => Some(names),
            _ => None,
        }
    }

    fn class_of_results(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        let Some(names) = self.names() else { return Ok(py.None()) };
        let path = self.entry.path.as_str();
        let make = py.import("ivyrs.frontends._namespace")?.getattr("results")?;
        Ok(make.call1((self.namespace.frontend.name(), path, names.to_vec()))?.unbind())
    }
}

/// Puts results into the arrays that they are to be written to, by a call that began then.
pub(super) fn write(target: &Bound<'_, PyAny>, value: &Value<'_>, began: Began) -> Fallible<()> {
    match (value, target.cast::<PyArray>()) {
        (Value::Array(array), Ok(target)) => {
            views::in_place(target, began, || views::put(target, array.as_ref().clone()))
        }
        (_, Err(_)) if target.is_instance_of::<PyTuple>() => {
            let one = std::slice::from_ref(value);
            let values = value.items().unwrap_or(one);
            for (target, value) in target.try_iter()?.zip(values) {
                let target = target?;
                if !target.is_none() {
                    write(&target, value, began)?;
                }
            }
            Ok(())
        }
        _ => type_error("out: an array is needed, or a tuple of arrays"),
    }
}

#[pymethods]
impl PyFrontendFunction {
    #[pyo3(signature = (*args, **kwargs))]
    fn __call__<'py>(
        &self,
        py: Python<'py>,
        args: &Bound<'py, PyTuple>,
        kwargs: Option<&Bound<'py, PyDict>>,
    ) -> Fallible<Py<PyAny>> {
        if let Some(inplace) = &self.inplace
            && inplace.is_wanted(args, kwargs)?
        {
            let (args, kwargs) = inplace.without(args, kwargs)?;
            let began = Began::now();
            let result = self.__call__(py, &args, kwargs.as_ref())?;
            return inplace.write(result.bind(py), &args, kwargs.as_ref(), began);
        }
        if self.entry.viewing() != Viewing::None && !self.copies(py, kwargs)? {
            return self.viewing(py, args, kwargs);
        }
        if kwargs.is_none()
            && (1..=2).contains(&args.len())
            && let Some(array) = self.directly(py, args)?
        {
            let number = self.gives_number(&array);
            return (self.namespace.wrap)(py, array, number);
        }
        if let Some(array) = self.specialised(py, args, kwargs)? {
            let number = self.gives_number(&array);
            return (self.namespace.wrap)(py, array, number);
        }
        let frontend = self.namespace.frontend;
        if self.entry.row.kind == Kind::Inplace
            && let Ok(target) = args.get_item(0)
            && target.cast::<PyArray>().is_err()
        {
            let (function, class) = (self.entry.function, frontend.class());
            let first = self.entry.row.signature.parameters.first().map_or("", |p| p.name.as_str());
            let given = target.get_type();
            return type_error(format!(
                "{function}: {first}: it is written to, so it is of class {class}, and not of {}",
                given.name()?
            ));
        }
        let scope = context::enter(py, None)?;
        let began = Began::now();
        let convert =
            if self.facts.keeps || self.copies(py, kwargs)? { convert::copied } else { convert::from_python };
        let given = given(self.namespace, args, kwargs, convert)?;
        let size = size(&given);
        let entry = self.entry;
        let work = move || {
            let names: Vec<(&str, Value<'_>)> =
                given.1.iter().map(|(n, v)| (n.as_str(), v.borrowed())).collect();
            frontend.call_entry(entry, given.0.iter().map(Value::borrowed).collect(), Keywords::from(names))
        };
        let value = if scope.is_some() { work() } else { unlocked(py, size, work) };
        drop(scope);
        let value = value.map_err(|e| error::failure(py, frontend, &e))?;
        if entry.row.kind == Kind::Inplace {
            let target = args.get_item(0)?;
            match (&value, target.cast::<PyArray>()) {
                (Value::Array(array), Ok(target)) if self.facts.keeps_elements => {
                    views::put(target, array.as_ref().clone())?;
                }
                _ => write(&target, &value, began)?,
            }
            let is_operator = entry.path.contains("__");
            return Ok(if self.namespace.writes_quietly && !is_operator {
                py.None()
            } else {
                target.unbind()
            });
        }
        let out = match self.facts.out {
            Some((place, by_position)) => {
                let by_name = kwargs.map(|k| k.get_item(intern!(py, "out"))).transpose()?.flatten();
                let by_position = by_position && place < args.len();
                by_name.map_or_else(
                    || by_position.then(|| args.get_item(place)).transpose(),
                    |out| Ok(Some(out)),
                )?
            }
            None => None,
        };
        match out.filter(|out| !out.is_none()) {
            Some(out) => {
                self.check_shape(py, &out, &value)?;
                write(&out, &value, began)?;
                let single = out.cast::<PyTuple>().ok().filter(|all| all.len() == 1);
                Ok(single.map(|all| all.get_item(0)).transpose()?.unwrap_or(out).unbind())
            }
            None => self.result(py, value),
        }
    }

    /// A method is bound to the array that it is taken from.
    fn __get__<'py>(
        slf: &Bound<'py, Self>,
        instance: &Bound<'py, PyAny>,
        _owner: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        // Other functions stay what they are where a class has them, as functions of an extension module do.
        if instance.is_none() || !slf.get().is_of_class() {
            return Ok(slf.clone().into_any());
        }
        let py = slf.py();
        static METHOD: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
        let bound = METHOD
            .get_or_try_init(py, || py.import("types")?.getattr("MethodType").map(Bound::unbind))?
            .bind(py);
        bound.call1((slf, instance))
    }

    /// The methods of a ufunc: `reduce`, `accumulate`, `reduceat`, `outer`, `at`; how many operands and results it has; and
    /// its identity.
    fn __getattr__(&self, py: Python<'_>, name: &str) -> Fallible<Py<PyAny>> {
        if self.entry.row.kind == Kind::Ufunc {
            let parameters = &self.entry.row.signature.parameters;
            let inputs = parameters.iter().filter(|p| p.given == Given::ByPosition).count();
            let outputs = if self.entry.row.results == Results::Tuple { 2 } else { 1 };
            let count = match name {
                "reduce" | "accumulate" | "reduceat" | "outer" | "at" => {
                    let path = format!("{}.{name}", self.entry.row.path);
                    return Ok(Py::new(py, PyUfuncMethod { namespace: self.namespace, path })?.into_any());
                }
                "nin" => Some(inputs),
                "nout" => Some(outputs),
                "nargs" => Some(inputs + outputs),
                "identity" => {
                    let identity = ivy_frontend::ufunc_identity(self.entry);
                    return match identity {
                        Some(identity) => Ok(crate::value::to_python(py, identity)?.unbind()),
                        None => Ok(py.None()),
                    };
                }
                // Of ufuncs over more than single elements alone.
                "signature" => return Ok(py.None()),
                _ => None,
            };
            if let Some(count) = count {
                return Ok(count.into_pyobject(py).map_err(PyErr::from)?.into_any().unbind());
            }
        }
        let text = format!("the function {} has no attribute '{name}'", self.entry.function);
        Err(PyAttributeError::new_err(text).into())
    }

    #[getter]
    fn __name__(&self) -> &str {
        self.entry.path.rsplit('.').next().unwrap_or_default()
    }

    #[getter]
    fn __qualname__(&self) -> &str {
        &self.entry.path
    }

    /// For `inspect.signature`.
    #[getter]
    fn __signature__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let kind = |given: Given| match given {
            Given::ByPosition => "POSITIONAL_ONLY",
            Given::Either => "POSITIONAL_OR_KEYWORD",
            Given::ByName => "KEYWORD_ONLY",
            Given::Rest => "VAR_POSITIONAL",
            Given::RestByName => "VAR_KEYWORD",
        };
        let parameters = self.entry.row.signature.parameters.iter();
        let parameters: Vec<(&str, &str, Option<&str>)> = parameters
            .map(|p| (p.name.as_str(), kind(p.given), p.default.as_ref().map(|d| d.text.as_str())))
            .collect();
        py.import("ivyrs.frontends._namespace")?.call_method1("signature", (parameters,))
    }

    #[getter]
    fn __text_signature__(&self) -> String {
        format!("({})", self.entry.row.signature.text)
    }

    #[getter]
    fn __doc__(&self) -> String {
        format!(
            "{}({})\n\nIt comes to {}.",
            self.entry.path, self.entry.row.signature.text, self.entry.row.text[1]
        )
    }

    fn __repr__(&self) -> String {
        match self.entry.row.kind {
            Kind::Ufunc => format!("<ufunc '{}'>", self.entry.path),
            _ => format!("<function {}>", self.entry.function),
        }
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let find = py.import("ivyrs.frontends._namespace")?.getattr("find")?;
        (find, (self.namespace.frontend.name(), self.entry.path.clone())).into_pyobject(py)
    }
}

/// A method of a ufunc.
#[pyclass(name = "ufunc_method", module = "ivyrs.frontends", frozen)]
pub(crate) struct PyUfuncMethod {
    namespace: &'static Namespace,
    path: String,
}

#[pymethods]
impl PyUfuncMethod {
    #[pyo3(signature = (*args, **kwargs))]
    fn __call__<'py>(
        &self,
        py: Python<'py>,
        args: &Bound<'py, PyTuple>,
        kwargs: Option<&Bound<'py, PyDict>>,
    ) -> Fallible<Py<PyAny>> {
        let frontend = self.namespace.frontend;
        let _scope = context::enter(py, None)?;
        let began = Began::now();
        let (positional, named) = given(self.namespace, args, kwargs, convert::from_python)?;
        let names: Vec<(&str, Value<'_>)> = named.iter().map(|(n, v)| (n.as_str(), v.borrowed())).collect();
        let value = frontend.call(&self.path, &positional, Keywords::from(names));
        let value = value.map_err(|e| error::failure(py, frontend, &e))?;
        if self.path.ends_with(".at") {
            write(&args.get_item(0)?, &value, began)?;
            return Ok(py.None());
        }
        let out = kwargs.map(|k| k.get_item("out")).transpose()?.flatten();
        if let Some(out) = out.filter(|out| !out.is_none()) {
            write(&out, &value, began)?;
            return Ok(out.unbind());
        }
        match value {
            Value::Array(array) if array.ndim() == 0 => (self.namespace.wrap)(py, array.into_owned(), true),
            other => convert::to_python(py, self.namespace, other),
        }
    }
}
