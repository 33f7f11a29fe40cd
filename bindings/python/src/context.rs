//! Scopes: settings in force for a block of Python, kept in a context variable so that they follow
//! tasks as well as threads. Ivy's setters push on what is in force, and its unsetters take back.
//!
//! The variable is read only while some scope is open anywhere, or once something was set, so that a
//! program without either pays one load for each call.

use crate::dtype::from_python;
use crate::error::{Fallible, type_error};
use ivy::backend::BackendRef;
use ivy::context::{CastModes, InplaceMode, Prepared, Scope as Guard, Settings};
use ivy::{Context, Rules};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyBool, PyDict, PyFloat, PyString};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, Once};

/// How many scopes are open, and one more once something was set.
static OPEN: AtomicUsize = AtomicUsize::new(0);

/// Whether the stages of calls were ever to be noted.
static TRACED: AtomicBool = AtomicBool::new(false);

/// What setters pushed, oldest first, by name.
type Pushed = Vec<(String, Py<PyAny>)>;

/// What Python's side of a call does by itself.
#[derive(Clone, Copy, Default)]
pub(crate) struct Own {
    /// Whether functions take dicts of arrays.
    pub(crate) nestable: bool,
    /// Whether exceptions say what caused them below.
    pub(crate) full_trace: bool,
    /// Whether exceptions say which stages a call went through.
    pub(crate) wrapper_trace: bool,
}

/// The value of the context variable.
#[pyclass(module = "ivyrs._ivyrs", frozen)]
struct State {
    /// What the scope began with.
    initial: Context,
    initial_own: Own,
    /// What setters pushed since, oldest first, by name.
    pushed: Pushed,
    /// What both come to.
    context: Prepared,
    own: Own,
}

fn variable(py: Python<'_>) -> PyResult<&Bound<'_, PyAny>> {
    static VARIABLE: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    let made = VARIABLE.get_or_try_init(py, || {
        let none = PyDict::new(py);
        none.set_item("default", py.None())?;
        py.import("contextvars")?.getattr("ContextVar")?.call(("ivyrs",), Some(&none)).map(Bound::unbind)
    })?;
    Ok(made.bind(py))
}

/// What the variable holds.
fn value(py: Python<'_>) -> PyResult<Bound<'_, PyAny>> {
    static GET: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    GET.get_or_try_init(py, || variable(py)?.getattr("get").map(Bound::unbind))?.bind(py).call0()
}

/// The context that open scopes come to; `None` where none is open here.
fn prepared(py: Python<'_>) -> PyResult<Option<Prepared>> {
    if OPEN.load(Ordering::Relaxed) == 0 {
        return Ok(None);
    }
    Ok(value(py)?.cast::<State>().ok().map(|state| state.get().context.clone()))
}

/// Likewise, to be read or changed.
fn opened(py: Python<'_>) -> PyResult<Option<Context>> {
    Ok(prepared(py)?.map(|prepared| prepared.context()))
}

/// What is in force of Python's side.
pub(crate) fn own(py: Python<'_>) -> PyResult<Own> {
    if OPEN.load(Ordering::Relaxed) == 0 {
        return Ok(Own::default());
    }
    Ok(value(py)?.cast::<State>().map_or_else(|_| Own::default(), |state| state.get().own))
}

/// Whether the stages of calls are noted: asked of each call, so that it costs a load until it was ever so.
#[inline]
pub(crate) fn traces(py: Python<'_>) -> PyResult<bool> {
    Ok(TRACED.load(Ordering::Relaxed) && own(py)?.wrapper_trace)
}

/// What the variable holds, to be changed.
fn state(py: Python<'_>) -> PyResult<(Context, Own, Pushed)> {
    Ok(value(py)?.cast::<State>().ok().map_or_else(Default::default, |state| {
        let State { initial, initial_own, pushed, .. } = state.get();
        (
            initial.clone(),
            *initial_own,
            pushed.iter().map(|(name, value)| (name.clone(), value.clone_ref(py))).collect(),
        )
    }))
}

/// Puts settings in force from here on.
fn put(py: Python<'_>, initial: Context, initial_own: Own, pushed: Pushed) -> Fallible<()> {
    let (mut context, mut own) = (initial.clone(), initial_own);
    for (name, value) in &pushed {
        apply(&mut context, &mut own, name, value.bind(py))?;
    }
    // Counted once, and for good: another task may have set something too.
    static SET: Once = Once::new();
    SET.call_once(|| {
        OPEN.fetch_add(1, Ordering::Relaxed);
    });
    let context = Prepared::from(&context);
    variable(py)?.call_method1("set", (State { initial, initial_own, pushed, context, own },))?;
    Ok(())
}

/// The names that take each other back: two of them are the promotion rules.
fn group(name: &str) -> &str {
    if name == "precise" { "rules" } else { name }
}

/// Sets a setting from here on, until it is taken back or the scope around it ends.
#[pyfunction]
pub(crate) fn push_setting(py: Python<'_>, name: String, value: Py<PyAny>) -> Fallible<()> {
    let (initial, own, mut pushed) = state(py)?;
    pushed.push((name, value));
    put(py, initial, own, pushed)
}

/// Takes back what was set last of a setting in the scope that is open; nothing if nothing was.
#[pyfunction]
pub(crate) fn pop_setting(py: Python<'_>, name: &str) -> Fallible<()> {
    let (initial, own, mut pushed) = state(py)?;
    match pushed.iter().rposition(|(known, _)| group(known) == group(name)) {
        Some(last) => {
            pushed.remove(last);
            put(py, initial, own, pushed)
        }
        None => Ok(()),
    }
}

/// What was set of a setting in the scope that is open and is not taken back, the first one first.
#[pyfunction]
pub(crate) fn pushed_settings(py: Python<'_>, name: &str) -> PyResult<Vec<Py<PyAny>>> {
    let (_, _, pushed) = state(py)?;
    Ok(pushed.into_iter().filter(|(known, _)| known == name).map(|(_, value)| value).collect())
}

/// The value in force of a setting.
#[pyfunction]
pub(crate) fn setting<'py>(py: Python<'py>, name: &str) -> Fallible<Bound<'py, PyAny>> {
    let Settings { rules, casting, emulation, memory_limit, modes, .. } = settings(py)?;
    match name {
        "rules" => Ok(PyString::new(py, rules.name()).into_any()),
        "cast" => Ok(PyString::new(py, &casting.to_string()).into_any()),
        "emulation" => Ok(PyBool::new(py, emulation).to_owned().into_any()),
        "memory_limit" => Ok(memory_limit.into_pyobject(py).map_err(PyErr::from)?.into_any()),
        "min_base" => Ok(PyFloat::new(py, modes.min_base.get()).into_any()),
        "min_denominator" => Ok(PyFloat::new(py, modes.min_denominator.get()).into_any()),
        "array_significant_figures" => {
            Ok(modes.array_significant_figures.into_pyobject(py).map_err(PyErr::from)?.into_any())
        }
        "soft_device_mode" => Ok(PyBool::new(py, modes.soft_device).to_owned().into_any()),
        "nestable_mode" => Ok(PyBool::new(py, own(py)?.nestable).to_owned().into_any()),
        "exception_trace_mode" => {
            let name = if own(py)?.full_trace { "full" } else { "ivy" };
            Ok(PyString::new(py, name).into_any())
        }
        "show_func_wrapper_trace_mode" => Ok(PyBool::new(py, own(py)?.wrapper_trace).to_owned().into_any()),
        "inplace_mode" => Ok(PyString::new(py, &modes.inplace.to_string()).into_any()),
        _ => type_error(format!("there is no setting called '{name}'")),
    }
}

