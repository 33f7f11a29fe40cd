//! With the feature `torch`: says in one line what is missing, and tells programs, tests and
//! doctests where libtorch is, so that they run without environment variables.

use std::path::PathBuf;

fn main() {
    println!("cargo::rerun-if-env-changed=LIBTORCH");
    if std::env::var_os("CARGO_FEATURE_TORCH").is_none() {
        return;
    }
    // The workspace sets it in `.cargo/config.toml`; without it torch-sys looks elsewhere.
    let Some(folder) = std::env::var_os("LIBTORCH").map(PathBuf::from) else { return };
    println!("cargo::rerun-if-changed={}", folder.join("build-version").display());
    match folder.join("lib").canonicalize() {
        Ok(lib) if lib.join("libtorch_cpu.so").exists() => {
            println!("cargo::rustc-link-arg=-Wl,-rpath,{}", lib.display());
        }
        _ => {
            let folder = folder.display();
            println!(
                "cargo::error=no libtorch in {folder}: run ./setup-libtorch.sh, or build without the feature `torch`"
            );
        }
    }
}
