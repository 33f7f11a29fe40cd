//! Tells the tests and doctests of this package where libtorch is.

use std::path::PathBuf;

fn main() {
    println!("cargo::rerun-if-env-changed=LIBTORCH");
    if std::env::var_os("CARGO_FEATURE_LIBTORCH").is_none() {
        return;
    }
    let folder = std::env::var_os("LIBTORCH").map(PathBuf::from);
    if let Some(lib) = folder.and_then(|folder| folder.join("lib").canonicalize().ok()) {
        println!("cargo::rustc-link-arg=-Wl,-rpath,{}", lib.display());
    }
}
