//! Tells the tests and doctests of this package where libtorch is, or what to do without it.

use std::path::PathBuf;

fn main() {
    println!("cargo::rerun-if-env-changed=LIBTORCH");
    if std::env::var_os("CARGO_FEATURE_LIBTORCH").is_none() {
        return;
    }
    // The workspace sets it in `.cargo/config.toml`; without it torch-sys looks elsewhere.
    let Some(folder) = std::env::var_os("LIBTORCH").map(PathBuf::from) else { return };
    println!("cargo::rerun-if-changed={}", folder.join("build-version").display());
    match folder.join("lib").canonicalize() {
        Ok(lib) if lib.join("libtorch_cpu.so").exists() => {
            println!("cargo::rustc-link-arg=-Wl,-rpath,{}", lib.display());
        }
        _ => println!("cargo::error=no libtorch in {}: run ./setup-libtorch.sh", folder.display()),
    }
}
