//! The Python module `ivyrs._ivyrs`: the Array API standard on ivy's backends.
//!
//! Functions, their signatures and their docs derive from ivy's registry of functions and from the
//! table of the standard's signatures; `python/ivyrs` arranges them in namespaces.

mod array;
mod callback;
mod captured;
mod compiled;
mod context;
mod control;
mod declared;
mod docs;
mod drjit;
mod dtype;
mod dtype_functions;
mod error;
mod export;
mod foreign;
mod frontends;
mod function;
mod gradients;
mod index;
mod operators;
mod origin;
mod out;
mod print;
mod random;
mod signals;
mod signature;
mod special;
mod taichi;
mod tools;
mod value;
mod views;

use error::Fallible;
use ivy::backend::BackendRef;
use pyo3::prelude::*;

/// A backend instance.
#[pyclass(module = "ivyrs._ivyrs", frozen, eq, weakref)]
#[derive(PartialEq)]
pub(crate) struct Backend(pub(crate) BackendRef);

#[pymethods]
impl Backend {
    #[new]
    fn new(name: &str) -> Fallible<Backend> {
        Ok(Backend(ivy::backend::backend(name)?))
    }

    /// The backend that `ivyrs` itself creates arrays on.
    #[staticmethod]
    fn current(py: Python<'_>) -> Fallible<Backend> {
        Ok(Backend(context::backend(py, None)?))
    }

    /// The name by which the backend is found again.
    #[getter]
    fn place(&self) -> String {
        special::place_of(&self.0)
    }

    #[getter]
    fn name(&self) -> String {
        self.0.name().to_string()
    }

    #[getter]
    fn version(&self) -> String {
        self.0.version_text()
    }

    /// The devices' names, the one that arrays are created on first.
    #[getter]
    fn devices(&self) -> Vec<String> {
        self.0.devices().iter().map(ToString::to_string).collect()
    }

    /// The dtypes that the backend stores.
    #[getter]
    fn dtypes(&self, py: Python<'_>) -> Vec<Py<dtype::PyDtype>> {
        let stored = |d: &ivy::Dtype| self.0.storage(*d) != ivy::backend::Storage::None;
        ivy::Dtype::all().filter(stored).map(|d| dtype::object(py, d).clone_ref(py)).collect()
    }

    fn __hash__(&self) -> usize {
        std::ptr::from_ref(&*self.0).cast::<()>() as usize
    }
}

#[pymodule]
mod _ivyrs {
    use super::*;

    #[pymodule_export]
    use super::Backend;
    #[pymodule_export]
    use super::array::{PyArray, live_arrays};
    #[pymodule_export]
    use super::captured::{undo_writes, watch_writes};
    #[pymodule_export]
    use super::compiled::{Recorded, evaluate};
    #[pymodule_export]
    use super::context::{PyScope, pop_setting, push_setting, pushed_settings, setting};
    #[pymodule_export]
    use super::control::{associative_scan, for_loop, if_else, switch, while_loop};
    #[pymodule_export]
    use super::declared::declared_dtypes;
    #[pymodule_export]
    use super::drjit::{
        DrjitArray, DrjitGenerator, DrjitPcg32, DrjitPhilox, DrjitTexture, DrjitType, drjit_functions,
    };
    #[pymodule_export]
    use super::dtype::PyDtype;
    #[pymodule_export]
    use super::dtype_functions::{
        as_ivy_dev, as_ivy_dtype, as_native_dev, as_native_dtype, closest_valid_dtype, counts, default_of,
        function_supported_dtypes, infer_default_dtype, inplace_update, is_kind, is_native_dtype,
        move_arrays, place_on_device, select, valid_dtype,
    };
    #[pymodule_export]
    use super::frontends::{
        PyGraphHook, PyGraphNode, PyTensorFlowTape, array_of_bytes, element_bytes, frontend_dtype,
        frontend_dtypes, frontend_functions, frontend_unknown, frontend_version, graph_custom, graph_node,
        graph_register_hook, graph_require, graph_set_grad, npy_array, npy_bytes, set_grad_enabled,
        tensorflow_assign, tensorflow_watched, torch_follow_gradient, torch_grad_version,
        torch_optimizer_update, torch_own, torch_recordable, torch_set_data,
    };
    #[pymodule_export]
    use super::function::{PyFunction, functions, parameter_types};
    #[pymodule_export]
    use super::gradients::{
        Pullback, Pushforward, checkpoint, custom_jvp, custom_vjp, jacobian, jvp, linearize, scan,
        stop_gradient, value_and_grad, vjp, vmap,
    };
    #[pymodule_export]
    use super::print::array_text;
    #[pymodule_export]
    use super::random::PyGenerator;
    #[pymodule_export]
    use super::special::rebuild;
    #[pymodule_export]
    use super::taichi::{
        TaichiField, TaichiProgram, TaichiQuantType, TaichiScope, TaichiSignature, TaichiSource, TaichiTree,
        TaichiTreeBuilder, TaichiValue, taichi_functions,
    };
    #[pymodule_export]
    use super::tools::{
        backends, default_dtypes, explain, missing, named_results, promote, registry, seed, support,
    };
    #[pymodule_export]
    use super::views::{
        replace_elements, view_base, view_layout, view_rearrange, view_reshape, view_version, views_overlap,
    };

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        let py = module.py();
        ivy::origin::set_locator(origin::line);
        let threads = py.import("threading")?;
        if threads.call_method0("main_thread")?.is(&threads.call_method0("current_thread")?) {
            signals::is_main_thread();
        }
        for dtype in ivy::Dtype::all() {
            module.add(dtype.name(), dtype::object(py, dtype).clone_ref(py))?;
        }
        // Frameworks share names of classes.
        module.add("ndarray", py.get_type::<super::frontends::PyNdArray>())?;
        module.add("FrontendGenerator", py.get_type::<super::frontends::PyFrontendGenerator>())?;
        module.add("TorchGenerator", py.get_type::<super::frontends::PyTorchGenerator>())?;
        module.add("torch_default_generator", super::frontends::PyTorchGenerator::DEFAULT)?;
        module.add("TorchTensor", py.get_type::<super::frontends::PyTorchTensor>())?;
        module.add("JaxArray", py.get_type::<super::frontends::PyJaxArray>())?;
        module.add("TensorFlowTensor", py.get_type::<super::frontends::PyTensorFlowTensor>())?;
        module.add("PaddleTensor", py.get_type::<super::frontends::PyPaddleTensor>())?;
        // The libtorch that the torch backend was built for.
        #[cfg(feature = "torch")]
        module.add("libtorch", ivy::torch::VERSION)?;
        #[cfg(not(feature = "torch"))]
        module.add("libtorch", py.None())?;
        Ok(())
    }
}
