//! Dr.Jit's arrays for `ivyrs.drjit`: the class of arrays, their types, and functions of them.

mod allocate;
mod autodiff;
mod classes;
mod construct;
mod contents;
mod convert;
mod elementwise;
mod engine;
mod error;
mod flow;
mod functions;
mod indexing;
mod memory;
mod object;
mod operators;
mod random;
mod texture;
mod types;

pub(crate) use module::drjit_functions;
pub(crate) use object::DrjitArray;
pub(crate) use random::{DrjitGenerator, DrjitPcg32, DrjitPhilox};
pub(crate) use texture::DrjitTexture;
pub(crate) use types::DrjitType;

mod module {
    use super::{autodiff, classes, elementwise, engine, flow, functions, memory, random};
    use pyo3::prelude::*;

    /// Puts the functions into a module.
    #[pyfunction]
    pub(crate) fn drjit_functions(module: &Bound<'_, PyModule>) -> PyResult<()> {
        for add in [
            classes::add_to,
            elementwise::add_to,
            elementwise::add_vectors_to,
            functions::add_to,
            memory::add_to,
            flow::add_to,
            autodiff::add_to,
            engine::add_to,
            random::add_to,
        ] {
            add(module)?;
        }
        Ok(())
    }
}
