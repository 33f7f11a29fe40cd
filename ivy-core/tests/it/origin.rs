//! Where a call was made.

use ivy_core::internals::{find_caller, is_inner};

#[test]
fn the_first_frame_of_the_user_is_found() {
    let trace = "   0: std::backtrace::Backtrace::force_capture\n             at /rustc/std.rs:312:18\n   \
                 1: ivy_core::origin::caller\n             at ./ivy-core/src/origin.rs:20:5\n   \
                 2: <ivy_core::array::Array as core::ops::Add>::add\n   \
                 3: {closure#0}\n             at ./ivy-core/src/context/frame.rs:140:5\n   \
                 4: ivy_app::model::forward\n             at ./src/model.rs:31:9\n   \
                 5: ivy_app::main\n             at ./src/main.rs:4:5\n";
    assert_eq!(find_caller(trace).as_deref(), Some("./src/model.rs:31"));
    // A frontend's frames are no user's, with its crate in their names or without.
    let trace = "   0: ivy_drjit::memory::gather\n             at /home/frontends/drjit/src/memory.rs:20:5\n   \
                 1: {closure#0}\n             at ./ivy-frontend-drjit-0.1.0/src/flow/mod.rs:140:5\n   \
                 2: <ivy_frontend_torch::Tensor>::add\n             at ./frontends/torch/src/lib.rs:14:5\n   \
                 3: app::read\n             at ./frontends/drjit/tests/drjit/memory.rs:31:9\n";
    assert_eq!(find_caller(trace).as_deref(), Some("./frontends/drjit/tests/drjit/memory.rs:31"));
    assert_eq!(find_caller("   0: ivy_app::main\n   1: main\n"), None);
    let thread = "   0: ivy_app::main\n   1: start_thread\n             at ./nptl/pthread_create.c:442:8\n";
    assert_eq!(find_caller(thread), None);
    for inner in [
        "core::ops::function::FnOnce::call_once",
        "<&ivy_core::Array as T>::f",
        "ivy::run",
        "__rust_try",
        "ivy_taichi::f",
    ] {
        assert!(is_inner(inner), "{inner}");
    }
    for outer in ["ivyish::f", "ivy_app::f", "<app::Model as ivy_core::T>::f", "main"] {
        assert!(!is_inner(outer), "{outer}");
    }
}

#[test]
fn an_error_tells_its_origin() {
    use ivy_core::{Dtype, Error};
    let error: Error = "flaot32".parse::<Dtype>().unwrap_err();
    assert!(error.origin().is_none());
    let text = error.to_string();
    let told = error.with_origin("src/main.rs:3");
    assert_eq!(told.origin(), Some("src/main.rs:3"));
    assert_eq!(told.to_string(), format!("{text}; the call was made at src/main.rs:3"));
}
