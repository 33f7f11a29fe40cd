//! Memory that cannot be had.

use ivy_core::ErrorKind;
use ivy_core::host::scratch::*;
use std::panic::{catch_unwind, resume_unwind};

#[test]
fn what_is_refused_is_an_error() {
    const MUCH: usize = isize::MAX as usize / 8;
    assert_eq!(try_vec::<u64>(MUCH).unwrap_err(), Refused(8 * MUCH as u128));
    assert_eq!(probe(u128::MAX), Err(Refused(u128::MAX)));
    assert_eq!(probe(MUCH as u128 * 8), Err(Refused(8 * MUCH as u128)));
    assert_eq!(probe(1 << 20), Ok(()));
    for work in [|| drop(vec::<u64>(MUCH)), || reserve(&mut vec![1u64], MUCH), || drop(filled(1u64, MUCH))] {
        let error = guard("sort", work).unwrap_err();
        assert!(
            matches!(error.kind(), ErrorKind::MemoryLimit { function: "sort", bytes, .. } if *bytes >= 8 * MUCH as u128)
        );
    }
    assert_eq!(collected([1, 2, 3].into_iter()), [1, 2, 3]);
    assert_eq!(filled('a', 2), ['a', 'a']);
}

#[test]
fn other_panics_go_on_and_the_nearest_guard_names_the_error() {
    let panic = catch_unwind(|| guard("sort", || -> () { resume_unwind(Box::new("other")) }));
    assert_eq!(panic.map(|_| ()).unwrap_err().downcast_ref::<&str>(), Some(&"other"));
    let inner =
        guard("sort", || guard("unique", || -> () { refuse(Refused(3)) })).unwrap().map(|_| ()).unwrap_err();
    assert!(matches!(inner.kind(), ErrorKind::MemoryLimit { function: "unique", bytes: 3, .. }));
}