/// The settings in force.
pub(crate) fn settings(py: Python<'_>) -> PyResult<Settings> {
    Ok(opened(py)?.unwrap_or_default().settings)
}

/// The backend on which a namespace creates arrays: its own, else that of the scope, else the preferred one.
pub(crate) fn backend(py: Python<'_>, own: Option<&BackendRef>) -> Fallible<BackendRef> {
    if let Some(own) = own {
        return Ok(own.clone());
    }
    match prepared(py)?.as_ref().and_then(Prepared::backend) {
        Some(backend) => Ok(backend.clone()),
        None => Ok(ivy::context::current_backend()?),
    }
}

/// The backend below the transformations that it is wrapped in.
pub(crate) fn root(backend: &BackendRef) -> BackendRef {
    backend.wraps().map_or_else(|| backend.clone(), |below| root(&below))
}

/// Puts the scopes of the caller in force for one call, and a backend where one is given.
#[inline]
pub(crate) fn enter(py: Python<'_>, backend: Option<&BackendRef>) -> PyResult<Option<Guard>> {
    if OPEN.load(Ordering::Relaxed) == 0 && backend.is_none() {
        return Ok(None);
    }
    enter_open(py, backend)
}

fn enter_open(py: Python<'_>, backend: Option<&BackendRef>) -> PyResult<Option<Guard>> {
    let context = prepared(py)?.unwrap_or_else(|| Prepared::from(&Context::default()));
    let context = match backend {
        Some(backend) => context.with_backend(backend.clone()),
        None => context,
    };
    Ok(Some(ivy::context::call_scope(&context)))
}

/// Settings for a `with` block.
///
/// scope(*, backend=None, rules=None, precise=None, cast=None, strict_casts=None, emulation=None,
/// memory_limit=None, default_dtype=None, default_int=None, default_uint=None, default_float=None,
/// default_complex=None)
#[pyclass(name = "scope", module = "ivyrs", frozen)]
pub(crate) struct PyScope {
    changes: Py<PyDict>,
    /// What puts the variable back, innermost last: a scope may be entered again.
    tokens: Mutex<Vec<Py<PyAny>>>,
}

