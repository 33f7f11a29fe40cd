//! Engines of a test's own, whose switches and history are nobody else's.

use ivy::backend::BackendRef;
use ivy::jit::JitBackend;
use ivy::jit::cache::Generator;
use ivy::jit::codegen::llvm::llvm;
use ivy::jit::engine::Engine;
use std::sync::Arc;

/// One of each generator, and the backend that it is of.
pub fn engines() -> Vec<(BackendRef, Arc<Engine>)> {
    let backend = |generator| {
        let backend = JitBackend::new(generator);
        let engine = backend.engine().clone();
        (BackendRef::new(backend), engine)
    };
    let found = llvm().unwrap_or_else(|missing| panic!("these tests need a libLLVM: {missing}"));
    vec![backend(Generator::Interp), backend(Generator::Llvm(found))]
}
