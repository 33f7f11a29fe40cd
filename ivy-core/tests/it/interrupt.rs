//! Calls that are interrupted.

use ivy_core::host::scratch;
use ivy_core::interrupt::*;
use ivy_core::{Error, ErrorKind};
use std::panic::{catch_unwind, resume_unwind};

#[test]
fn work_is_left_at_the_nearest_guard_and_goes_on_afterwards() {
    let function = |error: Error| match error.kind() {
        ErrorKind::Interrupted { function } => *function,
        other => panic!("{other:?}"),
    };
    let unguarded = watching(|| {
        request();
        Watch::current().leave_if_interrupted();
        Ok::<_, Error>(())
    });
    assert_eq!(function(unguarded.unwrap_err()), "watching");
    let guarded = watching(|| {
        request();
        scratch::guard("sum", || Watch::current().leave_if_interrupted())
    });
    assert_eq!(function(guarded.unwrap_err()), "sum");
    // An interrupt before counts for nobody, and nobody watches outside.
    assert!(watching(|| Ok::<_, Error>(Watch::current().is_interrupted())).is_ok_and(|is| !is));
    request();
    assert!(!Watch::current().is_on() && !Watch::current().is_interrupted());
}

#[test]
fn other_panics_go_on() {
    let panic = catch_unwind(|| watching(|| -> Result<(), Error> { resume_unwind(Box::new("other")) }));
    assert_eq!(panic.map(|_| ()).unwrap_err().downcast_ref::<&str>(), Some(&"other"));
}