impl PyScope {
    fn tokens(&self) -> std::sync::MutexGuard<'_, Vec<Py<PyAny>>> {
        self.tokens.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }
}

fn apply(context: &mut Context, own: &mut Own, name: &str, value: &Bound<'_, PyAny>) -> Fallible<()> {
    let settings = &mut context.settings;
    match name {
        "backend" | "device" => context.backend = Some(ivy::backend::backend(&value.extract::<String>()?)?),
        "rules" => settings.set_rules(value.extract::<String>()?.parse()?),
        "precise" => {
            settings.set_rules(if value.extract()? { Rules::Precise } else { Rules::NonPrecise });
        }
        "cast" => settings.casting = value.extract::<String>()?.parse::<CastModes>()?,
        "strict_casts" => settings.strict_casts = value.extract()?,
        "emulation" => settings.emulation = value.extract()?,
        "memory_limit" => settings.memory_limit = value.extract()?,
        "nestable_mode" => own.nestable = value.extract()?,
        "exception_trace_mode" => {
            own.full_trace = match &*value.extract::<String>()? {
                "full" => true,
                "ivy" => false,
                other => {
                    let (argument, value, rule) = ("mode", other.into(), "ivy or full");
                    let function = "set_exception_trace_mode";
                    return Err(ivy::ErrorKind::InvalidArgument { function, argument, value, rule }.into());
                }
            }
        }
        "show_func_wrapper_trace_mode" => {
            own.wrapper_trace = value.extract()?;
            TRACED.fetch_or(own.wrapper_trace, Ordering::Relaxed);
        }
        "min_base" => settings.modes = settings.modes.with_min_base(value.extract()?)?,
        "min_denominator" => settings.modes = settings.modes.with_min_denominator(value.extract()?)?,
        "array_significant_figures" => settings.modes.array_significant_figures = value.extract()?,
        "soft_device_mode" => settings.modes.soft_device = value.extract()?,
        "inplace_mode" => settings.modes.inplace = value.extract::<String>()?.parse::<InplaceMode>()?,
        "default_dtype" => settings.defaults.dtype = Some(from_python(value)?),
        "default_int" => settings.defaults.int = Some(ivy::IntDtype::new(from_python(value)?)?.get()),
        "default_uint" => settings.defaults.uint = Some(ivy::UintDtype::new(from_python(value)?)?.get()),
        "default_float" => settings.defaults.float = Some(ivy::FloatDtype::new(from_python(value)?)?.get()),
        "default_complex" => {
            settings.defaults.complex = Some(ivy::ComplexDtype::new(from_python(value)?)?.get());
        }
        _ => return type_error(format!("scope() has no setting called '{name}'")),
    }
    Ok(())
}

#[pymethods]
impl PyScope {
    #[new]
    #[pyo3(signature = (**settings))]
    fn new(py: Python<'_>, settings: Option<Bound<'_, PyDict>>) -> Fallible<PyScope> {
        let changes = settings.unwrap_or_else(|| PyDict::new(py));
        // A wrong setting is an error here, and not only where the block begins.
        let (mut probe, mut own) = (Context::new(), Own::default());
        for (name, value) in &changes {
            if !value.is_none() {
                apply(&mut probe, &mut own, &name.extract::<String>()?, &value)?;
            }
        }
        Ok(PyScope { changes: changes.unbind(), tokens: Mutex::default() })
    }

    fn __enter__(slf: Bound<'_, PyScope>) -> Fallible<Bound<'_, PyScope>> {
        let py = slf.py();
        let (mut context, mut own) = (opened(py)?.unwrap_or_default(), own(py)?);
        for (name, value) in slf.get().changes.bind(py) {
            if !value.is_none() {
                apply(&mut context, &mut own, &name.extract::<String>()?, &value)?;
            }
        }
        let (prepared, pushed) = (Prepared::from(&context), Vec::new());
        let state = State { initial: context, initial_own: own, pushed, context: prepared, own };
        let token = variable(py)?.call_method1("set", (state,))?;
        OPEN.fetch_add(1, Ordering::Relaxed);
        slf.get().tokens().push(token.unbind());
        Ok(slf)
    }

    #[pyo3(signature = (*_error))]
    fn __exit__(&self, py: Python<'_>, _error: &Bound<'_, PyAny>) -> Fallible<bool> {
        let token = self.tokens().pop();
        if let Some(token) = token {
            OPEN.fetch_sub(1, Ordering::Relaxed);
            variable(py)?.call_method1("reset", (token,))?;
        }
        Ok(false)
    }
}
