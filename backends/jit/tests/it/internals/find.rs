//! Where LLVM is found.

use ivy_backend_jit::internals::{Candidates, version_of};

#[test]
fn newer_versions_are_used_where_they_are_named() {
    let named = Candidates { named: true, ..Candidates::default() }.versions();
    assert!(named.contains(&23) && named.contains(&19) && !named.contains(&18));
    assert_eq!(Candidates::default().versions(), 19..=22);
}

#[test]
fn names_tell_versions() {
    assert_eq!(version_of("libLLVM.so.22.1-rust-1.95.0-stable"), Some(22));
    assert_eq!(version_of("libLLVM-22-rust-1.95.0-stable.so"), None);
    assert_eq!(version_of("libLLVM-19.so"), Some(19));
    assert_eq!(version_of("libLLVM-19.so.1"), Some(19));
    assert_eq!(version_of("libLLVM.so.19.1"), Some(19));
    assert_eq!(version_of("libLLVM.so"), None);
    assert_eq!(version_of("libLLVMSupport.a"), None);
}
