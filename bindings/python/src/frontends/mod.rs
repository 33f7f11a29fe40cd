//! The frontends for Python: functions, arrays and dtypes of other frameworks, made of the same rows as in Rust.
//! `python/ivyrs/frontends` arranges them in modules.

mod array;
mod bytes;
mod convert;
mod dtype;
mod error;
mod function;
mod generator;
mod graphs;
mod indexing;
mod inplace;
mod optim;
mod plain;
mod viewing;

pub(crate) use array::{PyJaxArray, PyNdArray, PyPaddleTensor, PyTensorFlowTensor, PyTorchTensor};
pub(crate) use bytes::{array_of_bytes, element_bytes, npy_array, npy_bytes};
pub(crate) use dtype::PyFrontendDtype;
pub(crate) use error::failure;
use function::PyFrontendFunction;
pub(crate) use generator::{PyFrontendGenerator, PyTorchGenerator};
pub(crate) use graphs::{
    PyGraphHook, PyGraphNode, PyTensorFlowTape, graph_custom, graph_node, graph_register_hook, graph_require,
    graph_set_grad, set_grad_enabled, tensorflow_assign, tensorflow_watched, torch_follow_gradient,
    torch_grad_version, torch_own, torch_recordable, torch_set_data,
};

pub(crate) use optim::torch_optimizer_update;

use crate::error::{Fallible, type_error};
use array::Wrap;
use ivy_frontend::Frontend;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDict, PyTuple};

/// A frontend with the class of its arrays.
pub(crate) struct Namespace {
    pub(crate) frontend: &'static Frontend,
    pub(crate) wrap: Wrap,
    /// Whether results without axes are numbers of the framework, and not arrays.
    pub(crate) numbers: bool,
    /// Makes the views of basic index expressions, which are read when they are used; `None` where a graph of derivatives
    /// notes reads, which then have to be made where they are written.
    pub(crate) unread: Option<array::WrapUnread>,
    /// Whether functions that write to their first argument give nothing, and not that argument.
    pub(crate) writes_quietly: bool,
    /// The function that the class of arrays is as a constructor; `None` where it takes what becomes an array.
    pub(crate) constructor: Option<&'static str>,
}

/// The frontends; a dtype object has its place among them.
pub(crate) static NAMESPACES: [Namespace; 5] = [
    Namespace {
        frontend: &ivy::frontends::numpy::NUMPY,
        wrap: array::wrap::<PyNdArray>,
        numbers: true,
        unread: Some(array::unread::<PyNdArray>),
        writes_quietly: true,
        constructor: Some("empty"),
    },
    Namespace {
        frontend: &ivy::frontends::torch::TORCH,
        wrap: array::wrap::<PyTorchTensor>,
        numbers: false,
        unread: None,
        writes_quietly: false,
        constructor: None,
    },
    Namespace {
        frontend: &ivy::frontends::jax::JAX,
        wrap: array::wrap::<PyJaxArray>,
        numbers: false,
        unread: None,
        writes_quietly: false,
        constructor: None,
    },
    Namespace {
        frontend: &ivy::frontends::tensorflow::TENSORFLOW,
        wrap: graphs::wrap,
        numbers: false,
        unread: None,
        writes_quietly: false,
        constructor: None,
    },
    Namespace {
        frontend: &ivy::frontends::paddle::PADDLE,
        wrap: array::wrap::<PyPaddleTensor>,
        numbers: false,
        unread: None,
        writes_quietly: false,
        constructor: None,
    },
];

impl Namespace {
    /// The place among [`NAMESPACES`].
    pub(crate) fn place(&self) -> usize {
        NAMESPACES.iter().position(|n| std::ptr::eq(n, self)).unwrap_or(0)
    }
}

fn named(name: &str) -> Fallible<&'static Namespace> {
    match NAMESPACES.iter().find(|n| n.frontend.name() == name) {
        Some(found) => Ok(found),
        None => type_error(format!("there is no frontend called '{name}'")),
    }
}

/// A shape as the framework has it: a class of tuples of its own, where it has one.
fn shape<'py>(
    py: Python<'py>,
    namespace: &Namespace,
    shape: Bound<'py, PyTuple>,
) -> Fallible<Bound<'py, PyAny>> {
    static CLASSES: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    let classes = CLASSES.get_or_try_init(py, || {
        py.import("ivyrs.frontends._shapes")?.getattr("CLASSES").map(Bound::unbind)
    })?;
    match classes.bind(py).cast::<PyDict>()?.get_item(namespace.frontend.name())? {
        Some(class) => Ok(class.call1((shape,))?),
        None => Ok(shape.into_any()),
    }
}

/// The functions of a frontend: path, kind of row, and function.
#[pyfunction]
pub(crate) fn frontend_functions(name: &str) -> Fallible<Vec<(String, &'static str, PyFrontendFunction)>> {
    let namespace = named(name)?;
    let rows = namespace.frontend.table().rows.iter().enumerate();
    let function = |(place, row): (usize, &ivy_frontend::rows::Row)| {
        let entry = namespace.frontend.entry(place);
        (row.path.clone(), entry.row.kind.name(), PyFrontendFunction::new(namespace, entry))
    };
    Ok(rows.map(function).collect())
}

/// The dtypes of a frontend: those that its rules say something of and backends hold.
#[pyfunction]
pub(crate) fn frontend_dtypes(py: Python<'_>, name: &str) -> Fallible<Vec<Py<PyFrontendDtype>>> {
    let namespace = named(name)?;
    let rules = namespace.frontend.version().rules;
    let known = ivy::Dtype::all().filter(|&d| rules.lookup(d, d).is_some() || d.is_bool());
    Ok(known.map(|d| dtype::object(py, namespace, d)).collect::<PyResult<_>>()?)
}

/// The dtype that a framework's own name means.
#[pyfunction]
pub(crate) fn frontend_dtype(
    py: Python<'_>,
    name: &str,
    word: &str,
) -> Fallible<Option<Py<PyFrontendDtype>>> {
    let namespace = named(name)?;
    let found = ivy_frontend::dtype_named(namespace.frontend.name(), word);
    Ok(found.map(|d| dtype::object(py, namespace, d)).transpose()?)
}

/// The version of a framework in force in this thread; sets it if one is given.
#[pyfunction]
#[pyo3(signature = (name, version=None))]
pub(crate) fn frontend_version(py: Python<'_>, name: &str, version: Option<&str>) -> Fallible<&'static str> {
    let frontend = named(name)?.frontend;
    let before = frontend.version().name;
    if let Some(version) = version {
        frontend.set_version(version).map_err(|error| error::failure(py, frontend, &error))?;
    }
    Ok(before)
}

/// The exception for a name that a frontend does not have.
#[pyfunction]
pub(crate) fn frontend_unknown(py: Python<'_>, name: &str, path: &str) -> Fallible<()> {
    let frontend = named(name)?.frontend;
    Err(error::failure(py, frontend, &frontend.unknown(path)))
}
